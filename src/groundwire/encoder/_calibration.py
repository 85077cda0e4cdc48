"""The numbers that were tuned: read from one file per shipped model, never written in code.

`judge.calibration.json` belongs to `judge.npz`, `reader.calibration.json` to `reader.npz`,
`adapter.calibration.json` to `adapter.npz`; `memory.calibration.json` goes with the judge and is
fitted by a command of its own. What was tuned together with a model stands in its
file, each number with where it comes from and the command that fits it again.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from groundwire.encoder._tuned import (
    AdapterCalibration,
    JudgeCalibration,
    MemoryCalibration,
    ReaderCalibration,
)
from groundwire.encoder._weights import FOLDER
from groundwire.errors import StoreCorrupt

ENTRY = frozenset({"value", "origin", "refit"})
_HINT = "Install Groundwire again, or put back the file of the version that is installed."


Calibration = TypeVar(
    "Calibration", JudgeCalibration, MemoryCalibration, ReaderCalibration, AdapterCalibration
)


@cache
def judge_calibration() -> JudgeCalibration:
    return read_calibration(JudgeCalibration, FOLDER / "judge.calibration.json")


@cache
def memory_calibration() -> MemoryCalibration:
    return read_calibration(MemoryCalibration, FOLDER / "memory.calibration.json")


@cache
def reader_calibration() -> ReaderCalibration:
    return read_calibration(ReaderCalibration, FOLDER / "reader.calibration.json")


@cache
def adapter_calibration() -> AdapterCalibration:
    return read_calibration(AdapterCalibration, FOLDER / "adapter.calibration.json")


def read_calibration(kind: type[Calibration], path: Path) -> Calibration:
    """The numbers of a file that has exactly those that `kind` names."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreCorrupt(f"{path} cannot be read: {error}", hint=_HINT) from error
    sections = kind.__annotations__
    _expect(stored, sections.keys(), path, "the file")
    return kind(**{name: _section(type_, stored[name], path) for name, type_ in sections.items()})


def _section(kind: Any, stored: object, path: Path) -> Any:
    types = kind.__annotations__
    entries = _expect(stored, types.keys(), path, kind.__name__)
    return kind(**{name: _value(type_, name, entries[name], path) for name, type_ in types.items()})


def _value(kind: Any, name: str, stored: object, path: Path) -> float:
    value = _expect(stored, ENTRY, path, name)["value"]
    # an int is a number where a float is wanted; `true` is neither
    wanted = int if kind is int else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted) or not math.isfinite(value):
        raise StoreCorrupt(f"{path}: {name} is {value!r}, no {kind.__name__}.", hint=_HINT)
    return value


def _expect(stored: object, names: Any, path: Path, where: str) -> Mapping[str, Any]:
    if not isinstance(stored, dict):
        raise StoreCorrupt(f"{path}: {where} is no object.", hint=_HINT)
    wrong = [f"lacks {name}" for name in sorted(names - stored.keys())]
    wrong += [f"has {name}, which nothing reads" for name in sorted(stored.keys() - names)]
    if wrong:
        raise StoreCorrupt(f"{path}: {where} {', '.join(wrong)}.", hint=_HINT)
    return stored
