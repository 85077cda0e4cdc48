"""A sentence prepared for comparison: its values, its words, and what stands around each value."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from groundwire.claims import Identifier, Kind, Name, Period, Quantity, Token, Value, read
from groundwire.judge._words import FURTHER, STOP_WORDS, is_negation, stem

_BEFORE_COUNTED = frozenset({"of", "the", "a", "an", "its", "their", "his", "her", "our"})
_DETERMINERS = frozenset({"a", "an", "the", "his", "her", "their", "its", "this", "that"})
_CLAUSE_ENDS = frozenset(
    ', ; ( ) : \u2014 " \u201c \u201d and but while which who where before after because'.split()
)
_NEIGHBOURS = 4
_MAX_RUN = 5
_PREFIX = 6
_ROW_BARS = 2


class Word(NamedTuple):
    place: int
    stem: str


@dataclass(frozen=True, slots=True)
class Slot:
    """What stands around a value."""

    left: tuple[str, ...]
    """The nearest content words before it, nearest first."""
    right: tuple[str, ...]
    run: tuple[str, ...]
    """The content words that follow without a break: what a number counts."""
    clause: frozenset[str]
    """The content words of its clause."""
    attributive: bool
    """Whether it stands before its noun ("a 2014 film"), not for itself ("in 2014")."""
    unsure: bool
    """Whether it is one of several, a part or a rest: "1551 or 1552", "two of the", "another 3"."""
    named: bool
    """Whether it belongs to a name before it ("Apollo 11")."""
    opens: bool
    """Whether the sentence begins with it."""


class Sentence:
    """What is known of a sentence before any claim is compared with it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._reading = read(text)
        tokens, owner, values = self._reading.tokens, self._reading.owner, self._reading.values
        self.names = [value for value in values if isinstance(value, Name)]
        self.values = [(i, value) for i, value in enumerate(values) if not isinstance(value, Name)]
        self.words = [
            Word(place, stem(token.lower))
            for place, token in enumerate(tokens)
            if token.kind is Kind.WORD
            and token.lower not in STOP_WORDS
            and (owner[place] < 0 or isinstance(values[owner[place]], Name))
        ]
        self.stems = frozenset(word.stem for word in self.words)
        self.is_negated = any(is_negation(token.lower) for token in tokens)
        self.is_row = text.count("|") >= _ROW_BARS or text.count("\t") >= _ROW_BARS
        self._slots: dict[int, Slot] = {}

    @property
    def tokens(self) -> list[Token]:
        return self._reading.tokens

    @cached_property
    def prefixes(self) -> frozenset[str]:
        return frozenset(word[:_PREFIX] for word in self.stems if len(word) >= _PREFIX)

    @cached_property
    def dates(self) -> list[Period]:
        return [
            value
            for _, value in self.values
            if isinstance(value, Period) and value.frame == "calendar"
        ]

    @cached_property
    def bare_numbers(self) -> frozenset[str]:
        """Numbers that stand in a date or an identifier, as digits."""
        years = {str(year) for year in self.years}
        parts = {part for _, v in self.values if isinstance(v, Identifier) for part in v.key}
        return frozenset(years | parts)

    @cached_property
    def letters(self) -> str:
        return "".join(c for c in self.text.casefold() if c.isalnum())

    @cached_property
    def digits(self) -> str:
        """The digits of the text without what groups them."""
        return "".join(c for c in self.text if c not in ", '\u2019\u2009\u202f\u00a0")

    @cached_property
    def years(self) -> frozenset[Decimal]:
        return frozenset(Decimal(year) for d in self.dates for year in (d.first[0], d.last[0]))

    @cached_property
    def quantities(self) -> list[Quantity]:
        return [value for _, value in self.values if isinstance(value, Quantity)]

    @cached_property
    def _name_stems(self) -> frozenset[str]:
        return frozenset(stem(word) for name in self.names for word in name.words)

    def is_name(self, *words: str) -> bool:
        return any(word in self._name_stems for word in words)

    def has_word(self, word: str) -> bool:
        """Whether the sentence has a word, whatever its ending."""
        return word in self.stems or (len(word) >= _PREFIX and word[:_PREFIX] in self.prefixes)

    def value(self, index: int) -> Value:
        return self._reading.values[index]

    def slot(self, index: int) -> Slot:
        """What stands around the value of an index."""
        if index not in self._slots:
            self._slots[index] = self._read_slot(index)
        return self._slots[index]

    def _read_slot(self, index: int) -> Slot:
        owner = self._reading.owner
        first = owner.index(index)
        last = len(owner) - 1 - owner[::-1].index(index)
        left = [word.stem for word in reversed(self.words) if word.place < first]
        right = [word.stem for word in self.words if word.place > last]
        return Slot(
            left=tuple(left[:_NEIGHBOURS]),
            right=tuple(right[:_NEIGHBOURS]),
            run=tuple(self._run(last)),
            clause=self._clause(first, last),
            attributive=self._is_attributive(first, last),
            unsure=self._is_unsure(first, last),
            named=self._is_named(first),
            opens=first == 0 or (first == 1 and self._lower(0) == "the"),
        )

    def _run(self, last: int) -> Iterator[str]:
        hyphenated = self._lower(last + 1) == "-"
        count = 0
        for place in range(last + 1, len(self.tokens)):
            token = self.tokens[place]
            if count == _MAX_RUN or self._is_valued(place):
                return
            if token.kind is Kind.MARK:
                if token.text not in "-'\u2019":
                    return
            elif token.lower in STOP_WORDS:
                if count or token.lower not in _BEFORE_COUNTED:
                    return
            else:
                count += 1
                yield stem(token.lower)
                if hyphenated:
                    return

    def _clause(self, first: int, last: int) -> frozenset[str]:
        """The words up to the nearest breaks; a date set off by commas belongs to what follows."""
        begin, end = self._break_before(first), self._break_after(last)
        words = frozenset(word.stem for word in self.words if begin <= word.place <= end)
        if words or end + 1 >= len(self.tokens):
            return words
        end = self._break_after(end + 1)
        return frozenset(word.stem for word in self.words if begin <= word.place <= end)

    def _break_before(self, place: int) -> int:
        while place and self.tokens[place - 1].lower not in _CLAUSE_ENDS:
            place -= 1
        return place

    def _break_after(self, place: int) -> int:
        while place + 1 < len(self.tokens) and self.tokens[place + 1].lower not in _CLAUSE_ENDS:
            place += 1
        return place

    def _is_attributive(self, first: int, last: int) -> bool:
        follows = self.tokens[last + 1 : last + 2]
        return (
            self._lower(first - 1) in _DETERMINERS
            and bool(follows)
            and follows[0].kind is Kind.WORD
            and follows[0].lower not in STOP_WORDS
        )

    def _is_unsure(self, first: int, last: int) -> bool:
        before, after = self._lower(first - 1), self._lower(last + 1)
        near = {self._lower(first - 2), before, after, self._lower(last + 2)}
        partitive = after == "of" and self._lower(last + 2) in {"the", "these", "those", "its", "them"}
        spelled = self._is_valued(last + 1) and self.tokens[last].kind is Kind.WORD
        return (
            before in {"or", "either"}
            or after == "or"
            or partitive
            or spelled
            or not near.isdisjoint(FURTHER)
        )

    def _is_named(self, first: int) -> bool:
        if first < 2:
            return False
        before = self.tokens[first - 1]
        return (
            before.kind is Kind.WORD
            and before.text[0].isupper()
            and before.lower not in STOP_WORDS
        )

    def _is_valued(self, place: int) -> bool:
        if place >= len(self.tokens):
            return False
        owner = self._reading.owner[place]
        return owner >= 0 and not isinstance(self._reading.values[owner], Name)

    def _lower(self, place: int) -> str:
        return self.tokens[place].lower if 0 <= place < len(self.tokens) else ""


__all__ = ["Identifier", "Sentence", "Slot", "Value", "Word"]
