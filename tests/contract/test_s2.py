"""S2, clause by clause, with what RULINGS decides. Details are tested beside the code."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import CATEGORIES, CLAIM_TYPES, SchemaRegistry, TaskVerifier
from tests.actions.helpers import (
    Json,
    bash,
    delete,
    edit,
    output,
    ran,
    refused,
    sha,
    write,
    wrote,
)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("one\ntwo\nthree\n")
    return tmp_path


def verify(base: Path, given: Any, trace: list[Json] | None = None, **options: Any) -> Any:
    """The call as S2 "Basic Verification" writes it, positional arguments included."""
    call = TaskVerifier().verify(given, trace, base, "implementer", "subtask-1", **options)
    return asyncio.run(call)


def test_s2_the_claim_types_of_the_specification_are_known() -> None:
    assert CLAIM_TYPES[:5] == (
        "file-write",
        "file-edit",
        "code-inserted",
        "file-delete",
        "command-executed",
    )


def test_s2_the_error_categories_are_those_of_the_table() -> None:
    assert CATEGORIES == (
        "missing_field",
        "invalid_type",
        "schema_mismatch",
        "hash_mismatch",
        "anchor_mismatch",
        "file_not_found",
        "filesystem_mismatch",
        "unknown",
    )


@pytest.mark.parametrize(
    ("given", "category"),
    [
        ({"traceRef": "trace:1"}, "missing_field"),
        ({"summary": "x"}, "missing_field"),
        ({"summary": 1, "traceRef": "trace:1"}, "invalid_type"),
        ({"summary": "x", "traceRef": "1"}, "invalid_type"),
    ],
)
def test_s2_level_1_catches(base: Path, given: Json, category: str) -> None:
    """[S2 level 1] Missing and mistyped fields of an output, by category."""
    result = verify(base, given)
    assert not result.valid
    assert (result.level, result.errors[0].category) == (1, category)


def test_s2_level_2_validates_tool_outputs_only_when_a_schema_is_registered(base: Path) -> None:
    """[S2 level 2] A tool without a schema is not judged; one with a schema is."""
    events = [{"tool": "mind:rag-query", "result": {"answer": "?"}}]
    assert verify(base, output(), events).valid
    registry = SchemaRegistry()
    registry.register("mind:rag-query", {"type": "object", "required": ["documents"]})
    result = TaskVerifier(schemas=registry).verify_sync(output(), events, base)
    assert (result.valid, result.level) == (False, 2)
    assert result.errors[0].category == "schema_mismatch"


@pytest.mark.parametrize("kind", ["file-edit", "code-inserted"])
def test_s2_an_edit_holds_by_its_ordered_anchors_and_the_hash_between(
    base: Path, kind: str
) -> None:
    def status(between: str) -> str:
        claim = {**edit("a.py", "one\n", between, "three"), "type": kind}
        found: str = verify(base, output(claim)).claims[0].status
        return found

    assert status("two\n") == "verified"
    assert status("2\n") == "failed"


@pytest.mark.parametrize(
    ("claim", "category"),
    [
        (write("a.py", "other"), "hash_mismatch"),
        (edit("a.py", "one\n", "2\n", "three"), "hash_mismatch"),
        (edit("a.py", "zero\n", "two\n", "three"), "anchor_mismatch"),
        (write("b.py", "x"), "file_not_found"),
        (delete("a.py"), "filesystem_mismatch"),
        (write("../b.py", "x"), "filesystem_mismatch"),
        (write("/etc/hosts", "x"), "filesystem_mismatch"),
    ],
)
def test_s2_level_3_tells_what_did_not_fit(base: Path, claim: Json, category: str) -> None:
    """[S2 level 3] Each way in which files refute a claim has its category."""
    result = verify(base, output(claim))
    assert (result.valid, result.level) == (False, 3)
    assert result.claims[0].category == category
    assert result.errors[0].category == category


def test_s2_every_claim_ends_in_one_of_four_ways(base: Path) -> None:
    (base / "b.py").write_text("new\n")
    trace = [wrote("b.py", "old\n"), wrote("b.py", "new\n"), bash("make", None)]
    claims = (write("b.py", "new\n"), write("b.py", "old\n"), write("b.py", "?"), ran("make", 0))
    result = verify(base, output(*claims), trace)
    assert [claim.status for claim in result.claims] == [
        "verified",
        "superseded",
        "failed",
        "unverified",
    ]


def test_s2_superseded_and_unverified_leave_the_output_valid(base: Path) -> None:
    (base / "b.py").write_text("new\n")
    trace = [wrote("b.py", "old\n"), wrote("b.py", "new\n"), bash("make", None)]
    assert verify(base, output(write("b.py", "old\n"), ran("make", 0)), trace).valid


def test_s2_a_mismatch_is_judged_by_whether_anything_was_written_since(base: Path) -> None:
    claim = write("a.py", "other")
    assert verify(base, output(claim)).claims[0].status == "failed"
    later = verify(base, output(claim), assume_current=False).claims[0]
    assert (later.status, later.category) == ("unverified", "hash_mismatch")
    nothing_after = verify(base, output(claim), [wrote("a.py", "other")], assume_current=False)
    assert nothing_after.claims[0].status == "failed"


def test_s2_a_refused_edit_claimed_as_done_fails(base: Path) -> None:
    trace = [refused("a.py", "two", "2")]
    result = verify(base, output(edit("a.py", "one\n", "2\n", "three")), trace)
    assert result.claims[0].status == "failed"


@pytest.mark.parametrize(
    ("trace_ref", "category"),
    [("trace:run", None), ("trace:other", "unknown"), ("", "missing_field")],
)
def test_s2_a_trace_reference_must_resolve_where_traces_are_given(
    base: Path, trace_ref: str, category: str | None
) -> None:
    from groundwire.traces import ToolTrace

    trace = ToolTrace([], trace_id="run")
    result = TaskVerifier().verify_sync(output(trace_ref=trace_ref), trace, base)
    assert [error.category for error in result.errors] == ([category] if category else [])


def test_s2_metrics_can_be_read_and_cleared(base: Path) -> None:
    """[S2 metrics] By level, by specialist and by category, as the document shows them."""
    verifier = TaskVerifier()
    verifier.verify_sync(output(write("a.py", "x")), None, base, "implementer", "subtask-1")
    read = verifier.get_metrics().model_dump()
    assert read.keys() >= {
        "total_checks",
        "pass_rate",
        "by_level",
        "by_specialist",
        "errors_by_category",
    }
    assert read["by_level"].keys() == {1, 2, 3}
    assert read["by_specialist"]["implementer"] == {"total": 1, "passed": 0, "failed": 1}
    verifier.clear_metrics()
    assert verifier.get_metrics().total_checks == 0


def test_s2_hashes_are_of_the_content(base: Path) -> None:
    assert write("a.py", "one\ntwo\nthree\n")["content_hash"] == sha("one\ntwo\nthree\n")
    assert verify(base, output(write("a.py", "one\ntwo\nthree\n"))).claims[0].status == "verified"
