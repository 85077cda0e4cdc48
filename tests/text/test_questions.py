"""What a question is about, and its language."""

import pytest

from groundwire.text import (
    MAX_QUESTION_WORDS,
    has_phrase,
    query_words,
    question_language,
    topic_words,
    unaccented,
)


def test_the_words_of_a_question_are_few_and_carry_it() -> None:
    """Small words count only where there are no others."""
    assert query_words("What is decided about TLS versions?") == ["tls", "versions"]
    assert query_words("Wat is het besluit over CIM?") == ["besluit", "cim"]
    assert query_words("What is it?") == ["what", "is", "it"]
    assert topic_words("What is it?") == []
    assert len(query_words(" ".join(f"w{n}" for n in range(5_000)))) == MAX_QUESTION_WORDS


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Hoe wordt een storing gemeld?", "nl"),
        ("Warum wird die Leitung geprüft?", "de"),
        ("How is an outage reported?", None),
        ("TLS", None),
    ],
)
def test_the_first_word_tells_the_language_of_a_question(
    question: str, language: str | None
) -> None:
    """English, and what is too short to tell, is named by nobody."""
    assert question_language(question) == language


def test_a_phrase_stands_in_whole_words() -> None:
    """Hyphens join words, letters do not."""
    assert has_phrase("Is it in-force now?", ["in force"])
    assert not has_phrase("Reinforce the mast.", ["in force", "reinforced"])


def test_accents_are_taken_off_letters() -> None:
    """Composed and decomposed letters alike."""
    assert unaccented("caf\u00e9 e\u0301nergie") == "cafe energie"
