"""What a reader must know of the documents an answer rests on."""

from collections.abc import Iterable, Iterator

from groundwire.answer._library import Library
from groundwire.answer._names import document_name, key_name, short_name
from groundwire.evidence import IndexedDocument

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
