"""The embedded cross-encoder as judge: what it is shown, and what its scores mean."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import anyio.to_thread

from groundwire._patterns import lazy_pattern
from groundwire.config import Config
from groundwire.encoder import (
    AssertionReader,
    PairScorer,
    Scores,
    SupportCalibration,
    judge_calibration,
    weights_hash,
)
from groundwire.errors import BackendError
from groundwire.judge._bits import CLAMP
from groundwire.judge._cascade import log_odds
from groundwire.judge._narrow import Evidence
from groundwire.judge._prompt import without_addressed
from groundwire.judge._protocol import Backend, Estimate, Question, languages_of
from groundwire.judge._scrub import EVIDENCE_REMOVED
from groundwire.model import EvidenceBundle
from groundwire.text import content_terms, parts_of

Pair = tuple[str, str]
_WORD = lazy_pattern(r"[^\W\d_]{2}")
"""Two letters on end: `of`, `昼に`."""

MAX_PARTS = 16
_MAX_CLAIM_CHARS = 20_000
_MAX_CONTEXT_CHARS = 20_000
_LONGEST_REPEAT_WORDS = 6


@dataclass(frozen=True)
class Views:
    whole: Pair
    parts: tuple[Pair, ...]
    """None where the claim asserts one thing."""

    @classmethod
    def of(cls, question: Question, calibration: SupportCalibration) -> Self:
        claim = question.claim[:_MAX_CLAIM_CHARS]
        context = _readable(question.context[:_MAX_CONTEXT_CHARS])
        known = set(content_terms(context))
        parts = _weakest(parts_of(claim), known)
        part_words = calibration.part_context_words
        whole = (claim, context)
        if len(context.split()) > calibration.context_words * 4 // 3:
            # cut for a deep judge, which reads more; dots between sentences count as words
            (whole,) = _narrowed([claim], context, calibration.context_words)
        return cls(whole, _narrowed(parts, context, part_words) if len(parts) > 1 else ())

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return (self.whole, *self.parts)

    @property
    def has_words(self) -> bool:
        """Signs, figures and single letters alone, such as "??? 12 34 a b", say nothing."""
        return _WORD.search(self.whole[1]) is not None


def estimate(
    views: Views, scores: Mapping[Pair, Scores], calibration: SupportCalibration
) -> Estimate:
    """How likely the claim is supported, and how likely some part of it is opposed."""
    p = _sigmoid(calibration.slope * joined(views, scores) + calibration.offset)
    opposed = max(_opposed(scores[pair], calibration) for pair in views.pairs)
    return Estimate(p=p, refute=min(opposed, 1 - p))


def _opposed(said: Scores, calibration: SupportCalibration) -> float:
    """Opposition, held down where support is nearly as likely: a doubt is no denial."""
    decided = said.refute + said.support
    against = log_odds(said.refute / decided if decided else 0.0)
    at_the_threshold = log_odds(calibration.refute_threshold) - calibration.refute_margin
    return min(said.refute, _sigmoid(against + at_the_threshold))


def joined(views: Views, scores: Mapping[Pair, Scores]) -> float:
    """One logit of all views: half of it is the weakest part, since one spoils a claim."""
    support = log_odds(scores[views.whole].support)
    if views.parts:
        weakest = min(log_odds(scores[pair].support) for pair in views.parts)
        support = (support + weakest) / 2
    return support


def _narrowed(parts: Sequence[str], context: str, words: int) -> tuple[Pair, ...]:
    evidence = Evidence([EvidenceBundle.of(context, "context")])
    return tuple((part, evidence.text(evidence.narrow(part, words))) for part in parts)


def _weakest(parts: Sequence[str], known: set[str]) -> list[str]:
    """All parts, or of very many those that have least to do with the context."""
    if len(parts) <= MAX_PARTS:
        return list(parts)
    ranked = sorted(range(len(parts)), key=lambda place: (_covered(parts[place], known), place))
    return [parts[place] for place in sorted(ranked[:MAX_PARTS])]


def _covered(claim: str, known: set[str]) -> float:
    terms = content_terms(claim)
    return sum(term in known for term in terms) / len(terms) if terms else 0.0


def _readable(context: str) -> str:
    """The marker is a word to people; to the model it would be a sign that says "unsupported"."""
    return _without_repeats(without_addressed(context).replace(EVIDENCE_REMOVED, "..."))


def _without_repeats(text: str) -> str:
    """Words said again and again, said twice: a model takes a drone for agreement.

    Cells of a table may be the same many times, so a run of numbers and signs is left alone.
    """
    kept: list[str] = []
    words = text.split()
    for word in words:
        kept.append(word)
        for period in range(1, min(_LONGEST_REPEAT_WORDS, len(kept) // 3) + 1):
            last = kept[-period:]
            said_before = last == kept[-2 * period : -period] == kept[-3 * period : -2 * period]
            if said_before and any(one.isalpha() for one in last):
                del kept[-period:]
                break
    return text if len(kept) == len(words) else " ".join(kept)


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


CALIBRATED_LANGUAGES = frozenset({"en"})
_NOTHING_SAID = Estimate(p=CLAMP.low, refute=0.0)


class EmbeddedBackend(Backend):
    """Scores claims against their contexts with the shipped weights.

    The same question always gets the same answer, whatever it is asked together with.
    """

    name = "embedded"
    is_pinned = True
    claims_at_once = 2

    def __init__(
        self,
        *,
        threshold: float | None = None,
        languages: frozenset[str] | None = CALIBRATED_LANGUAGES,
        threads: int = 2,
    ) -> None:
        self._calibration = judge_calibration().support
        self.context_words = self._calibration.context_words
        self.threshold = threshold or self._calibration.threshold
        self.languages = languages
        self.model_id = f"embedded {weights_hash()} {self.threshold}"
        self._scorer = PairScorer(threads)
        self._reader = AssertionReader(threads)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await anyio.to_thread.run_sync(self._estimate, questions)

    async def withholds(self, questions: Sequence[Question]) -> list[bool]:
        return await anyio.to_thread.run_sync(self._withholds, questions)

    def _withholds(self, questions: Sequence[Question]) -> list[bool]:
        """Never where the claim leaves as much open: it may say what its source says."""
        fitted = judge_calibration().asserting
        texts = list(dict.fromkeys(text for one in questions for text in (one.claim, one.context)))
        left_open = [score - fitted.shift for score in self._reader.openness(texts)]
        scores = dict(zip(texts, left_open, strict=True))
        return [
            scores[one.context] > max(fitted.claim_share * scores[one.claim], scores[one.claim])
            for one in questions
        ]

    def _estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        shown = [Views.of(one, self._calibration) for one in questions]
        pairs = list(dict.fromkeys(pair for views in shown for pair in views.pairs))
        scores = dict(zip(pairs, self._scorer.score(pairs), strict=True))
        return [
            estimate(views, scores, self._calibration) if views.has_words else _NOTHING_SAID
            for views in shown
        ]


def embedded_backend(config: Config) -> EmbeddedBackend:
    """The judge that needs no key."""
    section = config.judge
    return EmbeddedBackend(
        threshold=section.threshold,
        languages=languages_of(section.languages),
        threads=section.threads,
    )
