import re

from groundwire.judge._prompt import Prompts

FENCE = re.compile(r"<(data-[0-9a-f]{24})>")


def test_evidence_and_claim_stand_between_marks_nobody_can_guess() -> None:
    prompt = Prompts("yes_no").single("the claim", "the evidence")
    fences = set(FENCE.findall(prompt))
    assert len(fences) == 1
    fence = fences.pop()
    assert f"<{fence}>\nthe evidence\n</{fence}>" in prompt
    assert f"<{fence}>\nthe claim\n</{fence}>" in prompt


def test_the_marks_differ_from_process_to_process_and_from_content_to_content() -> None:
    one, other = Prompts("yes_no"), Prompts("yes_no")
    assert one.single("c", "e") != other.single("c", "e")
    first, second = (FENCE.findall(one.single("c", text))[0] for text in ("e", "f"))
    assert first != second


def test_the_same_question_is_asked_in_the_same_words_again() -> None:
    """So that a provider's prompt cache still works."""
    prompts = Prompts("yes_no")
    assert prompts.single("c", "e") == prompts.single("c", "e")


def test_braces_in_evidence_are_just_braces() -> None:
    assert "{fence} {0} {{x}}" in Prompts("yes_no").single("c", "{fence} {0} {{x}}")


def test_broken_unicode_in_evidence_does_not_stop_a_question() -> None:
    assert "\ud800" in Prompts("yes_no").single("c", "half a pair \ud800")


def test_prompts_have_an_id_and_a_hash_of_their_text() -> None:
    two, three = Prompts("yes_no"), Prompts("yes_no_unsure")
    assert two.prompt_id == "yes_no.v1"
    assert re.fullmatch("[0-9a-f]{64}", two.prompt_hash)
    assert two.prompt_hash != three.prompt_hash
    assert two.prompt_hash == Prompts("yes_no").prompt_hash
