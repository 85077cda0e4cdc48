"""Whether a sentence speaks of another thing of the same kind: station 8, not station 7."""

from collections.abc import Iterator

from groundwire.judge.facts._align import is_subject
from groundwire.judge.facts._relation import comparable, may_be_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.text import STOP_WORDS, stem
from groundwire.values import Identifier, Name, Quantity, Value


def is_of_sibling(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether it has the claim's words but for what says which thing is meant, and has another.

    `index` is the value that is asked about; it tells nothing of the thing.
    """
    return any(
        _is_other_number(claim, at, value, sentence) for at, value in _marks(claim, index)
    ) or any(_is_other_name(claim, at, name, sentence) for at, name in claim.named if at != index)


def _marks(claim: Sentence, index: int) -> Iterator[tuple[int, Value]]:
    """The numbers and identifiers by which a claim says what it speaks of."""
    for at, value in claim.values:
        if at == index:
            continue
        slot = claim.slot(at)
        is_number = isinstance(value, Quantity) and (slot.named or is_subject(value, slot))
        if is_number or isinstance(value, Identifier):
            yield at, value


def _is_other_number(claim: Sentence, at: int, value: Value, sentence: Sentence) -> bool:
    """ "Station 8" of "Station 7": another of its kind, after the same noun, and not itself."""
    noun = claim.word_before(at)
    others = [
        found
        for place, found in sentence.values
        if comparable(value, found) and sentence.word_before(place) == noun
    ]
    return bool(others) and not any(may_be_same(value, found) for found in others)


def _is_other_name(claim: Sentence, at: int, name: Name, sentence: Sentence) -> bool:
    """ "The Lund plant" of "the Moss plant": another name beside the same noun."""
    if any(sentence.has_word(stem(word)) for word in name.words):
        return False
    beside = _beside(claim, at)
    return any(
        not any(claim.has_word(stem(word)) for word in other.words)
        and not beside.isdisjoint(_beside(sentence, place))
        for place, other in sentence.named
    )


def _beside(sentence: Sentence, index: int) -> frozenset[str]:
    """The content words next to a name, each with its side."""
    first, last = sentence.token_span(index)
    words = sentence.lowers
    near = [("before", word) for word in words[max(0, first - 1) : first]]
    near += [("after", word) for word in words[last + 1 : last + 2]]
    return frozenset(
        f"{side} {stem(word)}" for side, word in near if word.isalpha() and word not in STOP_WORDS
    )
