"""Whether two values stand in the same place: of the same thing, under the same predicate.

A place is told by the words around it. Where a sentence has several like values ("backups for 90
days, logs for 30 days"), each owns the words of its own part, and shares what stands before the
first of them.
"""

from collections.abc import Iterable, Sequence
from enum import IntEnum

from groundwire.judge.facts._align import is_headed_by, same_role
from groundwire.judge.facts._relation import comparable, confirmed_by, may_be_same
from groundwire.judge.facts._sentence import Sentence, word_key
from groundwire.judge.facts._slot import Slot, Word
from groundwire.judge.facts._terms import UNSTATED
from groundwire.text import PRONOUNS, stem, word_list, word_set
from groundwire.values import Period, Quantity, Value

_BREAKS = word_set(", ; : ( ) and but while whereas or |")
_CONDITIONS = word_set("if unless when only except provided excluding")
_MODALS = word_set("must shall should may might could would will can cannot")
_ROLES = word_set("than versus against from")
# words that say nothing but that a value is one
NEUTRAL = frozenset(
    stem(word)
    for word in word_list(
        "amount amounts total equal measure stand stands come comes get exactly precisely just"
        " currently now today degree unit number figure value level set lie everyone everybody"
    )
)
# one predicate in several words, each line a group
_SAME_WORDS = """
    contain hold comprise include house store
    last take run duration
    start begin commence open
    end finish close conclude
    rise increase grow climb
    fall drop decrease decline sink
    cost price charge
    employ staff employee
    buy purchase acquire
    earn make
    need require
    build construct
    found establish
    reach hit attain
    deliver supply provide
    keep retain preserve
    weigh weight mass
    tall high height
    long length
    wide width
    deep depth
    thick thickness
    fast speed
    pay wage salary
    big large
    ship dispatch send
    yearly annual annually year
    monthly month
    weekly week
    daily day
    car vehicle automobile
    photo photograph picture
"""
_GROUPS = {
    word_key(stem(word)): number
    for number, line in enumerate(_SAME_WORDS.strip().splitlines())
    for word in line.split()
}
# "twelve boxes at EUR 4 each": what they cost
_SAID_BY_UNIT = {
    kind: frozenset({f"#{_GROUPS[word_key(stem(word))]}"})
    for kind, word in (("money", "cost"), ("mass", "weigh"))
}
_MAX_VALUES = 12
"""A claim with more values is a list, and every value of it could be in many places."""
_MIN_SHARED = 2
_MOST_MISSING = 3  # one word in three


class Place(IntEnum):
    """How surely a sentence's value stands where the claim's does."""

    OTHER = 0
    """Of another thing, or not known to be of the same."""
    SLOT = 1
    """Of the same thing; the claim says more than this sentence does."""
    WHOLE = 2
    """The sentence says all that the claim says, but for the form of the value."""


def place_of(claim: Sentence, index: int, sentence: Sentence, place: int) -> Place:
    """Whether a value of a sentence is the one that the claim's is about."""
    if len(claim.values) > _MAX_VALUES:
        return Place.OTHER
    part = _Part(claim.value(index), sentence, place)
    needed = [word for word in claim.words if word.stem not in NEUTRAL]
    said = [word for word in needed if fold(word.stem) in part.words]
    implied = said_by_unit(claim.value(index))
    lacking = [w for w in needed if fold(w.stem) not in part.words and fold(w.stem) not in implied]
    above = {fold(word) for word in sentence.heading_stems(claim)} if lacking else set()
    missing = [word for word in lacking if fold(word.stem) not in above]
    others = [
        is_headed_by(claim, i, sentence) or _stands(value, sentence, part)
        for i, value in claim.values
        if i != index
    ]
    if (
        not _is_alike(claim, index, sentence, place)
        or len(said) < max(1, min(_MIN_SHARED, len(needed)))
        or part.is_of_another(claim)
        or is_replaced(claim, lacking, sentence)
        or None in others
        or lacks_name(claim, missing)
    ):
        return Place.OTHER
    is_date = isinstance(claim.value(index), Period)
    is_near = not is_date or _is_near(needed, sentence.slot(place))
    is_all = not lacking and all(others) and is_near
    if is_all and _says_no_less(claim, sentence, part, needed):
        return Place.WHOLE
    return Place.SLOT if len(missing) * _MOST_MISSING <= len(needed) else Place.OTHER


def said_by_unit(value: Value) -> frozenset[str]:
    """What no sentence need say beside a value, in folded words: of money what it costs."""
    kind, _, _ = getattr(value, "dimension", "").partition(":")
    return _SAID_BY_UNIT.get(kind, frozenset())


def _is_alike(claim: Sentence, index: int, sentence: Sentence, place: int) -> bool:
    """Whether both values have one role: both a peak, both "by" and not "to", of one noun."""
    claimed, asked, given = claim.value(index), claim.slot(index), sentence.slot(place)
    if not claim.denies_as(sentence) or asked.choice or given.choice:
        return False
    if not isinstance(claimed, Quantity):
        return True
    if not _unstated(claim) <= _unstated(sentence):
        return False  # "375 seats left" of 400 seats
    return same_role(asked, given) and not _counts_another(claimed, asked.run, given.run)


def _unstated(sentence: Sentence) -> frozenset[str]:
    return UNSTATED.intersection(map(stem, sentence.unvalued))


def _is_near(needed: Sequence[Word], given: Slot) -> bool:
    """Whether a date's own clause has all of it: a long sentence may date something else."""
    clause = {fold(word) for word in given.clause}
    return all(fold(word.stem) in clause for word in needed)


class _Part:
    """The words that belong to one of a sentence's like values."""

    def __init__(self, claimed: Value, sentence: Sentence, place: int) -> None:
        rivals = [i for i, value in sentence.values if comparable(claimed, value)]
        position = rivals.index(place) if place in rivals else 0
        first, last = sentence.token_span(place)
        self.first = first
        self._begin = self._front = 0
        end = len(sentence.lowers)
        if position:
            before = sentence.token_span(rivals[position - 1])[1]
            self._begin = _break(sentence.lowers, range(first - 1, before, -1), before) + 1
            self._front = sentence.token_span(rivals[0])[0]
        if position + 1 < len(rivals):
            following = sentence.token_span(rivals[position + 1])[0]
            end = _break(sentence.lowers, range(last + 1, following), following)
        self._end = end
        self.own = [word for word in sentence.words if self._begin <= word.place < end]
        self.shared = [word for word in sentence.words if word.place < self._front]
        self.words = {fold(word.stem) for word in (*self.shared, *self.own)}

    def holds(self, sentence: Sentence, place: int) -> bool:
        """Whether another value of the sentence stands in this part, or in what it shares."""
        first, _ = sentence.token_span(place)
        return first < self._front or self._begin <= first < self._end

    def is_of_another(self, claim: Sentence) -> bool:
        """ "backups ... , logs for 30 days": the part has a subject of its own."""
        if not self._begin:
            return False
        said = {fold(word.stem) for word in claim.words}
        return any(w.place < self.first and fold(w.stem) not in said for w in self.own)


def _break(lowers: Sequence[str], places: Iterable[int], otherwise: int) -> int:
    return next((place for place in places if lowers[place] in _BREAKS), otherwise)


def fold(word: str) -> str:
    key = word_key(word)
    return f"#{_GROUPS[key]}" if key in _GROUPS else key


def _counts_another(claimed: Quantity, asked: Sequence[str], given: Sequence[str]) -> bool:
    """ "12 turbines" and "12 transformers"."""
    if claimed.dimension not in {"count", "ordinal"} or not asked or not given:
        return False
    return {fold(word) for word in asked}.isdisjoint(fold(word) for word in given)


def _stands(value: Value, sentence: Sentence, part: _Part) -> bool | None:
    """Whether a value's part has another one of the claim; None where all there is are rivals."""
    rivals = [(place, found) for place, found in sentence.values if comparable(value, found)]
    if any(part.holds(sentence, p) and confirmed_by(value, found) for p, found in rivals):
        return True
    return False if not rivals or any(may_be_same(value, found) for _, found in rivals) else None


def lacks_name(claim: Sentence, missing: Sequence[Word]) -> bool:
    """Whether a missing word is a name; a capital at the head of a sentence proves none."""
    return any(word.place and claim.is_name(word.stem) for word in missing)


def is_replaced(
    claim: Sentence, missing: Sequence[Word], sentence: Sentence, steps: Sequence[int] = (1, -1)
) -> bool:
    """Whether the sentence has another word beside the same noun: "the production cluster".

    After a noun it may be another verb.
    """
    said = {fold(word.stem) for word in claim.words}
    for word in missing:
        for step in steps:
            near = _neighbour(claim, word.place, step)
            if near is None:
                continue
            for other in sentence.words:
                beside = _neighbour(sentence, other.place, -step)
                if fold(other.stem) == fold(near) and beside and fold(beside) not in said:
                    return True
    return False


def _neighbour(sentence: Sentence, place: int, step: int) -> str | None:
    return next((word.stem for word in sentence.words if word.place == place + step), None)


def _says_no_less(claim: Sentence, sentence: Sentence, part: _Part, needed: Sequence[Word]) -> bool:
    """Whether no condition, mode, role or owner in the sentence is left out by the claim."""
    ours, theirs = claim.unvalued, sentence.unvalued
    if not keeps_mode(claim, [sentence]) or sentence.asks:
        return False
    said = [fold(word.stem) for word in needed]
    if not _ROLES.isdisjoint(ours | theirs) and not _same_order(said, sentence):
        return False
    if len(claim.named) > 1:
        return _same_order(said, sentence) and not _has_between(said, sentence, part)
    return not _has_between(said, sentence, part)


def keeps_mode(claim: Sentence, sentences: Sequence[Sentence]) -> bool:
    """Whether a claim has the modal verbs of sentences, drops no condition, names its subject."""
    ours, theirs = claim.unvalued, frozenset().union(*(one.unvalued for one in sentences))
    is_same = ours & _MODALS == theirs & _MODALS and not (theirs - ours) & _CONDITIONS
    return is_same and PRONOUNS.isdisjoint(claim.lowers[:1])


def _same_order(said: Sequence[str], sentence: Sentence) -> bool:
    """Whether the claim's words come in the same order: "A costs more than B"."""
    heard = [fold(word.stem) for word in sentence.words]
    place = 0
    for word in said:
        if word not in heard[place:]:
            return False
        place = heard.index(word, place) + 1
    return True


def _is_possessor(sentence: Sentence, place: int) -> bool:
    """ "the supplier of Acme"."""
    before = sentence.lowers[max(0, place - 2) : place]
    return before[-1:] == ["of"] or (before[:1] == ["of"] and before[-1] in {"the", "a", "an"})


def _has_between(said: Sequence[str], sentence: Sentence, part: _Part) -> bool:
    """Whether something the claim does not name stands within what it says: "Acme's supplier"."""
    front = [word for word in (*part.shared, *part.own) if word.place < part.first]
    known = [place for place, word in enumerate(front) if fold(word.stem) in said]
    inside = front[known[0] : known[-1] + 1] if known else []
    if known and known[0] and _is_possessor(sentence, front[known[0]].place):
        return True
    extra = [w.stem for w in inside if fold(w.stem) not in said and w.stem not in NEUTRAL]
    return any(not word.endswith("li") for word in extra)  # "briefly" restricts nothing
