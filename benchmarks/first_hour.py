"""The first hour: from a wheel to a verdict in a fresh environment, and how soon a terminal shows
something.

    python benchmarks/first_hour.py install [--find-links FOLDER] [--json FILE]
    python benchmarks/first_hour.py stream [--json FILE]

`install` builds the wheel, makes an environment with nothing in it, installs the wheel there
without any extra and checks the README's example; pip's own cache and index are used as they are
set up. `stream` checks 40 claims against 65 documents on a pseudo-terminal with an empty cache and
notes when the first line, the first verdict and the result were there.
"""

import argparse
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "check"
CEILING_INSTALL_S = 60
CEILING_FIRST_LINE_S = 2
CLAIMS = 40
DOCUMENTS = 65
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")  # such as the order to clear a line


def install(find_links: Path | None) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "env", with_pip=True)
        python = str(folder / "env" / "bin" / "python")
        offline = ["--no-index", "--find-links", str(find_links)] if find_links else []
        started, before = time.perf_counter(), _cpu_s()
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *offline, str(wheel)], check=True)
        installed = time.perf_counter()
        evidence = [str(EXAMPLE / "vik-substation.md"), str(EXAMPLE / "storm-report.md")]
        answer = str(EXAMPLE / "answer.md")
        checked = subprocess.run(
            [str(folder / "env" / "bin" / "gw"), "check", answer, "--against", *evidence],
            env=_environment(folder / "home"),
            capture_output=True,
            text=True,
            check=False,
        )
        ended, after = time.perf_counter(), _cpu_s()
        packages = subprocess.run(
            [python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True
        )
    if checked.returncode != 1 or "claims grounded" not in checked.stdout:
        raise SystemExit(f"The example ended with {checked.returncode}:\n{checked.stderr}")
    return {
        "machine": describe_machine(),
        "install_s": round(installed - started, 1),
        "check_s": round(ended - installed, 1),
        "whole_s": round(ended - started, 1),
        "processor_s": round(after - before, 1),
        "ceiling_s": CEILING_INSTALL_S,
        "packages": len(json.loads(packages.stdout)),
    }


def stream() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        claims = _corpus(folder)
        here, there = pty.openpty()
        command = [sys.executable, "-m", "groundwire", "check", "answer.md", "--against", "docs"]
        started = time.perf_counter()
        with subprocess.Popen(
            command, cwd=folder, stdout=there, stderr=there, env=_environment(folder / "home")
        ) as process:
            os.close(there)
            seen = _times(here, process, started)
        os.close(here)
    return {"machine": describe_machine(), "claims": claims, "documents": DOCUMENTS} | seen


def _times(terminal: int, process: subprocess.Popen[bytes], started: float) -> dict[str, Any]:
    """Seconds until the terminal had its first line, its first verdict, and all."""
    found: dict[str, Any] = {}
    shown = b""
    while process.poll() is None:
        if not select.select([terminal], [], [], 0.02)[0]:
            continue
        try:
            shown += _ESCAPES.sub(b"", os.read(terminal, 65536))
        except OSError:  # the other end was closed
            break
        now = round(time.perf_counter() - started, 2)
        for name, is_there in (
            ("first_line", bool(shown.strip())),
            ("first_verdict", any(mark.encode() in shown for mark in "✓?✗–")),
        ):
            if is_there and f"{name}_s" not in found:
                found |= {f"{name}_s": now, f"{name}_processor_s": _cpu_s_of(process.pid)}
    process.wait()
    found["whole_s"] = round(time.perf_counter() - started, 2)
    found["ceiling_first_line_s"] = CEILING_FIRST_LINE_S
    return found


def _corpus(folder: Path) -> int:
    """Our own decision pages, and an answer of sentences that stand in them."""
    (folder / "docs").mkdir()
    pages = sorted((ROOT / "docs" / "decisions").glob("0*.md"))[:DOCUMENTS]
    sentences: list[str] = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        (folder / "docs" / page.name).write_text(text, encoding="utf-8")
        prose = [part for part in text.split("\n\n") if part[:1].isalpha() and "`" not in part]
        if prose:
            first = " ".join(prose[0].split()).split(". ")[:2]
            sentences += [f"{one.rstrip('.')}." for one in first]
    stated = [one for one in sentences if len(one) < 200 and "?" not in one][:CLAIMS]
    (folder / "answer.md").write_text("\n\n".join(stated), encoding="utf-8")
    return len(stated)


def _cpu_s() -> float:
    """What the children of this process have used: on a busy machine the time of a clock is not
    the program's."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _cpu_s_of(pid: int) -> float:
    """The same of a process that still runs, all its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return round((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), 2)


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "GROUNDWIRE_HOME": str(home), "TERM": "xterm-256color"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("install", "stream"))
    parser.add_argument("--find-links", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = install(arguments.find_links) if arguments.part == "install" else stream()
    for name, value in figures.items():
        print(f"{name:<22} {value}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
