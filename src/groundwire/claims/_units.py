"""Reads the unit that follows a number."""

from groundwire.claims._scan import Kind, Token, glued
from groundwire.claims._unit_table import UNITS, Unit

# As a lone word these are something else: a preposition, a letter, a model name.
_ONLY_GLUED = frozenset({"in", "b", "B", "t", "x", "F", "H", "N", "J", "C", "K", "A", "d", "l"})
_SPACED_ANYWAY = frozenset({"V", "W", "m", "g", "s", "h", "L", "A", "K", "C", "F", "N", "J"})
_SQUARE, _CUBE = {"square", "sq"}, {"cubic"}
_POWERS = {"2": "\u00b2", "3": "\u00b3"}
_MULTIPLES = {"more", "as", "higher", "less", "lower", "larger", "greater", "the", "faster"}
_MULTIPLES |= {"bigger", "longer", "likelier", "better", "fewer", "smaller", "its", "their"}
_NAMED_RATIOS = {
    ("length", "time"): "speed",
    ("data", "time"): "data/time",
    ("mass", "volume"): "mass/volume",
}

Found = tuple[Unit, int]


def unit_at(tokens: list[Token], index: int) -> Found | None:
    """The unit that starts at a token, and the index after it."""
    found = _single(tokens, index)
    while found is not None:
        denominator = _denominator(tokens, found[1])
        if denominator is None:
            return found
        found = (_ratio(found[0], denominator[0]), denominator[1])
    return None


def rate_at(tokens: list[Token], index: int) -> Found | None:
    """ "12,000/mm3", "40 per minute": a count for each of some unit."""
    denominator = _denominator(tokens, index)
    return denominator and (_ratio(Unit("count"), denominator[0]), denominator[1])


def _ratio(top: Unit, bottom: Unit) -> Unit:
    name = _NAMED_RATIOS.get(
        (top.dimension, bottom.dimension), f"{top.dimension}/{bottom.dimension}"
    )
    return Unit(name, top.factor / bottom.factor)


def _denominator(tokens: list[Token], index: int) -> Found | None:
    if index + 1 >= len(tokens):
        return None
    if tokens[index].text == "/" and glued(tokens, index) and glued(tokens, index + 1):
        return _single(tokens, index + 1)
    if tokens[index].lower in {"per", "an"}:
        return _single(tokens, index + 1)
    return None


def _single(tokens: list[Token], index: int) -> Found | None:
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.kind is Kind.NUMBER:
        return None
    return _special(tokens, index) or _power(tokens, index) or _plain(tokens, index)


def _special(tokens: list[Token], index: int) -> Found | None:
    word = tokens[index].lower
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if word == "per" and following == "cent":
        return UNITS["%"], index + 2
    if word in {"percentage", "percent", "%"} and following in {"point", "points"}:
        return UNITS["pp"], index + 2
    if word == "basis" and following in {"point", "points"}:
        return Unit("points", UNITS["%"].factor), index + 2
    if word in {"\u00b0", "\u00ba", "degree", "degrees", "deg"}:
        return _degrees(tokens, index, following)
    if word == "times" and following in _MULTIPLES:
        return UNITS["x"], index + 1
    if word in {"light", "nautical"} and following.startswith(("year", "mile")):
        return Unit(word, UNITS["m"].factor), index + 2
    return None


def _degrees(tokens: list[Token], index: int, following: str) -> Found:
    if following in {"celsius", "centigrade", "fahrenheit"}:
        return UNITS[following], index + 2
    if following in {"c", "f"}:
        return UNITS[following.upper()], index + 2
    return UNITS["degree"], index + 1


def _power(tokens: list[Token], index: int) -> Found | None:
    word = tokens[index].lower
    if word not in _SQUARE and word not in _CUBE:
        return None
    after = index + 1
    if after < len(tokens) and tokens[after].text in {".", "-"}:
        after += 1
    if after >= len(tokens):
        return None
    name = tokens[after].lower + ("\u00b3" if word in _CUBE else "\u00b2")
    unit = UNITS.get(name)
    return unit and (unit, after + 1)


def _plain(tokens: list[Token], index: int) -> Found | None:
    token = tokens[index]
    unit = UNITS.get(token.text) or (UNITS.get(token.lower) if len(token.text) > 3 else None)
    if unit is None or not _may_stand(tokens, index):
        return None
    if unit.dimension == "length" and _has_exponent(tokens, index):
        return UNITS[token.text + _POWERS[tokens[index + 1].text]], index + 2
    return unit, index + 1


def _may_stand(tokens: list[Token], index: int) -> bool:
    token = tokens[index]
    if token.kind is Kind.MARK or glued(tokens, index) or token.text not in _ONLY_GLUED:
        return True
    return token.text in _SPACED_ANYWAY and not _word_follows(tokens, index)


def _word_follows(tokens: list[Token], index: int) -> bool:
    return index + 1 < len(tokens) and tokens[index + 1].kind is Kind.WORD


def _has_exponent(tokens: list[Token], index: int) -> bool:
    return (
        index + 1 < len(tokens)
        and tokens[index + 1].text in _POWERS
        and glued(tokens, index + 1)
        and tokens[index].text + _POWERS[tokens[index + 1].text] in UNITS
    )
