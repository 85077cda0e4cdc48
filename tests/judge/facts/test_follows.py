"""A value that no word asks for follows from what is said of the same, by one operation."""

import pytest

from groundwire.judge.facts import EvidenceValues
from groundwire.text import sentence_ranges

FOLLOWS = [
    ("A brochure costs 46 cents.", "The job: 5,000 brochures. Price $2,300 for brochures."),
    ("The park can give 60 MW.", "The park runs 24 turbines of 2.5 MW each."),
    ("Lessons fill five hours a day.", "Lessons last 50 minutes and there are six a day."),
    ("The flat costs 4,000 euros per square metre.", "The flat: 84 m², price 336,000 euros."),
    ("The museum plan costs $144 a year.", "Members of the museum plan pay $12 a month."),
    ("In 2023 sales were 480 euros below 2022.", "Sales: 1,980 in 2022, 1,500 in 2023, in euros."),
    ("84 flats are sold freely.", "Of the 240 flats 96 are let and 60 are kept; the rest is sold."),
    ("The landing was 2.5 tonnes.", "Landing: cod 1,250 kg, haddock 830 kg, plaice 420 kg."),
    (
        "The boat was away for 60 hours.",
        "The boat was out from 3 October 04:00 to 5 October 16:00.",
    ),
    ("Lagering took six weeks.", "Lagering went on from 3 November to 15 December."),
    ("The dump began at 01:30.", "Dump: 640 GB, ran for 2 h 40 min, finished 04:10."),
    ("Objections end on 24 February.", "Objections within 6 weeks of 13 January."),
    ("For a 9:00 sailing be aboard by 8:30.", "Be aboard 30 minutes before the sailing."),
    (
        "The teaching pool is 4.5 degrees warmer.",
        "Pool log: main pool 26.5 °C, teaching pool 31 °C.",
    ),
    ("Three tenths of the tea stays here.", "Of the tea 70 % is exported."),
]
DOES_NOT = [
    ("A brochure costs 64 cents.", "The job: 5,000 brochures. Price $2,300 for brochures."),
    ("The park can give 66 MW.", "The park runs 24 turbines of 2.5 MW each."),
    ("The flat costs 4,500 euros per square metre.", "The flat: 84 m², price 336,000 euros."),
    (
        "The boat was away for 72 hours.",
        "The boat was out from 3 October 04:00 to 5 October 16:00.",
    ),
    ("The dump began at 02:30.", "Dump: 640 GB, ran for 2 h 40 min, finished 04:10."),
    ("A third of the rooms are singles.", "The hotel has 80 rooms, 20 of them singles."),
]
OF_ANOTHER = [
    ("The staging cluster has 60 MW.", "The production cluster has 24 racks of 2.5 MW."),
    ("Delft has 27 pumps.", "Delft has 12 pumps. Zeist has 15 pumps."),
    ("The two crews together have 30 people.", "One crew has 12 people, the other crew 15."),
    ("The tea costs 46 cents.", "The job: 5,000 brochures. Price $2,300 for brochures."),
    ("The oak beam is 15 cm longer than the pine beam.", "The oak beam is 95 cm, the steel 80."),
]


def evidence_of(text: str) -> tuple[EvidenceValues, range]:
    sentences = [text[start:end] for start, end in sentence_ranges(text)]
    return EvidenceValues.of(sentences), range(len(sentences))


@pytest.mark.parametrize(("claim", "text"), FOLLOWS)
def test_what_one_operation_gives_differs_from_nothing_and_is_written_in(
    claim: str, text: str
) -> None:
    """Who judges the claim finds the value where it is from."""
    evidence, places = evidence_of(text)
    assert not evidence.differs(claim, places)
    assert any(gloss.operands for gloss in evidence.glosses(claim, places))


@pytest.mark.parametrize(("claim", "text"), DOES_NOT)
def test_what_no_operation_gives_grounds_nothing(claim: str, text: str) -> None:
    """A wrong result has no sentence to stand on."""
    evidence, places = evidence_of(text)
    assert evidence.differs(claim, places)
    assert not evidence.glosses(claim, places)


@pytest.mark.parametrize(("claim", "text"), OF_ANOTHER)
def test_values_of_another_thing_give_nothing(claim: str, text: str) -> None:
    """Of a sibling, a town of another name or another matter nothing follows."""
    evidence, places = evidence_of(text)
    assert not any(gloss.operands for gloss in evidence.glosses(claim, places))


def test_of_two_or_three_things_nothing_is_worked_out() -> None:
    """Some operation gives two everywhere."""
    evidence, places = evidence_of("The ferry has 6 decks and 3 bars.")
    assert not evidence.glosses("The ferry has two funnels.", places)


def test_days_that_no_calendar_has_are_left_alone() -> None:
    """29 February without a year, and a year past the last."""
    evidence, places = evidence_of("The sale ran for 9 weeks from 29 February. The end: 9999.")
    assert not any(g.operands for g in evidence.glosses("The sale ended on 3 May.", places))
