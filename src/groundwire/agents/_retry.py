"""A specialist tries again with what was wrong, until its work passes or somebody takes over."""

import inspect
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from groundwire.actions import FileTree, Snapshot, TaskVerifier, VerificationResult
from groundwire.agents._feedback import feedback_text
from groundwire.errors import InputError
from groundwire.observe import Log
from groundwire.traces import ToolTrace

_log = Log("agents.retry")


@dataclass(frozen=True)
class Feedback:
    """What a specialist is told before it tries again; on the first attempt there is none."""

    attempt: int
    result: VerificationResult
    text: str


@dataclass(frozen=True)
class Work:
    """What a specialist hands in, with the trace of its tools where there is one."""

    output: Any
    tool_trace: ToolTrace | Sequence[ToolTrace] | None = None


Runner = Callable[[Feedback | None], Any]
"""Takes the feedback, gives `Work`, an output, or `(output, trace)`; plain or async."""


@dataclass(frozen=True)
class Attempt:
    runner: int
    work: Work
    result: VerificationResult


@dataclass(frozen=True)
class VerifiedRun:
    """The last attempt and those before it. `escalated` when nobody's work passed."""

    attempts: tuple[Attempt, ...]
    escalated: bool
    handed_to: Any = None

    @property
    def output(self) -> Any:
        return self.attempts[-1].work.output

    @property
    def result(self) -> VerificationResult:
        return self.attempts[-1].result

    @property
    def valid(self) -> bool:
        return self.result.valid


@dataclass(frozen=True)
class RetryPolicy:
    """Each specialist may try `attempts` times; then the next one takes over."""

    attempts: int = 3
    first_delay_s: float = 0.5
    factor: float = 2.0
    max_delay_s: float = 30.0
    jitter: float = 0.1

    def delay_s(self, retries: int) -> float:
        grown = self.first_delay_s * self.factor ** (retries - 1)
        spread = 1 + self.jitter * (2 * random.random() - 1)  # noqa: S311
        return min(grown, self.max_delay_s) * spread


async def with_verification(
    run: Runner | Sequence[Runner],
    verifier: TaskVerifier,
    *,
    base_path: str | Path | FileTree | None = None,
    specialist_id: str = "unknown",
    subtask_id: str | None = None,
    before: Snapshot | None = None,
    policy: RetryPolicy | None = None,
    on_escalate: Callable[[VerifiedRun], Any] | None = None,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> VerifiedRun:
    """Run a specialist and verify its output, again with the errors until it passes.

    Several runners are a ladder: when one has used up its attempts, the next, stronger one is
    asked. When all have, `on_escalate` is called with everything that was tried.
    """
    policy = policy or RetryPolicy()
    runners = [run] if callable(run) else list(run)
    if not runners or policy.attempts < 1:
        raise InputError("with_verification needs at least one specialist and one attempt.")
    attempts: list[Attempt] = []
    feedback = None
    for number, runner in enumerate(runners):
        for retry in range(policy.attempts):
            if attempts:
                await sleep(policy.delay_s(max(retry, 1)))
            work = _as_work(await _called(runner, feedback))
            result = await verifier.verify(
                work.output, work.tool_trace, base_path, specialist_id, subtask_id, before=before
            )
            attempts.append(Attempt(number, work, result))
            if result.valid:
                return VerifiedRun(tuple(attempts), escalated=False)
            feedback = Feedback(len(attempts), result, feedback_text(result))
        _log.warn("specialist_gave_up", specialist_id=specialist_id, runner=number)
    failed = VerifiedRun(tuple(attempts), escalated=True)
    if on_escalate is None:
        return failed
    return replace(failed, handed_to=await _called(on_escalate, failed))


async def _called(function: Callable[[Any], Any], argument: Any) -> Any:
    """Plain functions run in a thread, so that one that waits holds up nobody else."""
    if inspect.iscoroutinefunction(function):
        return await function(argument)
    returned = await anyio.to_thread.run_sync(function, argument)
    return await returned if inspect.isawaitable(returned) else returned


def _as_work(returned: Any) -> Work:
    if isinstance(returned, Work):
        return returned
    if isinstance(returned, tuple) and len(returned) == 2:  # noqa: PLR2004
        return Work(*returned)
    return Work(returned)
