"""Which sentences of the evidence a claim should be judged by: a cheap pass before any model.

Small judges read a page badly and slowly. Evidence is cut into sentences once; for each claim the
few that share its weighty words are put together in their order, with the neighbours of the best
one, so that support spread over two places is still seen at once. Documents are weighed each for
itself, and those that have little of a claim beside another are not shown at all: what is added
to the evidence without bearing on the claim changes nothing.
"""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge.facts import EvidenceValues, Finding, Gloss
from groundwire.model import Check, EvidenceBundle, Quote
from groundwire.text import (
    Sentence as ReadSentence,
    bare_mentions,
    conjuncts,
    content_terms,
    first_finite,
    name_of,
    read,
    refers_back,
    stated_by_answer,
    status_of,
    tokens_of,
)

MAX_SENTENCE_WORDS = 60
_SHORTEST_WORDS = 3
_LONGEST_TITLE = 14
_MAX_CANDIDATES = 100
_MAX_APART = 2
_MAX_NAMING = 40
MAX_QUOTED = 3
"""So many sentences may show together what none of them shows alone."""
GAP = " ... "
_TO_BE = frozenset({"ordered", "planned"})


@dataclass(frozen=True)
class Sentence:
    """A sentence of the evidence: which bundle it is from, and where it stands in it.

    One that says several things with one verb is several, all of the same place. A terse answer
    stands with its question.
    """

    bundle: int
    start: int
    end: int
    text: str
    read_as: ReadSentence
    said: str = ""
    """One of its statements made whole: "Cycle 2 took 12 minutes"."""

    @cached_property
    def words(self) -> int:
        return len((self.said or self.text).split())

    @property
    def stated(self) -> str:
        """As a person reads it, for whether it states or supposes; of an answer what it says."""
        is_answer = self.start < self.read_as.start and "?" not in self.said
        return self.said if is_answer else self.read_as.words.text

    @cached_property
    def shown(self) -> str:
        """What a judge reads: a row of a table with what heads each of its cells."""
        if not self.cells:
            return self.said or self.text
        said = [f"{column}: {said}" if column else said for column, said in self.cells]
        return "; ".join(said) + "."

    @cached_property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """Of a row under a header, what heads each cell and what it says."""
        block = self.read_as.block
        if block.is_header or not any(cell.column for cell in block.cells):
            return ()
        source = self.read_as.source
        return tuple((cell.column, source[cell.start : cell.end].strip()) for cell in block.cells)


class Glossed(NamedTuple):
    """A context with what was worked out from it, and the sentences that was worked out from."""

    text: str
    operands: tuple[int, ...]


class Rival(NamedTuple):
    """A claim with a value of the evidence in place of its own, and what that would show."""

    claim: str
    place: int
    check: Check


class Evidence:
    """Evidence cut into sentences and indexed by their words; made once, used for many claims."""

    def __init__(self, bundles: Sequence[EvidenceBundle]) -> None:
        self.bundles = tuple(bundles)
        self.sentences = tuple(
            one
            for number, bundle in enumerate(self.bundles)
            for one in _sentences(number, bundle.content)
        )
        self._places: dict[int, list[int]] = defaultdict(list)
        for place, sentence in enumerate(self.sentences):
            self._places[sentence.bundle].append(place)
        self._postings: dict[str, list[int]] = defaultdict(list)
        for place, sentence in enumerate(self.sentences):
            for term in set(content_terms(sentence.said or sentence.text)):
                self._postings[term].append(place)

    def matches(
        self, claim: str, within: Collection[int] | None = None
    ) -> dict[int, dict[str, float]]:
        """Sentences that share words with the claim, and the weight of each shared word.

        A word weighs more the fewer sentences of the same document have it.
        """
        found: dict[int, dict[str, float]] = defaultdict(dict)
        for term in dict.fromkeys(content_terms(claim)):
            places = self._postings.get(term, ())
            having = Counter(self.sentences[place].bundle for place in places)
            for place in places:
                if within is None or place in within:
                    bundle = self.sentences[place].bundle
                    weight = math.log(1 + len(self._places[bundle]) / (having[bundle] + 0.5))
                    found[place][term] = weight
        return found

    def contexts(
        self, claim: str, budget_words: int, within: Collection[int] | None = None
    ) -> list[tuple[int, ...]]:
        """What to judge the claim by: the best documents each for itself, and all that bear on it.

        One context where one document stands out. At least one, unless there is no evidence.
        """
        bearing = self._bearing(claim, within)
        if len(bearing) <= 1:
            return [self.narrow(claim, budget_words, bearing[0] if bearing else within)]
        joint = frozenset[int]().union(*bearing)
        apart = [self.narrow(claim, budget_words, places) for places in bearing[:_MAX_APART]]
        return list(dict.fromkeys([*apart, self.narrow(claim, budget_words, joint)]))

    def _bearing(self, claim: str, within: Collection[int] | None) -> list[frozenset[int]]:
        """The sentences of each document that has enough of the claim's words, the best first.

        It is measured by its three best sentences, which is as much as may be quoted.
        """
        terms: dict[int, list[set[str]]] = defaultdict(list)
        for place, shared in self._best_matches(claim, within).items():
            terms[self.sentences[place].bundle].append(set(shared))
        covered = {
            bundle: len(set().union(*sorted(each, key=len, reverse=True)[:MAX_QUOTED]))
            for bundle, each in terms.items()
        }
        least = max(covered.values(), default=0) * judge_calibration().narrowing.bearing_share
        chosen = sorted(
            (bundle for bundle, count in covered.items() if count >= least),
            key=lambda bundle: (-covered[bundle], bundle),
        )
        places = [frozenset(self._places[bundle]) for bundle in chosen]
        return places if within is None else [each & frozenset(within) for each in places]

    def narrow(
        self, claim: str, budget_words: int, within: Collection[int] | None = None
    ) -> tuple[int, ...]:
        """The places of the sentences to judge the claim by, in order, within the budget.

        Not what asks, plans or hides by its form, unless the claim puts it in the same way: what
        is planned shows that it is planned.
        """
        modes = status_of(claim).labels
        chosen: set[int] = set()
        room = budget_words
        for place in self._by_promise(claim, within):
            if room < _SHORTEST_WORDS:
                break
            sentence = self.sentences[place]
            if place in chosen or sentence.words > room:
                continue
            read_as = sentence.read_as
            if not read_as.is_open_by_form or read_as.held_back <= modes:
                chosen.add(place)
                room -= sentence.words
        return tuple(sorted(chosen))

    def nearest(self, claim: str, within: Collection[int] | None = None) -> int | None:
        """The sentence that shares most with the claim, whatever it does with it."""
        found = self._best_matches(claim, within)
        return max(found, key=lambda place: (sum(found[place].values()), -place), default=None)

    def text(self, places: Sequence[int], instead: Mapping[int, str] | None = None) -> str:
        """The chosen sentences as one context, gaps shown; `instead` stands in for some."""
        replaced = instead or {}
        parts: list[str] = []
        for index, place in enumerate(places):
            if index:
                parts.append(" " if places[index - 1] == place - 1 else GAP)
            parts.append(replaced.get(place, self.sentences[place].shown))
        return "".join(parts)

    def with_references(self, places: Sequence[int]) -> tuple[int, ...]:
        """The same and, where one opens with "It" or "This", the sentence before it."""
        before = [
            place - 1
            for place in places
            if refers_back(self.sentences[place].text) and place - 1 in self._neighbours(place)
        ]
        return tuple(sorted({*places, *before}))

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

    def quotes(self, places: Iterable[int]) -> tuple[Quote, ...]:
        """Each once: several statements may stand in one sentence."""
        return tuple(dict.fromkeys(self.quote(place) for place in places))

    def check_values(self, claim: str, within: Collection[int] | None = None) -> tuple[Check, ...]:
        """What the deterministic tier finds for the numbers, dates and names of a claim."""
        places = None if within is None else sorted(within)
        modes = status_of(claim).labels
        return tuple(
            self._check(finding)
            for finding in self._values.check(claim, places)
            if all(
                self._may_say(place, modes, finding.relation)
                for place in (finding.sentence, *finding.also)
            )
        )

    def rivals(self, claim: str, places: Sequence[int]) -> list[Rival]:
        """Values that stand where the claim has another, if they are said of the same thing."""
        modes = status_of(claim).labels
        return [
            Rival(said, finding.sentence, self._check(finding))
            for said, finding in self._values.rivals(claim, places)
            if self._may_say(finding.sentence, modes, finding.relation)
        ]

    def _check(self, finding: Finding) -> Check:
        return Check(
            kind=finding.kind,
            claimed=finding.claimed,
            relation=finding.relation,
            found=finding.found,
            quote=self.quote(finding.sentence),
            also=self.quotes(finding.also),
            is_whole=finding.is_whole,
        )

    def _may_say(self, place: int, modes: Collection[str], relation: str) -> bool:
        """What is put as the claim is; "has to" and "will" both say what is to be, and where they
        differ in a value one is not as the other says."""
        held_back = self.sentences[place].read_as.held_back
        if relation == "contradicted" and not _TO_BE.isdisjoint(modes):
            return held_back <= _TO_BE.union(modes)
        return held_back.issubset(modes)

    def glossed(
        self, claim: str, places: Sequence[int], *, only_worked_out: bool = False
    ) -> Glossed:
        """The sentences as `text`, with the claim's values that follow from theirs written in."""
        found = [
            one
            for one in self._values.glosses(claim, places)
            if one.operands or not only_worked_out
        ]
        operands = {place for one in found for place in one.operands}
        found += self._named_again(claim, places)
        instead: dict[int, str] = {}
        for gloss in sorted(found, key=lambda one: -one.offset):
            said = instead.get(gloss.place, self.sentences[gloss.place].shown)
            instead[gloss.place] = said[: gloss.offset] + gloss.text + said[gloss.offset :]
        return Glossed(self.text(places, instead), tuple(sorted(operands)))

    def _named_again(self, claim: str, places: Sequence[int]) -> Iterator[Gloss]:
        """The claim's name for what a sentence calls "the boat": a reader of the document knows
        which, if it names one only before."""
        asked = set(content_terms(claim))
        for place in places:
            sentence = self.sentences[place]
            known = set(content_terms(sentence.shown))
            for mention in bare_mentions(sentence.shown):
                before = self._naming(mention.head, place)
                name = name_of(mention, (self.sentences[p].shown for p in before))
                if name is not None and not (asked - known).isdisjoint(content_terms(name)):
                    yield Gloss(place, mention.end, f" ({name})", ())

    def _naming(self, noun: str, place: int) -> list[int]:
        """The sentences before one, of its document, that have a noun; none where they are too many
        to look through: then nobody can say that there is one name only."""
        having = [p for term in content_terms(noun) for p in self._postings.get(term, ())]
        bundle = self.sentences[place].bundle
        before = [p for p in having if p < place and self.sentences[p].bundle == bundle]
        return before if len(before) <= _MAX_NAMING else []

    def stating(self, claim: str, places: Sequence[int]) -> tuple[int, ...]:
        """The sentences that have the claim's values."""
        return self._values.stating(claim, places)

    def differs(self, claim: str, places: Sequence[int]) -> bool:
        """Whether sentences have another value than the claim, and nothing has the claim's."""
        return self._values.differs(claim, places)

    @cached_property
    def _values(self) -> EvidenceValues:
        texts, bundles = [s.shown for s in self.sentences], [s.bundle for s in self.sentences]
        cells = {place: s.cells for place, s in enumerate(self.sentences) if s.cells}
        return EvidenceValues.of(texts, bundles, cells, self._headings)

    def headed(self, places: Sequence[int]) -> str:
        """What stands above some sentences: a reader of them alone would know it."""
        above = (self._headings.get(place, "") for place in places)
        return "\n".join(dict.fromkeys(one for one in above if one))

    def is_heading(self, place: int) -> bool:
        """Whether a sentence names what follows and says nothing itself."""
        sentence = self.sentences[place]
        if sentence.read_as.block.is_header or sentence.read_as.block.kind == "heading":
            return True
        places = self._places[sentence.bundle]
        is_first = place == places[0] and len(places) > 1
        return is_first and _is_title(sentence) and _names_only(sentence.text)

    @cached_property
    def _headings(self) -> dict[int, str]:
        """What heads each sentence: its document's title, and the headings above it."""
        found = {}
        for places in self._places.values():
            title = self.sentences[places[0]]
            opening = title.text.strip() if _is_title(title) else ""
            for place in places[1:]:
                section = self.sentences[place].read_as.block.section
                above = " / ".join(dict.fromkeys(one for one in (opening, *section) if one))
                if above:
                    found[place] = above
        return found

    def _neighbours(self, place: int) -> Iterable[int]:
        bundle = self.sentences[place].bundle
        for near in (place - 1, place + 1):
            inside = 0 <= near < len(self.sentences)
            if inside and self.sentences[near].bundle == bundle:
                yield near


def _sentences(bundle: int, content: str) -> Iterator[Sentence]:
    before: ReadSentence | None = None
    for sentence, (start, end) in read(content).segments(MAX_SENTENCE_WORDS):
        answered = None if before is None else _answered(before, sentence)
        if before is not None and answered is not None:
            text = content[before.start : end]
            yield Sentence(bundle, before.start, end, text, sentence, answered)
        else:
            text = content[start:end]
            for said in conjuncts(text) or ("",):
                yield Sentence(bundle, start, end, text, sentence, said)
        before = sentence


def _answered(question: ReadSentence, answer: ReadSentence) -> str | None:
    """What both state together; what is a row, code or an item of its own answers nothing."""
    is_prose = answer.block.kind == "paragraph" or answer.block == question.block
    if not is_prose or answer.block.cells:
        return None
    return stated_by_answer(question.words.text, answer.words.text)


def _is_title(sentence: Sentence) -> bool:
    """A short line by itself that ends in no stop: "Guard log, tile warehouse, gate 2"."""
    block = sentence.read_as.block
    is_alone = block.kind == "paragraph" and block.end - block.start <= len(sentence.text) + 1
    is_stopped = sentence.text.rstrip().endswith((".", "!", "?", ":", ","))
    return is_alone and not is_stopped and sentence.words <= _LONGEST_TITLE


def _names_only(text: str) -> bool:
    """Neither "Staff: 999" nor "The mast is 42 m high"."""
    return ": " not in text and first_finite(tokens_of(text)) is None


def _gain(terms: dict[str, float], covered: set[str]) -> float:
    again = judge_calibration().narrowing.covered_weight
    return sum(weight * (again if term in covered else 1.0) for term, weight in terms.items())
