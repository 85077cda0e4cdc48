"""LangChain and LangGraph: tools, a runnable that checks an answer, a node that does."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import StructuredTool

from groundwire.agents._toolbox import is_verdict
from groundwire.agents.adapters._shared import told_tools
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.model import Message, Role

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "human": "user",
    "tool": "tool",
    "function": "tool",
    "ai": "assistant",
}


def langchain_tools(
    engine: Engine, only: Sequence[str] | None = None, *, files: Path | None = None
) -> list[StructuredTool]:
    """For `bind_tools`, agents and LangGraph's `ToolNode`; they are asynchronous."""
    return [
        StructuredTool.from_function(coroutine=function)
        for function in told_tools(engine, only, files)
    ]


def langchain_check(engine: Engine) -> "RunnableLambda[Sequence[BaseMessage], AIMessage]":
    """Messages whose last is the model's → that message, with the report in its metadata.

    `response_metadata["groundwire"]` is the report of `Engine.verify_response`.
    """

    async def check(messages: Sequence[BaseMessage]) -> AIMessage:
        *before, answer = messages
        if not isinstance(answer, AIMessage):
            raise InputError("The last message is not the model's.")
        report = await engine.verify_response(answer.text, _conversation(before))
        found = {**answer.response_metadata, "groundwire": report.model_dump(mode="json")}
        return answer.model_copy(update={"response_metadata": found})

    return RunnableLambda(check)


def langgraph_node(engine: Engine) -> Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]:
    """A node after the model's: it replaces the last message of the state by the checked one."""
    check = langchain_check(engine)

    async def groundwire(state: dict[str, Any]) -> dict[str, Any]:
        messages: Sequence[AnyMessage] = state["messages"]
        return {"messages": [await check.ainvoke(messages)]}

    return groundwire


def _conversation(messages: Sequence[BaseMessage]) -> list[Message]:
    return [
        Message(role=_ROLES.get(one.type, "user"), content=one.text, name=one.name or "")
        for one in messages
        if not (one.type == "tool" and is_verdict(one.name or ""))
    ]
