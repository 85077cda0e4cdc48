"""Transcripts that the real agents wrote in scripted sessions, their makers' own texts cut out."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.actions import Watch, read_observed
from groundwire.agents.stop_hook import _traces
from groundwire.config import ActionsSection
from groundwire.engine import Engine

SESSIONS = Path(__file__).parent / "sessions"


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
def test_a_session_of_a_real_agent_gives_its_calls(agent: str, tmp_path: Path) -> None:
    """From the transcript where it can be read, else from what the hooks were told."""
    project = tmp_path / "project"
    project.mkdir()
    with closing(Watch(str(tmp_path / "gw"), str(project))) as watch:
        watch.start_session("s", agent)
        watch.begin_call("s", "seen", "Bash", {"command": "make"})
        watch.end_call("s", "seen", "Bash", {"command": "make"}, "", failed=False)
    observed = read_observed(tmp_path / "gw", "s")
    event = {"transcript_path": str(SESSIONS / f"{agent}.jsonl")}
    (trace,) = _traces(event, ActionsSection(), observed)
    assert "make" in json.dumps([one.arguments for one in trace])


def test_claude_codes_transcript_has_the_ids_its_hooks_have() -> None:
    with Engine() as engine:
        ids = [event.id for event in engine.open_trace(SESSIONS / "claude-code.jsonl")]
    assert len(ids) == 3
    assert all(one is not None and one.startswith("toolu_") for one in ids)
