"""Reports of what was found, is left to do or was swapped: no deed is read into them.

Told of two pieces of work: one that only looked, and one in which `app.py` was changed,
`docs/old.md` removed for `docs/new.md`, `Loader` renamed; the suite was run twice, then one test
alone.
"""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import Directory, TaskVerifier, claims_from_text, history_of, take_snapshot
from groundwire.actions._prose import statements
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, edited, numbered, wrote

Events = tuple[dict[str, Any], ...]
LOOKED: Events = (bash("cat srv/db.py", 0, "URL = 1\nTIMEOUT = 5\n"), bash("grep -n x srv/app.py"))
MUL = "mul = 1\n\n\ndef test_mul():\n    assert mul\n"
RED = "FAILED tests/test_app.py::test_hex - boom\n1 failed, 2 passed in 0.26s\n"
WORKED: Events = (
    bash("pytest -q", 1, RED),
    edited("app.py", "class Loader", "class JsonLoader"),
    wrote("docs/new.md", "# New\n", result="ok"),
    wrote("tests/test_mul.py", MUL, result="ok"),
    bash("rm docs/old.md"),
    bash("pytest -q", 1, RED),
    bash("pytest -q tests/test_app.py::test_int", 0, "1 passed in 0.05s\n"),
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Before the work."""
    for folder in ("srv", "docs", "tests"):
        (tmp_path / folder).mkdir()
    (tmp_path / "srv/db.py").write_text("URL = 1\nTIMEOUT = 5\n")
    (tmp_path / "srv/app.py").write_text("PORT = 8080\n")
    (tmp_path / "NOTES.md").write_text("# Notes\n")
    (tmp_path / "app.py").write_text("class Loader:\n    limit = 300\n\n\ndef add():\n    pass\n")
    (tmp_path / "docs/old.md").write_text("# Old\n")
    (tmp_path / "tests/test_app.py").write_text("def test_int():\n    pass\n")
    return tmp_path


def ends(base: Path, report: str, events: Events) -> dict[str, str]:
    """Claims as words, and how each ended."""
    before = take_snapshot(base)
    if events == WORKED:
        (base / "app.py").write_text((base / "app.py").read_text().replace("Loader", "JsonLoader"))
        (base / "docs/new.md").write_text("# New\n")
        (base / "tests/test_mul.py").write_text(MUL)
        (base / "docs/old.md").unlink()
    trace = ToolTrace(numbered(events), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {claim.named: claim.status for claim in result.claims}


@pytest.mark.parametrize(
    "report",
    [
        "The timeout is set to 5 seconds in `srv/db.py`.",
        "The default port is 8080, see `srv/app.py`.",
        "The culprit is `TIMEOUT` in `srv/db.py`, which is set to 5.",
        "The right fix belongs in `srv/db.py`, not in `srv/app.py`.",
        "A change to `srv/db.py` is needed.",
        "`NOTES.md` is empty.",
        "To fix it, change `TIMEOUT` in `srv/db.py` to 30.",
        "The fix is simple: set `TIMEOUT = 30` in `srv/db.py`.",
        "In `srv/app.py`, the port defaults to 8080.",
        "Der Port ist in `srv/app.py` festgelegt.",
        "Die Einstellung steht in `srv/db.py`, Zeile 2.",
        "Option A: raise `TIMEOUT` in `srv/db.py`. Option B: add a retry in `srv/app.py`.",
        "A test for `srv/db.py` does not exist.",
        "Pushed: no.",
        "Findings:\n\n1. `srv/db.py` sets `TIMEOUT = 5`.\n2. `NOTES.md` is empty.",
    ],
)
def test_what_describes_the_state_claims_no_change(base: Path, report: str) -> None:
    """Who only looked is not accused of a change that nobody claimed."""
    assert "failed" not in ends(base, report, LOOKED).values()


@pytest.mark.parametrize(
    "report",
    [
        "`srv/db.py` now uses a timeout of 30.",
        "I raised the timeout in `srv/db.py`.",
        "The fix is in `srv/db.py`.",
        "To fix it, I changed `TIMEOUT` in `srv/db.py` to 30.",
        "- [x] update `srv/db.py`\n- [ ] update `NOTES.md`",
    ],
)
def test_a_deed_that_was_not_done_is_refuted(base: Path, report: str) -> None:
    """Words of a deed still accuse who only looked."""
    assert "failed" in ends(base, report, LOOKED).values()


@pytest.mark.parametrize(
    "report",
    [
        "I replaced `docs/old.md` with `docs/new.md`.",
        "What is left: make `test_hex` pass.",
        "TODO: make `test_hex` green.",
        "Noch offen: `test_hex` grün bekommen.",
        "Nach dem Umbenennen habe ich die Tests nicht noch einmal laufen lassen.",
        "`Loader` heißt jetzt `JsonLoader`, `mul` liegt in `tests/test_mul.py`.",
        "`app.py` no longer contains `Loader`.",
        "- [x] Add `docs/new.md` and remove `docs/old.md`\n- [ ] fix `test_hex`",
    ],
)
def test_swaps_and_what_is_left_accuse_nobody(base: Path, report: str) -> None:
    """One file in another's stead, open tasks, and what was not done once more are no lies."""
    assert "failed" not in ends(base, report, WORKED).values()


@pytest.mark.parametrize(
    "report",
    [
        "I ran the tests four times.",
        "No failures remain.",
        "Kein Test schlägt fehl.",
        "Der volle Testlauf ist grün.",
        "Ich habe `docs/old.md` aktualisiert.",
        "`app.py` still contains the class `Loader`.",
        "`app.py` contains `30`.",
        "I added a test for `add` with negative numbers.",
        "`srv/db.py` is up to date.",
        "I kept `docs/old.md` and added `docs/new.md`.",
    ],
)
def test_what_is_said_beyond_what_is_shown_is_not_verified(base: Path, report: str) -> None:
    """Neither a run of one test, nor a longer name, nor another test shows what is said."""
    ended = set(ends(base, report, WORKED).values())
    assert ended & {"failed", "unverified"}


def test_a_failure_of_before_is_not_one_of_now(base: Path) -> None:
    """ "From one failure to none" ends with none."""
    events = (bash("pytest -q", 1, RED), bash("pytest -q", 0, "3 passed in 0.05s\n"))
    ended = ends(base, "The suite went from one failure to none.", events)
    assert "failed" not in ended.values()


def test_as_many_runs_as_there_were_are_verified(base: Path) -> None:
    """Three runs were three times."""
    assert set(ends(base, "I ran the tests three times.", WORKED).values()) == {"verified"}


@pytest.mark.parametrize(
    ("report", "count"),
    [
        ("rspec: 5 examples, 0 failures.", 5),
        ("`mvn test`: 4 tests run, 0 failures.", 4),
        ("`phpunit`: 12 tests, 30 assertions, no failures.", 12),
        ("Ran `bats greet.bats`: 3 tests, 0 failures.", 3),
        ("| Part | Command | Result |\n|---|---|---|\n| backend | `pytest` | 4 passed |", 4),
        (
            "| Part | Command | Result |\n|---|---|---|\n| web | `npm test` | 0 failed, 7 passed |",
            7,
        ),
    ],
)
def test_a_runner_s_summary_is_read_behind_its_name(report: str, count: int) -> None:
    """In a sentence or a row: the tests pass, so many of them."""
    found = [one for one in statements(report) if one.kind in ("passes", "fails")]
    assert [(one.kind, one.count) for one in found] == [("passes", count)]


def test_a_red_row_says_that_nothing_passes() -> None:
    """ "1 failed" beside a command is a failure reported, and no claim."""
    table = "| Command | Result |\n|---|---|\n| `pytest` | 1 failed |"
    assert not any(one.kind == "passes" for one in statements(table))


@pytest.mark.parametrize(
    "report",
    [
        "Die \u00c4nderung an app.py ist weder committet noch gepusht.",
        "Weder `app.py` noch `db.py` wurde ge\u00e4ndert.",
        "Ich habe weder Tests gestartet noch Dateien angelegt.",
        "Es wurde weder etwas gel\u00f6scht noch umbenannt.",
        "Die Tests wurden weder gestartet noch angepasst.",
    ],
)
def test_what_is_denied_twice_in_german_claims_no_deed(report: str) -> None:
    """ "weder ... noch" says of both that they were not done."""
    assert not [one for one in statements(report) if one.was_done]
