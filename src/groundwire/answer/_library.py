"""The documents of an index, their registry and their words, read once per change of the index."""

from collections import defaultdict
from dataclasses import dataclass, field
from threading import Lock

from groundwire.evidence import Index, IndexedDocument, StatedStatus, stated_statuses
from groundwire.model import AnswerSource, Document, DocumentKey, RegistryEntry


@dataclass
class _Read:
    generation: int
    documents: list[IndexedDocument]
    registry: list[tuple[str, RegistryEntry]]
    by_id: dict[str, IndexedDocument] = field(init=False)
    by_key: dict[DocumentKey, list[IndexedDocument]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {one.doc_id: one for one in self.documents}
        self.by_key = defaultdict(list)
        for one in self.documents:
            if one.identity.key is not None:
                self.by_key[one.identity.key].append(one)


class Library:
    def __init__(self, index: Index) -> None:
        self.index = index
        self._lock = Lock()
        self._read: _Read | None = None

    @property
    def documents(self) -> list[IndexedDocument]:
        """All of them, always in the same order: by type, number, then name."""
        return self._now().documents

    def collections(self) -> dict[str, int]:
        counts: dict[str, int] = defaultdict(int)
        for one in self.documents:
            counts[one.identity.doc_type] += 1
        return dict(counts)

    def by_id(self, doc_id: str) -> IndexedDocument | None:
        return self._now().by_id.get(doc_id)

    def find(self, key: DocumentKey) -> list[IndexedDocument]:
        return list(self._now().by_key.get(key, ()))

    def registry(self) -> list[tuple[str, RegistryEntry]]:
        return self._now().registry

    def registered(self, key: DocumentKey) -> list[tuple[str, RegistryEntry]]:
        """What registries say of a document, whether or not it is there."""
        return [(doc_id, entry) for doc_id, entry in self.registry() if entry.key == key]

    def absent(self, collection: str) -> list[RegistryEntry]:
        """Documents of a collection that a registry lists and the corpus does not have."""
        listed = {entry.key: entry for _, entry in self.registry()}
        return [
            entry
            for key, entry in listed.items()
            if key.doc_type == collection and not self.find(key)
        ]

    def statuses(self, document: IndexedDocument) -> list[StatedStatus]:
        """What is said of its status, by itself first; only its own where its number is shared."""
        key = document.identity.key
        if key is None or len(self.find(key)) > 1:
            own = document.identity.status
            return [StatedStatus(doc_id=document.doc_id, status=own)] if own else []
        return stated_statuses(self, key)

    def text(self, document: IndexedDocument) -> Document | None:
        return self.index.document(document.doc_id)

    def _now(self) -> _Read:
        generation = self.index.generation()
        with self._lock:
            if self._read is None or self._read.generation != generation:
                self._read = _Read(generation, self.index.documents(), self.index.registry())
            return self._read


def cited(document: IndexedDocument, quote: str, start: int) -> AnswerSource:
    return AnswerSource(
        doc_type=document.identity.doc_type,
        doc_id=document.doc_id,
        title=document.title,
        quote=quote,
        start=start,
        end=start + len(quote),
        number=document.identity.number,
        status=document.identity.status,
    )
