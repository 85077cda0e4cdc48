"""The first pass: files become documents and passages, searchable by their words at once."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.config import EvidenceSection, LimitsSection
from groundwire.errors import MissingExtra, UnreadableSource
from groundwire.evidence._files import Found, find_files
from groundwire.evidence._identity import Identifier
from groundwire.evidence._index import Index
from groundwire.evidence._passages import passages
from groundwire.evidence._readers import to_document
from groundwire.evidence._registry import registry_entries
from groundwire.evidence._source import load
from groundwire.model import Model, bytes_hash, content_hash

Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many."""


class Refused(Model):
    """A file that is not in the index, and why."""

    path: str
    message: str
    hint: str | None = None


class IndexReport(Model):
    added: int
    updated: int
    unchanged: int
    removed: int
    refused: tuple[Refused, ...]
    documents: int
    passages: int
    collections: dict[str, int]


@dataclass
class _Counts:
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0


class Indexer:
    """Brings an index up to date with files: what is unchanged is left alone."""

    def __init__(
        self,
        index: Index,
        settings: EvidenceSection,
        limits: LimitsSection,
        *,
        collection: str | None = None,
    ) -> None:
        self._index = index
        self._settings = settings
        self._limits = limits
        self._collection = collection
        self._identifier = Identifier(settings)
        self._fingerprint = _fingerprint(settings, collection)

    def run(self, roots: Sequence[Path], progress: Progress | None = None) -> IndexReport:
        files = list(find_files(roots))
        counts = _Counts()
        refused: list[Refused] = []
        for done, found in enumerate(files, start=1):
            try:
                self._take_in(found, counts)
            except (UnreadableSource, MissingExtra) as error:
                counts.removed += self._index.remove(str(found.path))
                refused.append(
                    Refused(path=str(found.path), message=error.message, hint=error.hint)
                )
            if progress is not None:
                progress(done, len(files))
        counts.removed += self._remove_vanished(roots, {str(found.path) for found in files})
        return IndexReport(
            added=counts.added,
            updated=counts.updated,
            unchanged=counts.unchanged,
            removed=counts.removed,
            refused=tuple(refused),
            documents=sum(self._index.collections().values()),
            passages=self._index.passage_count(),
            collections=self._index.collections(),
        )

    def _take_in(self, found: Found, counts: _Counts) -> None:
        loaded = load(found.path, self._limits)
        path = str(found.path)
        if self._index.is_current(path, bytes_hash(loaded.data), self._fingerprint):
            counts.unchanged += 1
            return
        document = to_document(loaded, self._limits).model_copy(update={"doc_id": found.place})
        identity = self._identifier.identify(document, found.place, collection=self._collection)
        is_registry = identity.doc_type == "registry"
        is_new = self._index.put(
            document,
            identity,
            passages(document),
            registry_entries(document, self._settings) if is_registry else (),
            path=path,
            fingerprint=self._fingerprint,
        )
        counts.added += is_new
        counts.updated += not is_new

    def _remove_vanished(self, roots: Sequence[Path], seen: set[str]) -> int:
        folders = [root.resolve() for root in roots if root.is_dir()]
        vanished = [
            path
            for path in self._index.paths()
            if path not in seen and any(Path(path).is_relative_to(folder) for folder in folders)
        ]
        return sum(self._index.remove(path) for path in vanished)


def _fingerprint(settings: EvidenceSection, collection: str | None) -> str:
    """Documents are read again when the settings that sort them change."""
    sorting = [settings.collections, settings.prefixes, collection]
    return content_hash(json.dumps(sorting, sort_keys=True))[:16]
