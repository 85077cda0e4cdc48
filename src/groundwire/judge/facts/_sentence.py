"""A sentence prepared for comparison: its values, its words, and what stands around each value."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple, Self

from groundwire.judge.facts._relation import comparable
from groundwire.judge.facts._slot import Slot, SlotReader, Word
from groundwire.text import COPULAS, PRONOUNS, STOP_WORDS, Atom, Kind, is_negation, stem, word_set
from groundwire.values import Identifier, Name, Period, Quantity, Reading, Value, lower_at, read

MAX_VALUES = 200
"""What has more values is no sentence; the rest of them is not looked at."""
_PREFIX = 6
_ROW_BARS = 2
_OPENING = 9
_CLAUSE_MARKS = frozenset({",", ";", ".", ":", "!"})
_JOINTS = _CLAUSE_MARKS | word_set("and but which while")
_REPEATED = word_set("again respectively")
_OF_A_THING = word_set("without no")
_COMPARED = word_set("longer more less fewer later earlier")
_GROUPING = str.maketrans(dict.fromkeys(", '\u2019\u2009\u202f\u00a0"))


class Spoken(NamedTuple):
    """What was said: all but the marks, and where among it each value stands."""

    words: tuple[str, ...]
    places: dict[int, tuple[int, int]]


def word_key(word: str) -> str:
    """What of a stem is compared: long words may differ in their endings."""
    return word[:_PREFIX]


def _opens_with_pronoun(tokens: Sequence[Atom]) -> bool:
    """ "It has ...", "In 2019, it has ..."; "There are ..." points at nothing."""
    lowers = [token.lower for token in tokens[:_OPENING]]
    starts = [0, *(place + 1 for place, lower in enumerate(lowers) if lower == ",")]
    openings = [lowers[start : start + 2] for start in starts]
    pointing = [one for one in openings if not PRONOUNS.isdisjoint(one[:1])]
    return any(one[0] != "there" or COPULAS.isdisjoint(one[1:]) for one in pointing)


def _with_units(reading: Reading) -> Reading:
    """ "masters at 80 an hour, trainees at 35": a bare number is of the unit before it."""
    like: Quantity | None = None
    values = list(reading.values)
    for index, value in enumerate(values):
        place = reading.owner.index(index)
        if not isinstance(value, Quantity) or lower_at(reading.tokens, place - 1) != "at":
            continue
        after = len(reading.owner) - reading.owner[::-1].index(index)
        is_last = after == len(reading.owner) or reading.tokens[after].kind is Kind.MARK
        if value.dimension != "count":
            like = value
        elif like is not None and is_last and value.measures[0].is_point:
            amount = value.value * like.measures[0].factor
            measure = replace(like.measures[0], low=amount, high=amount, step=Decimal(0))
            values[index] = replace(value, measures=(measure,), otherwise=())
    return replace(reading, values=values)


class Sentence:
    """What is known of a sentence before any claim is compared with it.

    `values` are its numbers, dates and identifiers, `named` its names; both with the index by
    which `value` and `slot` know them.
    """

    def __init__(self, text: str, heading: "Sentence | None" = None) -> None:
        self.text = text
        self.heading = heading
        self._reading = reading = _with_units(read(text, MAX_VALUES + 1))
        numbered = list(enumerate(reading.values[:MAX_VALUES]))
        self.is_cut = len(reading.values) > MAX_VALUES
        self.named = [(i, value) for i, value in numbered if isinstance(value, Name)]
        self.values = [(i, value) for i, value in numbered if not isinstance(value, Name)]
        names = {-1, *(i for i, _ in self.named)}
        self.words = [
            Word(place, stem(token.lower))
            for place, token in enumerate(reading.tokens)
            if token.kind is Kind.WORD
            and reading.owner[place] in names
            and token.lower not in STOP_WORDS
        ]
        self.stems = frozenset(word.stem for word in self.words)
        self.keys = frozenset(map(word_key, self.stems))
        self.is_negated = any(is_negation(token.lower) for token in reading.tokens)
        self.is_repeated = any(token.lower in _REPEATED for token in reading.tokens)
        self.asks = text.rstrip().endswith("?") or lower_at(reading.tokens, 0) == "q"
        self.opens_with_pronoun = _opens_with_pronoun(reading.tokens)
        self.is_row = max(text.count("|"), text.count("\t")) >= _ROW_BARS
        self._slots: dict[int, Slot] = {}

    @cached_property
    def lowers(self) -> list[str]:
        return [token.lower for token in self._reading.tokens]

    @cached_property
    def unvalued(self) -> frozenset[str]:
        """The words that belong to no value but a name: "may" the verb, not the month."""
        names = {-1, *(i for i, _ in self.named)}
        pairs = zip(self.lowers, self._reading.owner, strict=True)
        return frozenset(lower for lower, owner in pairs if owner in names)

    def token_span(self, index: int) -> tuple[int, int]:
        """The first and the last token of a value."""
        return self._slot_reader.span(index)

    def word_before(self, index: int) -> str:
        """What a number may number: "station 8"."""
        first, _ = self.token_span(index)
        return stem(self.lowers[first - 1]) if first else ""

    def phrase(self, first: int, last: int) -> str:
        """The text from one token to another."""
        tokens = self._reading.tokens
        return self.text[tokens[first].start : tokens[last].end]

    def clause_end(self, index: int) -> int:
        """Where in the text the clause of a value ends."""
        tokens = self._reading.tokens[self.token_span(index)[1] + 1 :]
        ends = [token.start for token in tokens if token.text in _CLAUSE_MARKS]
        return min(ends, default=len(self.text.rstrip()))

    def value(self, index: int) -> Value:
        return self._reading.values[index]

    def slot(self, index: int) -> Slot:
        """What stands around the value of an index."""
        if index not in self._slots:
            self._slots[index] = self._slot_reader.slot(index)
        return self._slots[index]

    def has_word(self, word: str) -> bool:
        """Whether the sentence has a word, whatever its ending."""
        return word_key(word) in self.keys

    def is_told(self, word: str) -> bool:
        """Whether the sentence has a word, or what heads it does."""
        return self.has_word(word) or (self.heading is not None and self.heading.has_word(word))

    def heading_stems(self, claim: "Sentence") -> frozenset[str]:
        """The words that a heading says for its sentences: what they are all of.

        None where the sentence only points back or names a thing that the claim does not; no name
        where the heading has one that the claim has not, for it may head what is of several.
        """
        if self.heading is None or self.opens_with_pronoun or self.names_another(claim):
            return frozenset()
        said = self.heading.stems
        if not self.heading.names_another(claim):
            return said
        return frozenset(word for word in said if not claim.is_name(word))

    def denies_as(self, other: "Sentence") -> bool:
        """Whether both deny or neither does; "without tax" denies nothing to who names no tax."""
        return self.denies(other) == other.denies(self)

    def denies(self, other: "Sentence") -> bool:
        """Whether it denies something that another sentence may speak of."""
        if not self.is_negated:
            return False
        words = [*self.lowers, ""]
        found = [place for place, word in enumerate(self.lowers) if is_negation(word)]
        return any(
            not place
            or (
                self._bears_on(other, place)
                and (
                    words[place] not in _OF_A_THING
                    or words[place + 1] in _COMPARED
                    or other.has_word(stem(words[place + 1]))
                )
            )
            for place in found
        )

    def _bears_on(self, other: "Sentence", place: int) -> bool:
        """Whether the clause of a token has a value or a word of another sentence: "set to 12 bar,
        and was not altered" denies nothing of what is set."""
        lowers = self.lowers
        breaks = [at for at, lower in enumerate(lowers) if lower in _JOINTS]
        begin = max((at for at in breaks if at < place), default=-1)
        end = min((at for at in breaks if at > place), default=len(lowers))
        said = [word.stem for word in self.words if begin < word.place < end]
        values = [one for i, one in self.values if begin < self.token_span(i)[0] < end]
        is_like = any(comparable(one, theirs) for one in values for _, theirs in other.values)
        is_aside = begin >= 0 and said and not is_like
        return not is_aside or any(map(other.has_word, said))

    def names_another(self, claim: "Sentence") -> bool:
        """Whether it has a name or an identifier of which a claim has nothing."""
        said = [v for i, v in self.named if not (self.slot(i).opens and len(v.words) == 1)]
        is_new = any(not any(claim.has_word(stem(word)) for word in v.words) for v in said)
        ours = {v.key for _, v in claim.values if isinstance(v, Identifier)}
        return is_new or any(
            isinstance(v, Identifier) and v.key not in ours for _, v in self.values
        )

    def is_name(self, word: str) -> bool:
        return word in self._name_stems

    def counts(self, word: str) -> int:
        """How often a word occurs."""
        return sum(other.stem == word for other in self.words)

    @property
    def opening(self) -> str:
        """The first word, where it carries meaning: most often the subject."""
        return self.words[0].stem if self.words and not self.words[0].place else ""

    @cached_property
    def quantities(self) -> list[Quantity]:
        return [value for _, value in self.values if isinstance(value, Quantity)]

    @cached_property
    def dates(self) -> list[Period]:
        return [
            value
            for _, value in self.values
            if isinstance(value, Period) and value.frame == "calendar"
        ]

    @cached_property
    def years(self) -> frozenset[Decimal]:
        return frozenset(
            Decimal(year) for date in self.dates for year in (date.first[0], date.last[0])
        )

    @cached_property
    def spoken(self) -> Spoken:
        tokens, owner = self._reading.tokens, self._reading.owner
        is_item = lower_at(tokens, 1) in {".", ")"} and tokens[0].kind is Kind.NUMBER
        words: list[str] = []
        places: dict[int, tuple[int, int]] = {}
        for place, token in enumerate(tokens):
            if token.kind is Kind.MARK or (is_item and not place):
                continue
            if 0 <= owner[place] < MAX_VALUES:
                first, _ = places.get(owner[place], (len(words), 0))
                places[owner[place]] = (first, len(words) + 1)
            words.append(token.lower)
        return Spoken(tuple(words), places)

    @cached_property
    def digits(self) -> str:
        """The text without what groups digits."""
        return self.text.translate(_GROUPING)

    @cached_property
    def digit_runs(self) -> frozenset[str]:
        """The numbers as they are written, each by itself: 150 is no part of 1,500."""
        numbers = (token for token in self._reading.tokens if token.kind is Kind.NUMBER)
        return frozenset(token.text.translate(_GROUPING) for token in numbers)

    @cached_property
    def letters(self) -> str:
        """The text without anything but letters and digits."""
        return "".join(filter(str.isalnum, self.text.casefold()))

    @cached_property
    def bare_numbers(self) -> frozenset[str]:
        """The numbers that stand in a date or an identifier, as digits."""
        parts = {part for _, v in self.values if isinstance(v, Identifier) for part in v.key}
        return frozenset(parts | {str(year) for year in self.years})

    @cached_property
    def _name_stems(self) -> frozenset[str]:
        return frozenset(stem(word) for _, name in self.named for word in name.words)

    @cached_property
    def _slot_reader(self) -> SlotReader:
        return SlotReader(self._reading, self.words)


_NEAR_A_ROW = 2


@dataclass(frozen=True, slots=True)
class IndexedEvidence:
    """Sentences, and in which of them each word and each name stands."""

    sentences: tuple[Sentence, ...]
    mute: frozenset[int]
    """Sentences that accuse nobody: questions, cut numbers, and what stands in or by a table."""
    postings: dict[str, list[int]]
    names: dict[tuple[str, ...], list[tuple[int, Name]]]
    is_whole: bool
    """Whether every value was looked at; nothing is accused by evidence half read."""
    documents: Sequence[int] = ()
    """For each sentence the number of its document; where empty there is but one."""
    rows: frozenset[int] = frozenset()
    """Sentences that are rows of tables: their values are of one thing, in several respects."""

    @classmethod
    def of(
        cls,
        texts: Iterable[str],
        documents: Sequence[int] = (),
        rows: Iterable[int] = (),
        headings: Mapping[int, str] | None = None,
    ) -> Self:
        """`rows` are those of tables that are written out as sentences."""
        above = headings or {}
        read_once = {text: Sentence(text) for text in set(above.values())}
        sentences = tuple(
            Sentence(text, read_once.get(above.get(place, ""))) for place, text in enumerate(texts)
        )
        postings, names = defaultdict(list), defaultdict(list)
        for place, sentence in enumerate(sentences):
            for key in sentence.keys:
                postings[key].append(place)
            for _, name in sentence.named:
                names[name.words].append((place, name))
        is_whole = not any(sentence.is_cut for sentence in sentences)
        in_tables = frozenset((*rows, *(p for p, one in enumerate(sentences) if one.is_row)))
        mute = _mute(sentences, in_tables)
        return cls(sentences, mute, dict(postings), dict(names), is_whole, documents, in_tables)

    def is_one_document(self, places: Iterable[int]) -> bool:
        return not self.documents or len({self.documents[place] for place in places}) == 1

    def knows(self, word: str) -> bool:
        return word_key(word) in self.postings

    def stems_at(self, place: int) -> frozenset[str]:
        """The words of a sentence, and of the one before it where it opens with "It" or "Its"."""
        sentence = self.sentences[place]
        if not sentence.opens_with_pronoun or not place:
            return sentence.stems
        is_near = self.is_one_document((place - 1, place))
        return sentence.stems | (self.sentences[place - 1].stems if is_near else frozenset())

    def shared_words(self, claim: Sentence) -> Counter[int]:
        """How many of the claim's words each sentence has, where it has any."""
        shared: Counter[int] = Counter()
        for word in claim.stems:
            shared.update(self.postings.get(word_key(word), ()))
        return shared

    def speaking_of(self, words: Iterable[str]) -> frozenset[int]:
        """The sentences that have one of some words."""
        keys = {word_key(stem(word)) for word in words}
        return frozenset(place for key in keys for place in self.postings.get(key, ()))

    def around(self, place: int, steps: int = 1) -> Sequence[Sentence]:
        return self.sentences[max(0, place - steps) : place + steps + 1]


def _mute(sentences: Sequence[Sentence], rows: Iterable[int]) -> frozenset[int]:
    beside = range(-_NEAR_A_ROW, _NEAR_A_ROW + 1)
    mute = {row + step for row in rows for step in beside}
    mute |= {place for place, sentence in enumerate(sentences) if sentence.asks}
    mute |= {
        place for place in range(len(sentences) - 1) if _is_torn(*sentences[place : place + 2])
    }
    return frozenset(mute)


def _is_torn(sentence: Sentence, following: Sentence) -> bool:
    """Whether a sentence ends within a number: "an impressive 1." and "1 million"."""
    head, dot = sentence.text.rstrip()[-2:-1], sentence.text.rstrip()[-1:]
    return dot == "." and head.isdigit() and following.text.lstrip()[:1].isdigit()
