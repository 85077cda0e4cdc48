"""A command loads what it needs, and no more."""

import json
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "examples" / "agent-run"
COUNT = """
import json, sys
sys.argv = ["gw", *sys.argv[1:]]
from groundwire.cli._main import main
try:
    main()
except SystemExit:
    pass
loaded = [name for name in sys.modules if name.split(".")[0] == "groundwire"]
print(json.dumps([len(loaded), "numpy" in sys.modules]), file=sys.stderr)
"""


def loaded_by(*arguments: str) -> tuple[int, bool]:
    ran = subprocess.run(
        [sys.executable, "-c", COUNT, *arguments], capture_output=True, text=True, check=True
    )
    modules, numpy = json.loads(ran.stderr.splitlines()[-1])
    return modules, numpy


def test_help_loads_no_numpy_and_only_the_commands() -> None:
    """Somebody who asks for help waits for nothing else."""
    modules, numpy = loaded_by("--help")
    assert not numpy
    assert modules <= 40


def test_checking_an_agents_work_loads_no_judge() -> None:
    """Less than half of the 312 modules it loaded when every door was open."""
    modules, numpy = loaded_by(
        "verify-output",
        str(RUN / "output.json"),
        "--trace",
        str(RUN / "trace.jsonl"),
        "--base-path",
        str(RUN / "project"),
        "--json",
    )
    assert not numpy
    assert modules <= 150


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
