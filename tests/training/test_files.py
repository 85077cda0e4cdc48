import json
from hashlib import sha256
from pathlib import Path

from training import files


def test_a_hash_is_of_the_file_as_it_is_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text('{"files": {"a": "1", "b": "2"}, "reading": "ä"}')
    (tmp_path / "a").write_bytes(b"new")
    files.note(tmp_path, "a")
    found = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    assert found == {"files": {"a": sha256(b"new").hexdigest(), "b": "2"}, "reading": "ä"}


def test_what_is_fitted_is_written_and_where_it_is_from_stays(tmp_path: Path) -> None:
    """Only the value of a number changes."""
    path = tmp_path / "judge.calibration.json"
    entry = {"value": 1.0, "origin": "dev", "refit": "python x.py"}
    path.write_text(json.dumps({"support": {"slope": entry, "offset": entry}}), encoding="utf-8")
    files.calibrate(path, "support", {"slope": 0.7})
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found == {"support": {"slope": entry | {"value": 0.7}, "offset": entry}}
