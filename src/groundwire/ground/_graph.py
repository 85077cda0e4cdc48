"""All outcomes of a run as one graph file. Pure: the same outcomes give the same file."""

from collections import Counter
from collections.abc import Sequence

from groundwire.config import VerificationConfig
from groundwire.graph import find_fixes
from groundwire.ground._canaries import Canary
from groundwire.ground._cycles import contest_cycles
from groundwire.ground._types import EdgeOutcome
from groundwire.model import (
    CausalGraphFile,
    Document,
    GraphRun,
    GraphSource,
    Variable,
    evidence_id,
)

JUDGE_BROKEN = "judge_broken"
ACCEPTS_NEARLY_ALL = "accepts_nearly_all"


def assemble(
    documents: Sequence[Document],
    variables: Sequence[Variable],
    outcomes: Sequence[EdgeOutcome],
    canaries: Sequence[tuple[Canary, EdgeOutcome]],
    *,
    settings: VerificationConfig,
    judge: str,
) -> CausalGraphFile:
    edges = contest_cycles(sorted((one.edge for one in outcomes), key=lambda edge: edge.id))
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    bundles = {evidence_id(bundle): bundle for one in outcomes for bundle in one.evidence}
    run = summary(documents, [one.edge_status for one in edges], canaries, settings, judge)
    return CausalGraphFile(
        variables=tuple(one for one in variables if one.id in used),
        edges=tuple(edges),
        evidence=dict(sorted(bundles.items())),
        fixes=find_fixes(documents, variables, edges),
        sources=tuple(
            GraphSource(doc_id=one.doc_id, title=one.title, path=one.doc_id, sha256=one.sha256)
            for one in sorted(documents, key=lambda document: document.doc_id)
        ),
        run=run.model_copy(
            update={"reasons": dict(sorted(Counter(one.reason or "none" for one in edges).items()))}
        ),
    )


def summary(
    documents: Sequence[Document],
    statuses: Sequence[str],
    canaries: Sequence[tuple[Canary, EdgeOutcome]],
    settings: VerificationConfig,
    judge: str,
) -> GraphRun:
    """`duration_s` stays out of it, so that a resumed run writes the same file."""
    counted = Counter(statuses)
    determined = len(statuses) - counted["draft"]
    accepted = sum(outcome.edge.edge_status == "grounded" for _, outcome in canaries)
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
            f"{JUDGE_BROKEN}: {run.canaries_accepted} of {run.canaries} planted false edges were "
            "accepted; do not rely on this graph."
        )
    if run.acceptance_rate is not None and run.acceptance_rate >= settings.acceptance_warning:
        warnings.append(
            f"{ACCEPTS_NEARLY_ALL}: {run.acceptance_rate:.0%} of the edges were grounded."
        )
    return warnings
