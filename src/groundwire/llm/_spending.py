"""Caps on tokens and money, kept before a call is made, not noticed after it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from threading import Lock

from groundwire.config import Price, SpendingSection
from groundwire.errors import (
    BackendError,
    BackendRateLimited,
    BackendRefused,
    BackendUnavailable,
    ConfigError,
    SpendingCapReached,
)
from groundwire.llm._faults import BackendBrokeOff
from groundwire.llm._types import Call, Usage
from groundwire.store import Database, Migration

_TEMPLATE_TOKENS = 64
"""What chat templates add around a short prompt, generously."""

_DAYS: Migration = (
    """CREATE TABLE day (
        day TEXT PRIMARY KEY,
        tokens INTEGER NOT NULL,
        cost REAL NOT NULL
    ) STRICT, WITHOUT ROWID""",
)


def most_input_tokens(call: Call) -> int:
    """No tokenizer makes more tokens than there are bytes."""
    schema = len(str(call.output_schema)) if call.output_schema else 0
    return len(call.prompt.encode()) + len((call.system or "").encode()) + schema + _TEMPLATE_TOKENS


@dataclass(frozen=True)
class Amount:
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.tokens - other.tokens, self.cost - other.cost)


class RunTotal:
    """What one process has spent and set aside, with however many clients."""

    def __init__(self) -> None:
        self.amount = Amount()
        self.lock = Lock()

    def add(self, amount: Amount) -> None:
        with self.lock:
            self.amount += amount


@cache
def run_total(home: Path) -> RunTotal:
    """The total of this process and home."""
    del home
    return RunTotal()


class DayLedger(Database):
    """What all processes of one home have spent today, in UTC days."""

    def __init__(self, path: Path, today: Callable[[], str] | None = None) -> None:
        super().__init__(path, [_DAYS])
        self._today = today or (lambda: datetime.now(UTC).date().isoformat())

    def add_within(self, amount: Amount, cap: Amount | None) -> Amount | None:
        """Add to today's sum unless it would pass the cap; the sum when it was refused."""
        with self.transaction() as connection:
            day = self._today()
            row = connection.execute(
                "SELECT tokens, cost FROM day WHERE day = ?", (day,)
            ).fetchone()
            spent = Amount(row["tokens"], row["cost"]) if row else Amount()
            after = spent + amount
            if cap is not None and (after.tokens > cap.tokens or after.cost > cap.cost):
                return spent
            connection.execute(
                "INSERT OR REPLACE INTO day VALUES (?, ?, ?)", (day, after.tokens, after.cost)
            )
        return None


class Spending:
    """Sets the most a call may use aside before it is made, and corrects it by what it used.

    What happened to a call that timed out is unknown: all that was set aside counts as spent.
    """

    def __init__(
        self,
        caps: SpendingSection,
        prices: Mapping[str, Price],
        ledger: Callable[[], DayLedger],
        *,
        run: RunTotal | None = None,
        free: bool = False,
    ) -> None:
        self._run_cap = _cap(caps.tokens_per_run, caps.cost_per_run)
        self._day_cap = _cap(caps.tokens_per_day, caps.cost_per_day)
        self._prices = prices
        self._free = free
        self._open_ledger = ledger
        self._ledger: DayLedger | None = None
        self._run = run or RunTotal()
        self._lock = Lock()
        self._keeps_days = not (caps.tokens_per_day is None and caps.cost_per_day is None)
        self._keeps_cost = not (caps.cost_per_run is None and caps.cost_per_day is None)

    @property
    def run(self) -> Amount:
        """Spent and set aside by this process."""
        return self._run.amount

    def close(self) -> None:
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def cost(self, model: str, usage: Usage) -> float | None:
        """What these tokens cost, or `None` where no price is set."""
        if self._free:
            return 0.0
        price = self._prices.get(model)
        if price is None:
            return None
        return (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1e6

    async def reserve(self, call: Call) -> Amount:
        """Set aside the most this call may use, or refuse it."""
        usage = Usage(most_input_tokens(call), call.max_tokens)
        amount = Amount(usage.tokens, self._known_cost(call.model, usage))
        with self._run.lock:
            self._refuse_past("run", amount, self._run.amount, self._run_cap)
            self._run.amount += amount
        if self._keeps_days:
            spent = await asyncio.to_thread(self._day().add_within, amount, self._day_cap)
            if spent is not None:
                self._run.add(Amount() - amount)
                self._refuse_past("day", amount, spent, self._day_cap)
        return amount

    async def settle(self, reserved: Amount, model: str, usage: Usage) -> None:
        """The call was answered: put what it really used in the place of what was set aside."""
        await self._correct(Amount(usage.tokens, self._known_cost(model, usage)) - reserved)

    async def release(self, reserved: Amount, error: BackendError) -> None:
        """The call failed: give back what was set aside, if the server surely did no work."""
        turned_away = BackendRateLimited | BackendRefused | BackendUnavailable
        if isinstance(error, turned_away) and not isinstance(error, BackendBrokeOff):
            await self._correct(Amount() - reserved)

    async def _correct(self, difference: Amount) -> None:
        self._run.add(difference)
        if self._keeps_days:
            await asyncio.to_thread(self._day().add_within, difference, None)

    def _known_cost(self, model: str, usage: Usage) -> float:
        cost = self.cost(model, usage)
        if cost is None and self._keeps_cost:
            raise no_price(model)
        return cost or 0.0

    def _day(self) -> DayLedger:
        with self._lock:
            if self._ledger is None:
                self._ledger = self._open_ledger()
            return self._ledger

    @staticmethod
    def _refuse_past(period: str, amount: Amount, spent: Amount, cap: Amount) -> None:
        after = spent + amount
        if after.tokens > cap.tokens:
            raise SpendingCapReached(
                f"The next model call may use up to {amount.tokens:,} tokens; {spent.tokens:,} of "
                f"the {cap.tokens:,} allowed per {period} are spent or set aside.",
                hint=f"Raise llm.spending.tokens_per_{period}.",
            )
        if after.cost > cap.cost:
            raise SpendingCapReached(
                f"The next model call may cost up to {amount.cost:.4g}; {spent.cost:.4g} of the "
                f"{cap.cost:.4g} allowed per {period} are spent or set aside.",
                hint=f"Raise llm.spending.cost_per_{period}.",
            )


def no_price(model: str) -> ConfigError:
    return ConfigError(
        f"A cap on costs is set, but no price for the model {model!r}.",
        hint=f"Set llm.prices, as in {{{model}: {{input: 0.1, output: 0.5}}}}.",
    )


def _cap(tokens: int | None, cost: float | None) -> Amount:
    """No cap is a cap that nothing passes."""
    return Amount(2**62 if tokens is None else tokens, float("inf") if cost is None else cost)
