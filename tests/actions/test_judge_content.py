"""Claims about contents: what the state says, and what trace and snapshots make of a mismatch."""

from pathlib import Path

import pytest

from groundwire.actions import TaskVerifier, take_snapshot
from groundwire.traces import ToolTrace
from tests.actions.helpers import (
    Json,
    bash,
    delete,
    edit,
    edited,
    numbered,
    one,
    output,
    refused,
    sha,
    statuses,
    verify,
    write,
    wrote,
)

OLD = "    return 'hi'\n"
NEW = "    return 'hello'\n"
APP = "src/app.py"


def greeting(between: str = NEW, **more: object) -> Json:
    return edit(APP, "def greet():\n", between, "\n\nprint", **more)


def change_greeting(base: Path) -> None:
    file = base / APP
    file.write_text(file.read_text().replace(OLD, NEW))


def test_what_stands_in_the_file_is_verified(base: Path) -> None:
    change_greeting(base)
    content = (base / APP).read_text()
    assert (
        statuses(verify(base, greeting(), write(APP, content), delete("gone.py")))
        == ["verified"] * 3
    )


def test_a_mismatch_fails_right_after_the_work(base: Path) -> None:
    assert one(base, greeting()) == ("failed", "hash_mismatch")
    assert one(base, edit(APP, "class X:", NEW, "end")) == ("failed", "anchor_mismatch")
    assert one(base, write(APP, "other")) == ("failed", "hash_mismatch")
    assert one(base, write("no.py", "x")) == ("failed", "file_not_found")
    assert one(base, delete(APP)) == ("failed", "filesystem_mismatch")


@pytest.mark.parametrize(
    ("claim", "category"),
    [
        (greeting(), "hash_mismatch"),
        (write(APP, "other"), "hash_mismatch"),
        (write("no.py", "x"), "file_not_found"),
        (delete(APP), "filesystem_mismatch"),
    ],
)
def test_later_it_is_unverified_and_keeps_its_category(
    base: Path, claim: Json, category: str
) -> None:
    assert one(base, claim, assume_current=False) == ("unverified", category)


def test_without_a_base_path_nothing_is_told() -> None:
    assert one(None, greeting()) == ("unverified", None)


def test_a_later_recorded_write_supersedes(base: Path) -> None:
    (base / "a.txt").write_text("two\n")
    events = [wrote("a.txt", "one\n"), wrote("a.txt", "two\n")]
    result = verify(base, write("a.txt", "one\n"), write("a.txt", "two\n"), events=events)
    assert statuses(result) == ["superseded", "verified"]
    assert result.valid


def test_a_mismatch_with_nothing_after_it_fails(base: Path) -> None:
    (base / "a.txt").write_text("tampered\n")
    events = [wrote("a.txt", "one\n")]
    assert one(base, write("a.txt", "one\n"), events=events) == ("failed", "hash_mismatch")
    assert one(base, write("a.txt", "one\n"), events=events, assume_current=False) == (
        "failed",
        "hash_mismatch",
    )


def test_content_that_was_never_written_is_not_excused_by_a_later_write(base: Path) -> None:
    (base / "a.txt").write_text("two\n")
    events = [wrote("a.txt", "one\n"), wrote("a.txt", "two\n")]
    assert one(base, write("a.txt", "invented\n"), events=events)[0] == "failed"


def test_an_edit_replayed_backwards_from_the_file_is_known_too(base: Path) -> None:
    """The base text is not in the trace, yet what stood between the two edits is."""
    file = base / APP
    file.write_text(file.read_text().replace("'hi'", "'good day'"))
    events = [edited(APP, "'hi'", "'hello'"), edited(APP, "'hello'", "'good day'")]
    invented = greeting("    return 'never'\n")
    assert one(base, greeting(), events=events)[0] == "superseded"
    assert one(base, invented, events=events)[0] == "failed"


def test_a_refused_edit_fails_whatever_happened_to_the_file_later(base: Path) -> None:
    change_greeting(base)
    events = [
        refused(APP, "'hi'", "'nope'"),
        edited(APP, "'hi'", "'hello'"),
        bash("python demo.py"),
    ]
    by_text = greeting("    return 'nope'\n", event_id=None)
    by_id = greeting("    return 'nope'\n", event_id="e1")
    result = verify(base, by_id, by_text, greeting(), events=events)
    assert statuses(result) == ["failed", "failed", "verified"]
    assert "refused it (event e1)" in result.claims[0].detail


def test_a_refused_write_is_known_by_its_content(base: Path) -> None:
    events = [
        {**wrote("a.txt", "one\n"), "is_error": True},
        bash("python demo.py"),
        bash("python other.py"),
    ]
    (base / "a.txt").write_text("zero\n")
    assert one(base, write("a.txt", "one\n"), events=events) == ("failed", "hash_mismatch")


def test_a_refusal_that_was_made_good_is_not_held_against_anyone(base: Path) -> None:
    change_greeting(base)
    events = [refused(APP, "'hi'", "'hello'"), edited(APP, "'hi'", "'hello'")]
    assert one(base, greeting(event_id="e1"), events=events) == ("verified", None)


@pytest.mark.parametrize(
    "command",
    ["black .", "git checkout -- .", f"sed -i s/x/y/ {APP}", "make fmt && black src", "a'b"],
)
def test_a_command_that_may_have_written_it_leaves_it_open(base: Path, command: str) -> None:
    events = [edited(APP, "'hi'", "'hello'"), bash(command)]
    status, category = one(base, greeting(), events=events)
    assert status in {"unverified", "superseded"}
    assert category == "hash_mismatch"


@pytest.mark.parametrize("command", ["pytest -q", "ls", "cat src/app.py", "git status"])
def test_a_command_that_only_reads_excuses_nothing(base: Path, command: str) -> None:
    events = [edited(APP, "'hi'", "'hello'"), bash(command)]
    assert one(base, greeting(), events=events) == ("failed", "hash_mismatch")


def test_an_unknown_program_after_the_write_leaves_it_open(base: Path) -> None:
    events = [edited(APP, "'hi'", "'hello'"), bash("python tool.py")]
    assert one(base, greeting(), events=events) == ("unverified", "hash_mismatch")


def test_a_tool_nobody_knows_leaves_it_open(base: Path) -> None:
    events = [edited(APP, "'hi'", "'hello'"), {"tool": "delegate", "arguments": {"to": "x"}}]
    assert one(base, greeting(), events=events) == ("unverified", "hash_mismatch")


def test_a_tool_that_says_it_wrote_nothing_excuses_nothing(base: Path) -> None:
    events = [edited(APP, "'hi'", "'hello'"), {"tool": "delegate", "writes": []}]
    assert one(base, greeting(), events=events) == ("failed", "hash_mismatch")


def test_a_work_never_attempted_fails(base: Path) -> None:
    assert one(base, greeting(), events=[bash("ls")]) == ("failed", "hash_mismatch")


def test_deleted_and_recreated_is_superseded(base: Path) -> None:
    events = [bash(f"rm {APP}"), wrote(APP, "new\n")]
    (base / APP).write_text("new\n")
    assert one(base, delete(APP), events=events)[0] == "superseded"


def test_a_file_removed_with_its_folder_is_superseded(base: Path) -> None:
    events = [wrote("build/a.txt", "x"), bash("rm -rf build")]
    assert one(base, write("build/a.txt", "x"), events=events) == (
        "superseded",
        "file_not_found",
    )


def test_a_deletion_the_trace_has_not_and_the_state_refutes_fails(base: Path) -> None:
    events = [bash("ls")]
    assert one(base, delete(APP), events=events) == ("failed", "filesystem_mismatch")


def test_recorded_hashes_are_enough(base: Path) -> None:
    (base / "a.txt").write_text("two\n")
    events = [
        {"tool": "any", "writes": [{"path": "a.txt", "contentHash": sha("one\n")}]},
        {"tool": "any", "writes": [{"path": "a.txt", "content_hash": sha("two\n")}]},
    ]
    assert one(base, write("a.txt", "one\n"), events=events)[0] == "superseded"
    assert one(base, write("a.txt", "never\n"), events=events)[0] == "failed"


def test_white_space_alone_makes_no_claim_false(base: Path) -> None:
    """[RULINGS S2] An editor may have stripped trailing blanks on saving."""
    written = "first  \nsecond\t\n"
    (base / "a.txt").write_text("first\nsecond\n")
    assert one(base, write("a.txt", written), events=[wrote("a.txt", written)]) == (
        "unverified",
        "whitespace_only",
    )


def test_tools_that_worked_elsewhere_are_understood(base: Path) -> None:
    """In a container the project has another root; absolute paths still name its files."""
    (base / "a.txt").write_text("two\n")
    events = [wrote("/testbed/a.txt", "one\n"), wrote("/testbed/a.txt", "two\n")]
    assert one(base, write("a.txt", "one\n"), events=events)[0] == "superseded"


def test_a_trace_that_is_not_complete_accuses_nobody(base: Path) -> None:
    trace = ToolTrace([wrote("a.txt", "one\n")], complete=False)
    result = TaskVerifier().verify_sync(output(write("a.txt", "one\n")), trace, base)
    assert result.claims[0].status == "unverified"


def test_an_edit_in_an_unchanged_file_was_not_made(base: Path) -> None:
    """The claim describes the state before: the text stands there, and always did."""
    before = take_snapshot(base)
    already_there = greeting(OLD)
    assert one(base, already_there) == ("verified", None)
    assert one(base, already_there, before=before) == ("unverified", "filesystem_mismatch")
    shown = one(base, already_there, before=before, events=[bash("ls")])
    assert shown == ("failed", "filesystem_mismatch")


def test_an_edit_that_was_taken_back_is_claimed_in_vain(base: Path) -> None:
    """Without a snapshot it was once true; with one, nothing is left of it."""
    before = take_snapshot(base)
    there_and_back = [edited(APP, "'hi'", "'hello'"), edited(APP, "'hello'", "'hi'")]
    assert one(base, greeting(OLD), before=before, events=there_and_back)[0] == "verified"
    assert one(base, greeting(NEW), events=there_and_back)[0] == "superseded"
    assert one(base, greeting(NEW), before=before, events=there_and_back)[0] == "failed"


def test_the_same_words_written_elsewhere_later_accuse_nobody(base: Path) -> None:
    """The claim is of the first place, which was changed again; the last edit is of another."""
    (base / "a.txt").write_text("one\nX = 2\ntwo\nX = 1\n")
    events = [
        edited("a.txt", "one\nold\n", "one\nX = 1\n"),
        edited("a.txt", "one\nX = 1\n", "one\nX = 2\n"),
        edited("a.txt", "two\nold\n", "two\nX = 1\n"),
    ]
    claim = edit("a.txt", "one\n", "X = 1\n", "two")
    assert one(base, claim, events=events)[0] == "superseded"
    unknown_base = [bash("python x.py"), *events]
    assert one(base, claim, events=unknown_base)[0] != "failed"


def test_a_removal_is_not_mistaken_for_another(base: Path) -> None:
    (base / "a.txt").write_text("one\nfour\nfive\n")
    events = [
        edited("a.txt", "one\ntwo\nthree\n", "one\nthree\n"),
        edited("a.txt", "one\nthree\nfour\n", "one\nfour\n"),
        edited("a.txt", "\n\nfive", "\nfive"),
    ]
    claim = edit("a.txt", "one\n", "", "three")
    assert one(base, claim, events=events)[0] == "superseded"


def test_writing_the_same_again_is_no_lie(base: Path) -> None:
    before = take_snapshot(base)
    content = (base / APP).read_text()
    assert one(base, write(APP, content), before=before)[0] == "unverified"
    events = [wrote(APP, content)]
    assert one(base, write(APP, content), before=before, events=events)[0] == "verified"


def test_deleting_what_never_was_fails_where_a_trace_shows_that_nothing_was_made(
    base: Path,
) -> None:
    before = take_snapshot(base)
    made_and_removed = [wrote("tmp.py", "x"), bash("rm tmp.py")]
    assert one(base, delete("tmp.py"), before=before, events=made_and_removed)[0] == "verified"
    assert one(base, delete("tmp.py"), before=before, events=[bash("ls")])[0] == "failed"
    assert one(base, delete("tmp.py"), before=before, events=[bash("./x")])[0] == "verified"
    assert one(base, delete("tmp.py"), before=before)[0] == "unverified"
    (base / APP).unlink()
    assert one(base, delete(APP), before=before) == ("verified", None)


def test_an_unchanged_file_refutes_a_claim_whenever_it_is_checked(base: Path) -> None:
    before = take_snapshot(base)
    status = one(base, greeting(), before=before, assume_current=False)
    assert status == ("failed", "hash_mismatch")


def test_a_change_after_the_end_of_the_work_is_told_apart(base: Path) -> None:
    (base / "a.txt").write_text("done\n")
    after = take_snapshot(base)
    assert one(base, write("a.txt", "claimed\n"), after=after)[0] == "failed"
    (base / "a.txt").write_text("touched later\n")
    assert one(base, write("a.txt", "done\n"), after=after)[0] == "superseded"
    assert one(base, write("a.txt", "claimed\n"), after=after)[0] == "unverified"


def test_the_end_of_the_work_settles_what_a_trace_leaves_open(base: Path) -> None:
    events = [edited(APP, "'hi'", "'hello'"), bash("python tool.py")]
    assert one(base, greeting(), events=events)[0] == "unverified"
    assert one(base, greeting(), events=events, after=take_snapshot(base))[0] == "failed"


def test_a_blank_line_that_was_removed_is_not_there_because_one_was_written(base: Path) -> None:
    (base / "a.txt").write_text("one\n\ntwo\n")
    events = [edited("a.txt", "one\n\n\ntwo", "one\n\ntwo"), edited("a.txt", "x", "\n")]
    assert one(base, edit("a.txt", "one\n\n", "\n", "two"), events=events)[0] != "verified"


def test_a_shell_that_was_led_elsewhere_may_have_written_any_file_of_that_name(base: Path) -> None:
    """Shells keep their folder between calls: `app.py` may be `src/app.py`."""
    (base / APP).write_text("B\n")
    claim = write(APP, "A\n")
    moved = [wrote(APP, "A\n"), bash("cd src"), bash("echo B > app.py")]
    assert one(base, claim, events=moved)[0] == "unverified"
    stayed = [wrote(APP, "A\n"), bash("echo B > app.py")]
    assert one(base, claim, events=stayed)[0] == "failed"


def test_a_relative_path_from_an_unknown_folder_may_mean_several_files(base: Path) -> None:
    (base / APP).write_text("B\n")
    events = numbered([wrote(APP, "A\n"), wrote("app.py", "B\n")])
    for cwd, expected in ((None, "unverified"), (str(base), "failed"), ("/testbed", "failed")):
        trace = ToolTrace(events, cwd=cwd)
        result = TaskVerifier().verify_sync(output(write(APP, "A\n")), trace, base)
        assert result.claims[0].status == expected


def test_hooks_may_reformat_what_is_committed(base: Path) -> None:
    events = [edited(APP, "'hi'", "'hello'"), bash("git commit -am done")]
    assert one(base, greeting(), events=events) == ("unverified", "hash_mismatch")
    assert one(base, greeting(), events=[*events[:1], bash("npm run lint")])[0] == "unverified"
    assert one(base, greeting(), events=[*events[:1], bash("npm test")])[0] == "failed"
