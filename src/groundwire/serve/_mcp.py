"""The Model Context Protocol: the engine's calls as tools, over stdio and HTTP."""

import functools
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from groundwire.agents import ToolFunction, engine_tools
from groundwire.engine import Engine
from groundwire.errors import GroundwireError
from groundwire.observe import RequestContext
from groundwire.serve._access import Access
from groundwire.serve._problems import Problem, json_response
from groundwire.serve._server import run_plain
from groundwire.serve._tokens import TokenStore

_INSTRUCTIONS = (
    "Test statements against evidence before you make them. A status of `grounded` comes with a "
    "verbatim quote; `unsupported` and `contradicted` say what to change; `unverifiable` means "
    "that nobody knows, so say so. `ask`, `term` and `recall` abstain rather than guess."
)
_WRITES = ("remember",)
_NEEDED = ("verify", "memory")


def mcp_server(engine: Engine, *, files: Path | None = None) -> MCPServer[Any]:
    """The nine tools; `files` is the folder that reports of agents are checked against."""
    server: MCPServer[Any] = MCPServer(
        "groundwire",
        instructions=_INSTRUCTIONS,
        version=version("groundwire"),
        log_level="ERROR",
    )
    for function in engine_tools(engine, files=files):
        name = function.__name__
        hints = ToolAnnotations(read_only_hint=name not in _WRITES, destructive_hint=False)
        server.add_tool(_told(function), name=name, annotations=hints)
    return server


def _told(function: ToolFunction) -> ToolFunction:
    """What we refuse on purpose is told to the model, with what to do."""

    @functools.wraps(function)
    async def call(**arguments: Any) -> Any:
        try:
            return await function(**arguments)
        except GroundwireError as error:
            raise ToolError(str(error)) from error

    return call


def run_mcp_stdio(engine: Engine, *, files: Path | None = None) -> None:
    """Serve whoever started this process until they hang up."""
    anyio.run(mcp_server(engine, files=files).run_stdio_async)


def run_mcp_http(engine: Engine, tell: Callable[[str], None]) -> None:
    """Serve at `/mcp` until a signal comes; who may call is as for `gw serve`."""
    settings = engine.config.serve
    with TokenStore.of(engine.config) as tokens:
        access = Access(settings, tokens)
        access.require_token("gw token add NAME --scope verify --scope memory")
        run_plain(mcp_app(engine, access), settings, lambda address: tell(f"{address}/mcp"))


def mcp_app(engine: Engine, access: Access) -> ASGIApp:
    settings = engine.config.serve
    app = mcp_server(engine, files=settings.files).streamable_http_app(
        stateless_http=True,
        max_request_body_size=int(settings.max_body_mb * 1_000_000),
        # `Access` looks at names and origins, with this service's own settings
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return _Guarded(app, access)


class _Guarded:
    """Only those come in who may verify and remember: tools do both."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                self._admit(scope)
            except Problem as problem:
                told = problem.document(RequestContext().request_id)
                refused = json_response(told, problem.status, **problem.headers)
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        address = scope["client"][0] if scope.get("client") else ""
        caller = self._access.admit(scope["method"], scope["path"], headers, address)
        if not set(_NEEDED) <= set(caller.scopes):
            raise Problem(
                *(403, "scope", "The tools verify and remember; this token may not do both."),
                hint="gw token add NAME --scope verify --scope memory",
            )
