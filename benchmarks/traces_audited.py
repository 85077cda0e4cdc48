"""Reasoning traces with planted faults: which are found, and how often a sound one is accused.

    python benchmarks/traces_audited.py FILE.jsonl [--backend self …] [--json]

Each line has `context`, `steps`, `answer`, `fault` (or null), `faulty_steps` (counted from 0),
`values_decide`, and in `rests_on_fault` the steps that are wrong for that reason alone.
`tests/verify/reasoning_open.jsonl` and `reasoning_sealed.jsonl.xz` are such files. `--show`
names on stderr what was missed and what was accused.
"""

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from _claims import lines

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.model import TraceAudit


def is_found(row: dict[str, Any], audit: TraceAudit) -> bool:
    """A fault in a step is found at one of its faulty steps, one of the answer at the answer."""
    flagged = {step.index - 1 for step in audit.failed}
    in_steps = bool(flagged & set(row["faulty_steps"]))
    in_answer = audit.answer is not None and audit.answer.derivable is False
    if row["fault"] == "answer_does_not_follow":
        return in_answer
    return in_steps or (row["fault"] == "right_by_luck" and in_answer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--show", action="store_true", help="print what was missed and accused")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = list(lines(given.file))
    settings: dict[str, Any] = dict(one.split("=", 1) for one in given.set)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    with tempfile.TemporaryDirectory() as home:
        config = load_config(overrides={"home": home, **settings}).config
        with Engine(config) as engine:
            for row in rows:
                audit = engine.audit_trace_sync(row["steps"], row["context"], row["answer"])
                _count(row, audit, counts)
                if given.show:
                    _show(row, audit)
    shown = {name: [hits, of, round(hits / of, 3)] for name, (hits, of) in sorted(counts.items())}
    if given.json:
        sys.stdout.write(json.dumps(shown) + "\n")
        return
    for name, (hits, of, share) in shown.items():
        sys.stdout.write(f"{name:44} {hits:>4} of {of:>4}  {share:.3f}\n")


def _show(row: dict[str, Any], audit: TraceAudit) -> None:
    touched = set(row["faulty_steps"]) | set(row.get("rests_on_fault", ()))
    accused = [step for step in audit.failed if step.index - 1 not in touched]
    missed = row["fault"] is not None and not is_found(row, audit)
    if missed:
        wrong = [row["steps"][place] for place in row["faulty_steps"]] or [row["answer"]]
        sys.stderr.write(f"missed  {row['fault']}: {wrong[0]}\n")
    for step in accused:
        sys.stderr.write(f"accused {step.status} ({step.reason}): {step.text}\n")


def _count(row: dict[str, Any], audit: TraceAudit, counts: dict[str, list[int]]) -> None:
    flagged = {step.index - 1 for step in audit.failed}
    touched = set(row["faulty_steps"]) | set(row.get("rests_on_fault", ()))
    right = set(range(len(row["steps"]))) - touched
    _add(counts, "right steps called wrong", len(flagged & right), len(right))
    in_answer = audit.answer is not None and audit.answer.derivable is False
    if row["fault"] is None:
        _add(counts, "sound traces accused", bool(flagged or in_answer), 1)
        _add(counts, "sound traces accused by a step", bool(flagged), 1)
        return
    by = "values" if row.get("values_decide") else "meaning"
    for name in (f"found: {row['fault']}, {by}", f"found: all, {by}", f"found: {row['fault']}"):
        _add(counts, name, is_found(row, audit), 1)


def _add(counts: dict[str, list[int]], name: str, hits: int, of: int) -> None:
    counts[name][0] += hits
    counts[name][1] += of


if __name__ == "__main__":
    main()
