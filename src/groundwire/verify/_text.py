"""A text to its report: the claims it makes, each verified, and what they come to."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from anyio.to_thread import run_sync

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
    Unread,
)
from groundwire.text import detect_language
from groundwire.verify._claims import ClaimVerifier

OnClaim = Callable[[ClaimResult, int, int], None]
"""Told each verdict as it falls: the result, how many there are by now, and of how many."""


async def verify_text(
    text: str,
    evidence: Evidence,
    verifier: ClaimVerifier,
    *,
    request_id: str,
    max_claims: int,
    question: str = "",
    unread: Sequence[Unread] = (),
    on_claim: OnClaim | None = None,
) -> CheckReport:
    """Find what the text asserts and verify each assertion.

    `question` is what the text answers. With `on_claim` claims go to the judge a few at a time,
    as few as cost it nothing, so that the first verdict does not wait for the last.
    """
    # reading takes seconds where a text is long, and others wait on the same loop
    extraction = await run_sync(
        partial(extract_claims, text, _sources(evidence.bundles), question=question)
    )
    if len(extraction.claims) > max_claims:
        raise InputError(
            f"The text makes {len(extraction.claims)} claims; {max_claims} can be checked at once.",
            hint="Check it in parts, or raise limits.max_claims.",
        )
    claims, language = extraction.claims, detect_language(text)
    at_once = verifier.claims_at_once if on_claim is not None else None
    results: list[ClaimResult] = []
    for start in range(0, len(claims), at_once or max(1, len(claims))):
        some = claims[start : start + at_once] if at_once else claims
        for result in await verifier.verify(some, evidence, language=language):
            results.append(result)
            if on_claim is not None:
                on_claim(result, len(results), len(claims))
    return _report(results, extraction, request_id, unread)


def _sources(bundles: Sequence[EvidenceBundle]) -> list[Source]:
    """Each document once, in the order given: `[2]` means the second."""
    return list({bundle.source.doc_id: bundle.source for bundle in bundles}.values())


def _report(
    results: Sequence[ClaimResult],
    extraction: Extraction,
    request_id: str,
    unread: Sequence[Unread],
) -> CheckReport:
    summary = CheckSummary.of(results, excluded=len(extraction.excluded))
    reason = _abstention_reason(summary, results)
    return CheckReport(
        mode="ANSWER" if reason is None else "ABSTAIN",
        reason=reason,
        message=_message(summary, reason, results),
        claims=tuple(results),
        excluded=extraction.excluded,
        coverage=extraction.coverage.model_copy(update={"unread": tuple(unread)}),
        summary=summary,
        request_id=request_id,
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
