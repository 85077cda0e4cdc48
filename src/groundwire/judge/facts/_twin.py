"""A sentence that is the claim word by word, but for one value: the surest slot there is."""

from collections.abc import Iterable
from typing import NamedTuple

from groundwire.claims.values import Kind, Name, Quantity, Value, word_set
from groundwire.judge.facts._match import is_subject
from groundwire.judge.facts._relation import conflicts, limits_differ
from groundwire.judge.facts._sentence import Sentence, Spoken
from groundwire.judge.facts._words import stem

_MIN_SHARED = 2
_MAX_VALUE_TOKENS = 12
_RULES = word_set("must shall should may needs need required requires")


class Twin(NamedTuple):
    """The values on either side of the one difference, by their indexes."""

    claimed: int
    found: int
    differs_in_digits: bool
    """Whether the words that bound a number are the same on both sides."""


def twin_of(claim: Sentence, sentence: Sentence) -> Twin | None:
    """The two values in which a claim and a sentence differ, when they differ in nothing else."""
    ours, theirs = claim.spoken, sentence.spoken
    if abs(len(ours) - len(theirs)) > _MAX_VALUE_TOKENS:
        return None
    left = _common(zip(ours, theirs, strict=False))
    right = _common(zip(reversed(ours), reversed(theirs), strict=False))
    right = min(right, len(ours) - left, len(theirs) - left)
    mine, other = ours[left : len(ours) - right], theirs[left : len(theirs) - right]
    index, place = _sole_owner(mine), _sole_owner(other)
    if index is None or place is None:
        return None
    return Twin(index, place, mine[0].kind is Kind.NUMBER is other[0].kind)


def contradicts(claim: Sentence, sentence: Sentence, twin: Twin) -> bool:
    """Whether a twin's value excludes the claim's, or sets another limit in the same words."""
    claimed, found = claim.value(twin.claimed), sentence.value(twin.found)
    if shared_words(claim, claimed) < _MIN_SHARED or is_subject(claimed, claim.slot(twin.claimed)):
        return False
    if conflicts(claimed, found):
        return True
    return twin.differs_in_digits and limits_differ(
        claimed, found, is_rule=_is_rule(claim, claimed)
    )


def shared_words(claim: Sentence, claimed: Value) -> int:
    """How many content words a claim shares with its twin: all but the value's own."""
    own = {stem(word) for word in claimed.words} if isinstance(claimed, Name) else set()
    return len(claim.stems - own)


def _is_rule(claim: Sentence, claimed: Value) -> bool:
    """Whether a limit is a rule, which a weaker one misstates: "within 24 hours", "must"."""
    is_deadline = isinstance(claimed, Quantity) and claimed.text.lower().startswith("within")
    return is_deadline or any(word.lower in _RULES for word in claim.spoken)


def _common(pairs: Iterable[tuple[Spoken, Spoken]]) -> int:
    count = 0
    for mine, theirs in pairs:
        if mine.lower != theirs.lower:
            break
        count += 1
    return count


def _sole_owner(words: tuple[Spoken, ...]) -> int | None:
    """The one value that all of some words belong to."""
    owners = {word.owner for word in words}
    return owners.pop() if len(owners) == 1 and -1 not in owners else None
