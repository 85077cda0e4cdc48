"""Whether a sentence tells that something was so, in whatever words, as the support head reads it.

A sentence that only supposes, or that says of two things that they went together, is about more
than one thing: whoever is near to it may be near to the other.
"""

from collections.abc import Sequence

from groundwire.encoder import PairScorer, judge_calibration
from groundwire.ground import read_causal
from groundwire.text import marks_in

_NOT_TOLD = frozenset({"hedged", "asked", "planned"})


class Telling:
    def __init__(self, scorer: PairScorer | None = None) -> None:
        self._scorer = scorer or PairScorer()

    def __call__(self, sentence: str, names: Sequence[str]) -> list[float]:
        is_told = not any(mark.label in _NOT_TOLD for mark in marks_in(sentence)) and all(
            one.relation != "correlates" for one in read_causal(sentence)
        )
        if not is_told:
            return [0.0] * len(names)
        scores = self._scorer.score([(f"There was {name}.", sentence) for name in names])
        return [one.support for one in scores]

    def refutes(self, sentence: str, names: Sequence[str]) -> list[bool]:
        """Whether a sentence says the opposite, at the bar that holds for every claim."""
        least = judge_calibration().support.refute_threshold
        scores = self._scorer.score([(f"There was {name}.", sentence) for name in names])
        return [one.refute >= least and one.refute > one.support for one in scores]

    def bears(self, report: str, names: Sequence[str], sentences: Sequence[str]) -> float:
        """Whoever tells an incident anew gets other particulars, so the judge finds that the report
        contradicts what it means, if not that it says the same; of a report about something else it
        says neither."""
        told = [*(f"There was {name}." for name in names), *sentences]
        scores = self._scorer.score([(report, one) for one in told])
        return max((one.refute for one in scores), default=0.0)
