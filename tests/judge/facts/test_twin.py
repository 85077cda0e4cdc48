"""A sentence that has the claim word by word, but for one value."""

import pytest

from groundwire.judge import check_values


def accused(claim: str, *sentences: str) -> list[tuple[str, str]]:
    return [
        (finding.claimed, finding.found)
        for finding in check_values(claim, sentences)
        if finding.relation == "contradicted"
    ]


@pytest.mark.parametrize(
    ("claim", "sentence", "claimed", "found"),
    [
        (
            "In the test 38 of 420 employees typed their password.",
            "In the test 38 of 240 employees typed their password.",
            "420",
            "240",
        ),
        (
            "Values are sent once a day, between 00:00 and 09:00 UTC.",
            "Values are sent once a day, between 00:00 and 06:00 UTC.",
            "09:00 UTC",
            "06:00 UTC",
        ),
        (
            "An incident is reported within 72 hours.",
            "- An incident is reported within 24 hours.",
            "within 72 hours",
            "within 24 hours",
        ),
        (
            "A password must have at least 8 characters.",
            "3. A password must have at least 14 characters.",
            "at least 8",
            "at least 14",
        ),
        (
            "The survey reached more than 900 households in Delft.",
            "The survey reached more than 500 households in Delft.",
            "more than 900",
            "more than 500",
        ),
        (
            "The crew repaired 14 valves of the main pump.",
            "On Monday the crew repaired 12 valves of the main pump before noon.",
            "14",
            "12",
        ),
        # what is denied beside it is something else
        (
            "The air main was set to 120 kPa.",
            "The air main was set to 12 bar and was not altered until noon.",
            "120 kPa",
            "12 bar",
        ),
        (
            "The vat holds 90 litres.",
            "The vat holds 250 litres, and none of the others was opened.",
            "90 litres",
            "250 litres",
        ),
        (
            "The ferry leaves the quay at 6:15.",
            "The ferry leaves the quay at 17:40, but nobody should wait outside.",
            "6:15",
            "17:40",
        ),
        # the digits of one are among those of the other
        (
            "The tank holds 150 litres.",
            "The tank holds 1,500 litres.",
            "150 litres",
            "1,500 litres",
        ),
        ("The rent is EUR 640.", "The rent is EUR 6400.", "EUR 640", "EUR 6400"),
        ("The output is 320 kW.", "The output is 3,200 kW.", "320 kW", "3,200 kW"),
        (
            "The dam stores 250 litres.",
            "The dam stores 12,500 litres.",
            "250 litres",
            "12,500 litres",
        ),
    ],
)
def test_the_one_value_that_differs_is_named(
    claim: str, sentence: str, claimed: str, found: str
) -> None:
    assert accused(claim, sentence) == [(claimed, found)]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        # a weaker limit is true of what a stronger one is true of
        (
            "The survey reached more than 400 households in Delft.",
            "The survey reached more than 500 households in Delft.",
        ),
        # another thing, not another value
        (
            "Sonnet 60 is one of the poems written for a friend.",
            "Sonnet 23 is one of the poems written for a friend.",
        ),
        ("ADR.18 allows TLS 1.2 between services.", "ADR.15 allows TLS 1.2 between services."),
        # what "it" is, another sentence says
        ("It has 14 valves and a filter.", "It has 12 valves and a filter."),
        (
            "In 2009, she was given the prize for engineers.",
            "In 2007, she was given the prize for engineers.",
        ),
        # the year in which a figure held
        ("In 2021 the revenue was 6 million euros.", "In 2020 the revenue was 6 million euros."),
        # one of several
        (
            "Holm rowed at the 1948 Games for Norway.",
            "Holm rowed at the 1952 Games for Norway, and again in 1956.",
        ),
        # denied
        ("The pump in Delft has 14 valves.", "The pump in Delft has 12 valves, not more."),
        # asked, not said
        ("The pump in Delft has 14 valves.", "The pump in Delft has 12 valves?"),
    ],
)
def test_what_may_be_true_beside_its_twin_is_not_accused(claim: str, sentence: str) -> None:
    assert accused(claim, sentence) == []


def test_a_number_torn_in_two_accuses_nobody() -> None:
    torn = ("The account of the harbour has an impressive 1.", "1 million followers.")
    assert accused("The account of the harbour has an impressive 4 million.", *torn) == []


@pytest.mark.parametrize(
    ("claim", "sentence", "claimed", "found"),
    [
        (
            "Exceptions from the rule are approved by the Safety Board each month.",
            "Exceptions from the rule are approved by the Architecture Board each month.",
            "Safety Board",
            "Architecture Board",
        ),
        (
            "Marta Lindqvist founded the grid company in Delft.",
            "Ingrid Holm founded the grid company in Delft.",
            "Marta Lindqvist",
            "Ingrid Holm",
        ),
        (
            "The new broker between the systems is called Kestrel by everyone.",
            "The new broker between the systems is called Marten by everyone.",
            "Kestrel",
            "Marten",
        ),
    ],
)
def test_a_name_in_the_place_of_another_is_named(
    claim: str, sentence: str, claimed: str, found: str
) -> None:
    assert accused(claim, sentence) == [(claimed, found)]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        # two may do the same
        (
            "Marta Lindqvist joined the grid company in 2019.",
            "Ingrid Holm joined the grid company in 2019.",
        ),
        # a place lies in a place
        ("The new station was opened in Delft.", "The new station was opened in Holland."),
        # an office and who holds it
        (
            "The new station was opened by the Prime Minister on Monday.",
            "The new station was opened by Ingrid Holm on Monday.",
        ),
        # the same two, in another order
        (
            "The plan for the station was written by Holm and Berg.",
            "The plan for the station was written by Berg and Holm.",
        ),
        # one spelled two ways
        (
            "The plan for the new station was written by Ingrid Lindkvist.",
            "The plan for the new station was written by Ingrid Lindqvist.",
        ),
        # an abbreviation
        (
            "The plan for the new station was written by the NGA.",
            "The plan for the new station was written by the National Grid Agency.",
        ),
        # what kind, not which
        (
            "The plan describes a new Danish station for trains.",
            "The plan describes a new Nordic station for trains.",
        ),
    ],
)
def test_a_name_that_may_be_right_too_is_not_accused(claim: str, sentence: str) -> None:
    assert accused(claim, sentence) == []
