"""The calls of an engine as tools for models: plain arguments in, terse results out.

MCP and the adapters offer these functions; a framework reads name, arguments and description
from them.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from anyio.to_thread import run_sync
from pydantic import Field

from groundwire.agents._terse import (
    Audited,
    EdgeVerdict,
    OutputVerdict,
    Recalled,
    Remembered,
    Terse,
    Told,
    Verdict,
    Verdicts,
    terse_answer,
    terse_audit,
    terse_edge,
    terse_fact,
    terse_memory,
    terse_output,
    terse_verdict,
    terse_verdicts,
)
from groundwire.engine import Engine
from groundwire.errors import ErrFactNotGrounded, InputError
from groundwire.graph import load_graph

Text = Annotated[str, Field(min_length=1, max_length=1_000_000)]
Texts = Annotated[
    list[Text], Field(min_length=1, max_length=1_000, description="The texts to test against.")
]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Share = Annotated[float, Field(ge=0, le=1)]
ToolFunction = Callable[..., Awaitable["Terse"]]


_REPEAT_THE_CLAIM = (
    *("verify_claim", "verify_claims", "audit_trace", "verify_edge", "verify_output", "remember"),
)


def is_verdict(tool: str) -> bool:
    """Whether a tool's result repeats what it was asked about, and so is evidence of nothing.

    Clients may put a prefix before its name, as in `mcp__groundwire__verify_claim`.
    """
    return tool.endswith(_REPEAT_THE_CLAIM)


class Toolbox:
    """One method for each call; `files` is the folder that agents' reports are about."""

    def __init__(self, engine: Engine, *, files: Path | None = None) -> None:
        self._engine = engine
        self._files = files

    async def verify_claim(
        self, claim: Text, evidence: Texts, confidence: Share | None = None
    ) -> Verdict:
        """Test one statement against texts before you rely on it. `grounded` needs a quote."""
        return terse_verdict(
            await self._engine.verify_claim(claim, _numbered(evidence), confidence)
        )

    async def verify_claims(self, text: Text, evidence: Texts) -> Verdicts:
        """Find everything a text asserts and test each assertion against texts."""
        return terse_verdicts(await self._engine.verify_claims(text, _numbered(evidence)))

    async def audit_trace(
        self,
        steps: Annotated[list[Text], Field(min_length=1, max_length=1_000)],
        context: Text | None = None,
        answer: Text | None = None,
    ) -> Audited:
        """Audit a reasoning: each step against the context and the steps before it, and whether
        the answer follows from the steps alone."""
        return terse_audit(await self._engine.audit_trace(steps, context, answer))

    async def verify_edge(
        self, cause: Text, effect: Text, graph: Name | None = None
    ) -> EdgeVerdict:
        """Test whether one thing causes another, by the indexed documents or a kept graph."""
        kept = None
        if graph is not None:
            kept = await run_sync(_kept_graph, self._engine, graph)
        return terse_edge(await self._engine.verify_edge(cause, effect, graph=kept))

    async def verify_output(
        self,
        output: Annotated[
            dict[str, Any],
            Field(description='As in {"summary": "I ran the tests.", "claims": [...]}.'),
        ],
        trace: Annotated[
            list[Text | dict[str, Any]],
            Field(max_length=20, description="Transcripts of the agent's tools, text or JSON."),
        ] = [],  # noqa: B006  it is read only, and frameworks read the default
    ) -> OutputVerdict:
        """Check what an agent says it did against its trace and, where allowed, the files."""
        with TemporaryDirectory(prefix="groundwire-") as folder:
            paths = await run_sync(_written, Path(folder), trace)
            traces = [
                self._engine.open_trace(path, shown_as=f"trace[{number}]")
                for number, path in enumerate(paths)
            ]
            return terse_output(await self._engine.verify_output(output, traces, self._files))

    async def ask(self, question: Text, choice: str | None = None) -> Told:
        """Answer from the indexed documents and the vocabulary, with quotes, or abstain.
        `choice` is the id of one of the choices that were offered."""
        answer = await self._engine.ask(question, choice=choice)
        return terse_answer(answer, answer.answer)

    async def term(self, term: Text, choice: str | None = None) -> Told:
        """What the vocabulary says a term means; `choice` is the id of an offered choice."""
        report = await self._engine.term(term, choice=choice)
        return terse_answer(report, report.definition)

    async def remember(
        self, fact: Text, evidence: Texts, confidence: Share | None = None
    ) -> Remembered:
        """Keep a fact for later. It is refused where the evidence does not bear it."""
        try:
            outcome = await self._engine.remember(fact, _numbered(evidence), confidence=confidence)
        except ErrFactNotGrounded as refused:
            outcome = refused.outcome
        return terse_memory(outcome)

    async def recall(
        self, query: Text, limit: Annotated[int, Field(ge=1, le=100)] = 10
    ) -> Recalled:
        """Facts that were remembered about a question, best first, with their evidence."""
        found = await self._engine.recall(query, limit=limit)
        return Recalled(facts=tuple(map(terse_fact, found.facts)), notes=found.fallbacks)

    @property
    def tools(self) -> list[ToolFunction]:
        return [
            *(self.verify_claim, self.verify_claims, self.audit_trace, self.verify_edge),
            *(self.verify_output, self.ask, self.term, self.remember, self.recall),
        ]


def engine_tools(engine: Engine, *, files: Path | None = None) -> list[ToolFunction]:
    """What an engine can do for a model, as functions with typed arguments."""
    return Toolbox(engine, files=files).tools


def _numbered(texts: Sequence[str]) -> dict[str, str]:
    return {str(number): text for number, text in enumerate(texts, start=1)}


def _written(folder: Path, given: Sequence[str | dict[str, Any]]) -> list[Path]:
    paths = [folder / f"{number}.jsonl" for number in range(len(given))]
    for path, trace in zip(paths, given, strict=True):
        text = trace if isinstance(trace, str) else json.dumps(trace)
        path.write_text(text, encoding="utf-8")
    return paths


def _kept_graph(engine: Engine, name: str) -> Any:
    folder = engine.config.home.expanduser() / "graphs"
    path = folder / f"{name}.json"
    if not path.is_file():
        kept = ", ".join(sorted(one.stem for one in folder.glob("*.json"))) or "none"
        raise InputError(f"There is no graph {name!r}.", hint=f"Kept are: {kept}.")
    return load_graph(path).file
