"""Claims with known answers: a judge that fails them is broken or was talked into it."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from secrets import token_hex
from threading import Lock
from typing import Literal

from groundwire.config import Config
from groundwire.errors import BackendError, JudgeUnhealthy, StoreError
from groundwire.judge._protocol import Estimate, Question, VerifierBackend
from groundwire.observe import Log, metrics
from groundwire.store import Database

Expected = Literal["true", "false"]
journal = Log("judge")

HEALTH_NAME = "health.sqlite"
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

# evidence, a claim that it states, and one about something else
_KNOWN = (
    (
        "The pumping station has three pumps. It was built in 1974.",
        "The pumping station has three pumps.",
        "The school choir sings in Latin on Sundays.",
    ),
    (
        "The library in Halden opens at nine. It closes at six.",
        "The library in Halden opens at nine.",
        "The dentist bought a sailing boat from her neighbour.",
    ),
    (
        "The harbour crane lifts forty tonnes. Two people operate it.",
        "The harbour crane lifts forty tonnes.",
        "The museum's oldest painting shows a winter landscape.",
    ),
    (
        "Rye bread is baked on Fridays. The bakery is closed on Mondays.",
        "The bakery is closed on Mondays.",
        "The mobile network was extended to the northern valley.",
    ),
    (
        "The ferry to Vik carries bicycles. The crossing takes an hour.",
        "The ferry to Vik carries bicycles.",
        "The laboratory replaced its microscope last spring.",
    ),
    (
        "The orchard grows apples and pears. A storm damaged the barn.",
        "A storm damaged the barn.",
        "The orchestra's new conductor speaks four languages.",
    ),
)
_ATTEMPTS = 2
"""A judge that is wrong once is asked others: chance is not illness."""
_PAIRS = 2
_FAILURES_EXPIRE = 10
"""So many times sooner than a pass: what was broken may be mended."""


@dataclass(frozen=True)
class Canary:
    """True or false whatever the evidence says and by its words alone, or by its own evidence."""

    claim: str
    expected: Expected
    context: str = "There is no evidence here."

    def judged_rightly(self, estimate: Estimate, threshold: float = _EVEN) -> bool:
        """Whoever wants a claim to be surer than most does not make its judge ill by that."""
        if self.expected == "true":
            return estimate.p >= min(threshold, _EVEN)
        return estimate.p < threshold


def pick() -> tuple[Canary, Canary]:
    chance = Random(token_hex(8))  # noqa: S311
    return Canary(chance.choice(_TRUE), "true"), Canary(chance.choice(_FALSE), "false")


def pick_known() -> list[Canary]:
    """Claims with evidence of their own, half of them stated by it."""
    chosen = Random(token_hex(8)).sample(_KNOWN, _PAIRS)  # noqa: S311
    return [
        Canary(claim, expected, context)
        for context, stated, elsewhere in chosen
        for claim, expected in _expectations(stated, elsewhere)
    ]


def _expectations(stated: str, elsewhere: str) -> tuple[tuple[str, Expected], ...]:
    return (stated, "true"), (elsewhere, "false")


def known_answer(claim: str, context: str) -> bool | None:
    """Whether the claim is supported, where this is a question with a known answer."""
    for known, stated, elsewhere in _KNOWN:
        if known == context and claim in (stated, elsewhere):
            return claim == stated
    return None


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

    def all_sang(self, estimates: Mapping[Canary, Estimate], threshold: float = _EVEN) -> bool:
        """Record how each canary was judged; whether all were judged rightly."""
        return not self.wrong(estimates, threshold)

    def wrong(self, estimates: Mapping[Canary, Estimate], threshold: float = _EVEN) -> list[Canary]:
        """Record how each canary was judged; those that were judged wrongly."""
        return [
            canary
            for canary, estimate in estimates.items()
            if not self._record(canary, estimate, threshold)
        ]

    def _record(self, canary: Canary, estimate: Estimate, threshold: float) -> bool:
        right = canary.judged_rightly(estimate, threshold)
        backend, expected = self._backend, canary.expected
        with self._lock:
            self.judged += 1
            self._wrong += not right
        metrics().count("judge_canaries_total", backend=backend, expected=expected)
        if not right:
            metrics().count("judge_canary_errors_total", backend=backend, expected=expected)
            journal.warn("judge_canary_failed", p=estimate.p, backend=backend, expected=expected)
        return right


def health_of(judge: VerifierBackend, config: Config) -> "Health":
    """The examination of a judge as these settings want it, kept in the home directory."""
    record = HealthRecord(config.home.expanduser().absolute() / HEALTH_NAME)
    return Health(judge, ttl_s=config.judge.health_ttl.total_seconds(), record=record)


class HealthRecord:
    """When which model last answered rightly; on disk, so that a command need not ask again.

    That it failed is not kept: what was broken may have been mended since.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def passed_at_s(self, model: str) -> float:
        """`-inf` of a model that never did."""
        try:
            with self._opened() as database:
                rows = database.read("SELECT passed_at_s FROM health WHERE model = ?", [model])
        except StoreError as error:
            self._lost(error)
            return -math.inf
        return float(rows[0]["passed_at_s"]) if rows else -math.inf

    def keep(self, model: str, passed_at_s: float) -> None:
        try:
            with self._opened() as database, database.transaction() as connection:
                connection.execute(
                    "INSERT OR REPLACE INTO health VALUES (?, ?)", [model, passed_at_s]
                )
        except StoreError as error:
            self._lost(error)

    def _opened(self) -> Database:
        columns = "model TEXT PRIMARY KEY, passed_at_s REAL NOT NULL"
        return Database(self._path, [(f"CREATE TABLE health ({columns}) STRICT",)])

    def _lost(self, error: StoreError) -> None:
        """A record that cannot be used costs questions, not verdicts."""
        journal.warn("judge_health_not_kept", error=str(error))


class Health:
    """Whether a judge can be believed. It is asked what has known answers before anything else,
    and the result counts for a while; of a model that cannot change, for good."""

    def __init__(
        self,
        judge: VerifierBackend,
        *,
        ttl_s: float,
        record: HealthRecord | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._judge = judge
        self._ttl_s = math.inf if judge.is_pinned else ttl_s
        self._record = record if judge.model_id else None
        self._clock = clock
        self._watch = CanaryWatch(judge.name)
        self._asked_at_s: float | None = None
        self._problem: JudgeUnhealthy | None = None

    def doubt(self) -> None:
        """What counted until now counts no longer: claims with known answers were judged wrongly
        between others."""
        self._asked_at_s = -math.inf

    async def problem(self) -> BackendError | None:
        """Why its verdicts are not believed. A judge that cannot be asked is not ill, but its
        error is an answer, too."""
        now_s = self._clock()
        if self._asked_at_s is None:
            model, record = self._judge.model_id, self._record
            self._asked_at_s = record.passed_at_s(model) if record and model else -math.inf
        lasts_s = self._ttl_s / (_FAILURES_EXPIRE if self._problem else 1)
        if now_s - self._asked_at_s < lasts_s:
            return self._problem
        found = await self._examine()
        if found is not None and not isinstance(found, JudgeUnhealthy):
            return found
        self._problem, self._asked_at_s = found, now_s
        if self._record is not None and self._judge.model_id:
            self._record.keep(self._judge.model_id, now_s if found is None else -math.inf)
        return found

    async def _examine(self) -> BackendError | None:
        wrong: list[Canary] = []
        for _ in range(_ATTEMPTS):
            first, *others = pick_known()
            estimates: dict[Canary, Estimate] = {}
            for canaries in ([first], others):  # one alone: if that fails, so would all
                questions = [Question(claim=one.claim, context=one.context) for one in canaries]
                answers = await self._judge.estimate(questions)
                for canary, answer in zip(canaries, answers, strict=True):
                    if isinstance(answer, BackendError):
                        return answer
                    estimates[canary] = answer
            wrong = self._watch.wrong(estimates, self._judge.threshold)
            if not wrong:
                return None
        return self._unhealthy(wrong[0])

    def _unhealthy(self, wrong: Canary) -> JudgeUnhealthy:
        taken = "not supported" if wrong.expected == "true" else "supported"
        return JudgeUnhealthy(
            f"The judge {self._judge.name} fails questions with known answers, so that none of its "
            f'verdicts is believed: it takes "{wrong.claim}" for {taken} by "{wrong.context}"',
            hint="Use another model or another judge, or see what answers in its place.",
        )
