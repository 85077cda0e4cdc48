"""Finds the unit a number is given in."""

from groundwire.model import UNITS, Unit
from groundwire.text import Atom, Kind, word_set
from groundwire.values._tokens import glued, lower_at

Found = tuple[Unit, int]
"""A unit and the index of the token after it."""

# As lone words these are something else: a preposition, a letter, a model's name.
_ONLY_GLUED = word_set("in b B t x F H N J C K A d l V W m g s h L")
# ... but with nothing behind them they may stand apart from the number.
_SPACED = word_set("V W m g t s h L l A K C F N J")
_EXTENTS = word_set("wide long deep high tall thick across diameter . ) ;")
_POWERS = {"2": "\u00b2", "3": "\u00b3"}
_DIMENSIONAL_WORDS = {"square": "\u00b2", "sq": "\u00b2", "cubic": "\u00b3"}
_DEGREES = word_set("\u00b0 \u00ba degree degrees deg")
MULTIPLES = word_set("more as higher less lower larger greater the faster bigger longer its their")
_NAMED_RATIOS = {("length", "time"): "speed"}
_POINTS = {"percentage": UNITS["pp"], "percent": UNITS["pp"], "%": UNITS["pp"]} | {
    "basis": Unit("points", UNITS["%"].factor)
}
# "moved 10 km a day earlier" tells of a day, not of a speed
_AFTER_A_TIME = word_set("ago after before earlier later sooner from time")
_PER = {"cent": "%", "mille": "\u2030", "mil": "\u2030"}
_MINUS = frozenset({"-", "\u2212", "\u2013", "minus"})
_LONG_WORD = 4
_MAX_DENOMINATORS = 3


def unit_at(tokens: list[Atom], index: int) -> Found | None:
    """The unit that starts at a token, with all it is divided by."""
    found = _single(tokens, index)
    for _ in range(_MAX_DENOMINATORS):
        below = None if found is None else _denominator(tokens, found[1])
        if found is None or below is None:
            break
        found = (_ratio(found[0], below[0]), below[1])
    return found


def rate_at(tokens: list[Atom], index: int) -> Found | None:
    """ "12,000/mm3", "40 per minute": a count for each of some unit."""
    below = _denominator(tokens, index)
    return None if below is None else (_ratio(Unit("count"), below[0]), below[1])


def _ratio(top: Unit, below: Unit) -> Unit:
    dimensions = (top.dimension, below.dimension)
    name = _NAMED_RATIOS.get(dimensions, "/".join(dimensions))
    return Unit(name, top.factor / below.factor)


def _denominator(tokens: list[Atom], index: int) -> Found | None:
    if lower_at(tokens, index) == "/" and glued(tokens, index) and glued(tokens, index + 1):
        return _single(tokens, index + 1)
    if lower_at(tokens, index) in {"per", "an"}:
        return _single(tokens, index + 1)
    if lower_at(tokens, index) == "a" and lower_at(tokens, index + 2) not in _AFTER_A_TIME:
        below = _single(tokens, index + 1)
        return below if below is not None and below[0].dimension == "time" else None
    return None


def _single(tokens: list[Atom], index: int) -> Found | None:
    if index >= len(tokens) or tokens[index].kind is Kind.NUMBER:
        return None
    readers = (_phrase, _product, _power, _plain)
    return next((found for read in readers if (found := read(tokens, index))), None)


def _phrase(tokens: list[Atom], index: int) -> Found | None:
    """Units of two words."""
    word, following = lower_at(tokens, index), lower_at(tokens, index + 1)
    if word == "per" and following in _PER:
        return UNITS[_PER[following]], index + 2
    if word in _POINTS and following in {"point", "points"}:
        return _POINTS[word], index + 2
    if word in _DEGREES:
        scale = UNITS.get(following if len(following) > 1 else following.upper())
        is_scale = scale is not None and scale.dimension == "temperature"
        return (scale, index + 2) if scale and is_scale else (UNITS["degree"], index + 1)
    if word == "times" and following in MULTIPLES:
        return UNITS["x"], index + 1
    if word in {"light", "nautical"} and following.startswith(("year", "mile")):
        return Unit(word), index + 2
    return None


def _product(tokens: list[Atom], index: int) -> Found | None:
    """ "kilowatt-hours", "watt hours"."""
    after = index + 1 + (lower_at(tokens, index + 1) == "-")
    unit = UNITS.get(f"{lower_at(tokens, index)}-{lower_at(tokens, after)}")
    return None if unit is None else (unit, after + 1)


def _power(tokens: list[Atom], index: int) -> Found | None:
    """ "square kilometres", "sq. ft", "cubic metres"."""
    mark = _DIMENSIONAL_WORDS.get(lower_at(tokens, index))
    if mark is None:
        return None
    after = index + 1 + (lower_at(tokens, index + 1) in {".", "-"})
    unit = UNITS.get(lower_at(tokens, after) + mark)
    return None if unit is None else (unit, after + 1)


def _plain(tokens: list[Atom], index: int) -> Found | None:
    token = tokens[index]
    unit = UNITS.get(token.text)
    if unit is None and len(token.text) >= _LONG_WORD:
        unit = UNITS.get(token.lower)
    if unit is None or not _may_stand(tokens, index):
        return None
    power = _exponent(tokens, index) if unit.dimension == "length" else None
    return power or (unit, index + 1)


def _may_stand(tokens: list[Atom], index: int) -> bool:
    token = tokens[index]
    if token.text not in _ONLY_GLUED or glued(tokens, index):
        return True
    if token.text == "in" and lower_at(tokens, index - 2) in {"ft", "feet", "foot"}:
        return True
    if token.text == "in" and lower_at(tokens, index + 1) in _EXTENTS:
        return True  # "12 in wide"
    if token.text == "C" and index > 1 and tokens[index - 2].text in _MINUS:
        return True  # "-9 C for tonight"
    is_last = index + 1 >= len(tokens) or tokens[index + 1].kind is not Kind.WORD
    return token.text in _SPACED and (is_last or token.text in {"V", "W", "m", "g", "t", "L", "l"})


def _exponent(tokens: list[Atom], index: int) -> Found | None:
    """ "mm3", "m^2"."""
    place = index + 1 + (lower_at(tokens, index + 1) == "^")
    mark = _POWERS.get(lower_at(tokens, place))
    unit = UNITS.get(tokens[index].text + mark) if mark and glued(tokens, place) else None
    return None if unit is None else (unit, place + 1)
