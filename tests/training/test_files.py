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
