"""Whether an answer is sure enough to be given [S3 Gap D].

The score of a sentence is a sum of shares and cosines. The curves turn it into the probability
that the question has an answer in the corpus; `reader.calibration.json` says where they are from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.gate._gate import Gate
from groundwire.model import Decision

if TYPE_CHECKING:
    from groundwire.config import Threshold, ThresholdsSection
    from groundwire.model import EvidenceBundle

LOW_CONFIDENCE: Final = "low_confidence"


class Curve(NamedTuple):
    slope: float
    middle: float

    def __call__(self, score: float) -> float:
        return 1 / (1 + math.exp(-self.slope * (score - self.middle)))


def by_meaning() -> Curve:
    from groundwire.encoder import reader_calibration

    tuned = reader_calibration().answers
    return Curve(slope=tuned.meaning_slope, middle=tuned.meaning_middle)


def by_words() -> Curve:
    from groundwire.encoder import reader_calibration

    tuned = reader_calibration().answers
    return Curve(slope=tuned.words_slope, middle=tuned.words_middle)


def confidence_gate() -> Gate:
    """It cannot be switched off, but `evidence.abstain_below: 0` lets everything through."""
    return Gate("confidence", on_failure="abstain")


def judge_confidence(
    base_score: float, fallbacks: Sequence[str], abstain_below: float, **measured: float
) -> Decision:
    """A fallback's penalty counts, once; at the threshold an answer is sure enough [CONF-05].

    `measured` is what else is known of what was found; it is kept and decides nothing.
    """
    from groundwire.model import after_fallbacks

    confidence = after_fallbacks(base_score, fallbacks)
    looked_at = {"confidence": confidence, "abstain_below": abstain_below, **measured}
    if confidence < abstain_below:
        return Decision(
            gate="confidence",
            effect="abstain",
            reason=LOW_CONFIDENCE,
            message="The documents do not answer this question surely enough.",
            looked_at=looked_at,
        )
    if fallbacks:
        return Decision(gate="confidence", effect="degrade", reason="fallback", looked_at=looked_at)
    return Decision(gate="confidence", looked_at=looked_at)


def passage_confidence(hits: Sequence[EvidenceBundle], thresholds: ThresholdsSection) -> float:
    """How sure it is that the best passage is about the question, from 0 to 1."""
    return max(
        (_passage_confidence(hit, thresholds.of(hit.source.doc_type or "")) for hit in hits),
        default=0.0,
    )


def _passage_confidence(hit: EvidenceBundle, threshold: Threshold) -> float:
    scores = hit.retrieval.scores if hit.retrieval else {}
    words = scores.get("coverage", 0.0)
    if "distance" not in scores or not threshold.distance_threshold:
        return words
    meaning = max(0.0, 1.0 - scores["distance"] / (2 * threshold.distance_threshold))
    return min(1.0, max(words, meaning))
