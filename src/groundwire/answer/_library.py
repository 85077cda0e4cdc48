"""The library of what is indexed, and what was found in it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os.path import normpath
from pathlib import PurePath
from threading import Lock
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.evidence import Index, IndexedDocument, StatedStatus, by_key, listed, state_of
from groundwire.model import (
    AnswerReason,
    AnswerSource,
    Document,
    DocumentKey,
    DocumentState,
    EvidenceBundle,
    FieldRole,
    Mode,
    RegistryEntry,
    Suggestion,
)
from groundwire.text import plural as plural_of

Place = Literal["own", "approval", "registry"]
"""Where a thing must be stated: by the document, by its approval record, by a registry."""


@dataclass
class _Read:
    generation: int
    documents: list[IndexedDocument]
    registry: list[tuple[str, RegistryEntry]]
    by_id: dict[str, IndexedDocument] = field(init=False)
    by_key: dict[DocumentKey, list[IndexedDocument]] = field(init=False)
    by_path: dict[str, IndexedDocument] = field(init=False)
    people: frozenset[str] = field(init=False)
    replacing: dict[str, list[IndexedDocument]] = field(init=False)
    """By the id of a document those that say they supersede it."""

    def __post_init__(self) -> None:
        self.by_id = {one.doc_id: one for one in self.documents}
        self.by_key = by_key(self.documents)
        self.by_path = {one.path: one for one in self.documents}
        self.people = frozenset(_people(self.documents, self.registry))
        self.replacing = defaultdict(list)
        for new in self.documents:
            for key in new.identity.supersedes:
                for old in self.find(key, new):
                    self.replacing[old.doc_id].append(new)

    def find(self, key: DocumentKey, near: IndexedDocument | None) -> list[IndexedDocument]:
        found = self.by_key.get(key, [])
        if near is None or len(found) <= 1:
            return list(found)
        folder = PurePath(near.path).parent
        beside = [one for one in found if PurePath(one.path).parent == folder]
        return beside if len(beside) == 1 else list(found)


NOT_APART = "Records that share a file are not read apart: give each a file of its own."


class Library:
    """What is indexed, and what the documents say of themselves and of each other."""

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

    def numbered(self) -> set[str]:
        """Collections whose documents bear numbers."""
        return {key.doc_type for key in self._now().by_key}

    def by_id(self, doc_id: str) -> IndexedDocument | None:
        return self._now().by_id.get(doc_id)

    def people(self) -> frozenset[str]:
        """Everybody a document or a registry names."""
        return self._now().people

    def find(self, key: DocumentKey, near: IndexedDocument | None = None) -> list[IndexedDocument]:
        """Those with a number; where series share it, the one beside the document that names it."""
        return self._now().find(key, near)

    def registry(self) -> list[tuple[str, RegistryEntry]]:
        return self._now().registry

    def registered(self, key: DocumentKey) -> list[tuple[str, RegistryEntry]]:
        """What registries say of a document, whether or not it is there."""
        return [(doc_id, entry) for doc_id, entry in self.registry() if entry.key == key]

    def entries(self, document: IndexedDocument) -> list[tuple[str, RegistryEntry]]:
        """What registries say of a document that is there."""
        key = document.identity.key
        if key is None or not self.registry():
            return []
        return [
            (registry, entry)
            for registry, entry in self.registered(key)
            if document in self._listed(registry, entry)
        ]

    def _listed(self, registry: str, entry: RegistryEntry) -> list[IndexedDocument]:
        listing = self.by_id(registry)
        linked = []
        if listing is not None and entry.target is not None:
            path = normpath(PurePath(listing.path).parent / entry.target)
            linked = [one for one in [self._now().by_path.get(path)] if one]
        return linked or (listed(listing, entry, self.find(entry.key)) if listing else [])

    def cited_row(self, registry: str, entry: RegistryEntry) -> AnswerSource:
        """A row of a registry without the bars around it."""
        where = self._now().by_id[registry]
        text = self.text(where)
        row = text.text[entry.start : entry.end] if text else ""
        bare = row.strip().strip("|").strip()
        return cited(where, bare, entry.start + row.find(bare))

    def absent(self, collections: Sequence[str]) -> list[tuple[str, RegistryEntry]]:
        """Documents of these collections that a registry lists and the corpus does not have."""
        listed = {entry.key: (registry, entry) for registry, entry in self.registry()}
        return [
            found
            for key, found in listed.items()
            if key.doc_type in collections and not self.find(key)
        ]

    def family(
        self, document: IndexedDocument, place: Place | None = None
    ) -> list[IndexedDocument]:
        """The document and the record of its approval, which states what it does not; or which
        of the two a question names as the place."""
        key = document.identity.key
        found = [document]
        if key is not None:
            approval = DocumentKey(doc_type=key.doc_type + "_approval", number=key.number)
            found += self.find(approval, document)[:1]
        heard = {"own": found[:1], "approval": found[1:], "registry": []}
        return heard[place] if place else found

    def statuses(self, document: IndexedDocument, place: Place | None = None) -> list[StatedStatus]:
        """What is said of its status: by itself, by its approval record, by registries."""
        said = [(one.doc_id, one.identity.status) for one in self.family(document, place)]
        if place in (None, "registry"):
            said += [(registry, entry.status) for registry, entry in self.entries(document)]
        return [StatedStatus(doc_id=doc_id, status=status) for doc_id, status in said if status]

    def disagreement(self, document: IndexedDocument) -> list[StatedStatus]:
        """All that is said of its status, where that is not one state."""
        said = self.statuses(document)
        states = {state_of(one.status) for one in said}
        return said if len(states) > 1 else []

    def successors(self, document: IndexedDocument) -> list[DocumentKey]:
        """What replaces it, as it or its successor says; a mere proposal replaces nothing."""
        later = [
            one.identity.key
            for one in self._replacing(document)
            if one.identity.key and one.identity.state not in (*_NOT_YET, *_NEVER)
        ]
        return list(dict.fromkeys([*document.identity.superseded_by, *later]))

    def would_be_successors(self, document: IndexedDocument) -> list[IndexedDocument]:
        """Those that are to replace it once they are decided."""
        known = self.successors(document)
        return [
            one
            for one in self._replacing(document)
            if one.identity.state in _NOT_YET and one.identity.key not in known
        ]

    def _replacing(self, document: IndexedDocument) -> list[IndexedDocument]:
        said = self._now().replacing.get(document.doc_id, [])
        return [one for one in said if one != document]

    def is_superseded(self, document: IndexedDocument) -> bool:
        """Whoever says so: it or its successor."""
        return document.identity.state == "superseded" or bool(self.successors(document))

    def predecessors(self, document: IndexedDocument) -> list[DocumentKey]:
        own = list(document.identity.supersedes)
        earlier = [
            one.identity.key
            for one in self.documents
            if one.identity.key
            and any(document in self.find(key, one) for key in one.identity.superseded_by)
        ]
        return list(dict.fromkeys([*own, *earlier]))

    def naming(self, key: DocumentKey, role: FieldRole) -> list[IndexedDocument]:
        """Those that name a document, which need not be here, as what this role says."""
        return [one for one in self.documents if key in _related(one)[role]]

    def living_end(self, document: IndexedDocument) -> list[IndexedDocument]:
        """Where following the successors ends; the document itself where it has none here."""
        ends: dict[str, IndexedDocument] = {}
        seen: set[str] = set()
        open_ones = [document]
        while open_ones:
            one = open_ones.pop()
            if one.doc_id in seen:
                continue
            seen.add(one.doc_id)
            later = [new for key in self.successors(one) for new in self.find(key, one)[:1]]
            open_ones += later
            if not later:
                ends[one.doc_id] = one
        return [ends[doc_id] for doc_id in sorted(ends)]

    def text(self, document: IndexedDocument) -> Document | None:
        return self.index.document(document.doc_id)

    def refresh(self) -> None:
        """Once for each question: whether any process has written since is asked of the index."""
        generation = self.index.generation()
        with self._lock:
            if self._read is None or self._read.generation != generation:
                self._read = _Read(generation, self.index.documents(), self.index.registry())

    def _now(self) -> _Read:
        if self._read is None:
            self.refresh()
        assert self._read is not None  # noqa: S101 - it was just read
        return self._read


def _people(
    documents: Iterable[IndexedDocument], registry: Iterable[tuple[str, RegistryEntry]]
) -> Iterator[str]:
    """Groups also without the department before them: "Sales - Data Office"."""
    said = {name for one in documents for stated in one.identity.fields for name in stated.names}
    said |= {entry.owner for _, entry in registry if entry.owner}
    for name in said:
        yield from (name, *name.split(" - "))


def _related(document: IndexedDocument) -> dict[FieldRole, tuple[DocumentKey, ...]]:
    identity = document.identity
    return {
        "superseded_by": identity.superseded_by,
        "supersedes": identity.supersedes,
        "requires": identity.requires,
    }


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
    `is_stated`: read from what documents state of themselves, so that no search could weaken it.
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
    is_stated: bool = False


def with_markers(quotes: Sequence[str], first: int = 1) -> str:
    """Each quote on a line of its own, with the number of its source."""
    return "\n".join(f"{quote} [{number}]" for number, quote in enumerate(quotes, start=first))


_SHORT = 3
"""Names up to this long are abbreviations: ADR."""
# such as "ADR.12 " of "ADR.12 Use CIM", "RFC 0042 - " of "RFC 0042 - Rate limits"
_LEADING_LABEL = lazy_pattern(
    r"(?:[A-Za-z]{2,20}[ .#_-]{0,2})?(?P<number>\d{1,6})[A-Z]?(?:[.:)]?\s+|\s*[-–—:]\s+)[-–—]?\s*"
)


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


_SAID: dict[DocumentState, str] = {
    "proposed": "is proposed, not decided",
    "draft": "is a draft",
    "rejected": "is rejected",
    "deprecated": "is deprecated",
    "abandoned": "is abandoned",
    "archived": "is archived",
}
_NOT_YET: tuple[DocumentState, ...] = ("proposed", "draft")
_NEVER: tuple[DocumentState, ...] = ("rejected", "abandoned")
NOT_IN_FORCE: tuple[DocumentState, ...] = (
    "superseded",
    "deprecated",
    "rejected",
    "abandoned",
    "archived",
)


def notes(library: Library, documents: Iterable[IndexedDocument]) -> list[str]:
    """Each once, in the order of the documents."""
    return list(dict.fromkeys(note for one in documents for note in _notes(library, one)))


def _notes(library: Library, document: IndexedDocument) -> Iterator[str]:
    name = short_name(document)
    differing = library.disagreement(document)
    wording = document.identity.status
    if library.is_superseded(document):
        yield f"{name} is superseded{_successors(library, document)}."
    elif differing:
        yield f"The status of {name} is stated differently: {stated_apart(differing)}."
    elif document.identity.state in _SAID:
        said = _SAID[document.identity.state]
        yield f"{name} {said if wording in (None, *said.split()) else f'is {wording}'}."
    for one in library.would_be_successors(document):
        yield f"{name} would be superseded by {document_name(one)}, which is not decided."
    if document.identity.is_stub:
        yield f"{name} is a stub with hardly any text."


def stated_apart(said: Iterable[StatedStatus]) -> str:
    return ", ".join(f"“{one.status}” in {one.doc_id}" for one in said)


def _successors(library: Library, document: IndexedDocument) -> str:
    """By what, and what holds today where that is replaced as well."""
    named = []
    keys = library.successors(document)
    for key in keys:
        found = library.find(key, document)
        named.append(document_name(found[0]) if found else f"{key_name(key)}, which is not here")
    ends = [one for one in library.living_end(document) if one.identity.key not in keys]
    ends = [one for one in ends if one != document]
    today = f"; today holds {', '.join(map(document_name, ends))}" if ends else ""
    return f" by {', '.join(named)}{today}" if named else ""
