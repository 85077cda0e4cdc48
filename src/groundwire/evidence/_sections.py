"""A document's front matter, and its sections under their headings."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, Literal, NamedTuple

import yaml

from groundwire._patterns import lazy_pattern
from groundwire.model import Document
from groundwire.text import Block, Reading, heading_words, read

MAX_DEPTH = 6
# an unquoted colon in a title is the commonest reason why a block is not YAML: "title: A: b"
_PLAIN_LINE = lazy_pattern(r"(?m)^(?P<key>[A-Za-z][\w. -]{0,60}):[ \t]+(?P<value>\S.*)$")


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """Its values under dotted keys, and the offset where the document itself begins."""
    block = next(iter(read_once(text, markdown=True).blocks), None)
    if block is None or block.kind != "front_matter":
        return {}, 0
    inner = "\n".join(text[slice(*piece)] for piece in block.pieces)
    tree = _parse(inner)
    if isinstance(tree, dict):
        return dict(_scalars(tree, "", MAX_DEPTH)), block.end
    plain = {
        line["key"].strip().lower(): line["value"].strip() for line in _PLAIN_LINE.finditer(inner)
    }
    return plain, block.end


# such as "Superseded-By: 249", "Start Date: May 2024" at the very start of a text; the value may go
# on, indented
_HEADER_LINE = lazy_pattern(
    r"(?P<name>[A-Za-z][A-Za-z-]{1,30}(?: [A-Za-z-]{2,20})?):(?:[ \t]+(?P<value>\S.*)|[ \t]*)"
)
_LEAST_HEADER_LINES = 3


def header(text: str) -> tuple[dict[str, str], int]:
    """`Name: value` lines before the first blank line, as proposals and letters have them."""
    return _of_two_columns(text) or _of_lines(text)


# the line by which a Request for Comments is known
_RFC = lazy_pattern(r"(?m)^Request for Comments:[ \t]+(?P<number>\d{1,5})\b")
# between the columns of "Obsoletes: 9805          B. Sauer"
_COLUMNS = lazy_pattern(r"[ \t]{3,}")
# such as "A. Lindqvist", "J. van der Berg, Ed."
_WITH_INITIALS = lazy_pattern(r"(?P<name>(?:[A-Z]\. ?)+[\w' -]+?)(?:, Eds?\.)?")
# such as "May 2024", "1 April 1998"
_MONTH = lazy_pattern(r"(?:\d{1,2} )?[A-Z][a-z]{2,8} \d{4}")


def _of_two_columns(text: str) -> tuple[dict[str, str], int] | None:
    """What a Request for Comments states on the left, who wrote it when on the right."""
    start = len(text) - len(text.lstrip())
    stop = text.find("\n\n", start)
    known = _RFC.search(text, start, max(stop, start))
    if known is None:
        return None
    found = {"rfc": known["number"]}
    authors: list[str] = []
    for line in text[start:stop].splitlines():
        left, *right = _COLUMNS.split(line.rstrip())
        stated = _HEADER_LINE.fullmatch(left)
        if stated is not None and stated["value"]:
            found[stated["name"].lower()] = stated["value"]
        for told in right:
            if _MONTH.fullmatch(told):
                found["date"] = told
            elif (named := _WITH_INITIALS.fullmatch(told)) is not None:
                authors.append(named["name"])
    title = text[stop:].lstrip().partition("\n")[0].strip()
    found |= {"author": ", ".join(authors)} if authors else {}
    return found | ({"title": title} if title else {}), stop


def _of_lines(text: str) -> tuple[dict[str, str], int]:
    found: dict[str, list[str]] = {}
    end = 0
    name = ""
    for line in text.splitlines(keepends=True):
        match = _HEADER_LINE.fullmatch(line.rstrip())
        if not line.strip():
            break
        if match is not None:
            name = match["name"].lower()
            found[name] = [match["value"] or ""]
        elif name and line[0] in " \t":
            found[name].append(line.strip())
        else:
            return {}, 0
        end += len(line)
    if len(found) < _LEAST_HEADER_LINES:
        return {}, 0
    return {key: " ".join(filter(None, lines)) for key, lines in found.items()}, end


def _parse(block: str) -> Any:
    # every value stays text: as YAML, `0012` would be ten and `no` would be false
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        # a few aliases can unfold to gigabytes, and no document needs them to state its title
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=loader)):
            return None
        return yaml.load(block, Loader=loader)  # noqa: S506 it makes nothing but text, lists, mappings
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _scalars(tree: dict[Any, Any], prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{prefix}{key}".lower()
        if isinstance(value, dict):
            if depth:
                yield from _scalars(value, f"{name}.", depth - 1)
        elif isinstance(value, list):
            yield name, ", ".join(item for item in value if isinstance(item, str))
        elif value:
            yield name, value


PartKind = Literal["heading", "paragraph", "list", "table", "code", "comment"]

_PART_OF: dict[str, PartKind] = {"item": "list", "row": "table", "front_matter": "paragraph"}
_READINGS_KEPT = 4
"""Whoever works on a document reads it several times in a row."""
_DEEPEST_HEADING = 6


class Part(NamedTuple):
    """A heading, a paragraph, code, a comment, or neighbouring items or rows taken together."""

    kind: PartKind
    start: int
    end: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Section:
    """A heading, the headings above it, and the parts up to the next one."""

    path: tuple[str, ...]
    heading: Part | None
    parts: tuple[Part, ...]


def reading(document: Document) -> Reading:
    return read_once(document.text, markdown=document.format != "text" and not document.pages)


@lru_cache(maxsize=_READINGS_KEPT)
def read_once(text: str, *, markdown: bool) -> Reading:
    return read(text, markdown=markdown)


def body(document: Document) -> list[Block]:
    """The blocks after the front matter."""
    return [block for block in reading(document).blocks if block.start >= document.body_start]


def first_heading(text: str, start: int = 0) -> str | None:
    """The words of the first heading from a place on; a line in bold is none."""
    for block in read_once(text, markdown=True).blocks:
        if block.kind == "heading" and block.level <= _DEEPEST_HEADING and block.start >= start:
            return heading_words(text, block)
    return None


def sections(document: Document) -> list[Section]:
    """In order. The title names no section, for all of them stand beneath it; a page does."""
    found: list[Section] = []
    for block_run in _runs(document):
        parts = tuple(_parts(document.text, block_run, _floor(found, document)))
        heading = parts[0] if parts[0].kind == "heading" else None
        path = block_run[-1].section
        if heading is not None and len(parts) == 1:
            path = (*path, heading_words(document.text, heading.blocks[0]))
        path = tuple(words for words in path if words not in ("", document.title))
        found.append(Section(path, heading, parts[1:] if heading else parts))
    return found


def _floor(found: Sequence[Section], document: Document) -> int:
    """Where the section before ends."""
    if not found:
        return document.body_start
    last = found[-1].parts[-1] if found[-1].parts else found[-1].heading
    return last.end if last else document.body_start


def _runs(document: Document) -> Iterator[list[Block]]:
    """The blocks of each section, its heading first; of each page where there are pages."""
    blocks = body(document)
    if document.pages:
        for number, page in groupby(blocks, lambda one: bisect_right(document.pages, one.start)):
            yield [replace(block, section=(f"page {number}",)) for block in page]
        return
    held: list[Block] = []
    for block in blocks:
        if block.kind == "heading" and held:
            yield held
            held = []
        held.append(block)
    if held:
        yield held


def _parts(text: str, blocks: Sequence[Block], floor: int) -> Iterator[Part]:
    """From the mark of a list or a quotation on, which stands before a block on its line."""
    held: list[Block] = []
    for block in blocks:
        line = max(floor, text.rfind("\n", 0, block.start) + 1)
        mark = text[line : block.start].strip()
        placed = replace(block, start=text.index(mark, line)) if mark else block
        floor = block.end
        if held and not _go_together(held[-1], placed):
            yield _part(held)
            held = []
        held.append(placed)
    if held:
        yield _part(held)


def _go_together(one: Block, other: Block) -> bool:
    return one.kind == other.kind and one.kind in ("item", "row") and not other.is_header


def _part(blocks: Sequence[Block]) -> Part:
    kind = blocks[0].kind
    kept: PartKind = _PART_OF.get(kind) or kind  # type: ignore[assignment]
    return Part(kept, blocks[0].start, blocks[-1].end, tuple(blocks))
