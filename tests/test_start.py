"""A command loads what it needs, and no more."""

import json
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "examples" / "agent-run"
UNUSED = {"answer", "diagnose", "encoder", "evidence", "graph", "ground", "llm", "memory", "terms"}
"""Folders that an agent's work is checked without."""
COUNT = """
import json, sys
sys.argv = ["gw", *sys.argv[1:]]
from groundwire.cli._main import main
try:
    main()
except SystemExit:
    pass
loaded = [name for name in sys.modules if name.split(".")[0] in ("groundwire", "numpy")]
print(json.dumps(loaded), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments], capture_output=True, text=True, check=True
    )
    return set(json.loads(ran.stderr.splitlines()[-1]))


def test_help_loads_no_numpy_and_only_the_commands() -> None:
    """Somebody who asks for help waits for nothing else."""
    loaded = loaded_by("--help")
    assert "numpy" not in loaded
    assert len(loaded) <= 40


def test_checking_an_agents_work_loads_no_judge() -> None:
    """Nor what reads documents, answers questions or knows causes: their doors stay shut."""
    loaded = loaded_by(
        "verify-output",
        str(RUN / "output.json"),
        "--trace",
        str(RUN / "trace.jsonl"),
        "--base-path",
        str(RUN / "project"),
        "--json",
    )
    assert "numpy" not in loaded
    rooms = {name.split(".")[1] for name in loaded if name.count(".") > 1}
    assert rooms.isdisjoint(UNUSED)


def test_the_hook_at_the_end_loads_no_loop_and_no_metrics_server(tmp_path: Path) -> None:
    """An agent waits for it: what a report does not need is not loaded."""
    event = {
        "hook_event_name": "Stop",
        "session_id": "s",
        "cwd": str(tmp_path),
        "last_assistant_message": "I created `a.py`.",
    }
    code = """
import sys
from groundwire.agents.hook import main
main()
print(*sys.modules, file=sys.stderr)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, "claude-code", "--home", str(tmp_path / "home")],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "a.py" in ran.stdout
    loaded = set(ran.stderr.split())
    assert "groundwire.actions._verifier" in loaded
    unwanted = {
        "asyncio",
        "anyio",
        "prometheus_client",
        "yaml",
        "numpy",
        "groundwire.engine._engine",
    }
    assert loaded & unwanted == set()
