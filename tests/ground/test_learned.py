"""The learned reader as a drafter, where no construction is known."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest

from groundwire.encoder import SpanReader
from groundwire.ground import EmbeddedEdgeJudge, SecondReader, read_causal
from groundwire.ground._evidence import Finding
from groundwire.ground._learned import LearnedDrafter
from groundwire.ground._types import Passage
from groundwire.model import EvidenceBundle
from tests.ground.make import BACKEND, reader_for


class Tagged:
    """Tags the words that stand between brackets: [cause], {effect}."""

    def __init__(self, cause: str, effect: str, likely: float = 0.9) -> None:
        self._ends = (cause.split(), effect.split())
        self._likely = likely

    def causal(self, texts: Sequence[str]) -> list[float]:
        return [self._likely for _ in texts]

    def logits(self, words: Sequence[Sequence[str]]) -> list["np.ndarray[Any, Any]"]:
        return [self._rows(list(one)) for one in words]

    def _rows(self, words: list[str]) -> "np.ndarray[Any, Any]":
        rows = np.tile([4.0, -4.0, -4.0], (len(words), 1))
        for kind, end in enumerate(self._ends, start=1):
            for at in range(len(words)):
                if words[at : at + len(end)] == end:
                    rows[at : at + len(end)] = [-4.0, -4.0, -4.0]
                    rows[at : at + len(end), kind] = 4.0
        return rows


def drafts(text: str, cause: str, effect: str, likely: float = 0.9) -> list[tuple[str, str]]:
    drafter = LearnedDrafter(cast("SpanReader", Tagged(cause, effect, likely)))
    found = read_causal(text, learned=drafter)
    return [(one.cause, one.effect) for one in found if one.is_learned and one.is_open]


WINDOWS = "Two windows were loose; through them the rain reached the floor."


def test_two_clauses_are_drafted_by_what_is_tagged() -> None:
    ends = ("Two windows were loose", "the rain reached the floor")
    assert drafts(WINDOWS, *ends) == [ends]


def test_what_does_not_read_as_a_cause_is_not_drafted() -> None:
    assert drafts(WINDOWS, "Two windows were loose", "the rain reached the floor", likely=0.1) == []


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "The cart stood in the yard when the horn of the mill sounded.",
            "the horn of the mill sounded",
            "The cart stood in the yard",
        ),
        (
            "The windows may be loose; through them the rain reached the floor.",
            "The windows may be loose",
            "the rain came in",
        ),
        (
            "The windows were loose, yet no rain came in that night.",
            "The windows were loose",
            "no rain came in that night",
        ),
        ("The new tower gets a camera in the spring.", "The new tower", "gets a camera"),
        ("On Sunday the old fuse in the hall blew.", "the old fuse", "blew"),
    ],
)
def test_times_suppositions_and_denials_draft_nothing(text: str, cause: str, effect: str) -> None:
    """Nor what only says what a thing has or does."""
    assert drafts(text, cause, effect) == []


@pytest.mark.parametrize(("caused", "is_told"), [(0.9, True), (0.3, False), (None, False)])
def test_what_it_drafted_is_for_the_support_head_to_say(
    caused: float | None,
    is_told: bool,  # noqa: FBT001
) -> None:
    """The drafter is sure of it, and that counts for nothing."""
    ends = ("Two windows were loose", "the rain reached the floor")
    tagged = cast("SpanReader", Tagged(*ends))
    (reading,) = read_causal(WINDOWS, learned=LearnedDrafter(tagged))
    passage = Passage(EvidenceBundle.of(WINDOWS, "doc"), "support")
    judge = EmbeddedEdgeJudge(BACKEND, reader_for(), second=SecondReader(tagged))
    assert judge._confirms(Finding("direct", 1.0, passage, reading), caused) == is_told


def test_known_wording_is_read_by_the_rules() -> None:
    text = "The loose windows caused a flood in the lower cellar."
    assert drafts(text, "The loose windows", "a flood in the lower cellar") == []
