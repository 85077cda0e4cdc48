"""The calls about a corpus: index it, ask it, look up its terms, find and use its causal graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync

from groundwire.engine._calls import Calls
from groundwire.guard import on_own_loop, sync_twin
from groundwire.observe import request

if TYPE_CHECKING:
    from groundwire.evidence import IdentityReport, IndexOutcome, StageProgress
    from groundwire.ground import EdgeOutcome, EdgeVerifier, GroundingReport
    from groundwire.model import (
        Abstention,
        Answer,
        CausalGraphFile,
        DiagnosisReport,
        TermReport,
        Turn,
    )
    from groundwire.terms import VocabularyReport

_ADDRESS = ("http://", "https://", "urn:")


class CorpusCalls(Calls):
    """Part of `Engine`."""

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

    index_sync = sync_twin(index)

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

    verify_identity_sync = sync_twin(verify_identity)

    @on_own_loop
    async def ask(
        self, question: str, *, choice: str | None = None, history: Sequence[Turn] = ()
    ) -> Answer:
        """Answer from documents and the vocabulary. `choice` picks a suggestion by its id;
        `history` is what was asked before, for a question that goes on from it."""
        return await self.parts.answerer.ask(question, choice=choice, history=history)

    ask_sync = sync_twin(ask)

    @on_own_loop
    async def term(self, term: str, *, choice: str | None = None) -> TermReport:
        """What the vocabulary says a term means. `choice` picks a suggestion by its id."""
        address = choice or (term if term.startswith(_ADDRESS) else None)
        if address is not None:
            return await run_sync(self.parts.terminology.pick, address)
        return await run_sync(self.parts.terminology.define, term)

    term_sync = sync_twin(term)

    @on_own_loop
    async def vocabularies(self) -> VocabularyReport:
        """The vocabulary files in use, and what is wrong with those that are not."""
        from groundwire.terms import list_vocabularies

        return await run_sync(partial(list_vocabularies, self.config, progress=self.parts.tell))

    vocabularies_sync = sync_twin(vocabularies)

    @on_own_loop
    async def add_vocabularies(self, files: Sequence[Path]) -> None:
        """Keep copies of vocabulary files in the home directory."""
        from groundwire.terms import add_vocabularies

        await run_sync(add_vocabularies, self.config, files)
        await self.parts.let_go("answerer", "terminology")

    add_vocabularies_sync = sync_twin(add_vocabularies)

    @on_own_loop
    async def remove_vocabulary(self, name: str) -> None:
        """Delete the copy of a vocabulary file from the home directory."""
        from groundwire.terms import remove_vocabulary

        await run_sync(remove_vocabulary, self.config, name)
        await self.parts.let_go("answerer", "terminology")

    remove_vocabulary_sync = sync_twin(remove_vocabulary)

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
            audit=self.parts.records.audit,
            progress=progress,
        )
        async with session:
            report = await session.run()
            if out is not None:
                save_graph(report.graph, out)
            session.finish()
        return report

    ground_sync = sync_twin(ground)

    @on_own_loop
    async def verify_edge(
        self, cause: str, effect: str, *, graph: CausalGraphFile | None = None
    ) -> EdgeOutcome:
        """Test one causal edge against the index, or against the evidence of a graph [S1.6]."""
        with self.edges(graph) as verifier:
            return await verifier.verify(cause, effect)

    verify_edge_sync = sync_twin(verify_edge)

    @contextmanager
    def edges(self, graph: CausalGraphFile | None = None) -> Iterator[EdgeVerifier]:
        """For many edges: the index is opened once."""
        from groundwire.ground import EdgeVerifier, edge_search

        with ExitStack() as opened:
            search = edge_search(self.config, graph, opened, embedder=self.parts.embedder)
            settings = self.config.verification
            yield EdgeVerifier(
                self.parts.edge_parts, settings, search, graph, self.parts.records.audit
            )

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
            parts.records.write_down("diagnose", context.request_id, [audit_entry(outcome)])
        return outcome

    diagnose_sync = sync_twin(diagnose)
