import pytest
from hypothesis import given, strategies as st

from groundwire.terms import normalize
from groundwire.terms._fold import loose_key
from groundwire.text import same_letters


def test_the_cache_key_is_lower_case_trimmed_with_single_spaces() -> None:
    assert normalize("  Voltage \t Regulation\n") == "voltage regulation"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CIMXML", "cimxml"),
        ("Überspannung", "ÜBERSPANNUNG"),
        ("straße", "STRASSE"),
        ("\uff23\uff29\uff2d", "CIM"),
        ("co\u00adoperation", "cooperation"),
        ("e\u0301nergie", "énergie"),
        ("cos\u00a0phi", "cos phi"),
        ("user\u2019s guide", "user's guide"),
        ("on\u2011off", "on-off"),
        ("ΔΙΚΤΥΟ", "δικτυο"),
    ],
)
def test_spellings_of_one_term(one: str, other: str) -> None:
    assert same_letters(one) == same_letters(other)


@pytest.mark.parametrize(("one", "other"), [("résumé", "resume"), ("CIM", "CIMs"), ("net", "nét")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert same_letters(one) != same_letters(other)


@pytest.mark.parametrize(
    "spelling", ["power transformer", "Power-Transformer", "power_transformer", "PowerTransformer"]
)
def test_joined_words_are_the_words(spelling: str) -> None:
    assert loose_key(spelling) == "power transformer"


def test_capitals_in_camel_case_stay_together() -> None:
    assert loose_key("ACLineSegment") == "ac line segment"
    assert loose_key("DSOs") == "dsos"


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    assert same_letters(same_letters(text)) == same_letters(text)
    assert loose_key(loose_key(text)) == loose_key(text)
