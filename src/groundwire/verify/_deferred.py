"""Claims a judge turned away for its rate limit, kept until it takes them [SPEC-08.42]."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from groundwire.errors import BackendRateLimited
from groundwire.guard import Drained, DurableQueue, QueuedItem, drain
from groundwire.judge import Evidence
from groundwire.model import ClaimResult, EvidenceBundle, content_hash

QUEUE_NAME = "queue.sqlite"
_KIND = "claim"

Verify = Callable[[str, Sequence[EvidenceBundle], float | None], Awaitable[ClaimResult]]


def defer(
    queue: DurableQueue,
    results: Sequence[ClaimResult],
    bundles: Sequence[EvidenceBundle],
    context_words: int,
) -> int:
    """Queue what met the rate limit, each with the sentences it is to be judged by."""
    limited = [result for result in results if result.reason == "backend_rate_limited"]
    if not limited:
        return 0
    evidence = Evidence(bundles)
    payloads = [_payload(result, evidence, context_words) for result in limited]
    return sum(
        queue.put(_KIND, payload, reason="backend_rate_limited", key=content_hash(repr(payload)))
        for payload in payloads
    )


async def verify_deferred(queue: DurableQueue, verify: Verify, *, limit: int = 1_000) -> Drained:
    """Verify what waits; what is turned away again waits longer."""

    async def handle(item: QueuedItem) -> None:
        given = item.payload
        bundles = [_bundle(one) for one in given["evidence"]]
        result = await verify(given["claim"], bundles, given["confidence"])
        if result.reason == "backend_rate_limited":
            raise BackendRateLimited(result.message)

    return await drain(queue, handle, limit=limit, kind=_KIND)


def _payload(result: ClaimResult, evidence: Evidence, context_words: int) -> dict[str, Any]:
    """Whole documents would be kept once per claim; what would be read of them is enough."""
    sentences = [
        evidence.sentences[place] for place in evidence.narrow(result.claim, context_words)
    ]
    pieces = [
        {
            "doc_id": evidence.bundles[sentence.bundle].source.doc_id,
            "start": evidence.bundles[sentence.bundle].location.start + sentence.start,
            "content": sentence.text,
        }
        for sentence in sentences
    ]
    return {"claim": result.claim, "confidence": result.stated_confidence, "evidence": pieces}


def _bundle(piece: Mapping[str, Any]) -> EvidenceBundle:
    return EvidenceBundle.of(piece["content"], piece["doc_id"], start=piece["start"])
