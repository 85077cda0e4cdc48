"""What is counted and logged of every verdict."""

from collections.abc import Sequence
from typing import NamedTuple, get_args

from groundwire.errors import BackendError
from groundwire.judge import CLAMP, Budget, Estimate, budget, clamped
from groundwire.model import ClaimResult, Quote, Reason, VerifierInfo
from groundwire.observe import Log, metrics
from groundwire.text import language_name
from groundwire.verify._case import Case, estimate_of
from groundwire.verify._decide import Rules, StatusDecision, decide, explain

_log = Log("engine")
_REASONS: dict[str, Reason] = {reason: reason for reason in get_args(Reason)}
"""By their names: most failures of a backend are reasons too."""


def count_verdicts(results: Sequence[ClaimResult]) -> None:
    counted = metrics()
    for result in results:
        backend = result.verifier.backend
        if result.verifier.ran:
            counted.count("claims_verified_total")
            counted.observe("verification_latency_ms", result.verifier.latency_ms, backend=backend)
        if result.status in ("unsupported", "contradicted"):
            counted.count("hallucinations_detected_total", status=result.status)
        if result.status == "unverifiable":
            counted.count("verification_failure_total", reason=result.reason)
        _log.info(
            "claim_verified",
            status=result.status,
            reason=result.reason,
            flagged=result.flagged,
            budget_gap=result.budget_gap,
            backend=backend,
        )


class Standard(NamedTuple):
    """How sure a claim has to be where nobody says, and how many bits short is too many."""

    target: float = 0.75
    flag_threshold_bits: float = 0.0


def result_of(
    case: Case,
    backend: str,
    rules: Rules,
    standard: Standard,
    *,
    confidence: float | None = None,
    latency_ms: float = 0.0,
) -> ClaimResult:
    """`confidence` is what the caller says the claim was stated with; else its wording counts."""
    stated = case.claim.confidence if confidence is None else confidence
    target = standard.target if stated is None else stated
    p1, p0 = case.estimate, estimate_of(case.p0)
    judged_by = _judged_by(p1, p0) or backend
    if p1 is not None:
        p1 = _by_values(case, p1)
    decision = _decided(case, p0, p1, target, rules)
    spent = budget(p0.p, p1.p, target, stated) if p0 and p1 else None
    flagged, reason = _flagged(case, decision, spent, standard)
    return ClaimResult(
        claim=case.claim.content,
        status=decision.status,
        flagged=flagged,
        reason=reason,
        message=_message(case, reason),
        p0=_clamped(p0),
        p1=_clamped(p1),
        p0_interval=p0.interval if p0 else None,
        p1_interval=p1.interval if p1 else None,
        target=clamped(target),
        stated_confidence=stated,
        required_bits=spent.required_bits if spent else None,
        observed_bits=spent.observed_bits if spent else None,
        budget_gap=spent.gap if spent else None,
        clamp=CLAMP,
        adjusted_confidence=spent.adjusted_confidence if spent else None,
        span=case.claim.source,
        citations=case.claim.citations,
        evidence=case.quotes() if decision.status in ("grounded", "contradicted") else (),
        nearest=_nearest(case, decision),
        checks=case.checks,
        verifier=VerifierInfo(
            backend=judged_by,
            ran=p1 is not None,
            cached=bool(case.p1 and case.p1.cached),
            latency_ms=round(latency_ms, 3),
        ),
    )


def _decided(
    case: Case, p0: Estimate | None, p1: Estimate | None, target: float, rules: Rules
) -> StatusDecision:
    if case.cannot_judge == "not_asserted":
        return StatusDecision("unsupported", "not_asserted")
    if case.cannot_judge is not None:
        return StatusDecision("unverifiable", case.cannot_judge)
    if case.contradiction is not None:
        return StatusDecision("contradicted", _REASONS[f"{case.contradiction.kind}_mismatch"])
    if p0 is None or p1 is None:
        error = _failure(case)
        code = error.code if error else "backend_error"
        return StatusDecision("unverifiable", _REASONS.get(code, "backend_error"))
    decision = decide(p0, p1, target, rules)
    if decision.status == "unsupported" and case.is_only_supposed:
        return StatusDecision("unsupported", "not_asserted")
    return decision


def _by_values(case: Case, p1: Estimate) -> Estimate:
    """What the evidence says in numbers outranks any model's impression of it, both ways."""
    if case.contradiction is not None:
        return Estimate(p=CLAMP.low, refute=p1.refute, judged_by=p1.judged_by)
    if case.confirmation is not None:
        return Estimate(p=CLAMP.high, refute=0.0, judged_by=p1.judged_by)
    return p1


def _failure(case: Case) -> BackendError | None:
    for judged in (case.p1, case.p0):
        if judged is not None and isinstance(judged.answer, BackendError):
            return judged.answer
    return None


def _message(case: Case, reason: Reason) -> str:
    """Of a failing judge its own words, which say what to set."""
    error = _failure(case)
    if error is not None and reason == _REASONS.get(error.code, "backend_error"):
        return str(error)
    if reason == "language" and case.foreign is not None:
        language, part = case.foreign
        return (
            f"The {part} is in {language_name(language)}, which the judge was not calibrated for; "
            "a language model judges it (--backend self); judge.languages allows it to the "
            "embedded judge and judge.deep_languages to the deep one, unmeasured."
        )
    return explain(reason, case.checks, case.claim.citations)


def _flagged(
    case: Case, decision: StatusDecision, spent: Budget | None, standard: Standard
) -> tuple[bool, Reason]:
    """Whether the stated confidence is not justified [SPEC-08.05], and why most of all."""
    status, reason = decision
    cites_nothing = any(one.is_phantom for one in case.claim.citations)
    if cites_nothing and status in ("grounded", "unsupported"):
        return True, "phantom_citation"
    if case.miscited and status == "grounded":
        return True, "miscited"
    # what was not observed justifies nothing
    short = spent is None or spent.gap > standard.flag_threshold_bits
    return short, "overconfident" if short and status == "grounded" else reason


def _nearest(case: Case, decision: StatusDecision) -> Quote | None:
    place = case.nearest if decision.status == "unsupported" else None
    return None if place is None else case.evidence.quote(place)


def _judged_by(p1: Estimate | None, p0: Estimate | None) -> str | None:
    """Whose word it is where a judge has several engines; a makeshift one is shown first."""
    given = [one for one in (p1, p0) if one is not None]
    return next((one.judged_by for one in given if one.degraded), p1.judged_by if p1 else None)


def _clamped(estimate: Estimate | None) -> float | None:
    return None if estimate is None else clamped(estimate.p)
