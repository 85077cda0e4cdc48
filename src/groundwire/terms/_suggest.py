"""Which labels are near to a term that is not there. Pure: the candidates come from elsewhere."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

MAX_CANDIDATES = 200
MAX_GRAMS = 60
MIN_SCORE = 0.6
"""Below this, two words share letters by chance."""


def grams(key: str) -> list[str]:
    """The letters of a key in threes, as the index has them; quotes would end the query."""
    padded = f"  {key} ".replace('"', " ")
    threes = (padded[start : start + 3] for start in range(len(padded) - 2))
    return list(dict.fromkeys(three for three in threes if three.strip()))[:MAX_GRAMS]


class Candidate(NamedTuple):
    key: str
    label: str
    uri: str


def nearest(key: str, candidates: Iterable[Candidate], limit: int) -> list[tuple[Candidate, float]]:
    """The labels most like a key, with a score from 0 to 1, best first, no concept twice."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(key)
    scored: list[tuple[float, Candidate]] = []
    for candidate in candidates:
        matcher.set_seq1(candidate.key)
        if matcher.quick_ratio() >= MIN_SCORE and (score := matcher.ratio()) >= MIN_SCORE:
            scored.append((round(score, 3), candidate))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    chosen: list[tuple[Candidate, float]] = []
    seen: set[str] = set()
    for score, candidate in scored:
        if candidate.key not in seen and candidate.uri not in seen:
            chosen.append((candidate, score))
            seen |= {candidate.key, candidate.uri}
    return chosen[:limit]
