"""Small graphs for tests: every edge quotes a sentence that says it."""

from groundwire.model import (
    CausalEdge,
    CausalGraphFile,
    EdgeEvidence,
    EvidenceBundle,
    HistoricalFix,
    Quote,
    Variable,
    VariableType,
    edge_id,
    evidence_id,
)


def variable(name: str, *aliases: str, kind: VariableType = "other") -> Variable:
    return Variable(id=name.lower().replace(" ", "_"), label=name, aliases=aliases, type=kind)


def graph_of(
    *statements: tuple[str, str, str],
    variables: tuple[Variable, ...] = (),
    fixes: tuple[HistoricalFix, ...] = (),
) -> CausalGraphFile:
    """A graph whose edges are `(from label, to label, the sentence that says so)`."""
    known = {one.label: one for one in variables}
    edges: list[CausalEdge] = []
    evidence: dict[str, EvidenceBundle] = {}
    for number, (cause, effect, sentence) in enumerate(statements):
        for label in (cause, effect):
            known.setdefault(label, variable(label))
        bundle = EvidenceBundle.of(sentence, f"report-{number}", title=f"Report {number}")
        evidence[evidence_id(bundle)] = bundle
        quote = Quote(doc_id=f"report-{number}", quote=sentence, start=0, end=len(sentence))
        edges.append(
            CausalEdge(
                id=edge_id(known[cause].id, known[effect].id),
                from_var=known[cause].id,
                to_var=known[effect].id,
                mechanism=sentence,
                edge_status="grounded",
                belief=0.9,
                evidence_strength="strong",
                evidence=(EdgeEvidence(evidence_id=evidence_id(bundle), quote=quote),),
                reason="supported",
            )
        )
    return CausalGraphFile(
        variables=tuple(known.values()), edges=tuple(edges), evidence=evidence, fixes=fixes
    )
