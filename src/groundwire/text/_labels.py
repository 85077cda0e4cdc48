"""Lines that give a value to a label: "Run time 50 h". Their first word is a noun, not an order.

In doubt such a line states its value; what is left out would pass unchecked.
"""

import re

from groundwire._patterns import lazy_pattern
from groundwire.model import MONTH_NAMES, UNITS
from groundwire.text._grammar import PREPOSITIONS, first_finite, looks_plural
from groundwire.text._words import PRONOUNS, Token, plain, tokens_of, word_set

_MONTH = "(?:" + "|".join(rf"{name[:3]}(?:{name[3:]})?" for name in MONTH_NAMES) + r")\b\.?"
# such as "5 May 2024", "May 5, 2024", "May 2024", "2024-05-01", "01/05/2024"
_DATE = (
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}(?:\s\d{{4}})?"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?(?!\d)|{_MONTH}\s\d{{4}}"
    r"|\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
)
# such as "$5m", "1,200", "5-7", "-20", "2 x 3"
_AMOUNT = (
    r"(?P<money>[$€£¥]\s?)?[-+±]?\d[\d.,]*(?:\s?(?:-|to|x|×|/)\s?\d[\d.,]*)*"
    r"\s?(?:(?:k|m|bn|million|billion|thousand)(?=\W*$|\s))?"
)
# such as "up to ", "approx. ", "> "
_ABOUT = (
    r"(?:(?:up to|at (?:least|most)|(?:more|less) than|about|around|roughly|circa|ca\.?|approx\.?"
    r"|under|over|below|above|max\.?|min\.?|of|[~≈<>≤≥])\s*)?"
)
# such as "Lift capacity - 900 kg (empty)": the label, what joins it, the value, its unit
_LABELLED = lazy_pattern(
    r"(?P<label>[^\W\d_](?:[^\d:=→⇒➔,;.!?$€£¥~≈<>≤≥]|(?<=[a-z])\.)*?)"
    rf"\s*(?P<joint>[:=→⇒➔]|(?<=\s)-(?=\s))?\s*{_ABOUT}"
    rf"(?<!\w)(?<!\w-)(?:(?P<date>{_DATE})|{_AMOUNT}(?P<unit>[^\d()]*?))"
    r"(?:\s*\([^()]*\)?)?(?P<stop>[.!]?)\s*$",
    re.IGNORECASE,
)
# such as "2024" in "Launch year 2024"
_YEAR = lazy_pattern(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,])")
# such as "L/min", "kWh per year", "km a day"
_PER = lazy_pattern(r"\s*/\s*|\s+per\s+|\s+an?\s+")
_CURRENCIES = word_set("$ € £ ¥ usd eur gbp chf jpy dollars euros pounds cents")
_MANY_PEOPLE = word_set("people men women children staff")
_ORDERING = word_set(
    """the a an this that these those your my our his her their its all every each any it them
    and or then first next finally now to into onto from with for by again twice once up down
    left right back well"""
)
"""What stands beside the object of an order, and not in a label: "Stop the pump", "Turn left"."""
_ADVERBIAL = PREPOSITIONS - {"of", "per"}
"""Before a value these say when or where to do something: "Stop pump after 5 min"."""
_ONLY_VERBS = word_set(
    """add allow apply ask assign begin bring choose configure connect contain continue convert
    create define delete determine divide enable ensure enter examine exclude execute expand expect
    extend follow get give go hear hide include inform insert install invite join keep know let lose
    maintain make migrate notify obtain observe prepare provide publish put receive reduce remove
    rename replace say see seek select send separate sit specify submit take tell think throw use
    verify want"""
)
"""What opens no label, being no noun: "Add salt 5 g"."""
_MEANT = word_set(
    """goal goals target targets aim aims plan plans planned proposal proposals proposed suggested
    suggestion draft forecast forecasts estimate estimates estimated expected expectation wish
    wishes wanted hoped budget budgeted request requested asking offer offered quote quotation
    question questions option options idea ideas assumption assumptions assumed ideal example
    examples scenario outlook projection projected provisional tentative agenda todo rumour"""
)
_MOST_LABEL_WORDS = 6
_LINE_CHARS = 100
"""A longer line is no label with its value; it bounds what the pattern tries, too."""


def states_value(sentence: str) -> bool:
    """ "Run time 50 h", "Flow → 99 L/min", "Load 5 t"; not "Load 5 boxes", "Wait 5 min."."""
    line = " ".join(plain(sentence).split())
    match = _LABELLED.match(line) if len(line) <= _LINE_CHARS else None
    if match is None:
        return False
    label = [token for token in tokens_of(match["label"]) if token.text[0].isalpha()]
    if not 0 < len(label) <= _MOST_LABEL_WORDS or _is_order(label):
        return False
    if match["joint"]:
        return not match["stop"] or _is_measured(match)
    if len(label) == 1:
        return not match["stop"] and _is_measured(match)
    return _is_measured(match) or _is_count(match) or _is_year(match, label[-1])


def record_label(sentence: str) -> str:
    """What a line of a record gives, up to its colon: "Passed" of "Passed: 139"; nothing of a
    sentence, and of a label that says what is meant to be: "Goal", "Asking price"."""
    label, colon, _ = plain(sentence).partition(":")
    words = tokens_of(label)
    is_label = bool(colon) and len(words) <= _MOST_LABEL_WORDS and first_finite(words) is None
    return label if is_label and not is_meant(label) else ""


def is_meant(label: str) -> bool:
    """Whether a label or a heading says of what is under it that it is to be, not that it is."""
    return not _MEANT.isdisjoint(token.low for token in tokens_of(label))


def _is_order(label: list[Token]) -> bool:
    words = [token.low for token in label]
    return (
        words[0] in _ONLY_VERBS
        or words[-1] in _ADVERBIAL
        or any(word in _ORDERING or word in PRONOUNS for word in words)
        or any(word.endswith("ly") for word in words[1:])
    )


def _is_measured(match: re.Match[str]) -> bool:
    """ "9 inch", "5 %", "$5", "5 May"."""
    if match["date"] or match["money"]:
        return True
    unit = _PER.split(match["unit"].strip(), maxsplit=1)[0].replace(" ", "")
    known = unit in UNITS or unit.lower() in UNITS or unit.lower() in _CURRENCIES
    return known or unit[:1] == "°"


def _is_count(match: re.Match[str]) -> bool:
    """ "400 patients"; "5 times" says how often to do something."""
    unit = match["unit"].strip().lower()
    is_noun = unit.isalpha() and unit != "times" and unit not in PREPOSITIONS
    return is_noun and (looks_plural(unit) or unit in _MANY_PEOPLE)


def _is_year(match: re.Match[str], last: Token) -> bool:
    """ "Launch year 2024"; "Install Office 2019" names a product, "Open port 8080" a place."""
    is_bare = not match["unit"].strip() and _YEAR.search(match[0], match.end("label")) is not None
    return is_bare and not last.is_capitalised
