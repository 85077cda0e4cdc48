"""HTTP as all providers use it: one connection pool per event loop, bounded, no redirects."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from groundwire.config import is_loopback
from groundwire.errors import (
    BackendError,
    BackendTimeout,
    BackendUnsupported,
    GroundwireError,
    MissingExtra,
)
from groundwire.llm._client import LLMClient
from groundwire.llm._faults import Place, broke_off, not_readable, unreachable

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
    answers: Finding
    logprobs: Finding
    native_schema: Finding
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
    found = Probe(
        provider=client.provider.name,
        model=client.model,
        answers="failed",
        logprobs="failed",
        native_schema="failed",
    )
    question = "Is water wet? Answer YES or NO."
    started = time.perf_counter()
    try:
        await client.generate(question, max_tokens=16, thinking=False, deadline_s=deadline_s)
    except GroundwireError as error:
        return found.model_copy(update={"problem": str(error)})
    found.answers = "yes"
    found.latency_ms = round((time.perf_counter() - started) * 1000, 1)
    try:
        await client.token_logprobs(question, max_tokens=4, thinking=False, deadline_s=deadline_s)
        found.logprobs = "yes"
    except GroundwireError as error:
        _note(found, "logprobs", error)
    try:
        await client.generate_structured_native(
            question, _Word, thinking=False, deadline_s=deadline_s
        )
        found.native_schema = "yes"
    except GroundwireError as error:
        _note(found, "native_schema", error)
    return found


def _note(found: Probe, capability: str, error: GroundwireError) -> None:
    missing = isinstance(error, BackendUnsupported)
    setattr(found, capability, "no" if missing else "failed")
    if not missing:
        found.problem = found.problem or str(error)
