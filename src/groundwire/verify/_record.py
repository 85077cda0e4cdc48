"""What is counted and logged of every verdict."""

from collections.abc import Sequence

from groundwire.model import ClaimResult
from groundwire.observe import Log, metrics

_log = Log("engine")


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
