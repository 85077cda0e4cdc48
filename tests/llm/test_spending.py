import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from groundwire.config import Price, SpendingSection
from groundwire.errors import (
    BackendRateLimited,
    BackendTimeout,
    ConfigError,
    SpendingCapReached,
)
from groundwire.llm import Call, CallPolicy, DayLedger, LLMClient, Spending, Usage
from groundwire.llm._spending import Amount, most_input_tokens
from groundwire.testing import Answer, Fault, ScriptedModel, in_order

pytestmark = pytest.mark.anyio

CALL = Call(prompt="x" * 36, model="m", max_tokens=100)  # 36 + 64 + 100 at the most
PRICES = {"m": Price(input=10, output=20), "scripted-model": Price(input=10, output=20)}


def spending(path: Path, **caps: float) -> Spending:
    section = SpendingSection.model_validate(caps)
    return Spending(section, PRICES, lambda: DayLedger(path / "spending.sqlite"))


def client(model: ScriptedModel, money: Spending) -> LLMClient:
    return LLMClient(model, spending=money, max_output_tokens=100, policy=CallPolicy(max_retries=0))


async def test_a_call_that_could_pass_the_cap_is_never_made(tmp_path: Path) -> None:
    model = ScriptedModel("YES")
    async with client(model, spending(tmp_path, tokens_per_run=150)) as capped:
        with pytest.raises(SpendingCapReached, match=r"llm\.spending\.tokens_per_run") as caught:
            await capped.generate("x")
    assert model.asked == []
    assert "0 of the 150" in str(caught.value)


async def test_what_a_call_really_used_takes_the_place_of_what_was_set_aside(
    tmp_path: Path,
) -> None:
    money = spending(tmp_path, tokens_per_run=1000, cost_per_run=1)
    async with client(ScriptedModel(Answer("YES", input_tokens=10, output_tokens=2)), money) as own:
        for _ in range(50):
            await own.generate("x")
    assert money.run.tokens == 600
    assert money.run.cost == pytest.approx(50 * (10 * 10 + 2 * 20) / 1e6)


async def test_calls_made_at_once_cannot_pass_the_cap_together(tmp_path: Path) -> None:
    model = ScriptedModel(Answer("YES", input_tokens=100, output_tokens=100, delay_s=0.01))
    async with client(model, spending(tmp_path, tokens_per_run=500)) as capped:
        ended = await asyncio.gather(
            *(capped.generate("x" * 36) for _ in range(8)), return_exceptions=True
        )
    assert len(model.asked) == 2
    assert sum(isinstance(end, SpendingCapReached) for end in ended) == 6


async def test_the_day_is_shared_by_all_processes_of_a_home(tmp_path: Path) -> None:
    first, second = (spending(tmp_path, tokens_per_day=300) for _ in range(2))
    reserved = await first.reserve(CALL)
    await first.settle(reserved, "m", Usage(150, 40))
    with pytest.raises(SpendingCapReached, match="190 of the 300 allowed per day"):
        await second.reserve(CALL)
    assert second.run == Amount()
    first.close()
    second.close()


async def test_a_process_that_dies_with_a_call_under_way_has_spent_it(tmp_path: Path) -> None:
    dying = spending(tmp_path, tokens_per_day=300)
    await dying.reserve(CALL)
    dying.close()
    next_one = spending(tmp_path, tokens_per_day=300)
    with pytest.raises(SpendingCapReached):
        await next_one.reserve(CALL)
    next_one.close()


async def test_a_new_day_starts_at_nothing(tmp_path: Path) -> None:
    day = ["2026-01-01"]
    ledger = DayLedger(tmp_path / "spending.sqlite", today=lambda: day[0])
    cap = Amount(100, 1.0)
    assert ledger.add_within(Amount(90), cap) is None
    assert ledger.add_within(Amount(90), cap) == Amount(90)
    day[0] = "2026-01-02"
    assert ledger.add_within(Amount(90), cap) is None
    ledger.close()


async def test_money_is_capped_like_tokens(tmp_path: Path) -> None:
    money = spending(tmp_path, cost_per_run=0.0029)  # a call may cost 100*10 + 100*20 millionths
    with pytest.raises(SpendingCapReached, match=r"cost_per_run"):
        await money.reserve(CALL)


async def test_a_cap_on_costs_without_a_price_is_bad_configuration(tmp_path: Path) -> None:
    money = spending(tmp_path, cost_per_day=5)
    with pytest.raises(ConfigError, match=r"llm\.prices"):
        await money.reserve(Call(prompt="x", model="unpriced", max_tokens=1))


@pytest.mark.parametrize(
    ("error", "spent"),
    [(BackendRateLimited("slow"), 0), (BackendTimeout("?"), 200)],
)
async def test_a_failed_call_is_spent_unless_the_server_surely_did_nothing(
    tmp_path: Path, error: BackendRateLimited, spent: int
) -> None:
    money = spending(tmp_path, tokens_per_run=1000)
    reserved = await money.reserve(CALL)
    await money.release(reserved, error)
    assert money.run.tokens == spent


async def test_a_broken_off_answer_counts_and_its_retry_counts_again(tmp_path: Path) -> None:
    money = spending(tmp_path, tokens_per_run=1000)
    model = ScriptedModel(in_order(Fault("truncated"), Answer("YES")))
    policy = CallPolicy(backoff_initial_s=0, backoff_jitter_max_s=0)
    async with LLMClient(model, spending=money, max_output_tokens=100, policy=policy) as own:
        await own.generate("x" * 36)
    assert money.run.tokens == 200 + 12


async def test_a_cancelled_call_stays_set_aside(tmp_path: Path) -> None:
    money = spending(tmp_path, tokens_per_run=1000)
    async with client(ScriptedModel(Answer("YES", delay_s=60)), money) as own:
        task = asyncio.create_task(own.generate("x" * 36))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert money.run.tokens == 200


@given(st.text(max_size=50), st.lists(st.tuples(st.integers(0, 400), st.integers(0, 100))))
def test_whatever_calls_use_the_cap_is_never_passed(
    prompt: str, uses: list[tuple[int, int]]
) -> None:
    """As long as no tokenizer makes more tokens than bytes and no server exceeds max_tokens."""
    call = Call(prompt=prompt, model="m", max_tokens=100)
    money = spending(Path("unused"), tokens_per_run=1000)

    async def spend() -> int:
        used = 0
        for read, written in uses:
            try:
                reserved = await money.reserve(call)
            except SpendingCapReached:
                continue
            usage = Usage(min(read, most_input_tokens(call)), written)
            await money.settle(reserved, "m", usage)
            used += usage.tokens
        return used

    assert asyncio.run(spend()) <= 1000
