"""A/B: two ways to verify, run over the same outputs [S2 Benefits]."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from groundwire.actions._directory import FileTree
from groundwire.actions._result import VerificationResult
from groundwire.actions._snapshot import Snapshot
from groundwire.actions._verifier import TaskVerifier, Traces
from groundwire.model import Model

MAX_DIFFERENCES = 200


@dataclass(frozen=True)
class Strategy:
    """A verifier and which evidence it is given."""

    name: str
    verifier: TaskVerifier
    use_trace: bool = True
    use_snapshots: bool = True
    assume_current: bool | None = None


@dataclass(frozen=True)
class Case:
    """An output with its evidence. `truth` says of each claim whether it is true, where known."""

    output: Any
    tool_trace: Traces | None = None
    base_path: str | Path | FileTree | None = None
    before: Snapshot | None = None
    after: Snapshot | None = None
    truth: tuple[bool, ...] | None = None


class StrategyFigures(Model):
    """`false_accusations`: true claims that were called false. `missed`: false ones called true."""

    name: str
    outputs: int
    passed: int
    pass_rate: float | None
    claims: dict[str, int]
    errors_by_category: dict[str, int]
    false_accusations: int
    caught: int
    missed: int
    mean_ms: float


class Difference(Model):
    """A claim the two ended differently on."""

    output: int
    claim: int
    a: str
    b: str
    detail: str


class Comparison(Model):
    """`p_value` is the exact sign test on outputs that only one of the two let pass.

    None when they never differ: then there is nothing to test.
    """

    a: StrategyFigures
    b: StrategyFigures
    only_a_passed: int
    only_b_passed: int
    p_value: float | None
    differences: tuple[Difference, ...]
    difference_count: int


def compare_strategies(cases: Iterable[Case], a: Strategy, b: Strategy) -> Comparison:
    """Run both over every case; the outputs and the evidence are the same for both."""
    first, second = _Tally(a.name), _Tally(b.name)
    differences: list[Difference] = []
    count = only_a = only_b = 0
    for number, case in enumerate(cases):
        left, right = _run(a, case), _run(b, case)
        first.add(left, case.truth)
        second.add(right, case.truth)
        only_a += left.valid and not right.valid
        only_b += right.valid and not left.valid
        found = list(_differences(number, left, right))
        count += len(found)
        differences += found[: MAX_DIFFERENCES - len(differences)]
    return Comparison(
        a=first.figures(),
        b=second.figures(),
        only_a_passed=only_a,
        only_b_passed=only_b,
        p_value=sign_test(only_a, only_b),
        differences=tuple(differences),
        difference_count=count,
    )


def _run(strategy: Strategy, case: Case) -> VerificationResult:
    return strategy.verifier.verify_sync(
        case.output,
        case.tool_trace if strategy.use_trace else None,
        case.base_path,
        strategy.name,
        before=case.before if strategy.use_snapshots else None,
        after=case.after if strategy.use_snapshots else None,
        assume_current=strategy.assume_current,
    )


def _differences(
    number: int, left: VerificationResult, right: VerificationResult
) -> Iterable[Difference]:
    for claim, (one, other) in enumerate(zip(left.claims, right.claims, strict=False)):
        if one.status != other.status:
            yield Difference(
                output=number, claim=claim, a=one.status, b=other.status, detail=other.detail
            )


@dataclass
class _Tally:
    name: str
    outputs: int = 0
    passed: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    ended: Counter[tuple[bool, str]] = field(default_factory=Counter)
    total_ms: float = 0.0

    def add(self, result: VerificationResult, truth: tuple[bool, ...] | None) -> None:
        self.outputs += 1
        self.passed += result.valid
        self.claims.update(verdict.status for verdict in result.claims)
        self.categories.update(error.category for error in result.errors)
        self.total_ms += sum(result.durations_ms.values())
        for is_true, verdict in zip(truth or (), result.claims, strict=False):
            self.ended[is_true, verdict.status] += 1

    def figures(self) -> StrategyFigures:
        return StrategyFigures(
            name=self.name,
            outputs=self.outputs,
            passed=self.passed,
            pass_rate=self.passed / self.outputs if self.outputs else None,
            claims=dict(self.claims),
            errors_by_category=dict(self.categories),
            false_accusations=self.ended[True, "failed"],
            caught=self.ended[False, "failed"],
            missed=self.ended[False, "verified"] + self.ended[False, "superseded"],
            mean_ms=self.total_ms / self.outputs if self.outputs else 0.0,
        )


def sign_test(one: int, other: int) -> float | None:
    """How likely so uneven a split is if both are equally likely to be the only one to pass."""
    total = one + other
    if total == 0:
        return None
    tail: float = sum(comb(total, k) for k in range(min(one, other) + 1)) / 2**total
    return min(1.0, 2 * tail)
