"""The causal graph in memory: its nodes, its chains, and how much of a report it covers."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from groundwire.model import (
    CausalChain,
    CausalEdge,
    CausalGraphFile,
    CoverageReport,
    DiagnosisContext,
    EvidenceBundle,
    HistoricalFix,
    Variable,
)

DEFAULT_BELIEF = 0.5
"""Of an edge that does not say how surely it is known."""


class CausalKnowledgeGraph:
    """The CKG: the grounded edges of a graph file, and the variables they join.

    Drafts, rejected and contested edges are in the file and never in here [RULINGS S0].
    """

    def __init__(self, file: CausalGraphFile) -> None:
        self._file = file
        self.edges: tuple[CausalEdge, ...] = tuple(
            sorted(
                (edge for edge in file.edges if edge.edge_status == "grounded"),
                key=lambda edge: edge.id,
            )
        )
        joined = {name for edge in self.edges for name in (edge.from_var, edge.to_var)}
        self.variables: dict[str, Variable] = {
            one.id: one for one in file.variables if one.id in joined
        }
        self._into: dict[str, list[CausalEdge]] = defaultdict(list)
        self._out_of: dict[str, list[CausalEdge]] = defaultdict(list)
        for edge in self.edges:
            self._into[edge.to_var].append(edge)
            self._out_of[edge.from_var].append(edge)

    @property
    def fixes(self) -> tuple[HistoricalFix, ...]:
        return self._file.fixes

    @property
    def bundles(self) -> tuple[EvidenceBundle, ...]:
        return tuple(self._file.evidence.values())

    @property
    def beside(self) -> tuple[tuple[str, str], ...]:
        """What the documents tell besides their causes: document and sentence."""
        return tuple((one.doc_id, text) for one in self._file.sources for text in one.beside)

    def documents(self, variable_id: str) -> tuple[str, ...]:
        """Where a variable is spoken of."""
        edges = (*self.into(variable_id), *self.out_of(variable_id))
        return tuple(dict.fromkeys(one.quote.doc_id for edge in edges for one in edge.evidence))

    def quotes(self, variable_id: str) -> tuple[str, ...]:
        """The sentences that speak of a variable, as cause or as effect."""
        edges = (*self.into(variable_id), *self.out_of(variable_id))
        said = (" ".join(one.quote.quote.split()) for edge in edges for one in edge.evidence)
        return tuple(dict.fromkeys(said))

    def hang_together(self, one: str, other: str) -> bool:
        """Whether two variables lie on one way from cause to effect."""
        return other in self.effects_of(one) or one in self.effects_of(other)

    def into(self, variable_id: str) -> tuple[CausalEdge, ...]:
        return tuple(self._into.get(variable_id, ()))

    def out_of(self, variable_id: str) -> tuple[CausalEdge, ...]:
        return tuple(self._out_of.get(variable_id, ()))

    def effects_of(self, variable_id: str, blocked: Collection[str] = ()) -> set[str]:
        """Everything that follows from a variable, however far, but not through `blocked` ones."""
        reached: set[str] = set()
        todo = [variable_id]
        while todo:
            for edge in self.out_of(todo.pop()):
                is_effect = edge.sign == "raises" and edge.to_var not in reached
                if is_effect and edge.to_var not in blocked:
                    reached.add(edge.to_var)
                    todo.append(edge.to_var)
        return reached

    def without(self, edge_ids: Iterable[str]) -> "CausalKnowledgeGraph":
        gone = set(edge_ids)
        kept = tuple(edge for edge in self._file.edges if edge.id not in gone)
        return CausalKnowledgeGraph(self._file.model_copy(update={"edges": kept}))


def belief_of(edge: CausalEdge) -> float:
    return DEFAULT_BELIEF if edge.belief is None else edge.belief


MAX_STEPS = 20_000
"""A dense graph has more ways through it than anyone can read; the likeliest come first."""


def causal_chains(
    graph: CausalKnowledgeGraph,
    symptoms: Collection[str],
    *,
    blocked: Collection[str] = (),
    max_length: int = 8,
    max_chains: int = 50,
) -> tuple[CausalChain, ...]:
    """Chains that begin where nothing in the graph causes anything and end in a symptom.

    `blocked` are variables known not to be so: no chain leads through one. A cycle is walked
    once and ends nowhere.
    """
    each = max(1, max_chains // max(1, len(symptoms)))
    found = [
        chain
        for symptom in sorted(symptoms)
        for chain in _chains_to(graph, symptom, frozenset(blocked), max_length, each)
    ]
    found.sort(key=lambda chain: (-chain.belief, len(chain.nodes), chain.nodes))
    return tuple(found[:max_chains])


def _chains_to(
    graph: CausalKnowledgeGraph,
    symptom: str,
    blocked: frozenset[str],
    max_length: int,
    most: int,
) -> Iterator[CausalChain]:
    open_: list[tuple[float, tuple[str, ...], tuple[str, ...]]] = [(-1.0, (symptom,), ())]
    steps = 0
    while open_ and most and steps < MAX_STEPS:
        steps += 1
        cost, nodes, edges = heapq.heappop(open_)
        # what prevents or lessens something does not explain it
        causes = [edge for edge in graph.into(nodes[0]) if edge.sign == "raises"]
        if not causes and edges:
            most -= 1
            yield CausalChain(nodes=nodes, edges=edges, belief=-cost)
        if len(edges) >= max_length:
            continue
        for edge in causes:
            if edge.from_var not in nodes and edge.from_var not in blocked:
                way = ((edge.from_var, *nodes), (edge.id, *edges))
                heapq.heappush(open_, (cost * belief_of(edge), *way))


def coverage_of(context: DiagnosisContext) -> CoverageReport:
    """How much of the input the graph knows about [S0 1]; pure counting."""
    present = [one for one in context.matched_entities if not one.is_absent]
    bound = sum(bool(symptom.bound_to) for symptom in context.symptoms)
    nodes = {node for chain in context.causal_chains for node in chain.nodes}
    scores = [one.score for one in present]
    return CoverageReport(
        matched_entities_count=len({one.id for one in present}),
        root_causes_count=len(context.root_causes),
        causal_chains_count=len(context.causal_chains),
        required_nodes_count=len({context.label(node) for node in nodes}),
        relevant_fixes_count=len(context.relevant_fixes),
        symptoms_count=len(context.symptoms),
        top_similarity=max(scores) if scores and context.similarity == "vectors" else None,
        input_coverage=round(bound / len(context.symptoms), 4) if context.symptoms else 0.0,
    )
