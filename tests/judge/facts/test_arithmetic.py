"""Values that were worked out: equal ones support, others contradict, siblings say nothing."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from groundwire.judge import EvidenceValues, Finding, check_values, notes


class Case(NamedTuple):
    """A claim and the sentences its value `{v}` follows from, for whole numbers a and b."""

    claim: str
    sentences: Sequence[str]
    result: Callable[[int, int], Decimal | int]
    contradicts: bool = True
    """Whether another value in the claim is certainly wrong."""


CASES = {
    "rest": Case(
        "The hall has {v} seats left.",
        ["The hall has {sum} seats, of which {a} are reserved."],
        lambda _, b: b,
    ),
    "rest of two sentences": Case(
        "{v} bottles of the vintage remain.",
        ["The cellar has {sum} bottles of the vintage.", "It sold {a} bottles of the vintage."],
        lambda _, b: b,
    ),
    "difference, the year before": Case(
        "A year before the museum had {v} visitors.",
        ["The museum had {sum} visitors, {a} more than a year before."],
        lambda _, b: b,
    ),
    "fewer than before": Case(
        "Last season the club had {v} members.",
        ["This season the club has {b} members, {a} fewer than last season."],
        lambda a, b: a + b,
    ),
    "sum within a sentence": Case(
        "In total the orchard has {v} trees.",
        ["The orchard has {a} apple trees and {b} pear trees."],
        lambda a, b: a + b,
    ),
    "sum of two sentences": Case(
        "Together the ferries carry {v} cars.",
        ["The old ferry carries {a} cars.", "The new ferry carries {b} cars."],
        lambda a, b: a + b,
    ),
    "product of": Case(
        "The dairy ships {v} litres in all.",
        ["The dairy ships {a} boxes of {b} litres each."],
        lambda a, b: a * b,
        contradicts=False,
    ),
    "product with each": Case(
        "The {a} crews have {v} divers in total.",
        ["The harbour has {a} crews, each with {b} divers."],
        lambda a, b: a * b,
        contradicts=False,
    ),
    "rate for a day": Case(
        "The patient takes {v} mg of the drug a day.",
        ["The patient takes {a} mg of the drug every eight hours."],
        lambda a, _: 3 * a,
    ),
    "rate for a stated time": Case(
        "In 5 hours the pump moves {v} litres.",
        ["The pump moves {a} litres per hour.", "The pump of the annex is out of order."],
        lambda a, _: 5 * a,
        contradicts=False,
    ),
    "rate and time of two sentences": Case(
        "The deposit is EUR {v}.",
        ["The deposit is three months' rent.", "The rent is EUR {a} a month."],
        lambda a, _: 3 * a,
        contradicts=False,
    ),
    "change from and to": Case(
        "The toll rose by EUR {v}.",
        ["The toll rose from EUR {a} to EUR {sum}."],
        lambda _, b: b,
    ),
    "percentage points": Case(
        "Approval of the mayor rose by {v} percentage points.",
        ["Approval of the mayor rose from 11 % to {points} %."],
        lambda _, b: b % 80 + 2,
    ),
    "cheaper than": Case(
        "The steel ladder is EUR {v} cheaper than the oak ladder.",
        ["The oak ladder costs EUR {sum}.", "The steel ladder costs EUR {a}."],
        lambda _, b: b,
    ),
    "up by half": Case(
        "The ticket now costs EUR {v}.",
        ["The ticket cost EUR {twice} in 2022.", "In 2023 the ticket went up by half."],
        lambda a, _: 3 * a,
    ),
    "a quarter cheaper": Case(
        "The battery now costs EUR {v}.",
        ["The battery cost EUR {fourfold} at first.", "The battery is now a quarter cheaper."],
        lambda a, _: 3 * a,
        contradicts=False,
    ),
    "a third of the whole": Case(
        "{v} members of the choir are under 30.",
        ["The choir has {threefold} members.", "A third of the members of the choir are under 30."],
        lambda a, _: a,
    ),
}
NUMBERS = st.integers(min_value=11, max_value=97)


def written(text: str, a: int, b: int, value: Decimal | int = 0) -> str:
    return text.format(
        a=a, b=b, v=value, sum=a + b, twice=2 * a, threefold=3 * a, fourfold=4 * a,
        points=11 + b % 80 + 2,
    )  # fmt: skip


def of_values(claim: str, sentences: Sequence[str]) -> list[Finding]:
    return [f for f in check_values(claim, sentences) if f.kind in {"number", "date"}]


def of_value(claim: str, sentences: Sequence[str], value: Decimal | int) -> list[Finding]:
    return [f for f in of_values(claim, sentences) if str(value) in f.claimed]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@settings(max_examples=20, deadline=None)
@given(a=NUMBERS, b=NUMBERS)
def test_what_follows_from_stated_values_is_confirmed(case: Case, a: int, b: int) -> None:
    """A value that the asked operation gives of the stated ones supports the claim."""
    sentences = [written(sentence, a, b) for sentence in case.sentences]
    value = case.result(a, b)
    findings = of_value(written(case.claim, a, b, value), sentences, value)
    assert {finding.relation for finding in findings} == {"confirmed"}
    assert all(len(finding.also) < 3 for finding in findings)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@settings(max_examples=20, deadline=None)
@given(a=NUMBERS, b=NUMBERS, off=st.sampled_from([7, 10, 13]))
def test_what_does_not_follow_is_never_confirmed(case: Case, a: int, b: int, off: int) -> None:
    """Another value is contradicted where operands and operation are certain, else left alone."""
    sentences = [written(sentence, a, b) for sentence in case.sentences]
    wrong = case.result(a, b) * off + 1
    findings = of_value(written(case.claim, a, b, wrong), sentences, wrong)
    relations = {finding.relation for finding in findings}
    assert relations <= {"contradicted"}
    if case.contradicts and a != b:
        assert relations or any(str(wrong) in sentence for sentence in sentences)


MOMENTS = [
    (
        "The concert ends at {}.",
        "The concert starts at 20:00 and lasts 90 minutes.",
        "21:30",
        "22:15",
    ),
    ("The shift ends at {}.", "The shift begins at 22:00 and takes 8 hours.", "06:00", "07:00"),
    (
        "The library is open for {}.",
        "The library is open from 9:00 to 17:30.",
        "8.5 hours",
        "7 hours",
    ),
    (
        "The audit takes {}.",
        "The audit runs from 3 May 2024 to 24 May 2024.",
        "three weeks",
        "12 days",
    ),
    (
        "The hearing is on {}.",
        "The hearing is two weeks after 3 May 2024.",
        "17 May 2024",
        "24 May 2024",
    ),
    (
        "The notice is due on {}.",
        "The notice is due 10 days before 4 March 2023.",
        "22 February 2023",
        "24 February 2023",
    ),
]


@pytest.mark.parametrize(("claim", "sentence", "right", "wrong"), MOMENTS)
def test_times_and_dates_are_reckoned(claim: str, sentence: str, right: str, wrong: str) -> None:
    """A start and a duration give an end, two moments a duration."""
    assert [f.relation for f in of_values(claim.format(right), [sentence])] == ["confirmed"]
    assert "confirmed" not in [f.relation for f in of_values(claim.format(wrong), [sentence])]


SILENT = [
    (
        "The north gate is 7 m wide in total.",
        ["The north gate is 3 m wide.", "The south gate is 4 m wide."],
    ),
    ("In total Delft has 27 pumps.", ["Delft has 12 pumps.", "Zeist has 15 pumps."]),
    (
        "The staging cluster has 9 nodes left.",
        ["The production cluster has 12 nodes, of which 3 are down."],
    ),
    ("The choir has 27 members.", ["The choir has 12 sopranos.", "The band has 15 members."]),
    ("The hall has 375 seats left.", ["The hall has 400 seats, of which 25 may be reserved."]),
    (
        "In 2023 the mill had 375 workers left.",
        ["In 2021 the mill had 400 workers, of which 25 retired."],
    ),
    ("The toll fell by EUR 5.", ["The bridge was closed for 5 days.", "The toll is EUR 40."]),
    (
        "The child ticket now costs EUR 60.",
        ["The adult ticket cost EUR 40 in 2022.", "In 2023 the adult ticket went up by half."],
    ),
]


@pytest.mark.parametrize(("claim", "sentences"), SILENT)
def test_operands_of_another_thing_decide_nothing(claim: str, sentences: Sequence[str]) -> None:
    """What can be added up is not enough: the operands have to be of what the claim speaks of."""
    assert [f for f in of_values(claim, sentences) if f.is_whole or f.relation != "confirmed"] == []


def test_sentences_of_two_documents_are_not_added_up() -> None:
    """Operands stand in one document."""
    sentences = ["The old ferry carries 20 cars.", "The new ferry carries 30 cars."]
    claim = "Together the ferries carry 50 cars."
    assert EvidenceValues.of(sentences, [0, 0]).check(claim)
    assert not EvidenceValues.of(sentences, [0, 1]).check(claim)


def test_operands_are_named_beside_the_first() -> None:
    """A finding names every sentence it rests on."""
    sentences = ["The old ferry carries 20 cars.", "It rained.", "The new ferry carries 30 cars."]
    (finding,) = check_values("Together the ferries carry 50 cars.", sentences)
    assert (finding.sentence, finding.also, finding.is_whole) == (0, (2,), True)


@pytest.mark.parametrize(
    ("claim", "relation"),
    [
        ("The Wren Choir turned fifty years old in 2020.", "confirmed"),
        ("In 2000 the Wren Choir was 29 years old.", "confirmed"),
        ("The Wren Choir turned forty years old in 2020.", "contradicted"),
        ("In 1995 the Wren Choir was 30 years old.", "contradicted"),
        ("The Mill Choir turned forty years old in 2020.", None),
        ("The tenor of the Wren Choir turned forty years old in 2020.", None),
        ("The Wren Choir sang for forty years until 2020.", None),
        ("The Wren Choir is 40 years old.", None),
    ],
)
def test_an_age_follows_from_a_beginning(claim: str, relation: str | None) -> None:
    """In the year itself it may still be a year younger."""
    sentences = ["The Wren Choir was founded in 1970 by two sisters.", "It has sung abroad."]
    found = {
        one.relation for one in check_values(claim, sentences) if one.claimed.endswith("years")
    }
    assert found == ({relation} if relation else set())


@pytest.mark.parametrize(
    ("claim", "sentences", "note"),
    [
        (
            "The output of the mill rose by half.",
            ["The output of the mill rose from 48,000 t to 72,000 t."],
            "72,000 t is half more than 48,000 t.",
        ),
        (
            "The output of the mill rose by 20 %.",
            ["The output of the mill rose from 48,000 t to 72,000 t."],
            "72,000 t is 50 % more than 48,000 t.",
        ),
        (
            "Visits to the site tripled.",
            ["Visits to the site rose from 3,400 to 10,200."],
            "10,200 is three times 3,400.",
        ),
        (
            "The price of the permit was halved.",
            ["The price of the permit went from EUR 90 to EUR 45."],
            "EUR 45 is half of EUR 90.",
        ),
    ],
)
def test_notes_tell_what_was_worked_out(claim: str, sentences: list[str], note: str) -> None:
    """A judge that cannot reckon is told the result in plain words."""
    assert notes(claim, sentences) == [note]


def test_there_are_few_notes_and_none_off_the_topic() -> None:
    """Three notes at most; none from sentences that share less than two words with the claim."""
    many = [
        f"The depot in zone {n} has {n + 10} red trucks and {n + 3} blue trucks." for n in range(9)
    ]
    assert len(notes("In total the depot has 25 trucks.", many)) <= 3
    assert notes("The tax rose by half.", ["The tax office moved from 12 rooms to 18 rooms."]) == []
