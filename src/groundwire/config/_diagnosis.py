from typing import Literal

from pydantic import Field

from groundwire.config._section import Section


class DiagnosisSection(Section):
    """Diagnosis over a causal graph: when it abstains and what it may use [S0].

    The spec's own variables, such as `ENABLE_ABSTAIN_GATE`, set these too.
    """

    enable_abstain_gate: bool = Field(
        default=True,
        description="Abstain, before any model is asked, when the graph knows too little.",
        json_schema_extra={"env": "ENABLE_ABSTAIN_GATE"},
    )
    enable_low_coverage_verifier: bool = Field(
        default=True,
        description="Have a draft verified when the graph knows little.",
        json_schema_extra={"env": "ENABLE_LOW_COVERAGE_VERIFIER"},
    )
    abstain_min_root_causes: int = Field(
        default=1,
        ge=0,
        description="Fewer possible root causes than this abstain.",
        json_schema_extra={"env": "ABSTAIN_MIN_ROOT_CAUSES"},
    )
    abstain_min_chains: int = Field(
        default=1,
        ge=0,
        description="Fewer causal chains than this abstain.",
        json_schema_extra={"env": "ABSTAIN_MIN_CHAINS"},
    )
    abstain_min_input_coverage: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="A smaller share of the report's metrics and symptoms in the graph abstains.",
        json_schema_extra={"env": "ABSTAIN_MIN_INPUT_COVERAGE"},
    )
    abstain_when_undecided: bool = Field(
        default=True,
        description="Abstain when several causes explain the same, or only one of several "
        "observations points to a cause.",
    )
    min_required_nodes: int = Field(
        default=3,
        ge=0,
        description="Fewer different nodes in the causal chains than this is low coverage.",
        json_schema_extra={"env": "MIN_REQUIRED_NODES"},
    )
    similarity_floor: float = Field(
        default=0.45,
        ge=0,
        le=1,
        description="How like a name of a variable the words of a report must be, by vectors.",
    )
    lexical_link: float = Field(
        default=0.6,
        gt=0,
        le=1,
        description="The share of a variable's name that must stand in a report, by words.",
    )
    max_chain_length: int = Field(default=8, ge=1, description="Edges in one causal chain.")
    max_chains: int = Field(default=50, ge=1, description="Causal chains that are followed.")
    drafting: Literal["template", "llm"] = Field(
        default="template",
        description="Who words the report: quotes put in order, or the configured model.",
    )
