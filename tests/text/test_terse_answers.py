"""Terse answers and their questions become statements."""

import pytest

from groundwire.text import is_terse, statement_of


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("How long are logs kept?", "42 days.", "Logs are kept 42 days."),
        ("What is the retention period?", "42 days", "The retention period is 42 days."),
        ("When was the station built?", "1974", "The station was built 1974."),
        ("In which year was it built?", "1974.", "It was built in 1974."),
        ("Who manages Vik?", "Astrid Havnes.", "Astrid Havnes manages Vik."),
        ("Who was elected president?", "Ada", "Ada was elected president."),
        ("Which substation feeds the harbour?", "Vik", "Vik feeds the harbour."),
        ("How many customers lost power?", "4,100", "4,100 customers lost power."),
        ("How many customers lost power?", "4,100 customers", "4,100 customers lost power."),
        ("How many pumps does it have?", "3", "It does have 3 pumps."),
        ("What share of users were affected?", "12 %", "12 % of users were affected."),
        ("What kind of oil is used?", "Ester", "Ester oil is used."),
        ("How high is the mast?", "40 m", "The mast is 40 m high."),
        ("How high is the mast?", "40 m high", "The mast is 40 m high."),
        ("Where is Vik run from?", "The centre.", "Vik is run from the centre."),
        ("When did the storm come?", "12 January", "The storm did come 12 January."),
        ("Vik has two. What does the policy require?", "HTTPS", "The policy does require HTTPS."),
    ],
)
def test_an_answer_takes_the_place_of_what_was_asked(
    question: str, answer: str, statement: str
) -> None:
    """In the order of a statement, with the question's own words."""
    assert statement_of(question, answer) == statement


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Was it built in 1974?", "It was not built in 1974."),
        ("Does the station have three pumps?", "The station does not have three pumps."),
        ("Can one transformer carry the load?", "One transformer can not carry the load."),
        ("Is the mast red?", "The mast is not red."),
        ("Is the mast 40 m high?", "The mast is not 40 m high."),
        ("Is Vik a substation?", "Vik is not a substation."),
        ("Has the cable been repaired?", "The cable has not been repaired."),
        ("Is there a school nearby?", "There is not a school nearby."),
        ("Is the library open?", "The library is not open."),
        ("Are both transformers of the same make red?", None),
        ("How high is the mast?", None),
    ],
)
def test_a_no_is_put_in_words_or_not_at_all(question: str, statement: str | None) -> None:
    """Beside its question a "No" would be read as what was asked: better no claim than that."""
    assert statement_of(question, "No.") == statement
    assert statement_of(question, "No, it is not.") == statement
    yes = None if statement is None else statement.replace(" not ", " ")
    assert statement_of(question, "Yes.") == yes


def test_a_no_to_all_of_them_may_mean_not_all() -> None:
    assert statement_of("Are both gates open?", "Yes.") == "Both gates are open."
    assert statement_of("Are both gates open?", "No.") is None


def test_a_yes_needs_no_do() -> None:
    assert statement_of("Do trams run at night?", "Yes.") == "Trams run at night."
    assert statement_of("Do trams run at night?", "No.") == "Trams do not run at night."


def test_an_unknown_form_keeps_the_question_before_the_answer() -> None:
    """Nothing is guessed: the two stand side by side."""
    asked = "How far is the school from the fence?"
    assert statement_of(asked, "60 metres.") == f"{asked} 60 metres."
    assert statement_of("Who wrote it and when?", "Ada, 2020") == (
        "Who wrote it and when? Ada, 2020."
    )
    assert statement_of("", "60 metres.") is None


@pytest.mark.parametrize("text", ["42 days.", "Kafka", "Yes.", "No, it was not.", "Broken poles"])
def test_what_has_no_verb_is_terse(text: str) -> None:
    """It asserts nothing without its question."""
    assert is_terse(text)


@pytest.mark.parametrize(
    "text", ["It is 42 days.", "Yes, the mast is red.", "Vik feeds the harbour.", "Is it?"]
)
def test_a_sentence_is_not_terse(text: str) -> None:
    """It is a claim of its own."""
    assert not is_terse(text)
