"""A GGUF file served inside this process by llama.cpp, on an address only we can use."""

import asyncio
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from groundwire.llm._gguf_server import open_server, refuse_other_files
from groundwire.llm._openai import OpenAIProvider
from groundwire.observe import keep_secret


class GGUFProvider(OpenAIProvider):
    """llama.cpp's own server speaks the OpenAI wire, log probabilities and grammars included."""

    name = "gguf"

    def __init__(self, path: Path, *, context_tokens: int, parallel: int, threads: int) -> None:
        refuse_other_files(path, setting="llm.model")
        key = token_urlsafe(32)
        keep_secret(key)
        super().__init__(path.name, base_url="http://127.0.0.1", api_key=key)
        self._key = key
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
        return open_server(
            self._path,
            context_tokens=self._context_tokens * self._parallel,  # shared by the slots
            parallel=self._parallel,
            threads=self._threads,
            api_key=self._key,
        )
