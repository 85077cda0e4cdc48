"""What a judge's yes must show before it counts: the rules of grounding, checked by code."""

from groundwire.ground._belief import belief_of
from groundwire.ground._evidence import against_of, locate, names_both, support_of
from groundwire.ground._findings import EdgeReader
from groundwire.ground._queries import refinement
from groundwire.ground._types import Hypothesis, LoopState, VerificationVerdict


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
        return self._problem_of_quote(
            verdict.supporting_quote, hypothesis, state
        ) or self._problem_of_weight(verdict, hypothesis, state)

    def _problem_of_quote(
        self, quoted: str, hypothesis: Hypothesis, state: LoopState
    ) -> str | None:
        located = locate(quoted, list(state.passages.values()))
        if located is None:
            return "quote_not_found"
        if not names_both(hypothesis, self._reader, *located):
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
        reasons = {
            "negated": "refuted",
            "reversed": "reversed",
            "correlation": "correlation_only",
            "hypothetical": "hypothetical",
        }
        kinds = {
            finding.kind
            for finding in self._reader.findings(hypothesis, state.passages.values())
            if quoted.strip() in finding.quote.quote or finding.quote.quote in quoted
        }
        if not kinds or "direct" in kinds:
            return None
        return next(reasons[kind] for kind in reasons if kind in kinds)
