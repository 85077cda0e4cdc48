"""Anthropic's Messages API. It gives no log probabilities and, by now, takes no temperature."""

from collections.abc import AsyncGenerator, Mapping
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
from groundwire.llm._types import Call, Capabilities, Completion, Finish, Usage

_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class AnthropicProvider(SDKProvider):
    name = "anthropic"
    own_address = "https://api.anthropic.com"
    sdk = "anthropic"
    declared = Capabilities(logprobs=False, native_schema=None)

    async def complete(self, call: Call) -> Completion:
        response = await self._send(call)
        try:
            counted = response.usage
            text = "".join(block.text for block in response.content if block.type == "text")
            completion = Completion(
                text=text,
                model=response.model or call.model,
                finish=_FINISHES.get(response.stop_reason, "stop"),
                usage=Usage(_input_tokens(counted), int(counted.output_tokens)),
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise not_readable(
                self._at(call), "it is not JSON" if isinstance(response, str) else error
            ) from None
        if call.output_schema is not None:
            self._negotiation.learn(call.model, "native_schema", offered=True)
        return completion

    async def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]:
        source = await self._send(call, stream=True)
        import httpx2
        from anthropic import APIConnectionError, APIError

        place = self._at(call)
        gathered = _Gathered(call.model)
        try:
            refuse_other_streams(place, source.response)
            async for event in source:
                piece = gathered.take(event)
                if piece:
                    yield piece
        except APIConnectionError as error:
            raise from_transport(place, error) from None
        except APIError as error:
            raise broke_off(place, error.message) from None
        except (AttributeError, TypeError, ValueError) as error:
            raise not_readable(place, error) from None
        except httpx2.HTTPError as error:  # let out of an open stream as it is
            raise from_transport(place, error) from None
        finally:
            await source.close()
        if not gathered.complete:
            raise broke_off(place, "the stream ended without message_stop")
        yield gathered.completion()

    async def _send(self, call: Call, **extra: Any) -> Any:
        client = await self._clients.get()
        from anthropic import APIConnectionError, APIStatusError

        place = self._at(call)
        while True:
            arguments = self._arguments(call)
            try:
                return await client.messages.create(
                    model=call.model,
                    max_tokens=call.max_tokens,
                    messages=[{"role": "user", "content": call.prompt}],
                    **_spelled(arguments),
                    **extra,
                )
            except APIStatusError as error:
                wording = error.api_message or error.message
                if error.status_code in (400, 422) and self._negotiation.give_way(
                    place, wording, arguments
                ):
                    continue
                raise _failure(place, error) from None
            except APIConnectionError as error:
                raise from_transport(place, error) from None
            except ValueError as error:
                raise not_readable(place, error) from None

    def _arguments(self, call: Call) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "system": call.system,
            "thinking": {"type": "disabled"} if call.thinking is False else None,
            "reasoning_effort": self._reasoning_effort,
            "output_schema": call.output_schema,
        }
        return self._accepted(call, arguments)

    def _connect(self) -> Any:
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(
            api_key=self._api_key or "none",
            base_url=self._address,
            max_retries=0,
            timeout=None,
            open_telemetry=False,
            http_client=http_client(self._address),
        )


class _Gathered:
    """A message as its events tell it."""

    def __init__(self, model: str) -> None:
        self.complete = False
        self._model = model
        self._pieces: list[str] = []
        self._stop_reason: str | None = None
        self._read = 0
        self._written = 0

    def take(self, event: Any) -> str | None:
        """The piece of text an event brings, if it does."""
        if event.type == "message_start":
            self._model = event.message.model
            self._read = _input_tokens(event.message.usage)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            self._pieces.append(event.delta.text)
            return self._pieces[-1]
        elif event.type == "message_delta":
            self._stop_reason = event.delta.stop_reason
            self._written = event.usage.output_tokens
        elif event.type == "message_stop":
            self.complete = True
        return None

    def completion(self) -> Completion:
        finish = _FINISHES.get(self._stop_reason or "", "stop")
        usage = Usage(self._read, self._written)
        return Completion("".join(self._pieces), self._model, finish, usage)


def _spelled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    spelled = dict(arguments)
    schema = spelled.pop("output_schema", None)
    effort = spelled.pop("reasoning_effort", None)
    output: dict[str, Any] = {}
    if schema is not None:
        output["format"] = {"type": "json_schema", "schema": dict(schema)}
    if effort is not None:
        output["effort"] = effort
    return {**spelled, "output_config": output} if output else spelled


def _input_tokens(counted: Any) -> int:
    """Tokens written to or read from the provider's prompt cache were read too."""
    cached = (counted.cache_creation_input_tokens or 0) + (counted.cache_read_input_tokens or 0)
    return int(counted.input_tokens) + cached


def _failure(place: Place, error: Any) -> BackendError:
    return from_status(
        place,
        error.status_code,
        code=f"{error.type or ''} {error.error_code or ''}",
        words=error.api_message or error.message,
        retry_after_s=retry_after(error.response.headers),
    )


KIND = hosted("anthropic", AnthropicProvider, key_variable="ANTHROPIC_API_KEY")
