"""What a report says was put into a file, taken out of it or renamed in it, beside "changed"."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import (
    Directory,
    TaskVerifier,
    claims_from_text,
    history_of,
    take_snapshot,
)
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, edited, numbered, output, wrote

APP = (
    "MAX_RETRIES = 3\n\n\ndef load(path):\n    return path\n\n\n"
    "def retry(fn):\n    # to save time\n    return fn()\n"
)
BUMP = edited("src/app.py", "MAX_RETRIES = 3", "MAX_RETRIES = 5")
RENAME = edited("src/app.py", "def load(path):", "def read(path):")
DROP = edited("src/app.py", "\n\ndef retry(fn):\n    # to save time\n    return fn()\n", "\n")
ADD = edited("src/app.py", "MAX_RETRIES = 3\n", "MAX_RETRIES = 3\n\n\ndef store(path): ...\n")


def statuses(base: Path, report: str, *events: dict[str, Any], snapshot: bool) -> set[str]:
    """How the claims of a report end, after the edits of the events were made."""
    path = base / "src" / "app.py"
    path.write_text(APP)
    before = take_snapshot(base) if snapshot else None
    for event in events:
        given = event["arguments"]
        if "old_string" in given:
            path.write_text(path.read_text().replace(given["old_string"], given["new_string"]))
        elif "content" in given:
            path.write_text(given["content"])
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {claim.status for claim in result.claims}


@pytest.mark.parametrize("snapshot", [True, False])
@pytest.mark.parametrize(
    "report",
    [
        "I renamed `load` to `read` in `src/app.py`.",
        "`load` was renamed to `read` in `src/app.py`.",
        "I removed the function `retry` from `src/app.py`.",
        "Deleted `retry()` from `src/app.py`.",
        "The `retry` function was removed from `src/app.py`.",
        "- `src/app.py`: removed the function `retry`",
        "Added save_all() to src/app.py.",
        "I added a function `store` to `src/app.py`.",
        "I added the functions `load` and `store` to `src/app.py`.",
        "A new method `store` has been added to `src/app.py`.",
        "Ich habe die Funktion `store` in `src/app.py` hinzugef\u00fcgt.",
        "Ich habe die Funktion `retry` aus `src/app.py` entfernt.",
    ],
)
def test_a_change_elsewhere_in_the_file_does_not_show_what_is_said_of_a_name(
    base: Path, report: str, *, snapshot: bool
) -> None:
    """What was not put in, taken out or renamed is refuted, whatever else was edited."""
    found = statuses(base, report, BUMP, snapshot=snapshot)
    assert "failed" in found
    assert "verified" not in found


@pytest.mark.parametrize("snapshot", [True, False])
@pytest.mark.parametrize(
    ("report", "event"),
    [
        ("I renamed `load` to `read` in `src/app.py`.", RENAME),
        ("I removed the function `retry` from `src/app.py`.", DROP),
        ("The `retry` function was removed from `src/app.py`.", DROP),
        # was read as the removal of the file
        ("| File | Change |\n|---|---|\n| `src/app.py` | removed `retry` |", DROP),
        ("I added a function `store` to `src/app.py`.", ADD),
        ("I added `store()` to `src/app.py`.", ADD),
        ("I changed `MAX_RETRIES` in `src/app.py`.", BUMP),
    ],
)
def test_what_was_done_to_a_name_is_accused_of_nothing(
    base: Path, report: str, event: dict[str, Any], *, snapshot: bool
) -> None:
    found = statuses(base, report, event, snapshot=snapshot)
    assert "failed" not in found
    assert "verified" in found


@pytest.mark.parametrize(
    "report",
    [
        "I added a function `save` to `src/app.py`.",  # a comment has the word, before and after
        "I removed the second `retry` from `src/app.py`.",
        "I removed the calls of `retry` from `src/app.py`.",
        "I added a `null` check to `src/app.py`.",
        "I added error handling for `load` to `src/app.py`.",
        "| File | Change |\n|---|---|\n| `src/app.py` | removed `retry` |",
    ],
)
def test_what_cannot_be_told_of_a_name_is_open(base: Path, report: str) -> None:
    """Neither fine because the file was changed, nor refuted by what the words may not mean."""
    found = statuses(base, report, BUMP, snapshot=True)
    assert "failed" not in found
    assert "unverified" in found


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("I added `store` to `src/app.py`.", [ADD, wrote("src/app.py", APP)]),
        ("I removed `retry` from `src/app.py`.", [DROP, wrote("src/app.py", APP + "\n")]),
        (
            "I removed `retry` from `src/app.py`.",
            [edited("src/app.py", "def retry(fn):", "def retry(f):")],
        ),
    ],
)
def test_what_a_later_write_took_back_is_not_called_false(
    base: Path, report: str, events: list[dict[str, Any]]
) -> None:
    """Nor is one refuted of which some line has gone: which is meant is not certain."""
    found = statuses(base, report, *events, snapshot=False)
    assert "failed" not in found


def test_what_a_program_may_have_done_to_a_name_is_open(base: Path) -> None:
    """Without the text from before, a program nobody knows may have made the change."""
    report = "I removed the function `retry` from `src/app.py`."
    found = statuses(base, report, BUMP, bash("./fix.sh"), snapshot=False)
    assert found == {"unverified"}


def test_another_file_named_beside_it_is_no_part_of_a_file(base: Path) -> None:
    """ "I wrote the executable `app` and `src/app.py`" says nothing of what stands in either."""
    (base / "app").write_text("x")
    report = "I wrote the executable `app` and `src/app.py`."
    events = [wrote("app", "x"), BUMP]
    path = base / "src" / "app.py"
    path.write_text(APP.replace("= 3", "= 5"))
    trace = ToolTrace(numbered(events), trace_id="run")
    with Directory(base) as tree:
        read = claims_from_text(report, tree=tree, history=history_of([trace], tree))
    assert [getattr(claim, "parts", ()) for claim in read.claims if claim.type == "file-changed"]
    assert not any(getattr(claim, "parts", ()) for claim in read.claims)


@pytest.mark.parametrize(("name", "status"), [("old", "verified"), ("other", "unverified")])
def test_a_command_that_names_what_it_changed_shows_it(base: Path, name: str, status: str) -> None:
    """Where the text from before is nowhere; what the command does not name stays open."""
    (base / "a.txt").write_text("old other\n")
    before = take_snapshot(base)
    (base / "a.txt").write_text("new other\n")
    trace = ToolTrace(numbered([bash("sed -i s/old/new/ a.txt")]), trace_id="run")
    claim = {"type": "file-changed", "file_path": "a.txt", "parts": [name]}
    result = TaskVerifier().verify_sync(output(claim), [trace], base, before=before)
    assert [one.status for one in result.claims] == [status]


@pytest.mark.parametrize(("value", "status"), [("5", "verified"), ("7", "unverified")])
def test_a_value_it_was_set_to_must_stand_there(base: Path, value: str, status: str) -> None:
    """That the constant was changed does not show to what."""
    report = f"I changed `MAX_RETRIES` from 3 to {value} in `src/app.py`."
    assert statuses(base, report, BUMP, snapshot=True) == {status}
