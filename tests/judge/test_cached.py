from collections.abc import Sequence

import pytest

from groundwire.errors import BackendError, BackendTimeout
from groundwire.judge import CachedJudge, Estimate, Question
from groundwire.judge._protocol import Backend
from groundwire.observe import metrics

pytestmark = pytest.mark.anyio


class Counting(Backend):
    """Answers with the share of the claim's letters in the context, and counts."""

    name, context_words, threshold = "counting", 100, 0.5

    def __init__(self, *, failing: bool = False) -> None:
        self.asked: list[Question] = []
        self.failing = failing

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.asked += questions
        if self.failing:
            return [BackendTimeout("Too slow.")] * len(questions)
        return [Estimate(p=len(question.claim) / 10) for question in questions]


def question(claim: str, context: str = "e") -> Question:
    return Question(claim=claim, context=context)


async def test_spec_08_30_a_judgement_is_made_once_and_reused() -> None:
    """[SPEC-08.30] The same question within the time to live costs one call."""
    backend = Counting()
    judge = CachedJudge(backend, ttl_s=60)
    first = await judge.ask([question("a"), question("bb"), question("a")])
    again = await judge.ask([question("bb"), question("ccc")])
    assert [one.answer for one in first] == [Estimate(p=0.1), Estimate(p=0.2), Estimate(p=0.1)]
    assert [one.cached for one in first] == [False, False, False]
    assert [one.cached for one in again] == [True, False]
    assert [one.claim for one in backend.asked] == ["a", "bb", "ccc"]


async def test_claim_and_context_are_not_confused() -> None:
    backend = Counting()
    judge = CachedJudge(backend, ttl_s=60)
    await judge.ask([question("ab", "c"), question("a", "bc")])
    assert len(backend.asked) == 2


async def test_an_error_is_not_kept() -> None:
    backend = Counting(failing=True)
    judge = CachedJudge(backend, ttl_s=60)
    (failed,) = await judge.ask([question("a")])
    backend.failing = False
    (answered,) = await judge.ask([question("a")])
    assert isinstance(failed.answer, BackendTimeout)
    assert answered.answer == Estimate(p=0.1)


async def test_spec_08_40_hits_and_misses_are_counted() -> None:
    """[SPEC-08.40] So that the share of hits can be read."""
    before = metrics().value("verification_cache_hit_total")
    judge = CachedJudge(Counting(), ttl_s=60)
    await judge.ask([question("a")])
    await judge.ask([question("a"), question("b")])
    assert metrics().value("verification_cache_hit_total") == before + 1


class Broken(Backend):
    """A judge of another package that keeps no promise."""

    name, context_words, threshold = "broken", 100, 0.5

    def __init__(self, answers: int | None) -> None:
        self.answers = answers

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        if self.answers is None:
            raise ValueError("out of luck")
        return [Estimate(p=0.9)] * self.answers


@pytest.mark.parametrize("answers", [None, 0, 1, 3])
async def test_a_judge_that_breaks_its_promise_costs_its_answers_only(answers: int | None) -> None:
    """Whatever it raises, and too few or too many answers, end as errors of the claims."""
    judged = await CachedJudge(Broken(answers), ttl_s=60).ask([question("a"), question("bb")])
    assert [type(one.answer).__name__ for one in judged] == ["BackendMalformed"] * 2
