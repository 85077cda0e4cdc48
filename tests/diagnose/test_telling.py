"""Whether a sentence of a document tells of a variable in other words."""

from collections.abc import Sequence
from typing import cast

import pytest

from groundwire.diagnose._telling import Telling
from groundwire.encoder import PairScorer, Scores


class Sure:
    """Finds everything supported, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        self.asked += pairs
        return [Scores(support=0.9, refute=0.05, neutral=0.05) for _ in pairs]


def test_the_support_head_is_asked_whether_it_was_so() -> None:
    scorer = Sure()
    told = Telling(cast("PairScorer", scorer))("The bogie left the rails.", ["derailment"])
    assert told == [0.9]
    assert scorer.asked == [("There was derailment.", "The bogie left the rails.")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The bogie may have left the rails.",
        "Did the bogie leave the rails?",
        "The brown tint appeared together with the derailment.",
    ],
)
def test_what_is_supposed_asked_or_only_went_together_is_not_told(sentence: str) -> None:
    scorer = Sure()
    assert Telling(cast("PairScorer", scorer))(sentence, ["derailment"]) == [0.0]
    assert scorer.asked == []


def test_a_contradiction_shows_that_a_report_has_to_do_with_what_was_so() -> None:
    """`Twelve degrees in the boxes` contradicts `eleven degrees`; about a flat tyre both are
    silent."""

    class Contradicts:
        def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
            refuted = [0.7 * ("boxes" in told) for _, told in pairs]
            return [Scores(support=0.1, refute=one, neutral=0.9 - one) for one in refuted]

    bears = Telling(cast("PairScorer", Contradicts())).bears
    report = "The loggers show twelve degrees."
    assert bears(report, ["warm boxes"], ["They stood open."]) == 0.7
    assert bears(report, ["flat tyre"], ["The boxes showed eleven degrees."]) == 0.7
    assert bears(report, ["flat tyre"], ["The lorry stopped."]) == 0.0
    assert bears(report, [], []) == 0.0
