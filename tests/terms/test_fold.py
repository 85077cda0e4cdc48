import pytest
from hypothesis import given, strategies as st

from groundwire.terms import normalize
from groundwire.terms._fold import exact_key, inflections, loose_key


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
    assert exact_key(one) == exact_key(other)


@pytest.mark.parametrize(("one", "other"), [("résumé", "resume"), ("CIM", "CIMs"), ("net", "nét")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert exact_key(one) != exact_key(other)


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
    assert exact_key(exact_key(text)) == exact_key(text)
    assert loose_key(loose_key(text)) == loose_key(text)


@pytest.mark.parametrize(
    ("singular", "plural", "language"),
    [
        ("transformer", "transformers", "en"),
        ("battery", "batteries", "en"),
        ("switch", "switches", "en"),
        ("dso", "dsos", "en"),
        ("class", "classes", "en"),
        ("veto", "vetoes", "en"),
        ("load profile", "load profiles", "en"),
        ("aansluiting", "aansluitingen", "nl"),
        ("net", "netten", "nl"),
        ("boom", "bomen", "nl"),
        ("mogelijkheid", "mogelijkheden", "nl"),
        ("transformator", "transformatoren", "nl"),
        ("leitung", "leitungen", "de"),
        ("réseau", "réseaux", "fr"),
        ("signal", "signaux", "fr"),
        ("red", "redes", "es"),
    ],
)
def test_singular_and_plural_lead_to_each_other(singular: str, plural: str, language: str) -> None:
    assert language in inflections(plural)[singular]
    assert language in inflections(singular)[plural]


@pytest.mark.parametrize(("word", "other"), [("spirtes", "spirt"), ("gales", "gal")])
def test_an_ending_needs_the_stem_it_belongs_to(word: str, other: str) -> None:
    assert "en" not in inflections(word).get(other, ())


@pytest.mark.parametrize("word", ["gas", "mass", "news", "series", "bus", "analysis", "loss"])
def test_words_that_only_look_like_plurals_are_left_alone(word: str) -> None:
    assert all(len(form) > len(word) for form in inflections(word))
