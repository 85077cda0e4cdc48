"""DOCX as Markdown: headings, lists and tables keep their shape."""

import io
import zipfile
from collections.abc import Iterator, Mapping
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
_WRAPPERS = {f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins"}
_UNSEEN = {
    f"{_W}del",
    f"{_W}moveFrom",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}
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
    for block in _blocks(document.element.body):
        pieces.add(_markdown(block, styles))
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


def _markdown(block: Any, styles: Mapping[str, str]) -> str:
    if block.tag == f"{_W}tbl":
        return _table(block)
    text = _text(block)
    if not text.strip():
        return ""
    mark = block.find(f"{_W}pPr/{_W}pStyle")
    style = "" if mark is None else styles.get(mark.get(f"{_W}val"), "")
    if style == "title":
        return f"# {_one_line(text)}\n\n"
    if style.startswith("heading "):
        level = min(int(style[-1]), 6) if style[-1].isdigit() else 1
        return f"{'#' * level} {_one_line(text)}\n\n"
    if style.startswith("list") or block.find(f"{_W}pPr/{_W}numPr") is not None:
        return f"- {_one_line(text)}\n"
    return f"{text.strip()}\n\n"


def _table(table: Any) -> str:
    lines = []
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl")) is not table:
            continue  # of a table inside a cell, whose text is the cell's
        cells = [_one_line(_text(cell)).replace("|", "\\|") for cell in row.findall(f"{_W}tc")]
        lines.append(f"| {' | '.join(cells)} |\n")
        if len(lines) == 1:
            lines.append(f"|{'---|' * max(len(cells), 1)}\n")
    return "\n" + "".join(lines) + "\n"


def _text(element: Any) -> str:
    """As a reader sees it: without deleted or moved text, and text boxes only once."""
    words = []
    waiting = [element]
    while waiting:
        part = waiting.pop()
        if part.tag == f"{_W}t":
            words.append(part.text or "")
        elif part.tag in _BREAKS:
            words.append(_BREAKS[part.tag])
        elif part.tag not in _UNSEEN:
            if part.tag == f"{_W}p" and words:
                words.append(" ")
            waiting.extend(reversed(part))
    return "".join(words)


def _one_line(text: str) -> str:
    return " ".join(text.split())


READER = DocumentReader("docx", parse_docx)
