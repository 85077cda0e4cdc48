"""What callers give: evidence in any of its forms, claims and texts within bounds."""

from collections import Counter
from collections.abc import Mapping, Sequence

from groundwire.claims import extract_claims
from groundwire.errors import InputError
from groundwire.judge import Evidence
from groundwire.model import (
    CheckReport,
    CheckSummary,
    ClaimResult,
    Document,
    EvidenceBundle,
    Extraction,
    Source,
)
from groundwire.text import detect_language
from groundwire.verify._claims import ClaimVerifier

EvidenceLike = str | Document | EvidenceBundle
GivenEvidence = EvidenceLike | Sequence[EvidenceLike] | Mapping[str, str]
"""A text, a document, a bundle, several of them, or texts by their ids."""


def bundles_of(evidence: GivenEvidence) -> list[EvidenceBundle]:
    """Evidence in any of the forms a caller has it, each piece with a document id."""
    if isinstance(evidence, Mapping):
        return [EvidenceBundle.of(text, doc_id) for doc_id, text in evidence.items()]
    if isinstance(evidence, str | Document | EvidenceBundle):
        return [_bundle(evidence, "evidence")]
    return [_bundle(piece, str(number)) for number, piece in enumerate(evidence, start=1)]


def _bundle(piece: EvidenceLike, doc_id: str) -> EvidenceBundle:
    if isinstance(piece, EvidenceBundle):
        return piece
    if isinstance(piece, Document):
        body = piece.text[piece.body_start :]
        return EvidenceBundle.of(
            body, piece.doc_id, title=piece.title, start=piece.body_start, places=piece.places
        )
    return EvidenceBundle.of(piece, doc_id)


def require_claim(claim: str, confidence: float | None, max_chars: int) -> None:
    require_text(claim, max_chars)
    if confidence is not None and not 0 <= confidence <= 1:
        raise InputError(
            f"A confidence of {confidence} is not a probability.", hint="Give one from 0 to 1."
        )


def require_text(text: str, max_chars: int) -> None:
    if not text.strip():
        raise InputError("There is no text to check.")
    if len(text) > max_chars:
        raise InputError(
            f"The text has {len(text):,} characters; {max_chars:,} can be checked at once.",
            hint="Check it in parts, or raise limits.max_text_chars.",
        )


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
        coverage=extraction.coverage,
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
