"""What holds of every claim and every evidence."""

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from groundwire.judge import EvidenceValues, check_values
from groundwire.judge.facts._sentence import MAX_VALUES
from groundwire.text import word_set

WORDS = st.sampled_from(
    sorted(
        word_set(
            "the pump of Delft in had was founded sold staff people valves a and or not by is"
            " 1,200 12 13 2019 2020 1998 three twenty half one first 3rd 5% 7% $40 km mV hours"
            " March May Monday Q3 ADR-12 ADR-13 v2.1 Marta Lindqvist Erik Sandberg Norway"
            " about over under between to from until since another each average total , . ( )"
        )
    )
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=20).map(" ".join))


@given(TEXTS)
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert all(finding.relation == "confirmed" for finding in check_values(text, [text]))


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_a_text_that_stands_in_the_evidence_is_never_accused(text: str, rest: list[str]) -> None:
    findings = check_values(text, [*rest, text])
    assert all(finding.relation == "confirmed" for finding in findings)


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_findings_point_at_what_they_say(claim: str, sentences: list[str]) -> None:
    for finding in check_values(claim, sentences):
        assert finding.claimed in claim
        assert finding.span.of(sentences[finding.sentence]) == finding.found


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_evidence_read_once_answers_like_evidence_read_anew(
    claim: str, sentences: list[str]
) -> None:
    evidence = EvidenceValues.of(sentences)
    evidence.check("The pump had 12 valves in 2019.")
    assert evidence.check(claim) == check_values(claim, sentences)


@given(
    st.integers(1, 10**6), st.sampled_from([("V", "mV"), ("kg", "g"), ("km", "m"), ("GB", "MB")])
)
def test_equal_values_confirm_each_other_whichever_is_claimed(
    thousandths: int, units: tuple[str, str]
) -> None:
    large, small = units
    one = f"The reading of the gauge is {Decimal(thousandths) / 1000:,.3f} {large}."
    other = f"The reading of the gauge is {thousandths} {small}."
    for claim, sentence in ((one, other), (other, one)):
        assert [f.relation for f in check_values(claim, [sentence])] == ["confirmed"]


@pytest.mark.parametrize(
    "text",
    [
        "9" * 100_000,
        "1 " * 5_000,
        "1-" * 3_000,
        "Ab " * 3_000,
        "A" + "a" * 50_000 + " is by 5",
        "\u202e12\u202c km " * 1_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_checked_without_harm(text: str) -> None:
    assert all(finding.relation == "confirmed" for finding in check_values(text, [text]))


def test_evidence_with_more_values_than_are_read_accuses_nobody() -> None:
    claim, sentence = "The pump in Delft has 15 valves.", "The pump in Delft has 12 valves."
    flood = "Readings: " + ", ".join(str(number) for number in range(2 * MAX_VALUES))
    assert check_values(claim, [sentence])[0].relation == "contradicted"
    assert all(
        finding.relation == "confirmed" for finding in check_values(claim, [sentence, flood])
    )
