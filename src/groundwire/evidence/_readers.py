"""Which files a user means, and which reader opens each."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.config import LimitsSection
from groundwire.errors import UnreadableSource
from groundwire.evidence._child_process import parse
from groundwire.evidence._front_matter import front_matter
from groundwire.evidence._sections import first_heading
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


_LEFT_OUT = {"node_modules", "__pycache__"}


@dataclass(frozen=True)
class Found:
    """A file to index, and its path from the folder that was named, that folder included."""

    path: Path
    place: str


def find_files(roots: Sequence[Path]) -> Iterator[Found]:
    """Named files, and every file of a readable format in named folders, in a fixed order."""
    seen: set[Path] = set()
    for root in roots:
        for found in _in_root(root):
            if found.path not in seen:
                seen.add(found.path)
                yield found


def _in_root(root: Path) -> Iterator[Found]:
    try:
        resolved = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UnreadableSource(f"{root} does not exist.", hint="Check the path.") from error
    if resolved.is_file():
        yield Found(resolved, resolved.name)
        return
    for path in _walk(resolved):
        yield Found(path, f"{resolved.name}/{path.relative_to(resolved).as_posix()}")


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        for name in sorted(names):
            path = Path(place, name)
            readable = path.suffix.lower() in FORMAT_OF_SUFFIX and not _is_left_out(name)
            if readable and _stays_inside(path, folder):
                yield path


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT


def _stays_inside(path: Path, folder: Path) -> bool:
    """A link in a folder of documents must not pull in files from elsewhere."""
    try:
        return path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(folder))
    except (OSError, RuntimeError):
        return False
