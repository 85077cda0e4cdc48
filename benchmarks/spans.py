"""How well cause, effect and direction are read from sentences that others annotated.

    python benchmarks/spans.py DATA [--part train] [--rows 300] [--fit [--write]] [--json FILE]

DATA is a folder with `train.jsonl.xz` and `dev.jsonl.xz`, each row with `text`, `set`, `relations`
(`cause` and `effect` as [from, to) in the text), `label` and, where the label is 0, `zero`. A
relation is found when both of its ends are: the same span, or a span with the same head word. The
rules were chosen by looking at `train`; `dev` is held. `zero: text` rows state nothing causal:
`accepted` is the share of those from which an edge is drafted and passes the check.

`--fit` looks on train for how the learned reader's tags are best decoded (macro F1), and for the
lowest bars of the check that let at most 4.5 % of the texts pass that state nothing causal;
`--write` puts what it found into `judge.calibration.json`. `_fit_spans.py` has the search.
"""

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _fit_spans import MACRO, ZERO, fitted, scored
from _machine import describe_machine
from training.files import calibrate

from groundwire.encoder._weights import FOLDER
from groundwire.ground import CausalReader, Pair

Reading = Callable[[Sequence[str]], list[list[Pair]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", default="train", choices=("train", "dev"))
    parser.add_argument("--rows", type=int, default=300, help="of each set; 0 for all")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if options.fit:
        found = fitted(sampled(options.data / "train.jsonl.xz", options.rows))
        print(json.dumps(found, indent=2))
        if options.write:
            calibrate(FOLDER / "judge.calibration.json", "spans", found["values"])
        return
    by_set = sampled(options.data / f"{options.part}.jsonl.xz", options.rows)
    reader = CausalReader()
    readings: dict[str, Reading] = {
        "rules": reader.by_rules,
        "learned": reader.by_spans,
        "both": reader.drafts,
    }
    figures = {name: measured(by_set, read) for name, read in readings.items()}
    figures["accepted"] = {"accepted": accepted(by_set, reader)}
    show(figures)
    if options.json:
        told = {"machine": describe_machine(), "part": options.part, "figures": figures}
        options.json.write_text(json.dumps(told, indent=2) + "\n")


def sampled(path: Path, most: int) -> dict[str, list[dict[str, Any]]]:
    """Rows with spans, and rows of which it is known that they state nothing causal."""
    by_set: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["relations"]:
                by_set[row["set"]].append(row)
            elif row.get("zero") == "text" and row["set"] in ZERO:
                by_set[f"zero:{row['set']}"].append(row)
    for rows in by_set.values():
        random.Random(1).shuffle(rows)
    return {name: rows[: most or None] for name, rows in sorted(by_set.items())}


def measured(by_set: dict[str, list[dict[str, Any]]], read: Reading) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, rows in by_set.items():
        if name.startswith("zero:"):
            continue
        found = read([row["text"] for row in rows])
        figures[name] = scored(rows, found)
    macro = [figures[name]["f1"] for name in MACRO if name in figures]
    return {"macro": round(sum(macro) / len(macro), 3), "sets": figures}


def accepted(by_set: dict[str, list[dict[str, Any]]], reader: CausalReader) -> dict[str, float]:
    shares = {}
    for name in ZERO:
        rows = by_set.get(f"zero:{name}", [])
        taken = reader.accepted([row["text"] for row in rows])
        shares[name] = round(sum(map(bool, taken)) / max(1, len(rows)), 3)
    return shares


def show(figures: dict[str, Any]) -> None:
    for name, part in figures.items():
        print(f"{name}: macro {part.get('macro', '-')}")
        for one, value in part.get("sets", part.get("accepted", {})).items():
            print(f"  {one:24} {value}")


if __name__ == "__main__":
    main()
