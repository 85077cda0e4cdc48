"""What holds of every value, whatever the text."""

from datetime import date

import pytest
from hypothesis import given, strategies as st

from groundwire.text import word_set
from groundwire.values import quantities_in, read, same_value, values_in

PIECES = st.sampled_from(
    sorted(
        word_set(
            "1 12 1,200 3.5 0.725 2024 1998 17 half one twenty hundred million first third"
            " km mV % $ \u20ac \u00b0C USD k m / - \u2013 . , ( ) ' : ; # \u00b1 ~ > + = ^ x"
            " March may Monday Q3 FY24 BC noon pm the in of to and or between about over than"
            " Delft Marta ADR CVE covid- v section people year-old \u202e \u200b \u0661 \u00bd"
        )
    )
)
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(PIECES, max_size=25).map(" ".join),
    st.lists(PIECES, max_size=25).map("".join),
)


@given(TEXTS)
def test_spans_reproduce_their_text_in_order_without_overlap(text: str) -> None:
    values = values_in(text)
    assert [text[value.start : value.end] for value in values] == [value.text for value in values]
    ends = [0, *(value.end for value in values)]
    assert all(end <= value.start < value.end for end, value in zip(ends, values, strict=False))


@given(TEXTS)
def test_every_token_belongs_to_the_value_whose_span_it_lies_in(text: str) -> None:
    reading = read(text)
    for token, owner in zip(reading.tokens, reading.owner, strict=True):
        inside = [
            index
            for index, value in enumerate(reading.values)
            if value.start <= token.start and token.end <= value.end
        ]
        assert inside == ([] if owner < 0 else [owner])


@given(
    st.decimals(min_value=0, max_value=10**12, places=2, allow_nan=False),
    st.sampled_from(["", " km", " mV", "%", " kg", " GB", " hours"]),
)
def test_a_formatted_number_is_read_back(number: object, unit: str) -> None:
    for style in (f"{number}{unit}", f"{number:,}{unit}"):
        (quantity,) = quantities_in(style)
        (again,) = quantities_in(quantity.text)
        assert quantity.text == style
        assert same_value(quantity, again)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 100_000,
        "9," * 10_000,
        "1-" * 5_000,
        "1:" * 5_000,
        "a-1-" * 2_500,
        "one hundred " * 1_000,
        "about " * 3_000 + "5",
        "Bank " + "of " * 5_000,
        "5 m" + "/s" * 5_000,
        "\u202e1\u202c" * 3_000,
        "\u0661\u06f2\uff13" * 3_000,
        "e\u0301" * 10_000,
        "\u00bd" * 10_000,
        "'" * 10_000,
        "between 1 and " * 1_000,
        "\ud800 5 km",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_read_without_harm(text: str) -> None:
    assert all(text[value.start : value.end] == value.text for value in values_in(text))


@given(st.dates(min_value=date(1600, 1, 1), max_value=date(2199, 12, 31)))
def test_a_formatted_date_is_read_back(day: date) -> None:
    month = day.strftime("%B")
    styles = (
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
    )
    readings = [values_in(f"on {style} at the pump")[0] for style in styles]
    assert all(same_value(readings[0], other) for other in readings[1:])


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("ADR-0012", "ADR.12", True),
        ("ADR-0012", "ADR-0013", False),
        ("Q3 2024", "third quarter of 2024", True),
        ("Q3 2024", "3rd quarter of 2024", True),
        ("Q3 2024", "2024", False),
        ("since 2019", "until 2019", False),
        ("\u20ac1.2 million", "EUR 1,200,000", True),
        ("12 %", "12", False),
        ("Marta Lindqvist", "marta", False),
    ],
)
def test_values_are_the_same_however_written(one: str, other: str, is_same: bool) -> None:  # noqa: FBT001
    first, second = values_in(f"of {one}"), values_in(f"of {other}")
    assert bool(first and second and same_value(first[0], second[0])) is is_same


def test_reading_stops_after_the_values_that_were_asked_for() -> None:
    assert [value.text for value in read("1, 2, 3 and 4", max_values=2).values] == ["1", "2"]
