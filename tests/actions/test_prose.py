"""What an agent's words assert; and, as important, what they do not."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from groundwire.actions import (
    Directory,
    SpecialistOutput,
    TaskVerifier,
    claims_from_text,
    history_of,
    take_snapshot,
)
from groundwire.actions._prose import read_report, statements
from groundwire.traces import ToolTrace
from tests.actions.helpers import Json, bash, edited, numbered, refused, wrote


def said(text: str) -> list[tuple[str, ...]]:
    """Kind and object of each statement."""
    return [
        (
            one.kind,
            *(thing.path for thing in one.things),
            *([one.command] if one.command else []),
            *([one.check] if one.kind == "passes" else []),
        )
        for one in statements(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I updated `src/app.py`.", [("changed", "src/app.py")]),
        ("Updated src/a.py and src/b.py", [("changed", "src/a.py"), ("changed", "src/b.py")]),
        ("I've refactored `a.py`, `b.py`, and `c.py`.", [("changed", f"{x}.py") for x in "abc"]),
        ("- **Created** `tests/test_a.py` for `src/a.py`", [("created", "tests/test_a.py")]),
        ("✅ Added a section to README.md", [("changed", "README.md")]),
        ("- [x] Deleted src/old.py", [("deleted", "src/old.py")]),
        ("Removed `a.py` from `.gitignore`", [("changed", ".gitignore")]),
        ("Removed the unused import in `b.py`", [("changed", "b.py")]),
        ("Renamed `a.ts` to `b.ts`.", [("moved", "a.ts", "b.ts")]),
        ("`x.py` has been updated.", [("changed", "x.py")]),
        ("Updated src/__init__.py and `a/__main__.py`",
         [("changed", "src/__init__.py"), ("changed", "a/__main__.py")]),
        ("*Updated* **`x.py`**", [("changed", "x.py")]),
        ("I also bumped the version in package.json", [("changed", "package.json")]),
        ("I updated the README and all tests pass.", [("changed", "README"), ("passes", "tests")]),
        ("The full test suite now passes.", [("passes", "tests")]),
        ("All 42 tests are green", [("passes", "tests")]),
        ("mypy is clean and the build succeeds", [("passes", "build"), ("passes", "types")]),
        ("I ran npm test, all green.", [("ran", "npm test")]),
        ("Ran `pytest -q` and everything passes.", [("ran", "pytest -q")]),
        ("I ran the tests.", [("tests_run",)]),
        ("Committed it and pushed to origin.", [("ran", "git commit"), ("ran", "git push")]),
        ("I did not change any tests.", [("unchanged",)]),
        ("No test files were modified.", [("unchanged",)]),
        ("I left `setup.cfg` untouched.", [("unchanged", "setup.cfg")]),
        ("I haven\u2019t touched `x.py`.", [("unchanged", "x.py")]),
        ("I didn\u2019t change any tests.", [("unchanged",)]),
        ("None of the tests were changed.", [("unchanged",)]),
        ("I updated `a.py`\nand all tests pass.", [("changed", "a.py"), ("passes", "tests")]),
        ("**Updated `x.py`**", [("changed", "x.py")]),
        ("The tests pass without errors.", [("passes", "tests")]),
        ("`config.yaml` does not exist.", [("absent", "config.yaml")]),
        ("`config.yaml` doesn\u2019t exist.", [("absent", "config.yaml")]),
        ("There is no Dockerfile.", [("absent", "Dockerfile")]),
        ("`config.yaml` already exists.", [("exists", "config.yaml")]),
        ("Removed the legacy module.", [("deleted", "legacy")]),
        ("Added tests.", [("added",)]),
        ("| Updated | `table.py` |", [("changed", "table.py")]),
    ],
)  # fmt: skip
def test_plain_statements_are_found(text: str, expected: list[tuple[str, ...]]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I will update setup.py next.",
        "You should run `make`.",
        "Next, update `a.py`.",
        "I tried to edit foo.py but it failed.",
        "If all tests pass, merge it.",
        "To make the tests pass, edit conftest.py.",
        "Most tests pass.",
        "The tests should pass now.",
        "Once the tests pass we can ship.",
        "Did I update `a.py`?",
        "The user updated `a.py` yesterday.",
        "You updated `a.py` before I started.",
        "Upstream removed `legacy.py`.",
        "- [ ] Updated `a.py`",
        "- [ ] Clean up. Updated `a.py`",
        "## Next steps\n\n- Updated `a.py`",
        "<!-- Updated `a.py` -->",
        "If the flag is set, `a.py` changes.",
        "This does not change `a.py`.",
        "I couldn\u2019t run it after changing `a.py`.",
        "> I deleted quote.py",
        "# Updated `heading.py`",
        "```\nUpdated `fake.py`\n```",
        "The function `update()` changed `x.value`.",
        "Please run `pytest`.",
        "Updated docs would help in `a.py`.",
        "I recommend that you delete `a.py`.",
        "See `src/app.py` for details.",
    ],
)
def test_plans_wishes_others_and_quotations_say_nothing(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "succeeded"),
    [
        ("I ran `pytest` and it passes.", True),
        ("I ran `pytest`: no errors.", True),
        ("I ran `pytest` but it did not pass.", False),
        ("I ran `pytest` with two errors.", False),
        ("I ran `pytest`.", False),
    ],
)
def test_a_run_succeeds_when_its_sentence_says_so(text: str, *, succeeded: bool) -> None:
    """A denied success is none, and a denied failure is one."""
    assert [one.succeeded for one in statements(text) if one.kind == "ran"] == [succeeded]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12/12 passing", [("passes", "tests")]),
        ("Everything is green.", [("passes", "tests")]),
        ("47 passed, 0 failed", [("passes", "tests")]),
        ("Tests: 12/12 passed", [("passes", "tests")]),
        ("Test suite: \u2705 passing", [("passes", "tests")]),
        ("All checks passed!", [("passes", "tests")]),
        ("No test failures.", [("passes", "tests")]),
        ("Ran the linter.", [("tests_run",)]),
        ("I opened PR #12.", [("pull_request",)]),
        ("Installed `requests` and `rich`.", [("installed", "requests"), ("installed", "rich")]),
        ("2 tests still fail.", [("fails",)]),
        ("`make test` exited with 2.", [("ran", "make test")]),
        ("`npm test` passes.", [("ran", "npm test")]),
        ("`a.py` contains `x = 1`.", [("contains", "a.py", "x = 1")]),
        ("`a.py` no longer raises `KeyError`.", [("lacks", "a.py", "KeyError")]),
        ("`a.py` was not changed.", [("unchanged", "a.py")]),
        ("`a.py` is as it was.", [("reverted", "a.py")]),
        ("`a.py` is still there.", [("exists", "a.py")]),
        ("`a.py` no longer exists.", [("absent", "a.py")]),
        ("I did not delete `a.py`.", [("exists", "a.py")]),
        ("All 4 tests were run and pass.", [("tests_run",), ("passes", "tests")]),
        ("I reverted `a.py`.", [("reverted", "a.py")]),
        ("I updated `a.py`, then reverted it.", [("changed", "a.py"), ("reverted", "a.py")]),
        ("`a.py` was updated.", [("changed", "a.py")]),
        ("`a.py` and `b.py` were updated to handle None.",
         [("changed", "a.py"), ("changed", "b.py")]),
        ("Renamed `a.py` \u2192 `b.py`.", [("moved", "a.py", "b.py")]),
        ("No changes were made.", [("unchanged",)]),
        ("No changes were made to `setup.py`.", [("unchanged", "setup.py")]),
        ("Changed 3 files.", [("counted",)]),
        ("3 files were modified", [("counted",)]),
        ("Ich habe `a.py` aktualisiert.", [("changed", "a.py")]),
        ("Die Datei `x.py` wurde gel\u00f6scht.", [("deleted", "x.py")]),
        ("`a.py` wurde nicht ge\u00e4ndert.", [("unchanged", "a.py")]),
        ("Alle 12 Tests sind gr\u00fcn.", [("passes", "tests")]),
        ("Ich habe die Tests ausgef\u00fchrt.", [("tests_run",)]),
        ("I changed these:\n\n- `a.py`: added a parser\n- `b.py`",
         [("changed", "a.py"), ("changed", "b.py")]),
        ("## Files created\n\n1. `a.py` - the parser", [("added", "a.py")]),
        ("- `a.py` (new)", [("created", "a.py")]),
        ("| File | Change |\n|---|---|\n| `a.py` | Retries |", [("changed", "a.py")]),
        ("| Check | Result |\n|---|---|\n| Unit tests | 12/12 pass |\n| Build | failed |",
         [("passes", "tests")]),
    ],
)  # fmt: skip
def test_what_agents_say_at_the_end_is_found(text: str, expected: list[tuple[str, ...]]) -> None:
    """Counts, tables, lists under a heading, passives, reverts, installations, German."""
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("You created `a.py`.", "other_subject"),
        ("The reviewer updated `a.py`.", "other_subject"),
        ("I did not deploy the service.", "denied"),
        ("I will update `a.py` next.", "plan"),
        ("I think the tests pass.", "supposed"),
        ("Did I update `a.py`?", "question"),
        ("> I deleted `a.py`", "quoted"),
        ("```\npytest\n```", "code"),
        ("## Summary", "heading"),
        ("The function returns None.", "no_deed"),
        ("Files to change:\n\n- `a.py`", "no_deed"),
    ],
)
def test_what_is_not_checked_is_listed_with_its_reason(text: str, reason: str) -> None:
    """Every sentence is accounted for."""
    found, coverage = read_report(text)
    assert found == []
    assert coverage.checked == 0
    assert coverage.left_out[-1].reason == reason
    assert coverage.sentences == len(coverage.left_out)


@given(st.text(alphabet="I updated`a.py` and\n-*#>[x]|., 'removed ran tests pass", max_size=120))
def test_every_sentence_is_checked_or_left_out(text: str) -> None:
    """No sentence is lost between the two."""
    _, coverage = read_report(text)
    assert coverage.sentences == coverage.checked + len(coverage.left_out)
    assert all(0 <= one.start < one.end <= len(text) for one in coverage.left_out)


def test_a_place_where_trouble_was_seen_is_not_certain() -> None:
    [fixed] = statements("Fixed the crash in `lib/core.py`.")
    assert not fixed.certain
    [old_story] = statements("`a.py` was removed.")
    assert (old_story.kind, old_story.certain) == ("absent", True)  # whoever removed it


@given(st.text(alphabet="I updated`a.py` and\n-*#>[x]., 'removed ran tests pass", max_size=120))
def test_places_are_those_of_the_text(text: str) -> None:
    for statement in statements(text):
        clause = statement.clause
        assert 0 <= clause.start <= clause.end <= len(text)
        assert text[clause.start : clause.end].strip() == text[clause.start : clause.end]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(claims_from_text(text), SpecialistOutput)


def claims(text: str, base: Path, events: list[Json] | None = None) -> list[tuple[str, str | None]]:
    with Directory(base) as tree:
        trace = ToolTrace(numbered(events)) if events is not None else None
        history = history_of([trace], tree) if trace else None
        found = claims_from_text(text, tree=tree, history=history)
    return [(claim.type, getattr(claim, "file_path", None)) for claim in found.claims]


def test_names_are_bound_to_the_files_they_mean(base: Path) -> None:
    assert claims("I updated the README.", base) == [("file-changed", "README.md")]
    assert claims("Updated app.py.", base) == [("file-changed", "src/app.py")]
    assert claims(f"Updated `{base}/src/app.py`.", base) == [("file-changed", "src/app.py")]
    assert claims("Created `src/new.py`.", base) == [("file-created", "src/new.py")]


def test_a_name_that_means_two_files_stays_unbound_unless_the_trace_tells(base: Path) -> None:
    (base / "lib").mkdir()
    (base / "lib" / "app.py").write_text("x")
    assert claims("Updated `app.py`.", base) == [("unbound", None)]
    events = [edited("lib/app.py", "x", "y")]
    assert claims("Updated `app.py`.", base, events) == [("file-changed", "lib/app.py")]


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.py", "~/notes.md"])
def test_a_name_outside_is_never_bound(base: Path, path: str) -> None:
    assert claims(f"Updated `{path}`.", base) == [("unbound", None)]


def test_a_module_is_found_by_its_name(base: Path) -> None:
    events = [bash("rm src/legacy.py")]
    assert claims("Removed the legacy module.", base, events) == [("file-delete", "src/legacy.py")]
    assert claims("Removed the legacy module.", base) == [("unbound", None)]


def test_a_folder_is_claimed_to_exist(base: Path) -> None:
    assert claims("Created the `src/` folder.", base) == [("file-exists", "src")]


def test_what_was_absent_before_it_was_made_is_not_claimed_absent(base: Path) -> None:
    text = "`new.py` does not exist, so I created `new.py`."
    assert claims(text, base, [wrote("new.py", "x")]) == [("file-created", "new.py")]


def test_the_same_said_twice_is_one_claim(base: Path) -> None:
    assert claims("Updated `src/app.py`.\n\nI updated `src/app.py`.", base) == [
        ("file-changed", "src/app.py")
    ]


def verdicts(text: str, base: Path, events: list[Json]) -> list[tuple[str, str]]:
    trace = ToolTrace(numbered(events))
    with Directory(base) as tree:
        found = claims_from_text(text, tree=tree, history=history_of([trace], tree))
    result = TaskVerifier().verify_sync(found, trace, base)
    return [(claim.type, claim.status) for claim in result.claims]


def test_a_report_is_verified_end_to_end(base: Path) -> None:
    text = "I updated the README and all tests pass. I ran npm test. I did not change any tests."
    events = [
        edited("src/app.py", "'hi'", "'hello'"),
        refused("README.md", "Hi", "Hello"),
        bash("pytest -q", 1, "1 failed"),
    ]
    assert verdicts(text, base, events) == [
        ("file-changed", "failed"),
        ("tests-pass", "failed"),
        ("command-executed", "failed"),
        ("files-unchanged", "verified"),
    ]


def test_an_honest_report_is_not_accused(base: Path) -> None:
    text = (
        "I updated `src/app.py` and the README, and all tests pass. Fixed the crash in"
        " `tests/test_app.py`. Ran `pytest -q`: all green. Removed the `old` helper."
    )
    events = [
        edited("src/app.py", "'hi'", "'hello'"),
        edited("README.md", "hi", "hello"),
        bash("pytest -q", 0, "3 passed"),
    ]
    assert "failed" not in {status for _, status in verdicts(text, base, events)}


def test_a_snapshot_knows_files_that_are_gone(base: Path) -> None:
    before = take_snapshot(base)
    (base / "src" / "app.py").unlink()
    with Directory(base) as tree:
        found = claims_from_text("Removed app.py.", tree=tree, before=before)
    assert [(claim.type, getattr(claim, "file_path", "")) for claim in found.claims] == [
        ("file-delete", "src/app.py")
    ]


def test_a_bare_name_nobody_knows_may_mean_a_file_elsewhere(base: Path) -> None:
    def status(text: str, events: list[Json] | None) -> str:
        trace = ToolTrace(numbered(events)) if events is not None else None
        with Directory(base) as tree:
            history = history_of([trace], tree) if trace else None
            found = claims_from_text(text, tree=tree, history=history)
        return TaskVerifier().verify_sync(found, trace, base).claims[0].status

    assert status("Created `notes.md`.", None) == "unverified"
    assert status("Created `docs/notes.md`.", None) == "failed"
    assert status("Created `notes.md`.", [bash("ls")]) == "failed"


@pytest.mark.parametrize(
    "said",
    [
        "Nothing but `a.py` was edited.",
        "Nothing except a.py has been changed.",
        "No file other than `a.py` was modified.",
        "Nothing besides a.py was touched.",
        "No files apart from `a.py` were changed.",
    ],
)
def test_nothing_but_a_file_names_the_one_that_was_changed(said: str) -> None:
    [found] = statements(said)
    assert (found.kind, found.is_whole) == ("unchanged", True)
    assert [thing.path for thing in found.things] == ["a.py"]
