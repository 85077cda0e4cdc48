"""OpenAI, and every server that speaks its chat format."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any

from groundwire.errors import BackendError
from groundwire.llm._faults import Place, broke_off, from_status, not_readable, retry_after
from groundwire.llm._http import (
    SDKProvider,
    from_transport,
    hosted,
    http_client,
    refuse_other_streams,
)
from groundwire.llm._types import Call, Capabilities, Completion, Finish, TokenPosition, Usage

_FINISHES: Mapping[str, Finish] = {"length": "length", "content_filter": "refused"}


class OpenAIProvider(SDKProvider):
    """The chat completions wire: OpenAI, Azure's v1 API, Ollama, vLLM, llama.cpp and others."""

    name = "openai"
    own_address = "https://api.openai.com/v1"
    sdk = "openai"
    declared = Capabilities(logprobs=None, native_schema=None, max_top_logprobs=20)

    async def complete(self, call: Call) -> Completion:
        response = await self._send(call)
        place = self._at(call)
        try:
            completion = _read(response, call)
        except (AttributeError, TypeError, IndexError, ValueError) as error:
            raise not_readable(
                place, "it is not JSON" if isinstance(response, str) else error
            ) from None
        self._learn(call, completion)
        return completion

    async def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]:
        source = await self._send(call, stream=True)
        from openai import APIConnectionError, APIError

        place = self._at(call)
        pieces: list[str] = []
        finish: str | None = None
        usage: Usage | None = None
        model = call.model
        try:
            refuse_other_streams(place, source.response)
            async for chunk in source:
                usage = _usage(chunk) or usage
                model = chunk.model or model
                for choice in chunk.choices or ():
                    finish = choice.finish_reason or finish
                    if choice.delta and choice.delta.content:
                        pieces.append(choice.delta.content)
                        yield choice.delta.content
        except APIConnectionError as error:
            raise from_transport(place, error) from None
        except APIError as error:
            raise broke_off(place, error.message) from None
        except (AttributeError, TypeError, ValueError) as error:
            raise not_readable(place, error) from None
        finally:
            await source.close()
        if finish is None:
            raise broke_off(place, "the stream ended without a finish reason")
        yield Completion("".join(pieces), model, _FINISHES.get(finish, "stop"), usage)

    async def _send(self, call: Call, *, stream: bool = False) -> Any:
        client = await self._clients.get()
        from openai import APIConnectionError, APIStatusError

        place = self._at(call)
        while True:
            arguments = self._arguments(call, stream=stream)
            try:
                return await client.chat.completions.create(
                    model=call.model, messages=_messages(call), **_spelled(arguments)
                )
            except APIStatusError as error:
                if error.status_code in (400, 422) and self._negotiation.give_way(
                    place, error.param or error.message, arguments
                ):
                    continue
                raise _failure(place, error) from None
            except APIConnectionError as error:
                raise from_transport(place, error) from None
            except ValueError as error:  # JSON by its header, but not by its body
                raise not_readable(place, error) from None

    def _arguments(self, call: Call, *, stream: bool) -> dict[str, Any]:
        """By our names; `_spelled` turns them into the wire's."""
        refused = self._negotiation.refused(call.model)
        own = self._address == self.own_address
        arguments: dict[str, Any] = {
            "max_completion_tokens" if own or "max_tokens" in refused else "max_tokens": (
                call.max_tokens
            ),
            "temperature": call.temperature,
            "reasoning_effort": self._reasoning_effort,
            "output_schema": call.output_schema,
            "logprobs": call.top_logprobs or None,
            "stream": stream or None,
            "stream_options": {"include_usage": True} if stream else None,
        }
        return self._accepted(call, arguments)

    def _learn(self, call: Call, completion: Completion) -> None:
        if call.output_schema is not None:
            self._negotiation.learn(call.model, "native_schema", offered=True)
        if call.top_logprobs:
            if not completion.logprobs:
                raise self._negotiation.missing(self._at(call), "logprobs")
            self._negotiation.learn(call.model, "logprobs", offered=True)

    def _move_to(self, address: str) -> None:
        self._address = address
        self._place = replace(self._place, address=address)

    def _connect(self) -> Any:
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=self._api_key or "none",
            base_url=self._address,
            max_retries=0,
            timeout=None,
            http_client=http_client(self._address),
        )


def _messages(call: Call) -> list[dict[str, str]]:
    system = [{"role": "system", "content": call.system}] if call.system else []
    return [*system, {"role": "user", "content": call.prompt}]


def _spelled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    spelled = dict(arguments)
    schema = spelled.pop("output_schema", None)
    if schema is not None:
        spelled["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
        }
    top = spelled.pop("logprobs", None)
    if top is not None:
        spelled |= {"logprobs": True, "top_logprobs": top}
    return spelled


def _read(response: Any, call: Call) -> Completion:
    choice = response.choices[0]
    refused = bool(getattr(choice.message, "refusal", None))
    return Completion(
        text=choice.message.content or "",
        model=response.model or call.model,
        finish="refused" if refused else _FINISHES.get(choice.finish_reason, "stop"),
        usage=_usage(response),
        logprobs=_logprobs(choice),
    )


def _usage(response: Any) -> Usage | None:
    counted = getattr(response, "usage", None)
    if counted is None:
        return None
    return Usage(int(counted.prompt_tokens), int(counted.completion_tokens))


def _logprobs(choice: Any) -> tuple[TokenPosition, ...] | None:
    content = choice.logprobs.content if choice.logprobs else None
    if not content:
        return None
    return tuple(
        TokenPosition(
            position.token,
            tuple((other.token, float(other.logprob)) for other in position.top_logprobs),
        )
        for position in content
    )


def _failure(place: Place, error: Any) -> BackendError:
    body = error.body if isinstance(error.body, dict) else {}
    code = f"{body.get('code') or ''} {body.get('type') or ''}"
    words = body.get("message") or error.message
    return from_status(
        place,
        error.status_code,
        code=code,
        words=str(words),
        retry_after_s=retry_after(error.response.headers),
    )


KIND = hosted("openai", OpenAIProvider, key_variable="OPENAI_API_KEY")
