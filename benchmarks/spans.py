"""How well cause, effect and direction are read from sentences that others annotated.

    python benchmarks/spans.py DATA [--part train] [--rows 300] [--json FILE]

DATA is a folder with `train.jsonl.xz` and `dev.jsonl.xz`, each row with `text`, `set`, `relations`
(`cause` and `effect` as [from, to) in the text), `label` and, where the label is 0, `zero`. A
relation is found when both of its ends are: the same span, or a span with the same head word. The
rules were chosen by looking at `train`; `dev` is held. `zero: text` rows state nothing causal:
`accepted` is the share of those from which an edge is drafted and passes the check.
"""

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _machine import describe_machine

from groundwire.ground import CausalReader, Pair, head_of

MACRO = ("cnc", "scite", "semeval2010t8", "ade", "fincausal")
ZERO = ("cnc", "pubmed_causal_language")
Range = tuple[int, int]
Reading = Callable[[Sequence[str]], list[list[Pair]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", default="train", choices=("train", "dev"))
    parser.add_argument("--rows", type=int, default=300, help="of each set; 0 for all")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    options = parser.parse_args()
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
        counts = [0, 0, 0]
        for row, pairs in zip(rows, found, strict=True):
            wanted = [(tuple(one["cause"]), tuple(one["effect"])) for one in row["relations"]]
            counts[0] += hits(row["text"], wanted, pairs)
            counts[1] += len(pairs)
            counts[2] += len(wanted)
        figures[name] = scored(*counts)
    macro = [figures[name]["f1"] for name in MACRO if name in figures]
    return {"macro": round(sum(macro) / len(macro), 3), "sets": figures}


def scored(right: int, said: int, wanted: int) -> dict[str, float]:
    return {
        "f1": round(2 * right / max(1, said + wanted), 3),
        "precision": round(right / max(1, said), 3),
        "recall": round(right / max(1, wanted), 3),
        "relations": wanted,
    }


def hits(text: str, wanted: list[tuple[Range, Range]], pairs: Sequence[Pair]) -> int:
    """Each annotated relation is found at most once, and each pair finds at most one."""
    left = list(pairs)
    right = 0
    for cause, effect in wanted:
        for pair in left:
            if same(text, cause, pair.cause) and same(text, effect, pair.effect):
                left.remove(pair)
                right += 1
                break
    return right


def same(text: str, wanted: Range, said: Range) -> bool:
    return wanted == said or head_of(text, wanted) == head_of(text, said)


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
