import pytest
from pydantic import ValidationError

from groundwire.model import Abstention, Action

ASKED_FOR = {
    "mode": "ABSTAIN",
    "reason": "insufficient_coverage",
    "message": "Insufficient CKG coverage to support grounded diagnosis",
    "coverage": {
        "matched_entities_count": 0,
        "root_causes_count": 0,
        "causal_chains_count": 0,
        "relevant_fixes_count": 0,
    },
    "observations": ["VCORE 725mV usage is 29.32%"],
    "missing_knowledge": ["a causal chain that ends in this symptom"],
    "suggestions": [],
    "action": {
        "next_step": "REQUEST_MORE_DATA_OR_AUGMENT_CKG",
        "suggested_ckg_augment_inputs": ["raw_report", "raw_debug_query"],
    },
}


def test_the_abstention_of_a_diagnosis_can_be_said_with_it() -> None:
    """[S0 1] the same document comes out that goes in, whole numbers whole."""
    abstention = Abstention.model_validate(ASKED_FOR)
    assert abstention.model_dump(mode="json") == ASKED_FOR
    assert '"root_causes_count":0,' in abstention.model_dump_json()


def test_an_abstention_always_says_why_and_what_next() -> None:
    with pytest.raises(ValidationError):
        Abstention.model_validate({"reason": "x", "message": "y"})
    action = Action(next_step="TRY_AGAIN")
    assert Abstention(reason="x", message="y", action=action).coverage is None
