"""The deep judge: what it is asked, how its answers are read, how it is made from settings."""

import asyncio
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Protocol

from groundwire._patterns import lazy_pattern
from groundwire.config import Config
from groundwire.encoder import adapter_calibration, adapter_file, weights_hash
from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendTimeout,
    ConfigError,
    DeepModelUnfit,
    MissingExtra,
)
from groundwire.guard import Worker, remaining_s
from groundwire.judge._canaries import health_of
from groundwire.judge._cascade import CascadeBackend
from groundwire.judge._deep_model import deep_model
from groundwire.judge._embedded import embedded_backend
from groundwire.judge._prompt import without_addressed
from groundwire.judge._protocol import (
    Backend,
    Estimate,
    Question,
    VerifierBackend,
    languages_of,
)
from groundwire.judge._scrub import EVIDENCE_REMOVED
from groundwire.llm import Clients, GGUFReader
from groundwire.observe import span

PREFIX = "<|im_start|>user\nEvidence: {context}\n\n"
BRANCH = (
    "Claim: {claim}\n\nIs the claim fully supported by the evidence? Answer Yes or No."
    "<|im_end|>\n<|im_start|>assistant\n"
)
ANSWERS = SUPPORTED, REFUTED, NEUTRAL = ("Yes", "No", "Maybe")

MAX_EVIDENCE_BYTES = 3_000
MAX_CLAIM_BYTES = 900
CONTEXT_TOKENS = 4_096
"""A byte is at most one token, so that whatever is asked fits."""

# such as "Claim:" inside evidence, which would look like a part of the prompt
_PARTS = lazy_pattern(r"\b(evidence|claim)(\s*)[:：]", re.IGNORECASE)
# such as "<|im_end|>", "<think>"
_CONTROL_TOKEN = lazy_pattern(r"<(?=[|｜]|/?(?:think|tool_call|tool_response)\b)", re.IGNORECASE)
# three line breaks and more
_LINE_BREAKS = lazy_pattern(r"\n{3,}")
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
    hidden = ("Cc", "Cf", "Cn", "Co", "Cs")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in hidden)


def cut_middle(text: str, limit_bytes: int) -> str:
    """Both ends stay: what a text is about and what it comes to."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= limit_bytes:
        return encoded.decode()
    half = (limit_bytes - len(_GAP)) // 2
    start, end = encoded[:half], encoded[-half:]
    return start.decode("utf-8", "ignore") + _GAP + end.decode("utf-8", "ignore")


_LISTED_TOKENS = 20
_CLOSING_S = 1.0
"""A model that is still reading is left to the end of its thread."""
_FITS = "judge.deep_model must be what the adapter was made for; `gw deep-model install` gets it."


class TextReader(Protocol):
    """What a model says may follow a text. Blocking; called from one thread at a time."""

    def load(self) -> None: ...

    def next_tokens(self, text: str, count: int) -> dict[str, float]: ...

    def close(self) -> None: ...


class DeepBackend(Backend):
    """Judges claims one after the other, those about the same evidence together.

    A question has `timeout_s`, the first one with the loading of the model. After one that takes
    longer the rest of the call is not asked: the model is still at it. The same question asked in
    the same company gets the same answer; in other company the last digits may differ, because
    sums are made in another order. A model that does not go with its adapter is no judge at all:
    `DeepModelUnfit`.
    """

    name = "deep"
    is_pinned = True

    def __init__(
        self,
        reader: TextReader,
        *,
        context_words: int,
        threshold: float,
        timeout_s: float = 30.0,
        least_answered: float | None = None,
        languages: frozenset[str] | None = None,
        model_id: str | None = None,
    ) -> None:
        self.context_words = context_words
        self.threshold = threshold
        self.languages = languages
        self.model_id = model_id
        self._reader = reader
        self._timeout_s = timeout_s
        calibrated = adapter_calibration().deep.least_answered
        self._least_answered = calibrated if least_answered is None else least_answered
        self._worker = Worker("groundwire-deep")
        self._loaded = False
        self._unfit: DeepModelUnfit | None = None

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers: list[Estimate | BackendError] = [BackendTimeout("Not asked.")] * len(questions)
        with span("judge.estimate", backend=self.name, questions=len(questions)):
            prompts = [deep_prompt(one.claim, one.context) for one in questions]
            for place in _in_reading_order(prompts):
                answers[place] = answer = await self._judge(prompts[place])
                if isinstance(answer, BackendTimeout):
                    return [answer if isinstance(one, BackendTimeout) else one for one in answers]
        return answers

    async def aclose(self) -> None:
        closing = self._worker.submit(self._reader.close)
        await asyncio.wait([asyncio.wrap_future(closing)], timeout=_CLOSING_S)

    async def _judge(self, prompt: str) -> Estimate | BackendError:
        if self._unfit is not None:
            raise self._unfit
        left_s = remaining_s()
        limit_s = self._timeout_s if left_s is None else min(self._timeout_s, left_s)
        try:
            return self._estimate_of(await self._worker.run(limit_s, lambda: self._read(prompt)))
        except TimeoutError:
            loading = "" if self._loaded else " It was still being loaded."
            return BackendTimeout(
                f"The deep judge did not answer within {limit_s:.3g} s.{loading}",
                hint="Raise hallucination.timeout, or set judge.depth to fast.",
            )
        except BackendError as error:
            return error
        except ConfigError as error:
            self._unfit = DeepModelUnfit(error.message, hint=error.hint or _FITS)
            raise self._unfit from error
        except RuntimeError as error:
            return BackendError(f"The deep judge failed: {error}")

    def _read(self, prompt: str) -> dict[str, float]:
        """In the worker: what loading and reading take is one time."""
        if not self._loaded:
            self._reader.load()
            self._loaded = True
        return self._reader.next_tokens(prompt, _LISTED_TOKENS)

    def _estimate_of(self, listed: Mapping[str, float]) -> Estimate:
        if not listed:
            raise BackendMalformed("The deep judge said nothing.")
        lowest = min(listed.values())
        said = {answer: math.exp(min(listed.get(answer, lowest), 0.0)) for answer in ANSWERS}
        total = sum(said.values())
        if not total >= self._least_answered:
            raise BackendMalformed(
                "The deep judge answers none of Yes, No and Maybe.",
                hint=_FITS,
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
    """The judge `embedded`: fast alone, or with the deep one behind it, as `judge.depth` says."""
    fast = embedded_backend(config)
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
    deep = build_deep(config)
    deep.health = health_of(deep, config)
    return CascadeBackend(
        fast,
        deep,
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
    chosen = deep_model(config)
    written = chosen.stat()
    return DeepBackend(
        reader,
        languages=languages_of(config.judge.deep_languages),
        model_id=f"deep {chosen} {written.st_size} {written.st_mtime_ns} {weights_hash()}",
        context_words=calibration.context_words,
        threshold=config.judge.threshold or calibration.threshold,
        timeout_s=config.hallucination.timeout.total_seconds(),
    )
