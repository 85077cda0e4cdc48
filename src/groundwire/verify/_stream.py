"""A response that is still being written: its sentences are judged as they are completed."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from contextlib import suppress
from typing import Protocol

from anyio.to_thread import run_sync

from groundwire.claims import extract_claims
from groundwire.judge import Evidence
from groundwire.model import ClaimResult, EvidenceBundle, SentenceReport, Span
from groundwire.text import detect_language, sentence_ranges
from groundwire.verify._claims import ClaimVerifier
from groundwire.verify._response import correction_notes

_MOST_AT_ONCE = 8
"""So many sentences are judged in one call, so that the first of many is not kept waiting."""


class VerifySentences(Protocol):
    """Judges some sentences of a text; one list of results for each."""

    async def __call__(
        self, text: str, places: Sequence[Span], bundles: Sequence[EvidenceBundle], /
    ) -> list[list[ClaimResult]]: ...


async def verify_sentences(
    text: str,
    places: Sequence[Span],
    bundles: Sequence[EvidenceBundle],
    verifier: ClaimVerifier,
) -> list[list[ClaimResult]]:
    """The claims of some sentences. All of the text is read, so that "it" is known."""
    claims = (await run_sync(extract_claims, text)).claims
    evidence = await run_sync(Evidence, bundles)
    found = [[one for one in claims if place.overlaps(one.source)] for place in places]
    flat = [one for each in found for one in each]
    results = iter(await verifier.verify(flat, evidence, language=detect_language(text)))
    return [[next(results) for _ in each] for each in found]


async def stream_sentences(
    pieces: AsyncIterable[str], bundles: Sequence[EvidenceBundle], verify: VerifySentences
) -> AsyncGenerator[SentenceReport, None]:
    """A report for each sentence, in order. Reading goes on while sentences are judged."""
    text = _Growing()
    reading = asyncio.create_task(text.read(pieces))
    done = 0
    try:
        while (places := await text.sentences_from(done)) is not None:
            chosen = places[:_MOST_AT_ONCE]
            judged = await verify(text.so_far, chosen, bundles)
            for place, claims in zip(chosen, judged, strict=True):
                yield SentenceReport(
                    index=done,
                    text=place.of(text.so_far),
                    span=place,
                    claims=tuple(claims),
                    notes=correction_notes(text.so_far, claims, bundles),
                )
                done += 1
        await reading  # what went wrong while reading is raised here
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading


class _Growing:
    """A text that comes in pieces."""

    def __init__(self) -> None:
        self.so_far = ""
        self._is_over = False
        self._changed = asyncio.Event()

    async def read(self, pieces: AsyncIterable[str]) -> None:
        try:
            async for piece in pieces:
                self.so_far += piece
                self._changed.set()
        finally:
            self._is_over = True
            self._changed.set()

    async def sentences_from(self, done: int) -> list[Span] | None:
        """The complete sentences after the first `done`; None once there will be no more.

        A sentence is complete when another one has begun after it, or nothing more comes.
        """
        while True:
            self._changed.clear()
            is_over = self._is_over
            ranges = sentence_ranges(self.so_far)
            whole = ranges if is_over else ranges[:-1]
            if len(whole) > done:
                return [Span(start=start, end=end) for start, end in whole[done:]]
            if is_over:
                return None
            await self._changed.wait()
