"""Whether a claim's number or time follows from stated ones, whatever words the claim has for it.

One sound operation on values of sentences that speak of the same: units have to come out right, and
the result has to be the claim's as it is written. This shows where a value is from, not that the
claim is so; that is left to who judges it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, pairwise, product
from typing import NamedTuple

from groundwire.judge.facts._apart import apart, shifted
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.judge.facts._terms import EVERY, Asked, Term
from groundwire.text import Kind, atoms_of
from groundwire.values import Amount, Period, Quantity, amounts_of, is_amount, outcomes, values_in

_MOST_TERMS = 24
_OWN = -1
_PER = frozenset({"per", "a", "an", "each", "every", "/"})
_LEAST_LISTED = 3
# what stands before or in the unit that all numbers of a text have: "amounts in francs", "(mm)"
_BEFORE_UNIT = frozenset({"in", "("})


class _Operand(NamedTuple):
    term: Term
    amounts: tuple[Amount, ...]

    @property
    def place(self) -> int:
        return self.term.place


_Outcome = tuple[tuple[_Operand, ...], Amount]
"""What an operation gives, and of which operands."""


@dataclass(frozen=True)
class Follows:
    """What the values of some sentences give of one claim."""

    claim: Sentence
    evidence: IndexedEvidence
    places: Sequence[int]

    def gives(self, index: int) -> tuple[Term, ...]:
        """The stated values from which one of the claim follows; none where it does not."""
        value = self.claim.value(index)
        found: Iterator[tuple[Term, ...]] = iter(())
        if isinstance(value, Period):
            found = shifted(value, self._terms, self._others(index))
        elif isinstance(value, Quantity) and not (value.ordinal or value.bounded):
            found = chain(apart(value, self._terms), self._reckoned(index, value))
        stated = (tuple(t for t in terms if t.sentence is not self.claim) for terms in found)
        return next((terms for terms in stated if self._speak(terms)), ())

    def _reckoned(self, index: int, value: Quantity) -> Iterator[tuple[Term, ...]]:
        per = _per(self.claim.slot(index), self.claim)
        own = [_operand(term, None) for term in self._others(index)]
        stated = [_operand(term, self._understood(value)) for term in self._terms]
        operands = [one for one in (*own, *stated) if one.amounts][:_MOST_TERMS]
        for used, result in _results(operands, is_share=value.dimension == "ratio"):
            if is_amount(value, result, per) and (self._is_total or not _is_sum(used, result)):
                yield tuple(one.term for one in used)

    def _speak(self, terms: Sequence[Term]) -> bool:
        """Whether all their sentences have a word of the claim, or one and they stand together."""
        places = {term.place for term in terms}
        said = places & self._spoken
        return bool(said) and (said == places or max(places) - min(places) <= 1)

    @cached_property
    def _is_total(self) -> bool:
        return Asked(self.claim, _OWN).is_total

    @cached_property
    def _spoken(self) -> frozenset[int]:
        """The sentences with a word of the claim."""
        words = self.claim.stems
        near = [(p, self.evidence.stems_at(p), self.evidence.sentences[p]) for p in self.places]
        said = (p for p, stems, one in near if stems & words or any(map(one.has_word, words)))
        return frozenset(said)

    @cached_property
    def _terms(self) -> list[Term]:
        near = [p for p in self.places if not self._spoken.isdisjoint((p - 1, p, p + 1))]
        sentences = [(p, self.evidence.sentences[p]) for p in sorted(near)]
        return [Term(p, one, i, value) for p, one in sentences for i, value in one.values]

    def _others(self, index: int) -> list[Term]:
        """The further values of the claim: "For a 9:00 sailing, be aboard by 8:30". "The two crews"
        only says how many are meant."""
        before = [(i, value, self.claim.slot(i).before[:1]) for i, value in self.claim.values]
        found = [(i, value) for i, value, word in before if i != index and word != ("the",)]
        return [Term(_OWN, self.claim, i, value) for i, value in found]

    def _understood(self, value: Quantity) -> Quantity | None:
        """The claim's number, where bare ones may be of its unit, since that is named."""
        is_named = value.dimension != "count" and value.dimension in self._named
        return value if is_named else None

    @cached_property
    def _named(self) -> frozenset[str]:
        """What is measured in the evidence: "2.4 million zloty", "all prices in euros"."""
        sentences = [self.evidence.sentences[place] for place in self.places]
        said = {quantity.dimension for one in sentences for quantity in one.quantities}
        units = {unit for one in sentences for unit in _units_of(one.text)}
        return frozenset(said | units)


def _units_of(text: str) -> Iterator[str]:
    words = [atom for atom in atoms_of(text) if atom.kind is not Kind.NUMBER]
    for before, word in pairwise(words):
        if before.lower in _BEFORE_UNIT:
            for one in values_in(f"1 {word.text}"):
                if isinstance(one, Quantity):
                    yield one.dimension


def _operand(term: Term, understood: Quantity | None) -> _Operand:
    value = term.value
    if not isinstance(value, Quantity) or value.ordinal or term.way:
        return _Operand(term, ())
    slot = term.slot
    plain = amounts_of(value)
    per = _per(slot, term.sentence)
    each = [one.times(per, -1) for one in plain] if per is not None else []
    bare = []
    if understood is not None and value.dimension == "count" and not slot.run:
        like = understood.measures[0]
        bare = [
            Amount(one.value * Fraction(like.factor), unit.dimensions)
            for one in plain
            for unit in amounts_of(understood)[:1]
        ]
    return _Operand(term, (*plain, *each, *bare))


def _per(slot: Slot, sentence: Sentence) -> Amount | None:
    """What a value is for each of: "12 a month", "4,000 euros per square metre", "daily"."""
    for size in (2, 1) if not _PER.isdisjoint(slot.after[:1]) else ():
        for one in values_in("1 " + " ".join(slot.after[1 : 1 + size])):
            if isinstance(one, Quantity) and one.dimension != "count":
                return next(iter(amounts_of(one)), None)
    often = [w for w in (*slot.after[:1], *sentence.lowers) if w in EVERY and w.endswith("ly")]
    return Amount(Fraction(EVERY[often[0]]), frozenset({("time", 1)})) if often else None


def _results(operands: Sequence[_Operand], *, is_share: bool) -> Iterator[_Outcome]:
    """What single operands are by themselves, what any two give, and what a list comes to."""
    for one in operands:
        for amount in one.amounts:
            yield (one,), amount
            if is_share and not amount.dimensions:
                yield (one,), Amount(1 - amount.value)  # "70 % is exported": the rest stays
    for one, other in combinations(operands, 2):
        for first, second in product(one.amounts, other.amounts):
            yield from (((one, other), result) for result in outcomes(first, second))
            if is_share:
                yield from (((one, other), result) for result in _changes(first, second))
    yield from _listed(operands)


def _is_sum(used: Sequence[_Operand], result: Amount) -> bool:
    """Whether it adds what two sentences say: that has to be asked for."""
    values = [_of_kind(one, result.dimensions) for one in used]
    return len({one.place for one in used}) > 1 and sum(v or 0 for v in values) == result.value


def _changes(one: Amount, other: Amount) -> Iterator[Amount]:
    """How much more or less each is than the other, as a share of it."""
    if one.dimensions == other.dimensions:
        gap = abs(one.value - other.value)
        yield from (Amount(gap / base) for base in (one.value, other.value) if base > 0)


def _listed(operands: Sequence[_Operand]) -> Iterator[_Outcome]:
    """The sum of what one sentence lists, and what the largest of it has beyond the others."""
    for place in dict.fromkeys(one.place for one in operands if one.place != _OWN):
        inside = [one for one in operands if one.place == place]
        for kind in dict.fromkeys(amount.dimensions for one in inside for amount in one.amounts):
            like = [(one, _of_kind(one, kind)) for one in inside]
            listed = [(one, value) for one, value in like if value is not None]
            for begin, end in combinations(range(len(listed) + 1), 2):
                some = listed[begin:end]
                if len(some) >= _LEAST_LISTED:
                    used, values = zip(*some, strict=True)
                    total = sum(values, Fraction(0))
                    yield used, Amount(total, kind)
                    yield used, Amount(2 * max(values) - total, kind)


def _of_kind(one: _Operand, kind: frozenset[tuple[str, int]]) -> Fraction | None:
    return next((amount.value for amount in one.amounts if amount.dimensions == kind), None)
