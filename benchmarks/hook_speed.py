"""What a hook costs, as a share of `gw --help`, and a snapshot as a share of `sha256sum`.

    python benchmarks/hook_speed.py [--rounds N] [--json FILE]

CPU of whole processes, user and system. All are run in turn, round after round, and the least of
each counts: a busy machine only adds. Bytecode is compiled before the first round.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

CALLS = 200
HELP = [sys.executable, "-m", "groundwire", "--help"]
HOOK = [sys.executable, "-P", "-m", "groundwire.agents.hook", "claude-code", "--home"]
LOOK = (
    "import sys; from groundwire.actions._watch import Watch; w = Watch(*sys.argv[1:3]);"
    "w.look_everywhere(); w.close()"
)
Json = dict[str, Any]


def cpu_s(command: list[str], event: Json | None = None) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(
        command,
        input=json.dumps(event or {}).encode(),
        stdout=subprocess.DEVNULL,
        check=True,
        env=environment,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_tree(folder: Path, files: int) -> Path:
    for number in range(files):
        path = folder / f"part{number // 200}" / f"file{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"value = {number}\n" * 100, encoding="utf-8")
    return folder


class Session:
    """A tree under a hook, and 200 calls in the transcript when it wants to stop."""

    def __init__(self, folder: Path, files: int) -> None:
        self.tree = make_tree(folder / f"tree{files}", files)
        self.hook = [*HOOK, str(folder / f"home{files}")]
        self.transcript = folder / f"session{files}.jsonl"
        self._number = 0
        self._watched = 0
        self._last: str | None = None
        self.send("SessionStart")
        lines: list[Json] = []
        for _ in range(CALLS):
            lines += self._call()
        self.transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def send(self, name: str, **more: Any) -> float:
        common = {"hook_event_name": name, "session_id": "s", "cwd": str(self.tree)}
        return cpu_s(self.hook, {**common, **more})

    def _call(self) -> list[Json]:
        self._number += 1
        name = f"toolu_{self._number}"
        use = {"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "make test"}}
        result = {"type": "tool_result", "tool_use_id": name, "content": self._printed()}
        return [self._line("assistant", use), self._line("user", result)]

    def _line(self, role: str, block: Json) -> Json:
        """As Claude Code writes it."""
        above = self._last
        self._last = f"{role}-{self._number}"
        return {
            "parentUuid": above,
            "isSidechain": False,
            "type": role,
            "message": {"role": role, "content": [block]},
            "uuid": self._last,
            "timestamp": "2026-01-01T00:00:00.000Z",
            "cwd": str(self.tree),
            "sessionId": "s",
            "version": "2.1.197",
        }

    def _printed(self) -> str:
        """No two calls print the same."""
        return "".join(f"ok {self._number} {line}\n" for line in range(200))

    def before(self) -> float:
        """One of the calls in the transcript: what is checked in the end are those."""
        self._watched += 1
        name = f"toolu_{self._watched}"
        call = {"tool_name": "Bash", "tool_input": {"command": "make test"}, "tool_use_id": name}
        spent = self.send("PreToolUse", **call)
        self.send("PostToolUse", **call, tool_response="")
        return spent

    def stop(self) -> float:
        report = "I ran `make test`. I did not change anything."
        return self.send(
            "Stop", last_assistant_message=report, transcript_path=str(self.transcript)
        )


def hash_all(tree: Path) -> float:
    names = b"\0".join(os.fsencode(path) for path in tree.rglob("*.py"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["xargs", "-0", "sha256sum"], input=names, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(rounds: int, tasks: dict[str, Callable[[], float]]) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            spent[name].append(task())
    return {name: min(values) for name, values in spent.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small = Session(Path(folder), 5_000)
        large = make_tree(Path(folder) / "large", 50_000)
        home = Path(folder) / "home"

        def look() -> float:
            return cpu_s([sys.executable, "-c", LOOK, str(home), str(large)])

        def first() -> float:
            fresh = tempfile.mkdtemp(dir=folder)
            return cpu_s([sys.executable, "-c", LOOK, fresh, str(large)])

        os.environ["GROUNDWIRE_HOME"] = str(home)
        snapshot = [*HELP[:-1], "snapshot", str(large), "--out", str(Path(folder) / "taken.json")]
        cpu_s(HELP)
        spent = least(
            arguments.rounds,
            {"help": lambda: cpu_s(HELP), "before a call": small.before, "stop": small.stop},
        )
        look()
        spent |= least(
            3,
            {
                "sha256sum": lambda: hash_all(large),
                "snapshot": lambda: cpu_s(snapshot),
                "first look": first,
                "next look": look,
            },
        )
    ratios = {
        "hook before a call, 5,000 files / gw --help": spent["before a call"] / spent["help"],
        f"hook at the end, {CALLS} calls / gw --help": spent["stop"] / spent["help"],
        "gw snapshot of 50,000 files / sha256sum": spent["snapshot"] / spent["sha256sum"],
        "first look at 50,000 files / sha256sum": spent["first look"] / spent["sha256sum"],
    }
    for name, value in ratios.items():
        print(f"{value:6.2f}  {name}")
    print(f"{spent['next look']:6.2f}  seconds: next look at 50,000 files")
    document = {"machine": describe_machine(), "cpu_s": spent, "ratios": ratios}
    if arguments.json:
        arguments.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
