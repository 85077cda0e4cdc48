"""The calls that test texts: claims, answers, responses and reasonings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from groundwire.engine._calls import Calls
from groundwire.gate import judge_response, response_gate
from groundwire.guard import on_own_loop, sync_twin
from groundwire.observe import request

if TYPE_CHECKING:
    from groundwire.gate import Gate
    from groundwire.model import (
        CheckReport,
        ClaimResult,
        Decision,
        EvidenceBundle,
        Message,
        ResponseReport,
        SentenceReport,
        Span,
        TraceAudit,
    )
    from groundwire.verify import GivenConversation, GivenEvidence, OnClaim, Rewrite


class TextCalls(Calls):
    """Part of `Engine`."""

    @on_own_loop
    async def verify_claim(
        self, claim: str, evidence: GivenEvidence, confidence: float | None = None
    ) -> ClaimResult:
        """Test one claim. `confidence` is how surely it was stated, from 0 to 1.

        Evidence is a text (`str`), the `Path` of a file or folder, a `Document`, an
        `EvidenceBundle`, a list of these, or a dict of texts by their ids.
        """
        from groundwire.claims import read_claim
        from groundwire.verify import evidence_of, require_claim

        require_claim(claim, confidence, self.config.limits.max_text_chars)
        bundles = (await run_sync(evidence_of, evidence, self.config.limits)).bundles
        sources = {bundle.source.doc_id: bundle.source for bundle in bundles}
        stated = read_claim(claim, list(sources.values()))
        with request() as context:
            results = await self.parts.verifier.verify(
                [stated], await self.parts.evidence(bundles), confidence=confidence
            )
            self.parts.record("verify_claim", context.request_id, results, bundles)
        return results[0]

    verify_claim_sync = sync_twin(verify_claim)

    @on_own_loop
    async def verify_claims(
        self,
        text: str,
        context: GivenEvidence,
        *,
        question: str | None = None,
        on_claim: OnClaim | None = None,
    ) -> CheckReport:
        """Find what a text asserts and test each assertion.

        `question` is what the text answers: "42 days." is then a whole claim. `on_claim` is told
        each verdict as it falls, how many there are by now, and of how many.
        """
        from groundwire.verify import evidence_of, require_text, verify_text

        require_text(text, self.config.limits.max_text_chars)
        given = await run_sync(evidence_of, context, self.config.limits)
        with request() as asked:
            report = await verify_text(
                text,
                await self.parts.evidence(given.bundles),
                self.parts.verifier,
                request_id=asked.request_id,
                max_claims=self.config.limits.max_claims,
                question=question or "",
                unread=given.unread,
                on_claim=on_claim,
            )
            self.parts.record("check", asked.request_id, report.claims, given.bundles)
        return report

    verify_claims_sync = sync_twin(verify_claims)

    @on_own_loop
    async def verify_batch(
        self, cases: Iterable[tuple[str, GivenEvidence]], *, at_once: int = 4
    ) -> list[CheckReport]:
        """Check many texts, each with its evidence: one report for each pair, in order.

        What is no pair or has no text is an error before anything is judged. `at_once` texts are
        under way at a time, which hides the waiting for a judge that is far away.
        """
        from groundwire.verify import require_pairs

        pairs = require_pairs(cases, self.config.limits.max_text_chars)
        turn = asyncio.Semaphore(at_once)

        async def checked(text: str, evidence: GivenEvidence) -> CheckReport:
            async with turn:
                return await self.verify_claims(text, evidence)

        return list(await asyncio.gather(*(checked(*pair) for pair in pairs)))

    verify_batch_sync = sync_twin(verify_batch)

    @on_own_loop
    async def verify_response(
        self,
        response: str,
        conversation: GivenConversation,
        *,
        rewrite: Rewrite | None = None,
    ) -> ResponseReport:
        """Test a response against its own conversation [SPEC-08.20]. It never raises for a judge
        that fails, and never refuses a response: it says what to correct, and how.

        `rewrite` also gives the response without what does not stand (`cut`), or corrected from
        the quotes (`correct`). Under load nothing is checked, and the report says so.
        """
        from groundwire.verify import messages_of, report_of, require_text, sources_of, unchecked

        require_text(response, self.config.limits.max_text_chars)
        messages = messages_of(conversation)
        bundles = sources_of(messages)
        gate = response_gate(self.config, is_asked_for=True)
        with request() as asked:
            refusal = self.parts.shedder.refusal()
            if refusal is not None:
                decision, found = gate.skip("load_shed"), unchecked("load_shed", asked.request_id)
                return report_of(response, found, bundles, decision, skipped=refusal)
            with self.parts.shedder.checking():
                decision, found = await self._checked(gate, response, bundles, asked.request_id)
                audit = await self._audit_of(messages)
            self.parts.record("verify_response", asked.request_id, found.claims, bundles)
        return report_of(response, found, bundles, decision, rewrite=rewrite, audit=audit)

    verify_response_sync = sync_twin(verify_response)

    async def _checked(
        self, gate: Gate, response: str, bundles: Sequence[EvidenceBundle], request_id: str
    ) -> tuple[Decision, CheckReport]:
        from groundwire.verify import risk_of, unchecked, verify_text

        made: list[CheckReport] = []

        async def check() -> Decision:
            found = await verify_text(
                response,
                await self.parts.evidence(bundles),
                self.parts.verifier_of("output"),
                request_id=request_id,
                max_claims=self.config.limits.max_claims,
            )
            made.append(found)
            return judge_response(found, risk_of(found.claims))

        decision = await gate.arun(check)
        reason = decision.reason or "check_failed"
        return decision, made[0] if made else unchecked(reason, request_id)

    async def _audit_of(self, messages: Sequence[Message]) -> TraceAudit | None:
        """Of the reasoning that stands in a conversation, where that is wanted [SPEC-08.23]."""
        from groundwire.traces import reasoning_of

        section = self.config.hallucination
        is_wanted = section.enabled and section.trace_auditing.enabled
        if not is_wanted or not any(one.is_reasoning for one in messages):
            return None
        found = reasoning_of(messages)
        return await self.audit_trace(found.steps, found.context, found.answer)

    async def verify_stream(
        self, pieces: AsyncIterable[str], conversation: GivenConversation
    ) -> AsyncGenerator[SentenceReport, None]:
        """Test a response while it is written: a report for each sentence, in order, as soon as
        the sentence is complete. Pieces are read on while sentences are judged.
        """
        from groundwire.verify import messages_of, sources_of, stream_sentences

        bundles = sources_of(messages_of(conversation))
        reports = stream_sentences(pieces, bundles, self._verify_sentences)
        async with aclosing(reports) as each:
            async for report in each:
                yield report

    @on_own_loop
    async def _verify_sentences(
        self, text: str, places: Sequence[Span], bundles: Sequence[EvidenceBundle]
    ) -> list[list[ClaimResult]]:
        from groundwire.verify import verify_sentences

        with request() as asked:
            found = await verify_sentences(text, places, bundles, self.parts.verifier_of("output"))
            results = [one for each in found for one in each]
            self.parts.record("verify_stream", asked.request_id, results, bundles)
        return found

    @on_own_loop
    async def audit_trace(
        self,
        steps: Sequence[str],
        context: GivenEvidence | None = None,
        answer: str | None = None,
    ) -> TraceAudit:
        """Audit a reasoning: each step against the context and the steps before it, and whether
        the answer follows from the steps alone [SPEC-08.24 … 08.26].
        """
        from groundwire.verify import audit_entries, count_audit, evidence_of, require_steps

        require_steps(steps, answer, self.config.limits)
        given = await run_sync(evidence_of, context or (), self.config.limits)
        bundles = [one for one in given.bundles if one.content.strip()]
        with request() as asked:
            audit = await self.parts.auditor.audit(
                steps, bundles, answer, request_id=asked.request_id
            )
            count_audit(audit)
            backend = self.parts.verifier_of("trace").backend_name
            self.parts.records.write_down("audit", asked.request_id, audit_entries(audit, backend))
        return audit

    audit_trace_sync = sync_twin(audit_trace)
