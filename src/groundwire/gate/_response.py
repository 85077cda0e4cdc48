"""Whether a response is checked at all, and what its verdict may do: mark it, never hold it back.

Checking runs beside whoever waits for the response. Under load it is skipped rather than queued
without end [SPEC-08.39], and every skip is counted and said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.gate._gate import Gate
from groundwire.model import Decision
from groundwire.observe import Log, metrics

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import CheckReport

_log = Log("gate")


def response_gate(config: Config, *, is_asked_for: bool = False) -> Gate:
    """Of responses inside other operations; a call that asks for the check is always checked."""
    section = config.hallucination
    is_on = section.enabled and section.output_verification.enabled
    return Gate("response", enabled=is_asked_for or is_on, on_failure="pass")


def judge_response(check: CheckReport, risk: float | None) -> Decision:
    """It passes whatever was found; the reason says how."""
    summary = check.summary
    looked_at: dict[str, int | float] = {"claims": summary.claims, "flagged": summary.flagged}
    if risk is not None:
        looked_at["risk"] = risk
    reason = None
    if summary.contradicted or summary.unsupported:
        reason = "not_grounded"
    elif check.mode == "ABSTAIN":
        reason = check.reason
    return Decision(gate="response", reason=reason, looked_at=looked_at)


class LoadShedder:
    """Turns checks away while too many are under way, or while they take too long.

    How long one takes is the mean over the last ones, newer ones weighing more.
    """

    def __init__(self, config: Config, timer: Callable[[], float] = time.monotonic) -> None:
        settings = config.hallucination.output_verification
        self._most = settings.max_waiting
        self._longest_s = settings.max_wait.total_seconds()
        self._timer = timer
        self._under_way = 0
        self._mean_s = 0.0

    def refusal(self) -> str | None:
        """Why the next check is not to be made; None where it is."""
        if self._under_way >= self._most:
            return self._refused("queue_depth")
        if self._under_way and self._under_way * self._mean_s > self._longest_s:
            return self._refused("latency")
        return None

    @contextmanager
    def checking(self) -> Iterator[None]:
        self._under_way += 1
        started_s = self._timer()
        try:
            yield
        finally:
            self._under_way -= 1
            took_s = self._timer() - started_s
            self._mean_s = (3 * self._mean_s + took_s) / 4 if self._mean_s else took_s

    def _refused(self, reason: str) -> str:
        metrics().count("responses_skipped_total", reason=reason)
        _log.warn(
            "response_not_checked",
            reason=reason,
            under_way=self._under_way,
            mean_ms=round(self._mean_s * 1000, 1),
        )
        return reason
