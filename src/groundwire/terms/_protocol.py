"""What the concepts found for a term amount to. Pure: shared by the local and the remote."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from groundwire.errors import InputError
from groundwire.model import Concept, ConceptLink, LabelKind, SKOSMOSResult, Suggestion
from groundwire.terms._fold import MAX_TERM_CHARS, Text, best, best_together
from groundwire.terms._rdf import ConceptRecord
from groundwire.text import same_letters


class Vocabulary(Protocol):
    """Anything that knows terms: a server, local files, or several of those in order.

    `lookup` raises `SKOSMOSTimeout` or `SKOSMOSError` when it cannot tell; a term that is not
    there is a result. All of it blocks: coroutines call it in a thread.
    """

    def lookup(self, term: str) -> SKOSMOSResult: ...

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        """Whether a phrase, or its singular or plural, is a label; false when nobody can tell."""

    def other_labels(self, phrase: str) -> list[str]:
        """What else the concepts with this label are called; none where that costs a call."""

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        """The labels nearest to a term that is not there, best first."""

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        """The one concept with this address."""

    def problems(self) -> list[str]:
        """What of it cannot be read at present."""

    def close(self) -> None: ...


def checked_term(term: str) -> str:
    """A term as it is looked up; what cannot be one is refused."""
    bare = " ".join(term.replace("*", " ").split())
    if not bare:
        raise InputError("There is no term to look up.")
    if len(bare) > MAX_TERM_CHARS:
        raise InputError(f"A term of {len(bare)} characters is longer than {MAX_TERM_CHARS}.")
    return bare


def decide(term: str, concepts: Sequence[Concept], backend: str) -> SKOSMOSResult:
    """One distinct definition is an answer, several are a question, none is none."""
    kept = [concept for concept in concepts if not concept.deprecated] or list(concepts)
    meanings: dict[str, tuple[str, Concept]] = {}
    for concept in kept:
        definition, stands_under = effective_definition(concept)
        if definition is not None:
            meanings.setdefault(gist(definition), (definition, stands_under))
    outcome: Literal["found", "ambiguous", "no_definition", "not_found"] = (
        "ambiguous" if meanings else "no_definition" if kept else "not_found"
    )
    definition, source_uri = None, None
    if len(meanings) == 1:
        outcome = "found"
        definition, stands_under = next(iter(meanings.values()))
        source_uri = stands_under.uri
        # the concept that is defined comes first, others of the same name after it
        kept.sort(key=lambda concept: effective_definition(concept)[0] is None)
    return SKOSMOSResult(
        found=bool(kept),
        definition=definition,
        source_uri=source_uri,
        outcome=outcome,
        term=term,
        backend=backend,
        concepts=tuple(kept),
    )


def effective_definition(concept: Concept) -> tuple[str | None, Concept]:
    """A concept's own definition; of a deprecated one without any, its successor's."""
    if concept.definition is None and concept.successor is not None:
        return effective_definition(concept.successor)
    return concept.definition, concept


def gist(definition: str) -> str:
    """Equal for definitions that differ in case, spacing or their last full stop only."""
    return same_letters(definition).rstrip(" .;")


Names = Mapping[str, Sequence[Text]]
"""The preferred labels of concepts, by address."""


class Match(NamedTuple):
    """A label by which a concept was found; better ones sort first."""

    rank: int
    text: str
    lang: str
    kind: LabelKind


def present(
    record: ConceptRecord,
    *,
    names: Names,
    match: Match | None,
    languages: Sequence[str],
    successor: Concept | None = None,
) -> Concept:
    """The language in which the term was asked for comes first, then those that are preferred."""
    wanted = [*([match.lang] if match and match.lang else []), *languages]
    preferred = [text for kind, text in record.labels if kind == "preferred"]
    label = best(preferred, wanted) or Text(record.uri)
    definition = best_together(record.definitions, wanted)
    note = best_together(record.scope_notes, wanted)
    others = {text.text for kind, text in record.labels if kind != "hidden"} - {label.text}
    return Concept(
        uri=record.uri,
        label=label.text,
        lang=label.lang or None,
        matched_label=match.text if match else None,
        matched_kind=match.kind if match else None,
        definition=definition.text if definition else None,
        definition_lang=(definition.lang or None) if definition else None,
        scope_note=note.text if note else None,
        alternative_labels=tuple(sorted(others)),
        broader=links(record.broader, names, wanted),
        narrower=links(record.narrower, names, wanted),
        related=links(record.related, names, wanted),
        notation=record.notation,
        vocabulary=record.vocabulary,
        deprecated=record.deprecated,
        successor=successor,
    )


def links(uris: Sequence[str], names: Names, languages: Sequence[str]) -> tuple[ConceptLink, ...]:
    """Neighbours by name; one the vocabulary does not describe keeps its address as its name."""
    named = (
        ConceptLink(uri=uri, label=(best(names.get(uri, ()), languages) or Text(uri)).text)
        for uri in uris
    )
    return tuple(sorted(named, key=lambda link: (link.label.casefold(), link.uri)))
