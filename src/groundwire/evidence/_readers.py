"""Any supported file becomes a `Document`; anything else a message that says what to do."""

from collections.abc import Callable
from pathlib import Path

from groundwire.config import LimitsSection
from groundwire.errors import UnreadableSource
from groundwire.evidence._child_process import parse
from groundwire.evidence._front_matter import front_matter
from groundwire.evidence._markdown import first_heading
from groundwire.evidence._source import Loaded, Readable, decode, load, require_words
from groundwire.model import Document, DocumentFormat, bytes_hash

FORMAT_OF_SUFFIX: dict[str, DocumentFormat] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
_OTHER_OFFICE = {".doc", ".odt", ".rtf", ".ppt", ".pptx", ".xls", ".xlsx", ".pages"}
_SNIFFED_BYTES = 1_024


def read_document(source: Readable, limits: LimitsSection) -> Document:
    """Read a path, `-` or a stream. Nothing larger or slower than `limits` allows is read."""
    return to_document(load(source, limits), limits)


def read_text(source: Readable, limits: LimitsSection) -> str:
    """The text alone, of any supported format."""
    return read_document(source, limits).text


def to_document(loaded: Loaded, limits: LimitsSection) -> Document:
    kind = _format_of(loaded)
    return _READERS[kind](loaded, kind, limits)


def _read_markdown(loaded: Loaded, kind: DocumentFormat, _: LimitsSection) -> Document:
    text = decode(loaded)
    metadata, body_start = front_matter(text)
    require_words(text[body_start:], loaded.name)
    title = metadata.get("title") or metadata.get("dct.title") or first_heading(text, body_start)
    return _document(loaded, kind, text=text, title=title, metadata=metadata, body_start=body_start)


def _read_plain(loaded: Loaded, kind: DocumentFormat, _: LimitsSection) -> Document:
    return _document(loaded, kind, text=decode(loaded))


def _read_parsed(loaded: Loaded, kind: DocumentFormat, limits: LimitsSection) -> Document:
    parsed = parse(kind, loaded.data, loaded.name, limits)
    require_words(parsed.text, loaded.name)
    return _document(
        loaded,
        kind,
        text=parsed.text,
        title=parsed.title or first_heading(parsed.text, 0),
        metadata=parsed.metadata,
        pages=parsed.pages,
    )


_READERS: dict[DocumentFormat, Callable[[Loaded, DocumentFormat, LimitsSection], Document]] = {
    "markdown": _read_markdown,
    "text": _read_plain,
    "html": _read_parsed,
    "pdf": _read_parsed,
    "docx": _read_parsed,
}


def _document(
    loaded: Loaded,
    kind: DocumentFormat,
    *,
    text: str,
    title: str | None = None,
    metadata: dict[str, str] | None = None,
    pages: tuple[int, ...] = (),
    body_start: int = 0,
) -> Document:
    return Document(
        doc_id=Path(loaded.name).as_posix(),
        title=title or Path(loaded.name).stem,
        text=text,
        format=kind,
        metadata=metadata or {},
        pages=pages,
        body_start=body_start,
        sha256=bytes_hash(loaded.data),
    )


def _format_of(loaded: Loaded) -> DocumentFormat:
    """By the name; by the first bytes where the name says nothing."""
    if loaded.suffix in _OTHER_OFFICE:
        raise UnreadableSource(
            f"{loaded.name}: files of type {loaded.suffix} cannot be read.",
            hint="Save it as DOCX, PDF, HTML or text.",
        )
    known = FORMAT_OF_SUFFIX.get(loaded.suffix)
    if known is not None:
        return known
    head = loaded.data[:_SNIFFED_BYTES].lstrip()
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return "docx"
    if head.lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    return "text"
