"""Which language a text is in."""

from pathlib import Path

import pytest

from groundwire.text import detect_language, language_name

PARAGRAPHS = Path(__file__).parent / "paragraphs.txt"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bridge is 503 m long and was opened in 1932.", "en"),
        ("Мост открыт в 1932 году.", "ru"),
        ("橋は1932年に開通しました。", "ja"),
        ("725 mV", None),
        ("", None),
    ],
)
def test_scripts_and_english_words_tell_without_a_detector(text: str, language: str | None) -> None:
    """The commonest case costs nothing."""
    assert detect_language(text) == language


@pytest.mark.parametrize(
    "text",
    [
        "Declaring a major is a big step.",
        "Oscar de la Hoya stopped fighting by 1995.",
        "Blue Jasmine is about a rich Manhattan socialite.",
        "Jenna Jameson only worked as a professional actress.",
        "so Eric what do you think um",
        "petr straka be 1 of 3 forward draft",
        "no | driver | entrant\n1 | Luigi Villoresi | Scuderia Ambrosiana\n2 | Felice Bonetto | x",
        "Der Turm ist hoch.",
    ],
)
def test_short_or_odd_english_is_no_other_language(text: str) -> None:
    """In doubt the answer is None, which refuses nothing."""
    assert detect_language(text) in (None, "en")


def test_paragraphs_of_other_languages_are_named() -> None:
    """Sixty sentences each of German, Dutch, French and Spanish, four to a paragraph."""
    wrong = []
    for line in PARAGRAPHS.read_text(encoding="utf-8").splitlines():
        language, _, paragraph = line.partition(": ")
        if detect_language(paragraph) != language:
            wrong.append(line)
    assert wrong == []


def test_languages_have_names_a_reader_knows() -> None:
    """A rare one is named by its code."""
    assert language_name("nl") == "Dutch"
    assert language_name("tlh") == "“tlh”"
