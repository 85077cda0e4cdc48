"""A step that says a sentence of the context again, with another value in it.

"Permits are for vehicles of up to 6 m" of a context with "up to 5 m" needs no judge; but what can
be worked out from the value that stands there may be another value of the same words.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from groundwire.text import concludes, content_terms, is_negation, words_of
from groundwire.values import (
    Quantity,
    excludes,
    other_limit,
    other_range,
    quantities_in,
    same_value,
)
from groundwire.verify._kinds import counted

_LEAST_TERMS = 2
_NEAR = Decimal("0.01")


def another_value(
    claim: str, sentence: str, given: Sequence[Quantity], worked_out: Collection[Fraction] = ()
) -> tuple[str, str] | None:
    """The value of a claim and that of the sentence it repeats, where they exclude each other.

    `given` are the quantities of all that the claim may rest on, `worked_out` what it or a step
    before it computes.
    """
    said = set(content_terms(sentence))
    if any(is_negation(word) for word in (*words_of(claim), *words_of(sentence))):
        return None
    stated = quantities_in(sentence)
    for one in quantities_in(claim):
        if concludes(claim[: one.start]) or Fraction(one.numerals[0]) in worked_out:
            continue
        rest = content_terms(f"{claim[: one.start]} {_up_to_conclusion(claim[one.end :])}")
        named = {term for term in rest if term.isalpha()}
        if len(named) < _LEAST_TERMS or not said.issuperset(rest) or one.ordinal or one.about:
            continue
        like = [other for other in stated if _is_alike(one, claim, other, sentence)]
        if not like or not all(_differ(other, one) for other in like):
            continue
        is_given = any(same_value(one, other) for other in given)
        if not is_given and not _may_come_of(one, like, given):
            return one.text, " and ".join(other.text for other in like)
    return None


def _up_to_conclusion(text: str) -> str:
    """ " before closing" of " before closing, so at 17:00"."""
    parts = text.split(",")
    kept = [place for place in range(1, len(parts) + 1) if not concludes(",".join(parts[:place]))]
    return ",".join(parts[: max(kept, default=0)])


def _is_alike(one: Quantity, claim: str, other: Quantity, sentence: str) -> bool:
    if one.dimension != other.dimension or other.ordinal:
        return False
    return one.dimension != "count" or counted(claim[one.end :]) == counted(sentence[other.end :])


def _differ(one: Quantity, other: Quantity) -> bool:
    return excludes(one, other) or other_limit(one, other) or other_range(one, other)


def _may_come_of(one: Quantity, like: Iterable[Quantity], given: Iterable[Quantity]) -> bool:
    """Whether a value is one operation away from those it would replace."""
    target = one.value
    results = (result for own in like for other in given for result in _results(own, other))
    return any(abs(result - target) <= abs(target) * _NEAR for result in results)


def _results(own: Quantity, other: Quantity) -> Iterator[Decimal]:
    if other.dimension == own.dimension and not same_value(own, other):
        yield from (own.value + other.value, abs(own.value - other.value))
    if other.dimension in {"count", "multiple", "ratio"}:
        yield own.value * other.value
        if other.value:
            yield own.value / other.value
        if other.dimension == "ratio":
            yield from (own.value * (1 - other.value), own.value * (1 + other.value))
