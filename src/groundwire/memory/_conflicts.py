"""Whether facts can be true together, and what a judge that could not tell has said."""

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
from groundwire.memory._exclusion import exclusion
from groundwire.model import ClaimResult, EvidenceBundle, Quote, VerifierInfo
from groundwire.text import find_quote
from groundwire.verify import Compared

Verify = Callable[[str, Sequence[EvidenceBundle], float | None], Awaitable[ClaimResult]]
Compare = Callable[[Sequence[tuple[str, str]]], Awaitable[list[Compared]]]

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
    content: str, others: Mapping[str, str], compare: Compare, *, least: float
) -> tuple[str, ...]:
    """The ids of those that exclude it with at least this probability, each compared by itself.

    A judge that cannot tell leaves the question open, and with it the check.
    """
    there = [(content, other) for other in others.values()]
    back = [(other, content) for other in others.values()]
    said = await compare([*there, *back])
    return tuple(
        identity
        for (identity, other), *both in zip(
            others.items(), said[: len(there)], said[len(there) :], strict=True
        )
        if exclusion(content, other, both) >= least
    )


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
