from groundwire.model import CoverageReport, DiagnosisContext


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
