from pathlib import Path

import pytest

from groundwire.errors import BackendUnavailable
from groundwire.llm import LLMClient
from groundwire.testing import Answer, FailingModel, ReplayingModel, ScriptedModel

pytestmark = pytest.mark.anyio


async def test_what_was_recorded_once_is_replayed_without_the_model(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    real = ScriptedModel(Answer("YES", logprobs=({"YES": -0.1},)))
    async with LLMClient(ReplayingModel(file, model="m", recording=real)) as recording:
        recorded = await recording.token_logprobs("a question")
    async with LLMClient(ReplayingModel(file, model="m")) as replaying:
        assert await replaying.token_logprobs("a question") == recorded
        async with replaying.stream("a question", temperature=0.0, top_logprobs=20) as stream:
            assert [piece async for piece in stream] == ["YES"]
    assert len(real.asked) == 1
    assert "a question" not in file.read_text()


async def test_a_question_that_was_not_recorded_is_an_error(tmp_path: Path) -> None:
    replaying = ReplayingModel(tmp_path / "none.jsonl", model="m")
    with pytest.raises(BackendUnavailable, match="holds no answer"):
        await LLMClient(replaying).generate("another question", deadline_s=0.1)


async def test_a_model_failing_on_purpose_fails_the_same_calls_every_time() -> None:
    async def outcomes() -> list[bool]:
        client = LLMClient(FailingModel("x", share=0.5, seed=3, kinds=("wrong_key",)))
        found = []
        for _ in range(20):
            try:
                await client.generate("?")
                found.append(True)
            except Exception:  # noqa: BLE001
                found.append(False)
        return found

    first = await outcomes()
    assert first == await outcomes()
    assert 4 < sum(first) < 16
