"""S4 by what a caller sees: responses and reasoning traces."""

import asyncio
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest

import groundwire
from groundwire.agents import ChatTurn, open_conversation
from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.llm import LLMClient
from groundwire.model import StepStatus
from groundwire.testing import ScriptedModel

CONVERSATION = [{"role": "tool", "content": "The mast is 40 m high. It stands in Vik."}]
CONTEXT = "The depot has 12 pumps. Each pump costs EUR 40."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("home")
    with Engine(load_config(environ={}, overrides={"home": str(home)}).config) as made:
        yield made


def test_spec_08_19_answers_of_a_chat_are_verified_where_that_is_on(tmp_path: Path) -> None:
    """[SPEC-08.19] Off, nothing is verified; on, the answer comes with its verification."""

    async def ask(engine: Engine) -> ChatTurn:
        async with open_conversation(engine) as conversation:
            return await conversation.ask("Does a full disk cause the outage?")

    page = tmp_path / "a.md"
    page.write_text("A full disk caused the outage.")
    turns = []
    for is_on in (False, True):
        settings = {
            "home": str(tmp_path),
            "hallucination.enabled": is_on,
            "hallucination.output_verification.enabled": is_on,
        }
        with Engine(load_config(environ={}, overrides=settings).config) as engine:
            engine.index_sync([page], embed=False)
            turns.append(asyncio.run(ask(engine)))
    assert turns[0].verification is None
    assert turns[1].verification is not None


def test_spec_08_20_claims_are_verified_against_the_conversation(engine: Engine) -> None:
    """[SPEC-08.20] Each claim of the response, by what the conversation itself says."""
    report = engine.verify_response_sync("The mast is 40 m high. It is red.", CONVERSATION)
    assert [claim.status for claim in report.claims] == ["grounded", "unsupported"]


def test_spec_08_21_and_22_notes_for_the_agent_and_no_refusal(engine: Engine) -> None:
    """[SPEC-08.21, SPEC-08.22] What to change is said; the response is marked and passes."""
    report = engine.verify_response_sync("The mast is 70 m high.", CONVERSATION)
    assert report.notes[0].replacement == "The mast is 40 m high."
    assert report.is_risky
    assert report.decision.lets_through


@pytest.mark.parametrize(
    ("step", "status"),
    [
        pytest.param("The depot has 12 pumps.", "ENTAILED", id="entailed"),
        pytest.param("12 × 40 = 500.", "CONTRADICTED", id="contradicted"),
        pytest.param("The gearbox leaked turbine grease.", "NOT_IN_CONTEXT", id="not_in_context"),
        pytest.param("Let us look at it.", "UNVERIFIABLE", id="unverifiable"),
    ],
)
def test_spec_08_23_and_24_each_step_has_one_of_four_statuses(
    engine: Engine, step: str, status: StepStatus
) -> None:
    """[SPEC-08.23, SPEC-08.24] By the context and the steps before it."""
    assert engine.audit_trace_sync([step], CONTEXT).steps[0].status == status


def test_spec_08_25_an_answer_that_does_not_follow_is_found(engine: Engine) -> None:
    """[SPEC-08.25] The context would bear it, the steps do not: it was there before them."""
    audit = engine.audit_trace_sync(["The depot has 12 pumps."], CONTEXT, "EUR 480")
    assert audit.answer is not None
    assert (audit.answer.derivable, audit.status) == (False, "INVALID")


def test_spec_08_26_a_model_executor_gets_the_steps_in_a_context_of_its_own(
    tmp_path: Path,
) -> None:
    """[SPEC-08.26] Neither the context nor the answer is in its prompt; it disagrees."""
    provider = ScriptedModel("The pumps cost EUR 480.")
    settings = {
        "home": str(tmp_path),
        "hallucination.backend.type": "configurable",
        "hallucination.backend.default": "embedded",
        "hallucination.backend.operations": {"trace": "self"},
    }
    config = load_config(environ={}, overrides=settings).config
    with Engine(config, llm=LLMClient(provider)) as engine:
        audit = engine.audit_trace_sync(["12 × 40 = 480."], CONTEXT, "They cost EUR 520.")
    assert audit.answer is not None
    assert (audit.answer.derivable, audit.answer.reason) == (False, "executor_disagrees")
    prompts = [call.prompt for call in provider.asked if "steps of somebody" in call.prompt]
    assert len(prompts) == 1
    assert "520" not in prompts[0]
    assert "Delft" not in prompts[0]


def test_spec_08_31_audit_trace_is_a_function_of_the_package() -> None:
    """[SPEC-08.31] As the document names it, the rest optional."""
    parameters = signature(groundwire.audit_trace).parameters
    assert list(parameters) == ["steps", "context", "answer"]
    assert [one.default for one in parameters.values()][1:] == [None, None]


def test_spec_08_39_a_check_under_load_is_skipped_and_told(tmp_path: Path) -> None:
    """[SPEC-08.39] Asynchronous, and shed where too many are under way; never in silence."""
    settings = {"home": str(tmp_path), "hallucination.output_verification.max_waiting": 1}
    with Engine(load_config(environ={}, overrides=settings).config) as engine:

        async def both() -> list[str | None]:
            calls = [engine.verify_response("It stands in Vik.", CONVERSATION) for _ in range(2)]
            return [one.skipped for one in await asyncio.gather(*calls)]

        assert sorted(map(str, asyncio.run(both()))) == ["None", "queue_depth"]
