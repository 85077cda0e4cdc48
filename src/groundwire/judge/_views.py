"""What the embedded model is shown of one question, and what is made of its scores. Pure.

A small model overlooks what a long claim asserts in passing. So it sees the claim whole with all
of its context, and where the claim has parts, each part with the sentences that are about it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from groundwire.claims import content_terms, parts_of
from groundwire.encoder import Scores
from groundwire.judge._addressed import without_addressed
from groundwire.judge._narrow import Evidence
from groundwire.judge._protocol import Estimate, Question
from groundwire.judge._scrub import EVIDENCE_REMOVED
from groundwire.model import EvidenceBundle

Pair = tuple[str, str]

MAX_PARTS = 16
_MAX_CLAIM_CHARS = 20_000
_MAX_CONTEXT_CHARS = 20_000
_LONGEST_REPEAT_WORDS = 6
_SURE = 1e-4


@dataclass(frozen=True)
class Calibration:
    """How views become a probability: few numbers, chosen on dev over sets, kept in the card."""

    part_context_words: int
    short_claim_words: int
    long_claim_words: int
    slope: float
    coverage: float
    offset: float

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Self:
        return cls(**{name: card[name] for name in cls.__dataclass_fields__})

    def share_of_parts(self, words: int) -> float:
        """A short claim is judged whole, a long one by its parts."""
        span = self.long_claim_words - self.short_claim_words
        return min(max((words - self.short_claim_words) / span, 0.0), 1.0)


@dataclass(frozen=True)
class Views:
    whole: Pair
    parts: tuple[Pair, ...]
    """None where the claim asserts one thing."""
    words: int
    coverage: float
    """The share of the claim's content words that the context has too."""

    @classmethod
    def of(cls, question: Question, part_context_words: int) -> Self:
        claim = question.claim[:_MAX_CLAIM_CHARS]
        context = _readable(question.context[:_MAX_CONTEXT_CHARS])
        known = set(content_terms(context))
        parts = _weakest(parts_of(claim), known)
        return cls(
            whole=(claim, context),
            parts=_narrowed(parts, context, part_context_words) if len(parts) > 1 else (),
            words=len(claim.split()),
            coverage=_covered(claim, known),
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return (self.whole, *self.parts)


def estimate(views: Views, scores: Mapping[Pair, Scores], calibration: Calibration) -> Estimate:
    """How likely the claim is supported, and how likely some part of it is opposed."""
    p = _sigmoid(
        calibration.slope * joined(views, scores, calibration)
        + calibration.coverage * views.coverage
        + calibration.offset
    )
    opposed = max(scores[pair].refute for pair in views.pairs)
    return Estimate(p=p, refute=min(opposed, 1 - p))


def joined(views: Views, scores: Mapping[Pair, Scores], calibration: Calibration) -> float:
    """One logit: of the whole for a short claim, and the longer it is, the more of its parts.

    Half of what the parts say is what the weakest says: one unsupported part spoils a claim.
    """
    whole = _logit(scores[views.whole].support)
    if not views.parts:
        return whole
    logits = [_logit(scores[pair].support) for pair in views.parts]
    parts = (min(logits) + sum(logits) / len(logits)) / 2
    share = calibration.share_of_parts(views.words)
    return (1 - share) * whole + share * parts


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


def _logit(p: float) -> float:
    bounded = min(max(p, _SURE), 1 - _SURE)
    return math.log(bounded / (1 - bounded))


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
