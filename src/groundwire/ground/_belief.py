"""How surely an edge is known, from all that speaks for it and against it. Pure."""

import math
from collections.abc import Iterable, Sequence

from groundwire.encoder import judge_calibration
from groundwire.ground._evidence import (
    REASONS,
    EdgeReader,
    against_of,
    locate,
    names_both,
    support_of,
)
from groundwire.ground._retriever import refinement
from groundwire.ground._types import Hypothesis, LoopState, VerificationVerdict
from groundwire.model import EdgeEvidence, EvidenceStrength
from groundwire.text import content_terms


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
    doubt = math.prod(1 - confidence for confidence in pro)
    weight = sum(pro) + sum(contra)
    share = sum(pro) / weight if weight else 0.0
    return round(min(judge_calibration().edges.highest_belief, (1 - doubt) * share), 4)


def strength_of(belief: float) -> EvidenceStrength:
    tuned = judge_calibration().edges
    if belief >= tuned.strong_from:
        return "strong"
    return "moderate" if belief >= tuned.moderate_from else "weak"


def _independent(evidence: Iterable[EdgeEvidence]) -> list[float]:
    """One confidence for each source, the surest first."""
    counted: list[float] = []
    documents: set[str] = set()
    wordings: set[tuple[str, ...]] = set()
    for one in sorted(
        evidence, key=lambda one: (-(one.confidence or 0.0), one.evidence_id, one.quote.quote)
    ):
        wording = tuple(content_terms(one.quote.quote))
        if one.quote.doc_id in documents or wording in wordings:
            continue
        documents.add(one.quote.doc_id)
        wordings.add(wording)
        counted.append(one.confidence or 0.0)
    return counted


class Acceptance:
    """Verbatim quote, both variables in or next to it, `direct_causal`, enough confidence, and no
    wording in the quote that says otherwise [RULINGS, S1]."""

    def __init__(self, reader: EdgeReader, threshold: float) -> None:
        self._reader = reader
        self._threshold = threshold

    def checked(
        self, verdict: VerificationVerdict, hypothesis: Hypothesis, state: LoopState
    ) -> VerificationVerdict:
        """The verdict as it stands, or turned into a rejection that says what was missing."""
        if not verdict.is_grounded:
            return verdict
        problem = self._problem(verdict, hypothesis, state)
        if problem is None:
            return verdict
        return verdict.model_copy(
            update={
                "is_grounded": False,
                "rejection_reason": problem,
                "suggested_refinement_query": verdict.suggested_refinement_query
                or refinement(hypothesis, state.attempted_queries),
            }
        )

    def _problem(
        self, verdict: VerificationVerdict, hypothesis: Hypothesis, state: LoopState
    ) -> str | None:
        if verdict.support_type != "direct_causal":
            return verdict.support_type
        if not verdict.supporting_quote:
            return "no_quote"
        of_quote = self._problem_of_quote(verdict.supporting_quote, hypothesis, state)
        return of_quote or self._problem_of_weight(verdict, hypothesis, state)

    def _problem_of_quote(
        self, quoted: str, hypothesis: Hypothesis, state: LoopState
    ) -> str | None:
        located = locate(quoted, list(state.passages.values()))
        if located is None:
            return "quote_not_found"
        is_stated = any(
            one.quote.quote == located[1].quote and one.kind == "direct" and one.fit == 1.0
            for one in self._reader.findings(hypothesis, state.passages.values())
        )
        if not is_stated and not names_both(hypothesis, self._reader, *located):
            return "variables_not_in_quote"
        return self._contrary(hypothesis, located[1].quote, state)

    def _problem_of_weight(
        self, verdict: VerificationVerdict, hypothesis: Hypothesis, state: LoopState
    ) -> str | None:
        if verdict.confidence < self._threshold:
            return "low_confidence"
        belief = belief_of(
            support_of(hypothesis, self._reader, state, verdict),
            against_of(hypothesis, self._reader, state),
        )
        return "refuted" if (belief or 0.0) < self._threshold else None

    def _contrary(self, hypothesis: Hypothesis, quoted: str, state: LoopState) -> str | None:
        """How the quoted words read, where they do not read as the edge."""
        kinds = {
            finding.kind
            for finding in self._reader.findings(hypothesis, state.passages.values())
            if quoted.strip() in finding.quote.quote or finding.quote.quote in quoted
        }
        if not kinds or "direct" in kinds:
            return None
        return next(reason for kind, reason in REASONS.items() if kind in kinds)
