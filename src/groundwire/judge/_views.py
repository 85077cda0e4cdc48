"""What the embedded model is shown of one question, and what is made of its scores. Pure.

A small model errs differently on a page and on a paragraph, and long claims hide what they assert
in between. So it sees the claim whole with all of its context, and each part of the claim with the
part of the context that is about it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from groundwire.claims import content_terms, parts_of
from groundwire.encoder import Scores
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
    short_claim_share: float
    slope: float
    coverage: float
    offset: float

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Self:
        return cls(**{name: card[name] for name in cls.__dataclass_fields__})

    def share_of_parts(self, words: int) -> float:
        """A short claim is judged whole in the main, a long one by its parts."""
        span = self.long_claim_words - self.short_claim_words
        grown = min(max((words - self.short_claim_words) / span, 0.0), 1.0)
        return self.short_claim_share + grown * (1 - self.short_claim_share)


@dataclass(frozen=True)
class Views:
    whole: Pair
    parts: tuple[Pair, ...]
    words: int
    coverage: float
    """The share of the claim's content words that the context has too."""

    @classmethod
    def of(cls, question: Question, part_context_words: int) -> Self:
        claim = question.claim[:_MAX_CLAIM_CHARS]
        context = _readable(question.context[:_MAX_CONTEXT_CHARS])
        known = set(content_terms(context))
        evidence = Evidence([EvidenceBundle.of(context, "context")])
        parts = _weakest(parts_of(claim), known)
        return cls(
            whole=(claim, context),
            parts=tuple(
                (part, evidence.text(evidence.narrow(part, part_context_words))) for part in parts
            ),
            words=len(claim.split()),
            coverage=_covered(claim, known),
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return (self.whole, *self.parts)


def estimate(views: Views, scores: Mapping[Pair, Scores], calibration: Calibration) -> Estimate:
    """The probability that the claim is supported; the rest goes to "opposed" and "silent"."""
    whole = scores[views.whole]
    parts = [scores[pair] for pair in views.parts]
    share = calibration.share_of_parts(views.words)
    logit = (1 - share) * _logit(whole.support) + share * _joined(parts)
    p = _sigmoid(
        calibration.slope * logit + calibration.coverage * views.coverage + calibration.offset
    )
    opposed = max(_opposition(whole), *(_opposition(part) for part in parts))
    return Estimate(p=p, refute=(1 - p) * opposed)


def _joined(parts: Sequence[Scores]) -> float:
    """Half the weakest part, half all of them: one unsupported part spoils a claim."""
    logits = [_logit(part.support) for part in parts]
    return (min(logits) + sum(logits) / len(logits)) / 2


def _opposition(scores: Scores) -> float:
    """How much of what is not support is opposition."""
    return scores.refute / max(scores.refute + scores.neutral, _SURE)


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
    return _without_repeats(context.replace(EVIDENCE_REMOVED, "..."))


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
