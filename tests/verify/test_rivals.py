"""A claim that a sentence bears but for one value, which it has otherwise, is contradicted."""

import pytest

from groundwire import Engine
from groundwire.config import load_config

TEXTS = [
    (
        "Made to order: cough syrup, card 31\n\nBottle of 0.1 litre.\n\nShake before use.",
        "The cough syrup on card 31 is filled into bottles of 250 ml.",
        "The cough syrup on card 31 is filled into bottles of 100 ml.",
    ),
    (
        "Floor screed, house 2\n\nDo not walk on it for 72 hours.\n\nKeep windows closed.",
        "The screed in house 2 must not be walked on for seven days.",
        "The screed in house 2 must not be walked on for three days.",
    ),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(load_config(environ={}, overrides={"audit.enabled": False}).config)


@pytest.mark.parametrize(("text", "wrong", "right"), TEXTS)
def test_another_value_of_the_same_thing_contradicts_in_whatever_words(
    engine: Engine, text: str, wrong: str, right: str
) -> None:
    """No rule has to find the words of one in the other: the judge does, with the value put in."""
    result = engine.verify_claim_sync(wrong, [text])
    assert (result.status, result.reason) == ("contradicted", "number_mismatch")
    assert result.evidence
    assert engine.verify_claim_sync(right, [text]).status != "contradicted"
