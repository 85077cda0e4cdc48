"""A text and its evidence become a report: what holds, what does not, and why."""

from collections import Counter
from collections.abc import Sequence

from groundwire.claims import extract_claims
from groundwire.errors import InputError
from groundwire.judge import Evidence
from groundwire.model import (
    CheckReport,
    CheckSummary,
    ClaimResult,
    EvidenceBundle,
    Extraction,
    Source,
)
from groundwire.text import detect_language
from groundwire.verify._claims import ClaimVerifier


async def verify_text(
    text: str,
    bundles: Sequence[EvidenceBundle],
    verifier: ClaimVerifier,
    *,
    request_id: str,
    max_claims: int,
) -> CheckReport:
    """Find what the text asserts and verify each assertion."""
    extraction = extract_claims(text, _sources(bundles))
    if len(extraction.claims) > max_claims:
        raise InputError(
            f"The text makes {len(extraction.claims)} claims; {max_claims} can be checked at once.",
            hint="Check it in parts, or raise limits.max_claims.",
        )
    results = await verifier.verify(
        extraction.claims, Evidence(bundles), language=detect_language(text)
    )
    return _report(results, extraction, request_id)


def _sources(bundles: Sequence[EvidenceBundle]) -> list[Source]:
    """Each document once, in the order given: `[2]` means the second."""
    return list({bundle.source.doc_id: bundle.source for bundle in bundles}.values())


def _report(results: Sequence[ClaimResult], extraction: Extraction, request_id: str) -> CheckReport:
    summary = _summary(results, len(extraction.excluded))
    reason = _abstention_reason(summary, results)
    return CheckReport(
        mode="ANSWER" if reason is None else "ABSTAIN",
        reason=reason,
        message=_message(summary, reason, results),
        claims=tuple(results),
        excluded=extraction.excluded,
        summary=summary,
        request_id=request_id,
    )


def _summary(results: Sequence[ClaimResult], excluded: int) -> CheckSummary:
    statuses = Counter(result.status for result in results)
    return CheckSummary(
        claims=len(results),
        grounded=statuses["grounded"],
        unsupported=statuses["unsupported"],
        contradicted=statuses["contradicted"],
        unverifiable=statuses["unverifiable"],
        flagged=sum(result.flagged for result in results),
        phantom_citations=sum(
            any(one.is_phantom for one in result.citations) for result in results
        ),
        excluded=excluded,
    )


def _abstention_reason(summary: CheckSummary, results: Sequence[ClaimResult]) -> str | None:
    if summary.claims == 0:
        return "nothing_to_verify"
    if summary.unverifiable == summary.claims:
        return Counter(result.reason for result in results).most_common(1)[0][0]
    return None


def _message(summary: CheckSummary, reason: str | None, results: Sequence[ClaimResult]) -> str:
    if reason == "nothing_to_verify":
        return "The text asserts nothing that could be verified."
    if reason is not None:
        why = next(result.message for result in results if result.reason == reason)
        return f"None of {_counted(summary.claims, 'claim')} could be verified. {why}"
    wrong = [
        f"{count} {status}"
        for status, count in (
            ("contradicted", summary.contradicted),
            ("unsupported", summary.unsupported),
            ("unverifiable", summary.unverifiable),
        )
        if count
    ]
    held = f"{summary.grounded} of {_counted(summary.claims, 'claim')} grounded"
    return ", ".join([held, *wrong]) + "."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
