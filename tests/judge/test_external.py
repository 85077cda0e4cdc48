import asyncio
from typing import Any

import pytest

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendRefused,
    BackendTimeout,
    BackendUnavailable,
)
from groundwire.judge import Estimate, ExternalBackend, Question
from groundwire.llm import CallPolicy
from groundwire.model import Interval
from groundwire.testing import Answer, ExternalJudgeServer, Fault, in_order

pytestmark = pytest.mark.anyio

KEY = "a-key-for-the-service"
ONCE = CallPolicy(max_retries=0)


def by_word(claim: str, context: str) -> Estimate | None:
    if "unknown" in claim:
        return None
    return Estimate(p=0.9 if claim in context else 0.2, interval=Interval(low=0.1, high=0.95))


def backend(server: ExternalJudgeServer, **options: Any) -> ExternalBackend:
    return ExternalBackend(server.base_url, api_key=KEY, **{"policy": ONCE, **options})


async def asked(server: ExternalJudgeServer, **options: Any) -> Estimate | BackendError:
    own = backend(server, **options)
    try:
        return (await own.estimate([Question(claim="a", context="a")]))[0]
    finally:
        await own.aclose()


async def test_the_reference_server_and_the_backend_speak_the_same_contract() -> None:
    with ExternalJudgeServer(by_word, key=KEY) as server:
        own = backend(server, max_questions=2)
        questions = [Question(claim=claim, context="a b c") for claim in ("a", "x", "b", "y", "c")]
        answers = await own.estimate(questions)
        await own.aclose()
    assert [answer.p for answer in answers if isinstance(answer, Estimate)] == [
        0.9,
        0.2,
        0.9,
        0.2,
        0.9,
    ]
    assert isinstance(answers[0], Estimate)
    assert answers[0].interval == Interval(low=0.1, high=0.95)
    assert [request.prompt for request in server.asked] == ["/v1/estimate"] * 3


async def test_a_question_without_an_estimate_fails_alone() -> None:
    with ExternalJudgeServer(by_word) as server:
        own = backend(server)
        questions = [Question(claim=claim, context="a") for claim in ("a", "unknown")]
        first, second = await own.estimate(questions)
        await own.aclose()
    assert isinstance(first, Estimate)
    assert isinstance(second, BackendMalformed)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault("rate_limited", retry_after_s=4), BackendRateLimited),
        (Fault("wrong_key"), BackendRefused),
        (Fault("overloaded"), BackendUnavailable),
        (Fault("reset"), BackendUnavailable),
        (Fault("not_json"), BackendMalformed),
        (Fault("wrong_shape"), BackendMalformed),
    ],
)
async def test_failures_are_typed(fault: Fault, error: type[BackendError]) -> None:
    with ExternalJudgeServer(by_word, faults=lambda _: fault) as server:
        answer = await asked(server)
    assert isinstance(answer, error)
    assert KEY not in str(answer)


async def test_a_service_that_hangs_is_left_in_time() -> None:
    with ExternalJudgeServer(by_word, faults=lambda _: Answer("", delay_s=1)) as server:
        assert isinstance(await asked(server, timeout_s=0.05), BackendTimeout)


async def test_a_passing_failure_is_tried_again() -> None:
    faults = in_order(Fault("overloaded"), Answer(""))
    policy = CallPolicy(backoff_initial_s=0, backoff_jitter_max_s=0)
    with ExternalJudgeServer(by_word, faults=faults) as server:
        assert isinstance(await asked(server, policy=policy), Estimate)


class Confused(ExternalJudgeServer):
    """Answers under ids it was not asked about."""

    def write(self, asked: Any, answer: Any) -> Any:
        body = dict(super().write(asked, answer))
        body["estimates"] = [{**each, "id": "0"} for each in body["estimates"]]
        return body


class Newer(ExternalJudgeServer):
    def write(self, asked: Any, answer: Any) -> Any:
        return {**super().write(asked, answer), "version": 2}


class Sure(ExternalJudgeServer):
    def write(self, asked: Any, answer: Any) -> Any:
        body = dict(super().write(asked, answer))
        body["estimates"] = [{**each, "p": 7} for each in body["estimates"]]
        return body


@pytest.mark.parametrize("server", [Confused, Newer, Sure])
async def test_an_answer_outside_the_contract_is_malformed(
    server: type[ExternalJudgeServer],
) -> None:
    with server(by_word) as running:
        assert isinstance(await asked(running), BackendMalformed)


async def test_answers_may_come_in_any_order() -> None:
    class Backwards(ExternalJudgeServer):
        def write(self, asked: Any, answer: Any) -> Any:
            body = super().write(asked, answer)
            return {**body, "estimates": body["estimates"][::-1]}

    with Backwards(by_word) as server:
        own = backend(server)
        questions = [Question(claim=claim, context="a") for claim in ("a", "x", "a")]
        answers = await own.estimate(questions)
        await own.aclose()
    assert [answer.p for answer in answers if isinstance(answer, Estimate)] == [0.9, 0.2, 0.9]


async def test_broken_unicode_does_not_stop_a_question() -> None:
    with ExternalJudgeServer(by_word) as server:
        own = backend(server)
        (answer,) = await own.estimate([Question(claim="a", context="half a pair \ud800")])
        await own.aclose()
    assert isinstance(answer, Estimate)


async def test_never_more_requests_than_the_limit_are_under_way() -> None:
    with ExternalJudgeServer(by_word, faults=lambda _: Answer("", delay_s=0.01)) as server:
        own = backend(server, policy=CallPolicy(limit=2), max_questions=1)
        questions = [Question(claim="a", context="a")] * 8
        await asyncio.gather(own.estimate(questions), own.estimate(questions))
        await own.aclose()
    assert server.most_in_flight == 2
