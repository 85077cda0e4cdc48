"""The library of what is indexed, and what was found in it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock

from groundwire.evidence import Index, IndexedDocument, StatedStatus, by_key, stated_statuses
from groundwire.model import (
    AnswerReason,
    AnswerSource,
    Document,
    DocumentKey,
    EvidenceBundle,
    Mode,
    RegistryEntry,
    Suggestion,
)
from groundwire.text import plural as plural_of


@dataclass
class _Read:
    generation: int
    documents: list[IndexedDocument]
    registry: list[tuple[str, RegistryEntry]]
    by_id: dict[str, IndexedDocument] = field(init=False)
    by_key: dict[DocumentKey, list[IndexedDocument]] = field(init=False)

    def __post_init__(self) -> None:
        self.by_id = {one.doc_id: one for one in self.documents}
        self.by_key = by_key(self.documents)


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
        return dict(Counter(one.identity.doc_type for one in self.documents))

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


@dataclass(frozen=True)
class Finding:
    """`base_score` is the confidence before a fallback is taken into account.

    `evidence` is what a language model may draft from; empty where nothing is to be drafted.
    """

    mode: Mode
    message: str
    base_score: float = 0.0
    text: str | None = None
    sources: tuple[AnswerSource, ...] = ()
    reason: AnswerReason | None = None
    observations: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    next_step: str | None = None
    coverage: dict[str, int | float] | None = None
    evidence: tuple[EvidenceBundle, ...] = ()
    drafted_by: str | None = None


def with_markers(quotes: Sequence[str], first: int = 1) -> str:
    """Each quote on a line of its own, with the number of its source."""
    return "\n".join(f"{quote} [{number}]" for number, quote in enumerate(quotes, start=first))


_SHORT = 3
"""Names up to this long are abbreviations: ADR."""
# such as "ADR.12 " of "ADR.12 Use CIM"
_LEADING_LABEL = re.compile(r"(?:[A-Za-z]{2,20}[ .#_-]{0,2})?(?P<number>\d{1,6})[A-Z]?[.:)]?\s+")


def type_name(doc_type: str) -> str:
    words = doc_type.replace("_", " ")
    first, _, rest = words.partition(" ")
    head = first.upper() if len(first) <= _SHORT else first.capitalize()
    return f"{head} {rest}" if rest else head


def key_name(key: DocumentKey) -> str:
    return f"{type_name(key.doc_type)} {key.number}"


def plural(doc_type: str, count: int) -> str:
    """`26 ADRs`, `1 policy`, `8 policies`."""
    name = type_name(doc_type)
    name = name if name.split()[0].isupper() else name.lower()
    return f"{count} {name if count == 1 else plural_of(name)}"


def bare_title(title: str, number: int | None) -> str:
    """Without the label that stands in front: `ADR.12 Use CIM` is `Use CIM`."""
    match = _LEADING_LABEL.match(title)
    if match and number is not None and int(match["number"]) == number:
        return title[match.end() :] or title
    return title


def document_name(document: IndexedDocument) -> str:
    """`ADR 12 “Use CIM”`, or the title alone where there is no number."""
    identity = document.identity
    title = bare_title(document.title, identity.number)
    return f"{key_name(identity.key)} “{title}”" if identity.key else f"“{title}”"


def short_name(document: IndexedDocument) -> str:
    key = document.identity.key
    return key_name(key) if key else f"“{document.title}”"


_SAID = {
    "proposed": "is proposed, not decided",
    "draft": "is a draft",
    "rejected": "is rejected",
    "deprecated": "is deprecated",
    "withdrawn": "is withdrawn",
}
NOT_IN_FORCE = ("superseded", "deprecated", "rejected", "withdrawn")


def notes(library: Library, documents: Iterable[IndexedDocument]) -> list[str]:
    """Each once, in the order of the documents."""
    return list(dict.fromkeys(note for one in documents for note in _notes(library, one)))


def is_superseded(document: IndexedDocument) -> bool:
    return document.identity.status == "superseded" or bool(document.identity.superseded_by)


def _notes(library: Library, document: IndexedDocument) -> Iterator[str]:
    name = short_name(document)
    stated = library.statuses(document)
    if is_superseded(document):
        yield f"{name} is superseded{_successors(library, document)}."
    elif len({one.status for one in stated}) > 1:
        said = ", ".join(f"“{one.status}” in {one.doc_id}" for one in stated)
        yield f"The status of {name} is stated differently: {said}."
    elif document.identity.status in _SAID:
        yield f"{name} {_SAID[document.identity.status]}."
    if document.identity.is_stub:
        yield f"{name} is a stub with hardly any text."


def _successors(library: Library, document: IndexedDocument) -> str:
    named = []
    for key in document.identity.superseded_by:
        found = library.find(key)
        named.append(document_name(found[0]) if found else f"{key_name(key)}, which is not here")
    return f" by {', '.join(named)}" if named else ""
