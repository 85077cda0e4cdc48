"""Before and after: what changed between two runs, and whether it is more than noise."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from groundwire.errors import InputError
from groundwire.evaluate._golden import read_bytes
from groundwire.evaluate._measures import rates
from groundwire.evaluate._results import CaseOutcome, Interval, Rates, Results
from groundwire.evaluate._scores import RESAMPLES
from groundwire.model import Model

if TYPE_CHECKING:
    from groundwire.evaluate._scores import Array

THRESHOLD = 0.05
"""How far a figure may fall [S3 Gap B]."""
_ROUNDING = 1e-9


class Change(Model):
    """A figure before and after, and the 95 % interval of the difference by drawing cases again,
    each with both its outcomes. `regressed`: it fell past the threshold, and not by chance."""

    before: float | None
    after: float | None
    change: float | None
    interval: Interval | None
    threshold: float | None
    regressed: bool


class SuiteChange(Model):
    cases: int
    overall: Mapping[str, Change]
    by_collection: Mapping[str, Mapping[str, Change]]
    broken: tuple[str, ...]
    """Cases that passed and now fail."""
    mended: tuple[str, ...]


class Comparison(Model):
    """`regressions` are sentences; there are none where the gate is open."""

    same_golden_set: bool
    suites: Mapping[str, SuiteChange]
    missing: tuple[str, ...]
    """Cases of the first run that the second does not have."""
    added: tuple[str, ...]
    regressions: tuple[str, ...]


def read_results(path: Path) -> Results:
    try:
        return Results.model_validate_json(read_bytes(path))
    except ValidationError as error:
        raise InputError(
            f"{path} is no document of results.", hint="Write one with: gw eval run --output FILE"
        ) from error


def compare(
    before: Results,
    after: Results,
    *,
    precision_threshold: float = THRESHOLD,
    recall_threshold: float = THRESHOLD,
) -> Comparison:
    """By cases that both runs have. A run without a case that the other had cannot pass: whoever
    takes a case away writes the baseline anew."""
    limits = {
        "precision": precision_threshold,
        "recall": recall_threshold,
        "f1": None,
        "abstention": THRESHOLD,
    }
    suites: dict[str, SuiteChange] = {}
    missing: list[str] = []
    added: list[str] = []
    for name in before.suites:
        old = {one.id: one for one in before.cases if one.suite == name}
        new = {one.id: one for one in after.cases if one.suite == name}
        missing += [f"{name}: {id_}" for id_ in old.keys() - new.keys()]
        added += [f"{name}: {id_}" for id_ in new.keys() - old.keys()]
        pairs = [(old[id_], new[id_]) for id_ in old if id_ in new]
        if pairs:
            suites[name] = _suite(pairs, limits)
    return Comparison(
        same_golden_set=before.meta.golden_set_hash == after.meta.golden_set_hash,
        suites=suites,
        missing=tuple(sorted(missing)),
        added=tuple(sorted(added)),
        regressions=tuple(_regressions(suites, missing, before, after)),
    )


def _regressions(
    suites: Mapping[str, SuiteChange], missing: Sequence[str], before: Results, after: Results
) -> list[str]:
    found = [
        f"{name}: {measure} went from {_figure(one.before)} to {_figure(one.after)}, more than the "
        f"{one.threshold:g} allowed and more than chance."
        for name, suite in suites.items()
        for measure, one in suite.overall.items()
        if one.regressed
    ]
    invented = after.metrics.terminology.hallucinated
    if invented > before.metrics.terminology.hallucinated:
        found.append(f"{invented} definitions were given that the vocabulary does not have.")
    if missing:
        found.append(f"{len(missing)} cases of the baseline were not run: {missing[0]} …")
    return found


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _suite(
    pairs: Sequence[tuple[CaseOutcome, CaseOutcome]], limits: Mapping[str, float | None]
) -> SuiteChange:
    collections = sorted({old.collection for old, _ in pairs})
    return SuiteChange(
        cases=len(pairs),
        overall=_changes(pairs, limits),
        by_collection={
            name: _changes([pair for pair in pairs if pair[0].collection == name], {})
            for name in collections
        },
        broken=tuple(old.id for old, new in pairs if old.passed and not new.passed),
        mended=tuple(old.id for old, new in pairs if new.passed and not old.passed),
    )


def _changes(
    pairs: Sequence[tuple[CaseOutcome, CaseOutcome]], limits: Mapping[str, float | None]
) -> dict[str, Change]:
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    drawn = difference_intervals(sides[0], sides[1])
    figures = [_figures(rates(side), side) for side in sides]
    return {
        name: _change(figures[0][name], figures[1][name], drawn.get(name), limits.get(name), name)
        for name in figures[0]
    }


def _figures(found: Rates, cases: Sequence[CaseOutcome]) -> dict[str, float | None]:
    abstained = sum(one.ended == "ABSTAIN" for one in cases) / len(cases)
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1} | {
        "abstention": round(abstained, 4)
    }


def _change(
    before: float | None,
    after: float | None,
    interval: Interval | None,
    threshold: float | None,
    name: str,
) -> Change:
    change = None if before is None or after is None else round(after - before, 4)
    regressed = False
    if threshold is not None:
        if after is None or before is None:  # nothing is given any more
            regressed = before is not None
        elif change is not None and interval is not None:
            worse = change if name == "abstention" else -change
            surely = interval[0] > 0 if name == "abstention" else interval[1] < 0
            regressed = worse > threshold + _ROUNDING and surely
    return Change(
        before=before,
        after=after,
        change=change,
        interval=interval,
        threshold=threshold,
        regressed=regressed,
    )


def difference_intervals(
    before: Sequence[CaseOutcome], after: Sequence[CaseOutcome]
) -> dict[str, Interval]:
    """What each figure has gained, when the cases are drawn again: a paired bootstrap."""
    import numpy as np

    count = len(before)
    draws = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    old, new = (_drawn(side, draws) for side in (before, after))
    found: dict[str, Interval] = {}
    for name, values in old.items():
        gained = new[name] - values
        usable = gained[~np.isnan(gained)]
        if len(usable):
            low, high = np.quantile(usable, [0.025, 0.975])
            found[name] = (round(float(low), 4), round(float(high), 4))
    return found


def _drawn(cases: Sequence[CaseOutcome], draws: "Array") -> "dict[str, Array]":
    import numpy as np

    right = draws @ np.array([one.given and one.right for one in cases], dtype=float)
    given = draws @ np.array([one.given for one in cases], dtype=float)
    wanted = draws @ np.array([one.wanted for one in cases], dtype=float)
    abstained = draws @ np.array([one.ended == "ABSTAIN" for one in cases], dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "precision": right / given,
            "recall": right / wanted,
            "f1": 2 * right / (given + wanted),
            "abstention": abstained / len(cases),
        }
