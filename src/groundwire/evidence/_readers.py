"""Which files a user means, and which reader opens each."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundwire.config import LimitsSection
from groundwire.errors import ConfigError, UnreadableSource
from groundwire.evidence._child_process import bounds_of, parse
from groundwire.evidence._parsed import READERS, Bounds, DocumentReader, Parsed, Unparsable
from groundwire.evidence._sections import first_heading, front_matter, header
from groundwire.evidence._source import Loaded, Readable, decode, load, require_words
from groundwire.model import Document, bytes_hash

_OTHER_OFFICE = {"doc", "odt", "ods", "odp", "rtf", "ppt", "xls", "pages", "numbers", "key", "msg"}
_SNIFFED_BYTES = 1_024
_DATA_HEAD_BYTES = 8_192
_SECTIONS = frozenset(
    "summary abstract introduction context overview background motivation status".split()
)
"""Headings that name a part of a document, and no document."""


def _parse_markdown(data: bytes, _: Bounds) -> Parsed:
    text = decode(data)
    metadata, body_start = front_matter(text)
    if not metadata:
        metadata, body_start = header(text)
    title = metadata.get("title") or metadata.get("dct.title")
    return Parsed(text, title=title, metadata=metadata, body_start=body_start)


def _parse_text(data: bytes, _: Bounds) -> Parsed:
    text = decode(data)
    metadata, body_start = header(text)
    return Parsed(text, title=metadata.get("title"), metadata=metadata, body_start=body_start)


MARKDOWN = DocumentReader("markdown", _parse_markdown, isolated=False)
TEXT = DocumentReader("text", _parse_text, isolated=False)


def read_document(source: Readable, limits: LimitsSection) -> Document:
    """Read a path, `-` or a stream. Nothing larger or slower than `limits` allows is read."""
    return to_document(load(source, limits), limits)


def read_text(source: Readable, limits: LimitsSection) -> str:
    """The text alone, of any supported format."""
    return read_document(source, limits).text


def read_plain(source: Readable, limits: LimitsSection) -> str:
    """The characters of a text file, whatever its name says of its format."""
    return to_document(replace(load(source, limits), suffix=".txt"), limits).text


def to_document(loaded: Loaded, limits: LimitsSection) -> Document:
    name = _reader_of(loaded)
    try:
        reader = READERS.get(name)
        parsed = (
            parse(name, loaded.data, loaded.name, limits)
            if reader.isolated
            else reader.parse(loaded.data, bounds_of(limits))
        )
    except Unparsable as error:
        problem, hint = error.args
        raise UnreadableSource(f"{loaded.name} {problem}.", hint=hint) from error
    except ConfigError as error:
        raise UnreadableSource(
            f"{loaded.name} cannot be read. {error.message}", hint=error.hint
        ) from error
    require_words(parsed.text[parsed.body_start :], loaded.name)
    heading = first_heading(parsed.text, parsed.body_start) if reader.format != "text" else None
    if heading is not None and heading.strip(" :").lower() in _SECTIONS:
        heading = None  # a record without a title begins with its first section
    return Document(
        doc_id=Path(loaded.name).as_posix(),
        title=_title(parsed.title, heading) or Path(loaded.name).stem,
        text=parsed.text,
        format=reader.format,
        metadata=parsed.metadata,
        pages=parsed.pages,
        places=parsed.places
        or tuple((start, f"page {number}") for number, start in enumerate(parsed.pages, start=1)),
        body_start=parsed.body_start,
        sha256=bytes_hash(loaded.data),
    )


def _title(stated: str | None, heading: str | None) -> str | None:
    """What is stated; of "ADR 12: Traces - Wiki", where the page names its site, the heading."""
    return heading if stated and heading and stated.startswith(f"{heading} ") else stated or heading


def _reader_of(loaded: Loaded) -> str:
    """By the name; by the first bytes where the name says nothing."""
    suffix = loaded.suffix.removeprefix(".")
    if suffix in READERS:
        return suffix
    if suffix in _OTHER_OFFICE:
        raise UnreadableSource(
            f"{loaded.name}: files of type {loaded.suffix} cannot be read.",
            hint="Save it as DOCX, XLSX, PPTX, PDF, HTML or text.",
        )
    head = loaded.data[:_SNIFFED_BYTES].lstrip()
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _office_kind(loaded.data)
    if head.lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    return "txt"


def _office_kind(data: bytes) -> str:
    """A ZIP file names its parts: those of a workbook stand in "xl/"."""
    return "xlsx" if b"xl/workbook.xml" in data else "pptx" if b"ppt/slides/" in data else "docx"


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


def find_unread(roots: Sequence[Path]) -> Iterator[Found]:
    """Files in named folders that hold documents in a format nobody here reads."""
    for found in _in_folders(roots):
        suffix = found.path.suffix[1:].lower()
        if suffix in _OTHER_OFFICE and suffix not in READERS:
            yield found


_DATA = frozenset({".yaml", ".yml"})
# what the data of a record states at least, each on a line of its own: "title: …", "status: …"
_OF_RECORD = (re.compile(rb"(?m)^title:[ \t]*\S"), re.compile(rb"(?m)^status:[ \t]*\S"))


def find_data(roots: Sequence[Path]) -> Iterator[Found]:
    """Files that state in YAML what a record beside them is: `kep.yaml` beside its README."""
    for found in _in_folders(roots):
        path = found.path
        if path.suffix.lower() in _DATA and path.is_file() and _is_of_record(path):
            yield found


def _is_of_record(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_DATA_HEAD_BYTES)
    except OSError:
        return False
    return all(key.search(head) for key in _OF_RECORD)


def _in_root(root: Path) -> Iterator[Found]:
    try:
        resolved = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UnreadableSource(f"{root} does not exist.", hint="Check the path.") from error
    if resolved.is_file():
        yield Found(resolved, resolved.name)
        return
    for found in _files_in(resolved):
        if found.path.suffix[1:].lower() in READERS and _stays_inside(found.path, resolved):
            yield found


def _in_folders(roots: Sequence[Path]) -> Iterator[Found]:
    """Every file of those that are folders."""
    for folder in (root.resolve() for root in roots):
        if folder.is_dir():
            yield from _files_in(folder)


def _files_in(folder: Path) -> Iterator[Found]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        for name in sorted(name for name in names if not _is_left_out(name)):
            path = Path(place, name)
            yield Found(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT


def _stays_inside(path: Path, folder: Path) -> bool:
    """A link in a folder of documents must not pull in files from elsewhere."""
    try:
        return path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(folder))
    except (OSError, RuntimeError):
        return False
