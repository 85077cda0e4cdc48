import multiprocessing
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import MissingExtra, StoreTooNew, UnreadableSource
from groundwire.terms import LocalVocabulary, check_vocabulary
from tests.terms.conftest import OpenLocal
from tests.vocabularies import HALDEN, concept, turtle

Logs = Callable[[], list[dict[str, Any]]]


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def age(path: Path) -> None:
    """Make a file an hour old, so that its time stamp can be trusted."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - 3_600_000_000_000))


def test_an_indexed_file_is_not_parsed_again(
    open_local: OpenLocal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "Feeds."))
    age(file)
    open_local(file).lookup("feeder")
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    assert open_local(file).lookup("feeder").found
    file.touch()
    assert open_local(file).lookup("feeder").found
    turtle(file, concept("a", "feeder", "Feeds more."))
    with pytest.raises(MissingExtra, match=r"groundwire\[skos\]"):
        open_local(file).lookup("feeder")


def test_a_changed_file_is_read_again_while_the_process_runs(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    clock = Clock()
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "Feeds."))
    vocabulary = open_local(file, timer=clock)
    assert vocabulary.lookup("feeder").definition == "Feeds."
    turtle(file, concept("a", "circuit", "Goes."))
    clock.now_s = 10
    assert not vocabulary.lookup("feeder").found
    assert vocabulary.lookup("circuit").definition == "Goes."
    assert vocabulary.suggest("feeders", 3) == []


def test_another_process_may_read_a_changed_file_first(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    """Between two looks at the files, the answers come from what that process wrote."""
    clock = Clock()
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "One."))
    vocabulary = open_local(file, timer=clock)
    assert vocabulary.lookup("feeder").definition == "One."
    turtle(file, concept("a", "feeder", "Two."))
    assert open_local(file).lookup("feeder").definition == "Two."
    assert vocabulary.lookup("feeder").definition == "Two."


def test_a_change_that_keeps_size_and_time_is_seen(open_local: OpenLocal, tmp_path: Path) -> None:
    """A file written just before it was read may change within the same tick of its time stamp."""
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "One."))
    stamp = file.stat().st_mtime_ns
    assert open_local(file).lookup("feeder").definition == "One."
    turtle(file, concept("a", "feeder", "Two."))
    os.utime(file, ns=(stamp, stamp))
    assert open_local(file).lookup("feeder").definition == "Two."


def test_a_file_that_breaks_keeps_what_was_known_of_it(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    clock = Clock()
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "Feeds."))
    vocabulary = open_local(file, timer=clock)
    assert vocabulary.lookup("feeder").found
    turtle(file, concept("a", "feeder", "Feeds.") + ":b a <<https://broken.example/> .")
    clock.now_s = 10
    assert vocabulary.lookup("feeder").definition == "Feeds."
    assert f"{file}:" in vocabulary.problems()[0]
    file.unlink()
    assert open_local(file).lookup("feeder").found


def test_a_broken_file_does_not_hide_the_others(
    open_local: OpenLocal, tmp_path: Path, captured_logs: Logs
) -> None:
    broken = turtle(tmp_path / "broken.ttl", ":a a <<b> .")
    vocabulary = open_local(broken, HALDEN, timer=(clock := Clock()))
    assert vocabulary.lookup("CIMXML").found
    assert "broken.ttl:" in vocabulary.problems()[0]
    clock.now_s = 10
    assert vocabulary.lookup("SAIDI").found
    said = [entry for entry in captured_logs() if entry["event"] == "vocabulary_unreadable"]
    assert len(said) == 1
    assert open_local(broken, HALDEN).problems() == vocabulary.problems()


def test_a_broken_file_is_not_parsed_again_until_it_changes(
    open_local: OpenLocal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = turtle(tmp_path / "broken.ttl", ":a a <<b> .")
    age(broken)
    open_local(broken, HALDEN).lookup("CIMXML")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyoxigraph", None)
        assert len(open_local(broken, HALDEN).problems()) == 1
    turtle(broken, concept("a", "mended", "Whole again."))
    vocabulary = open_local(broken, HALDEN)
    assert vocabulary.lookup("mended").found
    assert vocabulary.problems() == []


@pytest.mark.parametrize(
    ("body", "said"),
    [(":a a <<b> .", "v.ttl:"), ("", "holds no concept"), (None, "No such file")],
)
def test_with_nothing_to_answer_from_the_reason_is_said(
    open_local: OpenLocal, tmp_path: Path, body: str | None, said: str
) -> None:
    file = tmp_path / "v.ttl"
    if body is not None:
        turtle(file, body)
    with pytest.raises(UnreadableSource, match=said):
        open_local(file).lookup("feeder")


def test_a_file_that_is_too_large_is_refused_until_the_limit_is_raised(
    open_local: OpenLocal,
) -> None:
    with pytest.raises(UnreadableSource, match=r"larger than 0\.001 MB"):
        open_local(HALDEN, max_file_mb=0.001).lookup("feeder")
    with pytest.raises(UnreadableSource, match="larger than"):
        check_vocabulary(HALDEN, max_file_bytes=1000)
    assert open_local(HALDEN).lookup("feeder").found


def test_a_huge_label_is_kept_but_not_looked_up(open_local: OpenLocal, tmp_path: Path) -> None:
    body = concept("a", "x" * 1_000_000, "Long.") + ':a skos:altLabel "short"@en .'
    vocabulary = open_local(turtle(tmp_path / "v.ttl", body))
    assert vocabulary.lookup("short").definition == "Long."
    assert vocabulary.suggest("x" * 200, 3) == []


@pytest.mark.parametrize("damage", ["overwritten", "truncated", "emptied", "a page"])
def test_a_damaged_index_is_put_aside_and_made_again(
    open_local: OpenLocal, tmp_path: Path, damage: str
) -> None:
    first = open_local(HALDEN)
    first.lookup("CIMXML")
    first.close()
    index = tmp_path / "home" / "vocabulary.sqlite"
    data = index.read_bytes()
    page = 4096
    index.write_bytes(
        {
            "overwritten": b"nothing of a database" * 1000,
            "truncated": data[: len(data) // 3],
            "emptied": b"",
            "a page": data[:page] + b"\xff" * (len(data) - page),
        }[damage]
    )
    assert open_local(HALDEN).lookup("CIMXML").found
    assert open_local(HALDEN).suggest("cimxlm", 1)


def test_an_index_of_a_newer_version_is_left_alone(open_local: OpenLocal, tmp_path: Path) -> None:
    open_local(HALDEN).lookup("CIMXML")
    index = tmp_path / "home" / "vocabulary.sqlite"
    connection = sqlite3.connect(index)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreTooNew):
        open_local(HALDEN).lookup("CIMXML")


def _look_up(file: Path, index: Path, terms: list[str]) -> None:
    vocabulary = LocalVocabulary([file], index)
    found = [vocabulary.lookup(term).found for term in terms]
    vocabulary.close()
    sys.exit(0 if all(found) else 1)


def test_several_processes_may_meet_at_an_empty_index(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    arguments = (HALDEN, tmp_path / "home" / "v.sqlite", ["CIMXML", "feeder", "SAIDI"])
    workers = [context.Process(target=_look_up, args=arguments) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 3
    with closing(sqlite3.connect(tmp_path / "home" / "v.sqlite")) as connection, connection:
        assert connection.execute("SELECT count(*) FROM concept").fetchone() == (80,)
    connection.close()


def test_a_crash_while_indexing_leaves_the_index_as_it_was(
    open_local: OpenLocal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "Feeds."))
    open_local(file).lookup("feeder")
    turtle(file, concept("a", "feeder", "Changed.") + concept("b", "bay", "Other."))

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("groundwire.terms._tables._label_rows", crash)
        with pytest.raises(KeyboardInterrupt):
            open_local(file).lookup("feeder")
    connection = sqlite3.connect(tmp_path / "home" / "vocabulary.sqlite")
    assert connection.execute("SELECT text FROM label").fetchall() == [("feeder",)]
    connection.close()
    assert open_local(file).lookup("bay").found


def test_a_folder_without_vocabularies_is_named(open_local: OpenLocal, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnreadableSource, match="holds no file in an RDF format"):
        open_local(tmp_path / "empty").lookup("feeder")


def test_a_forgotten_file_leaves_nothing_behind(open_local: OpenLocal, tmp_path: Path) -> None:
    file = turtle(tmp_path / "v.ttl", concept("a", "feeder", "Feeds."))
    vocabulary = open_local(file)
    vocabulary.lookup("feeder")
    file.unlink()
    vocabulary.forget(file)
    connection = sqlite3.connect(tmp_path / "home" / "vocabulary.sqlite")
    for table in ("file", "concept", "label"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608
    connection.close()


def test_long_reading_is_announced(open_local: OpenLocal) -> None:
    said: list[str] = []
    open_local(HALDEN, progress=said.append).lookup("CIMXML")
    assert said == [f"reading the vocabulary {HALDEN}"]
