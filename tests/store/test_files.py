from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.errors import UnreadableSource
from groundwire.store import write_whole


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    write_whole(tmp_path / "a" / "b.bin", [b"one", b"two"])
    assert (tmp_path / "a" / "b.bin").read_bytes() == b"onetwo"


def test_a_text_is_written_as_utf8(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "naïve\n")
    assert (tmp_path / "a.txt").read_bytes() == "naïve\n".encode()


def test_a_write_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "kept.bin"
    target.write_bytes(b"before")

    def stopped() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(target, stopped())
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UnreadableSource, match="No space"):
        write_whole(tmp_path / "a.bin", [b"half"])
    assert list(tmp_path.iterdir()) == []


def test_a_file_can_be_read_by_whom_the_user_lets_read(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary.txt"
    ordinary.write_text("as any other")
    write_whole(tmp_path / "ours.txt", "as any other")
    assert (tmp_path / "ours.txt").stat().st_mode == ordinary.stat().st_mode


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UnreadableSource, match=r"written: \S+file is a file, not a folder"):
        write_whole(tmp_path / "file" / "below.txt", "never")
    with pytest.raises(UnreadableSource, match="cannot be written: Not a directory"):
        write_whole(tmp_path / "file" / "further" / "below.txt", "never")
    with pytest.raises(UnreadableSource, match="cannot be written: Is a directory"):
        write_whole(tmp_path, "never")
