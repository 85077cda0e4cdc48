"""What a report means that says none of a graph's words.

"The boat strayed from the fairway" is near "the ship left the channel": as a whole, and word by
word, since whoever tells it anew puts one word for another. Near is not enough: what a document
tells beside its causes may be nearer still ("The letter printing job failed as well"), and then the
report is about that, of which no cause is known. Unless the sentence tells of a variable in other
words: "The ferry was out of the fairway by seven" is one more that speaks of the ship.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from groundwire.encoder import judge_calibration, reader_calibration
from groundwire.graph._ckg import CausalKnowledgeGraph
from groundwire.model import Variable
from groundwire.text import STOP_WORDS, first_finite, tokens_of, words_of

if TYPE_CHECKING:
    import numpy as np

_NEAREST_DOCUMENTS = 8
"""Of those with the nearest names and sentences all words are compared."""
_MOST_QUOTES = 4
_MOST_ASKED = 3
_MOST_NAMES = 3
_MOST_TEXTS = 3_000
_LEAST = 0.001
"""What is less likely than this is as good as nothing to do with it."""


class Vectors(Protocol):
    def __call__(self, texts: list[str]) -> "list[np.ndarray[Any, Any]]": ...


class Tells(Protocol):
    def __call__(self, sentence: str, names: Sequence[str]) -> list[float]:
        """How likely a sentence tells that there was what each name says."""


class Bears(Protocol):
    def __call__(self, report: str, names: Sequence[str], sentences: Sequence[str]) -> float:
        """How likely a report has to do with what was so by these names and sentences, whether it
        says the same or contradicts them."""


class Nearest(NamedTuple):
    """The variable nearest to a report: `score` of at most four, one for each way of being near,
    how far it is `ahead` of what is told besides, and whether the judge sees that they have to do
    with each other (None where it was not asked)."""

    variable: Variable
    score: float
    ahead: float
    borne: float | None = None

    @property
    def likeness(self) -> float:
        return self.score + reader_calibration().matching.meant_ahead * self.ahead

    @property
    def is_meant(self) -> bool:
        tuned = reader_calibration().matching
        if self.borne is None:
            return self.likeness >= tuned.meant_best
        sureness = math.log(max(self.borne, _LEAST))
        is_borne = self.likeness + tuned.meant_bears * sureness >= tuned.meant_borne
        return is_borne and self.likeness >= tuned.meant_near


class _Said(NamedTuple):
    """A variable with its names, the sentences that speak of it and the documents they are of."""

    variable: Variable
    names: Sequence[str]
    sentences: Sequence[str]
    documents: frozenset[str]


def nearest_told(
    report: str,
    graph: CausalKnowledgeGraph,
    vectors: Vectors,
    tells: Tells | None = None,
    bears: Bears | None = None,
) -> Nearest | None:
    """The variable nearest to a report, with what tells whether the report means it."""
    near = _Near(report, vectors)
    known, beside = _spoken_of(graph, near)
    if not known or not near.words:
        return None
    if tells is not None:
        known, beside = _told_again(near, known, beside, tells)
    told = _words_told(known, beside)
    scored = [
        (
            near.name(one.names)
            + near.sentence(one.sentences)
            + max(near.covered(told[doc_id]) for doc_id in one.documents),
            one,
        )
        for one in known
    ]
    score, best = max(scored, key=lambda pair: (pair[0], pair[1].variable.id))
    # "They wilted owing to a clogged drip line": its name says who they are
    own = [
        text
        for one in known
        if one.documents & best.documents
        for text in (*one.names[:_MOST_NAMES], *one.sentences)
    ]
    ahead = near.sentence(own) - near.sentence([text for _, text in beside])
    borne = (
        None
        if bears is None
        else bears(report, best.names[:_MOST_NAMES], best.sentences[:_MOST_NAMES])
    )
    return Nearest(best.variable, score, ahead, borne)


def _told_again(
    near: "_Near", known: list[_Said], beside: list[tuple[str, str]], tells: Tells
) -> tuple[list[_Said], list[tuple[str, str]]]:
    """Of what is told besides and near, the sentences that tell of a variable go to it: in the
    judge's eyes, and near enough in meaning, since of a short name the judge believes too much.
    What has no verb, as `Item 2: the cups`, tells nothing."""
    least_near = reader_calibration().matching.told_near
    ranked = sorted(beside, key=lambda one: -near.sentence([one[1]]))
    more: dict[str, list[str]] = {}
    told: set[tuple[str, str]] = set()
    for doc_id, text in ranked[:_MOST_ASKED]:
        names = [
            (name, one)
            for one in known
            if doc_id in one.documents
            for name in one.names[:_MOST_NAMES]
        ]
        cosines = near.between(text, [name for name, _ in names])
        names = [one for one, cosine in zip(names, cosines, strict=True) if cosine >= least_near]
        if not names:
            continue
        scores = tells(text, [name for name, _ in names])
        best = max(range(len(scores)), key=scores.__getitem__)
        if scores[best] >= judge_calibration().spans.least_support:
            more.setdefault(names[best][1].variable.id, []).append(text)
            told.add((doc_id, text))
    kept = [
        one for one in beside if one not in told and first_finite(tokens_of(one[1])) is not None
    ]
    return [
        one._replace(sentences=(*one.sentences, *more.get(one.variable.id, ()))) for one in known
    ], kept


class _Near:
    """How near texts are to a report, as a whole and word by word."""

    def __init__(self, report: str, vectors: Vectors) -> None:
        self._vectors = vectors
        self.words = carrying(report)
        (self._whole,) = vectors([report])

    def whole(self, texts: Sequence[str]) -> float:
        return max((float(one @ self._whole) for one in self._vectors(list(texts))), default=0.0)

    def between(self, text: str, others: Sequence[str]) -> list[float]:
        """How near others are to a text that is not the report."""
        said, *vectors = self._vectors([text, *others])
        return [float(one @ said) for one in vectors]

    def covered(self, words: Sequence[str]) -> float:
        """How near the report's words have their likes among these; the mean over the report."""
        return _aligned(self._vectors, self.words, words)

    def name(self, names: Sequence[str]) -> float:
        said = max(_aligned(self._vectors, carrying(name), self.words) for name in names)
        return self.whole(names) + said

    def sentence(self, texts: Sequence[str]) -> float:
        """Of the nearest; nothing where there is none."""
        vectors = self._vectors(list(texts))
        return max(
            (
                float(one @ self._whole) + self.covered(carrying(text))
                for one, text in zip(vectors, texts, strict=True)
            ),
            default=0.0,
        )


def carrying(text: str) -> list[str]:
    """The words that carry a text, each once."""
    return [one for one in dict.fromkeys(words_of(text)) if one not in STOP_WORDS]


def _aligned(vectors: Vectors, words: Sequence[str], others: Sequence[str]) -> float:
    """The mean over the words of how near the nearest of the others is."""
    import numpy as np

    if not words or not others:
        return 0.0
    near = np.stack(vectors(list(words))) @ np.stack(vectors(list(others))).T
    return float(near.max(1).mean())


def _words_told(
    known: Iterable[_Said], beside: Iterable[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    told: dict[str, dict[str, None]] = {}
    for one in known:
        for doc_id in one.documents:
            for text in one.sentences:
                told.setdefault(doc_id, {}).update(dict.fromkeys(carrying(text)))
    for doc_id, text in beside:
        told.setdefault(doc_id, {}).update(dict.fromkeys(carrying(text)))
    return {doc_id: tuple(words) for doc_id, words in told.items()}


def _spoken_of(
    graph: CausalKnowledgeGraph, near: _Near
) -> tuple[list[_Said], list[tuple[str, str]]]:
    """Variables and what is told beside them, of the documents nearest to the report."""
    known = [
        _Said(
            one,
            one.names,
            graph.quotes(one.id)[:_MOST_QUOTES],
            frozenset(graph.documents(one.id)),
        )
        for one in graph.variables.values()
    ]
    known = [one for one in known if one.sentences]
    # of a large graph the names alone are compared
    size = sum(1 + len(one.sentences) for one in known)
    whole = {
        one.variable.id: near.whole([one.names[0], *(one.sentences if size <= _MOST_TEXTS else ())])
        for one in known[:_MOST_TEXTS]
    }
    known = sorted(
        (one for one in known if one.variable.id in whole), key=lambda one: -whole[one.variable.id]
    )
    documents: dict[str, None] = {}
    for one in known:
        if len(documents) < _NEAREST_DOCUMENTS:
            documents.update(dict.fromkeys(sorted(one.documents)))
    kept = [
        one._replace(documents=one.documents & documents.keys())
        for one in known
        if one.documents & documents.keys()
    ]
    return kept, [one for one in graph.beside if one[0] in documents]
