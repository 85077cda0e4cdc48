"""What a heading names need not be said again below it; of another thing it says nothing."""

import pytest

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle

# a claim with another value than the document has of the same thing
OTHERWISE = [
    (
        "Kiln 4 has a firing capacity of 900 tiles.",
        "Shift sheet, kiln 4\n\nLit at six. Firing capacity: 750 tiles.",
    ),
    (
        "The probe at Lake Fenn logs every 20 minutes for the survey.",
        "Buoy notes, probe at Lake Fenn\n\nThe probe logs every 30 minutes for the survey.",
    ),
    (
        "The rent of the Marsh Lane shop is EUR 1,900 a month.",
        "# Lease of the Marsh Lane shop\n\nThe rent is EUR 1,700 a month. Heating is extra.",
    ),
    (
        "The first aid course at Holm School lasts four hours.",
        "# Holm School\n\n## First aid course\n\nThe course lasts six hours. Bring a mat.",
    ),
    (
        "The Osprey trawler carries 14 tonnes of ice.",
        "Loading plan, trawler Osprey\n\nThe trawler carries 11 tonnes of ice.",
    ),
    (
        "Half of the seedlings in the Barrow nursery survived the frost.",
        "Frost report, Barrow nursery\n\nFour of the sixteen seedlings survived the frost.",
    ),
    (
        "The number of readers at Tarn Library rose by 90 from 2021 to 2022.",
        (
            "Tarn Library, yearly figures\n\nIn 2021 there were 400 readers. "
            "In 2022 there were 450 readers."
        ),
    ),
    (
        "Cyclists at the Elm Street counter doubled from the first week to the second.",
        (
            "Elm Street counter\n\nIn the first week the counter saw 300 cyclists. "
            "In the second week the counter saw 900 cyclists."
        ),
    ),
    (
        "The bus to Corran leaves the depot at 6:15 p.m.",
        "Winter timetable\n\nThe bus to Corran leaves the depot by the north gate at 16:15.",
    ),
    (
        "The Nordhaus bid for the footbridge was 480,000 Norwegian kroner.",
        "Tenders for the footbridge\n\nThe Nordhaus bid was EUR 480,000 without tax.",
    ),
    (
        "The twelve chairs for the vestry cost EUR 500 in all.",
        "Joiner's note\n\nFor the vestry we made twelve chairs at EUR 45 each.",
    ),
    (
        "There are enough filters for 40 days.",
        "Stock list\n\nFilters: enough for five weeks. Gloves: plenty.",
    ),
]

# a claim of another thing than the value is of
SILENT = [
    (
        "Kiln 5 has a firing capacity of 900 tiles.",
        "Shift sheet, kiln 4\n\nLit at six. Firing capacity: 750 tiles.",
    ),
    (
        "The Marsh Lane shop has a rent of EUR 1,900.",
        "# Leases of Marsh Lane and Dyke Road\n\nThe Dyke Road shop has a rent of EUR 1,700.",
    ),
    (
        "The Osprey trawler carries 14 tonnes of ice.",
        "Loading plan, trawlers Osprey and Gannet\n\nThe Gannet carries 11 tonnes of ice.",
    ),
    (
        "Pump 2 at Tarn Weir delivers 50 litres a second.",
        "Tarn Weir, pumps 1 and 2\n\nPump 1 delivers 40 litres a second.",
    ),
    (
        "The spare boiler of the Lund plant runs at 7 bar.",
        "Boilers of the Lund plant\n\nThe main boiler runs at 9 bar.",
    ),
    (
        "Sensor node K7 has 4 MiB of flash.",
        "Board sheets, sensor nodes K6 and K7\n\nSensor node K6 has 2 MiB of flash.",
    ),
    (
        "The night ferry to Rona takes five hours.",
        "Ferries to Rona\n\nThe day ferry takes three hours.",
    ),
    (
        "Moths in the Elm Street trap doubled from the first week to the second.",
        (
            "Elm Street trap\n\nIn the first week we saw 300 beetles. "
            "In the second week we saw 900 beetles."
        ),
    ),
    (
        "The Sedge nursery lost half of its seedlings.",
        "Frost report, Barrow nursery\n\nFour of the sixteen seedlings were lost.",
    ),
    (
        "The Corran ferry leaves the depot at 6:15 p.m.",
        "Winter timetable\n\nThe bus to Corran leaves the depot by the north gate at 16:15.",
    ),
]


def relations(claim: str, text: str) -> set[str]:
    checks = Evidence([EvidenceBundle.of(text, "document")]).check_values(claim)
    return {check.relation for check in checks if check.kind != "name"}


@pytest.mark.parametrize(("claim", "text"), OTHERWISE)
def test_another_value_below_the_heading_contradicts(claim: str, text: str) -> None:
    assert "contradicted" in relations(claim, text)


@pytest.mark.parametrize(("claim", "text"), SILENT)
def test_a_heading_says_nothing_of_another_thing(claim: str, text: str) -> None:
    checks = Evidence([EvidenceBundle.of(text, "document")]).check_values(claim)
    assert not [check for check in checks if check.relation == "contradicted" or check.is_whole]


def test_a_limit_on_what_is_to_be_done_is_compared_however_it_is_put() -> None:
    """ "Has to" and "will" both tell a patient what to do."""
    text = "You will keep the splint on for two weeks, day and night."
    assert relations("The patient has to keep the splint on for 30 days.", text) == {"contradicted"}
    assert "contradicted" not in relations("The patient kept the splint on for 30 days.", text)


@pytest.mark.parametrize(
    ("claim", "text", "denies_alike"),
    [
        ("The bid was EUR 400.", "The bid was EUR 500 without tax.", True),
        ("The bid without tax was EUR 400.", "The bid was EUR 500 without tax.", True),
        ("The depot held 40 carts.", "The depot held 60 carts and no lorries.", True),
        ("The depot holds 40 carts.", "The depot no longer holds 60 carts.", False),
        ("The depot holds 40 carts.", "The depot does not hold 60 carts.", False),
        ("The bid with tax was EUR 400.", "The bid was EUR 500 without tax.", False),
    ],
)
def test_a_thing_that_is_lacking_denies_nothing_else(
    claim: str,
    text: str,
    denies_alike: bool,  # noqa: FBT001
) -> None:
    assert ("contradicted" in relations(claim, text)) is denies_alike
