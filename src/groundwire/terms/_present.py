"""A concept as a file has it, in all languages, becomes the one a person is shown."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.model import Concept, ConceptLink, LabelKind
from groundwire.terms._rdf import ConceptRecord
from groundwire.terms._text import Text, best, best_together

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
