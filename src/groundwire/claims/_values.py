"""Everything in a text that can be compared by value."""

from dataclasses import dataclass

from groundwire.claims._dates import DATE_WORDS, date_at, period_of, year_at
from groundwire.claims._identifiers import LABELS, Identifier, identifier_at, is_clumped
from groundwire.claims._money import currency_before
from groundwire.claims._names import Name, name_at
from groundwire.claims._numbers import quantity_at
from groundwire.claims._numerals import NUMBER_WORDS
from groundwire.claims._period import Period
from groundwire.claims._quantity import Quantity
from groundwire.claims._scan import Kind, Token, scan

Value = Quantity | Period | Identifier | Name


@dataclass(frozen=True, slots=True)
class Reading:
    """A text read once: its tokens, and the values that cover some of them."""

    text: str
    tokens: list[Token]
    values: list[Value]
    owner: list[int]
    """For each token the index of the value it belongs to, or -1."""


def values_in(text: str) -> list[Value]:
    """The values of a text in order, each with the exact span it was read from."""
    return read(text).values


def read(text: str) -> Reading:
    tokens = scan(text)
    owner = [-1] * len(tokens)
    values: list[Value] = []
    place = 0
    while place < len(tokens):
        found = _value_at(text, tokens, place)
        if found is None:
            place += 1
            continue
        value, after = found
        begin = place
        while begin and tokens[begin - 1].start >= value.start:
            begin -= 1
        for index in range(begin, after):
            owner[index] = len(values)
        values.append(value)
        place = after
    return Reading(text, tokens, values, owner)


def _value_at(text: str, tokens: list[Token], place: int) -> tuple[Value, int] | None:
    token = tokens[place]
    if token.kind is Kind.WORD:
        return _word_value(text, tokens, place)
    date = date_at(tokens, place)
    if date is not None:
        return period_of(text, tokens, place, date), date.after
    identifier = identifier_at(text, tokens, place)
    if identifier is not None or token.kind is Kind.MARK:
        return identifier
    if _is_footnote(tokens, place):
        return None
    quantity = quantity_at(text, tokens, place)
    year = year_at(tokens, place)
    if year is not None and (quantity is None or quantity[1] <= year.after):
        return period_of(text, tokens, place, year), year.after
    return quantity


def _word_value(text: str, tokens: list[Token], place: int) -> tuple[Value, int] | None:
    """Most words open no value: each finder is asked only about words it knows."""
    token = tokens[place]
    if token.lower in DATE_WORDS:
        date = date_at(tokens, place)
        if date is not None:
            return period_of(text, tokens, place, date), date.after
    if token.lower in LABELS or is_clumped(tokens, place):
        identifier = identifier_at(text, tokens, place)
        if identifier is not None:
            return identifier
    if token.lower in NUMBER_WORDS:
        quantity = quantity_at(text, tokens, place)
        if quantity is not None:
            return quantity
    if token.text[0].isupper() and not _opens_money(tokens, place):
        return name_at(text, tokens, place)
    return None


def _opens_money(tokens: list[Token], place: int) -> bool:
    """ "US$ 3", "EUR 3"."""
    return tokens[place + 1 : place + 2] != [] and (
        tokens[place + 1].text == "$" or currency_before(tokens, place + 1) is not None
    )


def _is_footnote(tokens: list[Token], place: int) -> bool:
    """ "[3]" points at a source."""
    return (
        0 < place < len(tokens) - 1
        and tokens[place - 1].text == "["
        and tokens[place + 1].text == "]"
    )
