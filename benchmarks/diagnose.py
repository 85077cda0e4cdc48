"""How often a diagnosis is right, when it abstains, and whether an invented number gets through.

    python benchmarks/diagnose.py [--graph GRAPH] [--unseen REPORTS…] [--words] [--decide-anyway]
                                  [--json FILE]

Reports and truth are those of `examples/incidents`; the graph is the one made from the truth, or
any other made from the same reports. Reports written after the rules were settled are counted apart
from those the rules were settled on. Measured: held-out incidents; the same with the edges of
their fault taken out of the graph, first all edges on any way from the fault, then only those that
no other fault uses; reports of other fields (with `--unseen`, further ones: folders or archives of
other companies' incidents); drafts that lie in numbers; time for a report, and for one of 1 MB.
"""

import argparse
import asyncio
import json
import random
import re
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _machine import describe_machine

from groundwire.config import DiagnosisSection
from groundwire.diagnose import DiagnosisAgent, Retriever, to_markdown
from groundwire.encoder import EmbeddedEmbedder
from groundwire.graph import CausalKnowledgeGraph, load_graph
from groundwire.model import (
    Abstention,
    Conclusion,
    CoverageReport,
    Diagnosis,
    DiagnosisContext,
    DiagnosisReport,
    FixTaken,
    GroundedFact,
    Hypothesis,
    Observation,
)
from groundwire.text import content_terms

INCIDENTS = Path(__file__).parents[1] / "examples" / "incidents"
LIES = 400
Outcome = DiagnosisReport | Abstention
AgentOver = Callable[..., DiagnosisAgent]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--graph", type=Path, default=INCIDENTS / "graph.json")
    options.add_argument("--unseen", type=Path, nargs="*", default=[])
    options.add_argument("--words", action="store_true", help="match by words alone")
    options.add_argument(
        "--decide-anyway", action="store_true", help="with diagnosis.abstain_when_undecided off"
    )
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    section = DiagnosisSection(abstain_when_undecided=not given.decide_anyway)
    embedder = None if given.words else EmbeddedEmbedder()

    def agent_over(graph: CausalKnowledgeGraph, drafter: Liar | None = None) -> DiagnosisAgent:
        return DiagnosisAgent(Retriever(graph, embedder, section), section, drafter=drafter)

    figures = asyncio.run(measure(given.graph, given.unseen, agent_over))
    figures |= {"words_alone": given.words, "decide_anyway": given.decide_anyway}
    show(figures)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


async def measure(graph: Path, unseen: list[Path], agent_over: AgentOver) -> dict[str, Any]:
    ckg = CausalKnowledgeGraph(load_graph(graph).file)
    truth = json.loads((INCIDENTS / "truth.json").read_text("utf-8"))
    names = {one["id"]: folded([one["label"], *one["aliases"]]) for one in truth["variables"]}
    agent = agent_over(ckg)
    earlier, fresh = (
        truth | {"held_out": [one for one in truth["held_out"] if one["fresh"] is is_fresh]}
        for is_fresh in (False, True)
    )
    return {
        "machine": describe_machine(),
        "graph": {"file": graph.name, "edges": len(ckg.edges)},
        "reports": {
            "known while the rules were made": await judged(ckg, earlier, names, agent_over),
            "written afterwards": await judged(ckg, fresh, names, agent_over),
        },
        "unseen": await other_fields(agent, truth, unseen),
        "lies": await lies(ckg, truth, agent_over),
        "time": await times(agent, truth),
    }


async def judged(
    ckg: CausalKnowledgeGraph,
    truth: dict[str, Any],
    names: dict[str, set[str]],
    agent_over: AgentOver,
) -> dict[str, Any]:
    return {
        "held_out": await held_out(agent_over(ckg), truth, names),
        "fault_removed": await removed(ckg, truth, names, agent_over, only_own=False),
        "own_edges_removed": await removed(ckg, truth, names, agent_over, only_own=True),
    }


def read(name: str) -> str:
    return (INCIDENTS / name).read_text("utf-8")


def folded(names: Iterable[str]) -> set[str]:
    """Names as they compare: a graph read from documents has its own spelling of each."""
    return {" ".join(content_terms(name)) for name in names}


def verdict(outcome: Outcome, right: set[str]) -> str:
    if isinstance(outcome, Abstention):
        return "abstained"
    said = outcome.diagnosis.conclusion.root_cause
    if said == "UNKNOWN":
        return "unknown"
    said = " ".join(content_terms(said))
    return "right" if any(said_as(name, said) for name in right) else "wrong"


def variables_of(ckg: CausalKnowledgeGraph, names: set[str]) -> set[str]:
    """The variables of a graph that go by one of these names."""
    return {
        one.id
        for one in ckg.variables.values()
        if any(said_as(name, said) for said in folded(one.names) for name in names)
    }


def said_as(name: str, said: str) -> bool:
    return set(name.split()) <= set(said.split())


async def held_out(
    agent: DiagnosisAgent, truth: dict[str, Any], names: dict[str, set[str]]
) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    confidence: Counter[str] = Counter()
    wrong = []
    for one in truth["held_out"]:
        outcome = await agent.diagnose(read(one["report"]))
        ended = verdict(outcome, names.get(one["root_cause"] or "", set()))
        if ended == "wrong" and stops_short(outcome, one["root_cause"], truth, names):
            ended = "stopped_short"
        counts[ended] += 1
        if isinstance(outcome, DiagnosisReport):
            confidence[outcome.diagnosis.conclusion.confidence] += 1
        if ended == "wrong":
            wrong.append(f"{one['report']}: {outcome.diagnosis.conclusion.root_cause}")
    return {"reports": len(truth["held_out"]), **counts, "confidence": confidence, "which": wrong}


def stops_short(
    outcome: Outcome, fault: str, truth: dict[str, Any], names: dict[str, set[str]]
) -> bool:
    """Whether it names something the fault caused: true, and not the first cause."""
    reached, todo = set(), [fault]
    while todo:
        here = todo.pop()
        further = {one["to"] for one in truth["edges"] if one["from"] == here} - reached
        reached |= further
        todo += further
    return any(verdict(outcome, names[one]) == "right" for one in reached)


async def removed(
    ckg: CausalKnowledgeGraph,
    truth: dict[str, Any],
    names: dict[str, set[str]],
    agent_over: AgentOver,
    *,
    only_own: bool,
) -> dict[str, Any]:
    """What the symptoms of a fault come to in a graph that does not know the fault."""
    counts: Counter[str] = Counter()
    wrong = []
    faults = sorted({one["root_cause"] for one in truth["held_out"] if one["root_cause"]})
    for fault in faults:
        gone = edges_of(ckg, names[fault])
        if only_own:
            others = [names[other] for other in faults if other != fault]
            gone -= {edge for other in others for edge in edges_of(ckg, other)}
        agent = agent_over(ckg.without(gone))
        for one in truth["held_out"]:
            if one["root_cause"] == fault:
                ended = verdict(await agent.diagnose(read(one["report"])), set())
                counts["concluded" if ended == "wrong" else ended] += 1
                if ended == "wrong":
                    wrong.append(one["report"])
    total = sum(counts.values())
    return {
        "reports": total,
        **counts,
        "abstained_share": counts["abstained"] / total,
        "which": wrong,
    }


def edges_of(ckg: CausalKnowledgeGraph, names: set[str]) -> set[str]:
    """Every edge on a way from a fault."""
    faults = variables_of(ckg, names)
    nodes = faults | {node for fault in faults for node in ckg.effects_of(fault)}
    return {edge.id for node in nodes for edge in ckg.out_of(node)}


async def other_fields(
    agent: DiagnosisAgent, truth: dict[str, Any], more: list[Path]
) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    texts = {"examples": [read(one["report"]) for one in truth["unseen"]]}
    for path in more:
        texts[path.name] = list(further(path))
    for name, reports in texts.items():
        reasons: Counter[str] = Counter()
        for report in reports:
            outcome = await agent.diagnose(report)
            is_abstention = isinstance(outcome, Abstention)
            reasons[outcome.reason if is_abstention else verdict(outcome, set())] += 1
        figures[name] = {"reports": len(reports), **reasons}
    return figures


def further(path: Path) -> list[str]:
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return [text for one in files if (text := one.read_text("utf-8", "replace")).strip()]
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
        return further(Path(folder))


class Liar:
    """Drafts with numbers of its own in every place a draft has."""

    name = "liar"

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.told: list[str] = []

    def number(self) -> str:
        """A number as it is written; `told` keeps its digits, to look for them afterwards."""
        value = self._chance.uniform(0.001, 9_999)
        unit = self._chance.choice(["mV", " V", " %", " °C", " W", " ms", " MHz", "", " times"])
        written = self._chance.choice([f"{value:.2f}", f"{value:.0f}", f"{value:,.1f}"])
        self.told.append(written)
        return written + unit

    def sentence(self) -> str:
        day = self._chance.randint(0, 9)
        return self._chance.choice(
            [
                f"VCORE usage was {self.number()} in the night.",
                f"Since 20{self._chance.randint(10, 99)} the fan stands at {self.number()}.",
                f"Between {self.number()} and {self.number()} it trips.",
                f"It happened on {self._chance.randint(1, 28)} March at 0{day}:17.",
                f"About seventy-{self._chance.choice(['one', 'three', 'nine'])} nodes are hot.",
            ]
        )

    async def draft(self, context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis:
        del coverage
        labels = [one.label for one in context.subgraph.variables] or ["node"]
        return Diagnosis(
            observations=(Observation(text=self.sentence()),),
            ckg_grounded_facts=(GroundedFact(text=self.sentence(), nodes=tuple(labels[:2])),),
            hypotheses=(
                Hypothesis(text=self.sentence(), why=(self.sentence(),)),
                Hypothesis(text="It is so.", what_would_confirm=(self.sentence(),)),
            ),
            conclusion=Conclusion(
                root_cause=self._chance.choice([*labels, self.sentence()]),
                confidence="high",
                justification=(self.sentence(), f"{labels[0]} at {self.number()}"),
            ),
            next_steps=(self.sentence(),),
            historical_fixes=(FixTaken(case_id="INC-001", fix=self.sentence()),),
        )


async def lies(
    ckg: CausalKnowledgeGraph, truth: dict[str, Any], agent_over: AgentOver
) -> dict[str, Any]:
    """A lie survives where its digits stand in the outcome and in nothing the outcome rests on."""
    survived = told = drafts = 0
    sources = [one.quote.quote for edge in ckg.edges for one in edge.evidence]
    sources += [f"{fix.case_id} {fix.fix}" for fix in ckg.fixes]
    sources += [name for one in ckg.variables.values() for name in one.names]
    for seed in range(LIES):
        report = read(truth["held_out"][seed % len(truth["held_out"])]["report"])
        liar = Liar(seed)
        outcome = await agent_over(ckg, liar).diagnose(report)
        if isinstance(outcome, DiagnosisReport):
            drafts += 1
            told += len(liar.told)
            known = words([report, *sources])
            survived += len(words([to_markdown(outcome)]) & set(liar.told) - known)
    return {"drafts": drafts, "numbers_invented": told, "numbers_that_survived": survived}


def words(texts: list[str]) -> set[str]:
    return {found.strip(".,") for text in texts for found in re.findall(r"[\d.,]+", text)}


async def times(agent: DiagnosisAgent, truth: dict[str, Any]) -> dict[str, float]:
    taken = []
    for one in truth["held_out"]:
        report = read(one["report"])
        started = time.perf_counter()
        await agent.diagnose(report)
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    line = "Sensor {} of pump {} shows a pressure of {}.{} bar and oil temperature is {} °C.\n"
    lines = (line.format(n, n % 7, n % 9, n % 10, n % 90) for n in range(20_000))
    big = "".join(lines)[:1_000_000]
    started = time.perf_counter()
    await agent.diagnose(big)
    return {
        "p50_ms": round(taken[len(taken) // 2], 1),
        "max_ms": round(taken[-1], 1),
        "one_megabyte_s": round(time.perf_counter() - started, 1),
    }


def show(figures: dict[str, Any]) -> None:
    print(figures["machine"])
    print(f"graph {figures['graph']}\n")
    for group, found in figures["reports"].items():
        print(f"reports {group}")
        for name, counted in found.items():
            print(f"  {name:<18}{counted}")
    for name in ("lies", "time"):
        print(f"{name:<20}{figures[name]}")
    for name, found in figures["unseen"].items():
        print(f"{'unseen':<20}{name}: {found}")


if __name__ == "__main__":
    main()
