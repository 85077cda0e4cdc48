"""One mechanism for every gate: make the check, do what the posture says where it fails, count."""

from collections.abc import Awaitable, Callable
from typing import Literal

from groundwire.errors import BackendError
from groundwire.model import Decision, GateName, Posture
from groundwire.observe import Log, Metrics, metrics

SkipReason = Literal["disabled", "not_needed", "nothing_found", "load_shed"]

_log = Log("gate")


class Gate:
    """What stands between a verdict and its use. A check is given to `run` and returns a decision;
    only if it raises a `BackendError` does `on_failure` decide, for `failure_reason`.

    Every decision is counted, and so is every time when none was made.
    """

    def __init__(
        self,
        name: GateName,
        *,
        on_failure: Posture,
        enabled: bool = True,
        failure_reason: str = "check_failed",
        counted: Metrics | None = None,
    ) -> None:
        self.name = name
        self.enabled = enabled
        self.on_failure = on_failure
        self._failure_reason = failure_reason
        self._given = counted

    @property
    def _metrics(self) -> Metrics:
        return self._given or metrics()

    def run(self, check: Callable[[], Decision]) -> Decision:
        if not self.enabled:
            return self.skip("disabled")
        try:
            decision = check()
        except BackendError as error:
            decision = self._failed(error)
        return self._counted(decision)

    async def arun(self, check: Callable[[], Awaitable[Decision]]) -> Decision:
        if not self.enabled:
            return self.skip("disabled")
        try:
            decision = await check()
        except BackendError as error:
            decision = self._failed(error)
        return self._counted(decision)

    def skip(self, reason: SkipReason) -> Decision:
        """Nothing is decided, so nothing is held back."""
        self._metrics.count("gate_skips_total", gate=self.name, reason=reason)
        return Decision(gate=self.name, reason=reason, check="skipped")

    def _failed(self, error: BackendError) -> Decision:
        self._metrics.count("gate_errors_total", gate=self.name, code=error.code)
        return Decision(
            gate=self.name,
            effect=self.on_failure,
            reason=self._failure_reason,
            message=error.message,
            check="failed",
        )

    def _counted(self, decision: Decision) -> Decision:
        self._metrics.count("gate_decisions_total", gate=self.name, effect=decision.effect)
        _log.debug(
            "gate_decided",
            gate=self.name,
            effect=decision.effect,
            reason=decision.reason,
            check=decision.check,
            **decision.looked_at,
        )
        return decision
