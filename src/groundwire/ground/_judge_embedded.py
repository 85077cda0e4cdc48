"""The judge that needs no key: the wording decides what is said, the model how surely.

The embedded cross-encoder gives `A causes B` and `B causes A` nearly the same score for the same
sentence, so it may not decide direction. A construction that joins the two variables is needed;
the model's opinion then moves the confidence, and a firm refutation takes it below the threshold.
"""

from collections.abc import Sequence

from groundwire.errors import BackendError
from groundwire.ground._adversary import attack_by_wording
from groundwire.ground._evidence import supports
from groundwire.ground._findings import EdgeReader, Finding, FindingKind, of_kind
from groundwire.ground._queries import refinement
from groundwire.ground._types import (
    AdversarialVerdict,
    Hypothesis,
    LoopState,
    Passage,
    VerificationVerdict,
)
from groundwire.judge import CachedJudge, Estimate, Question, VerifierBackend

MAX_SCORED = 2
"""Sentences the model reads for one edge: the best named of as many sources."""
_BY_WORDING = 0.55
_BY_FIT = 0.2
_BY_MODEL = 0.2
_AGAINST_BY_MODEL = 0.3
_MAX_WINDOW_WORDS = 90
_CACHE_TTL_S = 600.0
_UNSUPPORTED: tuple[FindingKind, ...] = ("negated", "reversed", "correlation", "hypothetical")
_REASONS: dict[FindingKind, str] = {
    "negated": "refuted",
    "reversed": "reversed",
    "correlation": "correlation_only",
    "hypothetical": "hypothetical",
}


class EmbeddedEdgeJudge:
    def __init__(
        self, backend: VerifierBackend, reader: EdgeReader, *, name: str = "embedded"
    ) -> None:
        self.name = name
        self._judge = CachedJudge(backend, ttl_s=_CACHE_TTL_S)
        self._reader = reader

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        passages = list(state.passages.values())
        findings = self._reader.findings(hypothesis, passages)
        direct = _one_a_source(of_kind(findings, "direct"))
        if not direct:
            return self._without_support(hypothesis, state, findings)
        best, confidence = (await self._scored(hypothesis, direct))[0]
        return VerificationVerdict(
            is_grounded=True,
            support_type="direct_causal",
            supporting_quote=best.quote.quote,
            confidence=confidence,
        )

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        return attack_by_wording(hypothesis, self._reader, passages)

    async def _scored(
        self, hypothesis: Hypothesis, findings: Sequence[Finding]
    ) -> list[tuple[Finding, float]]:
        """The model's opinion of each quote, surest first."""
        questions = [
            Question(claim=hypothesis.statement, context=_window(finding)) for finding in findings
        ]
        scored = []
        for finding, judged in zip(findings, await self._judge.ask(questions), strict=True):
            if isinstance(judged.answer, BackendError):
                raise judged.answer
            scored.append((finding, _confidence(finding, judged.answer)))
        return sorted(scored, key=lambda pair: (-pair[1], pair[0].quote.doc_id))

    def _without_support(
        self, hypothesis: Hypothesis, state: LoopState, findings: Sequence[Finding]
    ) -> VerificationVerdict:
        reason, quote = self._why_not(hypothesis, state, findings)
        return VerificationVerdict(
            is_grounded=False,
            support_type="correlation_only" if reason == "correlation_only" else "irrelevant",
            supporting_quote=None,
            rejection_reason=reason if quote is None else f"{reason}: {quote}",
            confidence=supports(1.0) if quote else 0.5,
            suggested_refinement_query=refinement(hypothesis, state.attempted_queries),
        )

    def _why_not(
        self, hypothesis: Hypothesis, state: LoopState, findings: Sequence[Finding]
    ) -> tuple[str, str | None]:
        for kind in _UNSUPPORTED:
            of_this = of_kind(findings, kind)
            if of_this:
                return _REASONS[kind], of_this[0].quote.quote
        texts = (passage.bundle.content for passage in state.passages.values())
        if any(self._reader.mentions_both(hypothesis, text) for text in texts):
            return "no_causal_statement", None
        return "not_mentioned", None


def _confidence(finding: Finding, answer: Estimate) -> float:
    by_wording = _BY_WORDING + _BY_FIT * finding.fit
    by_model = _BY_MODEL * answer.p - _AGAINST_BY_MODEL * (answer.refute or 0.0)
    return round(min(0.95, max(0.0, by_wording + by_model)), 4)


def _one_a_source(findings: Sequence[Finding]) -> list[Finding]:
    """The best of each document: repeats of one source add nothing."""
    best: dict[str, Finding] = {}
    for finding in findings:
        best.setdefault(finding.quote.doc_id, finding)
    return list(best.values())[:MAX_SCORED]


def _window(finding: Finding) -> str:
    words = finding.quote.quote.split()
    return " ".join(words[:_MAX_WINDOW_WORDS])
