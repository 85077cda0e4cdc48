"""`gw bench answers`: what is reported of whether passages answer questions."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.encoder import Answering, QuestionReader
from groundwire.errors import InputError
from groundwire.evaluate import AnswerRow, benchmark_answers


class Known:
    """Scores a pair by the number that its passage is."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Answering]:
        return [Answering(said, 0.0) for said in self.second_opinion(pairs)]

    def second_opinion(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [float(passage) for _, passage in pairs]


def rows(name: str, answerable: Sequence[float], others: Sequence[float]) -> list[AnswerRow]:
    return [
        AnswerRow(
            id=f"{name}{place}", set=f"{name}.part", question="q", passage=str(score), label=y
        )
        for place, (score, y) in enumerate(
            [(score, 1) for score in answerable] + [(score, 0) for score in others]
        )
    ]


def test_what_abstaining_costs() -> None:
    """One of ten others lies above a half of the answerable: at 10 % all above the next count."""
    scores = [0.95, *[0.1] * 9]
    report = benchmark_answers(rows("made", [0.9, 0.99, 0.05, 0.97], scores), Known())
    (one,) = report.sets
    assert one.name == "made"
    assert one.answered_at_5.value == 0.5
    assert one.answered_at_10.value == 0.75
    assert one.auroc.value == (1 + 1 + 0 + 0.9) / 4


def test_the_macro_figure_counts_each_set_once() -> None:
    """A perfect set of two and a reversed set of forty give one half."""
    found = benchmark_answers(
        [*rows("small", [0.9], [0.1]), *rows("large", [0.1] * 20, [0.9] * 20)], Known()
    )
    assert found.macro.auroc.value == 0.5
    assert found.together.rows == 42


def test_a_set_with_one_label_is_named() -> None:
    """It is left out of the means; where no other is there that is an error."""
    found = benchmark_answers([*rows("both", [0.9], [0.1]), *rows("one", [0.9], [])], Known())
    assert found.left_out == ("one",)
    with pytest.raises(InputError, match="one label only"):
        benchmark_answers(rows("one", [0.9], []), Known())


def test_questions_about_documents_nobody_tuned_on() -> None:
    """Written without sight of the code: software documentation, policies, reports."""
    lines = (Path(__file__).parent / "answers_open.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [
        AnswerRow(**{name: one[name] for name in ("id", "question", "passage")}, label=label)
        for one in map(json.loads, lines)
        for label in [int(one["answerable"])]
    ]
    report = benchmark_answers(asked, QuestionReader())
    assert report.together.auroc.value >= 0.85
