from collections import defaultdict
from collections.abc import Collection, Iterable

from groundwire.model import CausalEdge, CausalGraphFile, EvidenceBundle, HistoricalFix, Variable

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

    def evidence(self, evidence_id: str) -> EvidenceBundle | None:
        return self._file.evidence.get(evidence_id)

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
                if edge.to_var not in reached and edge.to_var not in blocked:
                    reached.add(edge.to_var)
                    todo.append(edge.to_var)
        return reached

    def without(self, edge_ids: Iterable[str]) -> "CausalKnowledgeGraph":
        gone = set(edge_ids)
        kept = tuple(edge for edge in self._file.edges if edge.id not in gone)
        return CausalKnowledgeGraph(self._file.model_copy(update={"edges": kept}))


def belief_of(edge: CausalEdge) -> float:
    return DEFAULT_BELIEF if edge.belief is None else edge.belief
