"""How sure the wording is, where it says so."""

import re

_STATED_PERCENT = re.compile(
    r"\b(\d{1,3}(?:\.\d+)?)\s?(?:%|percent)"
    r" (?:sure|certain|confident|confidence|probability|likely|chance)\b",
    re.IGNORECASE,
)
_WORDINGS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), confidence)
    for words, confidence in (
        (r"almost certainly|nearly certain(?:ly)?|virtually certain", 0.95),
        (r"certainly|definitely|undoubtedly|without (?:a )?doubt|unquestionably|for sure", 0.99),
        (r"very likely|highly likely|very probably|most likely", 0.9),
        (r"unlikely", 0.2),
        (r"probably|likely", 0.75),
    )
)


def stated_confidence(sentence: str) -> float | None:
    """The confidence the sentence claims for itself, or None when it says nothing about it."""
    percent = _STATED_PERCENT.search(sentence)
    if percent:
        return min(float(percent[1]), 100.0) / 100
    for pattern, confidence in _WORDINGS:
        if pattern.search(sentence):
            return confidence
    return None
