from typing import Literal

from pydantic import Field

from groundwire.model._claim import Model, Span
from groundwire.model._evidence import Quote
from groundwire.model._graph import CausalEdge, HistoricalFix, Variable

DiagnosisConfidence = Literal["low", "medium", "high"]
UNKNOWN_CAUSE = "UNKNOWN"


class Metric(Model):
    """A number in a report, as it stands there. `value` is in the base unit of `dimension`."""

    text: str
    value: float
    dimension: str
    statement: str
    span: Span
    bound_to: str | None = None


class MatchedEntity(Model):
    """A variable of the graph that a report speaks of, and the words by which it does.

    `score` is the likeness of those words to the variable's name. `is_absent` where the report
    says that it is not so, as in "no earth fault".
    """

    id: str
    label: str
    score: float
    mention: str
    statement: str
    span: Span
    is_absent: bool = False
    is_by_meaning: bool = False
    """No word of its name is said; what is said means it."""


class Symptom(Model):
    """A statement of a report that says something is wrong, or gives a metric."""

    statement: str
    span: Span
    bound_to: tuple[str, ...] = ()


class RootCause(Model):
    """A variable that nothing in the graph causes, and what of the report it would explain."""

    id: str
    label: str
    explains: tuple[str, ...] = ()
    belief: float = Field(default=0.0, ge=0, le=1)


class CausalChain(Model):
    """From a cause to a symptom: ids of variables, and of the edges between them."""

    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    belief: float = Field(ge=0, le=1)


class Subgraph(Model):
    variables: tuple[Variable, ...] = ()
    edges: tuple[CausalEdge, ...] = ()


class SimilarIncident(Model):
    """A document whose words or meaning come near a report, and what was done then. No cause is
    concluded from it."""

    doc_id: str
    title: str
    likeness: float = Field(ge=0, le=1)
    fix: str | None = None


class RuledOut(Model):
    """A known cause of something observed, and the sentence of the report that denies it."""

    cause: str
    effect: str
    statement: str


class DiagnosisContext(Model):
    """What the graph knows about a report [S0, `Retriever.retrieve`].

    `root_causes` are best first; those that explain the same are tied.
    """

    input_text: str
    metrics: tuple[Metric, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    matched_entities: tuple[MatchedEntity, ...] = ()
    root_causes: tuple[RootCause, ...] = ()
    causal_chains: tuple[CausalChain, ...] = ()
    subgraph: Subgraph = Subgraph()
    relevant_fixes: tuple[HistoricalFix, ...] = ()
    similar_incidents: tuple[SimilarIncident, ...] = ()
    ruled_out: tuple[RuledOut, ...] = ()
    similarity: Literal["vectors", "words"] = "words"

    def label(self, variable_id: str) -> str:
        return next((one.label for one in self.subgraph.variables if one.id == variable_id), "")


class CoverageReport(Model):
    """How much of a report the graph knows anything about [S0 1]."""

    matched_entities_count: int = Field(default=0, ge=0)
    root_causes_count: int = Field(default=0, ge=0)
    causal_chains_count: int = Field(default=0, ge=0)
    required_nodes_count: int = Field(default=0, ge=0)
    relevant_fixes_count: int = Field(default=0, ge=0)
    symptoms_count: int = Field(default=0, ge=0)
    top_similarity: float | None = None
    input_coverage: float = Field(default=0.0, ge=0, le=1)

    def figures(self) -> dict[str, int | float]:
        return dict(self.model_dump(exclude_none=True))


class Observation(Model):
    """Words of the report, verbatim."""

    text: str
    source: Literal["input"] = "input"


class GroundedFact(Model):
    """What the graph says, in the words of its evidence.

    A draft may lack `nodes`; a fact that does is no fact, and enforcement takes it out.
    """

    text: str
    source: Literal["ckg"] = "ckg"
    nodes: tuple[str, ...] = ()
    evidence: tuple[Quote, ...] = ()


class Hypothesis(Model):
    """Something that may be so and is not known."""

    text: str
    confidence: DiagnosisConfidence = "low"
    why: tuple[str, ...] = ()
    what_would_confirm: tuple[str, ...] = ()


class Conclusion(Model):
    root_cause: str = UNKNOWN_CAUSE
    confidence: DiagnosisConfidence = "low"
    justification: tuple[str, ...] = ()


class FixTaken(Model):
    case_id: str
    fix: str


class Diagnosis(Model):
    """A report that says of each sentence how it is known [S0 2]."""

    observations: tuple[Observation, ...] = ()
    ckg_grounded_facts: tuple[GroundedFact, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    conclusion: Conclusion = Conclusion()
    next_steps: tuple[str, ...] = ()
    historical_fixes: tuple[FixTaken, ...] = ()


ProblemType = Literal[
    "UNSUPPORTED_METRIC",
    "UNGROUNDED_ROOT_CAUSE",
    "OBSERVATION_NOT_VERBATIM",
    "FACT_WITHOUT_NODES",
    "UNKNOWN_NODE",
    "UNGROUNDED_LINK",
    "UNSUPPORTED_JUSTIFICATION",
    "UNKNOWN_NAME",
    "BOUND_TO_NOTHING",
    "DANGEROUS_STEP",
    "CONFIDENCE_TOO_HIGH",
    "UNKNOWN_FIX",
]
ProblemFix = Literal["remove", "downgrade_to_hypothesis", "set_to_unknown", "lower", "replace"]


class DiagnosisProblem(Model):
    """Something in a draft that the report and the graph do not support, and what became of it."""

    type: ProblemType
    span: str
    fix: ProblemFix


class VerifierVerdict(Model):
    """The answer of the verifier of drafts under low coverage [S0 3]."""

    status: Literal["OK", "NEEDS_REWRITE", "ABSTAIN"]
    problems: tuple[DiagnosisProblem, ...] = ()
    rewritten_report: Diagnosis | None = None


VerifierOutcome = Literal["not_needed", "off", "failed", "OK", "NEEDS_REWRITE", "ABSTAIN"]


class DiagnosisReport(Model):
    """The outcome of a diagnosis that was made. `problems` are what enforcement took out."""

    mode: Literal["ANSWER"] = "ANSWER"
    diagnosis: Diagnosis
    coverage: CoverageReport
    missing_knowledge: tuple[str, ...] = ()
    drafted_by: str
    verifier: VerifierOutcome = "not_needed"
    problems: tuple[DiagnosisProblem, ...] = ()
    similar_incidents: tuple[SimilarIncident, ...] = ()
    request_id: str
