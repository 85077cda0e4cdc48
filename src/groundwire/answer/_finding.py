"""What looking for an answer came to, before it is put into the shape everybody gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.model import AnswerReason, AnswerSource, EvidenceBundle, Mode, Suggestion


@dataclass(frozen=True)
class Finding:
    """`base_score` is the confidence before a fallback is taken into account.

    `evidence` is what a language model may draft from; empty where nothing is to be drafted.
    """

    mode: Mode
    message: str
    base_score: float
    text: str | None = None
    sources: tuple[AnswerSource, ...] = ()
    reason: AnswerReason | None = None
    observations: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    next_step: str | None = None
    coverage: dict[str, int | float] | None = None
    evidence: tuple[EvidenceBundle, ...] = ()
    drafted_by: str | None = None


def with_markers(quotes: Sequence[str], first: int = 1) -> str:
    """Each quote on a line of its own, with the number of its source."""
    return "\n".join(f"{quote} [{number}]" for number, quote in enumerate(quotes, start=first))
