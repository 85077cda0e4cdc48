"""reStructuredText, AsciiDoc and Org as Markdown: their sentences stay as they are written."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from groundwire._patterns import lazy_pattern
from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, without_controls
from groundwire.evidence._sections import header
from groundwire.evidence._source import decode

# a line under or over a heading: "=====", "~~~~"
_RULE = lazy_pattern(r"([=\-~^\"'`#*+.:_])\1{2,}\s*")
# such as ".. code-block:: sh", ".. note:: Mind the gap", ".. a comment"
_DIRECTIVE = lazy_pattern(r"\s*\.\.\s+(?:(?P<name>[\w-]+)::\s*)?(?P<rest>.*)")
# the rest of ".. [#f] Measured in 2021." and ".. [CIT2002] A book"
_FOOTNOTE = lazy_pattern(r"\[(?:[#*]|#?[\w.-]+)\](?:\s.*)?")
# such as ":header-rows: 1"
_OPTION = lazy_pattern(r":(?P<name>[\w-]+):\s*(?P<value>.*)")
# such as "* - Hook", which opens a row, and "  - 4 kg", which opens a cell
_LIST_CELL = lazy_pattern(r"(?P<lead>(?P<row>[*+-]|\s)\s+)[*+-](?:\s+(?P<words>.*))?")
_CODE_DIRECTIVES = {"code-block", "code", "sourcecode", "parsed-literal", "literalinclude", "math"}
_SPOKEN_DIRECTIVES = {"note", "warning", "tip", "important", "caution", "attention", "hint"}
_SPOKEN_DIRECTIVES |= {"danger", "error", "admonition", "epigraph", "topic", "sidebar", "glossary"}
# such as "== Scope"
_ADOC_HEADING = lazy_pattern(r"(={1,6})\s+(\S.*)")
# such as ":author: Ada", "[source,sh]", "include::x[]"
_ADOC_SETTING = lazy_pattern(r":[\w!-]+:(?:\s.*)?|\[[^\]]*\]|(?:include|image|toc)::.*")
# of these, what a document says of itself and its reader is shown: ":revdate: 2025-04-29"
_ADOC_FIELD = lazy_pattern(r":(?:authors?|date|revdate|status|owner):[ \t]+\S.*", re.IGNORECASE)
_ORG_FIELDS = ("author", "date", "status", "owner")
# such as "** TODO Rotate the key :ops:"
_ORG_HEADING = lazy_pattern(r"(\*+)\s+(.*?)(?:\s+:[\w:@]+:)?\s*")
# such as "#+title: Minutes"
_ORG_KEYWORD = lazy_pattern(r"#\+(?P<name>\w+):?\s*(?P<value>.*)", re.IGNORECASE)
# such as "|---+---|"
_ORG_RULE = lazy_pattern(r"\s*\|[-+|]+\|?\s*")


def parse_rst(data: bytes, bounds: Bounds) -> Parsed:
    text = without_controls(decode(data))
    metadata, start = header(text)
    head = text[:start].splitlines()
    body = _rst_lines(text[start:].splitlines())
    parsed = _parsed(chain(head, body), bounds, metadata.get("title"))
    parsed.metadata = metadata
    parsed.body_start = sum(len(line) + 1 for line in head)
    return parsed


def parse_adoc(data: bytes, bounds: Bounds) -> Parsed:
    return _parsed(_adoc_lines(decode(data).splitlines()), bounds)


def parse_org(data: bytes, bounds: Bounds) -> Parsed:
    lines = decode(data).splitlines()
    keywords = (_ORG_KEYWORD.fullmatch(line) for line in lines)
    titles = [one["value"] for one in keywords if one and one["name"].lower() == "title"]
    return _parsed(_org_lines(lines), bounds, titles[0] if titles else None)


def _parsed(lines: Iterable[str], bounds: Bounds, title: str | None = None) -> Parsed:
    pieces = Pieces(bounds)
    for line in lines:
        pieces.add(f"{line}\n")
    return Parsed(pieces.text(), title=title)


def _rst_lines(lines: list[str]) -> Iterator[str]:
    levels: dict[str, int] = {}
    place = 0
    while place < len(lines):
        line = lines[place]
        under = lines[place + 1] if place + 1 < len(lines) else ""
        directive = _DIRECTIVE.fullmatch(line)
        if _RULE.fullmatch(line) and _RULE.fullmatch((lines[place + 2 : place + 3] or [""])[0]):
            # a heading between two rules
            yield _heading(levels, line[0] * 2, under)
            place += 3
        elif line.strip() and _RULE.fullmatch(under) and len(under) >= len(line.rstrip()):
            yield _heading(levels, under[0], line)
            place += 2
        elif directive is not None:
            stop = _block_end(lines, place)
            yield from _directive(directive, lines[place + 1 : stop])
            place = stop
        elif line.rstrip().endswith("::"):
            stop = _block_end(lines, place)
            yield line.rstrip()[:-1]
            yield from ("", "```", *_dedented(lines[place + 1 : stop]), "```", "")
            place = stop
        else:
            yield line
            place += 1


def _heading(levels: dict[str, int], mark: str, words: str) -> str:
    level = levels.setdefault(mark, len(levels) + 1)
    return f"{'#' * min(level, 6)} {words.strip()}"


def _block_end(lines: list[str], place: int) -> int:
    """Past the lines that are indented under this one."""
    indent = len(lines[place]) - len(lines[place].lstrip())
    stop = place + 1
    while stop < len(lines) and (
        not lines[stop].strip() or len(lines[stop]) - len(lines[stop].lstrip()) > indent
    ):
        stop += 1
    return stop


def _directive(directive: re.Match[str], inner: list[str]) -> Iterator[str]:
    """Code is fenced, what speaks to the reader stays, comments and the rest are left out."""
    name = (directive["name"] or "").lower()
    lines = _dedented(inner)
    body = [line for line in lines if not _OPTION.fullmatch(line)]
    if name in _CODE_DIRECTIVES:
        yield from ("", "```", *body, "```", "")
    elif name in _SPOKEN_DIRECTIVES or name == "table":
        yield from ("", directive["rest"], *body, "")
    elif name in _ROWS_OF:
        yield from ("", directive["rest"], "", *_table(_options(lines), _ROWS_OF[name](body)), "")
    elif not name and _FOOTNOTE.fullmatch(directive["rest"]):
        yield from ("", directive["rest"], *body, "")
    else:
        yield ""


def _options(lines: list[str]) -> dict[str, str]:
    found = map(_OPTION.fullmatch, lines)
    return {one["name"].lower(): one["value"].strip() for one in found if one is not None}


def _table(options: Mapping[str, str], rows: list[list[str]]) -> Iterator[str]:
    """The first row names the columns where the table says that it has such a row."""
    names = _csv_rows([options["header"]]) if "header" in options else []
    has_header = bool(names) or options.get("header-rows", "0") != "0"
    for number, cells in enumerate(names + rows):
        shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
        yield f"| {' | '.join(shown)} |"
        if has_header and not number:
            yield f"|{'---|' * len(cells)}"


def _list_rows(lines: list[str]) -> list[list[str]]:
    """The rows of a list of lists; a line that opens no cell goes on with the one before."""
    rows: list[list[str]] = []
    indent = 0
    for line in lines:
        cell = _LIST_CELL.fullmatch(line)
        if cell is not None and cell["row"].strip():
            indent = len(cell["lead"])
            rows.append([cell["words"] or ""])
        elif cell is not None and len(cell["lead"]) == indent:
            rows[-1].append(cell["words"] or "")
        elif rows:
            rows[-1][-1] += f" {line.strip()}"
    return rows


def _csv_rows(lines: list[str]) -> list[list[str]]:
    rows = csv.reader(lines, skipinitialspace=True)
    return [cells for cells in rows if any(cell.strip() for cell in cells)]


_ROWS_OF = {"list-table": _list_rows, "csv-table": _csv_rows}


def _dedented(lines: list[str]) -> list[str]:
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(indents, default=0)
    return [line[least:] for line in lines]


def _adoc_lines(lines: list[str]) -> Iterator[str]:
    closing = ""
    columns = -1
    for line in _without(lines, {"////": "////"}):
        bare = line.rstrip()
        if closing or bare in ("----", "...."):
            closing = bare if not closing else "" if bare == closing else closing
            yield "```" if bare in ("----", "....") else line
        elif bare == "|===":
            columns = 0 if columns < 0 else -1
            yield ""
        elif columns >= 0:
            cells = [cell.strip() for cell in bare.removeprefix("|").split("|")]
            if bare:
                yield f"| {' | '.join(cells)} |"
            if bare and not columns:
                columns = len(cells)
                yield f"|{'---|' * columns}"
        elif (heading := _ADOC_HEADING.fullmatch(bare)) is not None:
            yield f"{'#' * len(heading[1])} {heading[2]}"
        elif _ADOC_FIELD.fullmatch(bare):
            yield bare
        else:
            yield "" if bare.startswith("//") or _ADOC_SETTING.fullmatch(bare) else line


def _org_lines(lines: list[str]) -> Iterator[str]:
    unread = {":properties:": ":end:", ":logbook:": ":end:", "#+begin_comment": "#+end_comment"}
    in_code = False
    for line in _without(lines, unread):
        keyword = _ORG_KEYWORD.fullmatch(line.strip())
        if keyword and keyword["name"].lower().endswith(("_src", "_example")):
            in_code = not in_code
            yield "```"
        elif in_code:
            yield line
        elif keyword and keyword["name"].lower() in _ORG_FIELDS and keyword["value"]:
            yield f":{keyword['name'].lower()}: {keyword['value']}"
        elif keyword or line.startswith("# "):
            yield ""
        elif (heading := _ORG_HEADING.fullmatch(line)) is not None:
            yield f"{'#' * min(len(heading[1]), 6)} {heading[2]}"
        else:
            yield line.replace("+", "|") if _ORG_RULE.fullmatch(line) else line


def _without(lines: list[str], blocks: Mapping[str, str]) -> Iterator[str]:
    """The lines outside of blocks that open and close so."""
    closing = None
    for line in lines:
        bare = line.strip().lower()
        if closing is not None:
            closing = None if bare == closing else closing
        elif bare in blocks:
            closing = blocks[bare]
        else:
            yield line


RST = DocumentReader("rst", parse_rst)
ADOC = DocumentReader("adoc", parse_adoc)
ORG = DocumentReader("org", parse_org)
