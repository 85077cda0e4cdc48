"""`gw eval` as it is typed: questions, claims, starter sets, corrections, comparisons."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

EVIDENCE = "The mill has three floors. The mill was built in 1862."


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mill.md").write_text(
        "# The mill\n\n## Building\n\nThe mill was built in 1862 by the town of Esk. It has three"
        " floors.\n\n## Wheel\n\nThe wheel turned until the river was moved in 1904.\n"
    )
    (folder / "ferry.md").write_text(
        "# The ferry\n\n## Times\n\nThe ferry leaves at nine and carries forty cars.\n"
    )
    return folder


def test_a_set_is_written_run_and_compared(gw_here: Run, docs: Path, tmp_path: Path) -> None:
    """From documents to a gate in four commands; every report is written."""
    assert gw_here("index", str(docs)).returncode == 0
    made = gw_here("eval", "init", "--out", "golden.jsonl", "--size", "8", "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["questions"] >= 4
    again = gw_here("eval", "init", "--out", "golden.jsonl")
    assert again.returncode == 2
    assert "--force" in again.stderr
    ran = gw_here(
        *("eval", "run", "--data", "golden.jsonl", "--output", "results.json"),
        *("--html", "report.html", "--junit", "junit.xml", "--sarif", "report.sarif", "--json"),
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == json.loads((tmp_path / "results.json").read_text())
    for name in ("report.html", "junit.xml", "report.sarif"):
        assert (tmp_path / name).stat().st_size > 0
    compared = gw_here("eval", "compare", "results.json", "results.json")
    assert compared.returncode == 0
    assert "Nothing fell past its threshold." in compared.stdout


def test_a_users_claims_are_judged(gw_here: Run, tmp_path: Path) -> None:
    """From a table as well, and shown with what failed."""
    (tmp_path / "claims.csv").write_text(
        "claim,evidence,label\n"
        f'The mill was built in 1862.,"{EVIDENCE}",1\n'
        f'The mill was built in 1907.,"{EVIDENCE}",1\n'
    )
    ran = gw_here("eval", "run", "--data", "claims.csv")
    assert ran.returncode == 0, ran.stderr
    assert "called_contradicted: The mill was built in 1907." in ran.stdout


def test_a_corrected_verdict_becomes_a_case(gw_here: Run, tmp_path: Path) -> None:
    """By the request of the audit trail; the same verdict is added once."""
    (tmp_path / "answer.md").write_text("The mill has three floors. The mill was built in 1907.")
    (tmp_path / "mill.md").write_text(EVIDENCE)
    checked = gw_here("check", "answer.md", "--against", "mill.md", "--json")
    request = json.loads(checked.stdout)["request_id"]
    options = ("eval", "add", request, "--claim", "2", "--label", "refuted", "--data", "own.jsonl")
    bare = gw_here(*options)
    assert bare.returncode == 2
    assert "--evidence FILE" in bare.stderr
    added = gw_here(*options, "--evidence", "mill.md", "--why", "another year")
    assert added.returncode == 0, added.stderr
    [row] = map(json.loads, (tmp_path / "own.jsonl").read_text().splitlines())
    assert (row["claim"], row["label"]) == ("The mill was built in 1907.", "refuted")
    assert row["evidence"] == [{"name": "mill.md", "text": EVIDENCE}]
    twice = gw_here(*options, "--evidence", "mill.md")
    assert twice.returncode == 2
    assert "already" in twice.stderr
    assert gw_here("eval", "run", "--data", "own.jsonl").returncode == 0


def test_a_case_goes_to_a_set_that_can_be_read(gw_here: Run, tmp_path: Path) -> None:
    """And comes with evidence that can: nothing is written otherwise. Lines need no id."""
    (tmp_path / "mill.md").write_text(EVIDENCE)
    checked = gw_here("check", "--text", "It has nine floors.", "--against", "mill.md", "--json")
    request = json.loads(checked.stdout)["request_id"]
    add = ("eval", "add", request, "--label", "refuted")
    for content in (b"{broken", b"\xff\xfe\x00", b"[" * 100_000):
        (tmp_path / "bad.jsonl").write_bytes(content)
        refused = gw_here(*add, "--data", "bad.jsonl", "--evidence", "mill.md")
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert (tmp_path / "bad.jsonl").read_bytes() == content
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe\x00")
    refused = gw_here(*add, "--data", "fresh.jsonl", "--evidence", "bad.md")
    assert refused.returncode == 2
    assert "Save it as UTF-8" in refused.stderr
    assert not (tmp_path / "fresh.jsonl").exists()
    (tmp_path / "own.jsonl").write_text('{"claim": "One.", "evidence": "One.", "label": 1}')
    added = gw_here(*add, "--data", "own.jsonl", "--evidence", "mill.md")
    assert "has 2 claims" in added.stdout, added.stderr


def test_thresholds_are_tuned_with_their_evidence(gw_here: Run, docs: Path, tmp_path: Path) -> None:
    """What is written can be used as it is; noise changes nothing."""
    gw_here("index", str(docs))
    rows = [
        {"id": "a", "query": "When was the mill built?", "expected": {"contains": ["1862"]}},
        {"id": "b", "query": "Who eats cheese?", "expected": {"abstain": True}},
        {"id": "c", "query": "How many cars does the ferry carry?", "split": "held"},
    ]
    (tmp_path / "golden.jsonl").write_text("\n".join(map(json.dumps, rows)))
    tuned = gw_here("eval", "tune", "--data", "golden.jsonl", "--output", "thresholds.yaml")
    assert tuned.returncode == 0, tuned.stderr
    assert "# held split, 1 questions" in tuned.stdout
    assert "nothing was changed" in tuned.stdout
    options = ("eval", "run", "--data", "golden.jsonl", "--config", "thresholds.yaml")
    assert gw_here(*options).returncode == 0
    few = gw_here("eval", "tune", "--data", "golden.jsonl", "--target-error", "0.05", "--json")
    assert few.returncode == 3
    assert json.loads(few.stdout)["conformal"]["abstain_below"] is None


def test_a_file_that_is_not_there_is_an_error_of_the_user(gw_here: Run) -> None:
    """Without a golden set the command says how to write one, not where it crashed."""
    for arguments in (("run",), ("run", "--data", "x.jsonl"), ("compare", "a.json", "b.json")):
        found = gw_here("eval", *arguments)
        assert found.returncode == 2
        assert "cannot be read" in found.stderr


def test_a_judge_is_calibrated_by_labelled_claims(gw_here: Run, tmp_path: Path) -> None:
    """What is written is a file that the judge reads; too few claims are refused."""
    claims = {"Flour was sold in Overby.": 1, "The miller had a dog.": 0}
    rows = [
        {
            "claim": claim,
            "evidence": "The mill stands by the river. Flour was sold in Overby.",
            "label": label,
            "split": split,
        }
        for split in ("open", "held")
        for claim, label in claims.items()
        for _ in range(10)
    ]
    (tmp_path / "claims.jsonl").write_text("\n".join(map(json.dumps, rows)))
    tuned = gw_here("eval", "tune", "--data", "claims.jsonl", "--output", "calibration.json")
    assert tuned.returncode == 0, tuned.stderr
    assert "Taken:" in tuned.stdout
    written = json.loads((tmp_path / "calibration.json").read_text())
    assert (written["backend"], written["held_rows"]) == ("embedded", 20)
    option = ("--set", "judge.calibration_file=calibration.json")
    assert gw_here(*option, "eval", "run", "--data", "claims.jsonl").returncode == 0
    (tmp_path / "few.jsonl").write_text(json.dumps(rows[0]))
    few = gw_here("eval", "tune", "--data", "few.jsonl")
    assert few.returncode == 2
    assert "of both labels in each split" in few.stderr
