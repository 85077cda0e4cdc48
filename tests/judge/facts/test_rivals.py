"""A value that stands in place of the claim's, of which a judge is asked what it is said of."""

import pytest

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle


def rivals(claim: str, text: str) -> list[str]:
    evidence = Evidence([EvidenceBundle.of(text, "document")])
    return [one.claim for one in evidence.rivals(claim, range(len(evidence.sentences)))]


RIVALS = [
    (
        "The syrup on card 31 is filled into bottles of 250 ml.",
        "Made to order: syrup for children, card 31\n\nBottle of 0.1 litre.\n\nShake before use.",
        "The syrup on card 31 is filled into bottles of 0.1 litre.",
    ),
    (
        "The screed in house 2 must not be walked on for seven days.",
        "Floor screed, house 2\n\nDo not walk on it for 72 hours.\n\nKeep the windows closed.",
        "The screed in house 2 must not be walked on for 72 hours.",
    ),
    (
        "Turbine 9 has a rated output of 500 kilowatts.",
        "Notes on turbine 9\n\nThe plate gives a rated output of 3,200 kW.\n\nIt squeals.",
        "Turbine 9 has a rated output of 3,200 kW.",
    ),
    (
        "The relay keeps messages for two weeks.",
        "The relay in Leeds keeps messages for 5 days before it returns them.",
        "The relay keeps messages for 5 days.",
    ),
    (
        "The cold store is kept at 4 °C.",
        "Cold store\n\nIt is kept at -18 °C all the year.\n\nDoors close by themselves.",
        "The cold store is kept at -18 °C.",
    ),
    (
        "The kiln weighs 95 kg.",
        "The old kiln, which Ada bought, weighs 140 kg without its stand.",
        "The kiln weighs 140 kg.",
    ),
]


@pytest.mark.parametrize(("claim", "text", "said"), RIVALS)
def test_the_claim_is_put_with_the_value_of_the_evidence(claim: str, text: str, said: str) -> None:
    assert rivals(claim, text) == [said]


NONE = [
    # the same value, in other words or another unit
    ("The kiln weighs 140 kg.", "The old kiln weighs 0.14 t."),
    ("The kiln weighs about 140 kg.", "The old kiln weighs 230 kg."),
    # of another thing
    ("The spare kiln weighs 95 kg.", "The old kiln weighs 140 kg."),
    ("The kiln at Moss weighs 95 kg.", "The kiln at Lund weighs 140 kg."),
    ("The latency of Finch-M is 60 ms.", "Latency of Finch-S is 22 ms."),
    ("Model Finch-M weighs 60 kg.", "Model Finch-S weighs 22 kg."),
    ("Tank 7 holds 95 litres.", "Tank 8 holds 140 litres."),
    # what has to be worked out, or may have been
    ("The kilns weigh 280 kg together.", "The old kiln weighs 140 kg."),
    ("The kiln weighs 20 kg more.", "The kiln weighs 140 kg."),
    ("Each kiln weighs 70 kg.", "The two kilns weigh 140 kg."),
    ("The kiln weighs 150 kg.", "The kiln weighs 140 kg. Its kiln shelf weighs 10 kg."),
    # another number of the claim that the sentence does not have
    ("The kiln costs EUR 150 for six days.", "The kiln costs EUR 75 a day after that."),
    # two that it may be
    ("The kiln weighs 95 kg.", "The kiln weighs 140 kg, or 155 kg with its stand."),
    # another noun, and too little of the claim
    ("The train had 120 passengers.", "Three passenger trains had to wait."),
    ("The lorry is 200 kg too heavy for the bridge.", "Bridge sign: at most 7.5 t."),
    # one denies, or asks
    ("The kiln weighs 95 kg.", "The kiln does not weigh 140 kg."),
    ("The kiln weighs 95 kg.", "Does the kiln weigh 140 kg?"),
]


@pytest.mark.parametrize(("claim", "text"), NONE)
def test_what_may_be_of_another_thing_or_worked_out_is_no_rival(claim: str, text: str) -> None:
    assert rivals(claim, text) == []
