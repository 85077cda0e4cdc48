"""Which sentences of the evidence a claim should be judged by: a cheap pass before any model.

Small judges read a page badly and slowly. Evidence is cut into sentences once; for each claim the
few that share its weighty words are put together in their order, with the neighbours of the best
one, so that support spread over two places is still seen at once.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.encoder import judge_calibration
from groundwire.judge.facts import EvidenceValues
from groundwire.model import Check, EvidenceBundle, Quote
from groundwire.text import content_terms, segment_ranges

MAX_SENTENCE_WORDS = 60
_SHORTEST_WORDS = 3
_MAX_CANDIDATES = 100
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
        self, claim: str, within: Collection[int] | None = None
    ) -> dict[int, dict[str, float]]:
        """Sentences that share words with the claim, and the weight of each shared word."""
        found: dict[int, dict[str, float]] = defaultdict(dict)
        for term in dict.fromkeys(content_terms(claim)):
            places = self._postings.get(term, ())
            weight = math.log(1 + len(self.sentences) / (len(places) + 0.5))
            for place in places:
                if within is None or place in within:
                    found[place][term] = weight
        return found

    def narrow(
        self, claim: str, budget_words: int, within: Collection[int] | None = None
    ) -> tuple[int, ...]:
        """The places of the sentences to judge the claim by, in order, within the budget."""
        chosen: set[int] = set()
        room = budget_words
        for place in self._by_promise(claim, within):
            if room < _SHORTEST_WORDS:
                break
            words = self.sentences[place].words
            if place not in chosen and words <= room:
                chosen.add(place)
                room -= words
        return tuple(sorted(chosen))

    def text(self, places: Sequence[int], instead: Mapping[int, str] | None = None) -> str:
        """The chosen sentences as one context, gaps shown; `instead` stands in for some."""
        replaced = instead or {}
        parts: list[str] = []
        for index, place in enumerate(places):
            if index:
                parts.append(" " if places[index - 1] == place - 1 else GAP)
            parts.append(replaced.get(place, self.sentences[place].text))
        return "".join(parts)

    def _by_promise(self, claim: str, within: Collection[int] | None) -> Iterable[int]:
        """Best matches first; after the first, its neighbours; after the matches, all others."""
        found = self._best_matches(claim, within)
        covered: set[str] = set()
        allowed = range(len(self.sentences)) if within is None else within
        first = True
        while found:
            place = max(found, key=lambda item: (_gain(found[item], covered), -item))
            covered |= found.pop(place).keys()
            yield place
            if first:
                yield from (near for near in self._neighbours(place) if near in allowed)
            first = False
        yield from sorted(allowed)

    def _best_matches(
        self, claim: str, within: Collection[int] | None
    ) -> dict[int, dict[str, float]]:
        """No more than a context could hold, so that a long document costs little per claim."""
        found = self.matches(claim, within)
        best = heapq.nlargest(
            _MAX_CANDIDATES, found, key=lambda place: (sum(found[place].values()), -place)
        )
        return {place: found[place] for place in best}

    def places_of(self, doc_ids: Collection[str]) -> frozenset[int]:
        """The sentences of some documents."""
        return frozenset(
            place
            for place, sentence in enumerate(self.sentences)
            if self.bundles[sentence.bundle].source.doc_id in doc_ids
        )

    def quote(self, place: int) -> Quote:
        """A sentence with its place in the document it is from."""
        sentence = self.sentences[place]
        bundle = self.bundles[sentence.bundle]
        offset = bundle.location.start
        return Quote(
            doc_id=bundle.source.doc_id,
            quote=sentence.text,
            start=offset + sentence.start,
            end=offset + sentence.end,
            place=bundle.place_at(offset + sentence.start),
        )

    def check_values(self, claim: str, within: Collection[int] | None = None) -> tuple[Check, ...]:
        """What the deterministic tier finds for the numbers, dates and names of a claim."""
        places = None if within is None else sorted(within)
        return tuple(
            Check(
                kind=finding.kind,
                claimed=finding.claimed,
                relation=finding.relation,
                found=finding.found,
                quote=self.quote(finding.sentence),
            )
            for finding in self._values.check(claim, places)
        )

    @cached_property
    def _values(self) -> EvidenceValues:
        return EvidenceValues.of([sentence.text for sentence in self.sentences])

    def _neighbours(self, place: int) -> Iterable[int]:
        bundle = self.sentences[place].bundle
        for near in (place - 1, place + 1):
            inside = 0 <= near < len(self.sentences)
            if inside and self.sentences[near].bundle == bundle:
                yield near


def _gain(terms: dict[str, float], covered: set[str]) -> float:
    again = judge_calibration().narrowing.covered_weight
    return sum(weight * (again if term in covered else 1.0) for term, weight in terms.items())
