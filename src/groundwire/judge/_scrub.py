"""Evidence without what supports a claim, everything else in its place [SPEC-08.10, 08.11]."""

from collections.abc import Iterable, Sequence

from groundwire.encoder import judge_calibration
from groundwire.judge._narrow import Evidence
from groundwire.model import Span

EVIDENCE_REMOVED = "[EVIDENCE REMOVED]"


def scrub(text: str, spans: Iterable[Span]) -> str:
    """Replace spans by a marker. Spans that touch or overlap become one."""
    parts: list[str] = []
    end = 0
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        start = max(span.start, end)
        if not parts or start > end:
            parts += [text[end:start], EVIDENCE_REMOVED]
        end = max(end, span.end)
    return "".join([*parts, text[end:]])


def supporting(evidence: Evidence, claim: str, places: Sequence[int]) -> tuple[int, ...]:
    """Which of these sentences speak of what the claim says: the best one and its like.

    A duplicate must not keep p0 high, so every sentence about as close as the best is taken.
    """
    weights = {
        place: sum(terms.values()) for place, terms in evidence.matches(claim, places).items()
    }
    if not weights:
        return ()
    floor = max(weights.values()) * judge_calibration().narrowing.supporting_share
    return tuple(sorted(place for place, weight in weights.items() if weight >= floor))


def scrubbed_context(evidence: Evidence, places: Sequence[int], removed: Iterable[int]) -> str:
    """The same context as `Evidence.text` gives, with the removed sentences marked."""
    return evidence.text(places, dict.fromkeys(removed, EVIDENCE_REMOVED))


def with_and_without(evidence: Evidence, claim: str, budget_words: int) -> tuple[str, str]:
    """What p1 and p0 of a claim are judged by: its context, and the same with its support gone."""
    places = evidence.narrow(claim, budget_words)
    removed = supporting(evidence, claim, places)
    return evidence.text(places), scrubbed_context(evidence, places, removed)
