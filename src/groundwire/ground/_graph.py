"""Cycles: what causes itself is not known, so its weakest link stays out of the graph."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from groundwire.config import VerificationConfig
from groundwire.graph import find_fixes
from groundwire.ground._types import EdgeOutcome
from groundwire.model import (
    CausalEdge,
    CausalGraphFile,
    Document,
    GraphRun,
    GraphSource,
    Quote,
    Variable,
    evidence_id,
)
from groundwire.text import read

_PROSE = ("paragraph", "item", "row", "quote")
_LEAST_WORDS = 4
_MOST_WORDS = 40
_MOST_BESIDE = 60


def contest_cycles(edges: Sequence[CausalEdge]) -> list[CausalEdge]:
    """The edge of lowest belief in each cycle becomes `contested`, ties by id.

    All edges are looked at together, so the order in which they arrived does not matter: as long
    as grounded edges form cycles, the weakest edge that lies on any of them is taken out.
    """
    by_id = {edge.id: edge for edge in edges}
    grounded = {edge.id: edge for edge in edges if edge.edge_status == "grounded"}
    while on_cycle := _edges_on_cycles(grounded):
        weakest = min(on_cycle, key=lambda edge: (edge.belief or 0.0, edge.id))
        del grounded[weakest.id]
        by_id[weakest.id] = weakest.model_copy(
            update={
                "edge_status": "contested",
                "reason": "cycle",
                "message": "It closes a cycle of causes, and of that cycle it is the least sure.",
            }
        )
    return [by_id[edge.id] for edge in edges]


def _edges_on_cycles(edges: Mapping[str, CausalEdge]) -> list[CausalEdge]:
    """Those whose two ends lie in one strongly connected component."""
    following: dict[str, list[str]] = {}
    for edge in edges.values():
        following.setdefault(edge.from_var, []).append(edge.to_var)
        following.setdefault(edge.to_var, [])
    component = {
        node: number for number, nodes in enumerate(_components(following)) for node in nodes
    }
    return [edge for edge in edges.values() if component[edge.from_var] == component[edge.to_var]]


def _components(following: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Tarjan's algorithm, without recursion: chains may be longer than Python's stack."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: dict[str, None] = {}
    for root in following:
        if root in index:
            continue
        work = [(root, iter(following[root]))]
        index[root] = low[root] = len(index)
        open_nodes[root] = None
        while work:
            node, others = work[-1]
            other = next((one for one in others if one not in index or one in open_nodes), None)
            if other is not None and other not in index:
                index[other] = low[other] = len(index)
                open_nodes[other] = None
                work.append((other, iter(following[other])))
                continue
            if other is not None:
                low[node] = min(low[node], index[other])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                yield _closed(open_nodes, node)


def _closed(open_nodes: dict[str, None], node: str) -> list[str]:
    component = []
    while True:
        component.append(open_nodes.popitem()[0])
        if component[-1] == node:
            return component


def assemble(
    documents: Sequence[Document],
    variables: Sequence[Variable],
    outcomes: Sequence[EdgeOutcome],
    canaries: Sequence[EdgeOutcome],
    *,
    settings: VerificationConfig,
    judge: str,
) -> CausalGraphFile:
    edges = contest_cycles(sorted((one.edge for one in outcomes), key=lambda edge: edge.id))
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    bundles = {evidence_id(bundle): bundle for one in outcomes for bundle in one.evidence}
    quoted: dict[str, list[Quote]] = {}
    for edge in edges:
        for one in edge.evidence if edge.edge_status == "grounded" else ():
            quoted.setdefault(one.quote.doc_id, []).append(one.quote)
    run = summary(documents, [one.edge_status for one in edges], canaries, settings, judge)
    return CausalGraphFile(
        variables=tuple(one for one in variables if one.id in used),
        edges=tuple(edges),
        evidence=dict(sorted(bundles.items())),
        fixes=find_fixes(documents, variables, edges),
        sources=tuple(
            GraphSource(
                doc_id=one.doc_id,
                title=one.title,
                path=one.doc_id,
                sha256=one.sha256,
                beside=_beside(one, quoted.get(one.doc_id, ())),
            )
            for one in sorted(documents, key=lambda document: document.doc_id)
        ),
        run=run.model_copy(
            update={"reasons": dict(sorted(Counter(one.reason or "none" for one in edges).items()))}
        ),
    )


def _beside(document: Document, quoted: Sequence[Quote]) -> tuple[str, ...]:
    """What a document tells besides its causes, if it tells of any."""
    if not quoted:
        return ()
    found = (
        " ".join(one.text.split())
        for one in read(document.text).sentences
        if one.start >= document.body_start
        and one.block.kind in _PROSE
        and not any(one.start < quote.end and quote.start < one.end for quote in quoted)
    )
    kept = (text for text in found if _LEAST_WORDS <= len(text.split()) <= _MOST_WORDS)
    return tuple(dict.fromkeys(kept))[:_MOST_BESIDE]


def summary(
    documents: Sequence[Document],
    statuses: Sequence[str],
    canaries: Sequence[EdgeOutcome],
    settings: VerificationConfig,
    judge: str,
) -> GraphRun:
    """`duration_s` stays out of it, so that a resumed run writes the same file."""
    counted = Counter(statuses)
    determined = len(statuses) - counted["draft"]
    accepted = sum(one.edge.edge_status == "grounded" for one in canaries)
    rate = (counted["grounded"] + counted["contested"]) / determined if determined else None
    run = GraphRun(
        judge=judge,
        documents=len(documents),
        drafted=len(statuses),
        grounded=counted["grounded"],
        rejected=counted["rejected"],
        contested=counted["contested"],
        undetermined=counted["draft"],
        canaries=len(canaries),
        canaries_accepted=accepted,
        acceptance_rate=None if rate is None else round(rate, 4),
    )
    return run.model_copy(update={"warnings": tuple(_warnings(run, settings))})


def _warnings(run: GraphRun, settings: VerificationConfig) -> list[str]:
    warnings = []
    if run.canaries and run.canaries_accepted > settings.max_canary_acceptance * run.canaries:
        warnings.append(
            f"judge_broken: {run.canaries_accepted} of {run.canaries} planted false edges were "
            "accepted; do not rely on this graph."
        )
    if run.acceptance_rate is not None and run.acceptance_rate >= settings.acceptance_warning:
        share = f"{run.acceptance_rate:.0%}"
        warnings.append(f"accepts_nearly_all: {share} of the edges were grounded.")
    return warnings
