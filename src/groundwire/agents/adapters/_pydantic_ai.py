"""pydantic-ai: tools, and a validator that has the model correct its output."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai import ModelRetry, RunContext, Tool
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    SystemPromptPart,
    ToolReturnPart,
    UserPromptPart,
)

from groundwire.agents._feedback import correction_text
from groundwire.agents._toolbox import is_verdict
from groundwire.agents.adapters._shared import is_wrong, told_tools
from groundwire.engine import Engine
from groundwire.model import Message


def pydantic_ai_tools(
    engine: Engine, only: Sequence[str] | None = None, *, files: Path | None = None
) -> list[Tool[Any]]:
    """For `Agent(tools=…)`."""
    return [Tool(function, takes_ctx=False) for function in told_tools(engine, only, files)]


def pydantic_ai_validator(engine: Engine) -> Callable[[RunContext[Any], str], Awaitable[str]]:
    """For `agent.output_validator(…)`: what the conversation does not bear out is sent back.

    On the last attempt the output passes as it is.
    """

    async def validate(context: RunContext[Any], output: str) -> str:
        report = await engine.verify_response(output, list(_conversation(context.messages)))
        if is_wrong(report) and context.retry < (context.max_retries or 0):
            raise ModelRetry(correction_text(report.notes))
        return output

    return validate


def _conversation(messages: Sequence[ModelMessage]) -> Iterator[Message]:
    for message in messages:
        if not isinstance(message, ModelRequest):
            continue
        if message.instructions:
            yield Message(role="system", content=message.instructions)
        for part in message.parts:
            if isinstance(part, SystemPromptPart):
                yield Message(role="system", content=part.content)
            elif isinstance(part, UserPromptPart):
                content = [part.content] if isinstance(part.content, str) else part.content
                text = "\n".join(one for one in content if isinstance(one, str))
                yield Message(role="user", content=text)
            elif isinstance(part, ToolReturnPart) and not is_verdict(part.tool_name):
                text = part.model_response_str()
                yield Message(role="tool", content=text, name=part.tool_name)
