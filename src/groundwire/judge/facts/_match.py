"""How surely two values stand in one slot."""

from collections.abc import Set as AbstractSet
from itertools import zip_longest

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import NEAR_TOKENS, Slot
from groundwire.text import COPULAS, stem, word_set
from groundwire.values import Identifier, Period, Quantity, Value

SAME_WORDING = 9
"""The score of two values in the same words, token by token."""

_SAME_TOKENS, _SAME_TOKENS_A_SIDE = 6, 2
_CLASS_PARTS = 2
_COUNTS = frozenset({"count", "ordinal"})
_PREDICATES = COPULAS | {"has", "had"}
_WAYS = frozenset({"by", "to", "from"})
_QUALIFIERS = frozenset(
    stem(word)
    for word in word_set(
        "average mean median total combined overall maximum minimum max min peak record net gross"
        " initial initially final finally previous previously former formerly projected expected"
        " forecast planned target budgeted daily weekly monthly yearly annual annually quarterly"
        " hourly nightly cumulative remaining half double twice"
    )
)


def slot_score(claim: Sentence, index: int, sentence: Sentence, place: int) -> int:
    """How surely a sentence's value answers what the claim's does; 0 when it may not."""
    claimed, asked, given = claim.value(index), claim.slot(index), sentence.slot(place)
    if asked.choice or given.choice:
        return 0
    if is_subject(claimed, asked):
        return 0
    if isinstance(claimed, Quantity) and not same_role(asked, given):
        return 0
    if _are_same_wordings(asked, given):
        return SAME_WORDING
    if asked.unsure or given.unsure:
        return 0
    bound = _binding(claim, index, sentence, place)
    return 0 if bound is None else bound + _clause_score(claim, given)


def _binding(claim: Sentence, index: int, sentence: Sentence, place: int) -> int | None:
    """What ties the two values to the same thing: None when something parts them."""
    claimed, asked, given = claim.value(index), claim.slot(index), sentence.slot(place)
    around = _around(claim, asked, given)
    if isinstance(claimed, Identifier):
        return around
    if isinstance(claimed, Period):
        governed = _governed(claim, asked, given)
        return None if governed is None else around + governed
    if not isinstance(claimed, Quantity):
        return None
    counted = _counted(claimed, asked, sentence, place)
    return None if counted is None else (around + counted or None)


def same_role(asked: Slot, given: Slot) -> bool:
    """ "rose by 8%" is not "rose to 8%", a peak is not an average, a plan is not an outcome."""
    ways = _WAYS.intersection(asked.before[:1] + given.before[:1])
    return len(ways) <= 1 and _QUALIFIERS & asked.clause == _QUALIFIERS & given.clause


def is_subject(claimed: Value, asked: Slot) -> bool:
    """Whether a claim speaks of its value: with another it speaks of another thing.

    One letter and a number ("K-2", "E90") name a class of things more often than one thing.
    """
    if isinstance(claimed, Quantity):
        return asked.numbers_subject
    if not isinstance(claimed, Identifier):
        return False
    heads = asked.opens or not _PREDICATES.isdisjoint(asked.after[:1])
    is_class = len(claimed.key[0]) == 1 and len(claimed.key) <= _CLASS_PARTS
    return heads or is_class


def _are_same_wordings(asked: Slot, given: Slot) -> bool:
    """Whether the two stand in the same words, token by token."""
    left = _common(asked.before, given.before)
    right = _common(asked.after, given.after)
    return left + right >= _SAME_TOKENS and min(left, right) >= _SAME_TOKENS_A_SIDE


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many tokens agree from the value on; two ends of a sentence agree in all that follows."""
    for count, (mine, theirs) in enumerate(zip_longest(one, other)):
        if mine != theirs:
            return count
    return NEAR_TOKENS


def _around(claim: Sentence, asked: Slot, given: Slot) -> int:
    """How well the nearest words agree; a name alone says nothing about the slot."""
    score = int(asked.right[:1] == given.right[:1] != ())
    if asked.left[:1] == given.left[:1] != () and not claim.is_name(asked.left[0]):
        return score + 2
    return score + (_nearest_is_near(claim, given, asked) or _nearest_is_near(claim, asked, given))


def _nearest_is_near(claim: Sentence, one: Slot, other: Slot) -> bool:
    """Whether the word before one value is close to the other."""
    if not one.left or claim.is_name(one.left[0]):
        return False
    return one.left[0] in other.left[:3] + other.right[:2]


def _counted(claimed: Quantity, asked: Slot, sentence: Sentence, place: int) -> int | None:
    """Whether both count the same thing: None when they do not."""
    given = sentence.slot(place)
    if asked.named or given.named:
        return _version(asked, given)
    is_count = claimed.dimension in _COUNTS
    if not asked.run or not given.run:
        is_told_before = asked.left[:1] == given.left[:1]
        return 0 if is_told_before or not is_count or asked.run == given.run else None
    ours, theirs = set(asked.run), set(given.run)
    is_same = asked.run[0] == given.run[0]
    if ours.isdisjoint(theirs):
        return None
    if is_count and not (is_same or ours <= theirs or theirs <= ours):
        return None
    if is_count and _is_mentioned_again(sentence, ours & theirs):
        return None
    return 2 if is_same else 1


def _version(asked: Slot, given: Slot) -> int | None:
    """ "TLS 1.2" and "TLS 1.3": the same name, and not what the claim is about."""
    is_same = asked.named and given.named and asked.left[:1] == given.left[:1]
    return 2 if is_same and min(len(asked.left), len(given.left)) > 1 else None


def _is_mentioned_again(sentence: Sentence, counted: AbstractSet[str]) -> bool:
    """ "three kids ... and another kid": the total may be more."""
    return any(sentence.counts(noun) > 1 for noun in counted)


def _governed(claim: Sentence, asked: Slot, given: Slot) -> int | None:
    """Whether the found date belongs to something the claim speaks of: None when it does not."""
    nearest = given.governor or next(iter(given.right), "")
    if asked.attributive != given.attributive or (nearest and not claim.has_word(nearest)):
        return None
    return int(bool(given.governor) and not claim.is_name(given.governor))


def _clause_score(claim: Sentence, given: Slot) -> int:
    share = len(claim.stems & given.clause) / len(claim.stems)
    tuned = judge_calibration().values
    steps = (tuned.clause_whole, tuned.clause_most, tuned.clause_half)
    return sum(share >= step for step in steps)
