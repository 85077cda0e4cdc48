"""The deterministic tier: which of a claim's values the evidence confirms or contradicts.

It needs no model. A contradicted value outranks any model, so it speaks only when it is sure:
the evidence has a sentence that says the same in the same words but for this value, the value
occurs nowhere else in the evidence, and it cannot have been worked out from other values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from groundwire.claims import Identifier, Name, Period, Quantity, Value
from groundwire.judge._align import align, states
from groundwire.judge._derive import may_be_derived
from groundwire.judge._relation import confirmed_by
from groundwire.judge._sentence import Sentence
from groundwire.model import CheckKind, Model, Span

_NEAR_A_ROW = 2


class Finding(Model):
    """What the evidence says about one value of a claim."""

    kind: CheckKind
    claimed: str
    relation: Literal["confirmed", "contradicted"]
    found: str
    sentence: int
    """The index of the sentence among those given."""
    span: Span
    """Where in that sentence `found` stands."""


def check_values(claim: str, sentences: Sequence[str]) -> list[Finding]:
    """What the sentences say about the values of a claim."""
    return EvidenceValues.of(sentences).check(claim)


@dataclass(frozen=True, slots=True)
class EvidenceValues:
    """Evidence read once, to check many claims against."""

    sentences: tuple[Sentence, ...]
    tabular: frozenset[int]
    """Sentences in or beside a table: their words say too little about their values."""
    words: frozenset[str]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Self:
        read = tuple(Sentence(text) for text in sentences)
        rows = [place for place, sentence in enumerate(read) if sentence.is_row]
        beside = range(-_NEAR_A_ROW, _NEAR_A_ROW + 1)
        return cls(
            read,
            frozenset(row + step for row in rows for step in beside),
            frozenset().union(*(sentence.stems for sentence in read)),
        )

    def check(self, claim: str) -> list[Finding]:
        asked = Sentence(claim)
        findings = []
        for index, value in asked.values:
            finding = self._confirmed(asked, value) or self._contradicted(asked, index, value)
            if finding is not None:
                findings.append(finding)
        return findings

    def _confirmed(self, claim: Sentence, value: Value) -> Finding | None:
        best, most = None, 0
        for place, sentence in enumerate(self.sentences):
            shared = len(claim.stems & sentence.stems)
            if shared <= most and (best is not None or claim.stems):
                continue
            for _, found in sentence.values:
                if confirmed_by(value, found):
                    best, most = _finding(value, "confirmed", found, place), shared
                    break
        return best

    def _contradicted(self, claim: Sentence, index: int, value: Value) -> Finding | None:
        if isinstance(value, Quantity) and value.weak:
            return None
        if any(states(claim, index, sentence) for sentence in self.sentences):
            return None
        best = None
        for place, sentence in enumerate(self.sentences):
            if place in self.tabular:
                continue
            alignment = align(claim, index, sentence, self.words)
            if alignment is None or may_be_derived(value, self._nearby(place)):
                continue
            if best is None or alignment.score > best[0].score:
                best = alignment, place
        return best and _finding(value, "contradicted", best[0].found, best[1])

    def _nearby(self, place: int) -> Sequence[Sentence]:
        return self.sentences[max(0, place - 1) : place + 2]


def _finding(
    value: Value, relation: Literal["confirmed", "contradicted"], found: Value, place: int
) -> Finding:
    return Finding(
        kind=_kind(value),
        claimed=value.text,
        relation=relation,
        found=found.text,
        sentence=place,
        span=Span(start=found.start, end=found.end),
    )


def _kind(value: Value) -> CheckKind:
    if isinstance(value, Quantity):
        return "number"
    if isinstance(value, Period):
        return "date"
    return "name" if isinstance(value, Name) else "identifier"
