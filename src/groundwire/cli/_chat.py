import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._shared import (
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    judge_settings,
    load_settings,
    observed,
    print_json,
)

if TYPE_CHECKING:
    from contextlib import AsyncExitStack

    from groundwire.agents import ChatTurn, Conversation
    from groundwire.config import Config

_LEAVE = {"exit", "quit", ":q"}


def chat(
    context: typer.Context,
    question: Annotated[
        list[str] | None, typer.Argument(help="One question; without it, a conversation.")
    ] = None,
    graph: Annotated[
        Path | None, typer.Option(help="A causal graph made by `gw ground`.", metavar="FILE")
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="The index to search for evidence.", metavar="FILE")
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask what causes what; each edge in question is tested again with `verify_edge`."""
    loaded = load_settings(
        context,
        {"evidence.index": index, **judge_settings(backend, provider, base_url, model)},
    )
    with observed(loaded):
        asyncio.run(_talk(loaded.config, graph, " ".join(question or []), as_json=as_json))


async def _talk(config: "Config", graph: Path | None, question: str, *, as_json: bool) -> None:
    from contextlib import AsyncExitStack

    async with AsyncExitStack() as opened:
        conversation = _conversation(config, graph, opened)
        if question:
            _show(await conversation.ask(question), as_json=as_json)
            return
        while (line := await asyncio.to_thread(_read_line)) is not None:
            if line:
                _show(await conversation.ask(line), as_json=as_json)


def _conversation(config: "Config", graph: Path | None, opened: "AsyncExitStack") -> "Conversation":
    from contextlib import ExitStack

    from groundwire.agents import (
        Orchestrator,
        PlainConversation,
        causes_of_tool,
        verify_edge_tool,
    )
    from groundwire.graph import load_graph
    from groundwire.ground import (
        EdgeVerifier,
        build_parts,
        edge_backend,
        edge_client,
        edge_search,
    )
    from groundwire.observe import AuditTrail

    loaded = load_graph(graph).file if graph is not None else None
    talks = edge_backend(config) in ("self", "haiku")
    client = edge_client(config) if talks else None
    parts = build_parts(config, client=client)
    opened.push_async_callback(parts.aclose)
    search = edge_search(config, loaded, opened.enter_context(ExitStack()))
    audit = None
    if config.audit.enabled:
        audit = AuditTrail(
            config.home.expanduser() / "audit.sqlite",
            retention=config.audit.retention,
            max_rows=config.audit.max_rows,
        )
        opened.callback(audit.close)
    verifier = EdgeVerifier(parts, config.verification, search, loaded, audit)
    verify = verify_edge_tool(verifier)
    causes = causes_of_tool(loaded, verifier.find) if loaded is not None else None
    if client is None:
        return PlainConversation(verify, causes)
    orchestrator = Orchestrator(client)
    orchestrator.register_tool(verify)
    if causes is not None:
        orchestrator.register_tool(causes)
    return orchestrator


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
    typer.echo(turn.answer)
    for result in turn.results:
        if result.facts != turn.answer:
            typer.echo(f"  {result.tool}: {result.facts}")
        for quote in result.quotes:
            typer.echo(f'  {quote.doc_id}:{quote.start} "{quote.quote}"')
