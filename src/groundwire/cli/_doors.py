"""Doors of programs: tools of agents (`gw mcp`), a proxy before a model (`gw proxy`)."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli._output import say
from groundwire.cli._shared import open_engine, require_extra


def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[str | None, typer.Option(help="With --http: the address to listen at.")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="With --http: the port; 0 takes a free one."),
    ] = None,
    files: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            file_okay=False,
            help="The folder that agents' reports are checked against; unset: serve.files.",
        ),
    ] = None,
) -> None:
    """Serve the tools of agents (MCP): verify, audit, ask, remember."""
    require_extra("mcp", "mcp", needed_for="`gw mcp`")
    from groundwire.serve import run_mcp_http, run_mcp_stdio

    with open_engine(
        context, {"serve.host": host, "serve.port": port, "serve.files": files}
    ) as engine:
        if http:
            run_mcp_http(engine, _say_tools)
        else:
            run_mcp_stdio(engine, files=engine.config.serve.files)


def _say_tools(address: str) -> None:
    say(f"Groundwire's tools are at {address}", beside=True)


def proxy(
    context: typer.Context,
    upstream: Annotated[
        str | None,
        typer.Option(help="The service that answers, as in https://api.openai.com/v1."),
    ] = None,
    mode: Annotated[
        str | None, typer.Option(help="annotate, mark, correct or off; see proxy.mode.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")
    ] = None,
) -> None:
    """Pass a program's requests on to its language model, and verify what comes back."""
    require_extra("serve", "starlette", "uvicorn", needed_for="`gw proxy`")
    from groundwire.serve import run_proxy

    flags = {"upstream": upstream, "mode": mode, "host": host, "port": port}
    with open_engine(context, {f"proxy.{name}": value for name, value in flags.items()}) as engine:
        run_proxy(engine, _say_proxy)


def _say_proxy(address: str) -> None:
    say(f"Groundwire passes on what comes to {address}", beside=True)
