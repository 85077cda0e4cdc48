"""What a question is about, and its language."""

import pytest

from groundwire.text import (
    MAX_QUESTION_WORDS,
    has_phrase,
    leaves_open,
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


@pytest.mark.parametrize(
    "sentence",
    [
        "We need to find out what is the maximum number one controller can handle.",
        "It is not yet known which vendor will deliver.",
        "The retention period is to be determined.",
        "We still have to decide whether to keep the old one.",
        "It remains unclear how long the migration takes.",
        "The price has not yet been agreed.",
        "We need to come up with a list of acceptable instance types.",
        "The team still has to agree on a retention period.",
        "We will have to settle on a vendor first.",
    ],
)
def test_what_is_left_open_answers_nothing(sentence: str) -> None:
    assert leaves_open(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We will use Kafka.",
        "The retention period is ten days.",
        "The operator decides which feeder is closed first.",
        "We decided how long backups are kept: ten days.",
        "It is clear who answers for it: the owner.",
        "We agreed on ten days.",
        "We need to tell the operator within an hour.",
    ],
)
def test_what_is_settled_is_not_left_open(sentence: str) -> None:
    assert not leaves_open(sentence)
