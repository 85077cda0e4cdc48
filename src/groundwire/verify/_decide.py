"""From probabilities to a status: the rulings' order, and nothing else."""

from collections.abc import Sequence
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
    has_knowledge: bool = False
    """Whether the judge knows things of its own; without that, a high p0 is noise."""


class StatusDecision(NamedTuple):
    status: Status
    reason: Reason


def supports(p1: Estimate, rules: Rules) -> bool:
    """Whether the whole interval is at or above the threshold."""
    return clamped(_interval(p1, rules).low) >= rules.threshold


def opposes(p1: Estimate, rules: Rules) -> bool:
    """By what it says itself, or, where an engine cannot tell opposed from silent, by its p."""
    return _interval(p1, rules).high <= REFUTED_BELOW and _refutes(p1, rules) is not False


def decide(p0: Estimate, p1: Estimate, target: float, rules: Rules) -> StatusDecision:
    """What the estimates say of a claim: first whether it is supported, by p1 alone.

    Only an interval of p1 across the threshold leaves that open. Of a claim that is not supported,
    it is asked whether it is opposed; where that cannot be told, it is no more than unsupported.
    """
    if supports(p1, rules):
        known = rules.has_knowledge and clamped(target) <= clamped(p0.p) <= clamped(p1.p)
        return StatusDecision("grounded", "prior_known" if known else "supported")
    if straddles(p1, rules):
        return StatusDecision("unverifiable", "uncertain")
    if _is_opposed(p0, p1, rules):
        return StatusDecision("contradicted", "refuted")
    return StatusDecision("unsupported", "not_in_evidence")


def straddles(p1: Estimate, rules: Rules) -> bool:
    known = _interval(p1, rules)
    return clamped(known.low) < rules.threshold <= clamped(known.high)


def _is_opposed(p0: Estimate, p1: Estimate, rules: Rules) -> bool:
    """An engine that tells "opposed" from "not mentioned" is asked; of others it is inferred."""
    says_so = _refutes(p1, rules)
    if says_so is None:
        says_so = clamped(_interval(p1, rules).high) < clamped(_interval(p0, rules).low)
    return says_so and clamped(_interval(p1, rules).high) <= REFUTED_BELOW


def _refutes(p1: Estimate, rules: Rules) -> bool | None:
    """`None` of an engine that does not say."""
    least = rules.refute_threshold or judge_calibration().support.refute_threshold
    return None if p1.refute is None else p1.refute >= least


def _interval(estimate: Estimate, rules: Rules) -> Interval:
    if rules.on_interval == "middle" or estimate.interval is None:
        return Interval(low=estimate.p, high=estimate.p)
    return estimate.interval


_SENTENCES: dict[Reason, str] = {
    "supported": "The evidence supports this.",
    "prior_known": "Likely true with and without this evidence.",
    "overconfident": "Supported, but stated more surely than the evidence justifies.",
    "miscited": "Supported, but not by what it cites.",
    "refuted": "The evidence says otherwise.",
    "not_in_evidence": "No sentence of the evidence was found to say this.",
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
