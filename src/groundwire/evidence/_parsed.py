"""What a reader of documents is and makes; which one opens files of which suffix."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field

from groundwire._patterns import lazy_pattern
from groundwire._registry import Registry


class Unparsable(Exception):
    """The file cannot become text: the first argument says why, the second what to do."""


@dataclass
class Parsed:
    """What a reader makes of a file. `text` is Markdown, or plain where the format is `text`;
    `pages` are the offsets where pages begin, `body_start` is where front matter ends; `places`
    are offsets with the name of what begins there ("row 12", "slide 3"). What of the file is not
    read stands in `metadata` under `unread`."""

    text: str
    title: str | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    pages: tuple[int, ...] = ()
    body_start: int = 0
    places: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Bounds:
    """How much one file may unfold to."""

    max_chars: int
    max_pages: int
    max_bytes: int


@dataclass(frozen=True)
class DocumentReader:
    """What stands in the registry of readers (entry points `groundwire.readers`).

    `parse` raises `Unparsable` for a file it cannot read. It runs in a process of its own, which
    is stopped when it takes too long or too much memory, unless `isolated` is false.
    """

    format: str
    parse: Callable[[bytes, Bounds], Parsed]
    isolated: bool = True


READERS = Registry[DocumentReader](
    "groundwire.readers",
    "document reader",
    {
        "md": "groundwire.evidence._readers:MARKDOWN",
        "markdown": "groundwire.evidence._readers:MARKDOWN",
        "txt": "groundwire.evidence._readers:TEXT",
        "text": "groundwire.evidence._readers:TEXT",
        "html": "groundwire.evidence._html:READER",
        "htm": "groundwire.evidence._html:READER",
        "xhtml": "groundwire.evidence._html:READER",
        "pdf": "groundwire.evidence._pdf:READER",
        "docx": "groundwire.evidence._docx:READER",
        "rst": "groundwire.evidence._markup:RST",
        "adoc": "groundwire.evidence._markup:ADOC",
        "asciidoc": "groundwire.evidence._markup:ADOC",
        "org": "groundwire.evidence._markup:ORG",
        "csv": "groundwire.evidence._data:CSV",
        "tsv": "groundwire.evidence._data:TSV",
        "json": "groundwire.evidence._data:JSON",
        "ipynb": "groundwire.evidence._messages:NOTEBOOK",
        "eml": "groundwire.evidence._messages:EMAIL",
        "xlsx": "groundwire.evidence._office:XLSX",
        "pptx": "groundwire.evidence._office:PPTX",
    },
    DocumentReader,
)
"""By the suffix of a file, without its dot."""


# such as "\x02" and "\x7f"; tabs and line breaks are kept
_CONTROL = lazy_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def without_controls(text: str) -> str:
    """Nobody sees them, and in a terminal they do harm."""
    return _CONTROL.sub(lambda sign: " " if sign[0].isspace() else "", text)


class Pieces:
    """Text that grows only up to the bound, without control characters."""

    def __init__(self, bounds: Bounds) -> None:
        self._pieces: list[str] = []
        self._most = bounds.max_chars
        self.length = 0

    def add(self, piece: str) -> None:
        piece = without_controls(piece)
        self.length += len(piece)
        if self.length > self._most:
            raise Unparsable(
                f"holds more than {self._most:,} characters of text",
                "Split it, or raise limits.max_document_chars.",
            )
        self._pieces.append(piece)

    def text(self) -> str:
        return "".join(self._pieces)


_MAX_PARTS = 10_000


def refuse_bombs(data: bytes, bounds: Bounds, kind: str) -> None:
    """`zipfile` unpacks no more of an entry than its directory declares, so the sum holds."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise Unparsable(f"is not {kind}", "Save it again.") from error
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > _MAX_PARTS or unpacked > bounds.max_bytes:
        raise Unparsable(
            f"unpacks to {unpacked / 1e6:,.0f} MB in {len(parts):,} parts",
            "Remove its pictures, or raise limits.max_file_mb.",
        )
