"""The deep judge's manners: order, failures, time. What the model thinks is not at stake here."""

import math
import threading
import time
from collections.abc import Callable, Mapping

import pytest

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRefused,
    BackendTimeout,
    ConfigError,
    DeepModelUnfit,
)
from groundwire.guard import deadline
from groundwire.judge import DeepBackend, Estimate, Question

pytestmark = pytest.mark.anyio

SURE = {"Yes": math.log(0.8), "No": math.log(0.15), "Maybe": math.log(0.05)}
Answer = Mapping[str, float] | BackendError | Callable[[str], Mapping[str, float]]


class Reader:
    """Stands in for llama.cpp: answers from a script and remembers what it was given to read."""

    def __init__(self, answer: Answer = SURE, *, unloadable: Exception | None = None) -> None:
        self.read: list[str] = []
        self.loads = 0
        self.closed = False
        self._answer = answer
        self._unloadable = unloadable

    def load(self) -> None:
        self.loads += 1
        if self._unloadable:
            raise self._unloadable

    def next_tokens(self, text: str, count: int) -> dict[str, float]:
        self.read.append(text)
        answer = self._answer(text) if callable(self._answer) else self._answer
        if isinstance(answer, BackendError):
            raise answer
        return dict(answer)

    def close(self) -> None:
        self.closed = True


def judge(reader: Reader, timeout_s: float = 30.0) -> DeepBackend:
    return DeepBackend(reader, context_words=230, threshold=0.5, timeout_s=timeout_s)


def ask(*pairs: tuple[str, str]) -> list[Question]:
    return [Question(claim=claim, context=context) for claim, context in pairs]


async def test_the_three_answers_are_support_refutation_and_neither() -> None:
    (estimate,) = await judge(Reader()).estimate(ask(("a", "b")))
    assert isinstance(estimate, Estimate)
    assert estimate.p == pytest.approx(0.8)
    assert estimate.refute == pytest.approx(0.15)


async def test_an_answer_that_is_not_listed_counts_as_the_least_likely_listed() -> None:
    listed = {"Yes": math.log(0.9), " Sure": math.log(1e-4)}
    (estimate,) = await judge(Reader(listed)).estimate(ask(("a", "b")))
    assert isinstance(estimate, Estimate)
    assert 0.999 < estimate.p < 1.0


def evidence_in(prompt: str) -> str:
    return prompt.split("\n")[1].removeprefix("Evidence: ")


async def test_claims_about_one_context_are_read_one_after_the_other() -> None:
    reader = Reader()
    await judge(reader).estimate(ask(("1", "x"), ("2", "y"), ("3", "x"), ("4", "y")))
    assert [evidence_in(text) for text in reader.read] == ["x", "x", "y", "y"]


async def test_evidence_that_begins_alike_is_read_together() -> None:
    """As with and without what supports a claim, which come apart in the middle."""
    reader = Reader()
    contexts = ["a b c", "x", "a b ...", "y", "a b c"]
    await judge(reader).estimate(ask(*((str(n), context) for n, context in enumerate(contexts))))
    assert [evidence_in(text) for text in reader.read] == ["a b ...", "a b c", "a b c", "x", "y"]


async def test_answers_come_in_the_order_of_the_questions() -> None:
    def by_claim(text: str) -> Mapping[str, float]:
        yes = 0.9 if "Claim: true" in text else 0.1
        return {"Yes": math.log(yes), "No": math.log(1 - yes), "Maybe": -20.0}

    questions = ask(("true", "x"), ("false", "y"), ("true", "x"), ("false", "x"))
    answers = await judge(Reader(by_claim)).estimate(questions)
    assert [round(float(one), 2) for one in answers if isinstance(one, Estimate)] == [
        0.9,
        0.1,
        0.9,
        0.1,
    ]


async def test_a_model_that_was_not_taught_the_answers_is_not_believed() -> None:
    (answer,) = await judge(Reader({"Yes": -5.0, " the": -0.1})).estimate(ask(("a", "b")))
    assert isinstance(answer, BackendMalformed)


async def test_a_failure_costs_only_its_own_claim() -> None:
    def answer(text: str) -> Mapping[str, float]:
        if "Claim: bad" in text:
            raise BackendRefused("too long")
        return SURE

    answers = await judge(Reader(answer)).estimate(ask(("good", "x"), ("bad", "x"), ("good", "y")))
    assert [type(one) for one in answers] == [Estimate, BackendRefused, Estimate]


async def test_a_crash_below_is_an_error_of_the_backend() -> None:
    def crash(_: str) -> Mapping[str, float]:
        raise RuntimeError("parse error")

    (answer,) = await judge(Reader(crash)).estimate(ask(("a", "b")))
    assert isinstance(answer, BackendError)
    assert "parse error" in str(answer)


async def test_a_model_that_does_not_go_with_its_adapter_is_an_error_and_tried_once() -> None:
    """Not a line in a log, with the fast judge's word in its place."""
    reader = Reader(unloadable=ConfigError("wrong shape", hint="Use another."))
    backend = judge(reader)
    for _ in range(2):
        with pytest.raises(DeepModelUnfit, match="wrong shape") as caught:
            await backend.estimate(ask(("a", "b")))
        assert caught.value.hint == "Use another."
        assert caught.value.exit_code == 2
    assert reader.loads == 1


@pytest.mark.parametrize("slow", ["load", "next_tokens"])
async def test_a_call_with_many_questions_ends_in_time(
    slow: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One timeout and no more, whether the model is slow to load or to read."""
    release = threading.Event()
    reader = Reader()
    monkeypatch.setattr(reader, slow, lambda *_: release.wait(20))
    backend = judge(reader, timeout_s=0.3)
    started_s = time.monotonic()
    answers = await backend.estimate(ask(*((str(n), "x") for n in range(9))))
    elapsed_s = time.monotonic() - started_s
    release.set()
    await backend.aclose()
    assert all("within 0.3 s" in str(answer) for answer in answers)
    assert elapsed_s < 2


async def test_closing_does_not_wait_for_a_model_that_hangs() -> None:
    release = threading.Event()
    backend = judge(Reader(lambda _: SURE if release.wait(20) else {}), timeout_s=0.05)
    await backend.estimate(ask(("a", "b")))
    started_s = time.monotonic()
    await backend.aclose()
    elapsed_s = time.monotonic() - started_s
    release.set()
    assert elapsed_s < 5


async def test_time_is_limited_and_a_hung_model_is_given_up() -> None:
    release = threading.Event()

    def hang(_: str) -> Mapping[str, float]:
        release.wait(20)
        return SURE

    reader = Reader(hang)
    answers = await judge(reader, timeout_s=0.05).estimate(ask(*((str(n), "x") for n in range(9))))
    release.set()
    assert all(isinstance(answer, BackendTimeout) for answer in answers)
    assert len(reader.read) == 1


async def test_the_deadline_around_a_call_holds() -> None:
    release = threading.Event()

    def hang(_: str) -> Mapping[str, float]:
        release.wait(20)
        return SURE

    backend = judge(Reader(hang))
    await backend.estimate([])
    with deadline(0.1):
        (answer,) = await backend.estimate(ask(("a", "b")))
    release.set()
    assert isinstance(answer, BackendTimeout)


async def test_nothing_is_loaded_for_no_question_and_closing_closes() -> None:
    reader = Reader()
    backend = judge(reader)
    assert await backend.estimate([]) == []
    assert reader.loads == 0
    await backend.aclose()
    assert reader.closed
