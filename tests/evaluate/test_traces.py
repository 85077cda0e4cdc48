"""The account of every transcript of a folder."""

import json
import os
import tarfile
from io import BytesIO
from pathlib import Path

from typer.testing import CliRunner

from groundwire.cli._main import app
from groundwire.config import ActionsSection
from groundwire.evaluate import benchmark_traces

CALL = {
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "1", "name": "Bash", "input": {}}],
}
ANSWER = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}]}


def folder_of(tmp_path: Path) -> Path:
    """One file that is whole, one in an archive that is not, one that is no transcript."""
    (tmp_path / "whole.json").write_text(json.dumps([CALL, ANSWER]))
    (tmp_path / "notes.txt").write_text("nothing of the kind\n")
    data = json.dumps([CALL]).encode()
    with tarfile.open(tmp_path / "more.tar.xz", "w:xz") as archive:
        member = tarfile.TarInfo("../open\x1b.json")
        member.size = len(data)
        archive.addfile(member, BytesIO(data))
    return tmp_path


def test_every_file_is_read_or_refused_with_a_reason(tmp_path: Path) -> None:
    report = benchmark_traces(folder_of(tmp_path), ActionsSection())
    told = {file.path: (file.is_read, file.complete, file.reason) for file in report.files}
    assert told == {
        "whole.json": (True, True, ""),
        "notes.txt": (False, False, "notes.txt, line 1, is not JSON."),
        "more.tar.xz/../open\\x1b.json": (True, False, "1 call without a result"),
    }
    summary = report.summary
    assert (summary.files, summary.read, summary.calls, summary.paired) == (3, 2, 2, 1)
    assert summary.paired_share == 1.0
    assert set(report.formats) == {"anthropic", "refused"}


def test_the_command_tells_it_as_json(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["bench", "traces", str(folder_of(tmp_path)), "--json"])
    assert done.exit_code == 0
    files = json.loads(done.stdout)["files"]
    assert {"path", "format", "calls", "paired", "unread", "complete", "reason"} <= files[0].keys()


def test_every_entry_of_a_folder_is_read_or_refused(tmp_path: Path) -> None:
    """A link and a pipe are listed with the reason why they were not opened."""
    folder = folder_of(tmp_path)
    before = len(benchmark_traces(folder, ActionsSection()).files)
    (folder / "link.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    (folder / "folder-link").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.jsonl")
    report = benchmark_traces(folder, ActionsSection())
    refused = {one.path: one.reason for one in report.files if not one.is_read}
    assert refused["link.jsonl"] == refused["folder-link"] == "It is a link."
    assert refused["pipe.jsonl"] == "It is not a plain file."
    assert report.summary.files == before + 3
