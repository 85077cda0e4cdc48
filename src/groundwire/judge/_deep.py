"""What the deep judge reads: the evidence, then the claim, in the form it was taught.

The evidence comes first, so that it is read once for all claims about it. Nothing in evidence or
claim may look like a part of this form: the words that name its parts lose their colon, and what
a model takes for a control token is broken up.
"""

import asyncio
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any, Protocol

from groundwire.config import Config
from groundwire.encoder import adapter_calibration, adapter_file
from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRefused,
    BackendTimeout,
    ConfigError,
    GroundwireError,
    MissingExtra,
)
from groundwire.guard import remaining_s
from groundwire.judge._cascade import CascadeBackend
from groundwire.judge._deep_model import deep_model
from groundwire.judge._embedded import embedded_backend
from groundwire.judge._prompt import without_addressed
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.judge._scrub import EVIDENCE_REMOVED
from groundwire.llm import Clients, GGUFReader
from groundwire.observe import span

PREFIX = "Evidence:\n{context}\n\n"
BRANCH = "Claim: {claim}\nSupported:"
ANSWERS = SUPPORTED, REFUTED, NEUTRAL = (" Yes", " No", " Maybe")

MAX_EVIDENCE_BYTES = 3_000
MAX_CLAIM_BYTES = 900
CONTEXT_TOKENS = 4_096
"""A byte is at most one token, so that whatever is asked fits."""

_PARTS = re.compile(r"\b(evidence|claim|supported)(\s*)[:：]", re.IGNORECASE)
_CONTROL_TOKEN = re.compile(r"<(?=[|｜]|/?(?:think|tool_call|tool_response)\b)", re.IGNORECASE)
_LINE_BREAKS = re.compile(r"\n{3,}")
_GAP = " ... "


def deep_prompt(claim: str, context: str) -> str:
    asserted = cut_middle(" ".join(harmless(claim).split()), MAX_CLAIM_BYTES)
    return evidence_part(context) + BRANCH.format(claim=asserted)


def evidence_part(context: str) -> str:
    # the marker is a word to people; to the model it would be a sign that says "unsupported"
    readable = without_addressed(visible(context)).replace(EVIDENCE_REMOVED, "...")
    shown = _LINE_BREAKS.sub("\n\n", harmless(readable)).strip()
    return PREFIX.format(context=cut_middle(shown, MAX_EVIDENCE_BYTES))


def harmless(text: str) -> str:
    """The text without invisible characters, names of the form's parts and control tokens."""
    return _CONTROL_TOKEN.sub("< ", _PARTS.sub(r"\1\2 -", visible(text)))


def visible(text: str) -> str:
    return "".join(char for char in text if _is_visible(char))


def cut_middle(text: str, limit_bytes: int) -> str:
    """Both ends stay: what a text is about and what it comes to."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    half = (limit_bytes - len(_GAP)) // 2
    start, end = encoded[:half], encoded[-half:]
    return start.decode("utf-8", "ignore") + _GAP + end.decode("utf-8", "ignore")


def _is_visible(char: str) -> bool:
    return char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cn", "Co", "Cs")


_LISTED_TOKENS = 20
_LOAD_TIMEOUT_S = 300.0
_PATIENCE = 2
"""After so many timeouts in a row the rest of a call is not asked."""


class TextReader(Protocol):
    """What a model says may follow a text. Blocking; called from one thread at a time."""

    def load(self) -> None: ...

    def next_tokens(self, text: str, count: int) -> dict[str, float]: ...

    def close(self) -> None: ...


class DeepBackend(Backend):
    """Judges claims one after the other, those about the same evidence together.

    A question has `timeout_s`. One that takes longer is left to end by itself, which it does: a
    prompt has a largest size. The same question asked in the same company gets the same answer;
    in other company the last digits may differ, because sums are made in another order.
    """

    name = "deep"

    def __init__(
        self,
        reader: TextReader,
        *,
        context_words: int,
        threshold: float,
        timeout_s: float = 30.0,
        least_answered: float | None = None,
    ) -> None:
        self.context_words = context_words
        self.threshold = threshold
        self._reader = reader
        self._timeout_s = timeout_s
        calibrated = adapter_calibration().deep.least_answered
        self._least_answered = calibrated if least_answered is None else least_answered
        self._thread = ThreadPoolExecutor(1, "groundwire-deep")
        self._loaded = False
        self._unusable: BackendRefused | None = None

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers: list[Estimate | BackendError] = [BackendTimeout("Not asked.")] * len(questions)
        if not questions:
            return answers
        with span("judge.estimate", backend=self.name, questions=len(questions)):
            try:
                await self._load()
            except BackendError as error:
                return [error] * len(questions)
            prompts = [deep_prompt(one.claim, one.context) for one in questions]
            timeouts = 0
            for place in _in_reading_order(prompts):
                answers[place] = answer = await self._judge(prompts[place])
                timeouts = timeouts + 1 if isinstance(answer, BackendTimeout) else 0
                if timeouts >= _PATIENCE:
                    break
        return answers

    async def aclose(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._reader.close)

    async def _load(self) -> None:
        """A model that cannot be loaded is not tried again."""
        if self._unusable is not None:
            raise self._unusable
        if self._loaded:
            return
        try:
            await self._in_thread(_LOAD_TIMEOUT_S, self._reader.load)
        except BackendError:
            raise
        except GroundwireError as error:
            self._unusable = BackendRefused(str(error), hint=error.hint)
            raise self._unusable from error
        self._loaded = True

    async def _judge(self, prompt: str) -> Estimate | BackendError:
        try:
            listed = await self._in_thread(
                self._timeout_s, self._reader.next_tokens, prompt, _LISTED_TOKENS
            )
            return self._estimate_of(listed)
        except BackendError as error:
            return error

    async def _in_thread(self, limit_s: float, call: Any, *arguments: Any) -> Any:
        left_s = remaining_s()
        limit_s = limit_s if left_s is None else min(limit_s, left_s)
        try:
            running = asyncio.wrap_future(self._thread.submit(call, *arguments))
            return await asyncio.wait_for(running, limit_s)
        except TimeoutError:
            raise BackendTimeout(
                f"The deep judge did not answer within {limit_s:.0f} s.",
                hint="Raise hallucination.timeout, or set judge.depth to fast.",
            ) from None
        except GroundwireError:
            raise
        except RuntimeError as error:
            raise BackendError(f"The deep judge failed: {error}") from error

    def _estimate_of(self, listed: Mapping[str, float]) -> Estimate:
        if not listed:
            raise BackendMalformed("The deep judge said nothing.")
        lowest = min(listed.values())
        said = {answer: math.exp(min(listed.get(answer, lowest), 0.0)) for answer in ANSWERS}
        total = sum(said.values())
        if not total >= self._least_answered:
            raise BackendMalformed(
                "The deep judge answers none of Yes, No and Maybe.",
                hint="judge.deep_model must be the model that the adapter was made for.",
            )
        return Estimate(p=said[SUPPORTED] / total, refute=said[REFUTED] / total)


def _in_reading_order(prompts: Sequence[str]) -> list[int]:
    """Places of prompts, those that begin alike after each other.

    Sorted, so that as little as possible is read twice, and the same questions are always read in
    the same order.
    """
    return sorted(range(len(prompts)), key=lambda place: prompts[place])


_EVERYTHING = (0.0, 1.0)


def build(config: Config, _: Clients) -> VerifierBackend:
    """The judge `embedded`, as deep as the settings want it."""
    return with_depth(config, embedded_backend(config))


def with_depth(config: Config, fast: VerifierBackend) -> VerifierBackend:
    """The fast judge alone, or with the deep one behind it, as `judge.depth` says."""
    section = config.judge
    if section.depth == "fast":
        return fast
    calibration = adapter_calibration().deep
    low = calibration.band_low if section.band_low is None else section.band_low
    high = calibration.band_high if section.band_high is None else section.band_high
    if low > high:
        raise ConfigError(
            f"judge.band_low is above judge.band_high: {low:g}, {high:g}.",
            hint="Leave both unset for the calibrated band.",
        )
    return CascadeBackend(
        fast,
        build_deep(config),
        name=section.depth,
        band=_EVERYTHING if section.depth == "deep" else (low, high),
        deep_weight=calibration.cascade_weight,
    )


def build_deep(config: Config) -> DeepBackend:
    if find_spec("xllamacpp") is None:
        raise MissingExtra("gguf", needed_for=f"judge.depth: {config.judge.depth}")
    home = config.home.expanduser().absolute()
    calibration = adapter_calibration().deep
    reader = GGUFReader(
        deep_model(config),
        adapter=lambda: adapter_file(home / "models"),
        context_tokens=CONTEXT_TOKENS,
        threads=config.judge.threads,
    )
    return DeepBackend(
        reader,
        context_words=calibration.context_words,
        threshold=config.judge.threshold or calibration.threshold,
        timeout_s=config.hallucination.timeout.total_seconds(),
    )
