"""Claims with known answers ride along: a judge that fails them is broken or was talked into it."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from secrets import token_hex
from threading import Lock
from typing import Literal

from groundwire.judge._protocol import Estimate
from groundwire.observe import Log, metrics

Expected = Literal["true", "false"]
journal = Log("judge")

_EVEN = 0.5
_TRUE = (
    "The number seven is greater than the number three.",
    "A document that mentions a bridge mentions a bridge.",
    "The word 'lamp' is written with the letter L.",
    "A week has more days than a weekend.",
    "Something that is red has a colour.",
)
_FALSE = (
    "The number seven is smaller than the number three.",
    "A document that mentions a bridge does not mention a bridge.",
    "The word 'lamp' is written without the letter L.",
    "A weekend has more days than a week.",
    "Something that is red has no colour.",
)


@dataclass(frozen=True)
class Canary:
    """True or false whatever the evidence says, and by its words alone."""

    claim: str
    expected: Expected

    def judged_rightly(self, estimate: Estimate) -> bool:
        return estimate.p >= _EVEN if self.expected == "true" else estimate.p < _EVEN


def pick() -> tuple[Canary, Canary]:
    chance = Random(token_hex(8))  # noqa: S311
    return Canary(chance.choice(_TRUE), "true"), Canary(chance.choice(_FALSE), "false")


class CanaryWatch:
    """Counts how a judge does on claims whose answers are known."""

    def __init__(self, backend: str) -> None:
        self._backend = backend
        self.judged = 0
        self._wrong = 0
        self._lock = Lock()

    @property
    def error_rate(self) -> float | None:
        """`None` until one was judged: a check that never ran proves nothing."""
        return self._wrong / self.judged if self.judged else None

    def all_sang(self, estimates: Mapping[Canary, Estimate]) -> bool:
        """Record how each canary was judged; whether all were judged rightly."""
        judged = [self._record(canary, estimate) for canary, estimate in estimates.items()]
        return all(judged)

    def _record(self, canary: Canary, estimate: Estimate) -> bool:
        right = canary.judged_rightly(estimate)
        backend, expected = self._backend, canary.expected
        with self._lock:
            self.judged += 1
            self._wrong += not right
        metrics().count("judge_canaries_total", backend=backend, expected=expected)
        if not right:
            metrics().count("judge_canary_errors_total", backend=backend, expected=expected)
            journal.warn("judge_canary_failed", p=estimate.p, backend=backend, expected=expected)
        return right
