"""Thresholds chosen on one split, with what they gain on the other; noise is not a gain."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from groundwire.config import Config, Threshold, ThresholdsSection, thresholds_of
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate._compare import difference_intervals
from groundwire.evaluate._conformal import ConformalThreshold, Scored, conformal_threshold
from groundwire.evaluate._golden import GoldenQuery, GoldenSet
from groundwire.evaluate._labelled import counted
from groundwire.evaluate._measures import rates, risk_coverage
from groundwire.evaluate._questions import ask_questions
from groundwire.evaluate._results import CaseOutcome, Interval, Point, Progress, Rates
from groundwire.model import Model

GRID: Mapping[str, tuple[float, ...]] = {
    "distance_threshold": (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    "min_query_coverage": (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5),
}
"""The values that are tried for each threshold of a collection."""
SEARCHED = ("semantic", "decision", "cross")
"""Kinds of answers that depend on the thresholds: terms, named documents and lists do not."""


class Trial(Model):
    """A threshold that was tried, and what F1 on the open split gained by it."""

    collection: str
    name: str
    value: float
    f1: float | None
    gain: float
    interval: Interval
    taken: bool


class Gain(Model):
    before: Rates
    after: Rates
    f1_interval: Interval | None
    """Of what F1 gained, by a paired bootstrap over the questions."""


class TuneReport(Model):
    """`improved` is whether any threshold was changed; `trials` are in the order they were made."""

    golden_set_version: str
    golden_set_hash: str
    improved: bool
    thresholds: ThresholdsSection
    trials: tuple[Trial, ...]
    open: Gain
    held: Gain | None
    risk_coverage: tuple[Point, ...]
    """Of the open split, every candidate answer given: what holding back unsure ones costs."""
    conformal: ConformalThreshold | None


def tune(
    engine: Engine,
    golden: GoldenSet,
    *,
    target_error: float | None = None,
    progress: Progress | None = None,
) -> TuneReport:
    """Each threshold in its turn, on the open split alone. A value is taken when it is better than
    what stands, and the 95 % interval of the gain does not reach zero."""
    is_open = [one for one in golden.queries if one.split == "open"]
    held = [one for one in golden.queries if one.split == "held"]
    if not is_open:
        raise InputError(f"{golden.path} has no questions in the open split.")
    bench = _Bench(engine, golden)
    start = thresholds_of(engine.config.evidence)
    first = bench.ask(start, is_open)
    moved = {one.id for one in first if one.trace["kind"] in SEARCHED}
    names = sorted({one.collection for one in first if one.id in moved} - {"any"})
    turns = [(name, field) for name in names for field in GRID]
    best, now = start, first
    trials: list[Trial] = []
    for collection, field in counted(turns, progress):
        for value in GRID[field]:
            tried = _with(best, collection, field, value)
            if tried == best:
                continue
            found = bench.again(tried, is_open, now, moved)
            trial = _trial(collection, field, value, now, found)
            trials.append(trial)
            if trial.taken:
                best, now = tried, found
    every = bench.ask(best.model_copy(update={"abstain_below": 0.0}), is_open)
    conformal = None
    if target_error is not None:
        conformal = conformal_threshold([_scored(one) for one in every], target_error)
        best = best.model_copy(update={"abstain_below": conformal.abstain_below})
        now = bench.ask(best, is_open)
    return TuneReport(
        golden_set_version=golden.version,
        golden_set_hash=golden.hash,
        improved=best != start,
        thresholds=best,
        trials=tuple(trials),
        open=_gain(first, now),
        held=_gain(bench.ask(start, held), bench.ask(best, held)) if held else None,
        risk_coverage=tuple(risk_coverage(every)),
        conformal=conformal,
    )


def _scored(one: CaseOutcome) -> Scored:
    """What does not depend on a search is never held back, however unsure it is."""
    held_back = one.trace["kind"] in SEARCHED
    confidence = one.confidence if held_back or not one.given else 1.0
    return Scored(confidence, one.right)


class _Bench:
    """Asks the same questions under different thresholds."""

    def __init__(self, engine: Engine, golden: GoldenSet) -> None:
        self._engine = engine
        self._golden = golden

    def ask(
        self, thresholds: ThresholdsSection, queries: Sequence[GoldenQuery]
    ) -> list[CaseOutcome]:
        config = with_thresholds(self._engine.config, thresholds)
        chosen = self._golden.model_copy(update={"queries": tuple(queries)})
        with Engine(config, embedder=self._engine.parts.embedder) as engine:
            return ask_questions(engine, chosen)

    def again(
        self,
        thresholds: ThresholdsSection,
        queries: Sequence[GoldenQuery],
        known: Sequence[CaseOutcome],
        moved: set[str],
    ) -> list[CaseOutcome]:
        """Only those that thresholds can move are asked again."""
        asked = self.ask(thresholds, [one for one in queries if one.id in moved])
        found = {one.id: one for one in (*known, *asked)}
        return [found[one.id] for one in queries]


def with_thresholds(config: Config, thresholds: ThresholdsSection) -> Config:
    update = {"thresholds": thresholds, "thresholds_file": None}
    return config.model_copy(update={"evidence": config.evidence.model_copy(update=update)})


def _with(
    thresholds: ThresholdsSection, collection: str, field: str, value: float
) -> ThresholdsSection:
    changed = thresholds.of(collection).model_copy(update={field: value})
    return thresholds.model_copy(
        update={"collections": thresholds.collections | {collection: changed}}
    )


def _trial(
    collection: str,
    field: str,
    value: float,
    now: Sequence[CaseOutcome],
    found: Sequence[CaseOutcome],
) -> Trial:
    before, after = rates(now).f1 or 0.0, rates(found).f1
    interval = difference_intervals(now, found).get("f1", (0.0, 0.0))
    gain = round((after or 0.0) - before, 4)
    return Trial(
        collection=collection,
        name=field,
        value=value,
        f1=after,
        gain=gain,
        interval=interval,
        taken=gain > 0 and interval[0] > 0,
    )


def _gain(before: Sequence[CaseOutcome], after: Sequence[CaseOutcome]) -> Gain:
    interval = difference_intervals(before, after).get("f1")
    return Gain(before=rates(before), after=rates(after), f1_interval=interval)


def thresholds_text(report: TuneReport, golden: Path) -> str:
    """A `thresholds.yaml` that says in comments what each number rests on."""
    lines = [
        "# What a passage must reach to count as found. Use it with `evidence.thresholds_file`.",
        "# distance_threshold: the largest cosine distance between question and passage.",
        "# min_query_coverage: the least share of the question's words in the passage.",
        "#",
        f"# Written by `gw eval tune --data {golden}`,",
        f"# golden set {report.golden_set_version} ({report.golden_set_hash[:12]}).",
        f"# {_said('open split', report.open)}",
    ]
    if report.held is not None:
        lines.append(f"# {_said('held split', report.held)}")
    if not report.improved:
        lines.append("# Nothing that was tried is better beyond chance: nothing was changed.")
    if report.conformal is not None:
        lines += _conformal_lines(report.conformal)
    lines.append("collections:")
    for name, one in report.thresholds.collections.items():
        lines += [f"  {name}:", *_fields(one, "    ", _evidence(report.trials, name))]
    lines += ["", "default:", *_fields(report.thresholds.default, "  ", {})]
    return "\n".join(lines) + "\n"


def _conformal_lines(found: ConformalThreshold) -> list[str]:
    if found.abstain_below is None:
        said = f"# No threshold keeps wrong answers at {found.target_error:g} of all questions;"
        return [
            f"{said} {found.questions} questions can promise {found.least_error:g} at best.",
            "",
        ]
    said = f"# Wrong answers stay below {found.target_error:g} of all such questions, on average;"
    return [
        f"{said} {found.coverage:.1%} are answered instead of {found.coverage_before:.1%}.",
        f"abstain_below: {found.abstain_below:g}",
        "",
    ]


def _fields(one: Threshold, indent: str, evidence: Mapping[str, str]) -> list[str]:
    return [f"{indent}{name}: {getattr(one, name):.2f}{evidence.get(name, '')}" for name in GRID]


def _evidence(trials: Sequence[Trial], collection: str) -> dict[str, str]:
    """Behind a number: what it gained, or how much the best of the others would have."""
    found = {}
    for name in GRID:
        own = [one for one in trials if (one.collection, one.name) == (collection, name)]
        taken = [one for one in own if one.taken]
        if own:
            best = taken[-1] if taken else max(own, key=lambda one: one.gain)
            said = "gains" if taken else f"kept; {best.value:.2f} would gain"
            low, high = best.interval
            found[name] = f"  # {said} {best.gain:+.3f} F1 ({low:+.3f} to {high:+.3f})"
            if best.gain <= 0:
                tried = f"{GRID[name][0]:.2f} to {GRID[name][-1]:.2f}"
                found[name] = f"  # kept; no value from {tried} gains anything"
    return found


def _said(name: str, gain: Gain) -> str:
    sides = (gain.before.f1, gain.after.f1)
    before, after = ("-" if one is None else f"{one:.3f}" for one in sides)
    low, high = gain.f1_interval or (0.0, 0.0)
    said = f"{name}, {gain.after.count} questions: F1 {before} before, {after} after"
    return f"{said} ({low:+.3f} to {high:+.3f})."
