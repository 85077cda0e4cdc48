"""Whether a sentence says what a claim says, but for one value.

Everything here errs to silence: what is not certainly the same slot is no alignment.
"""

from collections.abc import Callable

from groundwire.judge.facts._relation import comparable, conflicts, may_be_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.text import COPULAS, STOP_WORDS, stem, word_set
from groundwire.values import Identifier, Name, Period, Quantity, Value

_INDIRECT = frozenset(stem(word) for word in ("someone", "somebody", "something"))
_CLASS_PARTS = 2
_EACH = frozenset({"each", "every", "per", "apiece"})
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

Knows = Callable[[str], bool]
"""Whether the evidence has a word anywhere."""


def answers(claim: Sentence, index: int, sentence: Sentence, place: int) -> bool:
    """Whether a sentence's value excludes the claim's and answers the same question."""
    claimed, found = claim.value(index), sentence.value(place)
    asked, given = claim.slot(index), sentence.slot(place)
    if not conflicts(claimed, found) or is_subject(claimed, asked):
        return False
    if (asked.unsure or given.unsure) and not (_is_each(asked) and _is_each(given)):
        return False
    if any(i != index and may_be_same(other, found) for i, other in claim.values):
        return False
    if isinstance(claimed, Period):
        dated = given.governor or next(iter(given.right), "")
        is_dated = not dated or claim.has_word(dated) or _is_all_there(claim, sentence, place)
        return asked.attributive == given.attributive and is_dated
    return not isinstance(claimed, Quantity) or _counts_the_same(claimed, asked, sentence, place)


def _is_all_there(claim: Sentence, sentence: Sentence, place: int) -> bool:
    """Whether the clause of a sentence's only time has all of the claim: "leaves the quay at 6"."""
    found = sentence.value(place)
    rivals = [value for _, value in sentence.values if comparable(found, value)]
    return len(rivals) == 1 and claim.stems <= sentence.slot(place).clause


def _is_each(slot: Slot) -> bool:
    """ "EUR 310 for each container", "EUR 310 per container"."""
    return not _EACH.isdisjoint(slot.after[:2])


def _counts_the_same(claimed: Quantity, asked: Slot, sentence: Sentence, place: int) -> bool:
    """Whether two numbers count one noun, and all of it: not "three kids and another kid"."""
    given = sentence.slot(place)
    if asked.named or given.named:
        is_version = asked.named and given.named and asked.left[:1] == given.left[:1]
        return is_version and min(len(asked.left), len(given.left)) > 1
    if claimed.dimension not in _COUNTS:
        return True
    if not asked.run or not given.run:
        return asked.left[:1] == given.left[:1] or asked.run == given.run != ()
    ours, theirs = set(asked.run), set(given.run)
    is_same = asked.run[0] == given.run[0] or ours <= theirs or theirs <= ours
    return is_same and not any(sentence.counts(noun) > 1 for noun in ours & theirs)


def are_listed(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """ "the 1952 Olympics, the 1956 Olympics and the 1960 Olympics": any of them would do."""
    claimed, asked = claim.value(index), claim.slot(index)
    alike = [
        place
        for place, value in sentence.values
        if comparable(claimed, value) and sentence.slot(place).right[:1] == asked.right[:1]
    ]
    return len(alike) > 1 and bool(asked.right)


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


def says_the_same(claim: Sentence, index: int, sentence: Sentence, knows: Knows) -> bool:
    """Whether all else in the claim agrees: its names, its other values, whether it denies."""
    return (
        claim.denies_as(sentence)
        and claim.stems.isdisjoint(_INDIRECT)
        and _has_opening(claim, index, sentence)
        and all(_is_known(v, sentence, knows) for i, v in claim.named if i != index)
        and all(_agrees(claim, i, sentence) for i, _ in claim.values if i != index)
    )


def _has_opening(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether the sentence has the claim's subject; of a name a part is enough."""
    opening = claim.opening
    is_here = not opening or sentence.is_told(opening)
    return is_here or claim.is_name(opening) or claim.slot(index).opens


def _is_known(name: Name, sentence: Sentence, knows: Knows) -> bool:
    """Whether a sentence speaks of a name: in full, or in part when the evidence has the rest."""
    words = [stem(word) for word in name.words if len(word) > 1 and word not in STOP_WORDS]
    here = [word for word in words if sentence.is_told(word)]
    return not words or (bool(here) and all(word in here or knows(word) for word in words))


def _agrees(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether the sentence speaks of another value of the claim, or at least of no rival."""
    value = claim.value(index)
    rivals = [found for _, found in sentence.values if comparable(value, found)]
    if any(may_be_same(value, found) for found in rivals):
        return True
    return (not rivals and isinstance(value, Quantity)) or is_headed_by(claim, index, sentence)


def is_headed_by(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether a value of the claim says what the sentence is of: "Board sheet, sensor node R4".

    Not where the heading has several, or where the sentence numbers the same noun otherwise.
    """
    value, noun = claim.value(index), claim.word_before(index)
    above = sentence.heading.values if sentence.heading is not None else []
    like = [found for _, found in above if comparable(value, found)]
    own = [i for i, found in sentence.values if comparable(value, found)]
    is_own = any(sentence.word_before(i) == noun for i in own)
    return len(like) == 1 and may_be_same(value, like[0]) and not is_own
