"""The words of a text that carry its content, in a form that can be compared."""

import re
from functools import lru_cache

_WORD = re.compile(r"\d[\d.,]*\d|\w+", re.UNICODE)
_SUFFIXES = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("es", ""),
    ("ly", ""),
    ("s", ""),
)
_MIN_STEM = 3

STOP_WORDS = frozenset(
    """a an and are as at be been being but by can could did do does doing for from had has have
    having he her here hers him his how i if in into is it its itself just may me might more most
    must my no nor not of off on once only or other our ours out over own same shall she should so
    some such than that the their theirs them then there these they this those through to too under
    until up very was we were what when where which while who whom why will with would you your
    yours also about after again against all am any because before below between both during each
    few further s t""".split()
)


def content_terms(text: str) -> list[str]:
    """Stemmed words without stop words, in order; numbers without thousands separators."""
    return [_stem(word) for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    if word[0].isdigit():
        return word.replace(",", "").rstrip(".")
    for suffix, replacement in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _MIN_STEM:
            stem = word[: -len(suffix)] + replacement
            return stem[:-1] if stem[-1] == stem[-2:-1] and not replacement else stem.rstrip("e")
    return word.rstrip("e") if len(word) > _MIN_STEM else word
