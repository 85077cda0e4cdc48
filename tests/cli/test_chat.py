import json
from pathlib import Path

import pytest

from groundwire.testing import Answer, Asked, OpenAIServer, Reply
from tests.cli.conftest import Run
from tests.ground.make import write_reports


@pytest.fixture
def graph(gw_here: Run, tmp_path: Path) -> Path:
    out = tmp_path / "graph.json"
    reports = write_reports(tmp_path / "docs")
    gw_here("--set", "evidence.embedder=off", "ground", str(reports), "--out", str(out))
    return out


def test_an_edge_is_verified_on_demand_without_a_model(gw_here: Run, graph: Path) -> None:
    done = gw_here("chat", "--graph", str(graph), "Does a full disk cause write errors?")
    assert done.returncode == 0
    assert "full_disk -> write_error is grounded (supported" in done.stdout
    assert '"The full disk caused write errors."' in done.stdout
    trail = gw_here("audit-log", "--json", "--operation", "verify_edge")
    assert json.loads(trail.stdout)[0]["status"] == "grounded"


def test_a_conversation_reads_lines_until_it_ends(gw: Run, graph: Path) -> None:
    done = gw("chat", "--graph", str(graph), stdin="Why write errors?\n\nquit\nWhy rain?\n")
    assert done.stdout.startswith("Causes of write_error: full_disk.")
    assert "rain" not in done.stdout


def test_a_model_talks_and_the_tool_decides(gw_here: Run, graph: Path) -> None:
    call = [{"name": "cause", "value": "write error"}, {"name": "effect", "value": "full disk"}]
    answer = json.dumps(
        {
            "is_grounded": False,
            "support_type": "irrelevant",
            "supporting_quote": None,
            "rejection_reason": "reversed",
            "confidence": 0.9,
            "suggested_refinement_query": None,
        }
    )

    def respond(asked: Asked) -> Reply:
        if asked.output_schema and "support_type" in asked.output_schema["properties"]:
            return Answer(answer)
        if "tool verify_edge:" in asked.prompt:
            return Answer('{"tool": null, "arguments": [], "answer": "It does not."}')
        return Answer(json.dumps({"tool": "verify_edge", "arguments": call, "answer": None}))

    with OpenAIServer(respond) as server:
        done = gw_here(
            *("chat", "--graph", str(graph), "--provider", "openai", "--model", "m"),
            *("--base-url", server.base_url, "--json", "Do write errors fill disks?"),
        )
    turn = json.loads(done.stdout)
    assert turn["answer"] == "It does not."
    assert "is rejected (reversed)" in turn["results"][0]["facts"]


def test_without_graph_and_index_there_is_nothing_to_ask(gw_here: Run) -> None:
    done = gw_here("chat", "Does rain cause floods?")
    assert done.returncode == 2
    assert "There is no index at" in done.stderr
