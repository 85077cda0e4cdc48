"""The REST interface of Skosmos: two calls a term, all inside one deadline.

`lookup` finds the concept and says nothing of its definition; `data` has that. Errors are plain
text, and a label that is not there is a 404: a miss, no error.
"""

import asyncio
import json
from collections.abc import Awaitable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlsplit

from groundwire.errors import SKOSMOSError, SKOSMOSTimeout
from groundwire.observe import redact
from groundwire.terms._fold import clean

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

Result = TypeVar("Result")

MAX_BODY_BYTES = 5_000_000
MAX_SAID_CHARS = 200
REST_ROOT = "/rest/v1"
NOT_FOUND = 404


class SkosmosRest:
    """Asks one server. Belongs to one event loop."""

    def __init__(self, base_url: str, *, vocabulary: str | None, language: str | None) -> None:
        root = base_url.rstrip("/")
        self._root = root if REST_ROOT in root else root + REST_ROOT
        self._name = redact(self._root)  # an address may carry a password
        self._scope = f"/{quote(vocabulary, safe='')}" if vocabulary else ""
        self._language = {"lang": language} if language else {}
        self._client: AsyncClient | None = None
        self._preparing = Lock()

    def prepare(self) -> "AsyncClient":
        """Import and set up before a deadline starts to run: that takes longer than a call."""
        with self._preparing:  # two clients would leave the connections of one open
            if self._client is None:
                import httpx2

                self._client = httpx2.AsyncClient(
                    headers={"Accept": "application/json", "User-Agent": "groundwire"},
                    timeout=None,  # the deadline over all calls bounds each of them
                    verify=self._root.startswith("https:"),  # a TLS context takes 0.2 s to make
                )
            return self._client

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def find(self, label: str) -> list[dict[str, Any]]:
        """The concepts with exactly this label; in a vocabulary, preferred labels come first."""
        if self._scope:
            document = await self._get("/lookup", {"label": label, **self._language})
            return _hits(document, "result")
        parameters = {"query": label, "unique": "1", "maxhits": "50", **self._language}
        return _hits(await self._get("/search", parameters), "results")

    async def starting_with(self, prefix: str, limit: int) -> list[dict[str, Any]]:
        parameters = {"query": f"{prefix}*", "unique": "1", "maxhits": str(limit)}
        return _hits(await self._get("/search", parameters | self._language), "results")

    async def data(self, uri: str) -> dict[str, Any] | None:
        return await self._get("/data", {"uri": uri, "format": "application/json"})

    async def _get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any] | None:
        import httpx2

        url = self._root + self._scope + path
        try:
            _ = urlsplit(url).port  # an impossible one would fail deep inside the client
            async with self.prepare().stream("GET", url, params=parameters) as response:
                body = await _body(response)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
            problem = redact(str(error)) or type(error).__name__
            raise SKOSMOSError(
                f"The vocabulary server {self._name} cannot be reached: {problem}."
            ) from error
        return self._document(response, body)

    def _document(self, response: "Response", body: bytes) -> dict[str, Any] | None:
        kind = response.headers.get("content-type", "").split(";")[0]
        said = clean(body.decode("utf-8", "replace"))[:MAX_SAID_CHARS]
        if response.status_code == NOT_FOUND and kind != "text/html" and not _no_such_scope(said):
            return None
        if not response.is_success:
            raise SKOSMOSError(
                f"The vocabulary server {self._name} answered {response.status_code}: {said}",
                hint="Check terms.skosmos.base_url and terms.skosmos.vocabulary.",
            )
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise SKOSMOSError(f"What {self._name} answered is no JSON: {said}") from error
        if not isinstance(document, dict):
            raise SKOSMOSError(f"What {self._name} answered is no JSON object: {said}")
        return document


async def within(timeout_ms: int, answer: Awaitable[Result]) -> Result:
    """Await an answer no longer than the deadline [S3 Gap A: 300 ms]."""
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            return await answer
    except TimeoutError as error:
        raise SKOSMOSTimeout(
            f"The vocabulary server did not answer within {timeout_ms} ms."
        ) from error


async def _body(response: "Response") -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise SKOSMOSError(f"The vocabulary server sent more than {MAX_BODY_BYTES} bytes.")
    return bytes(body)


def _no_such_scope(said: str) -> bool:
    """A wrong vocabulary id is a 404 too, and would make every term a miss."""
    return "vocabulary id" in said.lower()


def _hits(document: Mapping[str, Any] | None, key: str) -> list[dict[str, Any]]:
    if document is None:
        return []
    hits = document.get(key)
    if not isinstance(hits, list):
        raise SKOSMOSError(f"The vocabulary server's answer has no list {key!r}.")
    return [hit for hit in hits if isinstance(hit, dict) and isinstance(hit.get("uri"), str)]
