"""Stand-ins for a provider, for tests that need no wire."""

import asyncio
import json
from collections.abc import AsyncGenerator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from groundwire.errors import BackendError, BackendUnavailable, BackendUnsupported
from groundwire.llm import (
    BackendBrokeOff,
    Call,
    Capabilities,
    Completion,
    Place,
    Provider,
    TokenPosition,
    Usage,
    from_status,
    not_readable,
)
from groundwire.testing._script import Answer, Asked, Fault, Reply, Responder, always, failing

_STATUS = {
    "rate_limited": 429,
    "no_credit": 402,
    "server_error": 500,
    "overloaded": 503,
    "wrong_key": 401,
    "unknown_model": 404,
    "too_long": 413,
    "redirect": 302,
}
_MISSING = {"no_logprobs": "logprobs", "no_schema": "native_schema"}


class ScriptedModel:
    """Replies as it is told, and remembers what it was asked."""

    name = "scripted"

    def __init__(
        self,
        responder: Responder | Reply | str,
        *,
        model: str = "scripted-model",
        logprobs: bool = True,
        native_schema: bool = True,
    ) -> None:
        self.model = model
        self.asked: list[Asked] = []
        self.most_in_flight = 0
        self._in_flight = 0
        self._responder = responder if callable(responder) else always(responder)
        self._capabilities = Capabilities(logprobs=logprobs, native_schema=native_schema)

    def capabilities(self, model: str) -> Capabilities:
        del model
        return self._capabilities

    async def aclose(self) -> None:
        """There is nothing to close."""

    async def complete(self, call: Call) -> Completion:
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            return _completion(call, await self._reply(call))
        finally:
            self._in_flight -= 1

    async def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]:
        completion = _completion(call, await self._reply(call))
        for word in completion.text.split(" "):
            yield word
        yield completion

    async def _reply(self, call: Call) -> Answer:
        asked = Asked(
            prompt=call.prompt,
            model=call.model,
            system=call.system,
            max_tokens=call.max_tokens,
            temperature=call.temperature,
            output_schema=call.output_schema,
            top_logprobs=call.top_logprobs,
        )
        self.asked.append(asked)
        reply = self._responder(asked)
        await asyncio.sleep(reply.delay_s)
        if isinstance(reply, Fault):
            raise _error(Place(self.name, call.model, "scripted", True, "a key"), reply)
        return reply


class FailingModel(ScriptedModel):
    """Fails a share of the calls on purpose, the same ones every time."""

    name = "failing"

    def __init__(self, answer: Responder | str, *, share: float, seed: int = 0, **how: Any) -> None:
        super().__init__(failing(answer, share=share, seed=seed, **how))


class ReplayingModel:
    """Answers from a file what was once answered for real.

    With `recording`, that provider is asked whatever the file does not hold, and the file grows:
    record once, then replay for ever without a network. Questions are kept as hashes.
    """

    name = "replaying"

    def __init__(self, file: Path, *, model: str, recording: Provider | None = None) -> None:
        self.model = model
        self._file = file
        self._recording = recording
        self._lock = Lock()
        self._known: dict[str, dict[str, Any]] = {}
        if file.exists():
            lines = file.read_text(encoding="utf-8").splitlines()
            self._known = {entry["call"]: entry for entry in map(json.loads, lines)}

    def capabilities(self, model: str) -> Capabilities:
        if self._recording is not None:
            return self._recording.capabilities(model)
        return Capabilities(logprobs=None, native_schema=None)

    async def aclose(self) -> None:
        if self._recording is not None:
            await self._recording.aclose()

    async def complete(self, call: Call) -> Completion:
        key = sha256(json.dumps(asdict(call), sort_keys=True).encode()).hexdigest()
        if key not in self._known:
            await self._record(key, call)
        return _remembered(self._known[key]["completion"])

    async def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]:
        completion = await self.complete(call)
        yield completion.text
        yield completion

    async def _record(self, key: str, call: Call) -> None:
        if self._recording is None:
            raise BackendUnavailable(
                f"{self._file} holds no answer to this question.", hint="Record it first."
            )
        completion = await self._recording.complete(call)
        entry = {"call": key, "completion": asdict(completion)}
        with self._lock, self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            self._known[key] = entry


def _remembered(fields: dict[str, Any]) -> Completion:
    usage, logprobs = fields["usage"], fields["logprobs"]
    return Completion(
        **{
            **fields,
            "usage": Usage(**usage) if usage else None,
            "logprobs": tuple(
                TokenPosition(place["token"], tuple((token, p) for token, p in place["top"]))
                for place in logprobs
            )
            if logprobs
            else None,
        }
    )


def _completion(call: Call, answer: Answer) -> Completion:
    logprobs = None
    if call.top_logprobs:
        logprobs = tuple(
            TokenPosition(token, tuple(top.items())) for token, top in positions(answer)
        )
    usage = Usage(answer.input_tokens, answer.output_tokens)
    return Completion(answer.text, call.model, answer.finish, usage, logprobs)


def positions(answer: Answer) -> list[tuple[str, dict[str, float]]]:
    """The answer's tokens with the alternatives to each."""
    if answer.logprobs is None:
        return [(answer.text, {answer.text: -0.001})]
    return [(max(top, key=lambda token: top[token]), dict(top)) for top in answer.logprobs]


def _error(place: Place, fault: Fault) -> BackendError:
    if fault.kind in _MISSING:
        return BackendUnsupported(
            f"The model {place.model!r} does not offer that.", capability=_MISSING[fault.kind]
        )
    if fault.kind in ("reset", "truncated"):
        return BackendBrokeOff(f"{place} broke off on purpose.")
    if fault.kind in _STATUS:
        return from_status(place, _STATUS[fault.kind], retry_after_s=fault.retry_after_s)
    return not_readable(place, "it is broken on purpose")
