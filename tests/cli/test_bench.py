import json
from pathlib import Path

from tests.cli.conftest import Run


def _data(folder: Path) -> Path:
    evidence = "The ferry leaves at nine. It carries forty cars. The crossing takes an hour."
    claims = {
        "The ferry leaves at nine.": 1,
        "The ferry carries forty cars.": 1,
        "The ferry leaves at noon.": 0,
        "The captain is afraid of water.": 0,
    }
    rows = [
        {
            "id": f"{number}-{claim}",
            "set": "ferry",
            "evidence": evidence,
            "claim": claim,
            "label": label,
        }
        for number in range(6)
        for claim, label in claims.items()
    ]
    file = folder / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    return file


def test_claims_are_measured_and_the_figures_shown(gw: Run, tmp_path: Path) -> None:
    found = gw("bench", "claims", str(_data(tmp_path)))
    assert found.returncode == 0, found.stderr
    assert "ferry" in found.stdout
    assert "called contradicted" in found.stdout
    assert "Ranking by p1 alone" in found.stdout


def test_the_figures_are_one_document_for_machines(gw: Run, tmp_path: Path) -> None:
    figures = json.loads(gw("bench", "claims", str(_data(tmp_path)), "--json").stdout)
    assert figures["macro"]["rows"] == 24
    assert set(figures["macro"]["baselines"]) == {"word overlap", "length", "deterministic tier"}


def test_a_limit_takes_that_many_of_each_label(gw: Run, tmp_path: Path) -> None:
    found = gw("bench", "claims", str(_data(tmp_path)), "--limit", "10", "--json")
    assert json.loads(found.stdout)["macro"]["rows"] == 20


def test_a_limit_that_leaves_too_little_is_refused(gw: Run, tmp_path: Path) -> None:
    found = gw("bench", "claims", str(_data(tmp_path)), "--limit", "2")
    assert found.returncode == 2
    assert "a higher --limit" in found.stderr


def test_data_that_is_not_there_is_refused(gw: Run, tmp_path: Path) -> None:
    found = gw("bench", "claims", str(tmp_path / "missing.jsonl"))
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
