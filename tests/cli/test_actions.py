"""`gw verify-output`, `gw snapshot`, `gw claims-from-trace`, `gw claims-from-text`."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli import main
from tests.actions.helpers import bash, edited, output, ran, refused, write
from tests.cli.conftest import Run

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """The command in this process: exit code, standard output, standard error."""

    def run(*arguments: str | Path, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["gw", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), *capsys.readouterr()

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "app.py").write_text("x = 1\n")
    (folder / "README.md").write_text("# Project\n")
    return folder


def put(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def put_trace(path: Path, *events: dict[str, Any]) -> Path:
    header = {"groundwire_trace": 1, "trace_id": "run"}
    numbered = [{"id": f"e{n}", **event} for n, event in enumerate(events, start=1)]
    return put(path, "\n".join(json.dumps(line) for line in (header, *numbered)))


def test_the_json_has_the_shape_of_the_design(call: Call, project: Path, tmp_path: Path) -> None:
    file = put(tmp_path / "out.json", output(write("app.py", "x = 1\n"), write("no.py", "")))
    code, printed, _ = call("verify-output", file, "--base-path", project, "--json")
    document = json.loads(printed)
    assert code == 1
    assert (document["valid"], document["level"]) == (False, 3)
    first, second = document["claims"]
    assert first.keys() >= {"type", "file_path", "status", "category", "detail"}
    assert (first["status"], second["status"]) == ("verified", "failed")
    assert document["errors"] == [
        {
            "level": 3,
            "category": "file_not_found",
            "message": "claims[1] file-write no.py: there is no such file",
        }
    ]


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([write("app.py", "x = 1\n")], 0),
        ([write("app.py", "x = 2\n")], 1),
        ([write("app.py", "x = 1\n"), ran("make", 0)], 3),
        ([write("app.py", "x = 2\n"), ran("make", 0)], 1),
        ([], 3),
    ],
)
def test_the_exit_code_tells_the_outcome(
    call: Call, project: Path, claims: list[Any], expected: int
) -> None:
    given = json.dumps(output(*claims))
    assert call("verify-output", "-", "--base-path", project, stdin=given)[0] == expected


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", 2, "standard input is empty"),
        ("{", 2, "standard input:1:2 is not valid JSON"),
        ("[1]", 2, "a list, not an object"),
        ("{}", 1, "summary is missing"),
        (json.dumps(output({"type": "file-teleport"})), 1, "'file-teleport' is not one of"),
        (json.dumps(output(write("../x", ""))), 1, "climbs out"),
    ],
)
def test_bad_output_is_named_and_never_a_traceback(
    call: Call, project: Path, text: str, code: int, words: str
) -> None:
    ended, printed, told = call("verify-output", "-", "--base-path", project, stdin=text)
    assert ended == code
    assert words in " ".join((printed + told).split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.json"], "nowhere.json cannot be read"),
        (["out.json", "--trace", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["out.json", "--trace", "out.json", "--trace-format", "x"], "no trace format 'x'. Known"),
        (["out.json", "--base-path", "nowhere"], "base path nowhere cannot be used"),
        (["out.json", "--before", "out.json"], "is not a snapshot"),
        (["out.json", "--schemas", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["out.json", "--sign-with", "nowhere.key"], "nowhere.key cannot be read"),
    ],
)
def test_bad_arguments_are_exit_2_and_named(
    call: Call, tmp_path: Path, arguments: list[str], words: str
) -> None:
    put(tmp_path / "out.json", output())
    code, _, told = call("verify-output", *arguments)
    assert code == 2
    assert words in told


def test_errors_are_json_when_json_is_asked_for(call: Call) -> None:
    code, printed, _ = call("verify-output", "nowhere.json", "--json")
    assert code == 2
    assert json.loads(printed)["error"]["code"] == "unreadable_source"


def test_a_trace_decides_and_warns(call: Call, project: Path, tmp_path: Path) -> None:
    trace = put_trace(
        tmp_path / "trace.jsonl",
        edited("app.py", "x = 0", "x = 1"),
        bash("make", 0),
    )
    given = json.dumps(output(ran("make", 0)))
    arguments = ("--base-path", project, "--trace", trace)
    code, printed, _ = call("verify-output", "-", *arguments, stdin=given)
    assert code == 0
    assert "unclaimed_write: event e1 wrote app.py" in " ".join(printed.split())


def test_verdicts_are_kept_in_the_audit_log(call: Call, project: Path) -> None:
    given = json.dumps(output(write("app.py", "no"), ran("make")))
    call("verify-output", "-", "--base-path", project, stdin=given)
    code, printed, _ = call("audit-log", "--json", "--status", "failed")
    [row] = json.loads(printed)
    assert code == 0
    assert (row["operation"], row["claim"]) == ("verify-output", "file-write app.py")
    _, printed, _ = call("metrics")
    assert 'action_claims_total{status="failed",type="file-write"}' in printed


def test_a_snapshot_is_taken_and_compared(call: Call, project: Path, tmp_path: Path) -> None:
    taken = tmp_path / "before.json"
    code, printed, _ = call("snapshot", project, "--out", taken, "--json")
    assert code == 0
    assert json.loads(printed)["files"] == 2
    assert call("snapshot", project, "--compare", taken)[0] == 0
    (project / "app.py").write_text("x = 2\n")
    trace = put_trace(tmp_path / "t.jsonl", edited("app.py", "x = 1", "x = 2"))
    code, printed, _ = call("snapshot", project, "--compare", taken, "--trace", trace)
    assert code == 1
    assert "modified app.py  by event e1" in printed
    given = json.dumps(output({"type": "file-changed", "file_path": "README.md"}))
    options = ("--base-path", project, "--before", taken)
    assert call("verify-output", "-", *options, stdin=given)[0] == 1


def test_a_snapshot_of_another_folder_is_not_compared(
    call: Call, project: Path, tmp_path: Path
) -> None:
    """It would list every file as new or gone; by another way to the same folder it is its own."""
    taken, other, link = tmp_path / "before.json", tmp_path / "other", tmp_path / "link"
    assert call("snapshot", project, "--out", taken)[0] == 0
    other.mkdir()
    code, printed, told = call("snapshot", other, "--compare", taken)
    assert code == 2
    assert printed == ""
    assert "was taken of" in told
    link.symlink_to(project)
    assert call("snapshot", link, "--compare", taken)[0] == 0


def test_a_snapshot_finds_its_own_place(call: Call, project: Path, own_home: Path) -> None:
    _, printed, _ = call("snapshot", project)
    [written] = (own_home / "snapshots").iterdir()
    assert written.name in printed.replace("\n", "")


def test_claims_are_derived_and_hold(call: Call, project: Path, tmp_path: Path) -> None:
    trace = put_trace(
        tmp_path / "trace.jsonl",
        edited("app.py", "x = 0", "x = 1"),
        bash("pytest -q", 0, "1 passed"),
    )
    code, printed, _ = call("claims-from-trace", trace, "--base-path", project, "--json")
    assert code == 0
    assert json.loads(printed)["trace_ref"] == "trace:run"
    options = ("--base-path", project, "--trace", trace)
    assert call("verify-output", "-", *options, stdin=printed)[0] == 0
    assert call("claims-from-trace", trace, "--base-path", project, "--verify")[0] == 0


def test_claims_are_found_in_prose(call: Call, project: Path, tmp_path: Path) -> None:
    trace = put_trace(
        tmp_path / "trace.jsonl",
        edited("app.py", "x = 0", "x = 1"),
        refused("README.md", "a", "b"),
    )
    said = "I updated `app.py` and the README."
    options = ("--base-path", project, "--trace", trace)
    code, printed, _ = call("claims-from-text", "-", *options, "--json", stdin=said)
    assert code == 0
    claims = json.loads(printed)["claims"]
    assert [claim["file_path"] for claim in claims] == ["app.py", "README.md"]
    assert said[claims[0]["said"]["start"] :].startswith("I updated")
    assert call("claims-from-text", "-", *options, "--verify", stdin=said)[0] == 1
    assert call("claims-from-text", "-", *options, stdin="Hello.")[0] == 3


@pytest.mark.parametrize("content", [b"\0", b"I updated `app.py`.\0", "I ran it.".encode("utf-16")])
def test_a_report_that_is_no_text_is_refused(call: Call, tmp_path: Path, content: bytes) -> None:
    """What cannot be read says nothing, and is not found to say nothing."""
    (tmp_path / "report").write_bytes(content)
    code, printed, told = call("claims-from-text", tmp_path / "report")
    assert (code, printed) == (2, "")
    assert "report is not UTF-8 text" in told


def test_a_verdict_is_signed_and_believed_once(call: Call, project: Path, tmp_path: Path) -> None:
    key = put(tmp_path / "key", "00112233445566778899aabbccddeeff" * 2)
    key.chmod(0o600)
    out = put(tmp_path / "out.json", output(write("app.py", "x = 1\n")))
    options = ("--base-path", project, "--sign-with", key, "--nonce", "question-1")
    code, printed, _ = call("verify-output", out, *options)
    assert code == 0
    signed = put(tmp_path / "signed.json", printed)
    check = ("--check-signature", key, "--nonce", "question-1", "--for-output", out)
    assert call("verify-output", signed, *check)[0] == 0
    code, _, told = call("verify-output", signed, *check)
    assert (code, "replay" in told) == (1, True)
    forged = put(tmp_path / "forged.json", printed.replace('"superseded": 0', '"superseded": 5'))
    code, _, told = call("verify-output", forged, *check)
    assert (code, "changed or forged" in told) == (1, True)


def test_a_key_others_can_read_is_warned_of(call: Call, project: Path, tmp_path: Path) -> None:
    key = put(tmp_path / "key", "ab" * 32)
    key.chmod(0o644)
    options = ("--base-path", project, "--sign-with", key)
    _, _, told = call("verify-output", "-", *options, stdin=json.dumps(output()))
    assert "can be read by others" in told
    assert "abab" not in told


def test_tool_outputs_are_checked_by_a_manifest(call: Call, project: Path, tmp_path: Path) -> None:
    manifest = put(
        tmp_path / "tools.json",
        {"tools": {"search": {"output_schema": {"type": "object", "required": ["hits"]}}}},
    )
    trace = put_trace(tmp_path / "t.jsonl", {"tool": "search", "result": {"documents": []}})
    options = ("--base-path", project, "--trace", trace, "--schemas", manifest, "--json")
    code, printed, _ = call("verify-output", "-", *options, stdin=json.dumps(output()))
    assert code == 1
    assert json.loads(printed)["level"] == 2
    assert json.loads(printed)["errors"][0]["category"] == "schema_mismatch"


def test_assume_current_can_be_switched_off(call: Call, project: Path) -> None:
    given = json.dumps(output(write("app.py", "x = 2\n")))
    options = ("--base-path", project, "--no-assume-current")
    assert call("verify-output", "-", *options, stdin=given)[0] == 3


def test_the_real_command_runs_in_a_process_of_its_own(gw: Run, project: Path) -> None:
    given = json.dumps(output(write("app.py", "x = 1\n")))
    done = gw("verify-output", "-", "--base-path", str(project), stdin=given)
    assert done.returncode == 0
    assert "Valid: 1 verified" in done.stdout


def test_a_home_that_cannot_be_written_costs_the_record_not_the_verdict(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", "/proc/nowhere")
    given = json.dumps(output(write("app.py", "x = 1\n")))
    code, _, told = call("verify-output", "-", "--base-path", project, stdin=given)
    assert code == 0
    assert "The verdicts were not kept" in told


def test_half_characters_in_a_trace_are_shown_as_escapes(
    call: Call, project: Path, tmp_path: Path
) -> None:
    trace = put_trace(
        tmp_path / "t.jsonl",
        {"tool": "Write", "arguments": {"file_path": "\ud800", "content": "\ud800"}},
    )
    options = ("--base-path", project, "--trace", trace, "--json")
    given = json.dumps(output(write("app.py", "x = 1\n")))
    code, printed, _ = call("verify-output", "-", *options, stdin=given)
    assert code == 0
    assert json.loads(printed)["warnings"][0]["file_path"] == "\\ud800"


def test_control_characters_of_others_never_reach_a_terminal(call: Call, tmp_path: Path) -> None:
    """Reports, file names, commands, transcripts and paths may hold orders for a terminal."""
    base = tmp_path / "base"
    base.mkdir()
    (base / "evil\x1b[31m.py").touch()
    report = "I updated `a\x1b[31m.py`. I ran `ls \x1b]0;x\x07\x9b31m`.\n"
    handed_in = output(
        ran("ls \x1b]52;c;aGk=\x07\x9b"), {"type": "file-changed", "file_path": "\x1b.py"}
    )
    handed_in |= {"summary": report, "trace_ref": "trace:x\x1b[2J"}
    (tmp_path / "output.json").write_text(json.dumps(handed_in))
    (tmp_path / "report.md").write_text(report)
    event = {
        "id": "e\x1b[2J",
        "tool": "Write",
        "arguments": {"file_path": "b\x1b.py", "content": "x"},
    }
    header = {"groundwire_trace": 1, "trace_id": "a\x1b[31m"}
    trace = tmp_path / "trace.jsonl"
    trace.write_text(f"{json.dumps(header)}\n{json.dumps(event)}\n")
    told = [
        call(*command, *more)
        for command in (
            ("verify-output", tmp_path / "output.json", "--trace", trace, "--base-path", base),
            ("claims-from-text", tmp_path / "report.md", "--base-path", base, "--verify"),
            ("snapshot", base, "--out", tmp_path / "s.json"),
            ("claims-from-trace", trace),
        )
        for more in ((), ("--json",))
    ]
    told.append(call("verify-output", "no\x1b[31m.json"))
    shown = "".join(out + err for _, out, err in told)
    assert not set(shown) & {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160))}


def test_what_of_a_report_was_not_checked_is_shown(call: Call, tmp_path: Path) -> None:
    """Counted by reason, so that nothing is left out in silence."""
    handed_in = output() | {"summary": "I will add tests. You created `a.py`. Deleted `b.py`."}
    (tmp_path / "output.json").write_text(json.dumps(handed_in))
    _, shown, _ = call("verify-output", tmp_path / "output.json", "--base-path", tmp_path)
    assert "1 of 3 sentences checked; not checked: 1 plan, 1 other_subject" in " ".join(
        shown.split()
    )


def test_a_line_break_in_a_file_name_begins_no_line(
    call: Call, project: Path, tmp_path: Path
) -> None:
    """A name cannot forge the line that tells how many files changed."""
    taken = tmp_path / "s.json"
    call("snapshot", project, "--out", taken)
    (project / "a\n0 files changed.").write_text("x")
    code, shown, _ = call("snapshot", project, "--compare", taken)
    assert code == 1
    assert shown.splitlines() == ["added    a\ufffd0 files changed.", "1 file changed."]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["claims-from-text", "INPUT"],
        ["claims-from-text", "doc.md", "--before", "INPUT"],
        ["claims-from-text", "doc.md", "--trace", "INPUT"],
        ["claims-from-trace", "INPUT"],
        ["verify-output", "INPUT"],
        ["verify-output", "out.json", "--after", "INPUT"],
        ["verify-output", "out.json", "--schemas", "INPUT"],
        ["verify-output", "out.json", "--sign-with", "INPUT"],
        ["snapshot", ".", "--compare", "INPUT"],
        ["check", "INPUT", "--against", "doc.md"],
        ["check", "doc.md", "--conversation", "INPUT"],
        ["audit", "INPUT"],
        ["memory", "import", "INPUT"],
        ["diagnose", "INPUT", "--graph", "out.json"],
        ["diagnose", "doc.md", "--graph", "INPUT"],
        ["graph", "show", "INPUT"],
        ["vocabulary", "add", "INPUT"],
        ["eval", "compare", "INPUT", "INPUT"],
    ],
)
def test_input_that_is_no_file_is_refused_at_once(
    call: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    kind: str,
) -> None:
    """A pipe or a device would keep a command waiting for ever, whoever opens it."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "doc.md", "I wrote app.py.")
    put(tmp_path / "out.json", output())
    given = {"pipe": "pipe", "device": "/dev/zero", "folder": "folder"}[kind]
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    code, _, told = call(*(given if one == "INPUT" else one for one in arguments))
    assert code == 2
    assert given in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "doc.md", "--against", "pipe"],
        ["memory", "add", "It is so.", "--evidence", "pipe"],
        ["index", "pipe"],
        ["ask", "What?", "--index", "pipe"],
        ["ask", "What?", "--vocabulary", "pipe"],
        ["ground", "pipe", "--out", "g.json"],
        ["bench", "claims", "pipe"],
        ["bench", "traces", "pipe"],
    ],
)
def test_a_pipe_is_refused_where_folders_are_read(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """What takes files and folders takes nothing else."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "doc.md", "I wrote app.py.")
    os.mkfifo(tmp_path / "pipe")
    code, _, told = call(*arguments)
    assert code == 2
    assert "pipe is not a file but a pipe or a device" in told


@pytest.mark.parametrize(
    ("last", "why"),
    [('{"id": "e2", "to', "the last record is broken off"), ("x" * 3_000, "1 record")],
)
def test_a_trace_that_is_not_complete_is_told(
    call: Call, project: Path, tmp_path: Path, last: str, why: str
) -> None:
    """Nothing is refuted by what may be missing, so a person has to know of the gap."""
    trace = put_trace(tmp_path / "t.jsonl", edited("app.py", "x = 0", "x = 1"))
    tail = last if last.startswith("{") else json.dumps({"id": last}) + "\n" + '{"type": "x"}'
    trace.write_text(trace.read_text() + "\n" + tail)
    report = put(tmp_path / "r.md", "I changed app.py.")
    arguments = (report, "--trace", trace, "--base-path", project, "--verify")
    _, _, told = call("--set", "actions.max_event_mb=0.002", "claims-from-text", *arguments)
    assert f"The trace {trace} is not complete: " in told
    assert why in told


def test_a_row_without_a_file_shows_the_words_it_is_about(
    call: Call, project: Path, tmp_path: Path
) -> None:
    """Both an unbound claim and a sentence left out can be found again in the report."""
    far = "The weather \x1b[31mis fine " + "and fair " * 30 + "today."
    report = put(tmp_path / "r.md", f"I fixed the thing everywhere. {far}")
    _, shown, _ = call("claims-from-text", report, "--base-path", project, "--verify")
    flat = " ".join(shown.split())
    assert "“I fixed the thing" in flat
    assert "no_deed: “The weather \ufffd[31mis fine and fair" in flat
    assert "today." not in shown
