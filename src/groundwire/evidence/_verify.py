"""Is every document who it says it is [S3, Migration invariants]?"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from os.path import normpath
from pathlib import Path
from typing import Literal

from groundwire.evidence._identity import UNNUMBERED_TYPES
from groundwire.evidence._index import Index
from groundwire.evidence._labels import APPROVAL_TYPE_SUFFIX
from groundwire.evidence._states import state_of
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


class Disagreement(Model):
    """A registry, an approval record and a document that do not say the same of it."""

    doc_id: str
    key: DocumentKey
    about: Literal["status", "date"]
    stated: tuple[StatedStatus, ...]


class DanglingLink(Model):
    registry: str
    key: DocumentKey
    target: str


class OtherNumber(Model):
    doc_id: str
    number: int
    heading_number: int


class SeveralRecords(Model):
    """A file that holds records beside each other, which are not read apart."""

    doc_id: str
    records: tuple[str, ...]


class IdentityReport(Model):
    """`holds` when every document has a type, and no two the same type and number."""

    holds: bool
    documents: int
    untyped: tuple[str, ...]
    shared: tuple[SharedKey, ...]
    unnumbered: tuple[str, ...]
    other_numbers: tuple[OtherNumber, ...]
    stubs: tuple[str, ...]
    several: tuple[SeveralRecords, ...]
    disagreements: tuple[Disagreement, ...]
    unlisted: tuple[str, ...]
    """Documents that a registry of their folder leaves out."""
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
        several=tuple(
            SeveralRecords(doc_id=one.doc_id, records=one.identity.records)
            for one in documents
            if one.identity.records
        ),
        disagreements=tuple(_disagreements(index, documents)),
        unlisted=tuple(_unlisted(index, documents)),
        dangling=_dangling(index),
    )


def listed(
    registry: IndexedDocument, entry: RegistryEntry, documents: Iterable[IndexedDocument]
) -> list[IndexedDocument]:
    """The documents a row means: by its link, else by its label, beside the registry if several."""
    same = list(documents)
    if entry.target is not None:
        path = normpath(Path(registry.path).parent / entry.target)
        linked = [one for one in same if one.path == path]
        if linked:
            return linked
    named = [one for one in same if one.identity.key == entry.key]
    beside = [one for one in named if Path(one.path).is_relative_to(Path(registry.path).parent)]
    return beside if len(beside) == 1 else named


def by_key(documents: list[IndexedDocument]) -> dict[DocumentKey, list[IndexedDocument]]:
    found: dict[DocumentKey, list[IndexedDocument]] = defaultdict(list)
    for one in documents:
        if one.identity.key is not None:
            found[one.identity.key].append(one)
    return found


def _lacks_number(one: IndexedDocument) -> bool:
    return one.identity.number is None and one.identity.doc_type not in UNNUMBERED_TYPES


def _rows(
    index: Index, documents: list[IndexedDocument]
) -> Iterator[tuple[str, RegistryEntry, IndexedDocument]]:
    """Every row of every registry with the one document it is about."""
    ids = {one.doc_id: one for one in documents}
    keyed = by_key(documents)
    paths = {one.path: one for one in documents}
    for registry, entry in index.registry():
        near = {one.doc_id: one for one in keyed.get(entry.key, ())}
        if entry.target is not None:
            linked = paths.get(normpath(Path(ids[registry].path).parent / entry.target))
            near |= {linked.doc_id: linked} if linked else {}
        found = listed(ids[registry], entry, near.values())
        if len(found) == 1:
            yield registry, entry, found[0]


def _disagreements(index: Index, documents: list[IndexedDocument]) -> Iterator[Disagreement]:
    """What is said of one document in several places, where it is not one state or one day."""
    rows: dict[str, list[tuple[str, RegistryEntry]]] = defaultdict(list)
    for registry, entry, one in _rows(index, documents):
        rows[one.doc_id].append((registry, entry))
    keyed = by_key(documents)
    for one in documents:
        key = one.identity.key
        if key is None or key.doc_type.endswith(APPROVAL_TYPE_SUFFIX):
            continue
        approval = DocumentKey(doc_type=key.doc_type + APPROVAL_TYPE_SUFFIX, number=key.number)
        family = [one, *keyed.get(approval, ())] if len(keyed[key]) == 1 else [one]
        said = [(member.doc_id, member.identity.status) for member in family]
        said += [(registry, entry.status) for registry, entry in rows[one.doc_id]]
        days = [(one.doc_id, one.identity.date)]
        days += [(registry, entry.date) for registry, entry in rows[one.doc_id]]
        if len({state_of(status) for _, status in said if status}) > 1:
            yield Disagreement(doc_id=one.doc_id, key=key, about="status", stated=_stated(said))
        if len({day for _, day in days if day}) > 1:
            yield Disagreement(doc_id=one.doc_id, key=key, about="date", stated=_stated(days))


def _stated(said: Iterable[tuple[str, object]]) -> tuple[StatedStatus, ...]:
    return tuple(StatedStatus(doc_id=doc_id, status=str(value)) for doc_id, value in said if value)


def _unlisted(index: Index, documents: list[IndexedDocument]) -> Iterator[str]:
    """Of a folder and type a registry lists most of, the documents it does not list."""
    rows = [one for _, _, one in _rows(index, documents)]
    known = {one.doc_id for one in rows}
    kinds = {(str(Path(one.path).parent), one.identity.doc_type) for one in rows}
    for one in documents:
        kind = (str(Path(one.path).parent), one.identity.doc_type)
        if kind in kinds and one.doc_id not in known and one.identity.key is not None:
            yield one.doc_id


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
