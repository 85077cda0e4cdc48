"""From probabilities to a status: the rulings' order, and nothing else."""

from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge import Estimate, clamped
from groundwire.model import Check, Citation, Interval, Reason, Status

REFUTED_BELOW = 0.2
"""Evidence that lowers a claim to this or less opposes it."""


class Rules(NamedTuple):
    threshold: float
    refute_threshold: float | None = None
    """Unset: the calibrated one of the embedded judge."""
    on_interval: Literal["unverifiable", "middle"] = "unverifiable"


class StatusDecision(NamedTuple):
    status: Status
    reason: Reason


def supports(p1: Estimate, rules: Rules) -> bool:
    return clamped(p1.p) >= rules.threshold


def opposes(p1: Estimate, rules: Rules) -> bool:
    """By what it says itself, or, where an engine cannot tell opposed from silent, by its p."""
    least = rules.refute_threshold or judge_calibration().support.refute_threshold
    return p1.p <= REFUTED_BELOW and (p1.refute is None or p1.refute >= least)


def decide(p0: Estimate, p1: Estimate, target: float, rules: Rules) -> StatusDecision:
    """What the estimates say of a claim. The ends of an interval have to agree."""
    if rules.on_interval == "middle":
        return _decide_at(p0.p, p1.p, p1.refute, target, rules)
    decisions = {
        _decide_at(low_or_high_p0, low_or_high_p1, p1.refute, target, rules)
        for low_or_high_p0, low_or_high_p1 in product(_ends(p0), _ends(p1))
    }
    if len({decision.status for decision in decisions}) > 1:
        return StatusDecision("unverifiable", "uncertain")
    return _decide_at(p0.p, p1.p, p1.refute, target, rules)


def _decide_at(
    p0: float, p1: float, refute: float | None, target: float, rules: Rules
) -> StatusDecision:
    p0, p1 = clamped(p0), clamped(p1)
    if _is_opposed(p0, p1, refute, rules):
        return StatusDecision("contradicted", "refuted")
    if p1 < rules.threshold:
        return StatusDecision("unsupported", "not_in_evidence")
    if clamped(target) <= p0 <= p1:
        return StatusDecision("grounded", "prior_known")
    return StatusDecision("grounded", "supported")


def _is_opposed(p0: float, p1: float, refute: float | None, rules: Rules) -> bool:
    """An engine that tells "opposed" from "not mentioned" is asked; of others it is inferred."""
    least = rules.refute_threshold or judge_calibration().support.refute_threshold
    says_so = p1 < p0 if refute is None else refute >= least
    return says_so and p1 <= REFUTED_BELOW


def _ends(estimate: Estimate) -> set[float]:
    interval = estimate.interval or Interval(low=estimate.p, high=estimate.p)
    return {interval.low, interval.high}


_SENTENCES: dict[Reason, str] = {
    "supported": "The evidence supports this.",
    "prior_known": "Likely true with and without this evidence.",
    "overconfident": "Supported, but stated more surely than the evidence justifies.",
    "miscited": "Supported, but not by what it cites.",
    "refuted": "The evidence says otherwise.",
    "not_in_evidence": "Nothing in the evidence says this.",
    "not_asserted": "The evidence asks, plans or supposes this, but does not say that it is so.",
    "no_evidence": "There was no evidence to test this against.",
    "language": "The judge was not calibrated for this language.",
    "uncertain": "The judge's estimate is too wide to decide.",
}


def explain(
    reason: Reason, checks: Sequence[Check] = (), citations: Sequence[Citation] = ()
) -> str:
    if reason == "phantom_citation":
        markers = ", ".join(dict.fromkeys(one.marker for one in citations if one.is_phantom))
        return f"It cites {markers}, which leads to no evidence."
    for check in checks:
        if check.relation == "contradicted" and reason == f"{check.kind}_mismatch":
            return f'It says "{check.claimed}"; the evidence says "{check.found}".'
    return _SENTENCES.get(reason, "The judge failed.")
