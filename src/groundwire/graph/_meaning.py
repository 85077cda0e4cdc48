"""What a report means that says none of a graph's words.

"The streetcars are at a standstill" is near "trams stopped". Near is not enough: what a document
tells beside its causes may be nearer still ("The letter printing job failed as well"), and then the
report is about that, of which no cause is known.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from groundwire.encoder import embedder_calibration
from groundwire.graph._ckg import CausalKnowledgeGraph
from groundwire.model import Variable
from groundwire.text import content_terms

if TYPE_CHECKING:
    import numpy as np

MAX_TEXTS = 1_500
"""So many names and sentences are compared; of a larger graph those of the nearest documents."""
_NEAREST_DOCUMENTS = 8
_MOST_QUOTES = 4


class Vectors(Protocol):
    def __call__(self, texts: list[str]) -> "list[np.ndarray[Any, Any]]": ...


class Meant(NamedTuple):
    variable: Variable
    score: float


class _Said(NamedTuple):
    """A variable with its names and the sentences that speak of it."""

    variable: Variable
    names: list[str]
    sentences: list[str]


def meant(report: str, graph: CausalKnowledgeGraph, vectors: Vectors) -> Meant | None:
    """The variable a report speaks of, if it is near and nothing beside the causes is nearer."""
    tuned = embedder_calibration().matching
    (said,) = vectors([report])
    words = set(content_terms(report))

    def name_near(names: Sequence[str]) -> float:
        return max(float(one @ said) for one in vectors(list(names)))

    def near(sentences: Sequence[str]) -> float:
        """In meaning and in words: a name such as "ward 8" says more in words."""
        found = vectors(list(sentences))
        return max(
            (
                float(one @ said)
                + tuned.meant_words * len(words & set(content_terms(text))) / max(1, len(words))
                for one, text in zip(found, sentences, strict=True)
            ),
            default=0.0,
        )

    known, beside = _spoken_of(graph, name_near)
    if not known:
        return None
    known, others = _assigned(known, beside, vectors, tuned.meant_same)
    ranked = [(name_near(one.names) + near(one.sentences), one) for one in known]
    score, best = max(ranked, key=lambda one: (one[0], one[1].variable.id))
    if score < tuned.meant_best or near(others) > near(best.sentences):
        return None
    return Meant(best.variable, score)


def _spoken_of(
    graph: CausalKnowledgeGraph, name_near: Any
) -> tuple[list[_Said], list[tuple[str, str]]]:
    """Every variable, and what the documents tell beside their causes."""
    known = [
        _Said(one, list(one.names), list(graph.quotes(one.id)[:_MOST_QUOTES]))
        for one in graph.variables.values()
    ]
    beside = list(graph.beside)
    if sum(len(one.names) + len(one.sentences) for one in known) + len(beside) <= MAX_TEXTS:
        return known, beside
    known = [one._replace(names=one.names[:1]) for one in known][:MAX_TEXTS]
    known.sort(key=lambda one: -name_near(one.names))
    documents: dict[str, None] = {}
    for one in known:
        if len(documents) < _NEAREST_DOCUMENTS:
            documents.update(dict.fromkeys(graph.documents(one.variable.id)))
    kept = [one for one in known if documents.keys() & set(graph.documents(one.variable.id))]
    return kept, [one for one in beside if one[0] in documents]


def _assigned(
    known: Sequence[_Said], beside: Sequence[tuple[str, str]], vectors: Vectors, least: float
) -> tuple[list[_Said], list[str]]:
    """A sentence that says what a variable's name says speaks of it as well."""
    import numpy as np

    if not beside:
        return list(known), []
    names = [name for one in known for name in one.names]
    owners = [place for place, one in enumerate(known) for _ in one.names]
    near = np.stack(vectors([text for _, text in beside])) @ np.stack(vectors(names)).T
    sentences = [list(one.sentences) for one in known]
    others: list[str] = []
    for (_, text), row in zip(beside, near, strict=True):
        place = int(row.argmax())
        if row[place] >= least:
            sentences[owners[place]].append(text)
        else:
            others.append(text)
    return [
        one._replace(sentences=said) for one, said in zip(known, sentences, strict=True)
    ], others
