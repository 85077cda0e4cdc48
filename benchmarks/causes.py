"""Causes as reports mean them: denials, post-mortems and diagnoses on cases written for it.

    python benchmarks/causes.py [--half open | --cases FOLDER] [--only PART ...] [--json FILE]
                                [--verbose]

The cases are in `benchmarks/causes` (its README tells the fields). The open half was looked at
while the rules were made, the sealed one not. Parts: `denials` (a report that denies the only known
cause of its symptom, and the same without the denial), `postmortems` (stated edges, non-edges and
chains) and `reports` (seen and unseen causes, diagnosed over the graph of all documents).

`--cases` takes other files of the same kind: FOLDER has `postmortems.jsonl` and `reports.jsonl`.

Two names mean the same event when half of the words that carry the annotated one are said.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from _machine import describe_machine

from groundwire.config import Config, load_config
from groundwire.diagnose import build_agent
from groundwire.evidence import make_embedder
from groundwire.ground import GroundingSession
from groundwire.model import Abstention, CausalEdge, CausalGraphFile, DiagnosisReport
from groundwire.text import STOP_WORDS, stem, words_of

CASES = Path(__file__).parent / "causes"
PARTS = ("denials", "postmortems", "reports")
SHARED = 5
"""So many letters at the head of a word make it the same word: departed, departure."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--half", default="open", choices=("open", "sealed", "fresh"))
    parser.add_argument("--cases", type=Path, default=None, metavar="FOLDER")
    parser.add_argument("--only", nargs="*", default=PARTS, choices=PARTS)
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    chosen = Cases(options.half, options.cases)
    measures = {"denials": denials, "postmortems": postmortems, "reports": reports}
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        config = load_config(overrides={"home": Path(folder) / "home"}).config
        for part in options.only:
            if not chosen.file(part).exists():
                continue
            found = asyncio.run(measures[part](chosen, Path(folder), config))
            missed = found.pop("missed")
            figures[part] = found
            print(part, json.dumps(found))
            for line in missed if options.verbose else ():
                print("   ", line)
    if options.json:
        told = {"machine": describe_machine(), "cases": chosen.name, "figures": figures}
        options.json.write_text(json.dumps(told, indent=2) + "\n")


@dataclass(frozen=True)
class Cases:
    """A half of the cases that are here, or those of another folder."""

    half: str
    folder: Path | None = None

    @property
    def name(self) -> str:
        return self.folder.name if self.folder else self.half

    def file(self, part: str) -> Path:
        return self.folder / f"{part}.jsonl" if self.folder else CASES / f"{part}_{self.half}.jsonl"

    def rows(self, part: str) -> list[dict[str, Any]]:
        text = self.file(part).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]


async def ground(paths: Sequence[Path], config: Config) -> CausalGraphFile:
    async with GroundingSession(config, paths) as session:
        report = await session.run()
        session.finish()
    return report.graph


async def diagnosed(
    graph: CausalGraphFile, config: Config, texts: Sequence[str]
) -> list[DiagnosisReport | Abstention]:
    agent = build_agent(config, graph, embedder=make_embedder(config.evidence))
    return [await agent.diagnose(text) for text in texts]


def carried(name: str) -> list[str]:
    return [stem(word) for word in words_of(name) if word not in STOP_WORDS]


def same_word(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= SHARED and one[:SHARED] == other[:SHARED])


def same_event(wanted: str, names: Iterable[str]) -> bool:
    words = carried(wanted)
    for name in names:
        said = carried(name)
        found = [one for one in words if any(same_word(one, other) for other in said)]
        if words and 2 * len(found) >= len(words):
            return True
    return False


def concluded(outcome: DiagnosisReport | Abstention) -> tuple[str, str]:
    """The cause that is named, and how surely; nothing of an abstention."""
    if isinstance(outcome, Abstention):
        return "", ""
    found = outcome.diagnosis.conclusion
    return (found.root_cause, found.confidence) if found.root_cause != "UNKNOWN" else ("", "")


async def denials(cases: Cases, _: Path, config: Config) -> dict[str, Any]:
    rows = cases.rows("denials")
    graph = await ground([CASES / "denials_graph.md"], config)
    denied = await diagnosed(graph, config, [row["report"] for row in rows])
    stated = await diagnosed(graph, config, [row["same_without_denial"] for row in rows])
    missed, wrong, right = [], 0, 0
    for row, without, plain in zip(rows, denied, stated, strict=True):
        if same_event(row["denied"], [concluded(without)[0]]):
            wrong += 1
            missed.append(f"DENIED AND NAMED {row['report']}")
        if same_event(row["denied"], [concluded(plain)[0]]):
            right += 1
        else:
            reason = getattr(plain, "reason", concluded(plain))
            missed.append(f"stated, not named: {row['same_without_denial']} {reason}")
    return {
        "reports": len(rows),
        "denied_and_named": wrong,
        "stated_and_named": round(right / len(rows), 3),
        "missed": missed,
    }


async def postmortems(cases: Cases, folder: Path, config: Config) -> dict[str, Any]:
    rows = cases.rows("postmortems")
    found = wanted = false = non_edges = others = grounded = chains = connected = whole = 0
    missed: list[str] = []
    for row in rows:
        path = folder / cases.name / f"{row['id']}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(row["text"], encoding="utf-8")
        graph = await ground([path], config)
        names = {one.id: one.names for one in graph.variables}
        edges = [one for one in graph.edges if one.edge_status == "grounded"]
        matched: dict[str, CausalEdge] = {}
        used: set[str] = set()
        for edge in row["edges"]:
            hit = next((one for one in edges if states(one, edge, names)), None)
            wanted += 1
            if hit is None:
                missed.append(f"{row['id']}: {edge['cause']} -> {edge['effect']} [{edge['form']}]")
                continue
            found += 1
            matched[f"{edge['cause']}|{edge['effect']}"] = hit
            used |= {one.id for one in edges if states(one, edge, names)}
        for edge in row.get("non_edges", ()):
            non_edges += 1
            for one in edges:
                if one.id not in used and states(one, edge, names, is_signed=False):
                    false += 1
                    missed.append(f"{row['id']}: NON-EDGE {one.id} {edge['why']}")
                    break
        for edge in row.get("optional_edges", ()):
            used |= {one.id for one in edges if states(one, edge, names, is_signed=False)}
        grounded += len(edges)
        others += sum(one.id not in used for one in edges)
        missed += [f"{row['id']}: other {one.id}" for one in edges if one.id not in used]
        for chain in row.get("chains", ()):
            chains += 1
            links = [matched.get(f"{a}|{b}") for a, b in pairwise(chain)]
            whole += all(links)
            met = [(a, b) for a, b in pairwise(links) if a is not None and b is not None]
            apart = [f"{a.id} / {b.id}" for a, b in met if a.to_var != b.from_var]
            connected += not apart
            missed += [f"{row['id']}: APART {one}" for one in apart]
    return {
        "documents": len(rows),
        "edges": wanted,
        "recall": round(found / max(1, wanted), 3),
        "non_edges": non_edges,
        "non_edges_accepted": round(false / max(1, non_edges), 3),
        "grounded": grounded,
        "neither_stated_nor_arguable": others,
        "chains": chains,
        "chains_connected": connected,
        "chains_whole": whole,
        "missed": missed,
    }


def states(
    edge: CausalEdge,
    wanted: dict[str, Any],
    names: dict[str, tuple[str, ...]],
    *,
    is_signed: bool = True,
) -> bool:
    """Whether a grounded edge rests on the annotated words and says what they are said to say."""
    quotes = [" ".join(one.quote.quote.split()) for one in edge.evidence]
    own = " ".join(wanted["quote"].split())
    if not any(own in quote or quote in own for quote in quotes):
        return False
    readings = [wanted, *({**wanted, **other} for other in wanted.get("also", ()))]
    return any(
        (not is_signed or (one["sign"] == "+") == (edge.sign == "raises"))
        and (one["cause"] == "unknown" or same_event(one["cause"], names[edge.from_var]))
        and same_event(one["effect"], names[edge.to_var])
        for one in readings
    )


async def reports(cases: Cases, folder: Path, config: Config) -> dict[str, Any]:
    documents = folder / f"all-{cases.name}"
    documents.mkdir()
    for row in cases.rows("postmortems"):
        (documents / f"{row['id']}.md").write_text(row["text"], encoding="utf-8")
    graph = await ground([documents], config)
    rows = cases.rows("reports")
    outcomes = await diagnosed(graph, config, [row["report"] for row in rows])
    names = {one.label: one.names for one in graph.variables}
    deepest = proximate = seen = abstained = unseen = wrong_and_high = past = 0
    missed = []
    for row, outcome in zip(rows, outcomes, strict=True):
        cause, confidence = concluded(outcome)
        known = names.get(cause, (cause,))
        past += bool(past_incidents(outcome))
        if "deepest" not in row:
            unseen += 1
            abstained += not cause
            wrong_and_high += confidence == "high"
            missed += [f"{row['id']}: {row['report']} -> {cause}"] if cause else []
            continue
        seen += 1
        is_deepest = bool(cause) and same_event(row["deepest"], known)
        reported = set(row["reported"])
        way = [*row["proximate"], *(one for one in row["path"] if one not in reported)]
        is_near = is_deepest or (bool(cause) and any(same_event(one, known) for one in way))
        deepest += is_deepest
        proximate += is_near
        wrong_and_high += confidence == "high" and not is_near
        if not is_deepest:
            said = cause or getattr(outcome, "reason", "")
            missed.append(f"{row['id']}: {row['report']} -> {said} (wanted {row['deepest']})")
    return {
        "seen": seen,
        "deepest": round(deepest / max(1, seen), 3),
        "proximate_or_deeper": round(proximate / max(1, seen), 3),
        "unseen": unseen,
        "abstained": round(abstained / max(1, unseen), 3),
        "wrong_and_high": wrong_and_high,
        "with_past_incidents": past,
        "missed": missed,
    }


def past_incidents(outcome: DiagnosisReport | Abstention) -> Sequence[Any]:
    if isinstance(outcome, Abstention):
        return [one for one in outcome.suggestions if one.kind == "past_incident"]
    return outcome.similar_incidents


if __name__ == "__main__":
    main()
