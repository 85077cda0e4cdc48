"""Is every document who it says it is [S3, Migration invariants]?"""

from collections import defaultdict
from pathlib import Path
from typing import Protocol

from groundwire.evidence._identity import UNNUMBERED_TYPES
from groundwire.evidence._index import Index
from groundwire.evidence._status import APPROVAL_TYPE_SUFFIX
from groundwire.evidence._tables import IndexedDocument
from groundwire.model import DocumentKey, Model, RegistryEntry

UNTYPED = "document"


class StatedStatus(Model):
    """What one document says about the status of another, or of itself."""

    doc_id: str
    status: str


class SharedKey(Model):
    key: DocumentKey
    doc_ids: tuple[str, ...]


class StatusConflict(Model):
    key: DocumentKey
    stated: tuple[StatedStatus, ...]


class DanglingLink(Model):
    registry: str
    key: DocumentKey
    target: str


class OtherNumber(Model):
    doc_id: str
    number: int
    heading_number: int


class IdentityReport(Model):
    """`holds` when every document has a type, and no two the same type and number."""

    holds: bool
    documents: int
    untyped: tuple[str, ...]
    shared: tuple[SharedKey, ...]
    unnumbered: tuple[str, ...]
    other_numbers: tuple[OtherNumber, ...]
    stubs: tuple[str, ...]
    status_conflicts: tuple[StatusConflict, ...]
    dangling: tuple[DanglingLink, ...]


def verify_identity(index: Index) -> IdentityReport:
    documents = index.documents()
    keyed = by_key(documents)
    untyped = tuple(one.doc_id for one in documents if one.identity.doc_type == UNTYPED)
    shared = tuple(
        SharedKey(key=key, doc_ids=tuple(one.doc_id for one in same))
        for key, same in keyed.items()
        if len(same) > 1
    )
    return IdentityReport(
        holds=not untyped and not shared,
        documents=len(documents),
        untyped=untyped,
        shared=shared,
        unnumbered=tuple(one.doc_id for one in documents if _lacks_number(one)),
        other_numbers=tuple(
            OtherNumber(
                doc_id=one.doc_id,
                number=one.identity.number,
                heading_number=one.identity.heading_number,
            )
            for one in documents
            if one.identity.number is not None and one.identity.heading_number is not None
        ),
        stubs=tuple(one.doc_id for one in documents if one.identity.is_stub),
        status_conflicts=_status_conflicts(index, keyed),
        dangling=_dangling(index),
    )


class Corpus(Protocol):
    """Whatever knows the documents and the registries: an index, or what was read from one."""

    def find(self, key: DocumentKey) -> list[IndexedDocument]: ...

    def registry(self) -> list[tuple[str, RegistryEntry]]: ...


def stated_statuses(index: Corpus, key: DocumentKey) -> list[StatedStatus]:
    """What the document, its approval record and the registries say, in this order."""
    approval = DocumentKey(doc_type=key.doc_type + APPROVAL_TYPE_SUFFIX, number=key.number)
    own = [*index.find(key), *index.find(approval)]
    said = [(one.doc_id, one.identity.status) for one in own]
    said += [(registry, entry.status) for registry, entry in index.registry() if entry.key == key]
    return [StatedStatus(doc_id=doc_id, status=status) for doc_id, status in said if status]


def by_key(documents: list[IndexedDocument]) -> dict[DocumentKey, list[IndexedDocument]]:
    found: dict[DocumentKey, list[IndexedDocument]] = defaultdict(list)
    for one in documents:
        if one.identity.key is not None:
            found[one.identity.key].append(one)
    return found


def _lacks_number(one: IndexedDocument) -> bool:
    return one.identity.number is None and one.identity.doc_type not in UNNUMBERED_TYPES


def _status_conflicts(
    index: Index, keyed: dict[DocumentKey, list[IndexedDocument]]
) -> tuple[StatusConflict, ...]:
    """Only where one document bears the number: otherwise it is unclear whose status it is."""
    conflicts = []
    for key, same in keyed.items():
        stated = stated_statuses(index, key) if len(same) == 1 else []
        if len({one.status for one in stated}) > 1:
            conflicts.append(StatusConflict(key=key, stated=tuple(stated)))
    return tuple(conflicts)


def _dangling(index: Index) -> tuple[DanglingLink, ...]:
    paths = {one.doc_id: Path(one.path) for one in index.documents()}
    known = {str(path) for path in paths.values()}
    return tuple(
        DanglingLink(registry=registry, key=entry.key, target=entry.target)
        for registry, entry in index.registry()
        if entry.target is not None
        and "://" not in entry.target
        and str((paths[registry].parent / entry.target).resolve()) not in known
    )
