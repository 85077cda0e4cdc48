"""From where on a report means the variable that is nearest to it: chosen with whole sets left out.

    python benchmarks/meant.py FOLDER... [--unknown 2] [--foreign 3]

Each FOLDER has `postmortems.jsonl` and `reports.jsonl`, as `causes.py --cases` reads them. The bars
`meant_near`, `meant_bears` and `meant_borne` are the ones with which the most seen reports are led
to their furthest cause or one on the way, less those led elsewhere, where at most `--unknown`
reports of an unknown cause and `--foreign` reports laid before the graph of another set are led to
any. For each set: what the choice of all the others gives on it; in the end the choice of all.
"""

import argparse
import asyncio
import math
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from causes import Cases, ground, same_event

from groundwire.config import Config, load_config
from groundwire.diagnose import Telling
from groundwire.evidence import make_embedder
from groundwire.graph import CausalKnowledgeGraph, Matcher, causal_chains

LEAST = 0.001
BARS = [
    (near, bears, step / 20)
    for near, bears, step in product((0.0, 2.2, 2.5, 2.8), (0.2, 0.5, 0.8, 1.2), range(60))
]
Bar = tuple[float, float, float]


class Told(NamedTuple):
    """A report with what is nearest to it. `grade`: 2 leads to the furthest cause, 1 to one on the
    way, 0 elsewhere, -1 to none."""

    kind: str
    likeness: float
    sureness: float
    grade: int

    def is_meant(self, bar: Bar) -> bool:
        near, bears, borne = bar
        return self.likeness >= near and self.likeness + bears * self.sureness >= borne


class Count(NamedTuple):
    deepest: int
    on_the_way: int
    elsewhere: int
    unknown: int
    foreign: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--unknown", type=int, default=2)
    parser.add_argument("--foreign", type=int, default=3)
    options = parser.parse_args()
    sets = told_of(options.folders)
    left_out = []
    for name, rows in sets.items():
        others = [one for other, told in sets.items() if other != name for one in told]
        left_out.append(counted(rows, best(others, options.unknown, options.foreign)))
        print(name, left_out[-1])
    print("whole sets left out:", Count(*map(sum, zip(*left_out, strict=True))))
    every = [one for told in sets.values() for one in told]
    bar = best(every, options.unknown, options.foreign)
    print("meant_near, meant_bears, meant_borne:", bar, counted(every, bar))


def told_of(folders: Sequence[Path]) -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = {}
    with tempfile.TemporaryDirectory() as place:
        config = load_config(overrides={"home": Path(place) / "home"}).config
        for at, folder in enumerate(folders):
            documents = Path(place) / str(at)
            documents.mkdir()
            cases = Cases("open", folder)
            for row in cases.rows("postmortems"):
                (documents / f"{row['id']}.md").write_text(row["text"], encoding="utf-8")
            graph = CausalKnowledgeGraph(asyncio.run(ground([documents], config)))
            foreign = Cases("open", folders[(at + 1) % len(folders)]).rows("reports")
            rows = [*cases.rows("reports"), *({"report": row["report"]} for row in foreign)]
            kinds = ["own"] * (len(rows) - len(foreign)) + ["foreign"] * len(foreign)
            found[str(folder)] = list(read(graph, config, rows, kinds))
    return found


def read(
    graph: CausalKnowledgeGraph, config: Config, rows: Sequence[dict[str, Any]], kinds: list[str]
) -> list[Told]:
    telling = Telling()
    variables = list(graph.variables.values())
    embedder = make_embedder(config.evidence)
    matcher = Matcher(variables, embedder, tells=telling, bears=telling.bears)
    found = []
    for row, kind in zip(rows, kinds, strict=True):
        nearest = matcher.nearest_told(row["report"], graph)
        if nearest is None or nearest.borne is None:
            continue
        chains = causal_chains(graph, {nearest.variable.id})
        names = [name for one in chains for name in graph.variables[one.nodes[0]].names]
        sureness = math.log(max(nearest.borne, LEAST))
        told = "seen" if "deepest" in row else "unknown" if kind == "own" else kind
        found.append(Told(told, nearest.likeness, sureness, graded(row, names)))
    return found


def graded(row: dict[str, Any], names: Sequence[str]) -> int:
    if not names:
        return -1
    if "deepest" not in row:
        return 0
    if same_event(row["deepest"], names):
        return 2
    way = [*row["proximate"], *(one for one in row["path"] if one not in row["reported"])]
    return int(any(same_event(one, names) for one in way))


def counted(rows: Sequence[Told], bar: Bar) -> Count:
    named = [one for one in rows if one.grade >= 0 and one.is_meant(bar)]
    seen = [one.grade for one in named if one.kind == "seen"]
    kinds = [one.kind for one in named]
    return Count(
        seen.count(2),
        seen.count(2) + seen.count(1),
        seen.count(0),
        kinds.count("unknown"),
        kinds.count("foreign"),
    )


def best(rows: Sequence[Told], unknown: int, foreign: int) -> Bar:
    def worth(bar: Bar) -> float:
        found = counted(rows, bar)
        if found.unknown > unknown or found.foreign > foreign:
            return -1
        return found.deepest + found.on_the_way - found.elsewhere

    return max(BARS, key=worth)


if __name__ == "__main__":
    main()
