"""A GGUF file served inside this process by llama.cpp, on an address only we can use."""

import asyncio
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from groundwire.errors import ConfigError, MissingExtra
from groundwire.llm._openai import OpenAIProvider
from groundwire.observe import keep_secret

_MAGIC = b"GGUF"


class GGUFProvider(OpenAIProvider):
    """llama.cpp's own server speaks the OpenAI wire, log probabilities and grammars included."""

    name = "gguf"

    def __init__(self, path: Path, *, context_tokens: int, parallel: int, threads: int) -> None:
        _refuse_other_files(path)
        key = token_urlsafe(32)
        keep_secret(key)
        super().__init__(path.name, base_url="http://127.0.0.1", api_key=key)
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
                self._server = self._serve()
                self._move_to(f"{self._server.listening_address}/v1")

    def _serve(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise MissingExtra("gguf", needed_for="The provider gguf") from error
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(self._path)
        parameters.n_ctx = self._context_tokens * self._parallel  # shared by the slots
        parameters.n_parallel = self._parallel
        parameters.cpuparams.n_threads = self._threads
        parameters.api_keys = [self._api_key]
        parameters.warmup = False
        parameters.verbosity = -1
        try:
            return xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise ConfigError(f"llama.cpp cannot load {self._path}: {error}") from error


def _refuse_other_files(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(
            f"The model file {path} cannot be read: {error.strerror}.", hint="Set llm.model."
        ) from error
    if magic != _MAGIC:
        raise ConfigError(f"{path} is not a GGUF file.", hint="Set llm.model to one.")
