"""The example company's held-out incidents, with the embedder that ships."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.diagnose import DiagnosisAgent, Retriever
from groundwire.encoder import EmbeddedEmbedder
from groundwire.graph import CausalKnowledgeGraph, load_graph
from groundwire.model import Abstention

pytestmark = pytest.mark.anyio

INCIDENTS = Path(__file__).parents[2] / "examples" / "incidents"
TRUTH: dict[str, Any] = json.loads((INCIDENTS / "truth.json").read_text("utf-8"))
LABELS = {one["id"]: one["label"] for one in TRUTH["variables"]}
FAULTS = sorted({one["root_cause"] for one in TRUTH["held_out"] if one["root_cause"]})


@pytest.fixture(scope="module")
def embedder() -> EmbeddedEmbedder:
    return EmbeddedEmbedder(threads=1)


@pytest.fixture(scope="module")
def graph() -> CausalKnowledgeGraph:
    return CausalKnowledgeGraph(load_graph(INCIDENTS / "graph.json").file)


async def concluded(agent: DiagnosisAgent, report: str) -> str | None:
    outcome = await agent.diagnose((INCIDENTS / report).read_text("utf-8"))
    if isinstance(outcome, Abstention):
        return None
    return outcome.diagnosis.conclusion.root_cause


def test_the_graph_is_the_one_the_truth_tells() -> None:
    loaded = load_graph(INCIDENTS / "graph.json")
    assert loaded.problems == ()
    stated = {(one["from"], one["to"]) for one in TRUTH["edges"]}
    assert {(edge.from_var, edge.to_var) for edge in loaded.file.edges} == stated
    assert len(loaded.file.fixes) == len(TRUTH["reports"])


async def test_held_out_incidents_end_in_the_right_cause_or_an_abstention(
    graph: CausalKnowledgeGraph, embedder: EmbeddedEmbedder
) -> None:
    agent = DiagnosisAgent(Retriever(graph, embedder))
    ended = {one["report"]: await concluded(agent, one["report"]) for one in TRUTH["held_out"]}
    right = {one["report"]: LABELS.get(one["root_cause"]) for one in TRUTH["held_out"]}
    wrong = {name for name, said in ended.items() if said is not None and said != right[name]}
    assert wrong == set()
    assert sum(said is not None for said in ended.values()) >= 40


@pytest.mark.parametrize("fault", FAULTS)
async def test_the_symptoms_of_a_fault_the_graph_does_not_know_abstain(
    graph: CausalKnowledgeGraph, embedder: EmbeddedEmbedder, fault: str
) -> None:
    nodes = {fault} | graph.effects_of(fault)
    fewer = graph.without(edge.id for node in nodes for edge in graph.out_of(node))
    agent = DiagnosisAgent(Retriever(fewer, embedder))
    for one in TRUTH["held_out"]:
        if one["root_cause"] == fault:
            assert await concluded(agent, one["report"]) is None


@pytest.mark.parametrize("report", [one["report"] for one in TRUTH["unseen"]])
async def test_what_the_graph_knows_nothing_of_abstains(
    graph: CausalKnowledgeGraph, embedder: EmbeddedEmbedder, report: str
) -> None:
    assert await concluded(DiagnosisAgent(Retriever(graph, embedder)), report) is None
    assert await concluded(DiagnosisAgent(Retriever(graph)), report) is None
