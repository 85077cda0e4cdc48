"""Responses against their own conversation: notes, rewriting, streaming, load."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import BackendError, BackendTimeout, InputError
from groundwire.judge import Estimate, Question
from groundwire.judge._protocol import Backend
from groundwire.model import Message, SentenceReport
from groundwire.observe import metrics

CONVERSATION = [
    {"role": "system", "content": "Answer briefly."},
    {"role": "user", "content": "How high is the mast, and where does it stand?"},
    {"role": "assistant", "content": "The mast was a gift of the king."},
    {"role": "tool", "name": "search", "content": "The mast is 40 m high. It stands in Vik."},
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    home = tmp_path_factory.mktemp("home")
    with Engine(load_config(environ={}, overrides={"home": str(home)}).config) as made:
        yield made


def test_a_note_says_what_why_and_the_smallest_change(engine: Engine) -> None:
    """Another value is put in its place; the quote stands beside it with its source's role."""
    report = engine.verify_response_sync("The mast is 70 m high.", CONVERSATION)
    (note,) = report.notes
    assert (note.change, note.replacement) == ("correct", "The mast is 40 m high.")
    assert note.quote is not None
    assert note.quote.doc_id == "tool message 4 search"
    assert report.decision.effect == "pass"
    assert report.is_risky


def test_what_the_assistant_said_before_is_no_evidence(engine: Engine) -> None:
    """Else a model could prove its inventions by repeating them."""
    report = engine.verify_response_sync("The mast was a gift of the king.", CONVERSATION)
    assert report.claims[0].status != "grounded"
    assert report.notes[0].change == "cut"


@pytest.mark.parametrize(
    ("how", "expected"),
    [("correct", "The mast is 40 m high. It stands in Vik."), ("cut", "It stands in Vik.")],
)
def test_a_rewrite_cuts_or_corrects_whole_sentences(
    engine: Engine, how: Any, expected: str
) -> None:
    """What stands stays word for word."""
    response = "The mast is 70 m high. It stands in Vik. It was a gift of the king."
    assert engine.verify_response_sync(response, CONVERSATION, rewrite=how).rewritten == expected


def test_a_response_that_holds_has_no_notes(engine: Engine) -> None:
    """Nothing is made up to be corrected."""
    report = engine.verify_response_sync("The mast is 40 m high.", CONVERSATION, rewrite="correct")
    assert (report.notes, report.risk, report.is_risky) == ((), 0.0, False)
    assert report.rewritten == "The mast is 40 m high."


def test_values_of_the_conversation_are_worked_out_for_the_note(engine: Engine) -> None:
    """A wrong total comes with what the values come to."""
    said = "The north crew has 12 people. The south crew has 15 people."
    report = engine.verify_response_sync(
        "The two crews together have 30 people.", [{"role": "user", "content": said}]
    )
    assert any("27" in fact for note in report.notes for fact in note.facts)


@pytest.mark.parametrize(
    "conversation",
    [
        [],
        [{"role": "assistant", "content": "The mast is 40 m high."}],
        [{"role": "wizard", "content": "Hello."}],
        [{"role": "user"}],
    ],
)
def test_a_conversation_without_evidence_is_refused(engine: Engine, conversation: Any) -> None:
    """It is said what a message needs."""
    with pytest.raises(InputError):
        engine.verify_response_sync("The mast is 40 m high.", conversation)


class Slow(Backend):
    """A judge that takes its time, or fails."""

    name, context_words, threshold = "slow", 200, 0.5

    def __init__(self, error: BackendError | None = None) -> None:
        self.may_go_on = asyncio.Event()
        self.error = error

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        if self.error is not None:
            return [self.error for _ in questions]
        await self.may_go_on.wait()
        return [Estimate(p=0.9) for _ in questions]


def test_under_load_a_check_is_skipped_and_says_so(tmp_path: Path) -> None:
    """Never silently: the report, the metric and the gate's health tell it [SPEC-08.39]."""
    config = load_config(
        environ={},
        overrides={
            "home": str(tmp_path),
            "hallucination.output_verification.max_waiting": 1,
        },
    ).config
    judge = Slow()
    before = _skips()
    with Engine(config, judge=judge) as engine:

        async def run() -> tuple[Any, Any]:
            first = asyncio.create_task(engine.verify_response("It stands in Vik.", CONVERSATION))
            await asyncio.sleep(0.2)
            second = await engine.verify_response("It stands in Vik.", CONVERSATION)
            engine.loop.submit(_release(judge)).result()
            return await first, second

        first, second = asyncio.run(run())
    assert first.skipped is None
    assert (second.skipped, second.mode, second.reason) == ("queue_depth", "ABSTAIN", "load_shed")
    assert second.decision.check == "skipped"
    assert _skips() == before + 1


async def _release(judge: Slow) -> None:
    judge.may_go_on.set()


def _skips() -> float:
    found = [v for name, _, v in metrics().samples() if name == "responses_skipped_total"]
    return sum(found)


def test_a_judge_that_fails_costs_no_response(tmp_path: Path) -> None:
    """The response passes, marked as unverified [SPEC-08.22, SPEC-08.43]."""
    config = load_config(environ={}, overrides={"home": str(tmp_path)}).config
    with Engine(config, judge=Slow(BackendTimeout("too slow"))) as engine:
        report = engine.verify_response_sync("It stands in Vik.", CONVERSATION)
    assert (report.mode, report.reason) == ("ABSTAIN", "backend_timeout")
    assert (report.decision.effect, report.risk) == ("pass", None)


async def _pieces(text: str, size: int) -> AsyncIterator[str]:
    for start in range(0, len(text), size):
        await asyncio.sleep(0)
        yield text[start : start + size]


def test_a_stream_gives_each_sentence_once_and_in_order(engine: Engine) -> None:
    """However the text is cut, the reports are those of the whole."""
    text = "The mast is 70 m high. It stands in Vik. Nobody asked. The mast is 40 m high."

    async def run(size: int) -> list[SentenceReport]:
        return [one async for one in engine.verify_stream(_pieces(text, size), CONVERSATION)]

    whole, cut = asyncio.run(run(1000)), asyncio.run(run(3))
    assert [one.index for one in cut] == list(range(len(cut)))
    assert [one.text for one in cut] == [one.text for one in whole]
    assert [[c.status for c in one.claims] for one in cut] == [
        [c.status for c in one.claims] for one in whole
    ]
    assert cut[0].claims[0].status == "contradicted"
    assert cut[0].notes[0].replacement == "The mast is 40 m high."


def test_a_stream_that_breaks_off_raises_what_broke_it(engine: Engine) -> None:
    """What came before is judged; the error is not swallowed."""

    async def broken() -> AsyncIterator[str]:
        yield "The mast is 40 m high. It stands"
        raise ConnectionError("cut")

    found: list[SentenceReport] = []

    async def run() -> None:
        async for one in engine.verify_stream(broken(), CONVERSATION):
            found.append(one)  # noqa: PERF401 -- it raises half-way

    with pytest.raises(ConnectionError):
        asyncio.run(run())
    assert found[0].text == "The mast is 40 m high."


def test_reasoning_in_a_conversation_is_audited_where_that_is_on(tmp_path: Path) -> None:
    """Off by default; on, a slip in the reasoning comes with the response [SPEC-08.23]."""
    messages = [
        Message(role="user", content="There are 12 pumps at 40 each. What do they cost?"),
        Message(role="assistant", content="12 × 40 = 500.", is_reasoning=True),
    ]
    audits = []
    for is_on in (False, True):
        settings = {
            "home": str(tmp_path),
            "hallucination.enabled": is_on,
            "hallucination.trace_auditing.enabled": is_on,
        }
        with Engine(load_config(environ={}, overrides=settings).config) as engine:
            audits.append(engine.verify_response_sync("They cost 500.", messages).audit)
    assert audits[0] is None
    assert audits[1] is not None
    assert audits[1].steps[0].status == "CONTRADICTED"
