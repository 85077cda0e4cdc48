"""What evidence is worth, in bits [SPEC-08.03 … 08.06, 08.17]."""

import math
from typing import NamedTuple

from groundwire.model import Clamp

CLAMP = Clamp(low=0.01, high=0.99)


class Budget(NamedTuple):
    """What the stated confidence needs, what the evidence gave, and what may be believed."""

    required_bits: float
    observed_bits: float
    gap: float
    adjusted_confidence: float


def clamped(p: float) -> float:
    return min(max(p, CLAMP.low), CLAMP.high)


def kl_bits(p: float, q: float) -> float:
    """KL(Ber(p) || Ber(q)) in bits. Never negative: rounding must not turn nothing into a loss."""
    divergence = p * math.log2(p / q) + (1 - p) * math.log2((1 - p) / (1 - q))
    return max(0.0, divergence)


def budget(p0: float, p1: float, target: float, stated: float | None = None) -> Budget:
    """The budget of one claim. All probabilities are clamped first, so bits stay finite.

    KL has no direction, so observed bits carry the sign of the change: evidence that makes a claim
    less likely never pays for it.
    """
    p0, p1, target = clamped(p0), clamped(p1), clamped(target)
    required = kl_bits(target, p0) if target > p0 else 0.0
    observed = math.copysign(kl_bits(p1, p0), p1 - p0)
    believed = target if stated is None else stated
    justified = max(0.0, observed) / required if required > 0 else p1
    return Budget(required, observed, required - observed, min(believed, justified, 1.0))
