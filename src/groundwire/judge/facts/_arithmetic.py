"""Values that a claim took not from a sentence but from several, by arithmetic.

The operation is one that the wording asks for (`_operations`), and its operands stand in sentences
that say the rest of the claim; else nothing is said.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from groundwire.judge.facts._derive import may_be_derived, may_state, states
from groundwire.judge.facts._follows import Follows
from groundwire.judge.facts._moments import DAY_MIN
from groundwire.judge.facts._operations import compared, results, told_times
from groundwire.judge.facts._place import (
    NEUTRAL,
    fold,
    is_replaced,
    keeps_mode,
    lacks_name,
    said_by_unit,
)
from groundwire.judge.facts._relation import comparable, confirmed_by, conflicts
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._slot import Word
from groundwire.judge.facts._terms import CUES, Asked, Result, Term
from groundwire.text import stem
from groundwire.values import Period, Quantity, Value

_MOST_SENTENCES = 6
_MOST_LINKED = 3
_LONGEST_PASSAGE = 3
_MIN_SHARED = 2
_MOST_MISSING = 3  # one word in three
_MOST_NOTES = 3
_FEW = 3
_NEARLY = 10  # "doubled" may be a tenth off


class Derivation(NamedTuple):
    """A result, how much of the claim its operands' sentences say, and where they stand."""

    result: Result
    places: tuple[int, ...]
    """The sentences of the operands, the first operand's first."""
    is_whole: bool
    """Whether these sentences say all of the claim, and no other operands could be meant."""


@dataclass(frozen=True)
class Arithmetic:
    """Works out the values of one claim from some sentences of the evidence."""

    claim: Sentence
    evidence: IndexedEvidence
    places: Sequence[int]
    """Where operands are looked for, the sentences with most of the claim's words first."""
    allowed: Collection[int]
    """Where an operand may stand that only shares words with those."""

    def confirmed(self, index: int) -> Derivation | None:
        """The surest derivation that gives a claim's value."""
        value = self.claim.value(index)
        equal = [one for one in self._derivations(index) if confirmed_by(value, one.result.value)]
        return max(equal, key=_sureness, default=None)

    def contradicted(self, index: int) -> Derivation | None:
        """What the value would have to be: only where nothing else can be meant or was stated."""
        value = self.claim.value(index)
        near_it = set(self.places)
        found = [o for o in self._derivations(index) if o.is_whole and near_it.issuperset(o.places)]
        if not found or self.claim.opens_with_pronoun or not self.evidence.is_whole:
            return None
        if not all(conflicts(value, one.result.value) for one in found):
            return None
        sentences = self.evidence.sentences
        if any(states(self.claim, index, sentence) for sentence in sentences):
            return None
        places = dict.fromkeys(place for one in found for place in one.places)
        near = [sentence for place in places for sentence in self.evidence.around(place)]
        return None if may_be_derived(value, near) else min(found, key=_length)

    def likely(self, index: int) -> Derivation | None:
        """One that gives a claim's value from sentences on its topic, of which another judges."""
        value = self.claim.value(index)
        found = self._derivations(index, is_loose=True)
        equal = [one for one in found if confirmed_by(value, one.result.value)]
        return min(equal, key=_length, default=None) or self._following(index)

    def _following(self, index: int) -> Derivation | None:
        """One that no word asks for, of a value that nothing states: of few things there are two
        or three anywhere."""
        value = self.claim.value(index)
        is_few = getattr(value, "dimension", "") == "count" and value.value <= _FEW  # type: ignore[union-attr]
        near = [self.evidence.sentences[place] for place in self.places]
        if is_few or any(may_state(value, one, in_any_unit=False) for one in near):
            return None
        terms = self._follows.gives(index)
        sentences = {term.place: term.sentence for term in terms}
        words = [word for word in self.claim.words if word.stem in self._needed]
        of_others = [self._is_of_another(words, s, is_loose=True) for s in sentences.values()]
        if not terms or any(of_others) or not self._says_of_what(index, sentences):
            return None
        result = Result(value, terms, "", is_certain=False)
        return Derivation(
            result, tuple(dict.fromkeys(term.place for term in terms)), is_whole=False
        )

    def _says_of_what(self, index: int, places: Iterable[int]) -> bool:
        """Whether sentences have what a claim compares with, and of what it says a share: "longer
        than the pine beam", "a tenth of the buses"."""
        said = {fold(stem) for place in places for stem in self.evidence.stems_at(place)}
        lowers, slot = self.claim.lowers, self.claim.slot(index)
        than = lowers.index("than") if "than" in lowers else len(lowers)
        words = [w for w in self.claim.words if w.stem not in CUES]
        own = {fold(w.stem) for w in words if w.place < than}
        wanted = {fold(w.stem) for w in words if w.place > than} - own
        is_share = getattr(self.claim.value(index), "dimension", "") == "ratio"
        whole = set(map(fold, slot.right)) if is_share and slot.after[:1] == ("of",) else set()
        return all(not some or some & said for some in (wanted, whole))

    @cached_property
    def _follows(self) -> Follows:
        asked = [place for place in self.places if not self.evidence.sentences[place].asks]
        return Follows(self.claim, self.evidence, asked)

    def is_otherwise(self, index: int) -> bool:
        """Whether all that sentences on the topic give is another value."""
        value = self.claim.value(index)
        found = [one.result.value for one in self._derivations(index, is_loose=True)]
        return bool(found) and all(conflicts(value, one) for one in found)

    def multiple(self) -> tuple[bool, Derivation] | None:
        """Whether something doubled as the claim says, and by which values."""
        if self.claim.opens_with_pronoun or not self.evidence.is_whole:
            return None
        found = list(self._multiples())
        equal = [one for is_so, one in found if is_so]
        if equal:
            return True, max(equal, key=_sureness)
        whole = [one for _, one in found if one.is_whole and not self._is_mute(one)]
        return (False, whole[0]) if whole else None

    def is_other_multiple(self) -> bool:
        """Whether the values say that nothing doubled."""
        found = [is_so for is_so, _ in self._multiples()]
        return bool(found) and not any(found)

    def _is_mute(self, one: Derivation) -> bool:
        return not self.evidence.mute.isdisjoint(one.places)

    def _multiples(self) -> Iterator[tuple[bool, Derivation]]:
        asked = Asked(self.claim, -1)
        for passage in self._on_topic if asked.times else ():
            for ratio, pair in compared(asked, self._terms(passage)):
                result = Result(pair[1].value, tuple(pair), "", is_certain=True)
                fit = self._fit(-1, passage, result, is_loose=True)
                if fit is not None and asked.times is not None:
                    times = asked.times[1]
                    places = tuple(dict.fromkeys(term.place for term in pair))
                    is_so = abs(ratio - times) * _NEARLY <= times
                    yield is_so, Derivation(result, places, fit)

    def notes(self) -> Iterator[str]:
        """Computed facts in plain words, those with the claim's own values first."""
        told: list[tuple[bool, str]] = []
        for index, value in self.claim.values:
            for one in self._derivations(index):
                is_equal = confirmed_by(value, one.result.value)
                written = value.text if is_equal else _written(one.result.value)
                if written and self._shares_enough(one.places):
                    told.append((not is_equal, one.result.told.format(written)))
        for passage in () if told else self._passages:
            for ratio, pair in compared(Asked(self.claim, -1), self._terms(passage)):
                if self._shares_enough([term.place for term in pair]):
                    told.append((True, told_times(ratio, pair)))
        yield from dict.fromkeys(note for _, note in sorted(told))

    def _derivations(self, index: int, *, is_loose: bool = False) -> Iterator[Derivation]:
        asked = Asked(self.claim, index)
        for passage in self._on_topic if is_loose else self._passages:
            if len(passage) == _LONGEST_PASSAGE and not asked.is_total:
                continue
            for result in results(asked, self._terms(passage)):
                places = tuple(dict.fromkeys(term.place for term in result.operands))
                if len(places) == len(passage) or len(passage) == 1:
                    fit = self._fit(index, passage, result, is_loose=is_loose)
                    if fit is not None:
                        yield Derivation(result, places, fit and result.is_certain)

    def _terms(self, passage: Sequence[int]) -> list[Term]:
        found = [(place, self.evidence.sentences[place]) for place in passage]
        return [Term(place, sentence, *one) for place, sentence in found for one in sentence.values]

    @cached_property
    def _passages(self) -> list[tuple[int, ...]]:
        """One to three sentences of one document; the last of two may speak of the first only."""
        return self._groups([place for place in self.places if place not in self.evidence.mute], 1)

    @cached_property
    def _on_topic(self) -> list[tuple[int, ...]]:
        """The same, rows of tables too."""
        sentences = self.evidence.sentences
        return self._groups([p for p in self.places if not sentences[p].asks], _MOST_LINKED)

    def _groups(self, near: Sequence[int], linking: int) -> list[tuple[int, ...]]:
        valued = [place for place in near if self.evidence.sentences[place].values]
        best = sorted(valued[:_MOST_SENTENCES])
        sizes = range(1, _LONGEST_PASSAGE + 1)
        groups = [group for size in sizes for group in combinations(best, size)]
        groups += [(place, other) for place in valued[:linking] for other in self._linked(place)]
        return [group for group in groups if self.evidence.is_one_document(group)]

    def _linked(self, place: int) -> list[int]:
        """Sentences with values that share words with a sentence, not with the claim."""
        sentences = self.evidence.sentences
        shared = self.evidence.shared_words(sentences[place])
        known = {*self.places, *self.evidence.mute}
        free = [p for p in shared if p in self.allowed and p not in known and sentences[p].values]
        return sorted(free, key=lambda other: (-shared[other], other))[:_MOST_LINKED]

    @cached_property
    def _needed(self) -> list[str]:
        return [w.stem for w in self.claim.words if w.stem not in NEUTRAL and w.stem not in CUES]

    def _fit(
        self, index: int, passage: Sequence[int], result: Result, *, is_loose: bool
    ) -> bool | None:
        """Whether the sentences say all of the claim; None where they may be of another thing.

        Loosely a word of the claim is enough, where nothing in them is of another thing.
        """
        sentences = [self.evidence.sentences[place] for place in passage]
        said = {fold(stem) for place in passage for stem in self.evidence.stems_at(place)}
        said |= {fold(stem) for one in sentences for stem in one.heading_stems(self.claim)}
        needed = set(self._needed) - result.asked_by
        words = [word for word in self.claim.words if word.stem in needed]
        unsaid = [word for word in words if fold(word.stem) not in said]
        implied = said_by_unit(self.claim.value(index)) if index >= 0 else frozenset()
        missing = [word for word in unsaid if fold(word.stem) not in implied]
        least = 1 if is_loose else max(1, min(_MIN_SHARED, len(words)))
        is_far = not is_loose and len(missing) * _MOST_MISSING > len(words)
        unknown = [w for w in missing if not is_loose or not self.evidence.knows(w.stem)]
        if len(words) - len(unsaid) < least or is_far or lacks_name(self.claim, unknown):
            return None
        if any(self._is_of_another(words, one, is_loose=is_loose) for one in sentences):
            return None
        rest = [value for i, value in self.claim.values if i != index]
        if result.is_dated:
            rest = [value for value in rest if not isinstance(value, Period)]
        count = len(result.operands)
        others = [_counts(value, count) or self._stands(value, sentences) for value in rest]
        if None in others:
            return None
        return not missing and all(others) and keeps_mode(self.claim, sentences)

    def _is_of_another(self, words: Sequence[Word], sentence: Sentence, *, is_loose: bool) -> bool:
        own = {fold(stem) for stem in sentence.stems}
        lacking = [word for word in words if fold(word.stem) not in own]
        return (
            is_replaced(self.claim, lacking, sentence, (1,) if is_loose else (1, -1))
            or self._names_another(sentence)
            or sentence.asks
            or not self.claim.denies_as(sentence)
        )

    def _names_another(self, sentence: Sentence) -> bool:
        """ "Delft has 12 pumps. Zeist has 15 pumps.", where the claim is about Delft."""
        ours = {name.words for _, name in self.claim.named} & self.evidence.names.keys()
        theirs = [n.words for _, n in sentence.named if not self.claim.has_word(stem(n.words[0]))]
        return bool(ours) and bool(theirs) and ours.isdisjoint(n.words for _, n in sentence.named)

    def _stands(self, value: Value, sentences: Sequence[Sentence]) -> bool | None:
        """Whether the sentences have another value of the claim; None where they have rivals."""
        found = [one for sentence in sentences for _, one in sentence.values]
        if any(confirmed_by(value, one) for one in found):
            return True
        if isinstance(value, Period) and value.frame == "calendar":
            ends = {value.first[0], value.last[0]}
            if len(ends) > 1 and all(any(end in s.years for s in sentences) for end in ends):
                return True  # "from 2022 to 2023"
        if any(_spans(sentence, value) for sentence in sentences):
            return True
        is_span = isinstance(value, Quantity) and value.dimension == "time"
        return None if any(comparable(value, one) for one in found) and not is_span else is_span

    def _shares_enough(self, places: Sequence[int]) -> bool:
        said = {fold(s) for p in places for s in self.evidence.sentences[p].stems}
        return sum(fold(word) in said for word in set(self._needed)) >= _MIN_SHARED


def notes(claim: str, sentences: Sequence[str]) -> list[str]:
    """Facts worked out from values of some sentences, in plain words, for who judges the claim.

    Three at most; none where no sentence shares two content words with the claim.
    """
    asked, evidence = Sentence(claim), IndexedEvidence.of(sentences)
    shared = evidence.shared_words(asked)
    order = sorted(shared, key=lambda place: (-shared[place], place))
    everywhere = range(len(evidence.sentences))
    return list(Arithmetic(asked, evidence, order, everywhere).notes())[:_MOST_NOTES]


def _counts(value: Value, operands: int) -> bool:
    """ "the two crews together"."""
    return isinstance(value, Quantity) and value.dimension == "count" and value.value == operands


def _spans(sentence: Sentence, value: Value) -> bool:
    """Whether a time of day lies between the two of a sentence: midnight, from 22:00 to 5:00."""
    given = [(i, one) for i, one in sentence.values if getattr(one, "frame", "") == "clock"]
    if len(given) != 2 or getattr(value, "frame", "") != "clock":  # noqa: PLR2004
        return False
    if sentence.slot(given[0][0]).before[:1] not in {("from",), ("between",)}:
        return False
    begin, end, at = (one.readings[0][0][2] for one in (given[0][1], given[1][1], value))  # type: ignore[union-attr]
    return (at - begin) % DAY_MIN <= (end - begin) % DAY_MIN


def _sureness(one: Derivation) -> tuple[bool, int]:
    return one.is_whole, -len(one.places)


def _length(one: Derivation) -> int:
    return len(one.places)


def _written(value: Value) -> str:
    """A worked-out value in figures, where that is plain."""
    if not isinstance(value, Quantity):
        return ""
    number, dimension = value.value, value.dimension
    if dimension == "ratio":
        return f"{float(round(100 * number, 1)):g} %"
    if dimension.startswith("money:"):
        return f"{dimension.removeprefix('money:')} {number:,.10g}"
    return f"{number:,.10g}" if dimension == "count" else ""
