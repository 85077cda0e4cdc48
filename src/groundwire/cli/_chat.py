"""`gw chat` and `gw repl`: a conversation that tests edges, and one that tests claims."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._output import print_json, say
from groundwire.cli._shared import (
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    judge_settings,
    open_engine,
    refuse_special,
)

if TYPE_CHECKING:
    from groundwire.agents import ChatTurn
    from groundwire.engine import Engine
    from groundwire.model import CausalGraphFile

_LEAVE = {"exit", "quit", ":q"}


def chat(
    context: typer.Context,
    question: Annotated[
        list[str] | None, typer.Argument(help="One question; without it, a conversation.")
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(
            help="A causal graph made by `gw ground`.", callback=refuse_special, metavar="FILE"
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(
            help="The index to search for evidence.", callback=refuse_special, metavar="FILE"
        ),
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask what causes what; each edge in question is tested again with `verify_edge`."""
    from groundwire.graph import load_graph

    judged_by = judge_settings(backend, provider, base_url, model)
    with open_engine(context, {"evidence.index": index, **judged_by}) as engine:
        known = load_graph(graph).file if graph is not None else None
        asyncio.run(_talk(engine, known, " ".join(question or []), as_json=as_json))


async def _talk(
    engine: "Engine", graph: "CausalGraphFile | None", question: str, *, as_json: bool
) -> None:
    from groundwire.agents import open_conversation

    async with open_conversation(engine, graph) as conversation:
        if question:
            _show(await conversation.ask(question), as_json=as_json)
            return
        while (line := await asyncio.to_thread(_read_line)) is not None:
            if line:
                _show(await conversation.ask(line), as_json=as_json)


def _read_line() -> str | None:
    if sys.stdin.isatty():
        sys.stderr.write("> ")
        sys.stderr.flush()
    line = sys.stdin.readline()
    if not line or line.strip().lower() in _LEAVE:
        return None
    return line.strip()


def _show(turn: "ChatTurn", *, as_json: bool) -> None:
    if as_json:
        print_json(turn.model_dump(mode="json"))
        return
    say(turn.answer)
    for result in turn.results:
        if result.facts != turn.answer:
            say(f"  {result.tool}: {result.facts}")
        for quote in result.quotes:
            say(f'  {quote.doc_id}:{quote.start} "{quote.quote}"')
    for note in turn.verification.notes if turn.verification is not None else ():
        say(f"  {note.status}: {note.claim} {note.why}")


_BANNER = """Groundwire: verify_claim(claim, evidence, confidence), verify_claims(text, context),
audit_trace(steps, context, answer).
Evidence is a text, a list of texts, or a dict of texts by id. Leave with exit() or Ctrl-D."""


def repl(context: typer.Context) -> None:
    """An interactive Python with the verifying functions loaded [SPEC-08.31]."""
    import code

    with open_engine(context) as engine:
        names: dict[str, Any] = {
            "engine": engine,
            "verify_claim": engine.verify_claim_sync,
            "verify_claims": engine.verify_claims_sync,
            "audit_trace": engine.audit_trace_sync,
        }
        if sys.stdin.isatty():
            code.interact(banner=_BANNER, local=names, exitmsg="")
        else:
            code.interact(banner="", readfunc=_read_piped_line, local=names, exitmsg="")


def _read_piped_line(_prompt: str) -> str:
    """A line from a pipe, as if it was typed, without a prompt; what was printed goes out first."""
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
