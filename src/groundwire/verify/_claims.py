"""Claims to verdicts: judged with their evidence, without it, and decided [SPEC-08.03 … 08.05]."""

import time
from collections.abc import Iterable, Sequence

from groundwire.claims import detect_language
from groundwire.judge import CachedJudge, Estimate, Evidence
from groundwire.model import Claim, ClaimResult
from groundwire.verify._case import Case, cited_scope
from groundwire.verify._decide import Rules, decide
from groundwire.verify._result import Standard, result_of


class ClaimVerifier:
    """Verifies claims against evidence with one judge.

    Claims go through in step, so that a judge sees them in as few calls as possible: all with
    their evidence, then those whose citations did not bear them with all of it, then all without
    what supports them.
    """

    def __init__(self, judge: CachedJudge, rules: Rules, standard: Standard) -> None:
        self._judge = judge
        self._rules = rules
        self._standard = standard

    async def verify(
        self,
        claims: Sequence[Claim],
        evidence: Evidence,
        *,
        confidence: float | None = None,
        language: str | None = None,
    ) -> list[ClaimResult]:
        """One result per claim, in order. `language` is that of the text they are from."""
        started_s = time.perf_counter()
        cases = [self._case(claim, evidence, language) for claim in claims]
        judged = [case for case in cases if case.cannot_judge is None]
        await self._ask_with_evidence(judged)
        await self._ask_beyond_citations(judged)
        await self._ask_without_support(judged)
        elapsed_ms = (time.perf_counter() - started_s) * 1000
        return [
            result_of(
                case,
                self._judge.backend.name,
                self._rules,
                self._standard,
                confidence=confidence,
                latency_ms=elapsed_ms / len(judged) if case.cannot_judge is None else 0.0,
            )
            for case in cases
        ]

    def _case(self, claim: Claim, evidence: Evidence, language: str | None) -> Case:
        backend = self._judge.backend
        case = Case(claim, evidence, backend.context_words, cited_scope(claim, evidence))
        if not case.places:
            case.cannot_judge = "no_evidence"
        elif not self._speaks(detect_language(claim.content) or language) or not self._speaks(
            detect_language(evidence.text(case.places))
        ):
            case.cannot_judge = "language"
        else:
            case.checks = evidence.check_values(claim.content, case.scope)
        return case

    def _speaks(self, language: str | None) -> bool:
        languages = self._judge.backend.languages
        return languages is None or language is None or language in languages

    async def _ask_with_evidence(self, cases: Iterable[Case]) -> None:
        asked = list(cases)
        answers = await self._judge.ask([case.question for case in asked])
        for case, answer in zip(asked, answers, strict=True):
            case.p1 = answer

    async def _ask_beyond_citations(self, cases: Iterable[Case]) -> None:
        """What the cited documents do not say another may: supported, but miscited."""
        asked = [
            case
            for case in cases
            if case.scope is not None and case.contradiction is None and self._lacks_support(case)
        ]
        before = [(case.p1, case.scope, case.places) for case in asked]
        for case in asked:
            case.widen()
        await self._ask_with_evidence(asked)
        for case, (p1, scope, places) in zip(asked, before, strict=True):
            case.miscited = not self._lacks_support(case)
            if not case.miscited:
                case.p1, case.scope, case.places = p1, scope, places

    async def _ask_without_support(self, cases: Iterable[Case]) -> None:
        asked = list(cases)
        answers = await self._judge.ask([case.question_without_support for case in asked])
        for case, answer in zip(asked, answers, strict=True):
            case.p0 = answer

    def _lacks_support(self, case: Case) -> bool:
        """Judged, and neither supported nor opposed."""
        answer = case.p1.answer if case.p1 else None
        if not isinstance(answer, Estimate):
            return False
        return decide(answer, answer, self._standard.target, self._rules).status == "unsupported"
