"""How surely an edge is known, from all that speaks for it and against it. Pure."""

from collections.abc import Iterable, Sequence

from groundwire.model import EdgeEvidence, EvidenceStrength
from groundwire.text import content_terms

HIGHEST_BELIEF = 0.99
STRONG_FROM = 0.96
MODERATE_FROM = 0.8


def belief_of(support: Sequence[EdgeEvidence], against: Sequence[EdgeEvidence]) -> float | None:
    """None when nothing speaks for the edge or against it: absence is no number.

    Independent sources raise it, repeats do not: of each document only the best evidence counts,
    and a sentence copied into a second document counts once. A denial takes its share of the
    weight. A statement of the reversed direction weighs nothing here: both may hold, and then make
    a cycle.
    """
    pro = _independent(support)
    contra = _independent(one for one in against if one.side == "refute")
    if not pro:
        return 0.0 if contra else None
    doubt = 1.0
    for confidence in pro:
        doubt *= 1 - confidence
    weight = sum(pro) + sum(contra)
    share = sum(pro) / weight if weight else 0.0
    return round(min(HIGHEST_BELIEF, (1 - doubt) * share), 4)


def strength_of(belief: float) -> EvidenceStrength:
    if belief >= STRONG_FROM:
        return "strong"
    return "moderate" if belief >= MODERATE_FROM else "weak"


def _independent(evidence: Iterable[EdgeEvidence]) -> list[float]:
    """One confidence for each source, the surest first."""
    counted: list[float] = []
    documents: set[str] = set()
    wordings: set[tuple[str, ...]] = set()
    for one in sorted(evidence, key=_surest_first):
        wording = tuple(content_terms(one.quote.quote))
        if one.quote.doc_id in documents or wording in wordings:
            continue
        documents.add(one.quote.doc_id)
        wordings.add(wording)
        counted.append(one.confidence or 0.0)
    return counted


def _surest_first(one: EdgeEvidence) -> tuple[float, str, str]:
    return -(one.confidence or 0.0), one.evidence_id, one.quote.quote
