"""Findings as evidence of an edge, and what an accepted quote must show."""

from collections.abc import Sequence

from groundwire.ground._findings import EdgeReader, Finding
from groundwire.ground._types import Hypothesis, LoopState, Passage, VerificationVerdict
from groundwire.model import EdgeEvidence, Quote, SupportType
from groundwire.text import find_quote, sentence_ranges

MAX_EVIDENCE = 8
_SUPPORT_TYPES: dict[str, SupportType] = {
    "direct": "direct_causal",
    "negated": "direct_causal",
    "reversed": "direct_causal",
    "correlation": "correlation_only",
    "hypothetical": "irrelevant",
}


def supports(fit: float) -> float:
    """How much a construction counts that no model was asked about."""
    return round(0.55 + 0.2 * fit, 4)


def refutes(finding: Finding) -> float:
    return round(0.6 + 0.3 * finding.fit, 4)


def evidence_from(finding: Finding, confidence: float) -> EdgeEvidence:
    sides = {"negated": "refute", "reversed": "reversed"}
    return EdgeEvidence.model_validate(
        {
            "evidence_id": finding.passage.id,
            "quote": finding.quote,
            "side": sides.get(finding.kind, "support"),
            "support_type": _SUPPORT_TYPES[finding.kind],
            "confidence": confidence,
        }
    )


def locate(quote: str, passages: Sequence[Passage]) -> tuple[Passage, Quote] | None:
    """Where a judge's quote stands. One that stands nowhere is an invention [RULINGS]."""
    for passage in passages:
        bundle = passage.bundle
        span = find_quote(quote, bundle.content)
        if span is not None:
            start = bundle.location.start
            return passage, Quote(
                doc_id=bundle.source.doc_id,
                quote=span.of(bundle.content),
                start=start + span.start,
                end=start + span.end,
            )
    return None


def support_of(
    hypothesis: Hypothesis, reader: EdgeReader, state: LoopState, verdict: VerificationVerdict
) -> list[EdgeEvidence]:
    """The judge's quote, and from other documents every sentence that says the same."""
    passages = list(state.passages.values())
    support: list[EdgeEvidence] = []
    located = locate(verdict.supporting_quote or "", passages)
    if located is not None:
        passage, quote = located
        confidence = round(verdict.confidence, 4)
        support.append(EdgeEvidence(evidence_id=passage.id, quote=quote, confidence=confidence))
    quoted = {one.quote.doc_id for one in support}
    for finding in reader.findings(hypothesis, passages):
        if finding.kind == "direct" and finding.quote.doc_id not in quoted:
            quoted.add(finding.quote.doc_id)
            support.append(evidence_from(finding, supports(finding.fit)))
    return support[:MAX_EVIDENCE]


def against_of(hypothesis: Hypothesis, reader: EdgeReader, state: LoopState) -> list[EdgeEvidence]:
    found = reader.findings(hypothesis, state.passages.values())
    kept = [one for one in found if one.kind in ("negated", "reversed", "correlation")]
    return [evidence_from(one, refutes(one)) for one in kept[:MAX_EVIDENCE]]


def names_both(hypothesis: Hypothesis, reader: EdgeReader, passage: Passage, quote: Quote) -> bool:
    """Both variables stand in the quote, in the sentences next to it, or in the title."""
    bundle = passage.bundle
    start, end = quote.start - bundle.location.start, quote.end - bundle.location.start
    ranges = sentence_ranges(bundle.content)
    touched = [place for place, (a, b) in enumerate(ranges) if a < end and start < b]
    if touched:
        start = min(start, ranges[max(0, touched[0] - 1)][0])
        end = max(end, ranges[min(len(ranges) - 1, touched[-1] + 1)][1])
    return reader.mentions_both(
        hypothesis, f"{bundle.source.title or ''}\n{bundle.content[start:end]}"
    )
