"""Refused and accepted edits of recorded coding-agent runs, each claimed as done.

    python benchmarks/swe_agent.py TRACES [--json FILE]

TRACES is an archive or a folder of SWE-agent trajectories. File states are rebuilt from what the
tools showed. Every edit becomes a claim: the lines around it as anchors, the hash of the new lines.
It is verified in three ways; where the record does not show enough, the answer is `unverified`.
"""

import argparse
import json
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine
from _recorded import Edit, RecordedTree, Run, read_runs

from groundwire.actions import TaskVerifier
from groundwire.traces import ToolTrace

Json = dict[str, Any]
STATUSES = ("verified", "superseded", "failed", "unverified")
WAYS = (
    "right after the step, rebuilt files only",
    "right after the step, files and trace",
    "at the end of the run, files and trace",
    "at the end of the run, claim names its event",
)


def claim_of(edit: Edit, *, named: bool) -> Json:
    between = "".join(f"{line}\n" for line in edit.new)
    anchor = {
        "before_snippet": edit.before or "",
        "after_snippet": edit.after or "",
        "content_hash": sha256(between.encode()).hexdigest(),
    }
    claim = {"type": "file-edit", "file_path": edit.path, "anchor": anchor}
    return {**claim, "event_id": edit.event_id} if named else claim


def verified(claim: Json, tree: RecordedTree, events: list[Json] | None) -> str:
    output = {"summary": "Edited it.", "traceRef": "trace:run", "claims": [claim]}
    trace = None if events is None else ToolTrace(events)
    result = TaskVerifier().verify_sync(output, trace, tree)
    return result.claims[0].status


def play(run: Run, counts: Counter[tuple[str, str, str]], seen: dict[str, set[Any]]) -> int:
    """Claim every edit of one run in every way."""
    events: list[Json] = []
    edits: list[Edit] = []
    tree = RecordedTree({})
    for step in run.steps():
        events.append(step.event)
        tree = step.tree
        edit = step.edit
        if edit is None:
            continue
        edits.append(edit)
        kind = "refused" if edit.refused else "accepted"
        seen[kind].add((edit.path.rsplit("/", 1)[-1], tuple(edit.new)))
        if edit.before is None or edit.after is None:
            for way in WAYS[:2]:
                counts[way, kind, "unverified"] += 1
            continue
        claim = claim_of(edit, named=False)
        counts[WAYS[0], kind, verified(claim, tree, None)] += 1
        counts[WAYS[1], kind, verified(claim, tree, list(events))] += 1
    for edit in edits:
        kind = "refused" if edit.refused else "accepted"
        for way, named in ((WAYS[2], False), (WAYS[3], True)):
            status = "unverified"
            if edit.before is not None and edit.after is not None:
                status = verified(claim_of(edit, named=named), tree, events)
            counts[way, kind, status] += 1
            if named and edit.refused and status == "failed":
                seen["caught"].add((edit.path.rsplit("/", 1)[-1], tuple(edit.new)))
    return len(events)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("traces", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    seen: dict[str, set[Any]] = {"refused": set(), "accepted": set(), "caught": set()}
    runs = steps = 0
    for run in read_runs(arguments.traces):
        runs += 1
        steps += play(run, counts, seen)
    print(f"{runs} runs, {steps} steps")
    print(f"{'way':46} {'edit':9}" + "".join(f"{status:>12}" for status in STATUSES))
    for way in WAYS:
        for kind in ("refused", "accepted"):
            row = "".join(f"{counts[way, kind, status]:12}" for status in STATUSES)
            print(f"{way:46} {kind:9}{row}")
    accused = sum(counts[way, "accepted", "failed"] for way in WAYS)
    print(f"\nAccepted edits accused: {accused}.")
    print(f"Distinct refused edits caught: {len(seen['caught'])} of {len(seen['refused'])}.")
    if arguments.json:
        table = [{"way": w, "edit": k, "status": s, "count": n} for (w, k, s), n in counts.items()]
        figures = {"machine": describe_machine(), "runs": runs, "steps": steps, "table": table}
        distinct = {name: len(found) for name, found in seen.items()}
        document = {**figures, "accused": accused, "distinct": distinct}
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main())
