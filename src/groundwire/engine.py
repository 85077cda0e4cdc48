"""The composition root: settings become wired parts, and parts become the calls users make.

A part is imported when a call first needs it: checking what an agent did loads no judge.
"""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import ExitStack, aclosing, contextmanager
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from anyio.to_thread import run_sync

from groundwire._parts import Parts
from groundwire.config import Config, load_config
from groundwire.gate import judge_response, publish_gates, response_gate
from groundwire.guard import LoopThread, on_own_loop, sync_twin
from groundwire.observe import request

if TYPE_CHECKING:
    from groundwire.actions import (
        Attestation,
        FileChange,
        GivenSnapshot,
        Observed,
        Snapshot,
        SpecialistOutput,
        VerificationResult,
    )
    from groundwire.evidence import Embedder, IdentityReport, IndexOutcome, StageProgress
    from groundwire.gate import Gate
    from groundwire.ground import EdgeOutcome, EdgeVerifier, GroundingReport
    from groundwire.judge import VerifierBackend
    from groundwire.llm import LLMClient, Provider
    from groundwire.memory import FactFilter, GivenSources, Memory
    from groundwire.model import (
        Abstention,
        Answer,
        CausalGraphFile,
        CheckReport,
        ClaimResult,
        Decision,
        DiagnosisReport,
        EvidenceBundle,
        MemoryKind,
        MemoryOutcome,
        MemoryTier,
        Message,
        QueueReport,
        Recollection,
        ResponseReport,
        SentenceReport,
        Span,
        TermReport,
        TraceAudit,
        Turn,
    )
    from groundwire.terms import VocabularyReport
    from groundwire.traces import Reasoning, ToolTrace
    from groundwire.verify import Compared, GivenConversation, GivenEvidence, OnClaim, Rewrite

_ADDRESS = ("http://", "https://", "urn:")


def _memory_loop(engine: Engine) -> LoopThread:
    """Of its own: whoever holds up the engine's does not hold up memory."""
    return engine.memory.loop


class Engine:
    """Everything Groundwire does, behind one object. Make one and keep it: it holds the caches.

    A `judge`, an `llm`, an `embedder` or a `clock` (seconds, as `time.time`) that is given stands
    in for the one the settings would make; whoever gave a judge or an embedder closes it.

    Work runs on a loop of the engine's own, so an engine may be used from any loop and thread,
    and every call has a twin that waits: `verify_claims` and `verify_claims_sync`.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        judge: VerifierBackend | None = None,
        llm: LLMClient | Provider | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.config = config or load_config().config
        publish_gates(self.config)
        self.loop = LoopThread("groundwire-engine")
        self._making = Lock()
        self._memory: Memory | None = None
        self.parts = Parts(
            self.config,
            judge=judge,
            llm=llm,
            embedder=embedder,
            clock=clock,
            verify_draft=self.verify_claims,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def aclose(self) -> None:
        """As `close`, without holding up the caller's loop."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let go of connections and files. A closed engine opens again when it is used."""
        memory, self._memory = self._memory, None
        if memory is not None:
            self.loop.submit(memory.aclose()).result()
        self.loop.submit(self.parts.aclose()).result()
        self.loop.close()

    @property
    def backend(self) -> VerifierBackend:
        """The judge of `check`: the one that was given, or as configured."""
        return self.parts.backend

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
            self.parts.write_down("audit", asked.request_id, audit_entries(audit, backend))
        return audit

    @on_own_loop
    async def verify_queued(self) -> QueueReport:
        """Verify what was put off, facts of memory included, and facts whose source changed.

        The verdicts go into the audit trail [SPEC-08.42].
        """
        from groundwire.verify import verify_deferred

        with self.parts.queue() as queue:
            drained = await verify_deferred(queue, self.verify_claim)
        facts = await self.memory.verify_waiting() if self.memory.path.exists() else None
        promoted, evicted = (len(facts.promoted), len(facts.evicted)) if facts else (0, 0)
        done = drained.done + promoted + evicted
        return (await self.queued()).model_copy(
            update={"verified": done, "promoted": promoted, "evicted": evicted}
        )

    @on_own_loop
    async def queued(self) -> QueueReport:
        """How much a rate limit put off."""
        from groundwire.model import QueueReport

        with self.parts.queue() as queue:
            return QueueReport(verified=0, waiting=queue.depth(), given_up=queue.given_up())

    @property
    def memory(self) -> Memory:
        """What is kept: `remember` and `recall`, and everything else that is done with facts."""
        with self._making:
            if self._memory is None:
                self._memory = self.parts.make_memory(self._verify_fact, self._compare_facts)
            return self._memory

    @on_own_loop
    async def _verify_fact(
        self, content: str, bundles: Sequence[EvidenceBundle], confidence: float | None
    ) -> ClaimResult:
        return await self.parts.verify_fact(content, bundles, confidence)

    @on_own_loop
    async def _compare_facts(self, pairs: Sequence[tuple[str, str]]) -> list[Compared]:
        return await self.parts.compare_facts(pairs)

    @on_own_loop
    async def load(self) -> None:
        """Read the models that work on this machine, so that no later call waits for that."""
        await self.parts.load()

    async def remember(
        self,
        content: str,
        evidence: GivenSources = (),
        *,
        confidence: float | None = None,
        kind: MemoryKind = "fact",
        tier: MemoryTier = "longterm",
        about: Sequence[str] = (),
        said_by: str = "",
        session: str = "",
        inside: str | None = None,
    ) -> MemoryOutcome:
        """Store a fact if its evidence bears it; `ErrFactNotGrounded` where it does not.

        Nobody waits longer than two seconds: a fact that could not be checked by then is stored
        provisionally and verified later. Evidence given as a path is read again when it changes.
        `inside` names the operation that stores it by the way: such facts pass the gate only
        where `hallucination.memory_gate.enabled` says so.
        """
        return await self.memory.remember(
            content,
            evidence,
            confidence=confidence,
            kind=kind,
            tier=tier,
            about=about,
            said_by=said_by,
            session=session,
            inside=inside,
        )

    async def recall(
        self, query: str, wanted: FactFilter | None = None, *, limit: int = 10
    ) -> Recollection:
        """Facts that a question is about, best first, each with its evidence and status."""
        return await self.memory.recall(query, wanted, limit=limit)

    @on_own_loop
    async def index(
        self,
        paths: Sequence[Path],
        *,
        collection: str | None = None,
        embed: bool = True,
        rebuild: bool = False,
        progress: StageProgress | None = None,
    ) -> IndexOutcome:
        """Build the corpus of these settings from files and folders, or bring it up to date."""
        from groundwire.evidence import index_documents

        work = partial(
            index_documents,
            self.config,
            paths,
            collection=collection,
            rebuild=rebuild,
            embedder=self.parts.embedder if embed else None,
            progress=progress,
        )
        await self.parts.let_go("answerer")  # it looks once whether there is an index
        outcome = await run_sync(work)
        await self.parts.let_go("answerer")
        return outcome

    @property
    def index_path(self) -> Path:
        """The file that holds the corpus."""
        from groundwire.evidence import index_path

        return index_path(self.config)

    @on_own_loop
    async def verify_identity(self) -> IdentityReport:
        """Check the type and number of every document of the corpus [S3]."""
        from groundwire.evidence import Index, require_index, verify_identity

        with Index(require_index(self.index_path)) as index:
            return await run_sync(verify_identity, index)

    @on_own_loop
    async def ask(
        self, question: str, *, choice: str | None = None, history: Sequence[Turn] = ()
    ) -> Answer:
        """Answer from documents and the vocabulary. `choice` picks a suggestion by its id;
        `history` is what was asked before, for a question that goes on from it."""
        return await self.parts.answerer.ask(question, choice=choice, history=history)

    @on_own_loop
    async def term(self, term: str, *, choice: str | None = None) -> TermReport:
        """What the vocabulary says a term means. `choice` picks a suggestion by its id."""
        address = choice or (term if term.startswith(_ADDRESS) else None)
        if address is not None:
            return await run_sync(self.parts.terminology.pick, address)
        return await run_sync(self.parts.terminology.define, term)

    @on_own_loop
    async def vocabularies(self) -> VocabularyReport:
        """The vocabulary files in use, and what is wrong with those that are not."""
        from groundwire.terms import list_vocabularies

        return await run_sync(partial(list_vocabularies, self.config, progress=self.parts.tell))

    @on_own_loop
    async def add_vocabularies(self, files: Sequence[Path]) -> None:
        """Keep copies of vocabulary files in the home directory."""
        from groundwire.terms import add_vocabularies

        await run_sync(add_vocabularies, self.config, files)
        await self.parts.let_go("answerer", "terminology")

    @on_own_loop
    async def remove_vocabulary(self, name: str) -> None:
        """Delete the copy of a vocabulary file from the home directory."""
        from groundwire.terms import remove_vocabulary

        await run_sync(remove_vocabulary, self.config, name)
        await self.parts.let_go("answerer", "terminology")

    @on_own_loop
    async def ground(
        self,
        paths: Sequence[Path],
        *,
        out: Path | None = None,
        evidence_index: Path | None = None,
        progress: StageProgress | None = None,
    ) -> GroundingReport:
        """Find what documents say causes what, and test each edge against them [S1].

        The graph is written to `out`. A run that was killed goes on where it stopped.
        """
        from groundwire.graph import save_graph
        from groundwire.ground import GroundingSession

        session = GroundingSession(
            self.config,
            paths,
            evidence_index=evidence_index,
            parts=self.parts.edge_parts,
            embedder=self.parts.embedder,
            audit=self.parts.audit,
            progress=progress,
        )
        async with session:
            report = await session.run()
            if out is not None:
                save_graph(report.graph, out)
            session.finish()
        return report

    @on_own_loop
    async def verify_edge(
        self, cause: str, effect: str, *, graph: CausalGraphFile | None = None
    ) -> EdgeOutcome:
        """Test one causal edge against the index, or against the evidence of a graph [S1.6]."""
        with self.edges(graph) as verifier:
            return await verifier.verify(cause, effect)

    @contextmanager
    def edges(self, graph: CausalGraphFile | None = None) -> Iterator[EdgeVerifier]:
        """For many edges: the index is opened once."""
        from groundwire.ground import EdgeVerifier, edge_search

        with ExitStack() as opened:
            search = edge_search(self.config, graph, opened, embedder=self.parts.embedder)
            settings = self.config.verification
            yield EdgeVerifier(self.parts.edge_parts, settings, search, graph, self.parts.audit)

    @on_own_loop
    async def diagnose(self, report: str, graph: CausalGraphFile) -> DiagnosisReport | Abstention:
        """Say what may have caused what a report observes, as far as a causal graph knows."""
        from groundwire.diagnose import audit_entry, build_agent

        parts = self.parts
        drafts = self.config.diagnosis.drafting == "llm"
        client = parts.clients.configured() if drafts else None
        agent = build_agent(self.config, graph, embedder=parts.embedder, client=client)
        with request() as context:
            outcome = await agent.diagnose(report)
            parts.write_down("diagnose", context.request_id, [audit_entry(outcome)])
        return outcome

    def open_trace(
        self, path: Path | str, *, trace_format: str = "auto", shown_as: str | None = None
    ) -> ToolTrace:
        """The trace in a file, which is read as it is used; `-` is standard input.

        Messages call it `shown_as`.
        """
        from groundwire.traces import open_trace

        settings = self.config.actions
        return open_trace(path, trace_format=trace_format, settings=settings, shown_as=shown_as)

    def read_reasoning(self, data: bytes, where: str) -> Reasoning:
        """The steps in a trace, with their context and answer; `where` names it in messages."""
        from groundwire.traces import read_reasoning

        return read_reasoning(BytesIO(data), where, self.config.actions)

    def read_conversation(self, data: bytes, where: str) -> list[Message]:
        """The messages in a transcript of any known product."""
        from groundwire.traces import read_conversation

        return read_conversation(BytesIO(data), where, self.config.actions)

    @on_own_loop
    async def verify_output(
        self,
        output: Mapping[str, Any] | SpecialistOutput,
        traces: Sequence[ToolTrace] = (),
        base_path: Path | None = None,
        *,
        before: GivenSnapshot = None,
        after: GivenSnapshot = None,
        observed: Observed | None = None,
        schemas: Sequence[Path] = (),
        allowed_modules: Sequence[str] = (),
        specialist_id: str = "unknown",
        subtask_id: str | None = None,
    ) -> VerificationResult:
        """Check what an agent says it did against files, traces and snapshots [S2].

        `schemas` are manifests of tools and their output schemas; models that they name are
        taken from `allowed_modules` only. `observed` is what hooks saw while the agent worked.
        """
        from groundwire.actions import audit_entries, verify_work

        verify = partial(
            verify_work,
            before=before,
            after=after,
            observed=observed,
            schemas=schemas,
            allowed_modules=allowed_modules,
            specialist_id=specialist_id,
            subtask_id=subtask_id,
        )
        with request() as context:
            result = await run_sync(verify, self.config, output, traces, base_path)
            self.parts.write_down("verify-output", context.request_id, audit_entries(result))
        return result

    @on_own_loop
    async def claims_from_trace(
        self, trace: ToolTrace, base_path: Path | None = None
    ) -> SpecialistOutput:
        """The claims an honest agent would make after a trace."""
        from groundwire.actions import derive_claims

        return await run_sync(derive_claims, trace, base_path)

    @on_own_loop
    async def claims_from_text(
        self,
        text: str,
        traces: Sequence[ToolTrace] = (),
        base_path: Path | None = None,
        *,
        before: GivenSnapshot = None,
    ) -> SpecialistOutput:
        """What an agent's prose says was done, tied to files and commands."""
        from groundwire.actions import find_claims, snapshot_of

        known = snapshot_of(before, self.config.actions.snapshot_key)
        return await run_sync(find_claims, text, traces, base_path, known)

    @on_own_loop
    async def snapshot(
        self, folder: Path, *, out: Path | None = None, use_git: bool = True
    ) -> tuple[Snapshot, Path]:
        """Record the hashes of a folder's files; also where that was written."""
        from groundwire.actions import (
            record_folder,
            sign_snapshot,
            snapshot_path,
            write_snapshot,
        )

        record = partial(record_folder, use_git=use_git, now=self.parts.now())
        taken = await run_sync(record, folder, self.config.actions)
        if self.config.actions.snapshot_key is not None:
            taken = sign_snapshot(taken, self.config.actions.snapshot_key)
        path = out or snapshot_path(self.config.home.expanduser(), taken)
        write_snapshot(taken, path)
        return taken, path

    @on_own_loop
    async def changes(
        self, folder: Path, since: Snapshot | Path, traces: Sequence[ToolTrace] = ()
    ) -> tuple[FileChange, ...]:
        """What changed in a folder since a snapshot; with traces, by which events."""
        from groundwire.actions import changes_since, snapshot_of

        earlier = snapshot_of(since, self.config.actions.snapshot_key)
        assert earlier is not None  # noqa: S101
        return await run_sync(changes_since, earlier, folder, traces, self.config.actions)

    @on_own_loop
    async def sign_verdict(
        self,
        result: VerificationResult,
        key_file: Path,
        *,
        output: Mapping[str, Any],
        nonce: str | None = None,
        trace_files: Sequence[Path] = (),
    ) -> Attestation:
        """A verdict that others can believe without the files, signed with a shared key."""
        from groundwire.actions import sign_verdict

        return sign_verdict(
            result,
            key_file,
            output=output,
            nonce=nonce,
            trace_files=trace_files,
            now=self.parts.now(),
        )

    @on_own_loop
    async def check_signature(
        self,
        document: bytes,
        key_file: Path,
        *,
        where: str = "the document",
        nonce: str | None = None,
        output: Mapping[str, Any] | None = None,
    ) -> VerificationResult:
        """The verdict in a signed document, if it is genuine, fresh and not seen before."""
        from groundwire.actions import check_signed

        return check_signed(
            document,
            key_file,
            self.config,
            where=where,
            nonce=nonce,
            output=output,
            now=self.parts.now(),
        )

    verify_claim_sync = sync_twin(verify_claim)
    verify_claims_sync = sync_twin(verify_claims)
    verify_response_sync = sync_twin(verify_response)
    audit_trace_sync = sync_twin(audit_trace)
    verify_batch_sync = sync_twin(verify_batch)
    verify_queued_sync = sync_twin(verify_queued)
    queued_sync = sync_twin(queued)
    load_sync = sync_twin(load)
    remember_sync = sync_twin(remember, on=_memory_loop)
    recall_sync = sync_twin(recall, on=_memory_loop)
    index_sync = sync_twin(index)
    verify_identity_sync = sync_twin(verify_identity)
    ask_sync = sync_twin(ask)
    term_sync = sync_twin(term)
    vocabularies_sync = sync_twin(vocabularies)
    add_vocabularies_sync = sync_twin(add_vocabularies)
    remove_vocabulary_sync = sync_twin(remove_vocabulary)
    ground_sync = sync_twin(ground)
    verify_edge_sync = sync_twin(verify_edge)
    diagnose_sync = sync_twin(diagnose)
    verify_output_sync = sync_twin(verify_output)
    claims_from_trace_sync = sync_twin(claims_from_trace)
    claims_from_text_sync = sync_twin(claims_from_text)
    snapshot_sync = sync_twin(snapshot)
    changes_sync = sync_twin(changes)
    sign_verdict_sync = sync_twin(sign_verdict)
    check_signature_sync = sync_twin(check_signature)


@cache
def default_engine() -> Engine:
    """The engine of the top-level functions: settings from the file and the environment."""
    return Engine()


def verify_claim(
    claim: str, evidence: GivenEvidence, confidence: float | None = None
) -> ClaimResult:
    """Test one claim against evidence [SPEC-08.31]."""
    return default_engine().verify_claim_sync(claim, evidence, confidence)


def verify_claims(text: str, context: GivenEvidence, *, question: str | None = None) -> CheckReport:
    """Find what a text asserts and test each assertion against the context [SPEC-08.31].

    `question` is what the text answers.
    """
    return default_engine().verify_claims_sync(text, context, question=question)


def audit_trace(
    steps: Sequence[str], context: GivenEvidence | None = None, answer: str | None = None
) -> TraceAudit:
    """Audit a reasoning: each step, and whether the answer follows from them [SPEC-08.31]."""
    return default_engine().audit_trace_sync(steps, context, answer)
