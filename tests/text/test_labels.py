"""Lines that give a value to a label whose first word can be a verb."""

import pytest

from groundwire.text import exclusion
from groundwire.text._labels import is_meant, record_label, states_value


@pytest.mark.parametrize(
    "line",
    """Run time 50 h|Display 9 inch|Flow → 99 L/min|Lift capacity – 900 kg|Stop loss 5%
    |Study size 400 patients|Return rate 5 %|Load 5 t|Charge time 2 h|Test pressure 16 bar
    |Start date 5 May 2024|Launch year 2019|Market share 12.5 %|Target price $45
    |Record temperature -20 °C|Access fee €5|Drive range up to 400 km|Exchange rate 1.08 USD
    |Release date 2024-05-01|Transfer speed 5-7 MB/s|Sample volume 5 ml (max)|Cost 5 €
    |Run time at full load 50 h|Supply voltage = 24 V|Wait time 5 min.|Load limit approx. 5 t
    |Output 5 kWh per day|Export value $5 million|Score = 12""".split("|"),
)
def test_a_label_with_its_value_is_a_claim(line: str) -> None:
    """A line that ends in a value of its label states it, though it opens with a verb's form."""
    assert states_value(line.strip())
    assert exclusion(line.strip()) is None


@pytest.mark.parametrize(
    "line",
    """Run the job twice.|Load 5 boxes onto the truck.|Stop the pump after 5 min.|Wait 5 min.
    |Add 5 g|Add salt 5 g|Load 5 boxes|Run job 5 times|Open port 8080|Install Office 2019
    |Set the timer to 30 s|Reduce load by 5 %|Read chapter 5|Keep it 5 days|Walk 5 km.
    |Stop pump after 5 min|Pay the fee of $5|Use Python 3.11|Start pump within 5 min
    |Restart node 3|Use paper of at most 250 g/m².|Clean filter every 5 days""".split("|"),
)
def test_an_order_with_a_value_stays_an_order(line: str) -> None:
    """What is done to an object, or when it is done, is an order whatever value ends it."""
    assert exclusion(line.strip()) == "instruction"


@pytest.mark.parametrize("line", ["Die Pumpe war defekt.", "Die Tests laufen durch."])
def test_a_german_article_orders_nothing(line: str) -> None:
    """It is spelled like a verb that nobody orders."""
    assert exclusion(line) is None


def test_a_long_line_is_no_label() -> None:
    """A line of many words is not tried as a label, however its blanks repeat."""
    assert not states_value("Run" + " " * 20_000 + "time " * 50 + "50 h")


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Passed: 139", "Passed"),
        ("Flash for logging: 512 KiB, soldered.", "Flash for logging"),
        ("Fat: nought point three per cent.", "Fat"),
        ("Cows in milk: 140, a year ago 128.", "Cows in milk"),
        ("Goal for the coming year: 40 litres", ""),
        ("Asking price: EUR 40,000", ""),
        ("Target: 28 %", ""),
        ("Budget for May: EUR 900", ""),
        ("The board decided: 40 MB", ""),
        ("Passed 139", ""),
        ("This is what we shall have by the end of the year if all goes well: 139", ""),
    ],
)
def test_a_line_of_a_record_has_a_label_that_says_what_is(line: str, label: str) -> None:
    assert record_label(line) == label


def test_a_heading_may_say_that_what_follows_is_meant() -> None:
    assert is_meant("Targets for 2026")
    assert is_meant("Sales forecast")
    assert not is_meant("Readings at the open-air pool, Thursday")
