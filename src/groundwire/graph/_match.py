"""Which variables of a graph a statement speaks of: by their words, and by what it means."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.encoder import reader_calibration
from groundwire.errors import EvidenceError, MissingExtra
from groundwire.graph._ckg import CausalKnowledgeGraph
from groundwire.graph._meaning import Bears, Nearest, Tells, nearest_told
from groundwire.model import EvidenceBundle, Span, Variable
from groundwire.observe import Log
from groundwire.text import content_terms, is_preposition, placed_words, same_letters, tells_state

if TYPE_CHECKING:
    import numpy as np

_log = Log("graph")
WAYS = 4
"""In so many ways a report is near to what it means."""
MAX_MEANT = 1_000
"""Larger graphs are matched by words alone: every name would have to be embedded."""
_WINDOW_SLACK_WORDS = 2
_MAX_STATEMENT_WORDS = 200

_Placed = tuple[str, tuple[int, int]]
"""A word in the form that can be compared, and where it stands."""

_STATE_WORDS = frozenset(
    content_terms("""abnormal bad blocked broken clogged damaged dead degraded delayed down elevated
    excess excessive expired failed failing faulty full halted high higher hot increased jammed
    large late long loose lost low lower missed missing outdated overdue poor raised reduced rising
    short slow small stale stopped stuck too unavailable wide wrong""")
)
"""Words that say how a thing is. A number says it as well, so beside one they count less."""


class Embedder(Protocol):
    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]": ...


class Refutes(Protocol):
    def __call__(self, sentence: str, names: Sequence[str]) -> list[bool]:
        """Whether a sentence says that there was not what each name says."""


@dataclass(frozen=True)
class Match:
    """A variable and the words of a statement that speak of it, as a span of the statement."""

    variable: Variable
    score: float
    span: Span
    tells: bool | None = None
    """By an opposite state, or as the judge reads it: whether the statement tells of the variable
    or denies it; None where neither says so."""


@dataclass(frozen=True)
class _Name:
    variable: Variable
    text: str
    terms: frozenset[str]
    head: str
    """The word for the thing itself: a feeder is no feeder trip."""


@dataclass(frozen=True)
class _Link:
    name: _Name
    share: float
    span: Span
    is_whole: bool
    """Whether all words of the name are said."""


class Matcher:
    """Finds variables by their names.

    Without an embedder, or once it fails, words alone decide, and more of the name must be said.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        embedder: Embedder | None = None,
        *,
        similarity_floor: float | None = None,
        lexical_link: float | None = None,
        tells: Tells | None = None,
        refutes: Refutes | None = None,
        bears: Bears | None = None,
    ) -> None:
        self._embedder = embedder
        self._tells = tells
        self._bears = bears
        self._refutes = refutes
        tuned = reader_calibration().matching
        self._tuned = tuned
        self._floor = tuned.similarity_floor if similarity_floor is None else similarity_floor
        self._link = tuned.lexical_link if lexical_link is None else lexical_link
        names = [
            _Name(variable, text, frozenset(terms), _head(text))
            for variable in variables
            for text in dict.fromkeys(variable.names)
            if (terms := content_terms(_spaced(text)))
        ]
        self._by_term: dict[str, list[_Name]] = {}
        for name in names:
            for term in name.terms:
                self._by_term.setdefault(term, []).append(name)
        self._rarity = {
            term: 1 / math.sqrt(len({name.variable.id for name in named}))
            for term, named in self._by_term.items()
        }
        self._vectors: dict[str, np.ndarray[Any, Any]] = {}

    @property
    def uses_vectors(self) -> bool:
        return self._embedder is not None

    def match(self, statement: str, *, has_metric: bool = False) -> list[Match]:
        """The best match of each variable, best first."""
        best: dict[str, tuple[_Link, Match]] = {}
        links = self._links(statement, has_metric=has_metric)
        for link, score in zip(links, self._scores(statement, links), strict=True):
            variable = link.name.variable
            kept = best.get(variable.id)
            if score >= self._least(link) and (kept is None or score > kept[1].score):
                told = tells_of(variable, statement)
                best[variable.id] = link, Match(variable, round(score, 4), link.span, told)
        matches = self._refuted(statement, list(best.values()), has_metric=has_metric)
        found = sorted(matches, key=lambda one: (-one.score, one.variable.id))
        return [one for one in found if not _is_inside_another(one, found)]

    def _refuted(
        self, statement: str, found: list[tuple[_Link, Match]], *, has_metric: bool
    ) -> list[Match]:
        """What says a part of a name may say the opposite of it. A number is for values to read:
        to the judge 99.8 % is not full."""
        matches = [match for _, match in found]
        asked = [match for link, match in found if not link.is_whole and match.tells is None]
        if self._refutes is None or not self.uses_vectors or has_metric or not asked:
            return matches
        is_refuted = self._refutes(statement, [one.variable.label for one in asked])
        denied = {one.variable.id for one, no in zip(asked, is_refuted, strict=True) if no}
        return [replace(one, tells=False) if one.variable.id in denied else one for one in matches]

    def touched(self, statement: str) -> set[str]:
        """Every variable of which a statement names the thing, whatever state it gives it."""
        said = set(content_terms(_spaced(statement)))
        found = set()
        for name in dict.fromkeys(name for term in said for name in self._by_term.get(term, ())):
            things = name.terms - _STATE_WORDS or name.terms
            if len(things & said) >= self._tuned.denied_share * len(things):
                found.add(name.variable.id)
        return found

    def opposed(self, statement: str) -> set[str]:
        """Every variable whose thing a statement gives the opposite state: "log rotation is on"
        denies "log rotation disabled"."""
        said = dict.fromkeys(content_terms(_spaced(statement)))
        variables = {
            name.variable.id: name.variable for term in said for name in self._by_term.get(term, ())
        }
        return {one.id for one in variables.values() if tells_of(one, statement) is False}

    def meant(self, report: str, graph: CausalKnowledgeGraph) -> list[Match]:
        """What a report means that says none of the words."""
        found = self.nearest_told(report, graph)
        if found is None or not found.is_meant:
            return []
        score = round(min(1.0, found.score / WAYS), 4)
        return [Match(found.variable, score, Span(start=0, end=len(report)))]

    def nearest_told(self, report: str, graph: CausalKnowledgeGraph) -> Nearest | None:
        """The variable nearest in meaning, whether or not the report means it."""
        if self._embedder is None:
            return None
        try:
            return nearest_told(report, graph, self._embedded, self._tells, self._bears)
        except (EvidenceError, MissingExtra) as error:
            _log.warn("matching_by_words_alone", error=str(error))
            self._embedder = None
            return None

    def _embedded(self, texts: list[str]) -> list[Any]:
        return self._name_vectors(self._embedder, texts) if self._embedder and texts else []

    def nearest(
        self, report: str, bundles: Sequence[EvidenceBundle]
    ) -> list[tuple[EvidenceBundle, float]]:
        """The best passage of each document, nearest first: by words, and by meaning if it can."""
        wanted = set(content_terms(report))
        shared = [
            len(wanted & set(content_terms(one.content))) / max(1, len(wanted)) for one in bundles
        ]
        near = shared
        if self._embedder is not None and len(bundles) <= MAX_MEANT:
            try:
                (said,) = self._embedder.embed([report])
                vectors = self._name_vectors(self._embedder, [one.content for one in bundles])
                near = [float(one @ said) for one in vectors]
            except (EvidenceError, MissingExtra) as error:
                _log.warn("matching_by_words_alone", error=str(error))
                self._embedder = None
        best: dict[str, tuple[EvidenceBundle, float]] = {}
        for bundle, likeness in zip(bundles, near, strict=True):
            doc_id = bundle.source.doc_id
            if doc_id not in best or likeness > best[doc_id][1]:
                best[doc_id] = (bundle, likeness)
        return sorted(best.values(), key=lambda one: (-one[1], one[0].source.doc_id))

    def _least(self, link: _Link) -> float:
        if not self.uses_vectors:
            return max(self._link, self._tuned.link_by_words_alone)
        return self._floor if link.is_whole else self._floor + self._tuned.incomplete_margin

    def _links(self, statement: str, *, has_metric: bool) -> list[_Link]:
        words = [
            (terms[0], (word.start, word.end))
            for word in placed_words(_spaced(statement))
            if (terms := content_terms(word.text))
        ][:_MAX_STATEMENT_WORDS]
        touched = dict.fromkeys(name for term, _ in words for name in self._by_term.get(term, ()))
        says_state = has_metric or any(term in _STATE_WORDS for term, _ in words)
        return [
            link
            for name in touched
            if says_state or not name.terms & _STATE_WORDS
            if (link := self._linked(name, words)) is not None
        ]

    def _linked(self, name: _Name, words: list[_Placed]) -> _Link | None:
        """The stretch of the statement that holds most of the name, if it holds enough."""
        whole = sum(map(self._weight, name.terms))
        reach = len(name.terms) + _WINDOW_SLACK_WORDS
        best: _Link | None = None
        for begin, (first, _) in enumerate(words):
            if first not in name.terms:
                continue
            window = words[begin : begin + reach]
            found = {term for term, _ in window} & name.terms
            share = sum(map(self._weight, found)) / whole
            is_enough = share >= self._link and name.head in found
            if is_enough and (best is None or share > best.share):
                last = max(index for index, (term, _) in enumerate(window) if term in name.terms)
                span = Span(start=window[0][1][0], end=window[last][1][1])
                best = _Link(name, min(share, 1.0), span, found == name.terms)
        return best

    def _weight(self, term: str) -> float:
        rarity = self._rarity[term]
        return rarity * self._tuned.state_weight if term in _STATE_WORDS else rarity

    def _scores(self, statement: str, links: list[_Link]) -> list[float]:
        if self._embedder is not None:
            try:
                return self._likeness(self._embedder, statement, links)
            except (EvidenceError, MissingExtra) as error:
                _log.warn("matching_by_words_alone", error=str(error))
                self._embedder = None
        return [link.share for link in links]

    def _likeness(self, embedder: Embedder, statement: str, links: list[_Link]) -> list[float]:
        inexact = [link for link in links if not _is_said(link, link.span.of(statement))]
        if not inexact:
            return [1.0] * len(links)
        names = self._name_vectors(embedder, [link.name.text for link in inexact])
        said = embedder.embed([statement, *(link.span.of(statement) for link in inexact)])
        # a word of a name is always like the name: what is incomplete is compared as a whole
        near = {
            link: max(float(name @ said[0]), float(name @ mention) if link.is_whole else 0.0)
            for link, name, mention in zip(inexact, names, said[1:], strict=True)
        }
        return [min(near.get(link, 1.0), 1.0) for link in links]

    def _name_vectors(self, embedder: Embedder, names: list[str]) -> list[Any]:
        new = [name for name in dict.fromkeys(names) if name not in self._vectors]
        if new:
            self._vectors.update(zip(new, embedder.embed(new), strict=True))
        return [self._vectors[name] for name in names]


def tells_of(variable: Variable, statement: str) -> bool | None:
    """One name's opposite is enough, unless another name is told of: "link up" and "link back"."""
    found = [
        one
        for name in dict.fromkeys(variable.names)
        if (one := tells_state(_spaced(name), _spaced(statement))) is not None
    ]
    return any(found) if found else None


def _spaced(text: str) -> str:
    """ "vcore_725mv_usage" is three words, each where it stands."""
    return text.replace("_", " ")


def _head(name: str) -> str:
    """ "moisture in the cable joint" is about moisture, "RTU links were lost" about links."""
    whole = _spaced(name)
    start = next((one.start for one in placed_words(whole) if is_preposition(one.low)), len(whole))
    before = content_terms(whole[:start]) or content_terms(whole)
    things = [term for term in before if term not in _STATE_WORDS]
    return (things or before)[-1]


def _is_said(link: _Link, mention: str) -> bool:
    return same_letters(mention) == same_letters(link.name.text)


def _is_inside_another(one: Match, found: list[Match]) -> bool:
    """ "fault" within "wrong fault location" speaks of the location, not of an earth fault."""
    return any(
        other.span.covers(one.span) and other.span != one.span and other.score > one.score
        for other in found
    )
