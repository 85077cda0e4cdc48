"""What looking for an answer came to, before it is put into the shape everybody gets."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from groundwire.answer._library import Library
from groundwire.evidence import IndexedDocument
from groundwire.model import (
    AnswerReason,
    AnswerSource,
    DocumentKey,
    EvidenceBundle,
    Mode,
    Suggestion,
)
from groundwire.text import plural as plural_of


@dataclass(frozen=True)
class Finding:
    """`base_score` is the confidence before a fallback is taken into account.

    `evidence` is what a language model may draft from; empty where nothing is to be drafted.
    """

    mode: Mode
    message: str
    base_score: float
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
