"""What an older version wrote is read by this one, or the command that rebuilds it is named."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Run, gw_here

__all__ = ["gw_here"]

ROOT = Path(__file__).parents[2]
VERSIONS = sorted(path for path in Path(__file__).parent.glob("v*") if path.is_dir())
PROJECT = ROOT / "examples" / "agent-run" / "project"
HOT = "CPU frequency stayed at 2.0 GHz, a high CPU frequency. The PowerHal boost was on."
QUESTION = "Why was the inspection of overhead lines by drone rejected?"


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def written(request: pytest.FixtureRequest, own_home: Path) -> Path:
    """The files of one version, its databases in this test's home."""
    folder: Path = request.param
    own_home.mkdir()
    for dump in folder.glob("*.sql"):
        with closing(sqlite3.connect(own_home / f"{dump.stem}.sqlite")) as connection:
            connection.executescript(dump.read_text(encoding="utf-8"))
    return folder


def test_a_graph_is_read_whole(gw_here: Run, written: Path, tmp_path: Path) -> None:
    """Every edge, quote and piece of evidence is still what it was: nothing is left out."""
    edges = json.loads((written / "graph.json").read_bytes())["edges"]
    done = gw_here("graph", "show", str(written / "graph.json"), "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(shown["edges"]) == len(edges)
    report = tmp_path / "report.md"
    report.write_text(HOT)
    done = gw_here("diagnose", str(report), "--graph", str(written / "graph.json"), "--json")
    diagnosis = json.loads(done.stdout)
    assert (done.returncode, diagnosis["mode"]) == (0, "ANSWER")
    assert diagnosis["diagnosis"]["conclusion"]["root_cause"] == "PowerHal boost"


def _of_folder(written: Path, folder: Path, place: Path) -> str:
    """The snapshot; the folder it was taken of is another on every machine."""
    snapshot = json.loads((written / "snapshot.json").read_text())
    here = place / "here.json"
    here.write_text(json.dumps(snapshot | {"base_path": str(folder)}))
    return str(here)


def test_a_snapshot_is_compared_with_today(gw_here: Run, written: Path, tmp_path: Path) -> None:
    """What changed since the older version recorded the folder is found, and only that."""
    project = tmp_path / "project"
    shutil.copytree(PROJECT, project)
    snapshot = _of_folder(written, project, tmp_path)
    same = gw_here("snapshot", str(project), "--compare", snapshot, "--json")
    assert (same.returncode, json.loads(same.stdout)["changes"]) == (0, [])
    (project / "README.md").write_text("new\n")
    other = gw_here("snapshot", str(project), "--compare", snapshot, "--json")
    assert [change["path"] for change in json.loads(other.stdout)["changes"]] == ["README.md"]


def test_a_snapshot_bears_a_verdict(gw_here: Run, written: Path, tmp_path: Path) -> None:
    """`gw verify-output` reads it as the state when the work ended."""
    run = ROOT / "examples" / "agent-run"
    here = _of_folder(written, PROJECT, tmp_path)
    done = gw_here(
        *("verify-output", str(run / "output.json"), "--trace", str(run / "trace.jsonl")),
        *("--base-path", str(PROJECT), "--after", here, "--json"),
    )
    assert done.returncode == 1
    assert [one["status"] for one in json.loads(done.stdout)["claims"]] == [
        "verified",
        "failed",
        "verified",
    ]


def test_an_index_answers_or_names_what_rebuilds_it(gw_here: Run, written: Path) -> None:
    """Never an answer from half an index: it is read as it is, or `gw index` is named."""
    done = gw_here("ask", QUESTION, "--json")
    if done.returncode == 0:
        answer = json.loads(done.stdout)
        assert {source["doc_id"] for source in answer["sources"]} == {
            "documents/adr/0030-inspect-overhead-lines-by-drone.md"
        }
        assert not answer["retrieval_quality"]["degraded"]
    else:
        assert "gw index" in done.stdout + done.stderr


def test_an_audit_trail_is_read(gw_here: Run, written: Path) -> None:
    """Every verdict the older version recorded is shown, with its status and claim."""
    rows = json.loads(gw_here("audit-log", "--operation", "check", "--json").stdout)
    assert [(row["claim"], row["status"]) for row in rows] == [
        ("The mast is painted red.", "unverifiable"),
        ("The mast is painted red.", "grounded"),
    ]


def test_queued_claims_are_verified(gw_here: Run, written: Path) -> None:
    """What waited when the older version ended is counted, judged and recorded."""
    waiting = gw_here("queue", "--json")
    assert json.loads(waiting.stdout)["waiting"] == 1
    done = gw_here("queue", "--run", "--json")
    assert json.loads(done.stdout) == {
        "verified": 1,
        "waiting": 0,
        "given_up": 0,
        "promoted": 0,
        "evicted": 0,
    }
    newest, *_ = json.loads(gw_here("audit-log", "--json").stdout)
    assert (newest["claim"], newest["status"]) == ("The mast is painted red.", "grounded")


def test_metrics_are_counted_on(gw_here: Run, written: Path) -> None:
    """The totals of the older version are where counting goes on."""
    dumped = gw_here("metrics", "--dump")
    assert dumped.returncode == 0
    assert "\nclaims_verified_total 1.0\n" in dumped.stdout
    assert 'grounding_queries_total{side="support"} 11.0' in dumped.stdout
