"""OpenAI Agents: tools, and a guardrail of an agent's final output."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    GuardrailFunctionOutput,
    OutputGuardrail,
    RunContextWrapper,
    function_tool,
)
from groundwire.agents.adapters._shared import is_wrong, told_tools
from groundwire.engine import Engine
from groundwire.verify import GivenConversation


def openai_agents_tools(
    engine: Engine, only: Sequence[str] | None = None, *, files: Path | None = None
) -> list[FunctionTool]:
    """For `Agent(tools=…)`."""
    return [
        function_tool(function, strict_mode=False)  # an agent's report is of any shape
        for function in told_tools(engine, only, files)
    ]


def openai_agents_guardrail(
    engine: Engine, conversation: GivenConversation
) -> OutputGuardrail[Any]:
    """For `Agent(output_guardrails=…)`: it trips where the output is not borne out.

    A guardrail is not shown the conversation, so it is given; `output_info` is the report.
    """

    async def groundwire(
        context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        del context, agent
        report = await engine.verify_response(str(output), conversation)
        found = report.model_dump(mode="json")
        return GuardrailFunctionOutput(output_info=found, tripwire_triggered=is_wrong(report))

    return OutputGuardrail(guardrail_function=groundwire, name="groundwire")
