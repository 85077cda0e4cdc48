"""How likely an assertion of a step is wrong or invented: what the judge says, and its wording.

Right steps say things in words of their own, so neither an unconvinced judge nor new words alone
tell an invention. What both are worth was fitted together.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.model import ClaimResult
from groundwire.text import content_terms, status_of, topical
from groundwire.values import Given, Period, Quantity, same_value, values_in

_NEVER = 1e-3
_MOST_TOPICS = 3
_MOST_TERMS = 12
_FEW = 12
"""A whole number up to this may count what nobody counted before."""


class FaultSigns(NamedTuple):
    """Of one assertion, each a column of the fit."""

    supported: float
    """The log odds of p1."""
    supported_without: float
    """The log odds of p0: what the rest of the evidence makes of it."""
    refuted: float
    words_new: float
    """Of its content words, the share that nothing before it has."""
    topics_new: float
    words_in_one: float
    """The share that the nearest sentence has by itself: what is near to one is no conclusion."""
    words: float
    denied: float
    drawn: float
    """Whether its sentence draws a conclusion."""
    has_value: float
    number_new: float
    date_new: float


def signs_of(
    result: ClaimResult, before: Sequence[str], new: frozenset[str], *, is_drawn: bool
) -> FaultSigns:
    """`before`: the sentences it may rest on; `new`: the words of it that none of them has."""
    claim = result.claim
    terms = set(content_terms(claim))
    count = max(1, len(terms))
    values = values_in(claim)
    numbers = [one for one in values if isinstance(one, Quantity) and not (one.ordinal or one.weak)]
    dates = [one for one in values if isinstance(one, Period)]
    given = Given(tuple(before))
    return FaultSigns(
        _log_odds(result.p1),
        _log_odds(result.p0),
        result.status == "contradicted" and result.reason == "refuted",
        len(new) / count,
        min(_MOST_TOPICS, len(topical(new))),
        max((len(terms & set(content_terms(one))) / count for one in before), default=0.0),
        min(_MOST_TERMS, len(terms)),
        "negated" in status_of(claim).labels,
        is_drawn,
        bool(numbers or dates),
        any(not _counts_few(one) and not given.has(one) for one in numbers),
        any(not _is_among(one, before) and not given.may_give_time(one) for one in dates),
    )


def fault_of(signs: FaultSigns) -> float:
    """The probability that it is wrong, or that nobody said it."""
    weight = judge_calibration().steps
    total = (
        weight.offset
        + weight.supported * signs.supported
        + weight.supported_without * signs.supported_without
        + weight.refuted * signs.refuted
        + weight.words_new * signs.words_new
        + weight.topics_new * signs.topics_new
        + weight.words_in_one * signs.words_in_one
        + weight.words * signs.words
        + weight.denied * signs.denied
        + weight.drawn * signs.drawn
        + weight.has_value * signs.has_value
        + weight.number_new * signs.number_new
        + weight.date_new * signs.date_new
    )
    return 1 / (1 + math.exp(-total))


def _counts_few(quantity: Quantity) -> bool:
    return quantity.dimension == "count" and abs(quantity.value) <= _FEW


def _is_among(date: Period, before: Sequence[str]) -> bool:
    return any(same_value(date, other) for one in before for other in values_in(one))


def _log_odds(p: float | None) -> float:
    bounded = min(1 - _NEVER, max(_NEVER, p or 0.0))
    return math.log(bounded / (1 - bounded))
