"""Hooks see which call wrote what."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.actions import (
    Observed,
    TaskVerifier,
    Watch,
    WatchError,
    _scan as scan,
    _watch as watch,
    read_observed,
)
from groundwire.actions._watch import session_root
from groundwire.errors import StoreCorrupt
from tests.actions.helpers import output

BASH = ("Bash", {"command": "make"})


class Session:
    """One session of an agent in a folder, as its hooks record it."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.home = folder / "home"
        self.project.mkdir()

    def start(self) -> str | None:
        with closing(Watch(str(self.home), str(self.project))) as one:
            return one.start_session("s", "test")

    def begin(self, call: str, tool: str = "Bash", command: str = "make") -> None:
        with closing(Watch(str(self.home), str(self.project))) as one:
            one.begin_call("s", call, tool, {"command": command})

    def end(self, call: str, tool: str = "Bash", command: str = "make") -> None:
        with closing(Watch(str(self.home), str(self.project))) as one:
            one.end_call("s", call, tool, {"command": command}, {"exit_code": 0}, failed=False)

    def stop(self) -> Observed:
        with closing(Watch(str(self.home), str(self.project))) as one:
            one.end_turn("s")
        observed = read_observed(self.home, "s")
        assert observed is not None
        return observed

    def write(self, name: str, text: str) -> None:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    one = Session(tmp_path)
    one.write("kept.txt", "kept\n")
    one.write("old.txt", "old\n")
    return one


def status_of(session: Session, observed: Observed, *claims: dict[str, str]) -> list[str]:
    result = TaskVerifier().verify_sync(
        output(*claims), [observed.trace()], session.project, observed=observed
    )
    return [verdict.status for verdict in result.claims]


def test_a_write_has_the_call_that_made_it(session: Session) -> None:
    """Made, changed and deleted during a call, whatever its command says."""
    session.start()
    session.begin("c1")
    session.write("new.txt", "new\n")
    session.write("old.txt", "other\n")
    (session.project / "kept.txt").unlink()
    session.end("c1")
    observed = session.stop()
    seen = {write.path: (write.before is None, write.after is None) for write in observed.writes}
    assert seen == {"new.txt": (True, False), "old.txt": (False, False), "kept.txt": (False, True)}
    numbers = {call.id: call.number for call in observed.calls}
    assert {write.calls for write in observed.writes} == {(numbers["c1"],)}
    assert observed.before.files.keys() == {"kept.txt", "old.txt"}


def test_a_change_between_calls_is_nobodys_work(session: Session) -> None:
    """The user, or a process in the background, did it; the agent may not claim it."""
    session.start()
    session.begin("c1")
    session.end("c1")
    session.write("old.txt", "by the user\n")
    session.begin("c2")
    session.end("c2")
    observed = session.stop()
    assert [write.calls for write in observed.writes] == [()]
    claim = {"type": "file-changed", "file_path": "old.txt"}
    assert status_of(session, observed, claim) == ["unverified"]


def test_calls_that_overlap_share_what_they_wrote(session: Session) -> None:
    session.start()
    session.begin("c1")
    session.begin("c2")
    session.write("new.txt", "new\n")
    session.end("c1")
    session.end("c2")
    (write,) = session.stop().writes
    assert len(write.calls) == 2


def test_the_words_of_a_command_no_longer_prove_a_write(session: Session) -> None:
    """`echo > x` in a branch that never ran wrote nothing, and a claim of it is refuted."""
    session.start()
    session.begin("c1", command="false && echo y > old.txt")
    session.end("c1", command="false && echo y > old.txt")
    observed = session.stop()
    created = {"type": "file-created", "file_path": "never.txt"}
    deleted = {"type": "file-delete", "file_path": "nothing.txt"}
    assert status_of(session, observed, created, deleted) == ["failed", "failed"]


def test_created_over_a_file_and_changed_back_are_refuted(session: Session) -> None:
    session.start()
    session.begin("c1")
    session.write("old.txt", "new\n")
    session.write("kept.txt", "new\n")
    session.end("c1")
    session.begin("c2")
    session.write("kept.txt", "kept\n")
    session.end("c2")
    observed = session.stop()
    claims = [
        {"type": "file-created", "file_path": "old.txt"},
        {"type": "file-changed", "file_path": "old.txt"},
        {"type": "file-changed", "file_path": "kept.txt"},
    ]
    assert status_of(session, observed, *claims) == ["failed", "verified", "failed"]


def test_a_file_made_and_removed_in_one_command_is_not_held_against_anybody(
    session: Session,
) -> None:
    """Nobody saw it, but the command names it."""
    session.start()
    command = "touch scratch.txt && rm scratch.txt"
    session.begin("c1", command=command)
    session.end("c1", command=command)
    observed = session.stop()
    claim = {"type": "file-delete", "file_path": "scratch.txt"}
    assert status_of(session, observed, claim) != ["failed"]


def test_folders_nobody_looks_into_prove_nothing(session: Session) -> None:
    session.start()
    session.begin("c1", command="npm install")
    session.write("node_modules/x/index.js", "x")
    session.end("c1", command="npm install")
    observed = session.stop()
    assert observed.writes == ()
    claim = {"type": "file-changed", "file_path": "node_modules/x/index.js"}
    assert status_of(session, observed, claim) == ["unverified"]


def test_a_write_with_its_old_size_and_time_is_seen(session: Session) -> None:
    """Times can be set back; the change of the record itself cannot."""
    session.start()
    session.begin("c1")
    path = session.project / "old.txt"
    before = path.stat()
    path.write_text("OLD\n", encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    session.end("c1")
    assert [write.path for write in session.stop().writes] == ["old.txt"]


def test_links_pipes_and_odd_names_are_not_followed_or_opened(session: Session) -> None:
    (session.project / "link").symlink_to("/etc/passwd")
    os.mkfifo(session.project / "pipe")
    (session.project / os.fsdecode(b"odd\xff.txt")).write_text("x")
    session.start()
    observed = session.stop()
    assert observed.before.links == {"link": "/etc/passwd"}
    assert "odd\\xff.txt" in observed.before.files
    assert "pipe" not in observed.before.files


def test_a_record_that_somebody_changed_is_refused(session: Session) -> None:
    session.start()
    session.stop()
    with closing(sqlite3.connect(session.home / "watch.sqlite")) as store:
        store.execute("UPDATE file SET hash = ? WHERE path = 'old.txt'", ("0" * 64,))
        store.commit()
    with pytest.raises(StoreCorrupt, match="not what its session began with"):
        read_observed(session.home, "s")


def test_a_large_tree_is_looked_at_by_name(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During calls only what they name; the rest is found at the end, by nobody known."""
    monkeypatch.setattr(watch, "MAX_WHOLE_FILES", 1)
    session.start()
    session.begin("c1", command="touch old.txt")
    session.write("old.txt", "named\n")
    session.write("kept.txt", "not named\n")
    session.end("c1", command="touch old.txt")
    writes = {write.path: write for write in session.stop().writes}
    assert len(writes["old.txt"].calls) == 1
    assert writes["kept.txt"].untold


def test_too_wide_a_folder_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with closing(Watch(str(tmp_path / "gw"), str(tmp_path))) as one:
        assert "too wide" in str(one.start_session("s", "test"))


def test_a_session_keeps_its_folder(session: Session) -> None:
    session.start()
    assert session_root(str(session.home), "s") == str(session.project)
    assert session_root(str(session.home), "other") is None


def test_a_call_that_began_unseen_is_a_gap(session: Session) -> None:
    session.start()
    session.end("c1")
    assert "began unseen" in str(session.stop().gap)


def test_an_unusable_record_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "watch.sqlite").write_text("no database, and long enough to be one " * 40)
    with pytest.raises(WatchError, match="cannot be used"):
        Watch(str(tmp_path), str(tmp_path))


def test_old_folders_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MAX_KEPT_ROOTS", 2)
    for number in range(4):
        project = tmp_path / f"p{number}"
        project.mkdir()
        with closing(Watch(str(tmp_path / "gw"), str(project))) as one:
            one.start_session(f"s{number}", "test")
    with closing(sqlite3.connect(tmp_path / "gw" / "watch.sqlite")) as store:
        assert store.execute("SELECT count(*) FROM root").fetchone()[0] == 2


def test_long_inputs_are_cut_and_say_so() -> None:
    cut = scan.recorded({"content": "x" * 1_000_000})
    assert len(cut) < scan.MAX_RECORDED_CHARS
    assert "groundwire_cut" in cut
