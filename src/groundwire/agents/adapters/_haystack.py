"""Haystack: tools, and a component that checks replies against documents."""

import asyncio
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

from haystack import Document, component
from haystack.tools import Tool
from pydantic import TypeAdapter

from groundwire.agents._toolbox import ToolFunction
from groundwire.agents.adapters._shared import told_tools
from groundwire.engine import Engine


def haystack_tools(
    engine: Engine, only: Sequence[str] | None = None, *, files: Path | None = None
) -> list[Tool]:
    """For `ToolInvoker` and agents."""
    return [_tool(function) for function in told_tools(engine, only, files)]


def _tool(function: ToolFunction) -> Tool:
    described: Any = function  # pydantic reads the arguments of functions, too

    def call(**named: Any) -> Any:
        # Haystack calls tools in threads: there is a loop for each call
        return asyncio.run(_awaited(function(**named)))

    return Tool(
        name=function.__name__,
        description=" ".join((function.__doc__ or "").split()),
        parameters=TypeAdapter(described).json_schema(),
        function=call,
    )


async def _awaited(given: Awaitable[Any]) -> Any:
    return await given


@component
class HaystackCheck:
    """Replies and documents in; the replies, their reports and whether all is borne out, out."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @component.output_types(replies=list[str], reports=list[dict[str, Any]], is_grounded=bool)  # type: ignore[untyped-decorator]
    def run(self, replies: list[str], documents: list[Document]) -> dict[str, Any]:
        given = {one.id: one.content for one in documents if one.content}
        reports = [self._engine.verify_claims_sync(reply, given) for reply in replies]
        return {
            "replies": replies,
            "reports": [report.model_dump(mode="json") for report in reports],
            "is_grounded": all(
                report.claims and report.summary.grounded == report.summary.claims
                for report in reports
            ),
        }
