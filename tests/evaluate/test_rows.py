import json
import lzma
from pathlib import Path

import pytest

from groundwire.errors import InputError, UnreadableSource
from groundwire.evaluate import read_claims


def _line(number: int, **changed: object) -> str:
    row = {"id": f"r{number}", "set": "s", "evidence": "e", "claim": "c", "label": number % 2}
    return json.dumps(row | changed)


def test_plain_and_packed_files_of_a_folder_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(_line(1) + "\n\n" + _line(2, label3="refuted") + "\n")
    with lzma.open(tmp_path / "b.jsonl.xz", "wt") as file:
        file.write(_line(3))
    (tmp_path / "notes.txt").write_text("not data")
    assert [row.id for row in read_claims(tmp_path)] == ["r1", "r2", "r3"]


def test_a_limit_keeps_the_same_rows_whatever_their_order(tmp_path: Path) -> None:
    lines = [_line(number) for number in range(40)]
    (tmp_path / "one.jsonl").write_text("\n".join(lines))
    (tmp_path / "other.jsonl").write_text("\n".join(reversed(lines)))
    one = read_claims(tmp_path / "one.jsonl", limit=5)
    other = read_claims(tmp_path / "other.jsonl", limit=5)
    assert len(one) == 10
    assert sum(row.label for row in one) == 5
    assert {row.id for row in one} == {row.id for row in other}


@pytest.mark.parametrize(
    "line", ["{", "[]", "3", "[" * 100_000, '{"set": "s"}', _line(1, label=2), _line(1, label=None)]
)
def test_a_line_that_is_no_claim_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(_line(1) + "\n" + line)
    with pytest.raises(InputError, match="line 2"):
        read_claims(file)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.xz"
    file.write_bytes(lzma.compress(_line(1).encode())[:-10])
    with pytest.raises(UnreadableSource):
        read_claims(file)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """In a word, and not in those of a decoder."""
    (tmp_path / "a.jsonl").write_bytes(b"\xff\xfe{}")
    with lzma.open(tmp_path / "b.jsonl.xz", "wb") as file:
        file.write(b"\xff\xfe{}")
    for path in (tmp_path / "a.jsonl", tmp_path / "b.jsonl.xz", tmp_path):
        with pytest.raises(UnreadableSource, match="is no UTF-8"):
            read_claims(path)


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource):
        read_claims(tmp_path)
    with pytest.raises(UnreadableSource):
        read_claims(tmp_path / "missing")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="no rows"):
        read_claims(tmp_path / "empty.jsonl")
