"""Which root cause explains a report best, and how sure anyone may be of it."""

from groundwire.graph import belief_of
from groundwire.model import CoverageReport, DiagnosisConfidence, DiagnosisContext, RootCause

_HIGH_COVERAGE = 0.9
_MEDIUM_COVERAGE = 0.7
_HIGH_BELIEF = 0.75
_MEDIUM_BELIEF = 0.5
_CORROBORATED = 2
LEVELS: tuple[DiagnosisConfidence, ...] = ("low", "medium", "high")


def leading(context: DiagnosisContext) -> tuple[RootCause, ...]:
    """The root causes that explain most of what was observed; several when they are tied."""
    if not context.root_causes:
        return ()
    most = len(context.root_causes[0].explains)
    return tuple(one for one in context.root_causes if len(one.explains) == most)


def the_root_cause(context: DiagnosisContext) -> RootCause | None:
    tied = leading(context)
    return tied[0] if len(tied) == 1 else None


def ceiling(context: DiagnosisContext, coverage: CoverageReport) -> DiagnosisConfidence:
    """The most confidence a conclusion may have, whoever drafted it [S0 2]."""
    root = the_root_cause(context)
    if root is None or not coverage.causal_chains_count:
        return "low"
    present = {one.id for one in context.matched_entities if not one.is_absent}
    weakest = _weakest_link(context, root)
    explains_all = present <= set(root.explains)
    if (
        explains_all
        and len(root.explains) >= _CORROBORATED
        and coverage.input_coverage >= _HIGH_COVERAGE
        and weakest >= _HIGH_BELIEF
    ):
        return "high"
    is_known = coverage.input_coverage >= _MEDIUM_COVERAGE and weakest >= _MEDIUM_BELIEF
    return "medium" if is_known else "low"


def at_most(level: DiagnosisConfidence, limit: DiagnosisConfidence) -> DiagnosisConfidence:
    return min(level, limit, key=LEVELS.index)


def _weakest_link(context: DiagnosisContext, root: RootCause) -> float:
    used = {
        edge for chain in context.causal_chains if chain.nodes[0] == root.id for edge in chain.edges
    }
    return min((belief_of(edge) for edge in context.subgraph.edges if edge.id in used), default=0.0)


def unseen(context: DiagnosisContext, root: RootCause) -> tuple[str, ...]:
    """What lies on the ways from a root and was not observed, the root itself first."""
    seen = {one.id for one in context.matched_entities}
    nodes = dict.fromkeys(
        node
        for chain in context.causal_chains
        if chain.nodes[0] == root.id
        for node in chain.nodes
        if node not in seen
    )
    return tuple(context.label(node) for node in nodes)
