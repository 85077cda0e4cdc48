"""A program talks to its model through the proxy, unchanged, and what passes is verified."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.judge import Estimate, build_judge
from groundwire.serve import proxy_app
from groundwire.serve._server import address_of, listening, plain_server
from groundwire.testing import (
    Answer,
    AnthropicServer,
    ExternalJudgeServer,
    Fault,
    LoopbackServer,
    OpenAIServer,
    Responder,
    ResponsesServer,
    ToolUse,
    in_order,
)

KEY = "sk-a-key-that-is-nobodys-business"
CONTEXT = "The mast is 42 m high. It was built in 1974."
WRONG = "The mast is 40 m high."
RIGHT = "The mast is 42 m high."
QUESTION = "Describe the mast."


@cache
def embedded() -> Any:
    """The judge that comes with Groundwire, loaded once."""
    return build_judge("embedded", load_config(environ={}).config)


@contextmanager
def proxied(
    server: LoopbackServer, home: Path, judge: dict[str, str] | None = None, **settings: Any
) -> Iterator[str]:
    """The address of a proxy before a server."""
    named = {f"proxy.{name}": value for name, value in settings.items()}
    upstream = server.base_url.removesuffix("/v1")
    overrides = {"home": home, "proxy.upstream": upstream, "proxy.port": 0, **named}
    overrides = {"proxy.budget": "60s", **overrides, **(judge or {})}
    config = load_config(environ={}, overrides=overrides, directory=home.parent).config
    place = config.serve.model_copy(update={"port": 0})
    engine_of = Engine(config, judge=None if judge else embedded())
    with server, engine_of as engine, listening(place) as opened:
        opened.listen()
        running = plain_server(proxy_app(engine), place)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield address_of(opened)
        finally:
            running.should_exit = True
            thread.join()


def messages() -> Any:
    return [{"role": "system", "content": CONTEXT}, {"role": "user", "content": QUESTION}]


@contextmanager
def chat(address: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{address}/v1", api_key=KEY, max_retries=0) as client:
        yield client


@contextmanager
def claude(address: str) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=address, api_key=KEY, max_retries=0) as client:
        yield client


class Talk:
    """The same question by each official client, and the same four things of its answer."""

    def __init__(self, address: str, wire: str) -> None:
        self._address = address
        self._wire = wire
        self.header = ""

    def ask(self, *, stream: bool) -> tuple[str, dict[str, Any]]:
        """The text, and the field."""
        told: tuple[str, dict[str, Any]]
        told = getattr(self, f"_{self._wire}{'_stream' if stream else ''}")()
        return told

    def _chat(self) -> tuple[str, dict[str, Any]]:
        with chat(self._address) as client:
            raw = client.chat.completions.with_raw_response.create(model="m", messages=messages())
        self.header = raw.headers["x-groundwire"]
        answer = raw.parse()
        return answer.choices[0].message.content or "", answer.model_extra["groundwire"]

    def _chat_stream(self) -> tuple[str, dict[str, Any]]:
        text = ""
        note: dict[str, Any] = {}
        with (
            chat(self._address) as client,
            client.chat.completions.create(model="m", messages=messages(), stream=True) as stream,
        ):
            for chunk in stream:
                text += "".join(choice.delta.content or "" for choice in chunk.choices)
                note = (chunk.model_extra or {}).get("groundwire") or note
        return text, note

    def _responses(self) -> tuple[str, dict[str, Any]]:
        with chat(self._address) as client:
            answer = client.responses.create(model="m", instructions=CONTEXT, input=QUESTION)
        return answer.output_text, answer.model_extra["groundwire"]

    def _responses_stream(self) -> tuple[str, dict[str, Any]]:
        text = ""
        note: dict[str, Any] = {}
        asked = {"model": "m", "instructions": CONTEXT, "input": QUESTION, "stream": True}
        with chat(self._address) as client, client.responses.create(**asked) as stream:
            for event in stream:
                if event.type == "response.output_text.delta":
                    text += event.delta
                elif event.type == "response.completed":
                    assert event.response.output_text == text
                    note = event.response.model_extra["groundwire"]
        return text, note

    def _messages(self) -> tuple[str, dict[str, Any]]:
        asked = {"model": "m", "max_tokens": 99, "system": CONTEXT, "messages": messages()[1:]}
        with claude(self._address) as client:
            answer = client.messages.create(**asked)
        text = "\n".join(block.text for block in answer.content if block.type == "text")
        return text, answer.model_extra["groundwire"]

    def _messages_stream(self) -> tuple[str, dict[str, Any]]:
        asked = {"model": "m", "max_tokens": 99, "system": CONTEXT, "messages": messages()[1:]}
        note: dict[str, Any] = {}
        with claude(self._address) as client, client.messages.stream(**asked) as stream:
            for event in stream:
                if event.type == "message_delta":
                    note = event.model_extra["groundwire"]
            final = stream.get_final_message()
        return "\n".join(block.text for block in final.content if block.type == "text"), note


SERVERS = {"chat": OpenAIServer, "responses": ResponsesServer, "messages": AnthropicServer}
WIRES = [(wire, stream) for wire in SERVERS for stream in (False, True)]
each_wire = pytest.mark.parametrize(("wire", "stream"), WIRES)


@each_wire
def test_what_does_not_stand_is_told_in_a_field(wire: str, stream: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """By the official clients: the text is the model's, the field says what is wrong with it."""
    server = SERVERS[wire](f"{WRONG} It was built in 1974.", key=KEY)
    with proxied(server, tmp_path) as address:
        talk = Talk(address, wire)
        text, note = talk.ask(stream=stream)
    assert text.strip() == f"{WRONG} It was built in 1974."
    assert (note["claims"], note["contradicted"], note["grounded"]) == (2, 1, 1)
    assert note["notes"][0]["quote"] == RIGHT
    if talk.header:
        assert talk.header.startswith("checked; claims=2; grounded=1")


@each_wire
def test_marks_stand_at_the_end_of_the_text(wire: str, stream: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Where marks are wanted, and only where something is wrong."""
    server = SERVERS[wire](in_order(WRONG, RIGHT))
    with proxied(server, tmp_path, mode="mark") as address:
        marked, _ = Talk(address, wire).ask(stream=stream)
        right, note = Talk(address, wire).ask(stream=stream)
    assert marked.startswith(WRONG)
    assert "[groundwire]" in marked
    assert "42 m" in marked
    assert right.strip() == RIGHT
    assert note["grounded"] == 1


@each_wire
def test_the_model_is_asked_once_to_correct_itself(
    wire: str,
    stream: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """It is told what is wrong and what shows it; the better of two answers passes."""
    server = SERVERS[wire](in_order(WRONG, RIGHT))
    with proxied(server, tmp_path, mode="correct") as address:
        text, note = Talk(address, wire).ask(stream=stream)
    assert text.strip() == RIGHT
    assert note["corrected_from"]["contradicted"] == 1
    assert len(server.asked) == 2
    assert "do not stand" in server.asked[1].prompt
    assert RIGHT in server.asked[1].prompt


@pytest.mark.parametrize("second", [WRONG, Answer(""), Fault("overloaded"), Fault("reset")])
def test_a_second_answer_that_is_no_better_is_dropped(second: Any, tmp_path: Path) -> None:
    """The first passes, annotated; nobody asks a third time."""
    server = OpenAIServer(in_order(WRONG, second))
    with proxied(server, tmp_path, mode="correct") as address:
        text, note = Talk(address, "chat").ask(stream=False)
    assert text == WRONG
    assert "corrected_from" not in note
    assert len(server.asked) == 2


@contextmanager
def judged_by(reply: Answer | Fault) -> Iterator[dict[str, str]]:
    """Settings of a judge elsewhere that takes its time, or fails."""
    with ExternalJudgeServer(lambda *_: Estimate(p=0.9), faults=lambda _: reply) as server:
        yield {"hallucination.backend.type": "external", "external.url": server.base_url}


@each_wire
def test_a_slow_judge_delays_nothing_past_the_budget(
    wire: str,
    stream: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """The answer passes as it is, and says that it was not checked, and why."""
    with (
        judged_by(Answer(delay_s=20)) as judge,
        proxied(SERVERS[wire](WRONG), tmp_path, judge=judge, budget="300ms") as address,
    ):
        started = time.monotonic()
        text, note = Talk(address, wire).ask(stream=stream)
        took_s = time.monotonic() - started
    assert took_s < 10
    assert text.strip() == WRONG
    assert note["skipped"] == "budget"


@pytest.mark.parametrize("stream", [False, True])
def test_a_judge_that_fails_is_told(stream: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Nothing is refused for it, and nothing is called grounded."""
    with (
        judged_by(Fault("wrong_key")) as judge,
        proxied(OpenAIServer("The mast is painted red."), tmp_path, judge=judge) as address,
    ):
        text, note = Talk(address, "chat").ask(stream=stream)
    assert text.strip() == "The mast is painted red."
    assert note["grounded"] == 0
    assert note.get("skipped") or note["unverifiable"] == note["claims"]


def raw_post(address: str, body: Any, path: str = "/v1/chat/completions") -> httpx2.Response:
    headers = {"Authorization": f"Bearer {KEY}", "X-Mine": "yes"}
    return httpx2.post(f"{address}{path}", json=body, headers=headers, timeout=60)


class Recording(OpenAIServer):
    """Keeps the bodies it was sent, and answers with fields nobody knows."""

    def __init__(self, responder: Responder | str) -> None:
        super().__init__(responder)
        self.bodies: list[Any] = []

    def read(self, path: str, body: Any, headers: Any) -> Any:
        self.bodies.append((path, body))
        return super().read(path, body, headers)

    def write(self, asked: Any, answer: Any) -> Any:
        return {**super().write(asked, answer), "new": {"pi": 3.10, "big": 10**30}}


def test_unknown_fields_pass_both_ways(tmp_path: Path) -> None:
    """The request as it was sent, the answer with one field more; headers and key go through."""
    server = Recording(RIGHT)
    body = {"model": "m", "messages": messages(), "brand_new": [1, None, "ü"]}
    with proxied(server, tmp_path) as address:
        answer = raw_post(address, body)
    assert server.bodies == [("/v1/chat/completions", body)]
    assert server.asked[0].headers["x-mine"] == "yes"
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert '"new": {"pi": 3.1, "big": 1000000000000000000000000000000}' in answer.text
    assert answer.json()["groundwire"]["grounded"] == 1


@pytest.mark.parametrize("kind", ["rate_limited", "wrong_key", "server_error", "too_long"])
@pytest.mark.parametrize("mode", ["annotate", "mark", "correct", "off"])
def test_errors_of_the_service_pass_unchanged(kind: Any, mode: str, tmp_path: Path) -> None:
    """Status, body and Retry-After are the service's own."""
    fault = Fault(kind, retry_after_s=7)
    with OpenAIServer(fault) as bare:
        direct = raw_post(bare.base_url.removesuffix("/v1"), {"messages": messages()})
    with proxied(OpenAIServer(fault), tmp_path, mode=mode) as address:
        passed = raw_post(address, {"messages": messages()})
    assert (passed.status_code, passed.content) == (direct.status_code, direct.content)
    assert passed.headers["retry-after"] == "7"
    assert "x-groundwire" not in passed.headers


@pytest.mark.parametrize("kind", ["not_json", "broken_json", "wrong_shape"])
def test_answers_that_nobody_can_read_pass_unchanged(kind: Any, tmp_path: Path) -> None:
    """What is no answer of the wire is not ours to mend."""
    with OpenAIServer(Fault(kind)) as bare:
        direct = raw_post(bare.base_url.removesuffix("/v1"), {"messages": messages()})
    with proxied(OpenAIServer(Fault(kind)), tmp_path) as address:
        passed = raw_post(address, {"messages": messages()})
    assert passed.content == direct.content


def test_a_service_that_is_down_is_told_in_the_clients_words(tmp_path: Path) -> None:
    """The official clients raise their own error, with a sentence; the key is not in it."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        upstream = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with (
        proxied(OpenAIServer(), tmp_path, upstream=upstream) as address,
        chat(address) as client,
        pytest.raises(openai.InternalServerError, match="did not answer") as raised,
    ):
        client.chat.completions.create(model="m", messages=messages())
    assert KEY not in str(raised.value)


def test_a_stream_that_breaks_off_breaks_off(tmp_path: Path) -> None:
    """What came passes; no end is invented."""
    with (
        proxied(OpenAIServer(Fault("truncated")), tmp_path) as address,
        pytest.raises((openai.APIError, httpx2.TransportError)),
    ):
        Talk(address, "chat").ask(stream=True)


def test_calls_of_tools_pass(tmp_path: Path) -> None:
    """A model that calls a tool says nothing yet: no mark, no correction, no delay."""
    server = OpenAIServer(Answer(uses=(ToolUse("search", {"query": "mast"}),)))
    with proxied(server, tmp_path, mode="mark") as address, chat(address) as client:
        answer = client.chat.completions.create(model="m", messages=messages())
        stream = client.chat.completions.create(model="m", messages=messages(), stream=True)
        called = [
            call.function.name
            for chunk in stream
            for choice in chunk.choices
            for call in choice.delta.tool_calls or ()
            if call.function
        ]
    assert answer.choices[0].message.tool_calls is not None
    assert called == ["search"]


class TwoChoices(OpenAIServer):
    """Gives a wrong answer and a right one; in a stream the first ends long before the second."""

    def write(self, asked: Any, answer: Any) -> Any:
        whole = super().write(asked, answer)
        [first] = whole["choices"]
        second = {**first, "index": 1, "message": {"role": "assistant", "content": RIGHT}}
        return {**whole, "choices": [first, second]}

    def write_events(self, asked: Any, answer: Any) -> Iterator[str]:
        [*first, done] = super().write_events(asked, answer)
        [*second, _] = super().write_events(asked, Answer(RIGHT))
        yield from first
        yield from (one.replace('"index": 0', '"index": 1') for one in second)
        yield done


@pytest.mark.parametrize("mode", ["annotate", "mark", "correct"])
def test_of_several_choices_each_is_checked(mode: str, tmp_path: Path) -> None:
    """The field tells of each; marks stand where they belong, and no other is asked for."""
    server = TwoChoices(WRONG)
    asked: Any = {"model": "m", "messages": messages(), "n": 2}
    with proxied(server, tmp_path, mode=mode) as address, chat(address) as client:
        answer = client.chat.completions.create(**asked)
        with client.chat.completions.create(**asked, stream=True) as stream:
            chunks = list(stream)
    texts = [choice.message.content or "" for choice in answer.choices]
    assert ["[groundwire]" in text for text in texts] == [mode == "mark", False]
    streamed = ["", ""]
    for choice in (choice for chunk in chunks for choice in chunk.choices):
        streamed[choice.index] += choice.delta.content or ""
    assert [text.strip() for text in streamed] == [WRONG, RIGHT]
    [last] = [chunk.model_extra["groundwire"] for chunk in chunks if chunk.model_extra]
    for note in (answer.model_extra["groundwire"], last):
        assert (note["claims"], note["contradicted"], note["grounded"]) == (2, 1, 1)
        assert [one["contradicted"] for one in note["choices"]] == [1, 0]
        assert note["choices"][0]["notes"][0]["quote"] == RIGHT
    assert len(server.asked) == 2


def test_a_line_separator_in_an_event_is_text(tmp_path: Path) -> None:
    """Some servers send it as it is, and it ends no line of the stream."""

    class Separated(OpenAIServer):
        def write_events(self, asked: Any, answer: Any) -> Iterator[str]:
            for one in super().write_events(asked, answer):
                yield one.replace("\\u2028", "\u2028")

    with proxied(Separated(f"{RIGHT}\u2028 It was built in 1974."), tmp_path) as address:
        _, note = Talk(address, "chat").ask(stream=True)
    assert note["grounded"] == 2


def test_what_tools_returned_is_evidence_and_what_the_assistant_said_is_none(
    tmp_path: Path,
) -> None:
    """The conversation's own context decides."""
    earlier = [
        {"role": "assistant", "content": "The mast is 40 m high."},
        {"role": "tool", "tool_call_id": "c1", "content": CONTEXT},
        {"role": "user", "content": QUESTION},
    ]
    with proxied(OpenAIServer(WRONG), tmp_path) as address:
        note = raw_post(address, {"model": "m", "messages": earlier}).json()["groundwire"]
    assert note["contradicted"] == 1
    assert note["notes"][0]["source"].startswith("tool message")


def test_a_verdict_of_ours_is_no_evidence(tmp_path: Path) -> None:
    """It repeats the claim it was asked about, which shows nothing, whatever its prefix."""
    function = {"name": "mcp__groundwire__verify_claim", "arguments": "{}"}
    call = {"id": "c1", "type": "function", "function": function}
    earlier = [
        {"role": "user", "content": RIGHT},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": json.dumps({"claim": WRONG})},
    ]
    with proxied(OpenAIServer(WRONG), tmp_path) as address:
        note = raw_post(address, {"model": "m", "messages": earlier}).json()["groundwire"]
    assert note["contradicted"] == 1


def test_where_an_image_was_seen_silence_shows_nothing(tmp_path: Path) -> None:
    """What the model saw and we cannot read is named, and nothing is marked for being absent."""
    seen = [
        {"type": "text", "text": "The mast is 42 m high."},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    body = {"model": "m", "messages": [{"role": "user", "content": seen}]}
    server = OpenAIServer("The lighthouse on the island is painted red.")
    with proxied(server, tmp_path, mode="mark") as address:
        answer = raw_post(address, body).json()
    assert answer["groundwire"]["unread"] == ["image_url"]
    assert "[groundwire]" not in answer["choices"][0]["message"]["content"]


def test_json_answers_are_not_marked(tmp_path: Path) -> None:
    """A mark would break what a program reads."""
    body = {"model": "m", "messages": messages(), "response_format": {"type": "json_object"}}
    with proxied(OpenAIServer(json.dumps({"height": WRONG})), tmp_path, mode="mark") as address:
        answer = raw_post(address, body).json()
    assert json.loads(answer["choices"][0]["message"]["content"]) == {"height": WRONG}


def test_anything_else_passes(tmp_path: Path) -> None:
    """Other paths and methods reach the service, unverified; pages of sites do not."""
    server = Recording("[]")
    with proxied(server, tmp_path) as address:
        listed = httpx2.get(f"{address}/v1/models?limit=2")
        page = httpx2.get(f"{address}/v1/models", headers={"Origin": "https://elsewhere.example"})
        other = httpx2.get(f"{address}/v1/models", headers={"Host": "elsewhere.example:80"})
        large = httpx2.post(f"{address}/v1/files", content=b" " * 33_000_000)
    assert listed.status_code == 200
    assert [path for path, _ in server.bodies] == ["/v1/models?limit=2"]
    assert (page.status_code, other.status_code, large.status_code) == (403, 403, 413)


def test_off_passes_the_very_bytes(tmp_path: Path) -> None:
    """Nothing is read, nothing is added."""
    with OpenAIServer(WRONG) as bare:
        direct = raw_post(bare.base_url.removesuffix("/v1"), {"messages": messages()})
    with proxied(OpenAIServer(WRONG), tmp_path, mode="off") as address:
        passed = raw_post(address, {"messages": messages()})
    assert passed.content == direct.content
    assert "x-groundwire" not in passed.headers


def test_the_key_is_kept_nowhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Not in a log, nor in any file of the home directory."""
    with proxied(OpenAIServer(WRONG, key=KEY), tmp_path, mode="correct") as address:
        Talk(address, "chat").ask(stream=False)
    told = capfd.readouterr()
    assert KEY not in told.out + told.err
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
