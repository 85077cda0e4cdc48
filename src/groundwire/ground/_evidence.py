"""What the constructions of the passages say about one edge. Pure; the same for every judge."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.encoder import judge_calibration
from groundwire.ground._documents import DocumentReadings
from groundwire.ground._match import VariableNames
from groundwire.ground._read import CausalReading
from groundwire.ground._types import (
    Hypothesis,
    LoopState,
    Passage,
    Stated,
    VerificationVerdict,
)
from groundwire.model import EdgeEvidence, Quote, SupportType, Variable
from groundwire.text import find_quote, sentence_ranges

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
        return self.passage.quote(self.reading.span)


class EdgeReader:
    """Reads passages for an edge, knowing all the variables it could be confused with."""

    def __init__(self, names: VariableNames, readings: DocumentReadings | None = None) -> None:
        self._names = names
        self._readings = readings or DocumentReadings()
        self._known: dict[tuple[str, str], list[Finding]] = {}

    def stated(self, hypothesis: Hypothesis) -> list[Passage]:
        """The paragraphs where it was read."""
        found = (self._readings.passage(one) for one in hypothesis.stated)
        return [passage for passage in found if passage is not None]

    def readings(self, passage: Passage) -> list[CausalReading]:
        return [reading for _, reading in self._readings.within(passage)]

    def findings(self, hypothesis: Hypothesis, passages: Iterable[Passage]) -> list[Finding]:
        """Best named first; among equals in the order of their sources."""
        found = [one for passage in passages for one in self._in(hypothesis, passage)]
        return sorted(found, key=lambda one: (-one.fit, one.quote.doc_id, one.quote.start))

    def _in(self, hypothesis: Hypothesis, passage: Passage) -> list[Finding]:
        key = (hypothesis.edge.id, passage.id)
        if key not in self._known:
            self._known[key] = [
                finding
                for number, reading in self._readings.within(passage)
                if (finding := self._finding(hypothesis, passage, reading, number)) is not None
            ]
        return self._known[key]

    def mentions_both(self, hypothesis: Hypothesis, text: str) -> bool:
        return all(
            self._names.is_mentioned(variable, text)
            for variable in (hypothesis.cause, hypothesis.effect)
        )

    def names(self, variable: Variable, phrase: str) -> bool:
        return self._names.fit(variable, phrase) > 0

    def _finding(
        self, hypothesis: Hypothesis, passage: Passage, reading: CausalReading, number: int
    ) -> Finding | None:
        if not self._may_speak(hypothesis, passage):
            return None
        if Stated(passage.bundle.source.doc_id, number) in hypothesis.stated:
            is_same = (reading.sign == "raises") == (hypothesis.edge.sign == "raises")
            return Finding("direct" if is_same else "negated", 1.0, passage, reading)
        causes, effects = (
            _named(reading.cause, reading.cause_names),
            _named(reading.effect, reading.effect_names),
        )
        forward = self._fit(hypothesis, causes, effects)
        backward = self._fit(hypothesis, effects, causes)
        kind = _kind(reading, forward=forward > 0, backward=backward > 0)
        is_opposite = (reading.sign == "raises") != (hypothesis.edge.sign == "raises")
        if kind == "direct" and is_opposite:
            kind = "negated"
        return None if kind is None else Finding(kind, max(forward, backward), passage, reading)

    def _may_speak(self, hypothesis: Hypothesis, passage: Passage) -> bool:
        """`the outage` of one document is not that of another."""
        owners = {hypothesis.cause.doc_id, hypothesis.effect.doc_id} - {None}
        return owners <= {passage.bundle.source.doc_id}

    def _fit(self, hypothesis: Hypothesis, causes: Sequence[str], effects: Sequence[str]) -> float:
        as_cause = max(self._names.fit(hypothesis.cause, one) for one in causes)
        if not as_cause:
            return 0.0
        return min(as_cause, max(self._names.fit(hypothesis.effect, one) for one in effects))


_MOST_NAMES = 8


def _named(phrase: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((phrase, *names[:_MOST_NAMES])))


def of_kind(findings: Sequence[Finding], kind: FindingKind) -> list[Finding]:
    return [finding for finding in findings if finding.kind == kind]


def _kind(reading: CausalReading, *, forward: bool, backward: bool) -> FindingKind | None:
    if reading.relation == "correlates":
        is_one = (forward or backward) and reading.mood == "asserted"
        return "correlation" if is_one else None
    if forward:
        return "direct" if reading.mood == "asserted" else reading.mood
    return "reversed" if backward and reading.mood == "asserted" else None


MAX_EVIDENCE = 8
_SUPPORT_TYPES: dict[FindingKind, SupportType] = {
    "correlation": "correlation_only",
    "hypothetical": "irrelevant",
}


REASONS: dict[FindingKind, str] = {
    "negated": "refuted",
    "reversed": "reversed",
    "correlation": "correlation_only",
    "hypothetical": "hypothetical",
}
"""Why a construction that does not state the edge rejects it, the gravest first."""


def supports(fit: float) -> float:
    """How much a construction counts that no model was asked about."""
    tuned = judge_calibration().edges
    return round(tuned.by_wording + tuned.by_fit * fit, 4)


def refutes(finding: Finding) -> float:
    tuned = judge_calibration().edges
    return round(tuned.refuted_by_wording + tuned.refuted_by_fit * finding.fit, 4)


def evidence_from(finding: Finding, confidence: float) -> EdgeEvidence:
    sides = {"negated": "refute", "reversed": "reversed"}
    return EdgeEvidence.model_validate(
        {
            "evidence_id": finding.passage.id,
            "quote": finding.quote,
            "side": sides.get(finding.kind, "support"),
            "support_type": _SUPPORT_TYPES.get(finding.kind, "direct_causal"),
            "confidence": confidence,
        }
    )


def locate(quote: str, passages: Sequence[Passage]) -> tuple[Passage, Quote] | None:
    """Where a judge's quote stands. One that stands nowhere is an invention [RULINGS]."""
    for passage in passages:
        span = find_quote(quote, passage.bundle.content)
        if span is not None:
            return passage, passage.quote(span)
    return None


def support_of(
    hypothesis: Hypothesis, reader: EdgeReader, state: LoopState, verdict: VerificationVerdict
) -> list[EdgeEvidence]:
    """The judge's quote, and from other documents every sentence that says the same."""
    passages = list(state.passages.values())
    support: list[EdgeEvidence] = []
    located = locate(verdict.supporting_quote or "", passages)
    if located is not None:
        passage, quote = located
        confidence = round(verdict.confidence, 4)
        support.append(EdgeEvidence(evidence_id=passage.id, quote=quote, confidence=confidence))
    quoted = {one.quote.doc_id for one in support}
    for finding in reader.findings(hypothesis, passages):
        if finding.kind == "direct" and finding.quote.doc_id not in quoted:
            quoted.add(finding.quote.doc_id)
            support.append(evidence_from(finding, supports(finding.fit)))
    return support[:MAX_EVIDENCE]


def against_of(hypothesis: Hypothesis, reader: EdgeReader, state: LoopState) -> list[EdgeEvidence]:
    found = reader.findings(hypothesis, state.passages.values())
    kept = [one for one in found if one.kind in ("negated", "reversed", "correlation")]
    return [evidence_from(one, refutes(one)) for one in kept[:MAX_EVIDENCE]]


def names_both(hypothesis: Hypothesis, reader: EdgeReader, passage: Passage, quote: Quote) -> bool:
    """Both variables stand in the quote, in the sentences next to it, or in the title."""
    bundle = passage.bundle
    start, end = quote.start - bundle.location.start, quote.end - bundle.location.start
    ranges = sentence_ranges(bundle.content)
    touched = [place for place, (a, b) in enumerate(ranges) if a < end and start < b]
    if touched:
        start = min(start, ranges[max(0, touched[0] - 1)][0])
        end = max(end, ranges[min(len(ranges) - 1, touched[-1] + 1)][1])
    return reader.mentions_both(
        hypothesis, f"{bundle.source.title or ''}\n{bundle.content[start:end]}"
    )
