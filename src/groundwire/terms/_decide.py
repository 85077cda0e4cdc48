"""What the concepts found for a term amount to. Pure: shared by the local and the remote."""

from collections.abc import Sequence
from typing import Literal

from groundwire.model import Concept, SKOSMOSResult
from groundwire.terms._fold import exact_key


def decide(term: str, concepts: Sequence[Concept], backend: str) -> SKOSMOSResult:
    """One distinct definition is an answer, several are a question, none is none."""
    kept = [concept for concept in concepts if not concept.deprecated] or list(concepts)
    meanings: dict[str, tuple[str, Concept]] = {}
    for concept in kept:
        definition, stands_under = effective_definition(concept)
        if definition is not None:
            meanings.setdefault(gist(definition), (definition, stands_under))
    if len(meanings) == 1:
        definition, stands_under = next(iter(meanings.values()))
        # the concept that is defined comes first, others of the same name after it
        kept.sort(key=lambda concept: effective_definition(concept)[0] is None)
        return _result(
            term, "found", kept, backend, definition=definition, source_uri=stands_under.uri
        )
    outcome: Literal["ambiguous", "no_definition", "not_found"] = (
        "ambiguous" if meanings else "no_definition" if kept else "not_found"
    )
    return _result(term, outcome, kept, backend)


def effective_definition(concept: Concept) -> tuple[str | None, Concept]:
    """A concept's own definition; of a deprecated one without any, its successor's."""
    if concept.definition is None and concept.successor is not None:
        return effective_definition(concept.successor)
    return concept.definition, concept


def gist(definition: str) -> str:
    """Equal for definitions that differ in case, spacing or their last full stop only."""
    return exact_key(definition).rstrip(" .;")


def _result(
    term: str,
    outcome: Literal["found", "ambiguous", "no_definition", "not_found"],
    concepts: Sequence[Concept],
    backend: str,
    *,
    definition: str | None = None,
    source_uri: str | None = None,
) -> SKOSMOSResult:
    return SKOSMOSResult(
        found=outcome != "not_found",
        definition=definition,
        source_uri=source_uri,
        outcome=outcome,
        term=term,
        backend=backend,
        concepts=tuple(concepts),
    )
