"""DOCX as Markdown: headings, lists and tables keep their shape."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from groundwire.evidence._parsed import Bounds, Parsed, Pieces, Unparsable

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MAX_PARTS = 10_000
_WRAPPERS = {f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml", f"{_W}ins"}
_BREAKS = {f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": "\t"}


def parse_docx(data: bytes, bounds: Bounds) -> Parsed:
    import docx

    _refuse_bombs(data, bounds)
    try:
        document = docx.Document(io.BytesIO(data))
    except (KeyError, ValueError, OSError, zipfile.BadZipFile, SyntaxError) as error:
        # lxml's XMLSyntaxError is a SyntaxError
        raise Unparsable("is not a Word document that can be read", "Save it again.") from error
    pieces = Pieces(bounds)
    for block in _blocks(document.element.body):
        pieces.add(_markdown(block, document))
    title = document.core_properties.title
    return Parsed(pieces.text(), title=title.strip() or None)


def _refuse_bombs(data: bytes, bounds: Bounds) -> None:
    """`zipfile` unpacks no more of an entry than its directory declares, so the sum holds."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise Unparsable("is not a Word document (DOCX)", "Save it again as DOCX.") from error
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > _MAX_PARTS or unpacked > bounds.max_bytes:
        raise Unparsable(
            f"unpacks to {unpacked / 1e6:,.0f} MB in {len(parts):,} parts",
            "Remove its pictures, or raise limits.max_file_mb.",
        )


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


def _markdown(block: Any, document: Any) -> str:
    if block.tag == f"{_W}tbl":
        return _table(block)
    text = _text(block)
    if not text.strip():
        return ""
    style = _style_name(block, document)
    if style == "title":
        return f"# {_one_line(text)}\n\n"
    if style.startswith("heading "):
        level = min(int(style[-1]), 6) if style[-1].isdigit() else 1
        return f"{'#' * level} {_one_line(text)}\n\n"
    if style.startswith("list") or block.find(f"{_W}pPr/{_W}numPr") is not None:
        return f"- {_one_line(text)}\n"
    return f"{text.strip()}\n\n"


def _style_name(paragraph: Any, document: Any) -> str:
    """Word keeps the built-in styles' English names whatever language it speaks."""
    mark = paragraph.find(f"{_W}pPr/{_W}pStyle")
    if mark is None:
        return ""
    style_id = mark.get(f"{_W}val")
    return next(
        (str(style.name or "").lower() for style in document.styles if style.style_id == style_id),
        "",
    )


def _table(table: Any) -> str:
    lines = []
    for row in table.iter(f"{_W}tr"):
        cells = [_one_line(_text(cell)).replace("|", "\\|") for cell in row.iter(f"{_W}tc")]
        lines.append(f"| {' | '.join(cells)} |\n")
        if len(lines) == 1:
            lines.append(f"|{'---|' * max(len(cells), 1)}\n")
    return "\n" + "".join(lines) + "\n"


def _text(element: Any) -> str:
    """Inserted text counts, deleted text has a tag of its own and does not."""
    return "".join(
        part.text or "" if part.tag == f"{_W}t" else _BREAKS.get(part.tag, "")
        for part in element.iter()
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
