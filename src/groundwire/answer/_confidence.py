"""How sure it is that a sentence answers a question: two lines through two sets of measurements.

The score of a sentence is a sum of shares and cosines. The curves turn it into the probability
that the question has an answer in the corpus. `benchmarks/ask.py --fit` made the first from the
questions of the examples; the second lies between those of two corpora, on the cautious side.
"""

import math
from typing import NamedTuple


class Curve(NamedTuple):
    slope: float
    middle: float

    def __call__(self, score: float) -> float:
        return 1 / (1 + math.exp(-self.slope * (score - self.middle)))


BY_MEANING = Curve(slope=8.5, middle=1.6)
BY_WORDS = Curve(slope=4.5, middle=1.4)
