"""Whether a claim's number or time follows from stated ones, whatever words the claim has for it.

One sound operation on values of sentences that speak of the same: units have to come out right, and
the result has to be the claim's as it is written. This shows where a value is from, not that the
claim is so; that is left to who judges it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise

from groundwire.judge.facts._apart import are_apart, is_shifted
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.judge.facts._terms import EVERY, Term
from groundwire.text import Kind, atoms_of
from groundwire.values import Amount, Period, Quantity, amounts_of, is_amount, outcomes, values_in

_MOST_TERMS = 24
_OWN = -1
_PER = frozenset({"per", "a", "an", "each", "every", "/"})
_TIMES = {
    **dict.fromkeys(("twice", "double", "doubled", "doubles"), Fraction(2)),
    **dict.fromkeys(("tripled", "triple", "thrice"), Fraction(3)),
}
_LEAST_LISTED = 3
# what stands before or in the unit that all numbers of a text have: "amounts in francs", "(mm)"
_BEFORE_UNIT = frozenset({"in", "("})


@dataclass(frozen=True)
class _Operand:
    place: int
    """Of its sentence; `_OWN` where the claim itself says it."""
    amounts: tuple[Amount, ...]
    noun: str
    """What it counts, or nothing."""


@dataclass(frozen=True)
class Follows:
    """What the values of some sentences give of one claim."""

    claim: Sentence
    evidence: IndexedEvidence
    places: Sequence[int]

    def gives(self, index: int) -> tuple[int, ...] | None:
        """The sentences from which a value of the claim follows; None where it does not."""
        value = self.claim.value(index)
        if isinstance(value, Period):
            return is_shifted(value, self._terms, self._others(index))
        if not isinstance(value, Quantity) or value.ordinal or value.bounded:
            return None
        found = are_apart(value, self._terms) if value.dimension in {"time", "degree"} else None
        return found or self._reckoned(index, value)

    def _reckoned(self, index: int, value: Quantity) -> tuple[int, ...] | None:
        per = _per(self.claim.slot(index), self.claim)
        own = [_operand(term, None) for term in self._others(index)]
        stated = [_operand(term, self._understood(value)) for term in self._terms]
        for places, result in _results([*own, *stated][:_MOST_TERMS]):
            if is_amount(value, result, per):
                return tuple(sorted({place for place in places if place != _OWN}))
        return None

    @cached_property
    def _spoken(self) -> list[int]:
        """The sentences with a word of the claim."""
        words = self.claim.stems
        near = [(p, self.evidence.stems_at(p), self.evidence.sentences[p]) for p in self.places]
        return [p for p, stems, one in near if stems & words or any(map(one.has_word, words))]

    @cached_property
    def _terms(self) -> list[Term]:
        sentences = [(p, self.evidence.sentences[p]) for p in self._spoken]
        return [Term(p, one, i, value) for p, one in sentences for i, value in one.values]

    def _others(self, index: int) -> list[Term]:
        """The further values of the claim: "For a 9:00 sailing, be aboard by 8:30"."""
        found = [(i, value) for i, value in self.claim.values if i != index]
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
    if not isinstance(value, Quantity) or value.ordinal:
        return _Operand(term.place, (), "")
    slot = term.slot
    plain = amounts_of(value)
    per = _per(slot, term.sentence)
    each = [one.times(per, -1) for one in plain] if per is not None else []
    bare = []
    if understood is not None and value.dimension == "count" and not slot.run:
        like = understood.measures[0]
        unit = amounts_of(understood)[:1]
        bare = [
            Amount(one.value * Fraction(like.factor), unit[0].dimensions)
            for one in plain
            if unit
        ]
    return _Operand(term.place, (*plain, *each, *bare), next(iter(slot.run), ""))


def _per(slot: Slot, sentence: Sentence) -> Amount | None:
    """What a value is for each of: "12 a month", "4,000 euros per square metre", "daily"."""
    for size in (2, 1) if not _PER.isdisjoint(slot.after[:1]) else ():
        for one in values_in("1 " + " ".join(slot.after[1 : 1 + size])):
            is_unit = isinstance(one, Quantity) and one.dimension != "count"
            found = amounts_of(one) if is_unit else ()
            if found:
                return found[0]
    often = [w for w in (*slot.after[:1], *sentence.lowers) if w in EVERY and w.endswith("ly")]
    return Amount(Fraction(EVERY[often[0]]), frozenset({("time", 1)})) if often else None


def _results(operands: Sequence[_Operand]) -> Iterator[tuple[tuple[int, ...], Amount]]:
    """What single operands are by themselves, what any two give, and what a list comes to."""
    for one in operands:
        if one.place != _OWN:
            yield from (((one.place,), amount) for amount in one.amounts)
    for one, other in combinations(operands, 2):
        if (one.place, other.place) == (_OWN, _OWN):
            continue
        for first in one.amounts:
            for second in other.amounts:
                yield from (((one.place, other.place), got) for got in outcomes(first, second))
    yield from _listed(operands)


def _listed(operands: Sequence[_Operand]) -> Iterator[tuple[tuple[int, ...], Amount]]:
    """The sum of what one sentence lists, and the rest of the first or the largest of it."""
    stated = [one for one in operands if one.place != _OWN]
    for place in dict.fromkeys(one.place for one in stated):
        inside = [one for one in stated if one.place == place]
        for like in _alike(inside):
            for begin, end in combinations(range(len(like) + 1), 2):
                some = like[begin:end]
                if len(some) >= _LEAST_LISTED:
                    total = sum(one.value for one in some)
                    yield (place,), Amount(total, some[0].dimensions)
                    largest = max(one.value for one in some)
                    yield (place,), Amount(2 * largest - total, some[0].dimensions)


def _alike(operands: Sequence[_Operand]) -> Iterable[list[Amount]]:
    kinds = {amount.dimensions for one in operands for amount in one.amounts}
    for kind in kinds:
        found = [[a for a in one.amounts if a.dimensions == kind] for one in operands]
        yield [amounts[0] for amounts in found if amounts]
