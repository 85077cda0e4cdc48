"""Google's Gemini API, with its own schema mode [S1 step 1]."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from groundwire.errors import BackendError, BackendRefused
from groundwire.llm._faults import Place, broke_off, from_status, not_readable, retry_after
from groundwire.llm._http import SDKProvider, from_transport, hosted, http_client
from groundwire.llm._types import Call, Capabilities, Completion, Finish, TokenPosition, Usage

_STOPPED_BY_FILTER = {
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "LANGUAGE",
}


class _Connection(NamedTuple):
    sdk: Any
    http: Any


class GeminiProvider(SDKProvider):
    name = "gemini"
    own_address = "https://generativelanguage.googleapis.com"
    sdk = "google.genai"
    declared = Capabilities(logprobs=None, native_schema=True, max_top_logprobs=20)

    async def complete(self, call: Call) -> Completion:
        place = self._at(call)
        response = await self._send(call, stream=False)
        try:
            completion = _read(response, call)
        except (AttributeError, TypeError, IndexError, ValueError) as error:
            raise not_readable(place, error) from None
        if call.top_logprobs:
            if not completion.logprobs:
                raise self._negotiation.missing(place, "logprobs")
            self._negotiation.learn(call.model, "logprobs", offered=True)
        return completion

    async def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]:
        source = await self._send(call, stream=True)
        import httpx2
        from google.genai import errors

        place = self._at(call)
        pieces: list[str] = []
        last: Completion | None = None
        try:
            async for chunk in source:
                part = _read(chunk, call)
                if part.text:
                    pieces.append(part.text)
                    yield part.text
                if chunk.candidates and chunk.candidates[0].finish_reason:
                    last = part
        except httpx2.HTTPError as error:
            raise from_transport(place, error) from None
        except errors.APIError as error:
            raise _failure(place, error) from None
        except (AttributeError, TypeError, IndexError, ValueError) as error:
            raise not_readable(place, error) from None
        if last is None:
            raise broke_off(place, "the stream ended without a finish reason")
        yield replace(last, text="".join(pieces))

    async def _send(self, call: Call, *, stream: bool) -> Any:
        models = (await self._clients.get()).sdk.aio.models
        import httpx2
        from google.genai import errors

        place = self._at(call)
        method = models.generate_content_stream if stream else models.generate_content
        while True:
            arguments = self._arguments(call)
            try:
                return await method(
                    model=call.model, contents=call.prompt, config=_spelled(arguments)
                )
            except errors.APIError as error:
                if error.code == 400 and self._negotiation.give_way(  # noqa: PLR2004
                    place, str(error.message), arguments
                ):
                    continue
                raise _failure(place, error) from None
            except httpx2.HTTPError as error:
                raise from_transport(place, error) from None
            except ValueError as error:
                raise not_readable(place, error) from None

    def _arguments(self, call: Call) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "system_instruction": call.system,
            "max_output_tokens": call.max_tokens,
            "temperature": call.temperature,
            "output_schema": call.output_schema,
            "logprobs": call.top_logprobs or None,
            "thinking": self._thinking(call),
        }
        return self._accepted(call, arguments)

    def _thinking(self, call: Call) -> dict[str, Any] | None:
        if self._reasoning_effort is not None:
            return {"thinking_level": self._reasoning_effort}
        return {"thinking_budget": 0} if call.thinking is False else None

    def _connect(self) -> _Connection:
        from google import genai

        http = http_client(self._address)
        sdk = genai.Client(
            api_key=self._api_key or "none",
            vertexai=False,
            http_options={"base_url": self._address, "httpx_async_client": http},
        )
        return _Connection(sdk, http)

    async def _disconnect(self, client: _Connection) -> None:
        """The SDK leaves an HTTP client that it was given to its giver."""
        await client.http.aclose()
        client.sdk.close()


def _spelled(arguments: Mapping[str, Any]) -> dict[str, Any]:
    spelled = dict(arguments)
    schema = spelled.pop("output_schema", None)
    if schema is not None:
        spelled |= {"response_mime_type": "application/json", "response_schema": _plain(schema)}
    top = spelled.pop("logprobs", None)
    if top is not None:
        spelled |= {"response_logprobs": True, "logprobs": top}
    thinking = spelled.pop("thinking", None)
    if thinking is not None:
        spelled["thinking_config"] = thinking
    return spelled


def _plain(schema: Any) -> Any:
    """Gemini's schemas close themselves: the word for it is not known there."""
    if isinstance(schema, Mapping):
        return {
            word: _plain(part) for word, part in schema.items() if word != "additionalProperties"
        }
    return [_plain(part) for part in schema] if isinstance(schema, list) else schema


def _read(response: Any, call: Call) -> Completion:
    feedback = response.prompt_feedback
    if not response.candidates and feedback is not None and feedback.block_reason:
        raise BackendRefused(
            f"The provider's filter stopped the question ({feedback.block_reason.value}).",
            hint="Ask another model.",
        )
    candidate = response.candidates[0]
    parts = candidate.content.parts if candidate.content else None
    counted = response.usage_metadata
    return Completion(
        text="".join(part.text or "" for part in parts or () if not part.thought),
        model=response.model_version or call.model,
        finish=_finish(candidate.finish_reason.value if candidate.finish_reason else ""),
        usage=None if counted is None else _usage(counted),
        logprobs=_logprobs(candidate.logprobs_result),
    )


def _finish(reason: str) -> Finish:
    if reason in _STOPPED_BY_FILTER:
        return "refused"
    return "length" if reason == "MAX_TOKENS" else "stop"


def _usage(counted: Any) -> Usage:
    written = (counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0)
    return Usage(counted.prompt_token_count or 0, written)


def _logprobs(result: Any) -> tuple[TokenPosition, ...] | None:
    if result is None or not result.top_candidates:
        return None
    chosen = result.chosen_candidates or []
    return tuple(
        TokenPosition(
            (chosen[place].token if place < len(chosen) else "") or "",
            tuple(
                (other.token or "", float(other.log_probability or 0.0))
                for other in position.candidates or ()
                if other.log_probability is not None
            ),
        )
        for place, position in enumerate(result.top_candidates)
    )


def _failure(place: Place, error: Any) -> BackendError:
    details = _details(error.details)
    reasons = " ".join(str(detail.get("reason", "")) for detail in details)
    status = 401 if "API_KEY" in reasons else int(error.code)
    headers = error.response.headers if error.response is not None else {}
    delays = (_seconds(detail.get("retryDelay")) for detail in details)
    waits = [wait for wait in (retry_after(headers), *delays) if wait is not None]
    return from_status(
        place,
        status,
        code=f"{error.status or ''} {reasons}",
        words=str(error.message or ""),
        retry_after_s=max(waits, default=None),
    )


def _details(body: Any) -> list[Mapping[str, Any]]:
    error = body.get("error", body) if isinstance(body, Mapping) else {}
    details = error.get("details", []) if isinstance(error, Mapping) else []
    return [detail for detail in details if isinstance(detail, Mapping)]


def _seconds(delay: Any) -> float | None:
    """A protobuf duration in JSON, as in "34.5s"."""
    try:
        return float(str(delay).removesuffix("s")) if delay else None
    except ValueError:
        return None


KIND = hosted("gemini", GeminiProvider, key_variable="GEMINI_API_KEY")
