"""What a fact rests on: texts as they were given, and files that may change afterwards."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from sqlite3 import Row

from groundwire.config import LimitsSection
from groundwire.errors import UnreadableSource
from groundwire.evidence import read_document
from groundwire.model import Document, EvidenceBundle, bytes_hash, content_hash
from groundwire.verify import GivenEvidence, evidence_of

Piece = str | Path | Document | EvidenceBundle
GivenSources = GivenEvidence | Path | Sequence[Piece]
"""As evidence is given anywhere, and files besides: they are read again when they change."""


@dataclass(frozen=True)
class Source:
    """A piece of evidence, and the file it was read from, as that was then."""

    bundle: EvidenceBundle
    path: str | None = None
    file_sha256: str | None = None
    file_stat: str | None = None

    @property
    def text(self) -> str:
        return f"{self.bundle.source.doc_id} {self.bundle.source.title} {self.bundle.content}"

    @property
    def key(self) -> str:
        """The same text of the same document is kept once, however many facts rest on it."""
        place = (self.bundle.source.doc_id, self.path, self.bundle.location.start)
        return content_hash(json.dumps([*place, self.bundle.sha256]))


def names_files(given: GivenSources) -> bool:
    if isinstance(given, Mapping | str | Document | EvidenceBundle):
        return False
    return isinstance(given, Path) or any(isinstance(one, Path) for one in given)


def read_sources(given: GivenSources, limits: LimitsSection) -> list[Source]:
    if isinstance(given, Mapping | str | Document | EvidenceBundle):
        return [Source(bundle) for bundle in evidence_of(given, limits).bundles]
    pieces = [given] if isinstance(given, Path) else list(given)
    read: list[Source] = []
    for number, piece in enumerate(pieces, start=1):
        if isinstance(piece, Path):
            read.append(_file(piece, limits))
        elif isinstance(piece, str):
            read.append(Source(EvidenceBundle.of(piece, str(number))))
        else:
            read += [Source(bundle) for bundle in evidence_of(piece, limits).bundles]
    return read


def _file(path: Path, limits: LimitsSection) -> Source:
    stat = _stat(path)
    document = read_document(path, limits)
    (bundle,) = evidence_of(document, limits).bundles
    return Source(bundle, str(path.resolve()), document.sha256, stat)


def source_of(row: Row) -> Source:
    bundle = EvidenceBundle.of(
        row["content"], row["doc_id"], title=row["title"], start=row["start"]
    )
    return Source(bundle, row["path"], row["file_sha256"], row["file_stat"])


def read_again(source: Source, limits: LimitsSection) -> Source | None:
    """As its file is now; none where that is gone or cannot be read any more."""
    if source.path is None:
        return source
    try:
        read = _file(Path(source.path), limits)
    except UnreadableSource:
        return None
    named = read.bundle.model_copy(update={"source": source.bundle.source})
    return replace(read, bundle=named)


def has_changed(path: str | None, file_sha256: str | None, file_stat: str | None) -> bool:
    """Size and time first: only a file that may have changed is read."""
    if path is None:
        return False
    stat = _stat(Path(path))
    if stat is not None and stat == file_stat:
        return False
    try:
        return bytes_hash(Path(path).read_bytes()) != file_sha256
    except OSError:
        return True


def _stat(path: Path) -> str | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return f"{stat.st_size} {stat.st_mtime_ns}"
