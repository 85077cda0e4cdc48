from training.prompts import KINDS, SHARES, claims_in, prompt


def test_every_kind_is_asked_for_and_the_shares_are_of_thirty() -> None:
    assert SHARES.keys() == KINDS.keys()
    assert sum(SHARES.values()) == 30


def test_a_prompt_shows_the_text_and_the_task() -> None:
    shown = prompt("The dam {holds}.", "facts")
    assert "The dam {holds}." in shown
    assert KINDS["facts"] in shown


def test_bullets_numbers_and_repeats_are_no_part_of_a_claim() -> None:
    written = (
        "Sure, here they are:\n1. The dam holds water.\n- The dam holds water.\n\n* It is old now."
    )
    assert claims_in("facts", written, finished=True) == ["The dam holds water.", "It is old now."]


def test_what_was_cut_off_is_left_out() -> None:
    written = "The dam holds water.\nThe river was never"
    assert claims_in("facts", written, finished=False) == ["The dam holds water."]


def test_only_the_answers_to_questions_are_claims() -> None:
    written = "Q: Who built it? A: The town of Vik built it.\nQ: When?\nA: It was built in 1931."
    assert claims_in("answers", written, finished=True) == [
        "The town of Vik built it.",
        "It was built in 1931.",
    ]


def test_a_summary_is_a_claim_and_so_are_its_sentences() -> None:
    written = "The dam held all night. The river fell by noon."
    assert claims_in("summary", written, finished=True) == [
        written,
        "The dam held all night.",
        "The river fell by noon.",
    ]


def test_talk_about_the_text_is_no_claim() -> None:
    assert claims_in("facts", "The text says that the dam holds.", finished=True) == []
