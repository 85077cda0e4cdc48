"""Bytes from files, standard input and streams: never more than the limit, and only once."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from groundwire.config import LimitsSection
from groundwire.errors import UnreadableSource
from groundwire.evidence._parsed import Unparsable

STANDARD_INPUT = "-"
_STDIN_NAME = "Standard input"
_BYTES_PER_MB = 1_000_000

Readable = str | Path | IO[Any]


@dataclass(frozen=True)
class Loaded:
    """What was read, and the name by which messages call it."""

    name: str
    suffix: str
    data: bytes


def load(source: Readable, limits: LimitsSection) -> Loaded:
    if isinstance(source, str | Path):
        if str(source) == STANDARD_INPUT:
            return Loaded(_STDIN_NAME, "", _bounded(sys.stdin.buffer, _STDIN_NAME, limits))
        return _load_file(Path(source), limits)
    name = str(getattr(source, "name", "the stream"))
    return Loaded(name, Path(name).suffix.lower(), _bounded(source, name, limits))


def decode(data: bytes) -> str:
    """The text of a file that must be UTF-8, character for character, without its byte mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unparsable("is UTF-16", "Save it as UTF-8.")
    if b"\0" in data:
        raise Unparsable("is binary, not text", f"Groundwire reads {FORMATS}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unparsable(
            f"is not UTF-8 text (line {line}, byte {error.start})",
            "Save it as UTF-8, for example with: iconv -f WINDOWS-1252 -t UTF-8 FILE",
        ) from error


def require_words(text: str, name: str) -> None:
    if not text.strip():
        raise UnreadableSource(f"{name} is empty.", hint="There is nothing in it to read.")


FORMATS = (
    "Markdown, text, reStructuredText, AsciiDoc, Org, HTML, PDF, DOCX, XLSX, PPTX, CSV, TSV, JSON, "
    "notebooks and e-mail"
)


def _load_file(path: Path, limits: LimitsSection) -> Loaded:
    try:
        if path.is_dir():
            raise UnreadableSource(f"{path} is a folder.", hint="Name the files in it.")
        size = path.stat().st_size
        if size > limits.max_file_mb * _BYTES_PER_MB:
            raise _too_large(str(path), limits)
        with path.open("rb") as stream:
            data = _bounded(stream, str(path), limits)
    except FileNotFoundError as error:
        raise UnreadableSource(f"{path} does not exist.", hint="Check the path.") from error
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise UnreadableSource(f"{path} cannot be read: {problem}.") from error
    return Loaded(str(path), path.suffix.lower(), data)


def _bounded(stream: IO[Any], name: str, limits: LimitsSection) -> bytes:
    """Devices and pipes have no size to ask for, so reading stops one byte past the limit."""
    most = int(limits.max_file_mb * _BYTES_PER_MB)
    pieces: list[bytes] = []
    left = most + 1
    while left > 0:
        piece = stream.read(min(left, 1 << 20))
        if not piece:
            break
        pieces.append(piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece)
        left -= len(pieces[-1])
    if left <= 0:
        raise _too_large(name, limits)
    return b"".join(pieces)


def _too_large(name: str, limits: LimitsSection) -> UnreadableSource:
    return UnreadableSource(
        f"{name} is larger than {limits.max_file_mb:g} MB.",
        hint="Split it, or raise limits.max_file_mb.",
    )
