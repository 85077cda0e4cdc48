"""How likely two facts exclude each other: what a judge says both ways, and how they are worded.

A judge that was taught on pairs about one scene takes two facts about two things for a
contradiction. What they share tells these apart: the weights of both were fitted together.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.encoder import judge_calibration, memory_calibration
from groundwire.text import content_terms, first_finite, placed_words, rules_out_others, topical
from groundwire.values import Period, Quantity, Value, same_value, values_in
from groundwire.verify import Compared

_NEVER = 1e-3
_MOST_SHARED = 3
_MOST_APART = 6


class Signs(NamedTuple):
    """Of two facts, whichever comes first; each is a column of the fit."""

    refuted_most: float
    refuted_least: float
    supported_least: float
    words_shared: float
    """Of all their content words, the share that both have."""
    topics_shared: float
    """How many words they share that are not at home in any text."""
    words_apart: float
    """How many words one has that the other lacks: two that differ in one word are of a kind, and
    things of a kind are often both so."""
    said_shared: float
    """The share of words that both have from their verbs on."""
    leaves_no_room: float
    """Whether one says "only", "every" or "never"."""
    values_differ: float
    numbers_shared: float
    dates_shared: float


def signs_of(first: str, second: str, said: Sequence[Compared]) -> Signs:
    """`said`: the first as the claim and the second as its evidence, and the other way round."""
    refuted = [_log_odds(one.refuted) for one in said]
    supported = [_log_odds(one.supported) for one in said]
    mine, others = frozenset(content_terms(first)), frozenset(content_terms(second))
    shared = mine & others
    return Signs(
        max(refuted),
        min(refuted),
        min(supported),
        _overlap(mine, others),
        min(_MOST_SHARED, len(topical(shared))),
        min(_MOST_APART, max(len(mine - others), len(others - mine))),
        _overlap(_predicate(first), _predicate(second)),
        _leaves_no_room(first) or _leaves_no_room(second),
        any(one.by_value for one in said),
        _share_value(first, second, Quantity),
        _share_value(first, second, Period),
    )


def is_supported(said: Sequence[Compared]) -> bool:
    """Whether one says the other, and has no other value."""
    least = judge_calibration().support.threshold
    return any(one.supported >= least for one in said) and not any(one.by_value for one in said)


def exclusion(first: str, second: str, said: Sequence[Compared]) -> float:
    """The probability that both cannot be true; none where one supports the other."""
    return 0.0 if is_supported(said) else weighed(signs_of(first, second, said))


def weighed(signs: Signs) -> float:
    weight = memory_calibration().exclusion
    total = (
        weight.offset
        + weight.refuted_most * signs.refuted_most
        + weight.refuted_least * signs.refuted_least
        + weight.supported_least * signs.supported_least
        + weight.words_shared * signs.words_shared
        + weight.topics_shared * signs.topics_shared
        + weight.words_apart * signs.words_apart
        + weight.said_shared * signs.said_shared
        + weight.leaves_no_room * signs.leaves_no_room
        + weight.values_differ * signs.values_differ
        + weight.numbers_shared * signs.numbers_shared
        + weight.dates_shared * signs.dates_shared
    )
    return 1 / (1 + math.exp(-total))


def _overlap(mine: frozenset[str], others: frozenset[str]) -> float:
    return len(mine & others) / max(1, len(mine | others))


def _predicate(text: str) -> frozenset[str]:
    """The content words from the verb on; all of them where none is found."""
    words = placed_words(text)
    verb = first_finite(words)
    return frozenset(content_terms(text[words[verb].start :] if verb else text))


def _leaves_no_room(text: str) -> bool:
    return any(rules_out_others(one.low) for one in placed_words(text))


def _share_value(first: str, second: str, kind: type[Value]) -> bool:
    others = [one for one in values_in(second) if isinstance(one, kind)]
    mine = [one for one in values_in(first) if isinstance(one, kind)]
    return any(same_value(one, other) for one in mine for other in others)


def _log_odds(p: float) -> float:
    bounded = min(1 - _NEVER, max(_NEVER, p))
    return math.log(bounded / (1 - bounded))
