"""Currencies by sign, code and word."""

from decimal import Decimal

from groundwire.model import Unit
from groundwire.text import Atom, Kind, word_set
from groundwire.values._tokens import glued, lower_at

# such as "$" in "$5", "€" in "€210k"
_SIGNS = {
    "$": "USD",
    "\u00a3": "GBP",
    "\u20ac": "EUR",
    "\u00a5": "JPY",
    "\u20b9": "INR",
    "\u20a9": "KRW",
    "\u20bd": "RUB",
    "\u20ba": "TRY",
    "\u20aa": "ILS",
    "\u20a6": "NGN",
    "\u20b1": "PHP",
    "\u0e3f": "THB",
    "\u20ab": "VND",
    "\u20b4": "UAH",
}
CURRENCY_SIGNS = frozenset(_SIGNS)
# a letter or two before "$" names whose dollar it is
_DOLLARS = {
    "US": "USD",
    "A": "AUD",
    "AU": "AUD",
    "C": "CAD",
    "CA": "CAD",
    "HK": "HKD",
    "NZ": "NZD",
    "S": "SGD",
    "R": "BRL",
    "NT": "TWD",
}
_CODES = word_set(
    "USD GBP EUR JPY INR KRW RUB TRY ILS NGN PHP THB VND UAH AUD CAD HKD NZD SGD BRL TWD MXN CHF"
    " SEK NOK DKK PLN CZK HUF RON BGN ISK ZAR CNY RMB AED SAR QAR EGP KES GHS PKR BDT LKR IDR MYR"
    " ARS CLP COP PEN BTC ETH"
)
_WORDS = {
    "dollar": ("USD", "1"),
    "cent": ("USD", "0.01"),
    "euro": ("EUR", "1"),
    "pound": ("GBP", "1"),
    "pence": ("GBP", "0.01"),
    "penny": ("GBP", "0.01"),
    "yen": ("JPY", "1"),
    "rupee": ("INR", "1"),
    "yuan": ("CNY", "1"),
    "renminbi": ("CNY", "1"),
    "rouble": ("RUB", "1"),
    "ruble": ("RUB", "1"),
    "franc": ("CHF", "1"),
    "krona": ("SEK", "1"),
    "kronor": ("SEK", "1"),
    "kroner": ("NOK", "1"),
    "krone": ("NOK", "1"),
    "peso": ("MXN", "1"),
    "rand": ("ZAR", "1"),
    "zloty": ("PLN", "1"),
}
_OWN_MONEY = word_set("us american british swiss japanese indian chinese russian mexican polish")
# whose dollar, krone or peso it is
_NATIONS = {
    "australian": "AUD",
    "canadian": "CAD",
    "singapore": "SGD",
    "norwegian": "NOK",
    "danish": "DKK",
    "swedish": "SEK",
    "icelandic": "ISK",
    "philippine": "PHP",
    "argentine": "ARS",
    "chilean": "CLP",
    "colombian": "COP",
    "pakistani": "PKR",
}


def currency_before(tokens: list[Atom], index: int) -> tuple[Unit, int] | None:
    """The currency written before a number, and the index where it starts."""
    if not 0 < index <= len(tokens):
        return None
    token = tokens[index - 1]
    if token.text in _SIGNS:
        code = _DOLLARS.get(tokens[index - 2].text) if glued(tokens, index - 1) else None
        if token.text == "$" and code is not None:
            return _currency(code), index - 2
        return _currency(_SIGNS[token.text]), index - 1
    if token.text in _CODES:
        return _currency(token.text), index - 1
    is_dotted = token.text == "." and lower_at(tokens, index - 2) == "rs"
    if token.lower == "rs" or is_dotted:
        return _currency("INR"), index - 1 - is_dotted
    return None


def currency_after(tokens: list[Atom], index: int) -> tuple[Unit, int] | None:
    """The currency written after a number, and the index after it."""
    if index >= len(tokens):
        return None
    token = tokens[index]
    if token.text in _SIGNS and token.text != "$":
        return _currency(_SIGNS[token.text]), index + 1
    if token.text in _CODES:
        return _currency(token.text), index + 1
    nation = token.lower if token.lower in _OWN_MONEY or token.lower in _NATIONS else ""
    place = index + bool(nation)
    named = _worded(tokens[place]) if place < len(tokens) else None
    if named is None:
        return None
    code = _NATIONS.get(nation)
    return (_currency(code) if code else named), place + 1


def _worded(token: Atom) -> Unit | None:
    word = token.lower.removesuffix("s") if token.kind is Kind.WORD else ""
    return _currency(*_WORDS[word]) if word in _WORDS else None


def _currency(code: str, size: str = "1") -> Unit:
    return Unit("money:" + ("CNY" if code == "RMB" else code), Decimal(size))
