import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from opentelemetry import trace
from pydantic import BaseModel

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRefused,
    BackendTimeout,
    BackendUnsupported,
)
from groundwire.llm import CallPolicy, Completion, LLMClient, probe
from groundwire.observe import metrics
from groundwire.testing import Answer, Asked, FailingModel, Fault, Reply, ScriptedModel, in_order

pytestmark = pytest.mark.anyio

QUICK = CallPolicy(backoff_initial_s=0, backoff_jitter_max_s=0.001)


class Verdict(BaseModel):
    answer: Literal["YES", "NO"]


def client(model: ScriptedModel, policy: CallPolicy = QUICK) -> LLMClient:
    return LLMClient(model, policy=policy)


async def test_an_answer_comes_with_what_it_used() -> None:
    model = ScriptedModel(Answer("a lamp", input_tokens=7, output_tokens=3))
    async with client(model) as own:
        completion = await own.generate("What is it?", system="Be brief.", temperature=0.5)
    assert completion.text == "a lamp"
    assert completion.usage is not None
    assert completion.usage.tokens == 10
    assert model.asked[0].system == "Be brief."
    assert model.asked[0].max_tokens == 1024


async def test_broken_unicode_is_sent_as_what_json_can_carry() -> None:
    model = ScriptedModel("fine")
    async with client(model) as own:
        await own.generate("half a pair: \ud800.")
    assert model.asked[0].prompt == "half a pair: ?."


def tokens_in() -> float:
    named = {"provider": "scripted", "model": "scripted-model", "direction": "in"}
    return metrics().value("llm_tokens_total", **named)


async def test_use_is_summed_in_the_metrics() -> None:
    """By provider, model and direction."""
    before = tokens_in()
    async with client(ScriptedModel(Answer("x", input_tokens=7, output_tokens=3))) as own:
        await own.generate("one")
        await own.generate("two")
        await own.generate("three", model="another")
    assert tokens_in() - before == 14


async def test_never_more_calls_than_the_limit_are_under_way_whoever_makes_them() -> None:
    model = ScriptedModel(Answer("x", delay_s=0.002))
    async with client(model, CallPolicy(limit=3)) as own:
        await asyncio.gather(
            *(own.generate("a") for _ in range(10)),
            *(own.token_logprobs("b") for _ in range(10)),
        )
    assert model.most_in_flight == 3


async def test_every_call_ends_with_an_answer_or_a_typed_error() -> None:
    model = FailingModel("YES", share=0.4, kinds=("server_error", "wrong_shape", "wrong_key"))
    async with client(model, CallPolicy(max_retries=1, backoff_jitter_max_s=0)) as own:
        ended = await asyncio.gather(
            *(own.generate("x", deadline_s=30) for _ in range(100)), return_exceptions=True
        )
    answers = [end for end in ended if isinstance(end, Completion)]
    errors = [end for end in ended if isinstance(end, BackendError)]
    assert len(answers) + len(errors) == 100
    assert answers
    assert errors


async def test_native_output_is_held_to_the_schema() -> None:
    model = ScriptedModel('{"answer": "NO"}')
    async with client(model) as own:
        answered = await own.generate_structured_native("Is it?", Verdict)
    assert answered.value == Verdict(answer="NO")
    assert model.asked[0].output_schema is not None
    assert "JSON" not in model.asked[0].prompt


async def test_native_output_has_no_quiet_fallback() -> None:
    """[S1] the judge must use the native path."""
    model = ScriptedModel('{"answer": "NO"}', native_schema=False)
    async with client(model) as own:
        with pytest.raises(BackendUnsupported) as caught:
            await own.generate_structured_native("Is it?", Verdict)
    assert caught.value.capability == "native_schema"
    assert model.asked == []


async def test_prompted_output_works_with_any_model() -> None:
    model = ScriptedModel('Of course:\n```json\n{"answer": "NO"}\n```', native_schema=False)
    async with client(model) as own:
        answered = await own.generate_structured("Is it?", Verdict)
    assert answered.value.answer == "NO"
    assert "JSON Schema" in model.asked[0].prompt


async def test_malformed_output_is_asked_for_again_and_never_guessed() -> None:
    async with client(ScriptedModel(in_order("maybe", '{"answer": "NO"}'))) as own:
        assert (await own.generate_structured_native("?", Verdict)).value.answer == "NO"
    model = ScriptedModel('{"answer": "PERHAPS"}')
    async with client(model) as own:
        with pytest.raises(BackendMalformed):
            await own.generate_structured_native("?", Verdict)
    assert len(model.asked) == 3


async def test_an_answer_cut_off_by_the_token_limit_is_malformed() -> None:
    async with client(ScriptedModel(Answer('{"answer": "NO"}', finish="length"))) as own:
        with pytest.raises(BackendMalformed, match=r"Raise llm\.max_output_tokens"):
            await own.generate_structured_native("?", Verdict)


async def test_a_model_that_declines_is_a_refusal_not_an_answer() -> None:
    async with client(ScriptedModel(Answer("", finish="refused"))) as own:
        with pytest.raises(BackendRefused, match="declined"):
            await own.generate("?")


async def test_logprobs_are_refused_where_there_are_none() -> None:
    async with client(ScriptedModel("YES", logprobs=False)) as own:
        with pytest.raises(BackendUnsupported, match="no log probabilities"):
            await own.token_logprobs("?")


async def test_a_stream_gives_its_pieces_then_the_whole() -> None:
    before = tokens_in()
    async with client(ScriptedModel("one two three")) as own:
        async with own.stream("?") as stream:
            pieces = [piece async for piece in stream]
            assert own.limiter.held == 1
        assert pieces == ["one", "two", "three"]
        assert stream.completion is not None
        assert stream.completion.text == "one two three"
        assert own.limiter.held == 0
        assert stream.completion.usage is not None
        assert tokens_in() == before + stream.completion.usage.input_tokens


async def test_the_beginning_of_a_stream_is_tried_again() -> None:
    model = ScriptedModel(in_order(Fault("overloaded"), "fine"))
    async with client(model) as own, own.stream("?") as stream:
        assert [piece async for piece in stream] == ["fine"]
    assert len(model.asked) == 2


async def test_leaving_a_stream_early_gives_its_place_back() -> None:
    async with client(ScriptedModel("one two three")) as own:
        async with own.stream("?") as stream:
            async for _ in stream:
                break
        assert stream.completion is None
        assert own.limiter.held == 0


async def test_an_error_in_the_readers_own_code_passes_through_a_stream() -> None:
    async def stumble(own: LLMClient) -> None:
        async with own.stream("?") as stream:
            async for _ in stream:
                raise ZeroDivisionError

    async with client(ScriptedModel("one two")) as own:
        with pytest.raises(ZeroDivisionError):
            await stumble(own)
        assert own.limiter.held == 0


async def test_a_slow_stream_ends_with_the_deadline() -> None:
    async with client(ScriptedModel(Answer("late", delay_s=60))) as own:
        with pytest.raises(BackendTimeout):
            async with own.stream("?", deadline_s=0.02):
                pass
        assert own.limiter.held == 0


async def test_one_client_serves_event_loops_one_after_another() -> None:
    own = client(ScriptedModel("YES"))

    def in_a_loop_of_its_own() -> str:
        return asyncio.run(own.generate("?")).text

    assert await asyncio.to_thread(in_a_loop_of_its_own) == "YES"
    assert await asyncio.to_thread(in_a_loop_of_its_own) == "YES"


class Spans:
    """A tracer that remembers."""

    def __init__(self) -> None:
        self.attributes: list[dict[str, Any]] = []

    def get_tracer(self, *_: Any, **__: Any) -> "Spans":
        return self

    @contextmanager
    def start_as_current_span(self, name: str, attributes: dict[str, Any]) -> Iterator["Spans"]:
        self.attributes.append({"name": name, **attributes})
        yield self

    def set_attribute(self, name: str, value: Any) -> None:
        self.attributes[-1][name] = value


async def test_every_call_is_a_span_with_model_and_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = Spans()
    monkeypatch.setattr(trace, "get_tracer", spans.get_tracer)
    async with client(ScriptedModel(Answer("x", input_tokens=7, output_tokens=3))) as own:
        await own.generate("?")
    assert spans.attributes == [
        {
            "name": "llm.call",
            "gen_ai.provider.name": "scripted",
            "gen_ai.request.model": "scripted-model",
            "gen_ai.response.finish_reasons": ("stop",),
            "gen_ai.usage.input_tokens": 7,
            "gen_ai.usage.output_tokens": 3,
        }
    ]


def capable(asked: Asked) -> Reply:
    return Answer(json.dumps({"answer": "YES"})) if asked.output_schema else Answer("YES")


async def test_a_probe_finds_out_what_a_model_can_do() -> None:
    async with client(ScriptedModel(capable)) as own:
        found = await probe(own)
    assert (found.answers, found.logprobs, found.native_schema) == ("yes", "yes", "yes")
    assert found.estimation == "logprobs"
    assert found.problem is None


async def test_a_probe_tells_missing_from_failed() -> None:
    async with client(ScriptedModel("YES", logprobs=False)) as own:
        found = await probe(own)
    assert (found.answers, found.logprobs, found.native_schema) == ("yes", "no", "failed")
    assert found.estimation == "sampling"
    assert found.problem is not None


async def test_a_probe_of_a_model_that_cannot_be_used_says_why() -> None:
    async with client(ScriptedModel(Fault("unknown_model"))) as own:
        found = await probe(own)
    assert found.answers == "failed"
    assert found.estimation == "none"
    assert "does not know the model" in str(found.problem)
