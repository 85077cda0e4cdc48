"""Each adapter works with its real framework: tools are called, answers are checked."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import InputError

pytestmark = [pytest.mark.heavy, pytest.mark.anyio, pytest.mark.filterwarnings("default")]
MAST = "The mast is 42 m high. It was built in 1974."
WRONG = "The mast is 40 m high."
RIGHT = "The mast is 42 m high."
CLAIM = {"claim": WRONG, "evidence": [MAST]}
NAMES = {
    *("verify_claim", "verify_claims", "audit_trace", "verify_edge", "verify_output"),
    *("ask", "term", "remember", "recall"),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _telemetry_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A framework that tells its makers what it does is not asked to."""
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("home")
    config = load_config(environ={}, overrides={"home": home}, directory=home).config
    with Engine(config) as made:
        yield made


async def test_langchain_tools_answer_and_refuse_in_words(engine: Engine) -> None:
    """Every tool has a schema; a refusal is an answer, not an exception."""
    from groundwire.agents.adapters import langchain_tools

    tools = {tool.name: tool for tool in langchain_tools(engine)}
    assert set(tools) == NAMES
    assert set(tools["verify_claim"].args) == {"claim", "evidence", "confidence"}
    assert (await tools["verify_claim"].ainvoke(CLAIM))["status"] == "contradicted"
    assert "gw index" in (await tools["ask"].ainvoke({"question": "Why?"}))["error"]


async def test_a_langgraph_graph_checks_what_its_model_says(engine: Engine) -> None:
    """The node replaces the model's message by the same one with the report in it."""
    from langchain_core.language_models import FakeListChatModel
    from langchain_core.messages import HumanMessage, SystemMessage
    from langgraph.graph import END, START, MessagesState, StateGraph

    from groundwire.agents.adapters import langgraph_node

    model = FakeListChatModel(responses=[WRONG])
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("check", langgraph_node(engine))
    graph.add_edge(START, "model")
    graph.add_edge("model", "check")
    graph.add_edge("check", END)
    asked = [SystemMessage(MAST), HumanMessage("How high is the mast?")]
    state = await graph.compile().ainvoke({"messages": asked})
    assert len(state["messages"]) == 3
    last = state["messages"][-1]
    assert last.text == WRONG
    assert last.response_metadata["groundwire"]["notes"][0]["replacement"] == RIGHT


async def test_a_langchain_chain_ends_with_a_check(engine: Engine) -> None:
    """Messages that do not end with the model's are refused."""
    from langchain_core.messages import AIMessage, HumanMessage

    from groundwire.agents.adapters import langchain_check

    check = langchain_check(engine)
    checked = await check.ainvoke([HumanMessage(MAST), AIMessage(RIGHT)])
    assert checked.response_metadata["groundwire"]["summary"]["grounded"] == 1
    with pytest.raises(InputError):
        await check.ainvoke([HumanMessage(MAST)])


async def test_pydantic_ai_has_the_model_correct_itself(engine: Engine) -> None:
    """The model calls a tool, answers wrongly, is told why, and answers rightly."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    from groundwire.agents.adapters import pydantic_ai_tools, pydantic_ai_validator

    replies = iter([ToolCallPart("verify_claim", CLAIM), TextPart(WRONG), TextPart(RIGHT)])
    seen: list[Any] = []

    def reply(messages: list[Any], _: Any) -> ModelResponse:
        seen[:] = messages
        return ModelResponse(parts=[next(replies)])

    tools = pydantic_ai_tools(engine)
    assert {tool.name for tool in tools} == NAMES
    agent = Agent(FunctionModel(reply), tools=tools, instructions=MAST, retries=2)
    agent.output_validator(pydantic_ai_validator(engine))
    assert (await agent.run("How high is the mast?")).output == RIGHT
    told = [part for message in seen for part in message.parts]
    assert any("contradicted" in str(getattr(part, "content", "")) for part in told)
    assert "do not stand" in str(seen[-1])


async def test_an_openai_agent_calls_tools_and_is_guarded(engine: Engine) -> None:
    """The real runner over the wire of the stand-in: a wrong output trips the guardrail."""
    from openai import AsyncOpenAI

    from agents import (
        Agent,
        OpenAIChatCompletionsModel,
        OutputGuardrailTripwireTriggered,
        Runner,
        set_tracing_disabled,
    )
    from groundwire.agents.adapters import openai_agents_guardrail, openai_agents_tools
    from groundwire.testing import Answer, OpenAIServer, ToolUse, in_order

    set_tracing_disabled(True)
    script = in_order(Answer(uses=(ToolUse("verify_claim", CLAIM),)), WRONG)
    conversation = [{"role": "system", "content": MAST}]
    with OpenAIServer(script) as server:
        async with AsyncOpenAI(base_url=server.base_url, api_key="key") as client:
            agent = Agent(
                name="mast",
                model=OpenAIChatCompletionsModel("m", client),
                tools=openai_agents_tools(engine),
                output_guardrails=[openai_agents_guardrail(engine, conversation)],
            )
            with pytest.raises(OutputGuardrailTripwireTriggered) as tripped:
                await Runner.run(agent, "How high is the mast?")
    assert set(server.asked[0].tools) == NAMES
    assert "contradicted" in server.asked[1].results[0]
    report = tripped.value.guardrail_result.output.output_info
    assert report["notes"][0]["replacement"] == RIGHT


async def test_llama_index_evaluates_and_calls(engine: Engine) -> None:
    """A response is scored by its contexts; tools answer."""
    from groundwire.agents.adapters import LlamaIndexEvaluator, llama_index_tools

    tools = {tool.metadata.name: tool for tool in llama_index_tools(engine)}
    assert set(tools) == NAMES
    output = await tools["verify_claim"].acall(**CLAIM)
    assert output.raw_output["status"] == "contradicted"
    evaluator = LlamaIndexEvaluator(engine)
    wrong = await evaluator.aevaluate(response=f"{WRONG} It was built in 1974.", contexts=[MAST])
    assert (wrong.passing, wrong.score) == (False, 0.5)
    right = await evaluator.aevaluate(response=RIGHT, contexts=[MAST])
    assert (right.passing, right.score) == (True, 1.0)


def test_a_haystack_pipeline_checks_replies(engine: Engine) -> None:
    """The component runs in a pipeline; tools are invoked with plain arguments."""
    from haystack import Document, Pipeline

    from groundwire.agents.adapters import HaystackCheck, haystack_tools

    tools = {tool.name: tool for tool in haystack_tools(engine)}
    assert set(tools) == NAMES
    assert json.loads(json.dumps(tools["verify_claim"].invoke(**CLAIM)))["status"] == "contradicted"
    pipeline = Pipeline()
    pipeline.add_component("check", HaystackCheck(engine))
    found = pipeline.run({"check": {"replies": [RIGHT], "documents": [Document(content=MAST)]}})
    assert found["check"]["is_grounded"] is True
    found = pipeline.run({"check": {"replies": [WRONG], "documents": [Document(content=MAST)]}})
    assert found["check"]["is_grounded"] is False


def test_a_tool_that_is_not_there_is_refused(engine: Engine, tmp_path: Path) -> None:
    """Those that are there are named."""
    from groundwire.agents.adapters import langchain_tools

    assert [tool.name for tool in langchain_tools(engine, ["ask"])] == ["ask"]
    with pytest.raises(InputError, match="verify_claims"):
        langchain_tools(engine, ["answer"])
