"""What a Python program touches first: the engine, evidence in any form, reports."""

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire import CheckReport, ClaimResult, Engine, GivenEvidence, InputError
from groundwire.errors import BackendError
from groundwire.judge import Estimate, Question
from groundwire.judge._protocol import Backend

pytestmark = pytest.mark.anyio


class Words(Backend):
    """Believes what stands in the context, and notes how it was asked."""

    name = "words"
    context_words = 200
    threshold = 0.5
    claims_at_once = 2

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.asked.append(len(questions))
        return [
            Estimate(p=0.9 if one.claim.rstrip(".") in one.context else 0.1, refute=0.0)
            for one in questions
        ]


FACTS = "The mast is red. The gate is green. The door is blue. The roof is grey. The wall is white."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, and one that cannot be read."""
    place = tmp_path / "papers"
    place.mkdir()
    (place / "mast.md").write_text("The mast is red.")
    (place / "gate.txt").write_text("The gate is green.")
    (place / "old.doc").write_text("x")
    return place


async def test_an_engine_is_opened_with_async_with() -> None:
    """And a report has a length, iterates over its claims and gives one by its place."""
    async with Engine(judge=Words()) as engine:
        report = await engine.verify_claims("The mast is red. The mast is old.", "The mast is red.")
    assert isinstance(report, CheckReport)
    assert (len(report), report.score) == (2, 0.5)
    assert [claim.status for claim in report] == ["grounded", "unsupported"]
    assert report[0] is report.claims[0]
    assert CheckReport.model_validate(report.model_dump()) == report


async def test_a_report_without_claims_is_still_a_report() -> None:
    """It is no empty list: its score is absent, not perfect."""
    async with Engine(judge=Words()) as engine:
        report = await engine.verify_claims("Is it red?", "The mast is red.")
    assert report
    assert (len(report), report.score, report.mode) == (0, None, "ABSTAIN")


async def test_paths_and_texts_are_evidence(folder: Path) -> None:
    """A file, a folder, a mixture, or either by an id; what could not be read is named."""
    async with Engine(judge=Words()) as engine:
        given: list[tuple[GivenEvidence, str]] = [
            (folder / "mast.md", (folder / "mast.md").as_posix()),
            (folder, "papers/mast.md"),
            (["The gate is green.", folder / "mast.md"], (folder / "mast.md").as_posix()),
            ({"m": folder / "mast.md", "g": "The gate is green."}, "m"),
        ]
        for evidence, doc_id in given:
            report = await engine.verify_claims("The mast is red.", evidence)
            assert report[0].evidence[0].doc_id == doc_id
        report = await engine.verify_claims("The mast is red.", folder)
        assert [one.path for one in report.coverage.unread] == ["papers/old.doc"]
        result = await engine.verify_claim("The mast is red.", folder / "mast.md")
        assert result.status == "grounded"


async def test_a_batch_gives_a_report_for_each_pair_in_order() -> None:
    """From any iterable of pairs."""
    pairs = [(f"The mast is {colour}.", "The mast is red.") for colour in ("red", "old", "red")]
    async with Engine(judge=Words()) as engine:
        reports = await engine.verify_batch(iter(pairs))
    assert [one[0].status for one in reports] == ["grounded", "unsupported", "grounded"]
    assert len({one.request_id for one in reports}) == 3


async def test_verdicts_are_told_as_they_fall() -> None:
    """A few claims at a time; without a listener the judge is asked all at once."""
    judge = Words()
    told: list[tuple[str, int, int]] = []

    def on_claim(result: ClaimResult, done: int, of: int) -> None:
        told.append((result.claim, done, of))

    async with Engine(judge=judge) as engine:
        report = await engine.verify_claims(FACTS, FACTS, on_claim=on_claim)
    assert [one[1:] for one in told] == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]
    assert [one[0] for one in told] == [claim.claim for claim in report]
    asked_in_steps = len(judge.asked)
    judge.asked.clear()
    async with Engine(judge=judge) as engine:
        assert (await engine.verify_claims(FACTS, FACTS)).claims[0].claim == told[0][0]
    assert len(judge.asked) < asked_in_steps


async def test_a_question_makes_a_terse_answer_whole() -> None:
    """Also at the top level, without an engine."""
    async with Engine(judge=Words()) as engine:
        report = await engine.verify_claims("Red.", "x", question="Which colour is the mast?")
    assert "question" in inspect.signature(groundwire.verify_claims).parameters
    assert len(report) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda e: e.verify_claims_sync("The mast is red.", None), "evidence is None; pass a str"),
        (lambda e: e.verify_claims_sync("It is red.", b"bytes"), "of type bytes; pass a str"),
        (lambda e: e.verify_claims_sync("It is red.", ["a", 3]), "Piece 2 of the evidence is of"),
        (lambda e: e.verify_claims_sync("It is red.", {"a": None}), "Piece a of the evidence is"),
        (lambda e: e.verify_claims_sync(3, "x"), "text to check is of type int; pass a str"),
        (lambda e: e.verify_claims_sync(Path("a"), "x"), "path.read_text()"),
        (lambda e: e.verify_claim_sync(None, "x"), "claim to check is None; pass a str"),
        (lambda e: e.verify_claim_sync("It is.", "x", "high"), "pass a float from 0 to 1"),
        (lambda e: e.verify_batch_sync("text"), "pass pairs: [(text, evidence), …]"),
        (lambda e: e.verify_batch_sync(["text"]), "Item 0 of the batch is no pair"),
        (
            lambda e: e.verify_batch_sync([("a.", "b"), (None, "c")]),
            "Item 1 of the batch: The text",
        ),
    ],
)
def test_a_wrong_type_says_what_to_pass(call: Callable[[Any], object], said: str) -> None:
    """Before anything is judged, in one sentence."""
    with Engine(judge=Words()) as engine, pytest.raises(TypeError, match=re.escape(said)):
        call(engine)


def test_an_empty_text_of_a_batch_is_named_by_its_place() -> None:
    """It is input, not a type."""
    with Engine(judge=Words()) as engine, pytest.raises(InputError, match="Item 1 of the batch"):
        engine.verify_batch_sync([("a.", "b"), (" ", "c")])


async def test_the_same_evidence_is_read_once() -> None:
    """Many answers to one corpus pay for its sentences once."""
    async with Engine(judge=Words()) as engine:
        await engine.verify_claims("The mast is red.", FACTS)
        kept = await engine.parts.evidence(engine.parts._evidence.bundles)  # type: ignore[union-attr]
        await engine.verify_claims("The gate is green.", FACTS)
        assert engine.parts._evidence is kept
        await engine.verify_claims("The gate is green.", "The gate is green.")
        assert engine.parts._evidence is not kept


def test_the_package_offers_its_results_and_its_version() -> None:
    """Names for annotations come from the top level."""
    for name in ("CheckReport", "ClaimResult", "Answer", "TermReport", "VerificationResult"):
        assert name in groundwire.__all__
        assert name in dir(groundwire)
    assert groundwire.__version__[0].isdigit()
