"""What a document asks and answers tersely: question and answer state it together."""

import pytest

from groundwire import verify_claim
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle

ANSWERED = [
    ("Is a doctor's note required after three days of sickness? Yes, from the fourth day on.",
     "A doctor's note is required from the fourth day of sickness."),
    ("How long is the warranty?\n\nTwo years from the date of purchase.",
     "The warranty lasts two years."),
    ("**Q: Is breakfast included?**\n\nA: Yes, except on bank holidays.",
     "Breakfast is included, except on bank holidays."),
    ("### When is the library open?\n\nMonday to Friday, 9 am to 6 pm.",
     "The library is open from Monday to Friday."),
    ("Who approves travel? The head of department.",
     "Travel is approved by the head of department."),
    ("Is the data encrypted at rest? Yes.", "The data is encrypted at rest."),
    ("Does the pump run at night? No.", "The pump does not run at night."),
    ("What does the membership cost? 45 euros a year, or 20 for students.",
     "Students pay 20 euros a year for membership."),
    ("Where are visitors' bikes kept? In the shed behind building C.",
     "Visitors' bikes are kept in the shed behind building C."),
    ("# Shop\n\n## FAQ\n\nHow long is the warranty? Two years from the date of purchase.",
     "The warranty lasts two years."),
    ("## Frequently asked questions\n\n### How long is the warranty?\n\nIt is two years.",
     "The warranty lasts two years."),
    ("## Questions and answers\n\n- Is there a lift? Yes, to all floors.",
     "There is a lift to all floors."),
    ("Do night trams stop at the hospital? Yes, every half hour.",
     "Night trams stop at the hospital every half hour."),
]  # fmt: skip
BESIDE = "\n\nThe building was opened in 1998. Parking is free on Sundays."


@pytest.mark.parametrize(("text", "claim"), ANSWERED)
def test_a_terse_answer_grounds_with_its_question(text: str, claim: str) -> None:
    result = verify_claim(claim, [text + BESIDE])
    assert result.status == "grounded"
    (quote,) = result.evidence
    assert quote.quote == (text + BESIDE)[quote.start : quote.end]
    assert text.endswith(quote.quote)
    assert "?" in quote.quote


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Is the data encrypted at rest? No.", "The data is encrypted at rest."),
        ("Does the pump run at night? No.", "The pump runs at night."),
        ("Is breakfast included? Yes / No", "Breakfast is included."),
        ("Is breakfast included? [ ] yes [ ] no", "Breakfast is included."),
        ("Is breakfast included?", "Breakfast is included."),
        ("Is breakfast included? That depends on the rate.", "Breakfast is included."),
        ("Who approves travel? The head of department.", "The finance team approves travel."),
        ("Will the pool be open in May? Perhaps.", "The pool will be open in May."),
        (
            "## Open questions\n\nThe seal lasts two years in salt water.",
            "The seal lasts two years in salt water.",
        ),
    ],
)
def test_a_denied_or_offered_answer_grounds_nothing(text: str, claim: str) -> None:
    assert verify_claim(claim, [text + BESIDE]).status != "grounded"


def test_only_what_answers_is_joined_to_a_question() -> None:
    text = (
        "Is the lift safe? Yes.\n\nWhich colours are there?\n\n- red\n- green\n\n"
        "| Is it new? |\n|---|\n| Yes |\n\nWhy was it late? The driver was ill."
    )
    shown = [one.said for one in Evidence([EvidenceBundle.of(text, "a")]).sentences if one.said]
    assert shown == ["The lift is safe."]
