import math
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.encoder._runner import Runner
from groundwire.encoder._weights import MAX_TOKENS, word_piece

MAX_CLAIM_TOKENS = 160


class Scores(NamedTuple):
    """The model's raw opinion of a pair, before calibration; the three sum to one."""

    support: float
    refute: float
    neutral: float


class PairScorer:
    """Scores (claim, evidence) pairs with the embedded cross-encoder."""

    def __init__(self, threads: int = 2) -> None:
        self._runner = Runner("judge", threads)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        rows = self._runner.run([_sequence(claim, context) for claim, context in pairs])
        return [_softmax(row[0], row[1], row[2]) for row in rows]


def _sequence(claim: str, context: str) -> tuple[list[int], int]:
    """[CLS] claim [SEP] context [SEP]; what is too long is cut, the claim last."""
    pieces = word_piece()
    first = [pieces.start, *pieces.ids(claim, MAX_CLAIM_TOKENS), pieces.separator]
    room = MAX_TOKENS - len(first) - 1
    return [*first, *pieces.ids(context, room), pieces.separator], len(first)


def _softmax(support: float, refute: float, neutral: float) -> Scores:
    top = max(support, refute, neutral)
    weights = [math.exp(value - top) for value in (support, refute, neutral)]
    total = sum(weights)
    return Scores(*(weight / total for weight in weights))
