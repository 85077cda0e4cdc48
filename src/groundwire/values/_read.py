"""Everything in a text that can be compared by value."""

from dataclasses import dataclass, replace
from functools import lru_cache

from groundwire.text import Atom, Kind, atoms_of, word_set, words_of
from groundwire.values._dates import DATE_WORDS, date_at, period_of
from groundwire.values._identifiers import LABELS, Identifier, Name, identifier_at, name_at
from groundwire.values._long_periods import roman_year, year_at
from groundwire.values._money import currency_before
from groundwire.values._numbers import quantity_at
from groundwire.values._numerals import NUMBER_WORDS
from groundwire.values._period import Period, same_period
from groundwire.values._quantity import Quantity, same_quantity
from groundwire.values._tokens import glued, lower_at

Value = Quantity | Period | Identifier | Name
_Found = tuple[Value, int]

_OPENING_MARKS = frozenset({"'", "\u2019", "#"})
_SHARE_WORDS = word_set("share proportion fraction ratio rate")
_WORDS = DATE_WORDS | LABELS | NUMBER_WORDS
_KEPT_CHARS = 4_000
"""Texts up to this length are kept with their values: a claim is read again for every sentence."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: its tokens, and the values that cover some of them."""

    text: str
    tokens: list[Atom]
    values: list[Value]
    owner: list[int]
    """For each token the index of the value it belongs to, or -1."""


def values_in(text: str) -> list[Value]:
    """The values of a text in order, each with the exact span it was read from."""
    return list(_values_of(text)) if len(text) <= _KEPT_CHARS else read(text).values


@lru_cache(maxsize=256)
def _values_of(text: str) -> tuple[Value, ...]:
    return tuple(read(text).values)


def quantities_in(text: str) -> list[Quantity]:
    """The numbers of a text with their units; compare them with `same_value`."""
    return [value for value in values_in(text) if isinstance(value, Quantity)]


def same_value(one: Value, other: Value) -> bool:
    """Equal, however written: `725 mV` and `0.725 V`, `1,200` and `1.2k`, ADR-0012 and ADR.12."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        return same_quantity(one, other)
    if isinstance(one, Period) and isinstance(other, Period):
        return same_period(one, other)
    if isinstance(one, Identifier) and isinstance(other, Identifier):
        return one.key == other.key
    return isinstance(one, Name) and isinstance(other, Name) and one.words == other.words


def spelled_as_in(text: str, source: str) -> str:
    """The text with its values as the source writes them: "0.725 V" where that has "725 mV"."""
    theirs = [value for value in values_in(source) if isinstance(value, Quantity | Period)]
    of_share = not _SHARE_WORDS.isdisjoint(words_of(text))
    for value in reversed(values_in(text)):
        written = text[value.start : value.end]
        if isinstance(value, Quantity | Period) and written not in source:
            asked = _as_share(value) if of_share else value
            same = next((other for other in theirs if same_value(asked, other)), None)
            if same is not None:
                text = text[: value.start] + source[same.start : same.end] + text[value.end :]
    return text


def _as_share(value: Quantity | Period) -> Quantity | Period:
    """A bare number between nought and one, where a text speaks of shares: 0.5 is 50 %."""
    is_bare = isinstance(value, Quantity) and value.dimension == "count" and 0 < value.value < 1
    if not isinstance(value, Quantity) or not is_bare:
        return value
    return replace(value, measures=(replace(value.measures[0], dimension="ratio"),))


def read(text: str, max_values: int | None = None) -> Reading:
    """A text with its values; where `max_values` are found, the rest is left unread."""
    tokens = atoms_of(text)
    owner = [-1] * len(tokens)
    values: list[Value] = []
    place = free_from = 0
    while place < len(tokens) and len(values) != max_values:
        found = _value_at(text, tokens, place, free_from)
        if found is None:
            place += 1
            continue
        value, after = found
        begin = place
        while begin and tokens[begin - 1].start >= value.start:
            begin -= 1
        if values and values[-1].end > value.start:
            values.pop()  # "Nearly" is no name when it belongs to "Nearly 30"
            _disown(owner, begin, len(values))
        owner[begin:after] = [len(values)] * (after - begin)
        values.append(value)
        place = after
        free_from = free_from if isinstance(value, Name) else after
    return Reading(text, tokens, values, owner)


def _disown(owner: list[int], begin: int, index: int) -> None:
    """Takes back the tokens before `begin` that belonged to a value that is none."""
    while begin and owner[begin - 1] == index:
        begin -= 1
        owner[begin] = -1


def _value_at(text: str, tokens: list[Atom], place: int, free_from: int) -> _Found | None:
    token = tokens[place]
    if token.kind is Kind.WORD:
        return _word_value(text, tokens, place, free_from)
    if token.kind is Kind.MARK and token.text not in _OPENING_MARKS:
        return None
    date = date_at(tokens, place)
    if date is not None:
        return period_of(text, tokens, place, date, free_from), date.after
    identifier = identifier_at(text, tokens, place)
    if identifier is not None or token.kind is Kind.MARK:
        return identifier
    return _number_value(text, tokens, place, free_from)


def _number_value(text: str, tokens: list[Atom], place: int, free_from: int) -> _Found | None:
    if lower_at(tokens, place - 1) == "[" and lower_at(tokens, place + 1) == "]":
        return None  # a footnote
    quantity = quantity_at(text, tokens, place, free_from)
    year = year_at(tokens, place)
    if year is not None and (quantity is None or quantity[1] <= year.after):
        return period_of(text, tokens, place, year, free_from), year.after
    return quantity


def _word_value(text: str, tokens: list[Atom], place: int, free_from: int) -> _Found | None:
    """Most words open no value: each finder is asked only about words it knows."""
    token = tokens[place]
    if token.lower in _WORDS or glued(tokens, place + 1):
        found = _known_word(text, tokens, place, free_from)
        if found is not None:
            return found
    if not token.text[0].isupper():
        return None
    year = roman_year(tokens, place)
    if year is not None:
        return period_of(text, tokens, place, year, free_from), year.after
    is_money = currency_before(tokens, place + 1) is not None or lower_at(tokens, place + 1) == "$"
    return None if is_money else name_at(text, tokens, place)


def _known_word(text: str, tokens: list[Atom], place: int, free_from: int) -> _Found | None:
    word = tokens[place].lower
    date = date_at(tokens, place) if word in DATE_WORDS else None
    if date is not None:
        return period_of(text, tokens, place, date, free_from), date.after
    return identifier_at(text, tokens, place) or (
        quantity_at(text, tokens, place, free_from) if word in NUMBER_WORDS else None
    )
