"""llama.cpp inside this process: opening a GGUF file, and what would come after a text."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from groundwire.config import Config
from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRefused,
    ConfigError,
    MissingExtra,
)
from groundwire.llm._openai import OpenAIProvider
from groundwire.llm._types import ProviderKind
from groundwire.observe import keep_secret

_MAGIC = b"GGUF"
_KEPT_PROMPTS_MIB = 256
"""What prompts read earlier may take, in case they come again; llama.cpp's own limit is 8 GiB."""


def open_server(
    path: Path,
    *,
    context_tokens: int,
    parallel: int,
    threads: int,
    api_key: str,
    adapter: Path | None = None,
) -> Any:
    """A server for this model; it listens on an address of this machine that needs the key."""
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtra("gguf", needed_for="A local GGUF model") from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = context_tokens
    parameters.n_parallel = parallel
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.api_keys = [api_key]
    parameters.cache_ram_mib = _KEPT_PROMPTS_MIB
    parameters.warmup = False
    parameters.verbosity = -1
    if adapter is not None:
        parameters.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        changed = f" with the adapter {adapter}" if adapter else ""
        raise ConfigError(f"llama.cpp cannot load {path}{changed}: {error}") from error


def refuse_other_files(path: Path, *, setting: str) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(
            f"The model file {path} cannot be read: {error.strerror}.", hint=f"Set {setting}."
        ) from error
    if magic != _MAGIC:
        raise ConfigError(f"{path} is not a GGUF file.", hint=f"Set {setting} to one.")


class GGUFReader:
    """Reads a text and says what may come next. What two texts begin with alike is read once.

    Blocking, one text at a time; loaded at first use. `adapter` gives the adapter's file, which
    may have to be made first.
    """

    def __init__(
        self,
        path: Path,
        *,
        adapter: Callable[[], Path] | None = None,
        context_tokens: int = 4_096,
        threads: int = 2,
    ) -> None:
        self._path = path
        self._adapter = adapter
        self._context_tokens = context_tokens
        self._threads = threads
        self._server: Any = None
        self._lock = Lock()

    def load(self) -> None:
        with self._lock:
            self._loaded()

    def next_tokens(self, text: str, count: int) -> dict[str, float]:
        """The likeliest next tokens with their log probabilities."""
        request = {
            "prompt": text,
            "max_tokens": 1,
            "temperature": 0.0,
            "logprobs": count,
            "cache_prompt": True,
        }
        with self._lock:
            try:
                answer = self._loaded().handle_completions(request)
            except RuntimeError as error:
                raise BackendError(f"llama.cpp failed: {error}") from error
        return _read(answer)

    def close(self) -> None:
        with self._lock:
            self._server = None

    def _loaded(self) -> Any:
        if self._server is None:
            key = token_urlsafe(32)
            keep_secret(key)
            self._server = open_server(
                self._path,
                context_tokens=self._context_tokens,
                parallel=1,
                threads=self._threads,
                api_key=key,
                adapter=self._adapter() if self._adapter else None,
            )
        return self._server


def _read(answer: dict[str, Any]) -> dict[str, float]:
    if "error" in answer:
        raise BackendRefused(f"llama.cpp refused a text: {answer['error'].get('message', '')}")
    try:
        listed = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        return {str(one["token"]): float(one["logprob"]) for one in reversed(listed)}
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise BackendMalformed("llama.cpp gave no log probabilities.") from error


class GGUFProvider(OpenAIProvider):
    """llama.cpp's own server speaks the OpenAI wire, log probabilities and grammars included."""

    name = "gguf"

    def __init__(self, path: Path, *, context_tokens: int, parallel: int, threads: int) -> None:
        refuse_other_files(path, setting="llm.model")
        self._key = token_urlsafe(32)
        super().__init__(path.name, base_url="http://127.0.0.1", api_key=self._key)
        self._path = path
        self._context_tokens = context_tokens
        self._parallel = parallel
        self._threads = threads
        self._server: Any = None
        self._loading = Lock()

    async def aclose(self) -> None:
        await super().aclose()
        with self._loading:
            self._server = None

    async def _send(self, call: Any, *, stream: bool = False) -> Any:
        if self._server is None:
            await asyncio.to_thread(self._load)
        return await super()._send(call, stream=stream)

    def _load(self) -> None:
        with self._loading:
            if self._server is None:
                self._server = open_server(
                    self._path,
                    context_tokens=self._context_tokens * self._parallel,  # shared by the slots
                    parallel=self._parallel,
                    threads=self._threads,
                    api_key=self._key,
                )
                self._move_to(f"{self._server.listening_address}/v1")


_SLOTS = 1  # more would share the same cores, and time out waiting inside llama.cpp


def _build(config: Config, model: str) -> GGUFProvider:
    return GGUFProvider(
        Path(model).expanduser(),
        context_tokens=config.llm.context_tokens,
        parallel=_SLOTS,
        threads=config.judge.threads,
    )


KIND = ProviderKind(_build, parallel_calls=_SLOTS, is_free=True)
