"""What can be asked for: each verb is one call of the engine, with its body and its answer."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from anyio.to_thread import run_sync

from groundwire._patterns import lazy_pattern
from groundwire.actions import VerificationResult
from groundwire.engine import Engine
from groundwire.errors import ErrFactNotGrounded, InputError
from groundwire.evaluate import Results, run_evaluation, write_lines
from groundwire.evidence import StageProgress
from groundwire.graph import load_graph, save_graph
from groundwire.ground import EdgeOutcome, GroundingReport
from groundwire.model import (
    Abstention,
    Answer,
    CausalGraphFile,
    CheckReport,
    DiagnosisReport,
    TermReport,
)
from groundwire.serve._bodies import (
    AskBody,
    AuditBody,
    Body,
    CheckBody,
    DiagnoseBody,
    EdgeBody,
    EvaluateBody,
    Evidence,
    GroundBody,
    MemoryBody,
    OutputBody,
    TermBody,
    by_name,
)


@dataclass(frozen=True)
class Work:
    """What a verb works with: `folder` is its own, and is there for as long as the work is."""

    engine: Engine
    own_folder: Callable[[], Path]
    progress: StageProgress

    @property
    def folder(self) -> Path:
        return self.own_folder()

    @property
    def graphs(self) -> Path:
        return graphs_folder(self.engine)


def graphs_folder(engine: Engine) -> Path:
    """Where graphs are kept by their names: `gw ground … --out` may write here, too."""
    return engine.config.home.expanduser() / "graphs"


@contextmanager
def scratch() -> Iterator[Callable[[], Path]]:
    """A folder that is made when it is first asked for, as few verbs do."""
    with ExitStack() as stack:

        @cache
        def folder() -> Path:
            return Path(stack.enter_context(TemporaryDirectory(prefix="groundwire-")))

        yield folder


async def check(work: Work, body: CheckBody) -> CheckReport:
    return await work.engine.verify_claims(
        body.text, by_name(body.evidence), question=body.question
    )


async def ask(work: Work, body: AskBody) -> Answer:
    return await work.engine.ask(body.question, choice=body.choice)


async def term(work: Work, body: TermBody) -> TermReport:
    return await work.engine.term(body.term, choice=body.choice)


async def ground(work: Work, body: GroundBody) -> GroundingReport:
    documents = work.folder / "documents"
    await run_sync(_write_documents, documents, body.documents)
    report = await work.engine.ground([documents], progress=work.progress)
    if body.name is not None:
        await run_sync(save_graph, report.graph, work.graphs / f"{body.name}.json")
    return report


# "Incident 1/a.md" becomes "Incident-1-a.md"
_NOT_IN_A_NAME = lazy_pattern(r"[^A-Za-z0-9._-]+")


def _write_documents(folder: Path, documents: Sequence[str | Evidence]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, content) in enumerate(by_name(list(documents)).items(), start=1):
        plain = _NOT_IN_A_NAME.sub("-", name).strip(".-")[:80]
        stem = plain.removesuffix(".md") or "document"
        (folder / f"{number:04}-{stem}.md").write_text(content, encoding="utf-8")


async def diagnose(work: Work, body: DiagnoseBody) -> DiagnosisReport | Abstention:
    return await work.engine.diagnose(body.report, await _graph(work, body.graph))


async def edges(work: Work, body: EdgeBody) -> EdgeOutcome:
    graph = None if body.graph is None else await _graph(work, body.graph)
    return await work.engine.verify_edge(body.cause, body.effect, graph=graph)


async def _graph(work: Work, given: str | dict[str, Any]) -> CausalGraphFile:
    if isinstance(given, str):
        return await run_sync(kept_graph, work.graphs, given)
    path = work.folder / "graph.json"
    # read as a file is: what of it cannot be used is left out
    await run_sync(path.write_text, json.dumps(given))
    try:
        return (await run_sync(load_graph, path)).file
    except InputError as error:
        raise InputError(error.message.replace(str(path), "The graph"), hint=error.hint) from error


def kept_graph(folder: Path, name: str) -> CausalGraphFile:
    path = folder / f"{name}.json"
    if not path.is_file():
        raise InputError(
            f"There is no graph {name!r}.",
            hint="GET /v1/graphs lists those that are kept; POST /v1/ground makes one.",
        )
    return load_graph(path).file


async def audit(work: Work, body: AuditBody) -> Any:
    return await work.engine.audit_trace(body.steps, body.context, body.answer)


async def memory(work: Work, body: MemoryBody) -> Any:
    try:
        return await work.engine.remember(
            body.text, by_name(body.evidence), confidence=body.confidence
        )
    except ErrFactNotGrounded as refused:
        # what the gate keeps out is an outcome like any other, as the command prints it
        return refused.outcome


async def verify_output(work: Work, body: OutputBody) -> VerificationResult:
    engine = work.engine
    base = _base_path(engine.config.serve.files, body.base_path)

    def opened() -> list[Any]:
        traces = []
        for number, given in enumerate(body.trace, start=1):
            path = work.folder / f"trace-{number}.jsonl"
            text = given if isinstance(given, str) else json.dumps(given)
            path.write_text(text, encoding="utf-8")
            shown_as = f"trace[{number - 1}]"
            traces.append(
                engine.open_trace(path, trace_format=body.trace_format, shown_as=shown_as)
            )
        return traces

    return await engine.verify_output(body.output, await run_sync(opened), base)


def _base_path(root: Path | None, given: str | None) -> Path | None:
    if given is None:
        return None
    if root is None:
        raise InputError(
            "This service opens no files.", hint="Its owner may allow a folder: serve.files."
        )
    whole = root.expanduser().resolve()
    try:
        path = (whole / given).resolve()
    except (OSError, ValueError):
        path = whole.parent
    if not path.is_relative_to(whole) or not path.is_dir():
        raise InputError(f"There is no folder {given!r} here.", hint="Name one in serve.files.")
    return path


async def evaluate(work: Work, body: EvaluateBody) -> Results:
    path = work.folder / "rows.jsonl"
    is_over = Event()

    def tell(doing: str, done: int, of: int) -> None:
        if is_over.is_set():
            raise CancelledError  # a thread cannot be cancelled: it ends itself at the next row
        work.progress(doing, done, of)

    def measured() -> Results:
        path.write_text(write_lines(body.rows), encoding="utf-8")
        return run_evaluation(work.engine, path, split=body.split, progress=tell)

    try:
        results = await run_sync(measured, abandon_on_cancel=True)
    except InputError as error:
        raise InputError(error.message.replace(str(path), "rows"), hint=error.hint) from error
    finally:
        is_over.set()
    hashed = results.meta.sources[str(path)]
    meta = results.meta.model_copy(update={"sources": {"rows": hashed}, "commit": None})
    return results.model_copy(update={"meta": meta})


@dataclass(frozen=True)
class Verb:
    """`is_job` where the work takes long whatever it is given."""

    name: str
    body: type[Body]
    answer: Any
    run: Callable[[Work, Any], Awaitable[Any]]
    summary: str
    is_job: bool = False


VERBS = {
    verb.name: verb
    for verb in (
        Verb("check", CheckBody, CheckReport, check, "Test what a text asserts against evidence"),
        Verb("ask", AskBody, Answer, ask, "Answer from documents and the vocabulary, or abstain"),
        Verb("term", TermBody, TermReport, term, "What the vocabulary says a term means"),
        Verb("ground", GroundBody, GroundingReport, ground, "Draw the causal graph", is_job=True),
        Verb(
            *("diagnose", DiagnoseBody, DiagnosisReport | Abstention, diagnose),
            "What may have caused what a report observes",
        ),
        Verb("edges", EdgeBody, EdgeOutcome, edges, "Test one causal edge"),
        Verb("audit", AuditBody, dict[str, Any], audit, "Audit the steps of a reasoning"),
        Verb(
            *("verify-output", OutputBody, VerificationResult, verify_output),
            "Check what an agent says it did",
        ),
        Verb("memory", MemoryBody, dict[str, Any], memory, "Remember a fact"),
        Verb(
            *("evaluate", EvaluateBody, Results, evaluate, "Measure on questions or claims"),
            is_job=True,
        ),
    )
}
