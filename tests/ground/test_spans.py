"""The learned reader as a check of what the wording reads."""

from dataclasses import replace
from typing import cast

import pytest

from groundwire.encoder import SpanReader, Told
from groundwire.ground import SecondReader, read_causal
from groundwire.ground._read import CausalReading


class Steady:
    """Says the same of every text, and keeps what it was asked."""

    def __init__(self, likely: float, left_open: float) -> None:
        self.asked: list[str] = []
        self._says = Told(likely, [], left_open)

    def told(self, texts: list[str]) -> list[Told]:
        self.asked += texts
        return [self._says for _ in texts]


def second(likely: float, left_open: float = -3.0) -> tuple[SecondReader, Steady]:
    told = Steady(likely, left_open)
    return SecondReader(cast("SpanReader", told)), told


def first(text: str) -> CausalReading:
    return read_causal(text)[0]


OPEN = "The hail shattered the panes."


@pytest.mark.parametrize(
    ("likely", "caused", "is_told"),
    [
        (0.9, 0.6, True),
        (0.9, 0.02, False),
        (0.02, 0.97, True),
        (0.02, 0.4, False),
        (0.5, None, True),
        (0.1, None, False),
    ],
)
def test_a_verb_of_no_list_needs_both_heads_together(
    likely: float,
    caused: float | None,
    is_told: bool,  # noqa: FBT001
) -> None:
    """One may make up for the other, none is asked alone where both are there."""
    reading = first(OPEN)
    assert reading.is_open
    assert second(likely)[0].tells(reading, OPEN, caused) == is_told


def test_a_listed_word_needs_little() -> None:
    text = "The hail caused the leak."
    assert second(0.01)[0].tells(first(text), text, 0.0)
    assert not second(0.001)[0].tells(first(text), text)


def test_a_listed_word_that_the_reader_never_met_needs_the_support_head() -> None:
    text = "The hail was at the root of the leak."
    assert second(0.001)[0].tells(first(text), text, 0.9)
    assert not second(0.001)[0].tells(first(text), text, 0.5)
    assert not second(0.00001)[0].tells(first(text), text, 1.0)


def test_the_reader_sees_words_for_identifiers() -> None:
    """It was taught on words: codes tell it nothing."""
    text = "PumpStat2 led to FlowProb4."
    reader, told = second(0.9)
    reader.tells(first(text), text)
    assert told.asked == ["the fault led to the failure."]


def test_words_stay_as_they_are() -> None:
    text = "Heavy rain led to a landslip."
    reader, told = second(0.9)
    reader.tells(replace(first(text), is_open=True), text)
    assert told.asked == [text]


@pytest.mark.parametrize(("left_open", "is_left"), [(4.0, True), (-3.0, False)])
def test_what_a_sentence_leaves_open_it_does_not_state(
    left_open: float,
    is_left: bool,  # noqa: FBT001
) -> None:
    """However it is worded, a suspicion or a plan is no cause."""
    text = "The hail caused the leak."
    assert second(0.9, left_open)[0].leaves_open(first(text), text) == is_left


def test_a_gut_feeling_is_left_open() -> None:
    """The head that ships tells what was felt from what was found."""
    reader = SecondReader(SpanReader())
    felt = "My gut says that the pump failed because of the new seal."
    found = "The pump failed because of the new seal."
    assert reader.leaves_open(first(felt), felt)
    assert not reader.leaves_open(first(found), found)


def test_what_is_due_to_something_is_not_scheduled() -> None:
    """The head takes `is due to` for what is yet to come."""
    text = "The wrong hour is due to a missing time zone rule."
    assert not second(0.9, 4.0)[0].leaves_open(first(text), text)
