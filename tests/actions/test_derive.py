from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from groundwire.actions import (
    Content,
    Directory,
    TaskVerifier,
    claims_for_change,
    claims_from_trace,
    compress,
    history_of,
)
from groundwire.actions._claim_matches_state import fits_content
from groundwire.traces import ToolTrace
from tests.actions.helpers import (
    Json,
    bash,
    edited,
    numbered,
    refused,
    wrote,
)


def derived(base: Path, events: list[Json]) -> list[tuple[str, str, str]]:
    """Type, object and verdict of each claim derived from a trace."""
    trace = ToolTrace(numbered(events), trace_id="run")
    with Directory(base) as tree:

        def text_of(path: str) -> str | None:
            content = tree.look(path).content
            return content.texts[0] if content else None

        output = claims_from_trace(history_of([trace], tree), trace_id="run", text_of=text_of)
    result = TaskVerifier().verify_sync(output, trace, base)
    return [
        (claim.type, claim.file_path or claim.command or "", claim.status)
        for claim in result.claims
    ]


def test_what_the_tools_did_is_claimed_and_holds(base: Path) -> None:
    (base / "a.txt").write_text("two\n")
    (base / "src" / "app.py").write_text("def greet():\n    return 'hello'\n")
    (base / "README.md").unlink()
    events = [
        wrote("a.txt", "one\n"),
        edited("a.txt", "one", "two"),
        edited("src/app.py", "'hi'", "'hello'"),
        bash("rm README.md"),
        bash("ls"),
        bash("pytest -q", 0, "1 passed"),
    ]
    assert derived(base, events) == [
        ("file-write", "a.txt", "verified"),
        ("file-edit", "src/app.py", "verified"),
        ("file-delete", "README.md", "verified"),
        ("command-executed", "rm README.md", "verified"),
        ("command-executed", "pytest -q", "verified"),
        ("tests-pass", "", "verified"),
    ]


def test_refused_and_uncertain_changes_are_not_claimed(base: Path) -> None:
    events = [refused("README.md", "a", "b"), bash("rm README.md", 1)]
    assert derived(base, events) == [("command-executed", "rm README.md", "verified")]


def test_a_recorded_write_that_is_not_in_the_file_is_found(base: Path) -> None:
    (base / "a.txt").write_text("something else\n")
    assert derived(base, [wrote("a.txt", "one\n")]) == [("file-write", "a.txt", "failed")]
    missing = edited("src/app.py", "'hi'", "'something that is not there'")
    assert derived(base, [missing]) == [("file-edit", "src/app.py", "failed")]


def test_a_test_run_before_the_last_edit_is_not_claimed_to_pass(base: Path) -> None:
    events = [bash("pytest", 0, "1 passed"), wrote("a.txt", "x")]
    (base / "a.txt").write_text("x")
    assert [claim[0] for claim in derived(base, events)] == ["file-write", "command-executed"]


@pytest.mark.parametrize("new", ["", "x"])
def test_an_edit_too_small_for_anchors_is_claimed_as_a_change(base: Path, new: str) -> None:
    [(kind, path, _)] = derived(base, [edited("src/app.py", "'hi'", new)])
    assert (kind, path) == ("file-changed", "src/app.py")


def test_large_edits_become_small_claims() -> None:
    """Anchors and hashes, never contents."""
    old = "".join(f"line {number}\n" for number in range(20_000))
    lines = old.splitlines(keepends=True)
    new = "".join([*lines[:5_000], "SECRET\n" * 9_000, *lines[15_000:]])
    [claim] = claims_for_change("big.txt", old, new)
    written = claim.model_dump_json()
    assert len(written) < 1_000
    assert "SECRET" not in written
    assert fits_content(claim, Content.of_text(new)).holds
    assert not fits_content(claim, Content.of_text(old)).holds


def test_a_file_changed_all_over_is_claimed_by_one_hash() -> None:
    old = "".join(f"line {number}\n" for number in range(300))
    new = old.replace("0\n", "0!\n")
    assert [claim.type for claim in claims_for_change("x", old, new)] == ["file-write"]
    assert [claim.type for claim in claims_for_change("x", None, "new\n")] == ["file-write"]
    assert [claim.type for claim in claims_for_change("x", "old\n", None)] == ["file-delete"]
    assert claims_for_change("x", "same\n", "same\n") == []


_lines = st.lists(st.sampled_from(["a", "b", "c", "  d", "", "long " * 60]), max_size=25)


@given(_lines, _lines)
def test_every_change_gives_claims_that_hold_after_it(old: list[str], new: list[str]) -> None:
    before = "".join(f"{line}\n" for line in old)
    after = "".join(f"{line}\n" for line in new)
    claims = claims_for_change("x", before, after)
    assert bool(claims) == (before != after)
    for claim in compress(claims):
        assert fits_content(claim, Content.of_text(after)).holds


def test_compression_shortens_anchors_and_drops_repeats() -> None:
    old = "".join(f"a rather long line with number {number}\n" for number in range(100))
    new = old.replace("number 50\n", "number fifty\n")
    [claim] = claims_for_change("x", old, new)
    start = new.index("a rather long line with number fifty")
    end = new.index("a rather long line with number 51")
    wide = claim.model_copy(
        update={
            "anchor": claim.anchor.model_copy(  # type: ignore[union-attr]
                update={"before_snippet": new[:start], "after_snippet": new[end:]}
            )
        }
    )
    small = compress([wide, wide])
    assert len(small) == 1
    assert len(small[0].model_dump_json()) < 800
    assert fits_content(small[0], Content.of_text(new)).holds
