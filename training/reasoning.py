"""Fits when a step of a reasoning is said to be wrong or invented, and writes it down.

    python -m training.reasoning [--write]

The steps are those of the opened sets of traces that an account is given for, and those of the
kept fifth of `training/own`: the judge knows the rest. What is printed was measured with each set
left out in its turn; what is written was fitted on all. The threshold is the one that calls as
many right steps of the left-out sets wrong as are allowed.
"""

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from groundwire.config import load_config
from groundwire.encoder._weights import FOLDER
from groundwire.engine import Engine
from groundwire.model import ClaimResult
from groundwire.verify import _audit
from groundwire.verify._fault import FaultSigns
from training import opened, own
from training.calibrate import fit, predict
from training.files import calibrate

ALLOWED = 1 / 100
"""Of the right steps, so many may be called wrong."""
OWN, OWN_WEIGHT = "own", 0.5
"""What a step of our own counts: half of them are wrong, as in no trace."""
# such as "Step 2. "
_EARLIER = re.compile(r"\s*(?:step\s+)?\d+[.:)]\s", re.IGNORECASE)


class Trace(NamedTuple):
    set: str
    context: str
    steps: tuple[str, ...]
    wrong: frozenset[int]
    left_out: frozenset[int]
    """Steps that are wrong only because others are, or that nobody has labelled."""


class Seen(NamedTuple):
    """An assertion that the fit decides on."""

    set: str
    signs: FaultSigns
    is_wrong: bool
    step: tuple[int, int]


def traces() -> Iterator[Trace]:
    for name, rows in opened.traces().items():
        for row in rows:
            wrong, resting = frozenset(row["faulty_steps"]), frozenset(row["rests_on_fault"])
            yield Trace(name, row["context"], tuple(row["steps"]), wrong, resting)
    for row in own.claims(kept=True):
        if row["set"].startswith("own.steps"):
            yield _of_own(row)


def _of_own(row: dict[str, Any]) -> Trace:
    """Lines that are numbered are the steps before it."""
    lines = row["evidence"].split("\n")
    earlier = [line for line in lines if _EARLIER.match(line)]
    context = "\n".join(line for line in lines if line not in earlier)
    last = frozenset({len(earlier)})
    wrong = last if row["label3"] != "supported" else frozenset[int]()
    before = frozenset(range(len(earlier)))
    return Trace(OWN, context, (*earlier, row["claim"]), wrong, before)


def seen_in(told: Sequence[Trace]) -> tuple[list[Seen], int]:
    """What the fit decides on, and how many steps of the opened sets are right."""
    found: list[Seen] = []
    asked_about: list[tuple[Any, ClaimResult]] = []
    beside_account = _audit._beside_account  # noqa: SLF001

    def spy(asked: Any, result: ClaimResult) -> Any:
        if not _audit._is_by_value(result):  # noqa: SLF001
            asked_about.append((asked, result))
        return beside_account(asked, result)

    _audit._beside_account = spy  # noqa: SLF001
    right = 0
    with (
        tempfile.TemporaryDirectory() as home,
        Engine(load_config(environ={}, overrides={"home": home}).config) as engine,
    ):
        for place, trace in enumerate(told):
            asked_about.clear()
            engine.audit_trace_sync(trace.steps, trace.context, None)
            found += _kept(place, trace, asked_about)
            if trace.set != OWN:
                right += len(trace.steps) - len(trace.wrong | trace.left_out)
            print(f"{place + 1} of {len(told)} traces", flush=True)
    return found, right


def _kept(
    place: int, trace: Trace, asked_about: Sequence[tuple[Any, ClaimResult]]
) -> Iterator[Seen]:
    known: set[tuple[int, str]] = set()
    for asked, result in asked_about:
        index = asked.step.index - 1
        # judged again without a step that failed, a claim comes twice
        if index in trace.left_out or (index, result.claim) in known:
            continue
        known.add((index, result.claim))
        signs = _audit.fault_signs(asked, result)
        yield Seen(trace.set, signs, index in trace.wrong, (place, index))


def left_out(
    columns: np.ndarray, labels: np.ndarray, weight: np.ndarray, sets: np.ndarray
) -> np.ndarray:
    found = np.zeros(len(labels))
    for name in np.unique(sets):
        mine = sets == name
        found[mine] = predict(columns[mine], fit(columns[~mine], labels[~mine], weight[~mine]))
    return found


def highest(seen: Sequence[Seen], p: np.ndarray, *, is_wrong: bool) -> dict[tuple[int, int], float]:
    """Of each step of the opened sets, the worst of its assertions."""
    found: dict[tuple[int, int], float] = {}
    for one, likely in zip(seen, p, strict=True):
        if one.is_wrong == is_wrong and one.set != OWN:
            found[one.step] = max(found.get(one.step, 0.0), float(likely))
    return found


def threshold_of(seen: Sequence[Seen], p: np.ndarray, right: int) -> float:
    """Where so many right steps are called wrong as are allowed, and no lower than even odds."""
    ranked = sorted(highest(seen, p, is_wrong=False).values(), reverse=True)
    allowed = int(ALLOWED * right)
    between = ranked[allowed - 1 : allowed + 1]
    return max(0.5, sum(between) / len(between)) if between else 0.5


def report(seen: Sequence[Seen], p: np.ndarray, threshold: float) -> None:
    for name in dict.fromkeys(one.set for one in seen):
        for is_wrong in (True, False):
            said = [
                likely >= threshold
                for one, likely in zip(seen, p, strict=True)
                if (one.set, one.is_wrong) == (name, is_wrong)
            ]
            kind = "wrong" if is_wrong else "right"
            print(f"{name:8} {kind}: {sum(said)} of {len(said)} assertions called wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    seen, right = seen_in(list(traces()))
    columns = np.array([one.signs for one in seen], dtype=float)
    labels = np.array([one.is_wrong for one in seen], dtype=float)
    sets = np.array([one.set for one in seen])
    weight = np.where(sets == OWN, OWN_WEIGHT, 1.0)
    p = left_out(columns, labels, weight, sets)
    threshold = threshold_of(seen, p, right)
    report(seen, p, threshold)
    fitted = fit(columns, labels, weight)
    names = (*FaultSigns._fields, "offset")
    values = {name: round(float(one), 3) for name, one in zip(names, fitted, strict=True)}
    values["threshold"] = round(threshold, 3)
    print(values)
    if given.write:
        calibrate(FOLDER / "judge.calibration.json", "steps", values)


if __name__ == "__main__":
    main()
