"""From the settings to the parts of the loop."""

import json
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Self

from groundwire.config import Config, thresholds_of
from groundwire.errors import InputError
from groundwire.evidence import (
    Embedder,
    Index,
    Indexer,
    Refused,
    Searcher,
    UnavailableEmbedder,
    embed_pending,
    make_embedder,
)
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._extract import Extractor, LLMExtractor, WordingExtractor
from groundwire.ground._judge import EdgePrompts, EmbeddedEdgeJudge, FallingBackJudge, LLMEdgeJudge
from groundwire.ground._retriever import GroundingRetriever
from groundwire.ground._run import GroundingReport, GroundingRun, Ledger, Progress
from groundwire.ground._types import EdgeJudge
from groundwire.judge import LLMBackend, VerifierBackend, build_backend, build_judge
from groundwire.llm import Clients, LLMClient
from groundwire.model import Document, content_hash
from groundwire.observe import AuditTrail


async def _nothing() -> None:
    return None


@dataclass(frozen=True)
class EdgeParts:
    """Who drafts and who judges. `fingerprint` says which, so that runs are not mixed up.

    `client` is the language model that does so, where one does.
    """

    extractor: Extractor
    judge: Callable[[EdgeReader], EdgeJudge]
    fingerprint: str
    client: LLMClient | None = None
    aclose: Callable[[], Awaitable[None]] = _nothing


def build_parts(
    config: Config, *, judge: VerifierBackend | None = None, clients: Clients | None = None
) -> EdgeParts:
    """A judge that is a language model drafts and judges edges itself. Any other estimates, and
    wording drafts: it gives no verdicts. `judge` is asked in place of the configured one."""
    clients = clients or Clients(config)
    asked = judge or build_backend(config, operation="edge", clients=clients)
    # whoever gave a judge closes it
    close = _nothing if judge is not None else getattr(asked, "aclose", _nothing)
    if isinstance(asked, LLMBackend):
        return _by_language_model(config, asked, clients, close)
    return EdgeParts(
        extractor=WordingExtractor(),
        judge=lambda reader: EmbeddedEdgeJudge(asked, reader, name=asked.name),
        fingerprint=asked.name,
        aclose=close,
    )


def _by_language_model(
    config: Config, asked: LLMBackend, clients: Clients, close: Callable[[], Awaitable[None]]
) -> EdgeParts:
    client, model = asked.client, asked.edge_model
    prompts = EdgePrompts()
    words = config.llm.context_words

    def judge(reader: EdgeReader) -> EdgeJudge:
        return FallingBackJudge(
            LLMEdgeJudge(client, prompts, model=model, context_words=words),
            EmbeddedEdgeJudge(build_judge("embedded", config, clients), reader),
        )

    return EdgeParts(
        extractor=LLMExtractor(client, prompts, context_words=words),
        judge=judge,
        fingerprint=f"{asked.name}:{client.provider.name}:{client.model}:{model}"
        f":{prompts.prompt_hash}",
        client=client,
        aclose=close,
    )


_KEY_CHARS = 16


class GroundingSession:
    """`async with GroundingSession(…) as session: report = await session.run()`.

    Until `finish` is called the work stays on disk: the same call on the same documents goes on
    where the last one was stopped. Changed documents or settings begin anew.
    """

    def __init__(
        self,
        config: Config,
        paths: Sequence[Path],
        *,
        evidence_index: Path | None = None,
        parts: EdgeParts | None = None,
        embedder: Embedder | None = None,
        audit: AuditTrail | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._config = config
        self._paths = list(paths)
        self._evidence_index = evidence_index
        self._parts = parts or build_parts(config)
        self._owns_parts = parts is None
        # without a model variables are found by their words: vectors would cost and change nothing
        needs_vectors = self._parts.client is not None or evidence_index is not None
        self._embedder = embedder or (make_embedder(config.evidence) if needs_vectors else None)
        self._audit = audit
        self._progress = progress or (lambda _doing, _done, _of: None)
        self._folder = config.home.expanduser() / "grounding"
        self._stack = ExitStack()
        self._made: list[Path] = []
        self._refused: tuple[Refused, ...] = ()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stack.close()
        if self._owns_parts:
            await self._parts.aclose()

    async def run(self) -> GroundingReport:
        from anyio.to_thread import run_sync

        started_s = time.perf_counter()
        index, documents = await run_sync(self._read)
        searched = index if self._evidence_index is None else self._open(self._evidence_index)
        ledger = Ledger(self._remembered(f"{self._key(documents)}.sqlite"))
        self._stack.callback(ledger.close)
        run = GroundingRun(
            extractor=self._parts.extractor,
            retriever=GroundingRetriever(
                Searcher(
                    searched,
                    thresholds=thresholds_of(self._config.evidence),
                    embedder=self._embedder,
                ),
                passages_per_side=self._config.verification.passages_per_side,
            ),
            judge=self._parts.judge,
            ledger=ledger,
            settings=self._config.verification,
            audit=self._audit,
            progress=self._progress,
            is_own_evidence=self._evidence_index is None,
        )
        report = await run.run(documents)
        duration_s = round(time.perf_counter() - started_s, 3)
        return report.model_copy(update={"refused": self._refused, "duration_s": duration_s})

    def finish(self) -> None:
        """The graph is written: what was kept to resume from is no longer needed."""
        self._stack.close()
        for path in self._made:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{path}{suffix}").unlink(missing_ok=True)

    def _read(self) -> tuple[Index, list[Document]]:
        """The documents, indexed; a file that cannot be read is named in the report."""
        places = json.dumps(sorted(str(path.resolve()) for path in self._paths))
        index = self._open(self._remembered(f"{content_hash(places)[:_KEY_CHARS]}.index.sqlite"))
        indexer = Indexer(index, self._config.evidence, self._config.limits)
        report = indexer.run(self._paths, lambda done, of: self._progress("Reading", done, of))
        self._refused = report.refused
        documents = [index.document(one.doc_id) for one in index.documents()]
        found = [document for document in documents if document is not None]
        if not found:
            self.finish()
            raise InputError(
                "There is no document to ground.",
                hint="; ".join(one.message for one in report.refused) or "Name files or folders.",
            )
        self._embed(index)
        return index, found

    def _embed(self, index: Index) -> None:
        if self._embedder is not None and not isinstance(self._embedder, UnavailableEmbedder):
            embed_pending(
                index,
                self._embedder,
                progress=lambda done, of: self._progress("Embedding", done, of),
            )

    def _open(self, path: Path) -> Index:
        return self._stack.enter_context(Index(path))

    def _remembered(self, name: str) -> Path:
        path = self._folder / name
        self._made.append(path)
        return path

    def _key(self, documents: Sequence[Document]) -> str:
        """What the outcome depends on: documents, settings, judge and version."""
        parts = [
            version("groundwire"),
            sorted((one.doc_id, one.sha256) for one in documents),
            self._config.verification.model_dump(mode="json"),
            self._config.evidence.model_dump(mode="json", exclude={"service"}),
            self._parts.fingerprint,
            str(self._evidence_index),
        ]
        return content_hash(json.dumps(parts, sort_keys=True))[:_KEY_CHARS]
