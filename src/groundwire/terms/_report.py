"""A lookup, counted and logged in one way whoever answers it, and told [S3 Gap A, Gap F]."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from groundwire.errors import GroundwireError, SKOSMOSTimeout
from groundwire.model import (
    Action,
    Concept,
    Mode,
    SKOSMOSResult,
    Suggestion,
    TermOutcome,
    TermReason,
    TermReport,
    TermSourceCited,
)
from groundwire.observe import Log, Metrics, RequestContext, current_request, metrics
from groundwire.terms._fold import loose_key
from groundwire.terms._protocol import effective_definition, gist


class Answer:
    """Where the code inside `Accounts.lookup` leaves its result."""

    result: SKOSMOSResult


class Accounts:
    def __init__(self, backend: str, *, component: str, counted: Metrics | None = None) -> None:
        self._backend = backend
        self._metrics = counted or metrics()
        self._log = Log(component)

    @contextmanager
    def lookup(self, term: str) -> Iterator[Answer]:
        """One lookup that reaches the vocabulary: hit, miss, timeout or error."""
        started_s = time.perf_counter()
        answer = Answer()
        try:
            yield answer
        except SKOSMOSTimeout:
            self._failed("timeout", term, _elapsed_ms(started_s))
            raise
        except GroundwireError as error:
            self._failed("error", term, _elapsed_ms(started_s), problem=error.message)
            raise
        latency_ms = _elapsed_ms(started_s)
        answer.result = answer.result.model_copy(update={"latency_ms": latency_ms})
        self._count("hit" if answer.result.found else "miss")
        self._complete(answer.result)

    def from_cache(self, result: SKOSMOSResult) -> SKOSMOSResult:
        """A lookup that the cache answered: counted apart."""
        self._metrics.count("skosmos_cache_hit_total", backend="cache")
        cached = result.model_copy(update={"cached": True, "latency_ms": 0})
        self._complete(cached)
        return cached

    def _count(self, what: str) -> None:
        self._metrics.count("skosmos_lookup_total", backend=self._backend)
        self._metrics.count(f"skosmos_{what}_total", backend=self._backend)

    def _failed(self, what: str, term: str, latency_ms: int, **fields: str) -> None:
        self._count(what)
        if (request := current_request()) is not None:
            request.add_fallback(f"{self._backend}_{what}")
        self._log.warn(what, term=term, latency_ms=latency_ms, **fields)

    def _complete(self, result: SKOSMOSResult) -> None:
        self._log.info(
            "lookup_complete",
            term=result.term,
            hit=result.found,
            outcome=result.outcome,
            cached=result.cached,
            backend=self._backend,
            latency_ms=result.latency_ms,
        )


def _elapsed_ms(started_s: float) -> int:
    return round((time.perf_counter() - started_s) * 1000)


SOURCE_NAMES = {"skosmos": "SKOSMOS"}
LOCAL_NAME = "local vocabulary"
MAX_DETAIL_CHARS = 300

_MODES: dict[TermOutcome, Mode] = {"found": "ANSWER", "ambiguous": "CLARIFY"}
_REASONS: dict[TermOutcome, TermReason] = {
    "ambiguous": "terminology_ambiguous",
    "no_definition": "terminology_no_definition",
    "not_found": "terminology_not_found",
    "timeout": "terminology_timeout",
    "error": "terminology_error",
}
_NEXT_STEPS: dict[TermOutcome, str] = {
    "ambiguous": "PICK_A_MEANING",
    "no_definition": "ADD_A_DEFINITION",
    "not_found": "PICK_A_SUGGESTION_OR_ADD_THE_TERM",
    "timeout": "TRY_AGAIN",
    "error": "CHECK_THE_VOCABULARY_SERVER",
}


def report(
    result: SKOSMOSResult,
    near: Sequence[Suggestion],
    problems: Sequence[str],
    context: RequestContext,
) -> TermReport:
    """What a vocabulary answered, for a person."""
    outcome = result.outcome
    undefined = outcome in ("no_definition", "not_found")
    missing = [f"a definition of “{result.term}”"] if undefined else []
    return TermReport(
        mode=_MODES.get(outcome, "ABSTAIN"),
        outcome=outcome,
        term=result.term,
        definition=result.definition,
        sources=tuple(_cited(result)),
        concepts=result.concepts,
        reason=_REASONS.get(outcome),
        message=_message(result),
        observations=tuple(_notes(result.concepts)) if outcome == "no_definition" else (),
        missing_knowledge=(*missing, *(problems if undefined else ())),
        suggestions=tuple(_choices(result.concepts) if outcome == "ambiguous" else near),
        action=Action(next_step=_NEXT_STEPS[outcome]) if outcome in _NEXT_STEPS else None,
        cached=result.cached,
        latency_ms=result.latency_ms,
        fallback_flags=tuple(context.fallback_flags),
        request_id=context.request_id,
    )


def failure_report(term: str, error: GroundwireError, context: RequestContext) -> TermReport:
    """Nothing could be determined, which is not the same as: there is nothing."""
    outcome: TermOutcome = "timeout" if isinstance(error, SKOSMOSTimeout) else "error"
    return TermReport(
        mode="ABSTAIN",
        outcome=outcome,
        term=term,
        reason=_REASONS[outcome],
        message=f"Unable to verify “{term}”: {error.message}",
        missing_knowledge=(f"an answer of the vocabulary about “{term}”",),
        action=Action(next_step=_NEXT_STEPS[outcome], hint=error.hint),
        fallback_flags=tuple(context.fallback_flags),
        request_id=context.request_id,
    )


def _message(result: SKOSMOSResult) -> str:
    term = f"“{result.term}”"
    if result.outcome == "not_found":
        return f"The vocabulary has no term {term}, so there is no definition to give."
    first = result.concepts[0]
    if result.outcome == "ambiguous":
        count = len(_choices(result.concepts))
        return f"{term} has {count} meanings in the vocabulary. Which is meant?"
    if result.outcome == "no_definition":
        return f"The vocabulary has {term} but does not define it."
    said = [f"The vocabulary defines {term}{_under(first, result.term)}."]
    if first.deprecated:
        said.append(f"“{first.label}” is deprecated{_use_instead(first)}.")
    return " ".join(said)


def _under(concept: Concept, term: str) -> str:
    matched = concept.matched_label or concept.label
    if concept.matched_kind == "hidden":
        matched = concept.label
    return "" if loose_key(matched) == loose_key(term) else f" under “{matched}”"


def _use_instead(concept: Concept) -> str:
    return f": use “{concept.successor.label}” instead" if concept.successor else ""


def _cited(result: SKOSMOSResult) -> Iterator[TermSourceCited]:
    if result.definition is None or result.source_uri is None:
        return
    concept = result.concepts[0]
    _, stands_under = effective_definition(concept)
    vocabulary = stands_under.vocabulary or concept.vocabulary
    yield TermSourceCited(
        doc_id=result.source_uri,
        title=f"{stands_under.label} ({vocabulary})" if vocabulary else stands_under.label,
        quote=result.definition,
        end=len(result.definition),
        name=SOURCE_NAMES.get(result.backend, LOCAL_NAME),
    )


def _choices(concepts: Sequence[Concept]) -> list[Suggestion]:
    """One for each meaning; a concept without a definition is a choice of its own."""
    choices: dict[str, Suggestion] = {}
    for concept in concepts:
        definition, _ = effective_definition(concept)
        detail = definition if definition is None else _shortened(definition)
        choice = Suggestion(id=concept.uri, label=concept.label, kind="term", detail=detail)
        choices.setdefault(gist(definition) if definition else concept.uri, choice)
    return list(choices.values())


def _notes(concepts: Sequence[Concept]) -> Iterator[str]:
    """What is said about an undefined concept, labelled as what it is."""
    for concept in concepts:
        if concept.scope_note:
            yield f"Scope note of “{concept.label}”: {concept.scope_note}"
        for name, links in (
            ("Broader terms of", concept.broader),
            ("Narrower terms of", concept.narrower),
            ("Related terms of", concept.related),
        ):
            if links:
                yield f"{name} “{concept.label}”: {', '.join(link.label for link in links)}"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_DETAIL_CHARS else text[: MAX_DETAIL_CHARS - 1] + "…"
