"""What stands around a value: the words that say which value it is."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.text import STOP_WORDS, Kind, stem, word_set
from groundwire.values import Name, Reading, lower_at

_FURTHER = word_set(
    "another other others further additional extra remaining else rest more also again each apiece"
)
"""A number beside one of these counts a rest, not the whole."""

NEAR_TOKENS = 5

_BEFORE_COUNTED = word_set("of the a an its their his her our")
_DETERMINERS = word_set("a an the his her their its this that")
_CLAUSE_ENDS = word_set(
    ', ; ( ) : \u2014 " \u201c \u201d and but while which who where before after because'
)
_LOCATIVE = word_set("in at near")
_WHOLES = word_set("the these those its them")
_NEIGHBOURS = 4
_MAX_RUN = 5
_MAX_CLAUSE = 80


@dataclass(frozen=True, slots=True)
class Slot:
    """The surroundings of a value, by which two values are known to answer one question."""

    left: tuple[str, ...]
    """The content words before it, nearest first."""
    right: tuple[str, ...]
    run: tuple[str, ...]
    """The content words that follow without a break: what a number counts."""
    governor: str
    """The nearest content word before it that is not a mere place: "founded in Delft in 1998"."""
    clause: frozenset[str]
    before: tuple[str, ...]
    """The tokens before it, nearest first; at a sentence's start there are fewer."""
    after: tuple[str, ...]
    attributive: bool
    """Whether it stands before its noun ("a 2014 film"), not for itself ("in 2014")."""
    choice: bool
    """Whether it is one of two, or a bound: "1551 or 1552", "grade 4 or higher"."""
    unsure: bool
    """Whether it is a part or a rest of something: "two of the", "another 3"."""
    named: bool
    """Whether it belongs to a name before it ("Apollo 11")."""
    numbers_subject: bool
    """Whether it numbers what the sentence opens with ("Sonnet 60 is ...")."""
    opens: bool
    """Whether the sentence begins with it."""
    listed: bool
    """Whether it is followed by another name ("Ada Berg, Nils Holm and ...")."""


class Word(NamedTuple):
    place: int
    stem: str


class SlotReader:
    """Reads the slots of one sentence."""

    def __init__(self, reading: Reading, words: Sequence[Word]) -> None:
        self._tokens = reading.tokens
        self._owner = reading.owner
        self._values = reading.values
        self._words = words
        self._places = [word.place for word in words]
        self._spans: dict[int, tuple[int, int]] = {}
        for place, owner in enumerate(self._owner):
            self._spans[owner] = (self._spans.get(owner, (place, 0))[0], place)

    def span(self, index: int) -> tuple[int, int]:
        return self._spans[index]

    def slot(self, index: int) -> Slot:
        first, last = self._spans[index]
        before_it, after_it = bisect_left(self._places, first), bisect_right(self._places, last)
        left = self._words[max(0, before_it - _NEIGHBOURS) : before_it]
        right = self._words[after_it : after_it + _NEIGHBOURS]
        before = [token.lower for token in self._tokens[max(0, first - NEAR_TOKENS) : first]]
        after = [token.lower for token in self._tokens[last + 1 : last + 1 + NEAR_TOKENS]]
        return Slot(
            left=tuple(word.stem for word in reversed(left)),
            right=tuple(word.stem for word in right),
            run=tuple(self._run(last)),
            governor=self._governor(first),
            clause=self._clause(first, last),
            before=tuple(reversed(before)),
            after=tuple(after),
            attributive=self._is_attributive(first, last),
            choice="or" in {self._lower(first - 1), self._lower(last + 1)}
            or self._lower(first - 1) == "either",
            unsure=self._is_unsure(first, last),
            named=self._is_named(first),
            numbers_subject=self._numbers_subject(first, last),
            opens=first == 0 or (first == 1 and self._lower(0) == "the"),
            listed=self._is_listed(last),
        )

    def _run(self, last: int) -> Iterator[str]:
        is_hyphenated = self._lower(last + 1) == "-"
        count = 0
        for place in range(last + 1, len(self._tokens)):
            token = self._tokens[place]
            if count == _MAX_RUN or self._is_valued(place):
                return
            if token.kind is Kind.MARK:
                if token.text not in {"-", "'", "\u2019"}:
                    return
            elif token.lower in STOP_WORDS:
                if count or token.lower not in _BEFORE_COUNTED:
                    return
            else:
                count += 1
                yield stem(token.lower)
                if is_hyphenated:
                    return

    def _governor(self, first: int) -> str:
        before_it = bisect_left(self._places, first)
        place = first
        for word in reversed(self._words[max(0, before_it - _MAX_CLAUSE) : before_it]):
            if word.place >= place:
                continue
            begin = self._name_begin(word.place)
            if begin is None or self._lower(begin - 1) not in _LOCATIVE:
                return word.stem
            place = begin
        return ""

    def _name_begin(self, place: int) -> int | None:
        """Where the name a token belongs to begins."""
        owner = self._owner[place]
        if owner < 0 or not isinstance(self._values[owner], Name):
            return None
        while place and self._owner[place - 1] == owner:
            place -= 1
        return place

    def _clause(self, first: int, last: int) -> frozenset[str]:
        """The words up to the nearest breaks; a date set off by commas belongs to what follows."""
        begin, end = first, self._break_after(last)
        while begin > max(0, first - _MAX_CLAUSE) and self._lower(begin - 1) not in _CLAUSE_ENDS:
            begin -= 1
        words = self._stems(begin, end)
        if words or end + 1 >= len(self._tokens):
            return words
        return self._stems(begin, self._break_after(end + 1))

    def _break_after(self, place: int) -> int:
        furthest = min(place + _MAX_CLAUSE, len(self._tokens) - 1)
        while place < furthest and self._lower(place + 1) not in _CLAUSE_ENDS:
            place += 1
        return place

    def _stems(self, begin: int, end: int) -> frozenset[str]:
        among = slice(bisect_left(self._places, begin), bisect_right(self._places, end))
        return frozenset(word.stem for word in self._words[among])

    def _is_attributive(self, first: int, last: int) -> bool:
        if self._lower(first - 1) not in _DETERMINERS or last + 1 >= len(self._tokens):
            return False
        follows = self._tokens[last + 1]
        return follows.kind is Kind.WORD and follows.lower not in STOP_WORDS

    def _is_unsure(self, first: int, last: int) -> bool:
        before, after, then = (self._lower(p) for p in (first - 1, last + 1, last + 2))
        is_part = after == "of" and then in _WHOLES
        is_dictated = self._tokens[last].kind is Kind.WORD and self._is_valued(last + 1)
        is_rest = not _FURTHER.isdisjoint({self._lower(first - 2), before, after, then})
        return is_part or is_dictated or is_rest

    def _is_named(self, first: int) -> bool:
        if first <= 1:
            return False
        before = self._tokens[first - 1]
        is_word = before.kind is Kind.WORD and before.lower not in STOP_WORDS
        return is_word and before.text[0].isupper()

    def _numbers_subject(self, first: int, last: int) -> bool:
        is_second = first == 1 and self._tokens[0].kind is Kind.WORD
        follows = self._tokens[last + 1] if last + 1 < len(self._tokens) else None
        is_bare = follows is None or follows.lower in STOP_WORDS or follows.kind is Kind.MARK
        return is_second and is_bare and self._lower(0) not in STOP_WORDS

    def _is_listed(self, last: int) -> bool:
        then = self._tokens[last + 2].text if last + 2 < len(self._tokens) else ""
        return self._lower(last + 1) in {",", "and", "&", "or"} and then[:1].isupper()

    def _is_valued(self, place: int) -> bool:
        owner = self._owner[place] if place < len(self._owner) else -1
        return owner >= 0 and not isinstance(self._values[owner], Name)

    def _lower(self, place: int) -> str:
        return lower_at(self._tokens, place)
