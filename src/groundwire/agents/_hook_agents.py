"""The coding agents that have hooks: where each keeps them, and what it calls them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from groundwire.errors import InputError

Scope = Literal["project", "user"]


@dataclass(frozen=True)
class Agent:
    """Where an agent keeps its hooks, what it calls them, and what it cannot do."""

    name: str
    project_file: str
    user_file: str
    user_folder_variable: str = ""
    events: tuple[str, ...] = ()
    in_milliseconds: bool = False
    notes: tuple[str, ...] = ()

    def file(self, scope: Scope, project: Path) -> Path:
        if scope == "project":
            return project / self.project_file
        moved = os.environ.get(self.user_folder_variable) if self.user_folder_variable else None
        if moved:
            return Path(moved) / Path(self.user_file).name
        return Path.home() / self.user_file


HOOK_AGENTS: Mapping[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent(
            "claude-code",
            ".claude/settings.local.json",
            ".claude/settings.json",
            "CLAUDE_CONFIG_DIR",
            (
                "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse",
                "PostToolUseFailure", "Stop",
            ),
            notes=("an edit that the tool refuses before it runs is known from the transcript",),
        ),
        Agent(
            "codex",
            ".codex/hooks.json",
            ".codex/hooks.json",
            "CODEX_HOME",
            ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"),
            notes=("Codex runs a hook only once you trust it: type /hooks in Codex",),
        ),
        Agent(
            "gemini",
            ".gemini/settings.json",
            ".gemini/settings.json",
            events=("SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent"),
            in_milliseconds=True,
            notes=("Gemini CLI gives calls no id: they are told apart by tool and input",),
        ),
        Agent(
            "opencode",
            ".opencode/plugin/groundwire.js",
            ".config/opencode/plugin/groundwire.js",
            notes=(
                "OpenCode cannot be held back: after a false report it is sent the correction",
            ),
        ),
        Agent(
            "git",
            ".git/hooks/pre-push",
            "",
            notes=("git knows no sessions: a push is refused while a report here stays false",),
        ),
    )
}  # fmt: skip


def agent_named(name: str) -> Agent:
    if name not in HOOK_AGENTS:
        raise InputError(
            f"There is no hook for {name!r}.", hint=f"Known agents: {', '.join(HOOK_AGENTS)}."
        )
    return HOOK_AGENTS[name]
