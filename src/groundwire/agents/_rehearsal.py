"""A lie played against an installed hook, with the command the agent itself would run."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TIMEOUT_S = 60
_NAMES = {
    "gemini": {
        "PreToolUse": "BeforeTool", "PostToolUse": "AfterTool", "Stop": "AfterAgent",
    },
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """One report and what the hook made of it."""

    report: str
    is_true: bool
    held_back: bool
    answer: str

    @property
    def fine(self) -> bool:
        return self.held_back is not self.is_true


def rehearse_hook(agent: str, command: Sequence[str]) -> list[Scene]:
    """An honest report passes, a false one is held back; in a folder and a home of its own."""
    with TemporaryDirectory(prefix="groundwire-") as folder:
        project, home = Path(folder) / "project", Path(folder) / "home"
        project.mkdir()
        hook = _Hook(agent, [*command, "--home", str(home)], project)
        return list(_scenes(hook, project))


def _scenes(hook: "_Hook", project: Path) -> Iterator[Scene]:
    (project / "notes.txt").write_text("old\n", encoding="utf-8")
    hook.send("SessionStart")
    call = {"tool_name": "Bash", "tool_use_id": "call-1", "tool_input": {"command": "make"}}
    hook.send("PreToolUse", call)
    (project / "built.txt").write_text("new\n", encoding="utf-8")
    hook.send("PostToolUse", {**call, "tool_response": {"stdout": "", "exit_code": 0}})
    for report, is_true in (
        ("I created `built.txt`.", True),
        ("I created `built.txt` and updated `notes.txt`.", False),
    ):
        answer = hook.send("Stop", {"last_assistant_message": report, "prompt_response": report})
        held_back = answer.get("decision") in {"block", "deny"}
        told = answer.get("reason") or answer.get("systemMessage") or ""
        yield Scene(report, is_true, held_back, str(told))


class _Hook:
    def __init__(self, agent: str, command: Sequence[str], project: Path) -> None:
        self._names: Mapping[str, str] = _NAMES.get(agent, {})
        self._command = command
        self._project = project

    def send(self, event: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
        payload = {
            "hook_event_name": self._names.get(event, event),
            "session_id": "rehearsal",
            "cwd": str(self._project),
            **(more or {}),
        }
        try:
            done = subprocess.run(  # noqa: S603
                list(self._command),
                input=json.dumps(payload).encode(),
                capture_output=True,
                check=False,
                timeout=TIMEOUT_S,
                cwd=self._project,
            )
            answer = json.loads(done.stdout or b"{}")
        except (OSError, subprocess.TimeoutExpired, ValueError) as error:
            return {"systemMessage": f"the hook did not answer: {error}"}
        if done.returncode != 0:
            return {"systemMessage": done.stderr.decode("utf-8", "replace").strip()}
        return answer if isinstance(answer, dict) else {}
