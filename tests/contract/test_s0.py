"""S0: the names, the numbers and the documents that the specification itself writes down."""

import json

import pytest

from groundwire.config import load_config
from groundwire.diagnose import Retriever, abstention
from groundwire.gate import judge_coverage
from groundwire.graph import coverage_of
from groundwire.llm import portable_schema
from groundwire.model import Diagnosis, VerifierVerdict
from tests.diagnose.make import CKG, HOT, UNSEEN


@pytest.mark.parametrize(
    ("variable", "value", "key", "read"),
    [
        ("ENABLE_ABSTAIN_GATE", "false", "enable_abstain_gate", False),
        ("ENABLE_LOW_COVERAGE_VERIFIER", "false", "enable_low_coverage_verifier", False),
        ("ABSTAIN_MIN_ROOT_CAUSES", "2", "abstain_min_root_causes", 2),
        ("ABSTAIN_MIN_CHAINS", "3", "abstain_min_chains", 3),
        ("ABSTAIN_MIN_INPUT_COVERAGE", "0.75", "abstain_min_input_coverage", 0.75),
        ("MIN_REQUIRED_NODES", "4", "min_required_nodes", 4),
    ],
)
def test_the_env_flags_are_real(variable: str, value: str, key: str, read: object) -> None:
    section = load_config(environ={variable: value}).config.diagnosis
    assert getattr(section, key) == read


def test_both_features_are_on_by_default_with_the_documents_thresholds() -> None:
    section = load_config(environ={}).config.diagnosis
    assert section.enable_abstain_gate
    assert section.enable_low_coverage_verifier
    assert (section.abstain_min_root_causes, section.abstain_min_chains) == (1, 1)
    assert (section.min_required_nodes, section.abstain_min_input_coverage) == (3, 0.5)


def test_our_own_variable_outranks_the_documents() -> None:
    environ = {"MIN_REQUIRED_NODES": "4", "GROUNDWIRE_DIAGNOSIS__MIN_REQUIRED_NODES": "5"}
    assert load_config(environ=environ).config.diagnosis.min_required_nodes == 5


def test_the_abstention_has_the_documents_shape() -> None:
    context = Retriever(CKG).retrieve(UNSEEN)
    coverage = coverage_of(context)
    decision = judge_coverage(context, coverage, load_config(environ={}).config.diagnosis)
    said = abstention(decision, context, coverage).model_dump(mode="json")
    assert said["mode"] == "ABSTAIN"
    assert said["message"] == "Insufficient CKG coverage to support grounded diagnosis"
    for count in (
        "matched_entities_count",
        "root_causes_count",
        "causal_chains_count",
        "relevant_fixes_count",
    ):
        assert said["coverage"][count] == 0
    assert said["observations"] == ["The oven shows 230 °C.", "The dough is 2 °C too cold."]
    assert said["missing_knowledge"]
    assert said["action"]["next_step"] == "REQUEST_MORE_DATA_OR_AUGMENT_CKG"
    assert said["action"]["suggested_ckg_augment_inputs"] == [
        "raw_report",
        "raw_debug_query",
        "agent_output",
        "judge_feedback",
    ]


def test_the_epistemic_schema_reads_the_documents_example() -> None:
    example = {
        "observations": [{"text": "VCORE 725mV usage is 29.32%", "source": "input"}],
        "ckg_grounded_facts": [
            {
                "text": "SW_REQ2 indicates CM involvement",
                "source": "ckg",
                "nodes": ["SW_REQ2", "CM"],
            }
        ],
        "hypotheses": [
            {
                "text": "CM voting is raising VCORE ceiling",
                "confidence": "low",
                "why": ["reasons"],
                "what_would_confirm": ["missing evidence"],
            }
        ],
        "conclusion": {"root_cause": "CM", "confidence": "low", "justification": ["cited"]},
        "next_steps": ["..."],
        "historical_fixes": [{"case_id": "fix_x", "fix": "..."}],
    }
    read = Diagnosis.model_validate_json(json.dumps(example))
    said = read.model_dump(mode="json")
    said["ckg_grounded_facts"][0].pop("evidence")
    assert said == example


def test_the_verifiers_contract_reads_the_documents_example() -> None:
    example = {
        "status": "NEEDS_REWRITE",
        "problems": [
            {"type": "UNSUPPORTED_METRIC", "span": "...", "fix": "remove"},
            {"type": "UNGROUNDED_ROOT_CAUSE", "span": "...", "fix": "downgrade_to_hypothesis"},
        ],
    }
    verdict = VerifierVerdict.model_validate(example)
    assert [one.type for one in verdict.problems] == ["UNSUPPORTED_METRIC", "UNGROUNDED_ROOT_CAUSE"]


def test_models_can_be_held_to_both_schemas() -> None:
    assert set(portable_schema(Diagnosis)["properties"]) == set(Diagnosis.model_fields)
    assert portable_schema(VerifierVerdict)["properties"]["status"]["enum"] == [
        "OK",
        "NEEDS_REWRITE",
        "ABSTAIN",
    ]


def test_retrieve_gives_every_part_the_rulings_name() -> None:
    context = Retriever(CKG).retrieve(HOT)
    assert context.metrics
    assert context.matched_entities
    assert context.root_causes
    assert context.causal_chains
    assert context.subgraph.edges
    assert context.relevant_fixes
