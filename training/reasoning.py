"""Fits when a step of a reasoning is called foreign to its context, and writes it down.

    python -m training.reasoning TRACES.jsonl… [--write]

The files are such as `tests/verify/reasoning_open.jsonl`. Of all bounds that were tried those are
taken that find most invented steps, each right step called foreign taking one away; ties go to
the more careful. What is printed for left-out traces was chosen without them, tenth by tenth.
"""

import argparse
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.config import load_config
from groundwire.encoder import judge_calibration
from groundwire.encoder._weights import FOLDER
from groundwire.engine import Engine
from groundwire.model import ClaimResult
from groundwire.text import content_terms, topical
from groundwire.verify import _audit
from training.files import calibrate
from training.prepare import read_rows

COST = 1
BELOW = tuple(place / 100 for place in range(10, 51))
SHARES = (0.4, 0.5, 0.6, 0.7)
FOLDS = 10


class Seen(NamedTuple):
    trace: int
    p1: float
    topics: int
    share: float
    """Of its content words, those that nothing before it has."""
    is_wrong: bool


class Bounds(NamedTuple):
    below: float
    share: float

    def say(self, one: Seen) -> bool:
        if one.p1 >= self.below or not one.topics:
            return False
        return one.topics >= judge_calibration().reasoning.foreign_terms or one.share >= self.share


def seen_in(rows: Sequence[dict[str, Any]]) -> list[Seen]:
    """The steps that the rule is asked about: those that it may call foreign for any bound."""
    found: list[Seen] = []
    asked_about: list[tuple[Any, ClaimResult]] = []
    is_foreign = _audit._is_foreign  # noqa: SLF001

    def spy(asked: Any, result: ClaimResult) -> bool:
        asked_about.append((asked, result))
        return is_foreign(asked, result)

    _audit._is_foreign = spy  # noqa: SLF001
    with (
        tempfile.TemporaryDirectory() as home,
        Engine(load_config(environ={}, overrides={"home": home}).config) as engine,
    ):
        for trace, row in enumerate(rows):
            asked_about.clear()
            engine.audit_trace_sync(row["steps"], row["context"], row["answer"])
            found += _kept(trace, row, asked_about)
            print(f"{trace + 1} of {len(rows)} traces", flush=True)
    return found


def _kept(
    trace: int, row: dict[str, Any], asked_about: Sequence[tuple[Any, ClaimResult]]
) -> list[Seen]:
    kept: dict[tuple[int, str], Seen] = {}
    for asked, result in asked_about:
        place = asked.step.index - 1
        if place in row["rests_on_fault"] and place not in row["faulty_steps"]:
            continue
        if not _audit._may_be_foreign(asked, result):  # noqa: SLF001
            continue
        new = frozenset(_audit._new_terms(asked.part, asked.around, asked.step))  # noqa: SLF001
        terms = set(content_terms(result.claim))
        kept[place, result.claim] = Seen(
            trace,
            result.p1 or 0.0,
            len(topical(new)),
            len(new) / max(1, len(terms)),
            place in row["faulty_steps"],
        )
    return list(kept.values())


def chosen(seen: Sequence[Seen]) -> Bounds:
    tried = [Bounds(*one) for one in product(BELOW, sorted(SHARES, reverse=True))]
    return max(tried, key=lambda bounds: _worth(bounds, seen))


def _worth(bounds: Bounds, seen: Sequence[Seen]) -> int:
    return sum((1 if one.is_wrong else -COST) for one in seen if bounds.say(one))


def _told(found: int, accused: int, seen: Sequence[Seen]) -> str:
    wrong = sum(one.is_wrong for one in seen)
    return f"{found} of {wrong} wrong, {accused} of {len(seen) - wrong} right"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    rows = [row for path in given.files for row in read_rows(path)]
    seen = seen_in(rows)
    tuned = judge_calibration().reasoning
    now = Bounds(tuned.foreign_below, tuned.foreign_share)
    said = [one.is_wrong for one in seen if now.say(one)]
    print("as it is:", now, _told(sum(said), len(said) - sum(said), seen))
    said = []
    for fold in range(FOLDS):
        bounds = chosen([one for one in seen if one.trace % FOLDS != fold])
        said += [one.is_wrong for one in seen if one.trace % FOLDS == fold and bounds.say(one)]
    print("left out:", _told(sum(said), len(said) - sum(said), seen))
    best = chosen(seen)
    said = [one.is_wrong for one in seen if best.say(one)]
    print("fitted:  ", best, _told(sum(said), len(said) - sum(said), seen))
    if given.write:
        values = {"foreign_below": best.below, "foreign_share": best.share}
        calibrate(FOLDER / "judge.calibration.json", "reasoning", values)


if __name__ == "__main__":
    main()
