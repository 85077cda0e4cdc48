"""What the conclusion rests on: the leading chain, and what the report itself says of it."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from groundwire._patterns import lazy_pattern
from groundwire.encoder import reader_calibration
from groundwire.gate import leading, the_root_cause
from groundwire.graph import belief_of
from groundwire.model import (
    Abstention,
    Action,
    CoverageReport,
    Decision,
    DiagnosisConfidence,
    DiagnosisContext,
    RootCause,
    Suggestion,
)
from groundwire.values import Identifier, Period, Quantity, Value, same_value, values_in

# such as "42"
_DIGITS = lazy_pattern(r"\d+")


class KnownNumbers:
    """The values of some texts. `725 mV` is known where `0.725 V` is."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._values: list[Value] = []
        self._signs: set[str] = set()
        for text in dict.fromkeys(texts):
            self._values += _numbers(text)
            self._signs.update(sign for sign, _ in _signs(text))

    def strangers_in(self, text: str) -> list[str]:
        """What a text says in numbers, dates and codes that none of the known texts says."""
        numbers = _numbers(text)
        strangers = [
            one.text for one in numbers if not any(same_value(one, own) for own in self._values)
        ]
        for sign, place in _signs(text):
            is_read = any(one.start <= place < one.end for one in numbers)
            if not is_read and sign not in self._signs:
                strangers.append(sign)
        return strangers


def _numbers(text: str) -> list[Value]:
    return [
        one
        for one in values_in(text)
        if isinstance(one, Period | Identifier) or (isinstance(one, Quantity) and not one.weak)
    ]


def _signs(text: str) -> Iterator[tuple[str, int]]:
    """Runs of digits, and single characters that are a number, such as ½ and Ⅷ."""
    for digits in _DIGITS.finditer(text):
        yield digits.group(), digits.start()
    for place, character in enumerate(text):
        is_other = not character.isascii() and not character.isdecimal()
        if is_other and unicodedata.numeric(character, None) is not None:
            yield character, place


_CORROBORATED = 2
LEVELS: tuple[DiagnosisConfidence, ...] = ("low", "medium", "high")


def ceiling(context: DiagnosisContext, coverage: CoverageReport) -> DiagnosisConfidence:
    """The most confidence a conclusion may have, whoever drafted it [S0 2]."""
    root = the_root_cause(context)
    if root is None or not coverage.causal_chains_count:
        return "low"
    present = {one.id for one in context.matched_entities if not one.is_absent}
    if all(one.is_by_meaning for one in context.matched_entities if not one.is_absent):
        return "low"
    weakest = _weakest_link(context, root)
    tuned = reader_calibration().diagnosis
    explains_all = present <= set(root.explains)
    if (
        explains_all
        and len(root.explains) >= _CORROBORATED
        and coverage.input_coverage >= tuned.high_coverage
        and weakest >= tuned.high_belief
    ):
        return "high"
    is_known = coverage.input_coverage >= tuned.medium_coverage and weakest >= tuned.medium_belief
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


MAX_QUOTED = 20
_AUGMENT_INPUTS = ("raw_report", "raw_debug_query", "agent_output", "judge_feedback")


def abstention(
    decision: Decision, context: DiagnosisContext, coverage: CoverageReport
) -> Abstention:
    """What a gate that did not let a report by says to whoever sent it."""
    return Abstention(
        reason=decision.reason or decision.effect,
        message=_message(decision),
        observations=tuple(one.statement for one in context.symptoms[:MAX_QUOTED]),
        missing_knowledge=missing_knowledge(context),
        coverage=coverage.figures(),
        suggestions=(*_candidates(context), *_incidents(context)),
        action=Action.model_validate(
            {
                "next_step": "REQUEST_MORE_DATA_OR_AUGMENT_CKG",
                "suggested_ckg_augment_inputs": _AUGMENT_INPUTS,
                "suggested_command": "gw ground DOC... --out GRAPH",
                "ground_documents_about": _wanted(context),
            }
        ),
    )


def _message(decision: Decision) -> str:
    if decision.check == "failed":
        return f"Little is known of this case, and the verifier failed: {decision.message}"
    return decision.message or "No diagnosis is given."


def _candidates(context: DiagnosisContext) -> tuple[Suggestion, ...]:
    """Causes that may be looked into; none of them is claimed."""
    return tuple(
        Suggestion(
            id=root.id,
            label=root.label,
            kind="possible_root_cause",
            detail=f"look for: {', '.join(away)}" if (away := unseen(context, root)) else None,
        )
        for root in leading(context)[:MAX_QUOTED]
    )


def _incidents(context: DiagnosisContext) -> tuple[Suggestion, ...]:
    """What came nearest before, and what was done then; nothing is concluded from it."""
    return tuple(
        Suggestion(
            id=one.doc_id,
            label=one.title,
            kind="past_incident",
            detail=one.fix,
            score=one.likeness,
        )
        for one in context.similar_incidents
    )


def missing_knowledge(context: DiagnosisContext) -> tuple[str, ...]:
    """What the graph would have to know, most pressing first."""
    unbound = [one.statement for one in context.symptoms if not one.bound_to]
    missing = [f"Nothing in the graph is about: “{one}”" for one in unbound[:MAX_QUOTED]]
    missing += [
        f"A known cause of {one.effect!r}, {one.cause!r}, is ruled out by the report: "
        f"“{one.statement}”"
        for one in context.ruled_out[:MAX_QUOTED]
    ]
    ruled_out = {one.effect for one in context.ruled_out}
    unknown = [one for one in _without_cause(context) if one not in ruled_out]
    missing += [f"No cause of {one!r} is known." for one in unknown]
    tied = leading(context)
    if len(tied) > 1:
        names = ", ".join(repr(root.label) for root in tied)
        missing.append(f"What would tell these causes apart: {names}.")
    if not context.symptoms:
        missing.append("A metric or a symptom: what was measured or seen, and how much.")
    return tuple(missing)


def _without_cause(context: DiagnosisContext) -> Sequence[str]:
    explained = {node for chain in context.causal_chains for node in chain.nodes}
    return [
        one.label
        for one in context.matched_entities
        if not one.is_absent and one.id not in explained
    ]


def _wanted(context: DiagnosisContext) -> tuple[str, ...]:
    """What documents should speak of, to close the gap."""
    unbound = [one.statement for one in context.symptoms if not one.bound_to]
    causes = [f"what causes {one}" for one in _without_cause(context)]
    return tuple((unbound + causes)[:MAX_QUOTED])
