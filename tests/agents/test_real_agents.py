"""The real agents, driven by scripted models: `make test-agents` installs and runs them.

Each creates a file, runs a command, has an edit refused and then reports the edit as done. Its own
hook calls and transcript are what Groundwire has to see through that.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import Observed, read_observed
from groundwire.actions._watch import open_store
from groundwire.testing import (
    AnthropicServer,
    GeminiServer,
    LoopbackServer,
    OpenAIServer,
    ResponsesServer,
    ToolUse,
    agent_turns,
)

pytestmark = [pytest.mark.agents, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
AGENTS = Path(os.environ.get("GROUNDWIRE_AGENTS") or ROOT / ".venv" / "agents")
LIE = "I created `a.txt` and updated `README.md`."
TRUTH = "I created `a.txt`. I could not update the README."


class Stage:
    """A project with an installed hook, and a home in which nothing of the user lies."""

    def __init__(self, folder: Path, agent: str) -> None:
        self.agent = agent
        self.home = folder / "home"
        self.project = folder / "project"
        self.home.mkdir()
        self.project.mkdir()
        (self.project / "README.md").write_text("# Tides\n", encoding="utf-8")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "PWD": str(self.project),
            "PYTHONPATH": str(ROOT / "src"),
            "GROUNDWIRE_HOME": str(self.home / "groundwire"),
            "NPM_CONFIG_USERCONFIG": str(Path.home() / ".npmrc"),
        }
        self.run(sys.executable, "-m", "groundwire", "hook", "install", agent)

    def program(self, name: str) -> str:
        path = AGENTS / "node_modules" / ".bin" / name
        if not path.exists():
            pytest.fail(f"{path} is missing: run make test-agents")
        return str(path)

    def run(self, *command: str, **more: str) -> str:
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment | more,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def observed(self) -> Observed:
        home = self.home / "groundwire"
        with closing(open_store(str(home))) as store:
            (session,) = (row[0] for row in store.execute("SELECT id FROM session"))
        observed = read_observed(home, session)
        assert observed is not None
        return observed


def assert_seen_through(stage: Stage, server: LoopbackServer, printed: str) -> None:
    """The write has its author, the lie came back with its reason, the truth was let through."""
    asked = [one for one in server.asked if one.tools]
    assert "did not pass verification" in str(asked[-1].prompt)
    assert "README.md" in str(asked[-1].prompt)
    assert "could not update" in printed
    observed = stage.observed()
    assert observed.gap is None
    (write,) = (one for one in observed.writes if one.path == "a.txt")
    assert write.before is None
    assert write.after is not None
    assert len(write.calls) == 1
    author = next(call for call in observed.calls if call.number == write.calls[0])
    assert "a.txt" in json.dumps(author.arguments)


def test_claude_code_is_held_back(tmp_path: Path) -> None:
    """A refused edit reported as done comes back to Claude Code, which then tells the truth."""
    stage = Stage(tmp_path, "claude-code")
    project = stage.project
    turns = agent_turns(
        ToolUse("Write", {"file_path": str(project / "a.txt"), "content": "hi\n"}),
        ToolUse("Bash", {"command": "cd / && ls a.txt", "description": "look"}),
        ToolUse(
            "Edit",
            {"file_path": str(project / "README.md"), "old_string": "zz", "new_string": "y"},
        ),
        LIE,
        TRUTH,
    )
    with AnthropicServer(turns) as server:
        printed = stage.run(
            *(stage.program("claude"), "-p", "Write a.txt", "--dangerously-skip-permissions"),
            ANTHROPIC_BASE_URL=server.base_url,
            ANTHROPIC_API_KEY="sk-ant-nobody",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            IS_SANDBOX="1",
        )
    assert_seen_through(stage, server, printed)


def test_codex_is_held_back(tmp_path: Path) -> None:
    """Codex runs commands only: what each wrote is known because it was seen."""
    stage = Stage(tmp_path, "codex")
    turns = agent_turns(
        ToolUse("exec_command", {"cmd": "echo hi > a.txt"}),
        ToolUse("exec_command", {"cmd": "cd / && ls nothing-here"}),
        LIE,
        TRUTH,
    )
    config = stage.home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    with ResponsesServer(turns) as server:
        config.write_text(
            'model = "gpt-5"\nmodel_provider = "scripted"\n'
            f'[projects."{stage.project}"]\ntrust_level = "trusted"\n'
            '[model_providers.scripted]\nname = "scripted"\nwire_api = "responses"\n'
            f'base_url = "{server.base_url}"\nenv_key = "NO_KEY"\n',
            encoding="utf-8",
        )
        printed = stage.run(
            *(stage.program("codex"), "exec", "--skip-git-repo-check", "Write a.txt"),
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            NO_KEY="nobody",
        )
    assert_seen_through(stage, server, printed)


def test_gemini_is_held_back(tmp_path: Path) -> None:
    """Gemini CLI gives calls no id; they are told apart by tool and input."""
    stage = Stage(tmp_path, "gemini")
    project = stage.project
    turns = agent_turns(
        ToolUse("write_file", {"file_path": str(project / "a.txt"), "content": "hi\n"}),
        ToolUse("run_shell_command", {"command": "ls nothing-here"}),
        ToolUse(
            "replace",
            {
                "file_path": str(project / "README.md"),
                "old_string": "zz",
                "new_string": "y",
                "instruction": "change it",
            },
        ),
        LIE,
        TRUTH,
    )
    settings = project / ".gemini" / "settings.json"
    found = json.loads(settings.read_text(encoding="utf-8"))
    found["security"] = {"auth": {"selectedType": "gemini-api-key"}}
    settings.write_text(json.dumps(found), encoding="utf-8")
    with GeminiServer(turns) as server:
        printed = stage.run(
            *(stage.program("gemini"), "-p", "Write a.txt", "--yolo", "-m", "gemini-2.5-pro"),
            GEMINI_API_KEY="nobody",
            GOOGLE_GEMINI_BASE_URL=server.base_url,
            GEMINI_CLI_TRUST_WORKSPACE="true",
        )
    assert_seen_through(stage, server, printed)


@pytest.mark.timeout(600)
def test_opencode_is_corrected(tmp_path: Path) -> None:
    """An OpenCode session that becomes idle with a lie is sent the correction."""
    stage = Stage(tmp_path, "opencode")
    project = stage.project
    turns = agent_turns(
        ToolUse("write", {"filePath": str(project / "a.txt"), "content": "hi\n"}),
        ToolUse("bash", {"command": "ls nothing-here", "description": "look"}),
        ToolUse(
            "edit",
            {"filePath": str(project / "README.md"), "oldString": "zz", "newString": "y"},
        ),
        LIE,
        TRUTH,
    )
    with OpenAIServer(turns) as server:
        model: dict[str, Any] = {"npm": "@ai-sdk/openai-compatible", "models": {"m": {"name": "m"}}}
        model["options"] = {"baseURL": server.base_url, "apiKey": "nobody"}
        config: dict[str, Any] = {"model": "scripted/m", "provider": {"scripted": model}}
        config |= {"permission": {"*": "allow"}, "autoupdate": False, "share": "disabled"}
        (project / "opencode.json").write_text(json.dumps(config), encoding="utf-8")
        with _opencode(stage) as ask:
            session = ask("/session", {})["id"]
            words = {"parts": [{"type": "text", "text": "Write a.txt"}]}
            ask(f"/session/{session}/message", words)
            printed = _until_told(ask, session)
    assert_seen_through(stage, server, printed)


@contextmanager
def _opencode(stage: Stage) -> Iterator[Any]:
    port = 47_113
    server = subprocess.Popen(
        [stage.program("opencode"), "serve", "--port", str(port), "--hostname", "127.0.0.1"],
        cwd=stage.project,
        env=stage.environment | {"OPENCODE_DISABLE_MODELS_FETCH": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def ask(path: str, body: Mapping[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=180) as answer:  # noqa: S310
            return json.load(answer)

    try:
        for _ in range(300):
            try:
                ask("/session")
            except OSError:
                time.sleep(0.2)
            else:
                break
        yield ask
    finally:
        server.terminate()
        server.wait(20)


def _until_told(ask: Any, session: str) -> str:
    """What the session says last, once it has answered the correction."""
    for _ in range(150):
        said = json.dumps(ask(f"/session/{session}/message"))
        if "could not update" in said:
            return said
        time.sleep(0.2)
    return ""
