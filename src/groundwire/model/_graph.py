from hashlib import sha256
from typing import Literal

from pydantic import Field

from groundwire.model._claim import Model
from groundwire.model._evidence import EvidenceBundle, Quote

GRAPH_SCHEMA_VERSION = 1

VariableType = Literal["metric", "event", "state", "component", "setting", "other"]
EdgeStatus = Literal["draft", "grounded", "rejected", "contested"]
EvidenceStrength = Literal["strong", "moderate", "weak"]
EdgeSign = Literal["raises", "lowers", "prevents"]
SIGN_WORDS: dict[EdgeSign, str] = {"raises": "→", "lowers": "lessens", "prevents": "prevents"}
"""What stands between the two ends of an edge where people read it."""
"""What a cause does to its effect: brings it about or adds to it, lessens it, keeps it away."""
EvidenceSide = Literal["support", "refute", "reversed"]
SupportType = Literal["direct_causal", "correlation_only", "irrelevant"]


class Variable(Model):
    """Something that can be a cause or an effect, under one name and all its others."""

    id: str = Field(min_length=1)
    label: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    type: VariableType = "other"
    doc_id: str | None = None
    """Of a name that means another thing in every document ("the outage"): whose it is."""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.label, *self.aliases)


class DraftEdge(Model):
    """What an extractor thinks it read. No citation: finding evidence is another's work [S1.2]."""

    from_var: str
    to_var: str
    mechanism: str
    sign: EdgeSign = "raises"
    strength: EvidenceStrength | None = None
    chain_of_thought: str | None = None


class EdgeEvidence(Model):
    """A verbatim quote that speaks for or against an edge, and the bundle it stands in.

    `evidence_id` is a key of `CausalGraphFile.evidence`.
    """

    evidence_id: str
    quote: Quote
    side: EvidenceSide = "support"
    support_type: SupportType = "direct_causal"
    confidence: float | None = Field(default=None, ge=0, le=1)


class CausalEdge(Model):
    """`from_var` causes `to_var`, and how surely that is known.

    `from_var` and `to_var` are ids of variables. `reason` is a code and `message` the sentence;
    both are there for every status but `draft`. `evidence_strength` comes from `belief`, never
    from what the extractor thought [S1].
    """

    id: str = Field(min_length=1)
    from_var: str
    to_var: str
    mechanism: str = ""
    sign: EdgeSign = "raises"
    edge_status: EdgeStatus = "draft"
    belief: float | None = Field(default=None, ge=0, le=1)
    evidence_strength: EvidenceStrength | None = None
    evidence: tuple[EdgeEvidence, ...] = ()
    refutations: tuple[EdgeEvidence, ...] = ()
    reason: str | None = None
    message: str | None = None
    assumptions: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    attempted_queries: tuple[str, ...] = ()


class HistoricalFix(Model):
    """What was done about something once: the words of the report, and what they speak of."""

    case_id: str
    fix: str
    variables: tuple[str, ...] = ()
    quote: Quote | None = None


class GraphSource(Model):
    """A document the graph was made from, as it was then."""

    doc_id: str
    title: str | None = None
    path: str | None = None
    sha256: str
    beside: tuple[str, ...] = ()
    """Sentences that tell of no cause the graph holds: a report may be about one of those."""


class GraphRun(Model):
    """What happened while the graph was made."""

    judge: str | None = None
    documents: int = Field(default=0, ge=0)
    drafted: int = Field(default=0, ge=0)
    grounded: int = Field(default=0, ge=0)
    rejected: int = Field(default=0, ge=0)
    contested: int = Field(default=0, ge=0)
    undetermined: int = Field(default=0, ge=0)
    reasons: dict[str, int] = Field(default_factory=dict)
    canaries: int = Field(default=0, ge=0)
    canaries_accepted: int = Field(default=0, ge=0)
    acceptance_rate: float | None = Field(default=None, ge=0, le=1)
    duration_s: float = Field(default=0.0, ge=0)
    warnings: tuple[str, ...] = ()


class CausalGraphFile(Model):
    """Everything grounding found, the rejected with the grounded. The CKG is its grounded edges."""

    schema_version: int = GRAPH_SCHEMA_VERSION
    variables: tuple[Variable, ...] = ()
    edges: tuple[CausalEdge, ...] = ()
    evidence: dict[str, EvidenceBundle] = Field(default_factory=dict)
    fixes: tuple[HistoricalFix, ...] = ()
    sources: tuple[GraphSource, ...] = ()
    run: GraphRun = GraphRun()


def evidence_id(bundle: EvidenceBundle) -> str:
    """The same passage has the same id in every run."""
    where = f"{bundle.source.doc_id}\n{bundle.location.start}\n{bundle.sha256}"
    return "ev-" + sha256(where.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def edge_id(from_var: str, to_var: str) -> str:
    return f"{from_var}->{to_var}"
