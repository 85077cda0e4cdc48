import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import take_snapshot, write_snapshot
from groundwire.agents import stop_hook
from tests.actions.helpers import output, write

MESSAGES = [
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "c1",
                    "name": "Edit",
                    "input": {"file_path": "README.md", "old_string": "x", "new_string": "y"},
                }
            ],
        },
    },
    {
        "type": "user",
        "message": {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": "String to replace not found in file.",
                    "is_error": True,
                }
            ],
        },
    },
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "README.md").write_text("# Project\n")
    return folder


def transcript(folder: Path, last: str) -> str:
    final = {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "text", "text": last}]},
    }
    path = folder.parent / "transcript.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in [*MESSAGES, final]))
    return str(path)


Hook = Callable[..., tuple[int, str, str]]


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hook:
    """Calls the hook as its command does; gives exit code, standard output and error."""

    def call(event: Any, *arguments: str) -> tuple[int, str, str]:
        text = event if isinstance(event, str) else json.dumps(event)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "argv", ["stop_hook", *arguments])
        code = stop_hook.main()
        return code, *capsys.readouterr()

    return call


def test_it_runs_as_a_command(project: Path) -> None:
    event = {"cwd": str(project), "message": "Created `src/a.py`."}
    done = subprocess.run(
        [sys.executable, "-m", "groundwire.agents.stop_hook"],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "file-created src/a.py" in done.stderr


def test_done_is_held_back_while_a_statement_is_false(project: Path, hook: Hook) -> None:
    event = {
        "cwd": str(project),
        "transcript_path": transcript(project, "Done. I updated the README."),
        "session_id": "s",
    }
    code, _, told = hook(event)
    assert code == 2
    assert "file-changed README.md" in told
    assert "refused" in told
    code, printed, _ = hook(event, "--json")
    assert code == 0
    assert json.loads(printed)["decision"] == "block"


def test_an_honest_agent_may_stop(project: Path, hook: Hook) -> None:
    event = {
        "cwd": str(project),
        "transcript_path": transcript(project, "I could not update the README."),
    }
    assert hook(event)[0] == 0


def test_what_cannot_be_told_holds_nobody_back(project: Path, hook: Hook) -> None:
    message = "I updated the README and all tests pass."
    assert hook({"cwd": str(project), "message": message})[0] == 0
    assert hook({"cwd": str(project)})[0] == 0


def test_a_structured_output_is_verified_as_such(project: Path, hook: Hook) -> None:
    false = output(write("README.md", "other\n"))
    assert hook({"cwd": str(project), "output": false})[0] == 2
    inside = f"All done.\n\n```json\n{json.dumps(false)}\n```\n"
    assert hook({"cwd": str(project), "message": inside})[0] == 2
    true = output(write("README.md", "# Project\n"))
    assert hook({"cwd": str(project), "output": true})[0] == 0


@pytest.mark.parametrize(
    "around",
    [
        "I created `src/missing.py`.\n\n{}",
        "{}\n\nI also created `src/missing.py`.",
        "Done.\n\n{}\n\n- `src/missing.py`: new file",
    ],
)
def test_prose_around_a_structured_output_is_checked_with_it(
    around: str, project: Path, hook: Hook
) -> None:
    """A true block of JSON does not hide a lie beside it."""
    true = output(write("README.md", "# Project\n"))
    block = f"```json\n{json.dumps(true)}\n```"
    assert hook({"cwd": str(project), "message": f"Done.\n\n{block}"})[0] == 0
    code, _, told = hook({"cwd": str(project), "message": around.replace("{}", block)})
    assert code == 2, told
    assert "src/missing.py" in told


def test_a_snapshot_shows_that_nothing_was_done(project: Path, tmp_path: Path, hook: Hook) -> None:
    path = tmp_path / "before.json"
    write_snapshot(take_snapshot(project), path)
    event = {"cwd": str(project), "message": "I updated the README.", "snapshot": str(path)}
    assert hook(event)[0] == 2


def test_no_session_is_held_back_for_ever(project: Path, hook: Hook) -> None:
    event = {"cwd": str(project), "message": "Created `src/a.py`.", "session_id": "stubborn"}
    assert [hook(event)[0] for _ in range(4)] == [2, 2, 2, 0]
    (project / "src").mkdir()
    (project / "src" / "a.py").write_text("x")
    assert hook(event)[0] == 0
    (project / "src" / "a.py").unlink()
    assert hook(event)[0] == 2


@pytest.mark.parametrize(
    "event",
    [
        "",
        "{",
        "[]",
        {"cwd": "/nowhere/at/all", "message": "Created `src/a.py`."},
        {"message": "x", "transcript_path": "/nowhere"},
        {"message": "x", "snapshot": "/nowhere"},
    ],
)
def test_a_hook_that_cannot_run_holds_nobody_back(event: Any, hook: Hook) -> None:
    code, _, told = hook(event)
    assert code == 1
    assert told.startswith("groundwire: ")


def test_a_wrong_option_says_how_to_call_it(hook: Hook) -> None:
    assert "usage:" in hook({}, "--help-me")[2]
