"""What follows from stated values is written beside them; what nothing says is not supported."""

from collections.abc import Sequence

import pytest

from groundwire.judge import Evidence, check_values
from groundwire.model import EvidenceBundle


def evidence(text: str) -> Evidence:
    return Evidence([EvidenceBundle.of(text, "document")])


def glossed(claim: str, text: str) -> str:
    given = evidence(text)
    return given.glossed(claim, range(len(given.sentences))).text


WORKED_OUT = [
    ("A guest pays EUR 630 for a week.", "A room costs EUR 90 a night, guests say.", "EUR 630"),
    (
        "The plant makes 2,400 bricks in 8 hours.",
        "The kiln of the plant turns out 300 bricks an hour, day and night.",
        "2,400",
    ),
    (
        "There are 54 lockers left for visitors.",
        "The baths have 90 lockers, of which 36 are let to clubs.",
        "54",
    ),
    (
        "Repairs to the sluice took up EUR 70,000 in total.",
        "The gates of the sluice cost EUR 45,000, its pump EUR 25,000.",
        "EUR 70,000",
    ),
    (
        "Mooring after dark costs 60 euros.",
        "Mooring is a quarter dearer at night than by day. By day it is EUR 48.",
        "60 euros",
    ),
    (
        "The bakery's rent climbed by a fifth.",
        "The lease of the bakery went from EUR 1,500 to EUR 1,800.",
        "climbed by a fifth",
    ),
    (
        "Six drums with 1,200 litres of solvent altogether went to the paint shop.",
        "The paint shop received six drums of 200 litres each.",
        "1,200 litres",
    ),
    (
        "The orchestra had 84 players in 2019.",
        "In 2020 the orchestra had 90 players, 6 more than a year before.",
        "2019: 84",
    ),
    (
        "The alarm threshold of the boiler is 12 bar.",
        "The working pressure of the boiler is 4 bar; the alarm sounds at three times that.",
        "12 bar",
    ),
    (
        "The oak beam is 15 cm longer than the steel beam.",
        "The oak beam measures 95 cm, the steel beam 80 cm.",
        "15 cm longer",
    ),
    (
        "Ridership went up by a quarter from 2021 to 2022.",
        "In 2021 the line carried a ridership of 8,000, in 2022 it was 10,000.",
        "up by a quarter",
    ),
    (
        "Fuel was a quarter cheaper in 2022 than in 2021.",
        "| Line | 2021 | 2022 |\n|---|---|---|\n| Fuel | 40,000 | 30,000 |\n| Tyres | 9 | 9 |",
        "a quarter cheaper",
    ),
]


@pytest.mark.parametrize(("claim", "text", "told"), WORKED_OUT)
def test_a_value_that_follows_is_written_beside_its_operands(
    claim: str, text: str, told: str
) -> None:
    """A judge that cannot reckon reads the result where it follows from."""
    assert f"({told}" in glossed(claim, text)


NOT_WORKED_OUT = [
    ("A guest pays EUR 640 for a week.", "A room costs EUR 90 a night, guests say."),
    ("There are 56 lockers left.", "The baths have 90 lockers, of which 36 are let to clubs."),
    ("The bakery's rent climbed by a third.", "The rent went from EUR 1,500 to EUR 1,800."),
    (
        "The staging cluster has 9 nodes left.",
        "The test cluster has 12 nodes, of which 3 are down.",
    ),
    ("In total Delft has 27 pumps.", "Delft has 12 pumps. Zeist has 15 pumps."),
    ("Fuel was a fifth cheaper in 2022 than in 2021.", "Fuel cost 40,000 in 2021, 30,000 in 2022."),
    (
        "The oak beam is 15 cm longer than the pine beam.",
        "The oak beam measures 95 cm, the steel 80.",
    ),
    ("The choir has 27 members.", "The choir has 12 sopranos. The band has 15 members."),
    ("More than 400 people signed the petition.", "The petition has 512 pages."),
    ("The hall lost 25 seats.", "Could the hall, which has 400 seats, lose 25 seats more?"),
    ("The orchestra had 96 players in 2019.", "In 2020 the orchestra had 90, 6 more than before."),
]


@pytest.mark.parametrize(("claim", "text"), NOT_WORKED_OUT)
def test_what_does_not_follow_or_is_of_another_thing_is_not_written(claim: str, text: str) -> None:
    """Only what the operation gives, of what the claim speaks of."""
    assert "(" not in glossed(claim, text)


SPELLED = [
    ("Bills are to be settled within two weeks.", "Bills fall due after 14 days.", "two weeks"),
    ("The tank holds 2,000 litres.", "The tank takes 20 hl.", "2,000 litres"),
    ("The oven runs at 356 °F.", "The oven is at 180 °C.", "356 °F"),
    ("The gallery closes at 6 pm.", "The gallery shuts at 18:00.", "6 pm"),
    ("The petition has 1,200 names.", "The petition bears 1.2k names.", "1,200"),
    ("The plot measures 2 hectares.", "The plot covers 20,000 m².", "2 hectares"),
    ("A quarter of the seats are empty.", "Of the seats 25 % stay empty.", "A quarter"),
    ("The upload limit is 1,024 KiB.", "Uploads have a limit of 1 MiB.", "1,024 KiB"),
    ("The bridge cost EUR 1,200,000.", "The bridge came to EUR 1.2 million.", "EUR 1,200,000"),
    ("The fuse blows at 0.35 A.", "The fuse goes at 350 mA.", "0.35 A"),
]


@pytest.mark.parametrize(("claim", "text", "told"), SPELLED)
def test_an_equal_value_is_written_as_the_claim_has_it(claim: str, text: str, told: str) -> None:
    """No judge has to know that 14 days are two weeks."""
    assert f"({told})" in glossed(claim, text) or f"(within {told})" in glossed(claim, text)


SWAPPED = [
    ("Logs are kept for 90 days.", "Backups are kept for 90 days, logs for 30 days.", "30 days"),
    ("Trainees cost 80 an hour.", "Masters are charged at 80 per hour, trainees at 35.", "35"),
    (
        "The south pump delivers 40 litres per minute.",
        "The north pump delivers 40 litres per minute, the south pump 25 litres per minute.",
        "25 litres per minute",
    ),
    ("Children pay EUR 12.", "Adults pay EUR 12, children EUR 5.", "EUR 5"),
    ("Lamb is roasted at 230 °C.", "Pork is roasted at 230 °C, lamb at 190 °C.", "190 °C"),
    ("Trucks may go 100 km/h.", "Cars may go 100 km/h, trucks 80 km/h.", "80 km/h"),
    ("Beech dries for 18 months.", "Oak dries for 18 months, beech for 9 months.", "9 months"),
    ("Slate weighs 90 kg.", "Marble weighs 90 kg, slate 60 kg.", "60 kg"),
    ("Seniors train for 4 hours.", "Juniors train for 4 hours, seniors for 6.", None),
    ("Letters cost EUR 2.", "Parcels cost EUR 7, letters EUR 2.", None),
    ("Cars may go 100 km/h.", "Cars may go 100 km/h, trucks 80 km/h.", None),
    ("Vans may go 100 km/h.", "Cars may go 100 km/h, trucks 80 km/h.", None),
]


@pytest.mark.parametrize(("claim", "sentence", "found"), SWAPPED)
def test_the_value_of_a_neighbour_is_not_ones_own(
    claim: str, sentence: str, found: str | None
) -> None:
    """Where a sentence has a value of the claim's thing, that of the next thing contradicts."""
    against = [f.found for f in check_values(claim, [sentence]) if f.relation == "contradicted"]
    assert against == ([found] if found else [])


TIMES = [
    ("Visits to the spa doubled.", ["Visits to the spa rose from 400 to 800."], "confirmed"),
    ("Visits to the spa tripled.", ["Visits to the spa rose from 400 to 800."], "contradicted"),
    ("The catch halved.", ["The catch fell from 90 t to 45 t."], "confirmed"),
    ("The catch halved.", ["The catch fell from 90 t to 72 t."], "contradicted"),
    (
        "The number of beds doubled from 2019 to 2021.",
        ["In 2019 there were 40 beds, in 2021 it was 60."],
        "contradicted",
    ),
    (
        "The fleet doubled from 2019 to 2021.",
        ["In 2019 the fleet had 20 vans.", "In 2021 the fleet had 40 vans."],
        "confirmed",
    ),
    ("The fleet doubled.", ["The fleet has 20 vans and 40 trucks."], None),
    ("Output doubled from 2015 to 2016.", ["In 2019 output was 40 t, in 2021 it was 60 t."], None),
    ("The rent of the kiosk doubled.", ["The rent of the bar rose from EUR 5 to EUR 6."], None),
    ("The toll doubled.", ["The toll rose from EUR 5.00 to EUR 9.80."], "confirmed"),
]


@pytest.mark.parametrize(("claim", "sentences", "relation"), TIMES)
def test_what_doubled_is_told_by_two_values(
    claim: str, sentences: Sequence[str], relation: str | None
) -> None:
    """ "doubled" and its like are values too: two stated ones show whether it is so."""
    found = [f.relation for f in check_values(claim, sentences) if f.kind == "number"]
    assert found == ([relation] if relation else [])


DIFFERING = [
    ("The heating was on for four hours.", "The heating was on from 9:00 until 15:00.", True),
    ("The heating was on for six hours.", "The heating was on from 9:00 until 15:00.", False),
    ("The mast rises 60 m above the lake.", "The mast at the lake is 40 m high.", True),
    ("The mast rises 40 m above the lake.", "The mast at the lake is 40 m high.", False),
    ("The permit is valid for five years.", "A permit remains valid for three years.", True),
    ("The permit is valid for 36 months.", "A permit remains valid for three years.", False),
    ("The clinic employs 14 nurses.", "There are 9 nurses at the clinic.", True),
    ("The clinic employs 14 nurses.", "There are 9 doctors at the clinic.", True),
    ("Turnover doubled in two years.", "Turnover rose from EUR 5 m to EUR 6 m.", True),
    ("The dose is 250 mg.", "The dose is 200 mg, or 250 mg for heavy patients.", False),
    ("The choir sold 70 tickets.", "The choir sold 40 tickets at the door and 30 online.", False),
    ("The van averaged 96 km/h.", "The van drove 96 km.", True),
    ("The pipe carries 40 litres.", "The pipe is 40 metres long.", True),
    ("The pump weighs 12 kg.", "The pump runs at 12 bar.", True),
    ("The ward has 12 beds.", "The ward runs for 12 hours a day.", False),
    ("The pump weighs 120 kg.", "The pump weighs 1,200 kg.", True),
    ("After 10 days the cast was drier.", "The cast stayed in the mould for 4 days.", False),
    ("A crate costs EUR 30.", "A crate costs more than EUR 20.", False),
    ("The tip is 260 m above the ground.", "The hub of the mill is at 120 m.", True),
    ("The baths are open for twelve hours.", "Open from 06:30 to 21:30.", True),
    ("The shop closes at 20:00.", "Open from 9:00 to 18:00.", True),
    ("Li met the board on 2 April 2025.", "Author: Li. Date: 29 April 2025.", True),
]


@pytest.mark.parametrize(("claim", "text", "differs"), DIFFERING)
def test_another_value_of_the_same_supports_nothing(claim: str, text: str, differs: bool) -> None:  # noqa: FBT001
    """A quote with another value, where nothing says the claim's, is no quote for it."""
    assert evidence(text).differs(claim, [0]) is differs
