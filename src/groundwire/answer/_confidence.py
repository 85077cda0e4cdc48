"""How sure it is that a sentence answers a question: two lines through two sets of measurements.

The score of a sentence is a sum of shares and cosines. The curves turn it into the probability
that the question has an answer in the corpus; `embedder.calibration.json` says where they are from.
"""

import math
from typing import NamedTuple

from groundwire.encoder import embedder_calibration


class Curve(NamedTuple):
    slope: float
    middle: float

    def __call__(self, score: float) -> float:
        return 1 / (1 + math.exp(-self.slope * (score - self.middle)))


def by_meaning() -> Curve:
    tuned = embedder_calibration().answers
    return Curve(slope=tuned.meaning_slope, middle=tuned.meaning_middle)


def by_words() -> Curve:
    tuned = embedder_calibration().answers
    return Curve(slope=tuned.words_slope, middle=tuned.words_middle)
