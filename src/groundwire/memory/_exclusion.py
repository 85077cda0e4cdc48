"""How likely two facts exclude each other: what a judge says both ways, and how they are worded.

A judge that was taught on pairs about one scene takes two facts about two things for a
contradiction. What they share tells these apart: the weights of both were fitted together.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.encoder import judge_calibration, memory_calibration
from groundwire.text import content_terms, is_negation, topical, words_of
from groundwire.verify import Compared

_NEVER = 1e-3
_MOST_SHARED = 3


class Signs(NamedTuple):
    """Of two facts, whichever comes first; each is a column of the fit."""

    refuted_most: float
    refuted_least: float
    supported_most: float
    supported_least: float
    words_shared: float
    """Of all their content words, the share that both have."""
    topics_shared: float
    """How many words they share that are not at home in any text."""
    values_differ: float
    one_denies: float


def signs_of(first: str, second: str, said: Sequence[Compared]) -> Signs:
    """`said`: the first as the claim and the second as its evidence, and the other way round."""
    refuted = [_log_odds(one.refuted) for one in said]
    supported = [_log_odds(one.supported) for one in said]
    mine, others = frozenset(content_terms(first)), frozenset(content_terms(second))
    shared = mine & others
    return Signs(
        max(refuted),
        min(refuted),
        max(supported),
        min(supported),
        len(shared) / max(1, len(mine | others)),
        min(_MOST_SHARED, len(topical(shared))),
        any(one.by_value for one in said),
        _denies(first) != _denies(second),
    )


def is_supported(signs: Signs) -> bool:
    """Whether one says the other, and has no other value."""
    least = _log_odds(judge_calibration().support.threshold)
    return signs.supported_most >= least and not signs.values_differ


def exclusion(signs: Signs) -> float:
    """The probability that both cannot be true; none where one supports the other."""
    if is_supported(signs):
        return 0.0
    weight = memory_calibration().exclusion
    total = (
        weight.offset
        + weight.refuted_most * signs.refuted_most
        + weight.refuted_least * signs.refuted_least
        + weight.supported_most * signs.supported_most
        + weight.supported_least * signs.supported_least
        + weight.words_shared * signs.words_shared
        + weight.topics_shared * signs.topics_shared
        + weight.values_differ * signs.values_differ
        + weight.one_denies * signs.one_denies
    )
    return 1 / (1 + math.exp(-total))


def _denies(text: str) -> bool:
    return any(is_negation(word) for word in words_of(text))


def _log_odds(p: float) -> float:
    bounded = min(1 - _NEVER, max(_NEVER, p))
    return math.log(bounded / (1 - bounded))
