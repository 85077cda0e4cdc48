"""Which sentences of the evidence a claim should be judged by: a cheap pass before any model.

Small judges read a page badly and slowly. Evidence is cut into sentences once; for each claim the
few that share its weighty words are put together in their order, with the neighbours of the best
one, so that support spread over two places is still seen at once.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.claims import content_terms, segment_ranges
from groundwire.model import EvidenceBundle

MAX_SENTENCE_WORDS = 60
_COVERED_WEIGHT = 0.25
GAP = " ... "


@dataclass(frozen=True)
class Sentence:
    """A sentence of the evidence: which bundle it is from, and where it stands in it."""

    bundle: int
    start: int
    end: int
    text: str

    @cached_property
    def words(self) -> int:
        return len(self.text.split())


class Evidence:
    """Evidence cut into sentences and indexed by their words; made once, used for many claims."""

    def __init__(self, bundles: Sequence[EvidenceBundle]) -> None:
        self.bundles = tuple(bundles)
        self.sentences = tuple(
            Sentence(number, start, end, bundle.content[start:end])
            for number, bundle in enumerate(self.bundles)
            for start, end in segment_ranges(bundle.content, MAX_SENTENCE_WORDS)
        )
        self._postings: dict[str, list[int]] = defaultdict(list)
        for place, sentence in enumerate(self.sentences):
            for term in set(content_terms(sentence.text)):
                self._postings[term].append(place)

    def matches(
        self, claim: str, within: Iterable[int] | None = None
    ) -> dict[int, dict[str, float]]:
        """Sentences that share words with the claim, and the weight of each shared word."""
        allowed = None if within is None else set(within)
        found: dict[int, dict[str, float]] = defaultdict(dict)
        for term in set(content_terms(claim)):
            places = self._postings.get(term, ())
            weight = math.log(1 + len(self.sentences) / (len(places) + 0.5))
            for place in places:
                if allowed is None or place in allowed:
                    found[place][term] = weight
        return found

    def narrow(
        self, claim: str, budget_words: int, *, without: Iterable[int] = ()
    ) -> tuple[int, ...]:
        """The places of the sentences to judge the claim by, in order, within the budget."""
        left_out = set(without)
        chosen: list[int] = []
        room = budget_words
        for place in self._by_promise(claim):
            if place in left_out or place in chosen:
                continue
            words = self.sentences[place].words
            if words <= room:
                chosen.append(place)
                room -= words
        return tuple(sorted(chosen))

    def text(self, places: Sequence[int]) -> str:
        """The chosen sentences as one context, gaps shown."""
        parts: list[str] = []
        for index, place in enumerate(places):
            if index:
                parts.append(" " if places[index - 1] == place - 1 else GAP)
            parts.append(self.sentences[place].text)
        return "".join(parts)

    def _by_promise(self, claim: str) -> Iterable[int]:
        """Best matches first; after the first, its neighbours; after the matches, all others."""
        found = self.matches(claim)
        covered: set[str] = set()
        emitted = 0
        while found:
            place = max(found, key=lambda item: (_gain(found[item], covered), -item))
            covered |= found.pop(place).keys()
            yield place
            if emitted == 0:
                yield from self._neighbours(place)
            emitted += 1
        yield from range(len(self.sentences))

    def _neighbours(self, place: int) -> Iterable[int]:
        bundle = self.sentences[place].bundle
        for near in (place - 1, place + 1):
            inside = 0 <= near < len(self.sentences)
            if inside and self.sentences[near].bundle == bundle:
                yield near


def _gain(terms: dict[str, float], covered: set[str]) -> float:
    return sum(
        weight * (_COVERED_WEIGHT if term in covered else 1.0) for term, weight in terms.items()
    )
