"""Judgements that outlive the process."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.config import Config
from groundwire.errors import BackendError
from groundwire.judge import CachedJudge, Estimate, KeptJudgements, Question, judge_identity
from groundwire.judge._protocol import Backend

ASKED = [Question(claim="The mast is red.", context="The mast is blue.")]


class Counting(Backend):
    name = "counting"
    context_words = 100
    threshold = 0.5

    def __init__(self, p: float = 0.7, *, degraded: bool = False) -> None:
        self.calls = 0
        self._answer = Estimate(p=p, refute=0.1, degraded=degraded)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.calls += 1
        return [self._answer for _ in questions]


def kept(folder: Path, identity: str = "one judge", max_mb: int = 1) -> KeptJudgements:
    return KeptJudgements(folder / "kept.sqlite", identity, max_mb)


@pytest.mark.anyio
async def test_a_question_is_asked_once_over_all_processes(tmp_path: Path) -> None:
    """By its content: the same answer comes back, marked as cached."""
    backend = Counting()
    first = await CachedJudge(backend, ttl_s=60, kept=kept(tmp_path)).ask(ASKED)
    again = await CachedJudge(backend, ttl_s=60, kept=kept(tmp_path)).ask(ASKED)
    assert backend.calls == 1
    assert (first[0].cached, again[0].cached) == (False, True)
    assert first[0].answer == again[0].answer
    other = [Question(claim="The mast is red.", context="The mast is grey.")]
    await CachedJudge(backend, ttl_s=60, kept=kept(tmp_path)).ask(other)
    assert backend.calls == 2


@pytest.mark.anyio
async def test_another_judge_answers_for_itself(tmp_path: Path) -> None:
    """Code, weights, model and settings are what a judge is."""
    await CachedJudge(Counting(), ttl_s=60, kept=kept(tmp_path)).ask(ASKED)
    other = Counting(0.2)
    await CachedJudge(other, ttl_s=60, kept=kept(tmp_path, "another")).ask(ASKED)
    assert other.calls == 1


def test_settings_that_judge_otherwise_are_another_judge() -> None:
    """A key, a cap or a log level are not; a model and a threshold are."""
    plain = judge_identity(Config())
    assert judge_identity(Config.model_validate({"log": {"level": "off"}})) == plain
    assert judge_identity(Config.model_validate({"llm": {"api_key": "x"}})) == plain
    assert judge_identity(Config.model_validate({"llm": {"model": "x"}})) != plain
    assert judge_identity(Config.model_validate({"judge": {"threshold": 0.9}})) != plain


@pytest.mark.anyio
async def test_makeshift_answers_are_not_kept(tmp_path: Path) -> None:
    """The next process asks the judge that was meant."""
    backend = Counting(degraded=True)
    for _ in range(2):
        await CachedJudge(backend, ttl_s=60, kept=kept(tmp_path)).ask(ASKED)
    assert backend.calls == 2


@pytest.mark.anyio
async def test_a_damaged_file_costs_time_and_no_verdict(tmp_path: Path) -> None:
    """It is left alone, and the judge is asked."""
    (tmp_path / "kept.sqlite").write_bytes(b"no database at all" * 1_000)
    backend = Counting()
    (judged,) = await CachedJudge(backend, ttl_s=60, kept=kept(tmp_path)).ask(ASKED)
    assert isinstance(judged.answer, Estimate)
    assert backend.calls == 1


def test_the_file_stays_within_its_bound(tmp_path: Path) -> None:
    """The oldest go first."""
    store = kept(tmp_path)
    for start in range(0, 12_000, 1_000):
        store.put({str(number).encode(): Estimate(p=0.5) for number in range(start, start + 1_000)})
    assert store.count() <= 5_000
    store.close()
    assert (tmp_path / "kept.sqlite").stat().st_size < 2_000_000
