"""A conversation with tools, over the provider's real wire."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from groundwire.agents import Orchestrator
from groundwire.agents._chat import PlainConversation
from groundwire.agents._tools import causes_of_tool, effects_of_tool, verify_edge_tool
from groundwire.config import Config, VerificationConfig
from groundwire.errors import InputError
from groundwire.ground import BundleSearch, EdgeVerifier, build_parts
from groundwire.llm import CallPolicy, LLMClient
from groundwire.llm._openai import OpenAIProvider
from groundwire.model import (
    CausalEdge,
    CausalGraphFile,
    EdgeEvidence,
    Quote,
    Variable,
    evidence_id,
)
from groundwire.testing import Answer, Asked, OpenAIServer, Reply
from tests.ground.make import bundles

pytestmark = pytest.mark.anyio

SAID = "The full disk caused write errors."
BUNDLE = bundles(SAID)[0]
GRAPH = CausalGraphFile(
    variables=(
        Variable(id="full_disk", label="full disk", aliases=("disk exhaustion",)),
        Variable(id="write_error", label="write error"),
    ),
    edges=(
        CausalEdge(
            id="full_disk->write_error",
            from_var="full_disk",
            to_var="write_error",
            edge_status="grounded",
            evidence=(
                EdgeEvidence(
                    evidence_id=evidence_id(BUNDLE),
                    quote=Quote(doc_id="doc-0", quote=SAID, start=0, end=len(SAID)),
                ),
            ),
        ),
    ),
    evidence={evidence_id(BUNDLE): BUNDLE},
)
DESK = EdgeVerifier(
    build_parts(Config()), VerificationConfig(), BundleSearch(list(GRAPH.evidence.values())), GRAPH
)


def step(tool: str | None = None, answer: str | None = None, **arguments: str) -> str:
    given = [{"name": name, "value": value} for name, value in arguments.items()]
    return json.dumps({"tool": tool, "arguments": given, "answer": answer})


class Script:
    """Replies in order, and keeps what was asked."""

    def __init__(self) -> None:
        self.replies: list[str] = []
        self.asked: list[Asked] = []

    def __call__(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        return Answer(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
async def talk(script: Script) -> AsyncIterator[Orchestrator]:
    with OpenAIServer(script) as server:
        provider = OpenAIProvider("m", base_url=server.base_url, api_key="k")
        async with LLMClient(provider, policy=CallPolicy(max_retries=0)) as client:
            orchestrator = Orchestrator(client)
            orchestrator.register_tool(verify_edge_tool(DESK))
            orchestrator.register_tool(causes_of_tool(GRAPH, DESK.find))
            yield orchestrator


async def test_the_model_calls_verify_edge_and_answers_with_what_it_found(
    talk: Orchestrator, script: Script
) -> None:
    """[S1 step 6] The conversation verifies an edge on demand."""
    script.replies = [
        step("verify_edge", cause="the disk exhaustion", effect="write errors"),
        step(answer="Yes."),
    ]
    turn = await talk.ask("Does disk exhaustion cause write errors?")
    assert turn.answer == "Yes."
    (result,) = turn.results
    assert result.facts.startswith("full_disk -> write_error is grounded (supported, belief 0.9")
    assert [quote.quote for quote in result.quotes] == [SAID]
    assert SAID in script.asked[1].prompt
    assert "- verify_edge(cause, effect)" in script.asked[0].prompt
    assert script.asked[0].output_schema is not None


async def test_a_false_edge_comes_back_rejected_whatever_the_model_says(
    talk: Orchestrator, script: Script
) -> None:
    script.replies = [
        step("verify_edge", cause="write errors", effect="full disk"),
        step(answer="Certainly."),
    ]
    turn = await talk.ask("Do write errors fill the disk?")
    assert "is rejected (reversed)" in turn.results[0].facts


@pytest.mark.parametrize(
    ("call", "facts"),
    [
        (step("verify_edge", cause="full disk"), "effect: Field required"),
        (step("verify_edge", cause="the", effect="full disk"), "names nothing"),
        (step("verify_edge", cause="full disk", effect="full disks"), "are the same"),
        (step("format_disk"), "There is no such tool; there are: verify_edge, causes_of."),
    ],
)
async def test_a_wrong_call_is_told_to_the_model(
    talk: Orchestrator, script: Script, call: str, facts: str
) -> None:
    script.replies = [call, step(answer="I don't know.")]
    turn = await talk.ask("?")
    assert turn.results[0].is_error
    assert facts in turn.results[0].facts
    assert facts in script.asked[1].prompt


async def test_a_model_that_never_answers_is_stopped(talk: Orchestrator, script: Script) -> None:
    script.replies = [step("causes_of", effect="write error")]
    turn = await talk.ask("Why?")
    assert turn.answer.startswith("I don't know")
    assert len(turn.results) == len(script.asked) == talk.max_steps


async def test_the_conversation_is_remembered(talk: Orchestrator, script: Script) -> None:
    script.replies = [step(answer="Hello."), step(answer="As I said.")]
    await talk.ask("Good morning")
    await talk.ask("And now?")
    assert "user: Good morning\nassistant: Hello.\nuser: And now?" in script.asked[1].prompt


async def test_a_tool_has_one_name(talk: Orchestrator) -> None:
    with pytest.raises(InputError, match="already"):
        talk.register_tool(verify_edge_tool(DESK))


@pytest.mark.parametrize(
    ("question", "facts"),
    [
        ("Does a full disk cause write errors?", "full_disk -> write_error is grounded"),
        ("Are write errors caused by disk exhaustion?", "full_disk -> write_error is grounded"),
        ("Do write errors cause a full disk?", "write_error -> full_disk is rejected (reversed"),
        ("Why write errors?", "Causes of write_error: full_disk."),
        ("What does a full disk lead to?", "full_disk leads to: write_error."),
        ("What causes a full disk?", "Causes of full_disk: none that is grounded."),
        ("Hello there", "I don't know what you ask."),
    ],
)
async def test_without_a_model_questions_of_known_shape_are_answered(
    question: str, facts: str
) -> None:
    plain = PlainConversation(
        verify_edge_tool(DESK),
        causes_of_tool(GRAPH, DESK.find),
        effects_of_tool(GRAPH, DESK.find),
    )
    assert facts in (await plain.ask(question)).answer


def test_the_step_a_model_is_held_to_is_small() -> None:
    from groundwire.agents._chat import Step
    from groundwire.llm import portable_schema

    schema: dict[str, Any] = portable_schema(Step)
    assert set(schema["properties"]) == {"tool", "arguments", "answer"}
