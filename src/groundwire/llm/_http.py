"""HTTP as all providers use it: one connection pool per event loop, bounded, no redirects."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, SecretStr

from groundwire.config import Config, is_loopback
from groundwire.errors import (
    BackendError,
    BackendTimeout,
    BackendUnsupported,
    ConfigError,
    GroundwireError,
    MissingExtra,
)
from groundwire.llm._client import LLMClient
from groundwire.llm._faults import Place, broke_off, not_readable, unreachable
from groundwire.llm._types import Call, Capabilities, Negotiation, Provider, ProviderKind
from groundwire.observe import Log, keep_secret

if TYPE_CHECKING:
    import httpx2

CONNECT_TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 16_000_000

Pooled = TypeVar("Pooled")


class PerLoop(Generic[Pooled]):
    """Connections belong to the event loop that opened them, so each loop has its own client.

    `load` imports what `make` needs. An SDK takes seconds to import, which a thread spends while
    the event loop goes on and deadlines keep running.
    """

    def __init__(
        self,
        load: Callable[[], object],
        make: Callable[[], Pooled],
        close: Callable[[Pooled], Awaitable[None]],
    ) -> None:
        self._load = load
        self._make = make
        self._close = close
        self._made: dict[asyncio.AbstractEventLoop, Pooled] = {}
        self._lock = Lock()

    async def get(self) -> Pooled:
        loop = asyncio.get_running_loop()
        if loop not in self._made:
            await asyncio.to_thread(self._load)
        with self._lock:
            for other in [known for known in self._made if known.is_closed()]:
                del self._made[other]
            if loop not in self._made:
                self._made[loop] = self._make()
            return self._made[loop]

    async def aclose(self) -> None:
        with self._lock:
            pooled = self._made.pop(asyncio.get_running_loop(), None)
        if pooled is not None:
            await self._close(pooled)


def load_extra(module: str, extra: str) -> Callable[[], object]:
    """Imports an optional package, or says how to install it."""

    def load() -> object:
        try:
            return import_module(module)
        except ImportError as error:
            raise MissingExtra(extra, needed_for=f"The provider {extra}") from error

    return load


def http_client(address: str) -> "httpx2.AsyncClient":
    """Time is bounded by the caller, not here. Redirects could carry a key away: not followed."""
    import httpx2

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S),
        follow_redirects=False,
        trust_env=not is_loopback(address),  # a proxy cannot reach this machine's own servers
        event_hooks={"response": [_bound_answer]},
    )


async def _bound_answer(response: "httpx2.Response") -> None:
    response.stream = _bounded_stream(response.stream)


def _bounded_stream(stream: Any) -> Any:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            received = 0
            async for chunk in stream:
                received += len(chunk)
                if received > MAX_ANSWER_BYTES:
                    raise httpx2.DecodingError(f"more than {MAX_ANSWER_BYTES:,} bytes")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def refuse_other_streams(place: Place, response: "httpx2.Response") -> None:
    """A web page read as events would be a stream that says nothing."""
    if "event-stream" not in response.headers.get("content-type", ""):
        raise not_readable(place, "it is not a stream of events")


def from_transport(place: Place, error: BaseException) -> BackendError:
    """The error for a connection that failed, whatever the SDK wrapped around it."""
    import httpx2

    cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__ or error
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        return unreachable(place, str(cause))
    if isinstance(cause, httpx2.TimeoutException):
        return BackendTimeout(f"{place} did not answer in time.", hint="Raise llm.timeout.")
    if isinstance(cause, httpx2.DecodingError):
        return not_readable(place, str(cause))
    return broke_off(place, str(cause))


Finding = Literal["yes", "no", "failed"]


class _Word(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answer: Literal["YES", "NO"]


class Probe(BaseModel):
    """`problem` is the error of whatever failed first, ready to be shown."""

    provider: str
    model: str
    answers: Finding = "failed"
    logprobs: Finding = "failed"
    native_schema: Finding = "failed"
    latency_ms: float | None = None
    problem: str | None = None

    @property
    def estimation(self) -> str:
        """How the judge will get its probabilities from this model."""
        if self.answers != "yes":
            return "none"
        return "logprobs" if self.logprobs == "yes" else "sampling"


async def probe(client: LLMClient, *, deadline_s: float = 20.0) -> Probe:
    """Three tiny calls: one for text, one for log probabilities, one held to a schema."""
    found = Probe(provider=client.provider.name, model=client.model)
    question = "Is water wet? Answer YES or NO."
    started = time.perf_counter()
    try:
        await client.generate(question, max_tokens=16, thinking=False, deadline_s=deadline_s)
    except GroundwireError as error:
        return found.model_copy(update={"problem": str(error)})
    found.answers = "yes"
    found.latency_ms = round((time.perf_counter() - started) * 1000, 1)
    options: dict[str, Any] = {"thinking": False, "deadline_s": deadline_s}
    asked = client.token_logprobs(question, max_tokens=4, **options)
    found.logprobs = await _offered(asked, found)
    held = client.generate_structured_native(question, _Word, **options)
    found.native_schema = await _offered(held, found)
    return found


async def _offered(call: Awaitable[object], found: Probe) -> Finding:
    try:
        await call
    except BackendUnsupported:
        return "no"
    except GroundwireError as error:
        found.problem = found.problem or str(error)
        return "failed"
    return "yes"


journal = Log("llm")


class SDKProvider:
    """A subclass says which SDK it is over and connects to it."""

    name: str
    own_address: ClassVar[str]
    sdk: ClassVar[str]
    """The module to import, which the extra of the provider's name installs."""
    declared: ClassVar[Capabilities]

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        reasoning_effort: str | None = None,
        key_setting: str = "llm.api_key",
        model_setting: str = "llm.model",
    ) -> None:
        self.model = model
        self._address = base_url or self.own_address
        self._api_key = api_key
        keep_secret(api_key or "")
        self._reasoning_effort = reasoning_effort
        self._place = Place(
            self.name,
            model,
            self._address,
            has_key=bool(api_key),
            key_setting=key_setting,
            model_setting=model_setting,
        )
        self._negotiation = Negotiation(self.declared)
        self._clients: PerLoop[Any] = PerLoop(
            load_extra(self.sdk, self.name), self._connect, self._disconnect
        )

    def capabilities(self, model: str) -> Capabilities:
        return self._negotiation.capabilities(model)

    async def aclose(self) -> None:
        await self._clients.aclose()

    def _at(self, call: Call) -> Place:
        return replace(self._place, model=call.model)

    def _accepted(self, call: Call, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What is set of these, and was not refused before."""
        refused = self._negotiation.refused(call.model)
        return {n: v for n, v in arguments.items() if v is not None and n not in refused}

    def _connect(self) -> Any:
        raise NotImplementedError

    async def _disconnect(self, client: Any) -> None:
        await client.close()


def hosted(name: str, provider: Callable[..., Provider], *, key_variable: str) -> ProviderKind:
    """A provider at an address, which takes a key: its own variable, or `llm.api_key`."""

    def build(config: Config, model: str) -> Provider:
        own = name == config.llm.provider
        base_url = config.llm.base_url if own else None
        customary: SecretStr | None = getattr(config.llm.keys, name)
        key = reveal((config.llm.api_key if own else None) or customary)
        setting = f"{key_variable}{' or llm.api_key' if own else ''}"
        if key is None and base_url is None:
            raise ConfigError(f"The provider {name} needs an API key.", hint=f"Set {setting}.")
        if key is not None and (base_url or "").startswith("http:") and not is_loopback(base_url):
            journal.warn("llm_key_unencrypted", address=base_url)
        return provider(
            model,
            base_url=base_url,
            api_key=key,
            reasoning_effort=config.llm.reasoning_effort,
            key_setting=setting,
            model_setting="llm.model" if own else "llm.haiku_model",
        )

    return ProviderKind(build)


def reveal(key: SecretStr | None) -> str | None:
    """A key's value, which from now on is redacted wherever it would be written."""
    value = key.get_secret_value().strip() if key is not None else ""
    keep_secret(value)
    return value or None
