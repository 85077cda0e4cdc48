"""What stands where among the atoms of a text, and runs of digits as people group them."""

from decimal import Decimal

from groundwire.text import Atom, Kind


def glued(tokens: list[Atom], index: int) -> bool:
    """Whether a token follows its predecessor without a gap."""
    return 0 < index < len(tokens) and tokens[index].start == tokens[index - 1].end


def lower_at(tokens: list[Atom], index: int) -> str:
    """A token in lower case, or nothing where there is none."""
    return tokens[index].lower if 0 <= index < len(tokens) else ""


def is_number(tokens: list[Atom], index: int) -> bool:
    return index < len(tokens) and tokens[index].kind is Kind.NUMBER


SUFFIXES = frozenset({"st", "nd", "rd", "th"})

Precise = tuple[Decimal, Decimal]
"""A value, and the step it was written to."""

MAX_DIGITS = 30
"""A longer run of digits is a string to copy, not a number to compare."""

_GROUP = 3
_INDIAN_GROUP = 2
_MAX_GROUPS = 4


def read_digits(text: str) -> tuple[Precise, ...]:
    """Every way to read a run of digits and separators, the likeliest first."""
    if len(text) > MAX_DIGITS:
        return ()
    plain = text.replace("'", "").replace("\u2019", "").replace("\u00b7", ".")
    has_point, has_comma = "." in plain, "," in plain
    if has_point and has_comma:
        return _both_separators(plain)
    if has_point or has_comma:
        return _one_separator(plain, "." if has_point else ",")
    return (_precise(plain),)


def spaced_groups(tokens: list[Atom], index: int) -> tuple[str, int]:
    """The digits that start at a token, and the index after them: "1 200 000" is one number."""
    text, after = tokens[index].text, index + 1
    if not text.isdigit() or len(text) > _GROUP or text[0] == "0":
        return text, after
    while after < len(tokens) and _continues(tokens, after):
        text, after = text + tokens[after].text, after + 1
        if after > index + _MAX_GROUPS:
            return tokens[index].text, index + 1  # a row of numbers
        if not text.isdigit():
            break
    return text, after


def _continues(tokens: list[Atom], index: int) -> bool:
    token = tokens[index]
    is_next = token.kind is Kind.NUMBER and token.start == tokens[index - 1].end + 1
    whole, _, fraction = token.text.partition(".")
    return (
        is_next
        and whole.isdigit()
        and len(whole) == _GROUP
        and (fraction.isdigit() or whole == token.text)
    )


def _both_separators(text: str) -> tuple[Precise, ...]:
    decimal_mark = max(".,", key=text.rfind)
    grouping = "," if decimal_mark == "." else "."
    whole, *rest = text.split(decimal_mark)
    if len(rest) != 1 or not _are_groups(whole.split(grouping)) or not rest[0].isdigit():
        return ()
    return (_precise(whole.replace(grouping, "") + "." + rest[0]),)


def _one_separator(text: str, mark: str) -> tuple[Precise, ...]:
    parts = text.split(mark)
    as_decimal = (_precise(".".join(parts)),) if text.count(mark) == 1 else ()
    as_groups = (_precise("".join(parts)),) if _are_groups(parts) else ()
    return as_groups + as_decimal if mark == "," else as_decimal + as_groups


def _are_groups(parts: list[str]) -> bool:
    """1,200,000 or, in India, 12,00,000."""
    if len(parts) == 1:
        return True
    first, *middle, last = parts
    sizes = {len(part) for part in middle}
    return (
        len(first) <= _GROUP
        and first != "0"
        and len(last) == _GROUP
        and sizes in (set(), {_GROUP}, {_INDIAN_GROUP})
    )


def _precise(text: str) -> Precise:
    decimals = len(text.partition(".")[2])
    return Decimal(text), Decimal(1).scaleb(-decimals)
