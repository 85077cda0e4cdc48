"""Whether facts can be true together, and what a judge that could not tell has said."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendRefused,
    BackendTimeout,
    BackendUnavailable,
    JudgeUnhealthy,
    SpendingCapReached,
)
from groundwire.judge import CLAMP
from groundwire.model import ClaimResult, EvidenceBundle, Quote, VerifierInfo
from groundwire.text import find_quote

Verify = Callable[[str, Sequence[EvidenceBundle], float | None], Awaitable[ClaimResult]]

_ERRORS = {
    error.code: error
    for error in (
        *(BackendTimeout, BackendUnavailable, BackendRateLimited, BackendRefused),
        *(BackendMalformed, JudgeUnhealthy, SpendingCapReached),
    )
}


def error_of(result: ClaimResult) -> BackendError:
    """The failure behind a verdict that says nothing."""
    return _ERRORS.get(result.reason, BackendError)(result.message)


async def conflicts_among(
    content: str, others: Mapping[str, str], verify: Verify, *, both_ways: bool
) -> tuple[str, ...]:
    """The ids of those that say otherwise, each judged by itself.

    Values that differ decide at once. A refutation by wording has to hold both ways, unless one
    is to be enough: of two statements that exclude each other each refutes the other. A judge that
    cannot tell leaves the question open, and with it the check.
    """
    there = await _judged([(content, other) for other in others.values()], verify)
    back = await _judged([(other, content) for other in others.values()], verify)
    return tuple(
        identity
        for identity, *said in zip(others, there, back, strict=True)
        if _exclude(said, both_ways=both_ways)
    )


def _exclude(said: Sequence[ClaimResult], *, both_ways: bool) -> bool:
    against = [one for one in said if one.status == "contradicted"]
    if any(one.reason != "refuted" for one in against):
        return True
    return len(against) == len(said) if both_ways else bool(against)


async def _judged(pairs: Sequence[tuple[str, str]], verify: Verify) -> list[ClaimResult]:
    verdicts = await asyncio.gather(
        *(verify(claim, [EvidenceBundle.of(other, "stored")], None) for claim, other in pairs)
    )
    for verdict in verdicts:
        if verdict.status == "unverifiable" and verdict.reason in _ERRORS:
            raise error_of(verdict)
    return verdicts


def verbatim(
    snippet: str, bundles: Sequence[EvidenceBundle], stated: float | None, target: float
) -> ClaimResult:
    """A snippet is a quote: it stands in its source, or it does not. No judge is asked."""
    for bundle in bundles:
        place = find_quote(snippet, bundle.content)
        if place is None:
            continue
        start = bundle.location.start + place.start
        quote = Quote(
            doc_id=bundle.source.doc_id,
            quote=place.of(bundle.content),
            start=start,
            end=start + place.end - place.start,
            place=bundle.place_at(start),
        )
        return _told(snippet, stated, target, quote)
    return _told(snippet, stated, target, None)


def _told(snippet: str, stated: float | None, target: float, quote: Quote | None) -> ClaimResult:
    return ClaimResult(
        claim=snippet,
        status="unsupported" if quote is None else "grounded",
        flagged=quote is None,
        reason="not_in_evidence" if quote is None else "supported",
        message="It stands in no source that was given." if quote is None else "It is a quote.",
        target=target if stated is None else stated,
        stated_confidence=stated,
        clamp=CLAMP,
        evidence=() if quote is None else (quote,),
        verifier=VerifierInfo(backend="verbatim", ran=True),
    )
