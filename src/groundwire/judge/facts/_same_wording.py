"""A sentence that has the claim word by word, but for one value: the surest slot there is."""

from collections.abc import Iterator
from typing import NamedTuple

from groundwire.judge.facts._match import is_subject
from groundwire.judge.facts._relation import comparable, conflicts, limits_differ
from groundwire.judge.facts._sentence import Sentence
from groundwire.text import stem, word_set
from groundwire.values import Name, Quantity, Value

_MIN_SHARED = 2
_RULES = word_set("must shall should may needs need required requires")


class SameWording(NamedTuple):
    """The two values in which a claim and a sentence differ, by their indexes."""

    claimed: int
    found: int
    is_whole: bool
    """Whether the sentence says nothing beyond the claim."""
    same_bounds: bool
    """Whether the words that bound a number are the same on both sides."""


def same_wordings_of(claim: Sentence, sentence: Sentence) -> Iterator[SameWording]:
    """The pairs of values around which all words of the claim stand in the sentence too."""
    if claim.is_negated != sentence.is_negated:
        return
    ours, theirs = claim.spoken, sentence.spoken
    for index, (first, after) in ours.places.items():
        for place, (begin, end) in theirs.places.items():
            left, right = ours.words[:first], ours.words[after:]
            if (
                theirs.words[max(0, begin - first) : begin] == left
                and theirs.words[end : end + len(right)] == right
                and type(claim.value(index)) is type(sentence.value(place))
            ):
                is_whole = first == begin and end + len(right) == len(theirs.words)
                bounds = _same_bounds(ours.words[first:after], theirs.words[begin:end])
                yield SameWording(index, place, is_whole, bounds)


def contradicts(claim: Sentence, sentence: Sentence, same: SameWording) -> bool:
    """Whether its value excludes the claim's, or sets another limit in the same words."""
    claimed, found = claim.value(same.claimed), sentence.value(same.found)
    if shared_words(claim, claimed) < _MIN_SHARED or is_subject(claimed, claim.slot(same.claimed)):
        return False
    if not same.is_whole and _has_another(claim, sentence, same):
        return False
    if conflicts(claimed, found):
        return True
    return same.same_bounds and limits_differ(claimed, found, is_rule=_is_rule(claim, claimed))


def shared_words(claim: Sentence, claimed: Value) -> int:
    """How many content words a claim shares with it: all but the value's own."""
    own = {stem(word) for word in claimed.words} if isinstance(claimed, Name) else set()
    return len(claim.stems - own)


def _has_another(claim: Sentence, sentence: Sentence, same: SameWording) -> bool:
    """Whether the rest of the sentence has a like value, which the claim may be about."""
    claimed = claim.value(same.claimed)
    said = {value.text for _, value in claim.values}
    return any(
        place != same.found and value.text not in said and comparable(claimed, value)
        for place, value in sentence.values
    )


def _is_rule(claim: Sentence, claimed: Value) -> bool:
    """Whether a limit is a rule, which a weaker one misstates: "within 24 hours", "must"."""
    is_deadline = isinstance(claimed, Quantity) and claimed.text.lower().startswith("within")
    return is_deadline or not _RULES.isdisjoint(claim.spoken.words)


def _same_bounds(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether two values differ in digits first, not in words as "at least" and "under"."""
    pairs = zip(mine, theirs, strict=False)
    differing = next((pair for pair in pairs if pair[0] != pair[1]), None)
    return differing is not None and all(word[0].isdigit() for word in differing)
