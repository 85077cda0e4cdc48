"""Sentences made by rule: what states a claim and what leaves it open."""

import random

import pytest

from training import moods


@pytest.mark.parametrize(
    ("sentence", "subject", "base", "rest"),
    [
        ("The mill brought the flour.", "The mill", "bring", "the flour"),
        ("Ada Berg moved to Delft.", "Ada Berg", "move", "to Delft"),
        ("The club stopped the match.", "The club", "stop", "the match"),
        ("The crew carried the mast ashore.", "The crew", "carry", "the mast ashore"),
        ("The roof was repaired in May.", "The roof", "be", "repaired in May"),
    ],
)
def test_a_plain_sentence_is_taken_apart(sentence: str, subject: str, base: str, rest: str) -> None:
    told = moods.taken_apart(sentence)
    assert told is not None
    assert (told.subject, told.base, told.rest) == (subject, base, rest)


@pytest.mark.parametrize(
    "sentence",
    [
        "It is red.",
        "Is it red?",
        "When it rained, he left.",
        "Nobody",
        "The mast, it fell, was red.",
    ],
)
def test_others_are_left_alone(sentence: str) -> None:
    assert moods.taken_apart(sentence) is None


def test_of_each_sentence_both_sorts_are_made() -> None:
    lot = random.Random(1)
    made = list(moods.moods("The mill brought the flour.", lot, 3))
    assert made[0].text == "The mill brought the flour."
    assert [one.is_stated for one in made] == [True, True, True, True, False, False, False]
    assert all(one.half in (1, 2) for one in made[1:])
    assert not any("{" in one.text for one in made)
