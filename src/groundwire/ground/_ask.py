"""One edge on demand: what `verify_edge` does when somebody questions it [S1 step 6]."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from groundwire.config import Config, VerificationConfig, thresholds_of
from groundwire.errors import InputError
from groundwire.evidence import (
    Embedder,
    Index,
    Searcher,
    index_path,
    make_embedder,
    require_index,
)
from groundwire.ground._agent import VerificationAgent
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._match import VariableNames, roots
from groundwire.ground._outcome import record
from groundwire.ground._retriever import EvidenceSearch, GroundingRetriever
from groundwire.ground._session import EdgeParts
from groundwire.ground._types import EdgeOutcome, Hypothesis
from groundwire.ground._variables import Vocabulary, label_of
from groundwire.model import CausalGraphFile, EvidenceBundle, SearchResult, Variable
from groundwire.observe import AuditTrail
from groundwire.text import content_terms


class BundleSearch:
    """Searches a handful of passages by their words: the evidence a graph carries with it."""

    def __init__(self, bundles: Sequence[EvidenceBundle]) -> None:
        self._bundles = [(bundle, frozenset(content_terms(bundle.content))) for bundle in bundles]

    async def search(self, query: str, *, limit: int = 8, per_document: int = 3) -> SearchResult:
        del per_document
        wanted = frozenset(content_terms(query))
        ranked = sorted(
            ((len(wanted & terms), bundle) for bundle, terms in self._bundles),
            key=lambda pair: (-pair[0], pair[1].source.doc_id, pair[1].location.start),
        )
        hits = [bundle for shared, bundle in ranked if shared][:limit]
        return SearchResult(query=query, method="bm25", collections=(), hits=tuple(hits))


def edge_search(
    config: Config,
    graph: CausalGraphFile | None,
    opened: ExitStack,
    *,
    embedder: Embedder | None = None,
) -> EvidenceSearch:
    """The index of these settings where there is one, else the evidence of the graph."""
    path = index_path(config)
    if config.evidence.index is None and graph is not None:
        return BundleSearch(list(graph.evidence.values()))
    return Searcher(
        opened.enter_context(Index(require_index(path))),
        thresholds=thresholds_of(config.evidence),
        embedder=embedder or make_embedder(config.evidence),
    )


@dataclass(frozen=True)
class EdgeVerifier:
    """Verifies edges named in a person's words, against an index or a graph's own evidence."""

    parts: EdgeParts
    settings: VerificationConfig
    search: EvidenceSearch
    graph: CausalGraphFile | None = None
    audit: AuditTrail | None = None

    async def verify(self, cause: str, effect: str) -> EdgeOutcome:
        hypothesis, variables = self._hypothesis(cause, effect)
        reader = EdgeReader(VariableNames(variables))
        agent = VerificationAgent(
            GroundingRetriever(self.search, passages_per_side=self.settings.passages_per_side),
            self.parts.judge(reader),
            reader,
            self.settings,
        )
        outcome = await agent.verify_edge(hypothesis)
        record(self.audit, "verify_edge", outcome)
        return outcome

    def find(self, name: str) -> str | None:
        """The id of the graph's variable of that name."""
        known = self.graph.variables if self.graph else ()
        found = _variable(name, known)
        return found.id if found in known else None

    def _hypothesis(self, cause: str, effect: str) -> tuple[Hypothesis, list[Variable]]:
        known = list(self.graph.variables) if self.graph else []
        ends = [_variable(name, known) for name in (cause, effect)]
        if ends[0].id == ends[1].id:
            raise InputError("Cause and effect are the same.", hint="Name two different things.")
        return Hypothesis.of(ends[0], ends[1]), known + [one for one in ends if one not in known]


def _variable(name: str, known: Sequence[Variable]) -> Variable:
    """The graph's variable of that name, id or alias; else one made of the words given."""
    label = label_of(name)
    if not roots(label):
        raise InputError(f"{name!r} names nothing.", hint="Name a cause and an effect.")
    for variable in known:
        names = (variable.id.replace("_", " "), *variable.names)
        if name == variable.id or any(roots(label) == roots(one) for one in names):
            return variable
    return Vocabulary([label]).variable(label)
