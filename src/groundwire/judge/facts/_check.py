"""The deterministic tier: which of a claim's values the evidence confirms or contradicts.

It needs no model. A contradicted value outranks any model, so it speaks only when it is sure:
the evidence has a sentence that says the same in the same words but for this value, the value
occurs nowhere else in the evidence, and it cannot have been worked out from other values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from groundwire.claims.values import Name, Period, Quantity, Value
from groundwire.judge.facts._align import MIN_COVERAGE_IF_CLOSE, Alignment, align
from groundwire.judge.facts._derive import may_be_derived
from groundwire.judge.facts._match import TWINS
from groundwire.judge.facts._presence import RELATED, states, word_coverage
from groundwire.judge.facts._relation import confirmed_by
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._swap import swapped
from groundwire.judge.facts._words import stem
from groundwire.model import CheckKind, Model, Span

_Relation = Literal["confirmed", "contradicted"]
_NEAR_A_ROW = 2


class Finding(Model):
    """What the evidence says about one value of a claim."""

    kind: CheckKind
    claimed: str
    relation: _Relation
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
    is_whole: bool
    """Whether every value was looked at; nothing is accused by evidence half read."""

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Self:
        read = tuple(Sentence(text) for text in sentences)
        rows = [place for place, sentence in enumerate(read) if sentence.is_row]
        beside = range(-_NEAR_A_ROW, _NEAR_A_ROW + 1)
        return cls(
            read,
            frozenset(row + step for row in rows for step in beside),
            frozenset().union(*(sentence.stems for sentence in read)),
            not any(sentence.is_cut for sentence in read),
        )

    def check(self, claim: str) -> list[Finding]:
        """One finding at most for each value of the claim; silence where nothing is certain."""
        asked = Sentence(claim)
        findings = [
            self._confirmed(asked, value) or self._contradicted(asked, index, value)
            for index, value in asked.values
        ] + [self._named(asked, index, name) for index, name in asked.named]
        return [finding for finding in findings if finding is not None]

    def _confirmed(self, claim: Sentence, value: Value) -> Finding | None:
        """The value as the sentence with most of the claim's words has it."""
        best, most = None, 0 if claim.stems else -1
        for place, sentence in enumerate(self.sentences):
            shared = len(claim.stems & sentence.stems)
            if shared <= most:
                continue
            for _, found in sentence.values:
                if confirmed_by(value, found):
                    best, most = _finding(value, "confirmed", found, place), shared
                    break
        return best

    def _contradicted(self, claim: Sentence, index: int, value: Value) -> Finding | None:
        if not self.is_whole or (isinstance(value, Quantity) and value.weak):
            return None
        aligned = self._aligned(claim, index)
        if not aligned:
            return None
        stated = [sentence for sentence in self.sentences if states(claim, index, sentence)]
        if any(word_coverage(claim, sentence) >= RELATED for sentence in stated):
            return None
        certain = [
            (alignment, place)
            for alignment, place in aligned
            if (alignment.score == TWINS or not stated)
            and not may_be_derived(value, self._nearby(place))
        ]
        if not certain:
            return None
        alignment, place = max(certain, key=lambda pair: pair[0].score)
        return _finding(value, "contradicted", alignment.found, place)

    def _aligned(self, claim: Sentence, index: int) -> list[tuple[Alignment, int]]:
        found = []
        for place, sentence in enumerate(self.sentences):
            alignment = None
            if sentence.values and place not in self.tabular:
                alignment = align(claim, index, sentence, self.words)
            if alignment is not None:
                found.append((alignment, place))
        return found

    def _nearby(self, place: int) -> Sequence[Sentence]:
        return self.sentences[max(0, place - 1) : place + 2]

    def _named(self, claim: Sentence, index: int, name: Name) -> Finding | None:
        for place, sentence in enumerate(self.sentences):
            for _, found in sentence.named:
                if found.words == name.words and not _may_be_a_word(claim, index, name):
                    return _finding(name, "confirmed", found, place)
        spoken = self._speaking_of(name)
        if not self.is_whole or any(
            word_coverage(claim, self.sentences[p]) >= MIN_COVERAGE_IF_CLOSE for p in spoken
        ):
            return None
        for place, sentence in enumerate(self.sentences):
            if place in self.tabular or not spoken.isdisjoint({place - 1, place, place + 1}):
                continue
            other = swapped(claim, index, sentence, self.words)
            if other is not None:
                return _finding(name, "contradicted", other, place)
        return None

    def _speaking_of(self, name: Name) -> frozenset[int]:
        words = [stem(word) for word in name.words]
        return frozenset(
            place
            for place, sentence in enumerate(self.sentences)
            if any(sentence.has_word(word) for word in words)
        )


def _may_be_a_word(claim: Sentence, index: int, name: Name) -> bool:
    """A capital at the head of a sentence proves no name."""
    return claim.slot(index).opens and len(name.words) == 1 and not name.text.isupper()


def _finding(value: Value, relation: _Relation, found: Value, place: int) -> Finding:
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
