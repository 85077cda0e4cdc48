"""A diagnosis in words: sentences by template, and the page a person reads."""

from collections.abc import Iterable

from groundwire._patterns import lazy_pattern
from groundwire.diagnose._conclusion import MAX_QUOTED, ceiling, unseen
from groundwire.gate import leading, the_root_cause
from groundwire.model import (
    Abstention,
    CausalEdge,
    Conclusion,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    DiagnosisReport,
    FixTaken,
    GroundedFact,
    Hypothesis,
    Observation,
    RootCause,
    Suggestion,
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
    said = {one.id: one.statement for one in context.matched_entities}
    return tuple(f"“{said[name]}”: {_way(context, root, name)}" for name in root.explains)


def _way(context: DiagnosisContext, root: RootCause, symptom: str) -> str:
    for chain in context.causal_chains:
        if (chain.nodes[0], chain.nodes[-1]) == (root.id, symptom):
            return " → ".join(map(context.label, chain.nodes))
    return root.label


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


# such as "*", "<"
_SPECIAL = lazy_pattern(r"([\\`*_\[\]<>#|])")


def to_markdown(outcome: DiagnosisReport | Abstention) -> str:
    parts = _abstention(outcome) if isinstance(outcome, Abstention) else _diagnosis(outcome)
    return "\n\n".join(parts) + "\n"


def _abstention(outcome: Abstention) -> list[str]:
    message = outcome.message.replace("CKG", "causal graph")  # the word of the specification
    parts = ["# No diagnosis", _plain(message), f"Reason: `{outcome.reason}`"]
    parts += _quoted("What was observed", outcome.observations)
    parts += _quoted("What is not known", outcome.missing_knowledge)
    causes = [one for one in outcome.suggestions if one.kind != "past_incident"]
    past = [one for one in outcome.suggestions if one.kind == "past_incident"]
    parts += _quoted("Possible causes, none of them claimed", map(_candidate, causes))
    parts += _quoted("Nearest past incidents, not a diagnosis", map(_candidate, past))
    action = outcome.action.model_extra or {}
    about, command = action.get("ground_documents_about", ()), action.get("suggested_command")
    parts += _quoted("Ground documents about", about)
    if command and about:
        parts.append(f"Then run: `{command}`")
    return parts


def _candidate(cause: Suggestion) -> str:
    return f"{cause.label}: {cause.detail}" if cause.detail else cause.label


def _diagnosis(outcome: DiagnosisReport) -> list[str]:
    found = outcome.diagnosis
    cause, confidence = _plain(found.conclusion.root_cause), found.conclusion.confidence
    parts = ["# Diagnosis", f"**Furthest known cause: {cause}** (confidence: {confidence})"]
    if outcome.verifier == "failed":
        parts.append("Not verified: little is known of this case, and the verifier failed.")
    parts += _quoted("Why", found.conclusion.justification)
    parts += _quoted("Observed in the report", [one.text for one in found.observations])
    parts += _listed("Known from the causal graph", map(_fact, found.ckg_grounded_facts))
    parts += _listed("Hypotheses, not verified", map(_hypothesis_lines, found.hypotheses))
    parts += _quoted("Next steps", found.next_steps)
    fixes = [f"{one.case_id}: {one.fix}" for one in found.historical_fixes]
    parts += _quoted("What helped before", fixes)
    past = [
        f"{one.title}: {one.fix}" if one.fix else one.title for one in outcome.similar_incidents
    ]
    parts += _quoted("Nearest past incidents", past)
    parts += _quoted("What is not known", outcome.missing_knowledge)
    return parts


def _fact(fact: GroundedFact) -> str:
    sources = ", ".join(dict.fromkeys(_plain(quote.doc_id) for quote in fact.evidence))
    return f"{_plain(fact.text)} ({sources})" if sources else _plain(fact.text)


def _hypothesis_lines(hypothesis: Hypothesis) -> str:
    lines = [f"{_plain(hypothesis.text)} (confidence: {hypothesis.confidence})"]
    lines += [f"  - because: {_plain(one)}" for one in hypothesis.why]
    lines += [f"  - would confirm it: {_plain(one)}" for one in hypothesis.what_would_confirm]
    return "\n".join(lines)


def _quoted(title: str, entries: Iterable[str]) -> list[str]:
    return _listed(title, map(_plain, entries))


def _listed(title: str, entries: Iterable[str]) -> list[str]:
    lines = [f"- {one}" for one in entries]
    return [f"## {title}", "\n".join(lines)] if lines else []


def _plain(text: str) -> str:
    """What others wrote stays text: it makes no links, headings or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
