"""A diagnosis put together from quotes and labels: with no model, nothing can be invented."""

from groundwire.diagnose._gate import MAX_QUOTED
from groundwire.diagnose._lead import ceiling, leading, the_root_cause, unseen
from groundwire.model import (
    CausalChain,
    CausalEdge,
    Conclusion,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    FixTaken,
    GroundedFact,
    Hypothesis,
    Observation,
    RootCause,
)

_MAX_HYPOTHESES = 5
_MAX_FACTS = 20


def drafted(context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis:
    return Diagnosis(
        observations=observations(context),
        ckg_grounded_facts=facts(context),
        hypotheses=_hypotheses(context),
        conclusion=conclusion(context, coverage),
        next_steps=_next_steps(context),
        historical_fixes=fixes(context),
    )


def observations(context: DiagnosisContext) -> tuple[Observation, ...]:
    bound_first = sorted(context.symptoms, key=lambda one: not one.bound_to)
    return tuple(Observation(text=one.statement) for one in bound_first[:MAX_QUOTED])


def facts(context: DiagnosisContext) -> tuple[GroundedFact, ...]:
    """The edges from the likeliest causes to what was observed, each with its quotes."""
    roots = {root.id for root in leading(context)}
    wanted = dict.fromkeys(
        edge for chain in context.causal_chains if chain.nodes[0] in roots for edge in chain.edges
    )
    edges = {edge.id: edge for edge in context.subgraph.edges}
    found = [fact_of(edges[name], context) for name in wanted if name in edges]
    return tuple(found[:_MAX_FACTS])


def fact_of(edge: CausalEdge, context: DiagnosisContext) -> GroundedFact:
    cause, effect = context.label(edge.from_var), context.label(edge.to_var)
    quotes = tuple(one.quote for one in edge.evidence)
    said = f": “{' '.join(quotes[0].quote.split())}”" if quotes else ""
    return GroundedFact(text=f"{cause} → {effect}{said}", nodes=(cause, effect), evidence=quotes)


def conclusion(context: DiagnosisContext, coverage: CoverageReport) -> Conclusion:
    root = the_root_cause(context)
    if root is None:
        return Conclusion(justification=_why_unknown(context))
    return Conclusion(
        root_cause=root.label,
        confidence=ceiling(context, coverage),
        justification=justification(context, root),
    )


def justification(context: DiagnosisContext, root: RootCause) -> tuple[str, ...]:
    """One line for each thing observed, and the way that leads to it."""
    lines: list[str] = []
    for name in root.explains:
        said = next(one for one in context.matched_entities if one.id == name)
        chain = _chain(context, root.id, name)
        way = " → ".join(context.label(node) for node in chain.nodes) if chain else root.label
        lines.append(f"“{said.statement}”: {way}")
    return tuple(lines)


def _why_unknown(context: DiagnosisContext) -> tuple[str, ...]:
    tied = leading(context)
    if not tied:
        return ("No root cause in the graph leads to what was observed.",)
    names = ", ".join(root.label for root in tied)
    return (f"What was observed does not tell these apart: {names}.",)


def _hypotheses(context: DiagnosisContext) -> tuple[Hypothesis, ...]:
    root = the_root_cause(context)
    others = [one for one in context.root_causes if root is None or one.id != root.id]
    return tuple(_hypothesis(one, context) for one in others[:_MAX_HYPOTHESES])


def _hypothesis(root: RootCause, context: DiagnosisContext) -> Hypothesis:
    return Hypothesis(
        text=f"The root cause may be: {root.label}.",
        confidence="low",
        why=tuple(f"It would explain: {context.label(name)}." for name in root.explains),
        what_would_confirm=tuple(
            f"Find out whether there is: {label}." for label in unseen(context, root)
        ),
    )


def _next_steps(context: DiagnosisContext) -> tuple[str, ...]:
    steps = [f"Check for: {label}." for root in leading(context) for label in unseen(context, root)]
    unbound = [one.statement for one in context.symptoms if not one.bound_to]
    steps += [f"Explain what the graph does not know: “{one}”" for one in unbound[:3]]
    return tuple(dict.fromkeys(steps))


def fixes(context: DiagnosisContext) -> tuple[FixTaken, ...]:
    return tuple(FixTaken(case_id=one.case_id, fix=one.fix) for one in context.relevant_fixes)


def _chain(context: DiagnosisContext, root: str, symptom: str) -> CausalChain | None:
    ends = (chain for chain in context.causal_chains if chain.nodes[-1] == symptom)
    return next((chain for chain in ends if chain.nodes[0] == root), None)
