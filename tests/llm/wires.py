"""What must hold on every provider's wire; each provider's test file runs it with the real SDK."""

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendRefused,
    BackendTimeout,
    BackendUnavailable,
    BackendUnsupported,
)
from groundwire.llm import BackendBrokeOff, BackendUnreachable, CallPolicy, LLMClient, Provider
from groundwire.testing import Answer, Asked, Fault, FaultKind, LoopbackServer, Reply

KEY = "a-key-that-looks-like-nothing"
ONCE = CallPolicy(max_retries=0, deadline_s=20)


class Verdict(BaseModel):
    answer: Literal["YES", "NO"]
    note: str | None


def helpful(asked: Asked) -> Reply:
    if asked.output_schema:
        return Answer('{"answer": "YES", "note": null}')
    return Answer("YES it is", logprobs=({"YES": -0.1, "NO": -3.0},), input_tokens=9)


async def read_all(client: LLMClient) -> list[str]:
    async with client.stream("Is it?") as stream:
        return [piece async for piece in stream]


FAULTS: list[tuple[FaultKind, type[BackendError], str]] = [
    ("rate_limited", BackendRateLimited, "is limiting our rate"),
    ("no_credit", BackendRefused, "may not spend more"),
    ("server_error", BackendUnavailable, "could not answer (500)"),
    ("overloaded", BackendUnavailable, "could not answer"),
    ("wrong_key", BackendRefused, "refused the API key"),
    ("unknown_model", BackendRefused, "does not know the model 'a-model'"),
    ("too_long", BackendRefused, "Lower llm.context_words"),
    ("redirect", BackendRefused, "another address"),
    ("reset", BackendBrokeOff, "broke off"),
    ("truncated", BackendBrokeOff, "broke off"),
    ("not_json", BackendMalformed, "not"),
    ("broken_json", BackendMalformed, "not"),
    ("wrong_shape", BackendMalformed, "not"),
]


class WireContract:
    """Subclasses name the server and the provider."""

    server: type[LoopbackServer]
    provider: Callable[..., Provider]
    gives_logprobs = True

    def connect(self, server: LoopbackServer, policy: CallPolicy = ONCE, **more: Any) -> LLMClient:
        provider = type(self).provider(
            "a-model", **{"base_url": server.base_url, "api_key": KEY, **more}
        )
        return LLMClient(provider, policy=policy)

    async def test_text_comes_back_with_its_use(self) -> None:
        with self.server(helpful, key=KEY) as server:
            async with self.connect(server) as client:
                completion = await client.generate("Is it?", system="Be brief.", max_tokens=33)
        assert completion.text == "YES it is"
        assert completion.finish == "stop"
        assert completion.usage is not None
        assert completion.usage.input_tokens == 9
        asked = server.asked[0]
        assert (asked.prompt, asked.system, asked.model) == ("Is it?", "Be brief.", "a-model")
        assert asked.max_tokens == 33

    async def test_the_providers_own_schema_mode_is_used(self) -> None:
        with self.server(helpful, key=KEY) as server:
            async with self.connect(server) as client:
                answered = await client.generate_structured_native("Is it?", Verdict)
                assert client.capabilities().native_schema is True
        assert answered.value == Verdict(answer="YES", note=None)
        schema = server.asked[0].output_schema
        assert schema is not None
        assert schema["required"] == ["answer", "note"]

    async def test_log_probabilities_come_as_the_model_gave_them(self) -> None:
        with self.server(helpful, key=KEY) as server:
            async with self.connect(server) as client:
                if not self.gives_logprobs:
                    with pytest.raises(BackendUnsupported):
                        await client.token_logprobs("Is it?")
                    return
                completion = await client.token_logprobs("Is it?", top=5)
                assert client.capabilities().logprobs is True
        assert completion.logprobs is not None
        assert dict(completion.logprobs[0].top) == {"YES": -0.1, "NO": -3.0}
        assert server.asked[0].top_logprobs == 5

    async def test_a_stream_arrives_whole(self) -> None:
        with self.server(helpful, key=KEY) as server:
            async with self.connect(server) as client, client.stream("Is it?") as stream:
                pieces = [piece async for piece in stream]
        assert stream.completion is not None
        assert "".join(pieces) == stream.completion.text
        assert stream.completion.text.strip() == "YES it is"
        assert stream.completion.usage is not None
        assert stream.completion.usage.tokens == 11

    @pytest.mark.parametrize(("kind", "error", "words"), FAULTS)
    async def test_every_fault_is_a_typed_error_in_one_sentence(
        self, kind: FaultKind, error: type[BackendError], words: str
    ) -> None:
        with self.server(Fault(kind)) as server:
            async with self.connect(server) as client:
                with pytest.raises(error) as caught:
                    await client.generate("Is it?")
        assert words in str(caught.value)
        assert KEY not in repr(caught.value) + str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(("kind", "error", "_words"), FAULTS)
    async def test_a_stream_fails_the_same_way(
        self, kind: FaultKind, error: type[BackendError], _words: str
    ) -> None:
        with self.server(Fault(kind)) as server:
            async with self.connect(server) as client:
                with pytest.raises(error):
                    await read_all(client)
                assert client.limiter.held == 0

    async def test_the_time_a_server_names_is_known(self) -> None:
        with self.server(Fault("rate_limited", retry_after_s=17)) as server:
            async with self.connect(server) as client:
                with pytest.raises(BackendRateLimited) as caught:
                    await client.generate("Is it?")
        assert caught.value.retry_after_s == 17

    async def test_the_sdk_makes_no_attempts_of_its_own(self) -> None:
        with self.server(Fault("overloaded")) as server:
            async with self.connect(server) as client:
                with pytest.raises(BackendUnavailable):
                    await client.generate("Is it?")
        assert len(server.asked) == 1

    async def test_a_redirect_is_not_followed_with_the_key(self) -> None:
        seen: list[bytes] = []

        def listen(listener: socket.socket) -> None:
            try:
                connection, _ = listener.accept()
                with connection:
                    seen.append(connection.recv(1000))
            except OSError:
                return

        with socket.create_server(("127.0.0.2", 0)) as listener:
            listener.settimeout(0.3)
            watcher = threading.Thread(target=listen, args=(listener,))
            watcher.start()
            with self.server(Fault("redirect")) as server:
                server.redirect_to = f"http://127.0.0.2:{listener.getsockname()[1]}/"
                async with self.connect(server) as client:
                    with pytest.raises(BackendRefused):
                        await client.generate("Is it?")
            await asyncio.to_thread(watcher.join)
        assert seen == []

    async def test_nobody_listening_is_said_so(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        provider = type(self).provider("a-model", base_url=f"http://127.0.0.1:{port}", api_key=KEY)
        async with LLMClient(provider, policy=ONCE) as client:
            with pytest.raises(BackendUnreachable, match=r"llm\.base_url"):
                await client.generate("Is it?")

    async def test_a_server_that_hangs_is_left_in_time(self) -> None:
        with self.server(Answer("late", delay_s=1)) as server:
            async with self.connect(server) as client:
                with pytest.raises(BackendTimeout):
                    await client.generate("Is it?", deadline_s=0.05)
                assert client.limiter.held == 0

    async def test_no_key_is_needed_where_the_server_wants_none(self) -> None:
        with self.server("YES") as server:
            async with self.connect(server, api_key=None) as client:
                assert (await client.generate("Is it?")).text == "YES"

    async def test_a_missing_schema_mode_is_noticed_and_remembered(self) -> None:
        with self.server(Fault("no_schema")) as server:
            async with self.connect(server) as client:
                for _ in range(2):
                    with pytest.raises(BackendUnsupported):
                        await client.generate_structured_native("Is it?", Verdict)
                assert client.capabilities().native_schema is False
        assert len(server.asked) == 1

    async def test_one_client_can_be_used_from_event_loop_to_event_loop(self) -> None:
        with self.server("YES") as server:
            client = self.connect(server)

            async def once() -> str:
                try:
                    return (await client.generate("Is it?")).text
                finally:
                    await client.aclose()

            for _ in range(2):
                assert await asyncio.to_thread(lambda: asyncio.run(once())) == "YES"

    async def test_an_endless_answer_is_cut_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("groundwire.llm._http.MAX_ANSWER_BYTES", 10_000)
        with self.server("x" * 20_000) as server:
            async with self.connect(server) as client:
                with pytest.raises(BackendMalformed, match="more than"):
                    await client.generate("Is it?")

    async def test_a_refusal_of_the_model_is_not_an_answer(self) -> None:
        with self.server(Answer("", finish="refused")) as server:
            async with self.connect(server) as client:
                with pytest.raises(BackendRefused, match="declined"):
                    await client.generate("Is it?")
