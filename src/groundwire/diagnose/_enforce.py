"""The rules of the schema, held by code after the draft: a prompt only asks [S0 2, RULINGS]."""

from collections.abc import Iterable

from groundwire._patterns import lazy_pattern
from groundwire.diagnose import _report
from groundwire.diagnose._conclusion import KnownNumbers, at_most, ceiling
from groundwire.diagnose._danger import is_dangerous, without_danger
from groundwire.gate import the_root_cause
from groundwire.model import (
    UNKNOWN_CAUSE,
    CausalEdge,
    Conclusion,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    DiagnosisProblem,
    FixTaken,
    GroundedFact,
    Hypothesis,
    Observation,
    ProblemFix,
    ProblemType,
)
from groundwire.text import content_terms, find_quote

MAX_TEXT_CHARS = 1_000
MAX_ENTRIES = 30
_READ_WHOLE_CHARS = 20_000


def enforce(
    draft: Diagnosis, context: DiagnosisContext, coverage: CoverageReport
) -> tuple[Diagnosis, tuple[DiagnosisProblem, ...]]:
    """The draft with everything taken out that the report and the graph do not support.

    - an observation stands verbatim in the report
    - a fact is an edge of the graph, and is worded by its evidence, not by the draft
    - no number is said that the report does not give, by value and unit
    - the root cause is the one that explains most, or unknown; its confidence has a ceiling
    """
    return _Enforcement(context, coverage).run(draft)


class _Enforcement:
    def __init__(self, context: DiagnosisContext, coverage: CoverageReport) -> None:
        self._context = context
        self._coverage = coverage
        self._problems: list[DiagnosisProblem] = []
        names = [name for one in context.subgraph.variables for name in one.names]
        self._numbers = KnownNumbers([*_read_texts(context), *names])
        known = [*_read_texts(context), *names, *_quotes(context)]
        self._known = "\n".join(known).casefold()
        self._terms = set(content_terms(self._known.replace("_", " ")))
        self._ids = {
            name.casefold(): one.id
            for one in context.subgraph.variables
            for name in (one.id, *one.names)
        }

    def run(self, draft: Diagnosis) -> tuple[Diagnosis, tuple[DiagnosisProblem, ...]]:
        context, coverage = self._context, self._coverage
        facts, doubtful = self._facts(draft.ckg_grounded_facts[:MAX_ENTRIES])
        conclusion, claimed = self._conclusion(draft.conclusion)
        hypotheses = [*self._hypotheses(draft.hypotheses[:MAX_ENTRIES]), *doubtful, *claimed]
        held = Diagnosis(
            observations=self._observations(draft.observations[:MAX_ENTRIES])
            or _report.observations(context),
            ckg_grounded_facts=facts or _report.facts(context),
            hypotheses=tuple(dict.fromkeys(hypotheses)),
            conclusion=conclusion or _report.conclusion(context, coverage),
            next_steps=self._sayable(draft.next_steps),
            historical_fixes=self._fixes(draft.historical_fixes),
        )
        return held, tuple(self._problems)

    def _report(self, kind: ProblemType, text: str, fix: ProblemFix) -> None:
        self._problems.append(DiagnosisProblem(type=kind, span=text[:MAX_TEXT_CHARS], fix=fix))

    def _observations(self, given: Iterable[Observation]) -> tuple[Observation, ...]:
        kept: dict[str, Observation] = {}
        for one in given:
            found = find_quote(one.text, self._context.input_text)
            if found is None:
                self._report("OBSERVATION_NOT_VERBATIM", one.text, "remove")
                continue
            text = found.of(self._context.input_text)[:MAX_TEXT_CHARS]
            kept[text] = Observation(text=text)
        return tuple(kept.values())

    def _facts(
        self, given: Iterable[GroundedFact]
    ) -> tuple[tuple[GroundedFact, ...], list[Hypothesis]]:
        """What joins no nodes of the graph is at most a hypothesis [S0 3, verifier rules]."""
        kept: dict[str, GroundedFact] = {}
        doubtful: list[Hypothesis] = []
        for one in given:
            edges = self._edges_between(one)
            for edge in edges:
                kept[edge.id] = _report.fact_of(edge, self._context)
            if not edges and self._is_sayable(one.text):
                doubtful.append(Hypothesis(text=one.text[:MAX_TEXT_CHARS]))
        return tuple(kept.values()), doubtful

    def _edges_between(self, fact: GroundedFact) -> list[CausalEdge]:
        ids = [self._ids.get(name.casefold().strip()) for name in fact.nodes[:MAX_ENTRIES]]
        if not ids:
            self._report("FACT_WITHOUT_NODES", fact.text, "downgrade_to_hypothesis")
            return []
        if None in ids:
            self._report("UNKNOWN_NODE", fact.text, "downgrade_to_hypothesis")
            return []
        edges = [
            edge
            for edge in self._context.subgraph.edges
            if edge.from_var in ids and edge.to_var in ids
        ]
        if not edges:
            self._report("UNGROUNDED_LINK", fact.text, "downgrade_to_hypothesis")
        return edges

    def _hypotheses(self, given: Iterable[Hypothesis]) -> list[Hypothesis]:
        limit = ceiling(self._context, self._coverage)
        return [
            Hypothesis(
                text=one.text[:MAX_TEXT_CHARS],
                confidence=at_most(one.confidence, limit),
                why=self._sayable(one.why),
                what_would_confirm=self._sayable(one.what_would_confirm),
            )
            for one in given
            if self._is_sayable(one.text)
        ]

    def _conclusion(self, given: Conclusion) -> tuple[Conclusion | None, list[Hypothesis]]:
        """Which root cause it is follows from the graph; a draft may only be less sure of it."""
        root = the_root_cause(self._context)
        claimed = self._ids.get(given.root_cause.casefold().strip())
        if given.root_cause != UNKNOWN_CAUSE and (root is None or claimed != root.id):
            self._report("UNGROUNDED_ROOT_CAUSE", given.root_cause, "downgrade_to_hypothesis")
            text = f"The root cause may be: {given.root_cause[:MAX_TEXT_CHARS]}."
            return None, [Hypothesis(text=text)] if self._is_sayable(text) else []
        if root is None or given.root_cause == UNKNOWN_CAUSE:
            return None, []
        limit = ceiling(self._context, self._coverage)
        confidence = at_most(given.confidence, limit)
        if confidence != given.confidence:
            self._report("CONFIDENCE_TOO_HIGH", given.confidence, "lower")
        own = _report.justification(self._context, root)
        reasons = tuple(one for one in self._sayable(given.justification) if self._cites(one))
        return Conclusion(
            root_cause=root.label, confidence=confidence, justification=reasons or own
        ), []

    def _cites(self, text: str) -> bool:
        """Whether it names a node of the graph or quotes what was observed."""
        said = text.casefold()
        quoted = any(one.statement.casefold() in said for one in self._context.symptoms)
        if quoted or any(name in said for name in self._ids):
            return True
        self._report("UNSUPPORTED_JUSTIFICATION", text, "remove")
        return False

    def _fixes(self, given: Iterable[FixTaken]) -> tuple[FixTaken, ...]:
        """A draft may choose among the fixes of the graph; their words are the graph's."""
        known = {one.case_id: one for one in _report.fixes(self._context)}
        for one in given:
            if one.case_id not in known:
                self._report("UNKNOWN_FIX", f"{one.case_id}: {one.fix}", "remove")
        chosen = [known[one.case_id] for one in given if one.case_id in known]
        return tuple(dict.fromkeys(chosen)) or tuple(known.values())

    def _sayable(self, given: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                one[:MAX_TEXT_CHARS] for one in list(given)[:MAX_ENTRIES] if self._is_sayable(one)
            )
        )

    def _is_sayable(self, text: str) -> bool:
        if is_dangerous(text):
            self._report("DANGEROUS_STEP", without_danger(text), "remove")
            return False
        strangers = self._numbers.strangers_in(text[:MAX_TEXT_CHARS])
        for stranger in strangers:
            self._report("UNSUPPORTED_METRIC", stranger, "remove")
        return not strangers and bool(text.strip()) and self._is_bound(text[:MAX_TEXT_CHARS])

    def _is_bound(self, text: str) -> bool:
        """Whether it speaks of what was observed or of the graph, and names nobody else."""
        unknown = next((one for one in _names_in(text) if one.casefold() not in self._known), None)
        if unknown is not None:
            self._report("UNKNOWN_NAME", unknown, "remove")
            return False
        # a number that is let by is one of the report's
        has_number = any(char.isdigit() for char in text)
        if not has_number and not self._terms & set(content_terms(text)):
            self._report("BOUND_TO_NOTHING", text, "remove")
            return False
        return True


# such as "`etcd`", "node-7", "PrtStat", "DNS", and "Berlin" where no sentence begins
_NAME = lazy_pattern(
    r"`([^`\n]{1,60})`|\b([A-Za-z][\w-]*\d[\w-]*|\w+_\w+|[a-z]{2,}[A-Z]\w+|[A-Z]{2,}\w*)\b"
    r"|(?<=[a-z,] )([A-Z][a-z]+)\b"
)


def _names_in(text: str) -> list[str]:
    return [one for match in _NAME.finditer(text) for one in match.groups() if one]


def _quotes(context: DiagnosisContext) -> list[str]:
    evidence = (one for edge in context.subgraph.edges for one in edge.evidence)
    fixes = (one.fix for one in context.relevant_fixes)
    return [*(one.quote.quote for one in evidence), *fixes]


def _read_texts(context: DiagnosisContext) -> list[str]:
    """The beginning whole, and every statement: a number may read otherwise by itself."""
    symptoms = [one.statement for one in context.symptoms]
    spoken_of = [one.statement for one in context.matched_entities]
    return [context.input_text[:_READ_WHOLE_CHARS], *symptoms, *spoken_of]
