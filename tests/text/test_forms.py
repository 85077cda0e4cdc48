"""Word forms: singular and plural."""

import pytest

from groundwire.text import inflections, plural, singular


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
    """Each number of a word is among the forms of the other, with its language."""
    assert language in inflections(plural)[singular]
    assert language in inflections(singular)[plural]


@pytest.mark.parametrize(("word", "other"), [("spirtes", "spirt"), ("gales", "gal")])
def test_an_ending_needs_the_stem_it_belongs_to(word: str, other: str) -> None:
    """ "es" is an ending of a plural only after the letters that ask for it."""
    assert "en" not in inflections(word).get(other, ())


@pytest.mark.parametrize("word", ["gas", "mass", "news", "series", "bus", "analysis", "loss"])
def test_words_that_only_look_like_plurals_are_left_alone(word: str) -> None:
    """A word that ends in "s" is not always a plural."""
    assert all(len(form) > len(word) for form in inflections(word))


@pytest.mark.parametrize(
    ("word", "one"),
    [("policies", "policy"), ("field guides", "field guide"), ("status", "status")],
)
def test_the_singular_of_a_word(word: str, one: str) -> None:
    """A word without a plural's ending is its own singular."""
    assert singular(word) == one


def test_the_plural_of_a_word() -> None:
    """By the regular endings."""
    assert [plural(word) for word in ("policy", "ADR", "run book")] == [
        "policies",
        "ADRs",
        "run books",
    ]
