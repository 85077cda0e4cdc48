"""Whether a value of the evidence stands in the slot of a claim's value, and how surely.

Everything here errs to silence: what is not certainly the same slot is no alignment.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal

from groundwire.claims import Identifier, Name, Period, Quantity, Value
from groundwire.judge._relation import comparable, conflicts, may_be_same
from groundwire.judge._sentence import Sentence, Slot
from groundwire.judge._words import STOP_WORDS, stem

MIN_COVERAGE = 0.7
"""The share of the claim's words that the sentence must have."""
MIN_COVERAGE_IF_CLOSE = 0.6
"""The same when all around the value agrees."""
MIN_WORDS = 2
MIN_SCORE = 2
MIN_SCORE_IF_REWORDED = 4
MIN_SCORE_AMONG_SEVERAL = 3
MIN_MARGIN = 1
_WHOLE, _MOST, _HALF = 0.99, 0.74, 0.5
_INDIRECT = frozenset(stem(word) for word in ("someone", "somebody", "something"))
_MIN_DIGITS = 3
_COUNTS = frozenset({"count", "ordinal"})


@dataclass(frozen=True, slots=True)
class Alignment:
    """The evidence value in the claim's slot."""

    found: Value
    score: int
    coverage: float


def align(
    claim: Sentence, index: int, sentence: Sentence, known_words: AbstractSet[str]
) -> Alignment | None:
    """The one value of a sentence that answers what the claim's value answers, and differs."""
    claimed = claim.value(index)
    rivals = [(place, found) for place, found in sentence.values if comparable(claimed, found)]
    if not any(conflicts(claimed, found) for _, found in rivals) or may_state(claimed, sentence):
        return None
    coverage = word_coverage(claim, sentence)
    if coverage < MIN_COVERAGE_IF_CLOSE or not _says_the_same(claim, index, sentence, known_words):
        return None
    scores = sorted(
        (
            (_slot_score(claim, index, sentence, place), place)
            for place, found in rivals
            if conflicts(claimed, found)
        ),
        reverse=True,
    )
    best, place = scores[0]
    margin = best - (scores[1][0] if len(scores) > 1 else 0)
    if best < (MIN_SCORE if coverage >= MIN_COVERAGE else MIN_SCORE_IF_REWORDED):
        return None
    if _are_contested(claim, index, rivals) and (
        best < MIN_SCORE_AMONG_SEVERAL or margin < MIN_MARGIN
    ):
        return None
    return Alignment(sentence.value(place), best, coverage)


def _are_contested(claim: Sentence, index: int, rivals: list[tuple[int, Value]]) -> bool:
    """Whether more than one rival is left when the claim's other values have taken theirs."""
    others = [value for other, value in claim.values if other != index]
    left = [found for _, found in rivals if not any(may_be_same(v, found) for v in others)]
    return len(left) > 1


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
    text = str(number)
    return (
        any(number in q.numerals and not comparable(value, q) for q in sentence.quantities)
        or text in sentence.bare_numbers
        or (len(text) >= _MIN_DIGITS and text in sentence.digits and not _scaled(sentence, number))
    )


def _scaled(sentence: Sentence, number: Decimal) -> bool:
    return any(number in quantity.numerals for quantity in sentence.quantities)


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


def states(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether a sentence elsewhere states the value; a bound is met only where it is spoken of."""
    value = claim.value(index)
    if not any(may_be_same(value, found) for _, found in sentence.values):
        return False
    return not _is_bound(value) or word_coverage(claim, sentence) >= _HALF


def _is_bound(value: Value) -> bool:
    if isinstance(value, Period):
        return value.edge in {"before", "after", "by"}
    return isinstance(value, Quantity) and value.bounded


def word_coverage(claim: Sentence, sentence: Sentence) -> float:
    """The share of the claim's content words that the sentence has; 0 when they are too few."""
    shared = sum(sentence.has_word(word) for word in claim.stems)
    return shared / len(claim.stems) if shared >= MIN_WORDS else 0.0


def _says_the_same(
    claim: Sentence, index: int, sentence: Sentence, known_words: AbstractSet[str]
) -> bool:
    """Whether all else in the claim agrees: its names, its other values, whether it denies."""
    return (
        claim.is_negated == sentence.is_negated
        and claim.stems.isdisjoint(_INDIRECT)
        and all(_is_known(name, sentence, known_words) for name in claim.names)
        and all(
            _agrees(value, sentence) for other, value in claim.values if other != index
        )
    )


def _is_known(name: Name, sentence: Sentence, known_words: AbstractSet[str]) -> bool:
    """Whether a sentence speaks of a name: in full, or in part when the evidence has the rest."""
    words = [stem(word) for word in name.words if len(word) > 1 and word not in STOP_WORDS]
    here = [word for word in words if sentence.has_word(word)]
    return (bool(here) or not words) and all(w in here or w in known_words for w in words)


def _agrees(value: Value, sentence: Sentence) -> bool:
    """Whether the sentence speaks of another value of the claim, or at least of no rival."""
    rivals = [found for _, found in sentence.values if comparable(value, found)]
    if any(may_be_same(value, found) for found in rivals):
        return True
    return not rivals and isinstance(value, Quantity)


def _slot_score(claim: Sentence, index: int, sentence: Sentence, place: int) -> int:
    """How surely two values stand in one slot; 0 when they may not."""
    claimed, asked, given = claim.value(index), claim.slot(index), sentence.slot(place)
    if asked.unsure or given.unsure:
        return 0
    around = _around(claim, asked, given)
    if isinstance(claimed, Quantity):
        counted = _counted(claimed, asked, sentence, place)
        if counted is None or not around + counted:
            return 0
        around += counted
    elif isinstance(claimed, Period):
        governed = _governed(claim, asked, given)
        if governed is None:
            return 0
        around += governed
    elif not _names_one_thing(claimed, asked):
        return 0
    return around + _clause_score(claim, given)


def _around(claim: Sentence, asked: Slot, given: Slot) -> int:
    """How well the nearest words agree; a name alone says nothing about the slot."""
    score = 0
    if asked.left[:1] == given.left[:1] and not claim.is_name(*asked.left[:1]):
        score += 2 * bool(asked.left)
    elif _shares_first(claim, given.left, asked) or _shares_first(claim, asked.left, given):
        score += 1
    return score + bool(asked.right and asked.right[:1] == given.right[:1])


def _shares_first(claim: Sentence, words: tuple[str, ...], other: Slot) -> bool:
    if not words or claim.is_name(words[0]):
        return False
    return words[0] in other.left[:3] + other.right[:2]


def _names_one_thing(claimed: Value, asked: Slot) -> bool:
    """Whether an identifier says which, not what: one that opens the claim is its subject."""
    return (
        isinstance(claimed, Identifier)
        and not asked.opens
        and (len(claimed.key[0]) > 1 or len(claimed.key) > 2)
    )


def _counted(
    claimed: Quantity, asked: Slot, sentence: Sentence, place: int
) -> int | None:
    """Whether both count the same thing: None when they do not."""
    given = sentence.slot(place)
    if asked.named or given.named:
        return _version(asked, given)
    is_count = claimed.dimension in _COUNTS
    if not asked.run or not given.run:
        is_told_before = asked.left[:1] == given.left[:1]
        return 0 if is_told_before or not is_count or asked.run == given.run else None
    ours, theirs = set(asked.run), set(given.run)
    if ours.isdisjoint(theirs):
        return None
    if is_count:
        if asked.run[0] != given.run[0] and not (ours <= theirs or theirs <= ours):
            return None
        if _mentioned_again(sentence, ours & theirs):
            return None
    return 2 if asked.run[0] == given.run[0] else 1


def _version(asked: Slot, given: Slot) -> int | None:
    """ "TLS 1.2" and "TLS 1.3": the same name, and not what the claim is about."""
    same = asked.named and given.named and asked.left[:1] == given.left[:1]
    return 2 if same and len(asked.left) > 1 and len(given.left) > 1 else None


def _mentioned_again(sentence: Sentence, counted: AbstractSet[str]) -> bool:
    """ "three kids ... and another kid": the total may be more."""
    return any(sum(word.stem == noun for word in sentence.words) > 1 for noun in counted)


def _governed(claim: Sentence, asked: Slot, given: Slot) -> int | None:
    """Whether the found date belongs to something the claim speaks of: None when it does not."""
    if asked.attributive != given.attributive:
        return None
    nearest = given.left[:1] or given.right[:1]
    if not all(claim.has_word(word) for word in nearest):
        return None
    return any(claim.has_word(word) and not claim.is_name(word) for word in given.left[:1])


def _clause_score(claim: Sentence, given: Slot) -> int:
    share = len(claim.stems & given.clause) / len(claim.stems)
    return (share >= _WHOLE) + (share >= _MOST) + (share >= _HALF)
