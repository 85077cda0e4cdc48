import random

from training.contexts import REMOVED, of_evidence, without_a_sentence
from training.prepare import FULL_WORDS


def test_short_evidence_stays_whole() -> None:
    text = "The dam holds. The river is low."
    assert list(of_evidence(text, random.Random(1))) == [text]


def test_long_evidence_becomes_selections_that_the_judge_could_see() -> None:
    text = " ".join(f"Gate {number} was opened at noon by hand." for number in range(200))
    made = list(of_evidence(text, random.Random(1)))
    assert len(made) == 3
    assert all(0 < len(one.replace(" ... ", " ").split()) <= FULL_WORDS for one in made)
    assert all("Gate" in one for one in made)


def test_a_copy_lacks_one_sentence_and_says_where() -> None:
    copies = without_a_sentence("The dam holds. The river is low.", random.Random(1))
    assert sorted(copies) == sorted([f"The dam holds. {REMOVED}", f"{REMOVED} The river is low."])


def test_a_single_sentence_cannot_be_left_out() -> None:
    assert without_a_sentence("The dam holds.", random.Random(1)) == []
