from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from groundwire.actions import CATEGORIES, SchemaRegistry, TaskVerifier
from groundwire.actions._result import MAX_SPECIALISTS, OTHERS
from groundwire.config import ActionsSection, parse_duration
from groundwire.errors import InputError
from groundwire.observe import METRICS, metrics
from groundwire.traces import ToolTrace
from tests.actions.helpers import (
    Json,
    bash,
    edit,
    edited,
    numbered,
    output,
    ran,
    refused,
    statuses,
    verify,
    write,
    wrote,
)


def test_valid_means_that_nothing_failed(base: Path) -> None:
    readme = (base / "README.md").read_text()
    assert verify(base, write("README.md", readme), ran("make")).valid
    assert not verify(base, write("README.md", readme), write("README.md", "x")).valid


def test_the_exit_code_says_what_could_be_told(base: Path) -> None:
    readme = write("README.md", (base / "README.md").read_text())
    assert verify(base, readme).exit_code == 0
    assert verify(base, readme, write("x", "")).exit_code == 1
    assert verify(base, readme, ran("make")).exit_code == 3
    assert verify(base, ran("make"), write("x", "")).exit_code == 1
    assert verify(base).exit_code == 3


def test_failed_claims_come_back_as_errors_with_their_place(base: Path) -> None:
    result = verify(base, write("README.md", "x"), write("no.py", "y"))
    assert [(error.level, error.category, error.message) for error in result.errors] == [
        (3, "hash_mismatch", "claims[0] file-write README.md: the content has another hash"),
        (3, "file_not_found", "claims[1] file-write no.py: there is no such file"),
    ]
    assert result.level == 3


@pytest.mark.parametrize(
    ("trace_ids", "valid"),
    [(["run"], True), (["other", "run"], True), (["other"], False), ([None], True)],
)
def test_a_trace_reference_must_name_a_given_trace(
    trace_ids: list[str | None],
    valid: bool,  # noqa: FBT001
) -> None:
    """[RULINGS S2] `unknown` for an unresolved one; a trace without a name cannot be told."""
    traces = [ToolTrace(trace_id=name) for name in trace_ids]
    result = TaskVerifier().verify_sync(output(), traces)
    assert result.valid is valid
    assert [error.category for error in result.errors] == ([] if valid else ["unknown"])


def test_writes_that_no_claim_mentions_are_warned_of(base: Path) -> None:
    """[RULINGS S2]"""
    (base / "a.txt").write_text("a")
    (base / "b.txt").write_text("b")
    events = [
        wrote("a.txt", "a"),
        wrote("b.txt", "b"),
        refused("README.md", "x", "y"),
        bash("rm src/app.py"),
        bash("cat README.md"),
    ]
    result = verify(base, write("a.txt", "a"), events=events)
    assert result.valid
    warned = [(warning.category, warning.file_path) for warning in result.warnings]
    assert warned == [("unclaimed_write", "b.txt"), ("unclaimed_write", "src/app.py")]


def test_a_claim_that_holds_without_a_recorded_write_is_warned_of(base: Path) -> None:
    readme = write("README.md", (base / "README.md").read_text())
    [warning] = verify(base, readme, events=[bash("ls")]).warnings
    assert (warning.category, warning.file_path) == ("unrecorded_write", "README.md")
    assert verify(base, readme, events=[bash("./x.sh")]).warnings == ()


def test_metrics_are_those_of_the_specification(base: Path) -> None:
    verifier = TaskVerifier()
    readme = write("README.md", (base / "README.md").read_text())
    for claims, specialist in (((readme,), "implementer"), ((write("x", ""),), "implementer")):
        verifier.verify_sync(output(*claims), None, base, specialist)
    verifier.verify_sync({"summary": "x"}, None, base, "tester")
    verifier.verify_sync(output(), None, base, "researcher")
    read = verifier.get_metrics()
    assert read.total_checks == 4
    assert read.pass_rate == 0.5
    assert (read.by_level[1].total, read.by_level[1].passed, read.by_level[1].failed) == (4, 3, 1)
    assert read.by_level[2].model_dump() == {
        "total": 0,
        "passed": 0,
        "failed": 0,
        "avg_duration_ms": 0.0,
    }
    assert (read.by_level[3].total, read.by_level[3].failed) == (2, 1)
    assert read.by_level[1].avg_duration_ms > 0
    assert read.by_specialist["implementer"].model_dump() == {"total": 2, "passed": 1, "failed": 1}
    assert set(read.errors_by_category) == set(CATEGORIES)
    assert read.errors_by_category["missing_field"] == 1
    assert read.errors_by_category["file_not_found"] == 1
    verifier.clear_metrics()
    assert verifier.get_metrics().total_checks == 0
    assert verifier.get_metrics().pass_rate is None


def test_the_same_is_counted_for_prometheus(base: Path) -> None:
    counted = metrics()
    labels = {"level": "3", "outcome": "failed"}
    before = counted.value("action_checks_total", **labels)
    verify(base, write("x", ""))
    assert counted.value("action_checks_total", **labels) == before + 1
    assert counted.value("action_claims_total", type="file-write", status="failed") >= 1
    assert counted.value("action_errors_total", category="file_not_found") >= 1
    assert counted.value("action_check_duration_ms_count", level="1") >= 1
    assert {name for name in METRICS if name.startswith("action_")} == {
        "action_verifications_total",
        "action_pass_rate",
        "action_checks_total",
        "action_check_duration_ms",
        "action_claims_total",
        "action_errors_total",
    }


def test_specialists_without_end_do_not_fill_the_memory() -> None:
    verifier = TaskVerifier()
    for number in range(MAX_SPECIALISTS + 20):
        verifier.verify_sync(output(), None, None, f"specialist-{number}")
    by_specialist = verifier.get_metrics().by_specialist
    assert len(by_specialist) == MAX_SPECIALISTS + 1
    assert by_specialist[OTHERS].total == 20


def test_ten_thousand_claims_are_one_call(base: Path) -> None:
    for number in range(50):
        (base / f"{number}.txt").write_text(f"content {number}\n")
    claims = [write(f"{n % 50}.txt", f"content {n % 50}\n") for n in range(9_999)]
    result = verify(base, *claims, write("0.txt", "other"))
    assert result.summary.verified == 9_999
    assert statuses(result)[-1] == "failed"


def test_the_state_hash_stands_for_what_was_looked_at(base: Path) -> None:
    claim = write("README.md", "x")
    first = verify(base, claim).state_hash
    assert verify(base, claim).state_hash == first
    (base / "README.md").write_text("changed")
    assert verify(base, claim).state_hash != first
    assert verify(base).state_hash is None


def test_verifications_run_side_by_side(base: Path) -> None:
    verifier = TaskVerifier()
    readme = write("README.md", (base / "README.md").read_text())

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(20):
                group.start_soon(verifier.verify, output(readme), None, base, "x", "y")

    anyio.run(all_at_once)
    assert verifier.get_metrics().pass_rate == 1.0
    assert verifier.get_metrics().total_checks == 20


def test_messages_and_events_are_taken_as_they_come(base: Path) -> None:
    """A list of plain events is a trace; so is a generator of them."""
    events = numbered([edited("src/app.py", "'hi'", "'hello'")])
    claim = {"type": "file-changed", "file_path": "src/app.py"}
    for trace in (events, iter(events), ToolTrace(events), (ToolTrace(events),)):
        result = TaskVerifier().verify_sync(output(claim), trace, base)
        assert result.claims[0].status == "verified"


def test_claims_past_the_time_limit_end_unverified(base: Path) -> None:
    at_once = ActionsSection(time_limit=parse_duration("0ms"))
    result = TaskVerifier(settings=at_once).verify_sync(output(write("x", "")), None, base)
    assert result.claims[0].status == "unverified"
    assert "time limit" in result.claims[0].detail
    assert result.claims[0].category == "not_looked_at"


def test_what_was_not_looked_at_is_not_valid(base: Path) -> None:
    """[RULINGS S2] It is counted, named, and nobody is accused of it."""
    at_once = ActionsSection(time_limit=parse_duration("0ms"))
    result = TaskVerifier(settings=at_once).verify_sync(output(write("x", "")), None, base)
    assert (result.valid, result.errors, result.exit_code) == (False, (), 3)
    assert result.summary.not_looked_at == 1


def test_the_summary_is_checked_beside_the_claims(base: Path) -> None:
    """[RULINGS S2] Prose and JSON are both checked; what both say counts once."""
    handed_in = output({"type": "file-changed", "file_path": "README.md"})
    handed_in["summary"] = "I updated README.md. I also deleted `src/app.py`."
    trace = [{"id": "1", "tool": "Write", "arguments": {"file_path": "README.md", "content": "x"}}]
    result = TaskVerifier().verify_sync(handed_in, trace, base)
    assert [(one.type, one.status) for one in result.claims] == [
        ("file-changed", "verified"),
        ("file-delete", "failed"),
    ]
    assert result.claims[1].said is not None
    assert (result.coverage.sentences, result.coverage.checked) == (2, 2)


def test_a_report_too_long_to_read_is_not_valid(base: Path) -> None:
    """The part that was not read is named."""
    handed_in = output()
    handed_in["summary"] = "Nothing to say. " * 40_000
    result = TaskVerifier().verify_sync(handed_in, None, base)
    assert not result.valid
    assert result.coverage.left_out[-1].reason == "too_long"


def test_a_trace_may_be_a_document(base: Path) -> None:
    document = {"groundwire_trace": 1, "trace_id": "run", "events": numbered([bash("make", 0)])}
    assert TaskVerifier().verify_sync(output(ran("make", 0)), document, base).valid
    other = document | {"trace_id": "other"}
    assert not TaskVerifier().verify_sync(output(ran("make", 0)), other, base).valid


@pytest.mark.parametrize("trace", ["trace.jsonl", Path("trace.jsonl"), {"trace_id": "run"}])
def test_what_is_no_trace_is_refused_with_a_hint(base: Path, trace: Any) -> None:
    with pytest.raises(InputError) as caught:
        TaskVerifier().verify_sync(output(), trace, base)
    assert caught.value.hint


def test_messages_are_not_mistaken_for_events(base: Path) -> None:
    message = {"role": "assistant", "content": "Done."}
    with pytest.raises(InputError, match="trace_from_openai"):
        TaskVerifier().verify_sync(output(), [message], base)


def test_a_registry_may_be_filled_after_it_was_given() -> None:
    registry = SchemaRegistry()
    verifier = TaskVerifier(schemas=registry)
    registry.register("search", {"type": "object"})
    assert not verifier.verify_sync(output(), [{"tool": "search", "result": []}]).valid


_words = st.sampled_from(
    [
        "Write",
        "Edit",
        "Bash",
        "apply_patch",
        "Read",
        "x",
        "a.py",
        "rm a.py",
        "\ud800",
        "../a",
        "",
        "|",
    ]
)
_value = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | _words,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["file_path", "path", "command", "content", "old_str", "new_str", "edits"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
_event = st.fixed_dictionaries(
    {"tool": _words},
    optional={"arguments": _value, "result": _value, "exit_code": st.integers(0, 2), "id": _words},
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.lists(_event, max_size=5))
def test_no_trace_breaks_the_verifier(base: Path, events: list[Json]) -> None:
    claims = (
        write("a.py", "x"),
        edit("src/app.py", "def", " greet", "("),
        {"type": "file-changed", "file_path": "a.py"},
        {"type": "files-unchanged", "patterns": ["**"]},
        ran("rm a.py", 0),
        {"type": "tests-pass"},
    )
    result = TaskVerifier().verify_sync(output(*claims), events, base)
    assert len(result.claims) == len(claims)
    result.model_dump_json()
