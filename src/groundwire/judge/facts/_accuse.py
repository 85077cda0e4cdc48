"""Which value of the evidence contradicts one of a claim: only what is certain."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._align import answers, are_listed, is_headed_by, says_the_same
from groundwire.judge.facts._derive import (
    is_one_step_away,
    is_within_reach,
    may_be_derived,
    may_state,
    states,
    word_coverage,
)
from groundwire.judge.facts._place import NEUTRAL, Place, is_replaced, place_of
from groundwire.judge.facts._relation import comparable, may_be_same
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._sibling import is_of_sibling
from groundwire.judge.facts._swap import (
    SameWording,
    contradicts,
    own_words,
    same_wordings_of,
    swapped,
    swapped_in_same_wording,
)
from groundwire.judge.facts._terms import EACH, EVERY, Asked, dimension_of
from groundwire.text import COPULAS, stem
from groundwire.values import Name, Period, Quantity, Value

_SAME_PLACE, _SAME_WORDING, _WORD_BY_WORD = range(3)
"""How surely a rival stands in the claim's place."""
_LONGEST_NAME = 6
_FAR = 6
"""Sentences around the one that accuses."""
_OF_THREE = 3
"""Of so many words of a claim one must be said."""
_STATE_VERBS = COPULAS | {"had", "has", "have", "to", "at", "of", "reached", "totalled"}
_EACH = frozenset({"each", "every", "apiece", "per"})


class Rival(NamedTuple):
    """A value that stands where the claim has another, and how surely."""

    score: int
    place: int
    found: Value


class Accuser:
    """Looks for what contradicts the values of one claim."""

    def __init__(self, claim: Sentence, evidence: IndexedEvidence, places: Iterable[int]) -> None:
        self._claim = claim
        self._evidence = evidence
        self._places = [place for place in places if place not in evidence.mute]
        if not evidence.is_whole or claim.opens_with_pronoun:
            self._places = []
        self._same_wordings = self._find_same_wordings()

    def word_by_word(self, index: int) -> Rival | None:
        """What contradicts a value in a sentence that is the claim but for it.

        This is said even of a value that stands elsewhere, if nothing is said there of the claim.
        """
        rivals = [
            rival
            for rival in self._same_wording_rivals(index)
            if rival.score == _WORD_BY_WORD and not self._is_per_another(index, rival)
        ]
        if not rivals or self._is_left_alone(index):
            return None
        places = {rival.place for rival in rivals}
        stated = [share for place, share in self._stating(index).items() if place not in places]
        touched = judge_calibration().values.touched
        return rivals[0] if max(stated, default=0.0) < touched else None

    def in_its_part(self, index: int) -> Rival | None:
        """What contradicts a value that a sentence has of another thing: "logs for 90 days".

        The sentence says all of the claim of another value: "backups for 90 days, logs for 30".
        """
        if self._is_left_alone(index):
            return None
        claimed = self._claim.value(index)
        stating = self._stating(index).keys()
        for place in self._places if len(stating) == 1 else ():
            sentence = self._evidence.sentences[place]
            if place not in stating or sentence.is_repeated:
                continue
            placed = [
                (one, place_of(self._claim, index, sentence, one)) for one, _ in sentence.values
            ]
            same = [sure for one, sure in placed if may_be_same(claimed, sentence.value(one))]
            own = [one for one, sure in placed if sure is Place.WHOLE]
            if (
                len(own) == 1
                and not any(same)
                and answers(self._claim, index, sentence, own[0])
                and says_the_same(self._claim, index, sentence, self._evidence.knows)
            ):
                return Rival(_SAME_PLACE, place, sentence.value(own[0]))
        return None

    def against(self, index: int) -> Rival | None:
        """What contradicts a number, a date or an identifier that the evidence does not have."""
        if self._is_left_alone(index):
            return None
        rivals = [*self._same_wording_rivals(index), *self._aligned_rivals(index)]
        if not rivals or self._stating(index):
            return None
        certain = [rival for rival in rivals if self._is_certain(index, rival)]
        return max(certain, key=lambda rival: (rival.score, -rival.place), default=None)

    def rival_in(self, index: int, place: int) -> Rival | None:
        """The only value of a sentence that the claim's might be, and is not.

        Whether it is said of the same thing is left to who judges the claim with it.
        """
        sentence = self._evidence.sentences[place]
        claimed = self._claim.value(index)
        like = [one for one, value in sentence.values if comparable(claimed, value)]
        if (
            len(like) != 1
            or place not in self._places
            or self._is_left_alone(index)
            or not answers(self._claim, index, sentence, like[0])
            or may_state(claimed, sentence)
            or not self._claim.denies_as(sentence)
            or is_of_sibling(self._claim, index, sentence)
            or self._stating(index)
            or not self._is_said_there(index, sentence, like[0])
        ):
            return None
        rival = Rival(_SAME_PLACE, place, sentence.value(like[0]))
        return rival if self._is_certain(index, rival) else None

    def _is_said_there(self, index: int, sentence: Sentence, place: int) -> bool:
        """Whether a sentence and what heads it have all but a third of the claim's words and its
        other numbers, and the claim asks for nothing to be worked out."""
        asked = Asked(self._claim, index)
        if getattr(asked.term.value, "about", False) or asked.is_total or asked.is_relative:
            return False
        if asked.way or asked.times or asked.has(EACH):
            return False
        given = sentence.slot(place)
        if dimension_of(asked.term) == "count" and asked.term.slot.run != given.run:
            return False
        words = [word for word in self._claim.words if word.stem not in NEUTRAL]
        missing = [word for word in words if not sentence.is_told(word.stem)]
        others = [(i, v) for i, v in self._claim.values if i != index and isinstance(v, Quantity)]
        is_told = len(missing) * _OF_THREE <= len(words)
        is_same = not is_replaced(self._claim, missing, sentence) and self._is_named(sentence)
        return (is_told and is_same) and all(
            is_headed_by(self._claim, i, sentence)
            or any(may_be_same(value, found) for _, found in sentence.values)
            for i, value in others
        )

    def _is_named(self, sentence: Sentence) -> bool:
        """Whether a sentence or what heads it has every name of the claim, to the letter: Finch-M
        is not Finch-S."""
        above = sentence.heading.lowers if sentence.heading is not None else []
        said = {*sentence.lowers, *above}
        # what opens a sentence has a capital anyway
        named = [(name, int(self._claim.slot(i).opens)) for i, name in self._claim.named]
        return all(said.issuperset(name.words[begin:]) for name, begin in named)

    def against_name(self, index: int) -> Rival | None:
        """What contradicts a name."""
        name = self._claim.value(index)
        if not isinstance(name, Name):
            return None
        spoken = self._evidence.speaking_of(own_words(name))
        sentences = self._evidence.sentences
        same = judge_calibration().values.least_coverage_if_close
        if any(word_coverage(self._claim, sentences[p]) >= same for p in spoken):
            return None
        for place in self._places:
            if spoken.isdisjoint({place - 1, place, place + 1}):
                other = self._swapped(index, place)
                if other is not None:
                    return Rival(_WORD_BY_WORD, place, other)
        return None

    def _find_same_wordings(self) -> dict[int, list[SameWording]]:
        return {
            place: list(same_wordings_of(self._claim, self._evidence.sentences[place]))
            for place in self._places
            if self._has_all_but_a_name(self._evidence.sentences[place])
        }

    def _has_all_but_a_name(self, sentence: Sentence) -> bool:
        return len(self._claim.stems - sentence.stems) <= _LONGEST_NAME

    def _same_wording_rivals(self, index: int) -> Iterable[Rival]:
        for place, same_wordings in self._same_wordings.items():
            sentence = self._evidence.sentences[place]
            for same in same_wordings:
                if same.claimed == index and contradicts(self._claim, sentence, same):
                    score = _WORD_BY_WORD if same.is_whole else _SAME_WORDING
                    yield Rival(score, place, sentence.value(same.found))

    def _aligned_rivals(self, index: int) -> Iterable[Rival]:
        for place in self._places:
            sentence = self._evidence.sentences[place]
            found = [
                one for one, _ in sentence.values if answers(self._claim, index, sentence, one)
            ]
            if not found or not self._may_accuse(index, sentence):
                continue
            placed = [one for one in found if place_of(self._claim, index, sentence, one)]
            if len(placed) == 1:
                yield Rival(_SAME_PLACE, place, sentence.value(placed[0]))

    def _may_accuse(self, index: int, sentence: Sentence) -> bool:
        claimed = self._claim.value(index)
        is_several = sum(comparable(claimed, value) for _, value in sentence.values) > 1
        return not (
            may_state(claimed, sentence)
            or (sentence.is_repeated and is_several)
            or are_listed(self._claim, index, sentence)
        ) and says_the_same(self._claim, index, sentence, self._evidence.knows)

    def _stating(self, index: int) -> dict[int, float]:
        """The sentences that may state a value, and how much of the claim each says."""
        return {
            place: word_coverage(self._claim, sentence)
            for place, sentence in enumerate(self._evidence.sentences)
            if states(self._claim, index, sentence)
            and not is_of_sibling(self._claim, index, sentence)
        }

    def _is_certain(self, index: int, rival: Rival) -> bool:
        """Whether the claim's value cannot have been worked out from what is said beside it."""
        value = self._claim.value(index)
        return not (
            self._is_per_another(index, rival)
            or may_be_derived(value, self._around(index, rival.place))
            or self._is_within_reach(index, rival.place)
            or is_one_step_away(value, self._evidence.sentences[rival.place])
            or (isinstance(value, Quantity) and self._is_share(rival.place))
        )

    def _is_per_another(self, index: int, rival: Rival) -> bool:
        """ "6,000 requests per minute" may be 100 per second: what is counted is no unit."""
        sentence = self._evidence.sentences[rival.place]
        other = next(one for one, value in sentence.values if value is rival.found)
        ours, theirs = _per(self._claim.slot(index).after), _per(sentence.slot(other).after)
        return bool(ours and theirs) and ours != theirs

    def _is_within_reach(self, index: int, place: int) -> bool:
        """Whether one operation gives it of what is said of the same things further away: a price,
        and how many there are."""
        value = self._claim.value(index)
        near = self._around(index, place, _FAR)
        stems = self._claim.stems
        spoken_of = [one for one in near if len(stems & one.stems) * _OF_THREE >= len(stems)]
        return isinstance(value, Quantity) and is_within_reach(value, spoken_of)

    def _around(self, index: int, place: int, steps: int = 1) -> list[Sentence]:
        """What a value may have been worked out from: nothing that is said of another thing."""
        near = self._evidence.around(place, steps)
        return [one for one in near if not is_of_sibling(self._claim, index, one)]

    def _is_share(self, place: int) -> bool:
        """ "Three shifts with eight nurses each": in all there are others than eight."""
        sentence = self._evidence.sentences[place]
        return _EACH.isdisjoint(self._claim.lowers) and not _EACH.isdisjoint(sentence.lowers)

    def _is_left_alone(self, index: int) -> bool:
        value = self._claim.value(index)
        is_weak = isinstance(value, Quantity) and value.weak
        return is_weak or self._is_condition(index) or self._is_subject(index)

    def _is_subject(self, index: int) -> bool:
        """ "2020 is a leap year": that 2024 is one, too, says nothing of it."""
        slot = self._claim.slot(index)
        return slot.opens and not COPULAS.isdisjoint(slot.after[:1])

    def _is_condition(self, index: int) -> bool:
        """Whether a date says when some figure held: in another year it was another figure."""
        if not isinstance(self._claim.value(index), Period):
            return False
        slots = [self._claim.slot(i) for i, v in self._claim.values if isinstance(v, Quantity)]
        return any(_tells_state(slot.before) for slot in slots)

    def _swapped(self, index: int, place: int) -> Name | None:
        sentence = self._evidence.sentences[place]
        for same in self._same_wordings.get(place, ()):
            if same.claimed == index and same.is_whole:
                other = swapped_in_same_wording(self._claim, sentence, same)
                if other is not None:
                    return other
        return swapped(self._claim, index, sentence, self._evidence.knows)


def _per(after: Sequence[str]) -> str:
    """What a value is for each of: "600 patients a week" → week."""
    for word, unit in pairwise(after):
        if word == "per" or (word in {"a", "an", "each", "every"} and unit in EVERY):
            return stem(unit)
    return ""


def _tells_state(before: Sequence[str]) -> bool:
    """ "revenue was 5", "a population of 5"; not "7 of 12"."""
    return not _STATE_VERBS.isdisjoint(before[:1]) and not any(map(str.isdigit, before[1:2]))
