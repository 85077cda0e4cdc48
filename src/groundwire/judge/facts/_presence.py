"""Whether the evidence may state a claim's value somewhere: then it is not accused."""

from decimal import Decimal

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._relation import comparable, confirmed_by, may_be_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.values import Identifier, Period, Quantity, Value

MIN_WORDS = 2
_MIN_DIGITS = 3


def word_coverage(claim: Sentence, sentence: Sentence) -> float:
    """The share of the claim's content words that the sentence has; 0 when they are too few."""
    shared = sum(sentence.has_word(word) for word in claim.stems)
    return shared / len(claim.stems) if shared >= MIN_WORDS else 0.0


def states(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether a sentence states the value, or leaves room for it while speaking of the same."""
    value = claim.value(index)
    same = [found for _, found in sentence.values if may_be_same(value, found)]
    if not same:
        return False
    is_plain = not _is_bound(value) and any(_is_stated(value, found) for found in same)
    return is_plain or word_coverage(claim, sentence) >= judge_calibration().values.related


def _is_stated(value: Value, found: Value) -> bool:
    if isinstance(value, Quantity) and isinstance(found, Quantity) and not found.bounded:
        return confirmed_by(value, found) or not set(value.numerals).isdisjoint(found.numerals)
    return not _is_bound(found) and confirmed_by(value, found)


def _is_bound(value: Value) -> bool:
    if isinstance(value, Period):
        return value.is_bound
    return isinstance(value, Quantity) and value.bounded


def may_state(value: Value, sentence: Sentence) -> bool:
    """Whether a sentence may state a value somewhere, in whatever form and role."""
    if any(may_be_same(value, found) for _, found in sentence.values):
        return True
    if isinstance(value, Quantity):
        return any(_has_number(sentence, number, value) for number in value.numerals)
    if isinstance(value, Period) and value.frame == "calendar":
        return _spans(value, sentence) or _has_digits(sentence, value)
    return isinstance(value, Identifier) and "".join(value.key) in sentence.letters


def _has_number(sentence: Sentence, number: Decimal, value: Quantity) -> bool:
    """The same digits in another role, in a date, or inside a longer number."""
    same = [quantity for quantity in sentence.quantities if number in quantity.numerals]
    if any(not comparable(value, quantity) for quantity in same):
        return True
    text = str(number)
    is_inside = len(text) >= _MIN_DIGITS and text in sentence.digits and not same
    return is_inside or text in sentence.bare_numbers


def _has_digits(sentence: Sentence, value: Period) -> bool:
    return any(
        str(abs(year)) in sentence.digits and Decimal(year) not in sentence.years
        for year in {value.first[0], value.last[0]}
    )


def _spans(value: Period, sentence: Sentence) -> bool:
    """Whether the value lies between the first and the last date of a sentence."""
    dates = sentence.dates
    return len(dates) > 1 and (
        min(date.first for date in dates) <= value.first
        and value.last <= max(date.last for date in dates)
    )
