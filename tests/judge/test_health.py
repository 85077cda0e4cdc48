"""Judge health is a gate: who fails questions with known answers is not believed."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.errors import BackendError, BackendRefused, JudgeUnhealthy
from groundwire.judge import (
    Backend,
    CachedJudge,
    EmbeddedBackend,
    Estimate,
    Health,
    HealthRecord,
    LLMBackend,
    Question,
    known_answer,
)
from groundwire.judge._canaries import _KNOWN
from groundwire.llm import LLMClient
from groundwire.testing import Asked, Reply, ScriptedModel
from tests.judge.test_llm_backend import LINE, batch_answer, judge_by, knows, say

pytestmark = pytest.mark.anyio

QUESTIONS_EACH = 4


class Judge(Backend):
    """Answers known questions rightly, wrongly or not at all, and every other one with YES."""

    name = "given"
    context_words = 100
    threshold = 0.5

    def __init__(self, answers: str = "rightly", model_id: str | None = "model") -> None:
        self.answers = answers
        self.model_id = model_id
        self.asked = 0

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [self._answer(one) for one in questions]

    def _answer(self, question: Question) -> Estimate | BackendError:
        known = known_answer(question.claim, question.context)
        if known is None:
            return Estimate(p=0.9)
        self.asked += 1
        if self.answers == "not at all":
            return BackendRefused("wrong key")
        right = {"rightly": known, "yes": True, "no": False, "wrongly": not known}
        return Estimate(p=0.95 if right[self.answers] else 0.05)


def is_stated(claim: str) -> bool:
    return any(claim == stated for _, stated, _ in _KNOWN)


class Clock:
    now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def examined(judge: Judge, path: Path | None = None, clock: Clock | None = None) -> CachedJudge:
    record = HealthRecord(path) if path else None
    judge.health = Health(judge, ttl_s=3600, record=record, clock=clock or Clock())
    return CachedJudge(judge, ttl_s=0)


def ask(claim: str = "a claim") -> list[Question]:
    return [Question(claim=claim, context="evidence")]


async def test_a_judge_that_answers_rightly_is_believed_and_asked_once() -> None:
    judge = Judge()
    cached = examined(judge)
    for claim in ("a", "b", "c"):
        ((answer, _),) = await cached.ask(ask(claim))
        assert isinstance(answer, Estimate)
    assert judge.asked == QUESTIONS_EACH


@pytest.mark.parametrize("answers", ["yes", "no", "wrongly"])
async def test_a_judge_that_says_always_the_same_or_the_opposite_is_not_believed(
    answers: str,
) -> None:
    """It is asked twice: chance is not illness."""
    judge = Judge(answers)
    ((answer, _),) = await examined(judge).ask(ask())
    assert isinstance(answer, JudgeUnhealthy)
    assert "known answers" in str(answer)
    assert judge.asked == 2 * QUESTIONS_EACH


async def test_a_judge_that_cannot_be_asked_gives_its_own_error_after_one_question() -> None:
    judge = Judge("not at all")
    cached = examined(judge)
    ((answer, _),) = await cached.ask(ask())
    assert isinstance(answer, BackendRefused)
    assert judge.asked == 1
    judge.answers = "rightly"
    assert isinstance((await cached.ask(ask()))[0].answer, Estimate)


async def test_what_was_found_counts_for_its_time_and_a_failure_for_a_tenth_of_it() -> None:
    clock, judge = Clock(), Judge()
    cached = examined(judge, clock=clock)
    for passed_s, answers, believed in (
        (0, "rightly", True),
        (3599, "yes", True),
        (1, "yes", False),
        (359, "rightly", False),
        (1, "rightly", True),
    ):
        clock.now_s += passed_s
        judge.answers = answers
        ((answer, _),) = await cached.ask(ask())
        assert isinstance(answer, Estimate) == believed


async def test_what_passed_is_kept_on_disk_by_model_and_what_failed_is_not(tmp_path: Path) -> None:
    path = tmp_path / "health.sqlite"
    await examined(Judge(), path).ask(ask())
    again, other, nameless = Judge("yes"), Judge(model_id="other"), Judge(model_id=None)
    for judge in (again, other, nameless):
        await examined(judge, path).ask(ask())
    assert (again.asked, other.asked, nameless.asked) == (0, QUESTIONS_EACH, QUESTIONS_EACH)
    await examined(Judge("yes", "ill"), path).ask(ask())
    mended = Judge(model_id="ill")
    assert isinstance((await examined(mended, path).ask(ask()))[0].answer, Estimate)


async def test_a_record_that_cannot_be_used_costs_questions_not_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "health.sqlite"
    path.write_bytes(b"not a database" * 100)
    judge = Judge()
    ((answer, _),) = await examined(judge, path).ask(ask())
    assert isinstance(answer, Estimate)
    assert judge.asked == QUESTIONS_EACH


async def test_a_threshold_near_certainty_does_not_make_a_judge_ill() -> None:
    judge = Judge()
    judge.threshold = 0.99
    assert isinstance((await examined(judge).ask(ask()))[0].answer, Estimate)


async def test_a_judge_that_nobody_built_from_settings_is_not_examined() -> None:
    judge = Judge("yes")
    assert isinstance((await CachedJudge(judge, ttl_s=0).ask(ask()))[0].answer, Estimate)
    assert judge.asked == 0


async def test_the_embedded_judge_knows_every_known_answer() -> None:
    questions = [
        Question(claim=claim, context=context)
        for context, stated, elsewhere in _KNOWN
        for claim in (stated, elsewhere)
    ]
    backend = EmbeddedBackend()
    answers = await backend.estimate(questions)
    for question, answer in zip(questions, answers, strict=True):
        assert isinstance(answer, Estimate)
        known = known_answer(question.claim, question.context)
        assert (answer.p >= backend.threshold) == known, question


async def test_the_embedded_judge_is_examined_once_for_its_weights(tmp_path: Path) -> None:
    """Its answers cannot change while its files do not: no time passes for it."""
    path = tmp_path / "health.sqlite"
    clock = Clock()
    for _ in range(2):
        backend = EmbeddedBackend()
        backend.health = Health(backend, ttl_s=1, record=HealthRecord(path), clock=clock)
        assert await backend.health.problem() is None
        clock.now_s += 1e9
    with sqlite3.connect(path) as kept:
        assert kept.execute("SELECT count(*), min(passed_at_s) FROM health").fetchone() == (1, 1000)


async def test_canaries_judged_wrongly_in_a_batch_have_the_judge_examined_again() -> None:
    """A model may be exchanged behind its name; what was kept of it then counts no longer."""
    ill = False

    def respond(asked: Asked) -> Reply:
        if ill:
            answers = [(id_, "YES") for id_, _ in LINE.findall(asked.prompt)]
            return batch_answer(answers) if answers else say("YES")
        return judge_by(lambda claim: knows(claim) or is_stated(claim))(asked)

    backend = LLMBackend(LLMClient(ScriptedModel(respond)))
    backend.health = Health(backend, ttl_s=3600)
    cached = CachedJudge(backend, ttl_s=0)
    two = [Question(claim=claim, context="evidence") for claim in ("true a", "true b")]
    assert all(isinstance(one.answer, Estimate) for one in await cached.ask(two))
    ill = True
    assert all(isinstance(one.answer, JudgeUnhealthy) for one in await cached.ask(two))
