import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.testing import Answer, Asked, OpenAIServer, Reply
from tests.cli.conftest import Run
from tests.ground.make import write_reports

EXAMPLES = Path(__file__).parents[2] / "examples" / "incidents"
WORDS_ONLY = ("--set", "evidence.embedder=off")


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    return write_reports(tmp_path / "docs")


def test_a_graph_is_drawn_from_documents(gw_here: Run, reports: Path, tmp_path: Path) -> None:
    done = gw_here(*WORDS_ONLY, "ground", str(reports), "--out", str(tmp_path / "graph.json"))
    assert done.returncode == 0
    assert "3 documents, 4 edges drafted: 4 grounded, 0 rejected" in done.stdout
    assert "Set aside while reading: 1 correlation, 1 hypothetical, 1 negated." in done.stdout
    assert "accepts_nearly_all" in done.stderr
    graph = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    assert len(graph["edges"]) == 4


def test_one_json_document_says_what_came_of_it(
    gw_here: Run, reports: Path, tmp_path: Path
) -> None:
    out = tmp_path / "graph.json"
    done = gw_here(*WORDS_ONLY, "ground", str(reports), "--out", str(out), "--json")
    shown = json.loads(done.stdout)
    assert shown["out"] == str(out)
    assert (shown["run"]["drafted"], shown["run"]["grounded"], shown["resumed"]) == (4, 4, 0)
    assert shown["run"]["canaries_accepted"] == 0


def test_documents_that_say_nothing_about_causes_are_not_determined(
    gw_here: Run, tmp_path: Path
) -> None:
    (tmp_path / "calm.md").write_text("The sky is blue.\n", encoding="utf-8")
    done = gw_here("ground", str(tmp_path / "calm.md"), "--out", str(tmp_path / "graph.json"))
    assert done.returncode == 3
    assert "says what causes what" in done.stdout


@pytest.mark.parametrize("name", ["empty.md", "gone.md"])
def test_an_empty_or_missing_document_is_bad_input(gw_here: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.md").write_text("", encoding="utf-8")
    done = gw_here("ground", str(tmp_path / name), "--out", str(tmp_path / "graph.json"))
    assert done.returncode == 2
    assert "empty" in done.stderr or "does not exist" in done.stderr
    assert not (tmp_path / "graph.json").exists()


def test_the_graph_cannot_be_written_over_a_folder(gw_here: Run, reports: Path) -> None:
    done = gw_here("ground", str(reports), "--out", str(reports))
    assert done.returncode == 2
    assert "is a folder" in done.stderr


def test_a_killed_run_is_resumed_and_ends_with_the_same_graph(
    gw: Run, tmp_path: Path, own_home: Path
) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    for path in sorted(EXAMPLES.glob("00*.md")):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    out = tmp_path / "graph.json"
    command = ["-m", "groundwire", *WORDS_ONLY, "ground", str(folder), "--out", str(out)]
    process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    wait_for_outcomes(own_home / "grounding", process)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not out.exists()
    resumed = json.loads(gw(*command[2:], "--json").stdout)
    assert 0 < resumed["resumed"] < resumed["run"]["drafted"]
    killed = out.read_bytes()
    out.unlink()
    fresh = json.loads(gw(*command[2:], "--json").stdout)
    assert fresh["resumed"] == 0
    assert out.read_bytes() == killed


def wait_for_outcomes(folder: Path, process: "subprocess.Popen[bytes]") -> None:
    """Until the ledger holds the first outcome."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends and process.poll() is None:
        for path in folder.glob("????????????????.sqlite"):
            try:
                ledger = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
                with closing(ledger) as connection:
                    if connection.execute("SELECT count(*) FROM outcome").fetchone()[0]:
                        return
            except sqlite3.OperationalError:
                pass
        time.sleep(0.002)
    raise AssertionError("the run ended before it could be killed")


def test_a_language_model_drafts_and_judges_over_its_wire(gw_here: Run, tmp_path: Path) -> None:
    quote = "The pump ran dry and the line went down."
    (tmp_path / "night.md").write_text(f"# Night shift\n\n{quote}\n", encoding="utf-8")
    draft = {
        "from_var": "dry pump",
        "to_var": "line down",
        "mechanism": "No oil is left.",
        "strength": "strong",
        "chain_of_thought": None,
    }
    verdict = {
        "is_grounded": True,
        "support_type": "direct_causal",
        "supporting_quote": quote,
        "rejection_reason": None,
        "confidence": 0.9,
        "suggested_refinement_query": None,
    }

    def respond(asked: Asked) -> Reply:
        wanted = (asked.output_schema or {})["properties"]
        return Answer(json.dumps({"edges": [draft]} if "edges" in wanted else verdict))

    with OpenAIServer(respond) as server:
        done = gw_here(
            *(*WORDS_ONLY, "--set", "verification.canaries=false", "ground"),
            *(str(tmp_path / "night.md"), "--out", str(tmp_path / "graph.json"), "--json"),
            *("--provider", "openai", "--model", "m", "--base-url", server.base_url),
        )
    run = json.loads(done.stdout)["run"]
    assert run["reasons"] == {"supported": 1}
    assert (run["judge"], run["drafted"], run["grounded"]) == ("llm", 1, 1)
    graph = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))
    assert graph["edges"][0]["evidence"][0]["quote"]["quote"] == quote
