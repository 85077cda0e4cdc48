"""DOCX as Markdown: headings, lists and tables keep their shape.

What is hidden, struck out or deleted is not read, be it so by itself or by its style.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping, Set as AbstractSet
from typing import Any

from groundwire.evidence._parsed import (
    Bounds,
    DocumentReader,
    Parsed,
    Pieces,
    Unparsable,
    refuse_bombs,
)

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WRAPPERS = {f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins", f"{_W}moveTo"}
_UNSEEN = {
    f"{_W}del",
    f"{_W}moveFrom",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}
_UNSEEN_MARKS = ("vanish", "strike", "dstrike")
_MAX_COLUMNS = 1_000
_OFF = {"0", "false", "off", "none"}
_BREAKS = {f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": "\t"}


def parse_docx(data: bytes, bounds: Bounds) -> Parsed:
    import docx

    refuse_bombs(data, bounds, "a Word document (DOCX)")
    try:
        document = docx.Document(io.BytesIO(data))
    except (KeyError, ValueError, OSError, zipfile.BadZipFile, SyntaxError) as error:
        # lxml's XMLSyntaxError is a SyntaxError
        raise Unparsable("is not a Word document that can be read", "Save it again.") from error
    pieces = Pieces(bounds)
    # Word keeps the built-in styles' English names whatever language it speaks
    styles = {style.style_id: str(style.name or "").lower() for style in document.styles}
    unseen = _unseen_styles(document.styles.element)
    for block in _blocks(document.element.body):
        pieces.add(_markdown(block, styles, unseen))
    title = document.core_properties.title
    return Parsed(pieces.text(), title=title.strip() or None)


def _blocks(body: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, also those inside content controls."""
    waiting = [iter(body)]
    while waiting:
        element = next(waiting[-1], None)
        if element is None:
            waiting.pop()
        elif element.tag in (f"{_W}p", f"{_W}tbl"):
            yield element
        elif element.tag in _WRAPPERS:
            waiting.append(iter(element))


def _unseen_styles(styles: Any) -> set[str]:
    """By their ids: those that hide or strike out, and those based on them."""
    by_id = {str(one.get(f"{_W}styleId")): one for one in styles.findall(f"{_W}style")}
    return {name for name, style in by_id.items() if _hides(style, by_id)}


def _hides(style: Any, by_id: Mapping[str, Any]) -> bool:
    seen: set[str] = set()
    while style is not None and (hides := _unseen_mark(style)) is None:
        base = _value(style, f"{_W}basedOn")
        # a style based on itself comes from no Word, but must not hold us up
        style = by_id.get(base) if base not in seen else None
        seen.add(base)
    return style is not None and bool(hides)


def _unseen_mark(element: Any) -> bool | None:
    """Whether a run or a style hides or strikes out; None where it says nothing of that."""
    marks = [element.find(f"{_W}rPr/{_W}{name}") for name in _UNSEEN_MARKS]
    said = [mark.get(f"{_W}val", "1") not in _OFF for mark in marks if mark is not None]
    return any(said) if said else None


def _value(element: Any, path: str) -> str:
    found = element.find(path)
    return "" if found is None else str(found.get(f"{_W}val", ""))


def _markdown(block: Any, styles: Mapping[str, str], unseen: AbstractSet[str]) -> str:
    if block.tag == f"{_W}tbl":
        return _table(block, unseen)
    text = _text(block, unseen)
    if not text.strip():
        return ""
    style = styles.get(_value(block, f"{_W}pPr/{_W}pStyle"), "")
    if style == "title":
        return f"# {_one_line(text)}\n\n"
    if style.startswith("heading "):
        level = min(int(style[-1]), 6) if style[-1].isdigit() else 1
        return f"{'#' * level} {_one_line(text)}\n\n"
    if style.startswith("list") or block.find(f"{_W}pPr/{_W}numPr") is not None:
        return f"- {_one_line(text)}\n"
    return f"{text.strip()}\n\n"


def _table(table: Any, unseen: AbstractSet[str]) -> str:
    lines = []
    above: dict[int, str] = {}
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is not table:
            continue  # of a table inside a cell, whose text is the cell's
        if any(row.find(f"{_W}trPr/{_W}{name}") is not None for name in ("del", "hidden")):
            continue
        cells = _cells(row, above, unseen)
        lines.append(f"| {' | '.join(cells)} |\n")
        if len(lines) == 1:
            lines.append(f"|{'---|' * max(len(cells), 1)}\n")
    return "\n" + "".join(lines) + "\n"


def _cells(row: Any, above: dict[int, str], unseen: AbstractSet[str]) -> list[str]:
    """A cell that was merged stands in every row and column it spans."""
    own = row.findall(f"{_W}tc")
    texts: list[str] = []
    for cell in own:
        words = _one_line(_text(cell, unseen)).replace("|", "\\|")
        merged = cell.find(f"{_W}tcPr/{_W}vMerge")
        if merged is not None and merged.get(f"{_W}val") != "restart":
            words = above.get(len(texts), words)
        above[len(texts)] = words
        width = _value(cell, f"{_W}tcPr/{_W}gridSpan")
        more = min(int(width), _MAX_COLUMNS) - 1 if width.isdecimal() else 0
        # what stands alone in its row is said once: it is a heading of the rows below
        texts += [words, *[words if len(own) > 1 else ""] * more]
    return texts


def _text(element: Any, unseen: AbstractSet[str]) -> str:
    """As a reader sees it: without hidden or deleted text, and text boxes only once."""
    words: list[str] = []
    waiting = [(element, False)]
    while waiting:
        part, is_unseen = waiting.pop()
        if part.tag == f"{_W}t":
            words.append(part.text or "")
        elif part.tag in _BREAKS:
            words.append(_BREAKS[part.tag])
        elif part.tag == f"{_W}p":
            words += [" "] if words else []
            is_unseen = _value(part, f"{_W}pPr/{_W}pStyle") in unseen
        elif part.tag in _UNSEEN or (
            part.tag == f"{_W}r" and _is_unseen_run(part, unseen, otherwise=is_unseen)
        ):
            continue
        waiting.extend((inner, is_unseen) for inner in reversed(part))
    return "".join(words)


def _is_unseen_run(run: Any, unseen: AbstractSet[str], *, otherwise: bool) -> bool:
    own = _unseen_mark(run)
    return own if own is not None else otherwise or _value(run, f"{_W}rPr/{_W}rStyle") in unseen


def _one_line(text: str) -> str:
    return " ".join(text.split())


READER = DocumentReader("docx", parse_docx)
