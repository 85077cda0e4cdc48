"""Words reduced until `the certificate had expired` and `expired certificates` are the same."""

import re
from functools import lru_cache

from groundwire.text._words import content_terms

NEGATION = "not"
_NEGATORS = re.compile(r"\b(?:no|not|without|never|cannot|\w+n't)\b", re.IGNORECASE)
_EMPTY = frozenset(
    """be become became becoming get got getting start begin happen occur occurr go went came come
    due cause caus lead led result effect impact there thing certain various several many much lot
    able well new own part way""".split()
)
_SUFFIXES = (
    "ation",
    "ition",
    "ment",
    "ance",
    "anc",
    "ency",
    "enc",
    "ure",
    "iry",
    "ion",
    "ity",
    "ness",
    "able",
    "abl",
    "ing",
    "at",
    "al",
    "iv",
    "ur",
    "y",
    "t",
)
_MIN_ROOT = 4
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
_JOINT = re.compile(r"[_\-/‐‑]")


def roots(text: str) -> frozenset[str]:
    """The roots of the words that carry a phrase; `not` stands for every denial in it."""
    found = {_root(term) for term in content_terms(_JOINT.sub(" ", text))} - _EMPTY
    if _NEGATORS.search(text):
        found.add(NEGATION)
    return frozenset(found)


def spelled_apart(name: str) -> str:
    """`PrtStatPaper` as `Prt Stat Paper`."""
    return " ".join(_CAMEL.sub(" ", name).split())


@lru_cache(maxsize=50_000)
def _root(term: str) -> str:
    for suffix in _SUFFIXES:
        if term.endswith(suffix) and len(term) - len(suffix) >= _MIN_ROOT:
            return term[: -len(suffix)]
    return term
