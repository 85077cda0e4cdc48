"""Labelled claims verified as a check would: by their evidence, in contexts and as quotes."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.engine import Engine
from groundwire.errors import BackendError, InputError
from groundwire.evaluate._results import Progress
from groundwire.evaluate._rows import LabelledClaim
from groundwire.evaluate._scores import (
    RESAMPLES,
    Bin,
    Figure,
    auroc,
    balanced_accuracy,
    calibration_error,
    f1,
    once,
    reliability,
    share_of,
    shortness,
    with_interval,
    word_overlap,
)
from groundwire.judge import CLAMP, CachedJudge, Evidence, VerifierBackend, budget, together
from groundwire.model import Claim, ClaimResult, EvidenceBundle, Model, Span
from groundwire.verify import ClaimVerifier, Rules, Standard

if TYPE_CHECKING:
    from groundwire.evaluate._scores import Array, Measure

TARGET = 0.75
"""The confidence that a claim is taken to be made with."""
_BATCH = 64


class Judgement(NamedTuple):
    """What a claim came to. `values` is what the deterministic tier alone says of it: 0 opposed,
    1 confirmed, 0.5 silent."""

    p1: float
    p0: float
    values: float = 0.5
    contradicted: bool = False


async def judge_rows(
    rows: Sequence[LabelledClaim],
    backend: VerifierBackend,
    rules: Rules,
    progress: Progress | None = None,
) -> list[Judgement]:
    """One judgement per row, in order; the first failure ends the run, since half a benchmark
    looks like a whole one."""
    judged: list[Judgement] = []
    for start in range(0, len(rows), _BATCH):
        judged += await _judge(rows[start : start + _BATCH], backend, rules)
        if progress is not None:
            progress(len(judged), len(rows))
    return judged


async def _judge(
    rows: Sequence[LabelledClaim], backend: VerifierBackend, rules: Rules
) -> list[Judgement]:
    verifier = ClaimVerifier(CachedJudge(backend, ttl_s=0), rules, Standard(TARGET))
    return await together(_verdict(row, verifier) for row in rows)


async def _verdict(row: LabelledClaim, verifier: ClaimVerifier) -> Judgement:
    claim = Claim(content=row.claim, source=Span(start=0, end=len(row.claim)))
    [result] = await verifier.verify([claim], Evidence([EvidenceBundle.of(row.evidence, "e")]))
    if result.reason.startswith("backend") or result.reason == "spending_cap":
        raise BackendError(result.message)
    return Judgement(
        p1=result.p1 or CLAMP.low,
        p0=result.p0 or CLAMP.low,
        values=_by_values(result),
        contradicted=result.status == "contradicted",
    )


def _by_values(result: ClaimResult) -> float:
    relations = {check.relation for check in result.checks}
    if "contradicted" in relations:
        return 0.0
    return 1.0 if relations else 0.5


_LEAST_ROWS = 20
_STEPS = 200


class SetScores(Model):
    """One set, or (`macro`) the mean over sets, each counting the same."""

    name: str
    rows: int
    supported: int
    auroc: Figure
    balanced_accuracy: Figure
    f1: Figure
    calibration_error: Figure
    baselines: dict[str, tuple[float, float]]
    """AUROC and balanced accuracy of scores that understand nothing."""


class BitsAnswer(Model):
    """Do p0 and p1 together rank claims better than p1 alone?

    Macro AUROC of each ranking, and what it has over p1's, with a paired interval.
    """

    p1: Figure
    rankings: dict[str, Figure]
    gains: dict[str, Figure]

    @property
    def better(self) -> list[str]:
        return [name for name, gain in self.gains.items() if gain.low > 0]


class Contradicted(Model):
    """How many claims the judge calls contradicted, not merely unsupported: means over sets."""

    supported: Figure
    """True claims that it accuses."""
    unsupported: Figure


class ClaimsReport(Model):
    judge: str
    threshold: float
    macro: SetScores
    sets: tuple[SetScores, ...]
    left_out: tuple[str, ...]
    """Sets with one label only, or too few rows to measure."""
    bits: BitsAnswer
    contradicted: Contradicted
    reliability: tuple[Bin, ...]


class _Columns(NamedTuple):
    labels: "Array"
    p1: "Array"
    contradicted: "Array"
    rankings: "dict[str, Array]"
    baselines: "dict[str, Array]"
    groups: "dict[str, Array]"
    left_out: tuple[str, ...]
    resamples: int

    def figure(
        self, measure: "Measure", groups: "list[Array]", *, scores: "Array | None" = None
    ) -> Figure:
        chosen = self.p1 if scores is None else scores
        columns = [(chosen[places], self.labels[places]) for places in groups]
        return with_interval(measure, columns, resamples=self.resamples)

    def gain(self, measure: "Measure", scores: "Array") -> Figure:
        """What other scores have over p1, over all sets."""
        places = list(self.groups.values())
        columns = [(scores[rows], self.labels[rows]) for rows in places]
        over = [self.p1[rows] for rows in places]
        return with_interval(measure, columns, resamples=self.resamples, less=over)


async def benchmark_claims(
    rows: Sequence[LabelledClaim], engine: Engine, progress: Progress | None = None
) -> ClaimsReport:
    """Measure the judge of an engine on labelled claims."""
    if not _groups(rows)[0]:
        raise InputError(
            f"None of these sets can be measured: each needs {_LEAST_ROWS} claims, of both labels.",
            hint="Give more labelled claims, or a higher --limit.",
        )
    backend = engine.backend
    work = judge_rows(rows, backend, engine.parts.rules, progress)
    judged = await asyncio.wrap_future(engine.loop.submit(work))
    return report_claims(rows, judged, judge=backend.name, threshold=backend.threshold)


def report_claims(
    rows: Sequence[LabelledClaim],
    judged: Sequence[Judgement],
    *,
    judge: str,
    threshold: float,
    resamples: int = RESAMPLES,
) -> ClaimsReport:
    columns = _columns(rows, judged, resamples)
    names = list(columns.groups)
    sets = tuple(_scores(columns, name, [columns.groups[name]], threshold) for name in names)
    return ClaimsReport(
        judge=judge,
        threshold=threshold,
        macro=_scores(columns, "macro", list(columns.groups.values()), threshold),
        sets=sets,
        left_out=columns.left_out,
        bits=_bits(columns),
        contradicted=_contradicted(columns),
        reliability=tuple(reliability(columns.p1, columns.labels)),
    )


def _columns(
    rows: Sequence[LabelledClaim],
    judged: Sequence[Judgement],
    resamples: int,
) -> _Columns:
    import numpy as np

    p1 = np.array([one.p1 for one in judged])
    p0 = np.array([one.p0 for one in judged])
    baselines = {
        "word overlap": np.array([word_overlap(row.claim, row.evidence) for row in rows]),
        "length": np.array([shortness(row.claim) for row in rows]),
        "deterministic tier": np.array([one.values for one in judged]),
    }
    budgets = [budget(one.p0, one.p1, TARGET) for one in judged]
    rankings = {
        "observed bits": np.array([one.observed_bits for one in budgets]),
        "budget gap": np.array([-one.gap for one in budgets]),
        "p1 - p0": p1 - p0,
    }
    groups, left_out = _groups(rows)
    labels = np.array([row.label for row in rows])
    contradicted = np.array([one.contradicted for one in judged], dtype=float)
    return _Columns(labels, p1, contradicted, rankings, baselines, groups, left_out, resamples)


def _groups(rows: Sequence[LabelledClaim]) -> "tuple[dict[str, Array], tuple[str, ...]]":
    import numpy as np

    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        places[row.set].append(place)
    usable = {
        name: np.array(found)
        for name, found in sorted(places.items())
        if len(found) >= _LEAST_ROWS and len({rows[place].label for place in found}) > 1
    }
    return usable, tuple(sorted(places.keys() - usable.keys()))


def _scores(columns: _Columns, name: str, groups: "list[Array]", threshold: float) -> SetScores:
    return SetScores(
        name=name,
        rows=sum(len(places) for places in groups),
        supported=sum(int(columns.labels[places].sum()) for places in groups),
        auroc=columns.figure(auroc, groups),
        balanced_accuracy=columns.figure(balanced_accuracy(threshold), groups),
        f1=columns.figure(f1(threshold), groups),
        calibration_error=columns.figure(calibration_error, groups),
        baselines={
            kind: _baseline(columns, scores, groups, either_way=kind == "length")
            for kind, scores in columns.baselines.items()
        },
    )


def _baseline(
    columns: _Columns, scores: "Array", groups: "list[Array]", *, either_way: bool
) -> tuple[float, float]:
    import numpy as np

    steps = np.quantile(scores[np.concatenate(groups)], np.linspace(0, 1, _STEPS))
    areas, accuracies = [], []
    for places in groups:
        labels = columns.labels[places]
        area = once(auroc, scores[places], labels)
        way = np.array([once(balanced_accuracy(step), scores[places], labels) for step in steps])
        turned = either_way and area < 0.5  # noqa: PLR2004 - worse than chance
        areas.append(1 - area if turned else area)
        accuracies.append(1 - way if turned else way)
    return float(np.mean(areas)), float(np.mean(accuracies, axis=0).max())


def _contradicted(columns: _Columns) -> Contradicted:
    groups = list(columns.groups.values())
    return Contradicted(
        supported=columns.figure(share_of(1), groups, scores=columns.contradicted),
        unsupported=columns.figure(share_of(0), groups, scores=columns.contradicted),
    )


def _bits(columns: _Columns) -> BitsAnswer:
    groups = list(columns.groups.values())
    return BitsAnswer(
        p1=columns.figure(auroc, groups),
        rankings={
            name: columns.figure(auroc, groups, scores=scores)
            for name, scores in columns.rankings.items()
        },
        gains={name: columns.gain(auroc, scores) for name, scores in columns.rankings.items()},
    )
