"""The run in `examples/agent-run`, as the docs show it."""

import json
from pathlib import Path

from tests.cli.conftest import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent-run"
EVIDENCE = ("--trace", str(EXAMPLE / "trace.jsonl"), "--base-path", str(EXAMPLE / "project"))


def test_the_refused_edit_is_found_in_the_structured_output(gw: Run) -> None:
    done = gw("verify-output", str(EXAMPLE / "output.json"), *EVIDENCE, "--json")
    assert done.returncode == 1
    ended = [(c["file_path"], c["status"]) for c in json.loads(done.stdout)["claims"]]
    assert ended == [("src/tides.js", "verified"), ("README.md", "failed"), (None, "verified")]


def test_the_refused_edit_is_found_in_the_report(gw: Run) -> None:
    done = gw("claims-from-text", str(EXAMPLE / "report.md"), *EVIDENCE, "--verify", "--json")
    assert done.returncode == 1
    ended = [(c["type"], c["status"]) for c in json.loads(done.stdout)["claims"]]
    assert ended == [
        ("file-changed", "verified"),
        ("file-changed", "failed"),
        ("tests-pass", "verified"),
        ("files-unchanged", "verified"),
    ]
