"""What the constructions of the passages say about one edge. Pure; the same for every judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from groundwire.ground._match import VariableNames
from groundwire.ground._read import CausalReading, read_causal
from groundwire.ground._types import Hypothesis, Passage
from groundwire.model import Quote, Variable

FindingKind = Literal["direct", "negated", "reversed", "hypothetical", "correlation"]


@dataclass(frozen=True)
class Finding:
    """One construction about the edge's two variables. `fit` is how well they are named."""

    kind: FindingKind
    fit: float
    passage: Passage
    reading: CausalReading

    @property
    def quote(self) -> Quote:
        bundle, span = self.passage.bundle, self.reading.span
        start = bundle.location.start
        return Quote(
            doc_id=bundle.source.doc_id,
            quote=span.of(bundle.content),
            start=start + span.start,
            end=start + span.end,
        )


class EdgeReader:
    """Reads passages for an edge, knowing all the variables it could be confused with."""

    def __init__(self, names: VariableNames) -> None:
        self._names = names

    def findings(self, hypothesis: Hypothesis, passages: Iterable[Passage]) -> list[Finding]:
        """Best named first; among equals in the order of their sources."""
        found = [
            finding
            for passage in passages
            for reading in readings_of(passage.bundle.content, passage.bundle.source.title)
            if (finding := self._finding(hypothesis, passage, reading)) is not None
        ]
        return sorted(found, key=lambda one: (-one.fit, one.quote.doc_id, one.quote.start))

    def mentions_both(self, hypothesis: Hypothesis, text: str) -> bool:
        return all(
            self._names.is_mentioned(variable, text)
            for variable in (hypothesis.cause, hypothesis.effect)
        )

    def names(self, variable: Variable, phrase: str) -> bool:
        return self._names.fit(variable, phrase) > 0

    def _finding(
        self, hypothesis: Hypothesis, passage: Passage, reading: CausalReading
    ) -> Finding | None:
        forward = self._fit(hypothesis, reading.cause, reading.effect)
        backward = self._fit(hypothesis, reading.effect, reading.cause)
        kind = _kind(reading, forward=forward > 0, backward=backward > 0)
        if kind is not None:
            return Finding(kind, max(forward, backward), passage, reading)
        if reading.relation == "prevents" and reading.mood == "asserted":
            prevented = reading.effect.removeprefix("no ").replace(" not ", " ")
            fit = self._fit(hypothesis, reading.cause, prevented)
            return Finding("negated", fit, passage, reading) if fit else None
        return None

    def _fit(self, hypothesis: Hypothesis, cause: str, effect: str) -> float:
        as_cause = self._names.fit(hypothesis.cause, cause)
        return min(as_cause, self._names.fit(hypothesis.effect, effect)) if as_cause else 0.0


def of_kind(findings: Sequence[Finding], kind: FindingKind) -> list[Finding]:
    return [finding for finding in findings if finding.kind == kind]


def _kind(reading: CausalReading, *, forward: bool, backward: bool) -> FindingKind | None:
    if reading.relation == "correlates":
        is_one = (forward or backward) and reading.mood == "asserted"
        return "correlation" if is_one else None
    if forward:
        return "direct" if reading.mood == "asserted" else reading.mood
    return "reversed" if backward and reading.mood == "asserted" else None


@lru_cache(maxsize=4_096)
def readings_of(content: str, title: str | None) -> tuple[CausalReading, ...]:
    return read_causal(content, title)
