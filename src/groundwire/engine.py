"""The composition root: settings become wired parts, and parts become the calls users make.

A part is imported when a call first needs it: checking what an agent did loads no judge.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from anyio.to_thread import run_sync

from groundwire._parts import Parts
from groundwire.config import Config, load_config
from groundwire.errors import InputError
from groundwire.gate import publish_gates
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
    from groundwire.ground import EdgeOutcome, EdgeVerifier, GroundingReport
    from groundwire.judge import VerifierBackend
    from groundwire.llm import LLMClient, Provider
    from groundwire.model import (
        Abstention,
        Answer,
        CausalGraphFile,
        CheckReport,
        ClaimResult,
        DiagnosisReport,
        QueueReport,
        TermReport,
        Turn,
    )
    from groundwire.terms import VocabularyReport
    from groundwire.traces import ToolTrace
    from groundwire.verify import GivenEvidence

_ADDRESS = ("http://", "https://", "urn:")


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
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let go of connections and files. A closed engine opens again when it is used."""
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
        """Test one claim. `confidence` is how surely it was stated, from 0 to 1."""
        from groundwire.claims import read_claim
        from groundwire.judge import Evidence
        from groundwire.verify import bundles_of, require_claim

        require_claim(claim, confidence, self.config.limits.max_text_chars)
        bundles = bundles_of(evidence)
        sources = {bundle.source.doc_id: bundle.source for bundle in bundles}
        stated = read_claim(claim, list(sources.values()))
        with request() as context:
            results = await self.parts.verifier.verify(
                [stated], Evidence(bundles), confidence=confidence
            )
            self.parts.record("verify_claim", context.request_id, results, bundles)
        return results[0]

    @on_own_loop
    async def verify_claims(self, text: str, context: GivenEvidence) -> CheckReport:
        """Find what a text asserts and test each assertion."""
        from groundwire.verify import bundles_of, require_text, verify_text

        require_text(text, self.config.limits.max_text_chars)
        bundles = bundles_of(context)
        with request() as asked:
            report = await verify_text(
                text,
                bundles,
                self.parts.verifier,
                request_id=asked.request_id,
                max_claims=self.config.limits.max_claims,
            )
            self.parts.record("check", asked.request_id, report.claims, bundles)
        return report

    @on_own_loop
    async def verify_queued(self) -> QueueReport:
        """Verify what a rate limit put off. The verdicts go into the audit trail [SPEC-08.42]."""
        from groundwire.verify import verify_deferred

        with self.parts.queue() as queue:
            drained = await verify_deferred(queue, self.verify_claim)
        return (await self.queued()).model_copy(update={"verified": drained.done})

    @on_own_loop
    async def queued(self) -> QueueReport:
        """How much a rate limit put off."""
        from groundwire.model import QueueReport

        with self.parts.queue() as queue:
            return QueueReport(verified=0, waiting=queue.depth(), given_up=queue.given_up())

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
        from groundwire.evidence import Index, verify_identity

        path = self.index_path
        if not path.exists():
            raise InputError(f"There is no index at {path}.", hint="Build it with: gw index PATH")
        with Index(path) as index:
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

    def open_trace(self, path: Path | str, *, trace_format: str = "auto") -> ToolTrace:
        """The trace in a file, which is read as it is used; `-` is standard input."""
        from groundwire.traces import open_trace

        return open_trace(path, trace_format=trace_format, settings=self.config.actions)

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
    verify_queued_sync = sync_twin(verify_queued)
    queued_sync = sync_twin(queued)
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


def verify_claims(text: str, context: GivenEvidence) -> CheckReport:
    """Find what a text asserts and test each assertion against the context [SPEC-08.31]."""
    return default_engine().verify_claims_sync(text, context)
