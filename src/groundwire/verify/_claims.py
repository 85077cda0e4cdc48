"""Claims to verdicts: judged with their evidence, without it, and decided [SPEC-08.03 … 08.05]."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from anyio.to_thread import run_sync

from groundwire.errors import BackendRateLimited
from groundwire.guard import Drained, DurableQueue, QueuedItem, drain
from groundwire.judge import CachedJudge, Evidence, Question
from groundwire.model import Claim, ClaimResult, EvidenceBundle, content_hash
from groundwire.text import detect_language
from groundwire.verify._case import Case, Foreign, cited_scope, surest
from groundwire.verify._decide import Rules, decide
from groundwire.verify._quotes import find_quotes
from groundwire.verify._result import Standard, result_of


class ClaimVerifier:
    """Verifies claims against evidence with one judge.

    Claims go through in step, so that a judge sees them in as few calls as possible: all of them
    with their evidence and without what supports them, then once more, by all of the evidence,
    those whose citations did not bear them. What decides is judged once more, as a quote.
    """

    def __init__(self, judge: CachedJudge, rules: Rules, standard: Standard) -> None:
        self._judge = judge
        self._rules = rules
        self._standard = standard

    @property
    def judge(self) -> CachedJudge:
        return self._judge

    @property
    def backend_name(self) -> str:
        return self._judge.backend.name

    @property
    def claims_at_once(self) -> int | None:
        """So many claims at a time cost the judge no more than all of them; None: all."""
        return getattr(self._judge.backend, "claims_at_once", None)

    async def verify(
        self,
        claims: Sequence[Claim],
        evidence: Evidence,
        *,
        confidence: float | None = None,
        language: str | None = None,
    ) -> list[ClaimResult]:
        """One result per claim, in order. `language` is that of the text they are from."""
        given = [(claim, evidence) for claim in claims]
        return await self.verify_each(given, confidence=confidence, language=language)

    async def verify_each(
        self,
        given: Sequence[tuple[Claim, Evidence]],
        *,
        confidence: float | None = None,
        language: str | None = None,
    ) -> list[ClaimResult]:
        """The same for claims that have each its own evidence."""
        started_s = time.perf_counter()
        # looking for values takes seconds where claims are many, and others wait on the same loop
        cases = await run_sync(
            lambda: [self._case(claim, evidence, language) for claim, evidence in given]
        )
        judged = [case for case in cases if case.cannot_judge is None]
        await self._ask(judged)
        await self._ask_beyond_citations(judged)
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
        if not evidence.sentences:
            case.cannot_judge = "no_evidence"
        elif not case.places:
            case.cannot_judge = "not_asserted"
        elif (foreign := self._foreign(case, language)) is not None:
            case.cannot_judge = "language"
            case.foreign = foreign
        else:
            case.checks = evidence.check_values(claim.content, case.scope)
        return case

    def _foreign(self, case: Case, language: str | None) -> Foreign | None:
        """A language the judge does not cover: of the whole text, or of every document the claim
        would be judged by. A single claim is too short to tell."""
        languages = self._judge.backend.languages
        if languages is None:
            return None
        bundles = {case.evidence.sentences[place].bundle for place in case.places}
        documents = [detect_language(case.evidence.bundles[one].content) for one in bundles]
        known = {None, *languages}
        if language is not None and language not in known:
            return Foreign(language, "text")
        first = documents[0]
        if first is not None and all(one not in known for one in documents):
            return Foreign(first, "evidence")
        return None

    async def _ask(self, cases: Sequence[Case]) -> None:
        """With and without the evidence in one call: a judge may work on both at once."""

        def asked() -> tuple[list[list[list[Question]]], list[Question]]:
            given = [[case.questions(places) for places in case.contexts] for case in cases]
            return given, [case.question_without_support() for case in cases]

        spelled, without = await run_sync(asked)
        questions = [one for each in spelled for context in each for one in context]
        count = len(questions)
        answers = await self._judge.ask(questions + without)
        given = iter(answers[:count])
        moved = []
        for case, each, p0 in zip(cases, spelled, answers[count:], strict=True):
            case.p0 = p0
            if case.take([surest(list(islice(given, len(one)))) for one in each], self._rules):
                moved.append(case)
        again = await self._judge.ask([case.question_without_support() for case in moved])
        for case, p0 in zip(moved, again, strict=True):
            case.p0 = p0
        await find_quotes(self._judge, cases, self._rules)

    async def _ask_beyond_citations(self, cases: Sequence[Case]) -> None:
        """What the cited documents do not say another may: supported, but miscited."""
        narrow = [
            case
            for case in cases
            if case.scope is not None and case.contradiction is None and self._lacks_support(case)
        ]
        wide = [case.widened() for case in narrow]
        await self._ask(wide)
        for case, widened in zip(narrow, wide, strict=True):
            if not self._lacks_support(widened):
                case.adopt(widened)

    def _lacks_support(self, case: Case) -> bool:
        """Judged, and neither supported nor opposed."""
        answer = case.estimate
        if answer is None:
            return False
        return decide(answer, answer, self._standard.target, self._rules).status == "unsupported"


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


async def verify_deferred(queue: DurableQueue, verify: Verify) -> Drained:
    """Verify what waits; what is turned away again waits longer."""

    async def handle(item: QueuedItem) -> None:
        given = item.payload
        bundles = [_bundle(one) for one in given["evidence"]]
        result = await verify(given["claim"], bundles, given["confidence"])
        if result.reason == "backend_rate_limited":
            raise BackendRateLimited(result.message)

    return await drain(queue, handle, limit=1_000, kind=_KIND)


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
