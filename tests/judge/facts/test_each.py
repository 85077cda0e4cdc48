"""What is told of each of several says nothing of all of them together."""

import pytest

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle


def accused(claim: str, text: str) -> bool:
    evidence = Evidence([EvidenceBundle.of(text, "document")])
    return any(one.relation == "contradicted" for one in evidence.check_values(claim))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        (
            "Forty porters work at the station in the course of a day.",
            "Ten porters work at the station on each of the shifts of a day.",
        ),
        ("The hall holds 90 chairs.", "The hall holds 30 chairs in each of its rows."),
        ("The club paid 400 euros.", "The club paid 80 euros apiece."),
    ],
)
def test_a_share_does_not_accuse_a_whole(claim: str, text: str) -> None:
    assert not accused(claim, text)


def test_two_shares_are_compared() -> None:
    assert accused("Each crate holds 24 bottles of cider.", "Each crate holds 20 bottles of cider.")
