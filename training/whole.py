"""A whole session on one device in one command, and a look at how it stands.

    python -m training.whole run  --data DIR --until UNIX [--tokens 49152] [--seconds-written 110]
    python -m training.whole look --data DIR [--seconds 580]

`run` starts the steps in their order and ends as soon as nothing can come of it any more: a device
is lent by the second. Start it in a process session of its own (`setsid`), so that it outlives the
call that started it. The teacher has the device to itself first: the student, whose words are
being tokenised meanwhile, needs most of the memory. Where the student runs out of it all the same,
it starts again with half the tokens. Ranks and opinions that are there already (`ranks.npy`, and
`labels_end` with what stands beside it) are not made again; with neither opinions nor a decoder
in DIR the student learns from labels alone.

`look` returns when the run has ended, however it ended, or when its time is over, and shows the
last lines of every step: it never waits for what is not coming.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from training.files import LABELS_END, RANKS

LABEL_SECONDS = 200
LEAST_TOKENS = 8192
OUT_OF_MEMORY = "OutOfMemoryError"
STUDENT = "student"
PROCESS = "whole.pid"
ENDED = "whole.ended"
Process = subprocess.Popen[bytes]


class Steps:
    """Steps of `training.session`, each a process with a log of its own, until all is over."""

    def __init__(self, data: Path, command: Sequence[str]) -> None:
        self._data, self._command = data, list(command)
        self._begun: list[Process] = []
        (data / "logs").mkdir(exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._begun:
            process.kill()
            process.wait()

    def start(self, name: str, *arguments: str) -> Process:
        with self.log(name).open("wb") as log:
            process = subprocess.Popen(
                [*self._command, *arguments, "--data", str(self._data)],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"},
            )
        self._begun.append(process)
        return process

    def do(self, name: str, *arguments: str) -> int:
        return self.start(name, *arguments).wait()

    def log(self, name: str) -> Path:
        return self._data / "logs" / f"{name}.log"


def run(steps: Steps, data: Path, *, until: float, tokens: int, written_seconds: float) -> int:
    """How the student ended; 1 where it could not even begin."""
    if not (data / RANKS).exists() and steps.do("rerank", "rerank"):
        return 1
    is_labelled = (data / LABELS_END).exists()
    asks_teacher = not is_labelled and (data / "blocks.bin").exists()
    teacher = _start_teacher(steps, written_seconds) if asks_teacher else None
    is_taught = is_labelled or asks_teacher
    student = _start_student(steps, until, tokens, is_taught=is_taught)
    while student.poll() is None:
        if teacher is not None and teacher.poll() is not None:
            # a teacher that died has given all the opinions it will give
            (data / LABELS_END).touch()
        time.sleep(0.5)
    while student.returncode and tokens > LEAST_TOKENS and _ran_out(steps):
        tokens //= 2
        student = _start_student(steps, until, tokens, is_taught=is_taught)
        student.wait()
    return student.returncode


def _start_teacher(steps: Steps, written_seconds: float) -> Process:
    for name in ("written", "answers", "train"):
        steps.start(f"plan_{name}", "plan", "--chat", "--name", name)
    steps.start("write", "write", "--seconds", str(written_seconds))
    files = ("--written", "--files", "answers", "train")
    seconds = str(written_seconds + LABEL_SECONDS)
    return steps.start("label", "label-chat", *files, "--seconds", seconds)


def _start_student(steps: Steps, until: float, tokens: int, *, is_taught: bool) -> Process:
    learnt = ("--part", "wide", "--base", "wide", "--name", "b", "--rate", "1.4e-4")
    time_and_size = ("--seconds", "3600", "--until", str(until), "--tokens", str(tokens))
    written = ("--written",) if is_taught else ()
    return steps.start(STUDENT, "distil", *learnt, *time_and_size, *written)


def _ran_out(steps: Steps) -> bool:
    return OUT_OF_MEMORY in steps.log(STUDENT).read_text(errors="replace")


def look(data: Path, seconds: float, lines: int = 3) -> str:
    """What every step said last, as soon as there is nothing more to wait for."""
    over = time.monotonic() + seconds
    while _is_running(data) and time.monotonic() < over:
        time.sleep(0.5)
    said = [f"running: {_is_running(data)}"]
    for log in sorted((data / "logs").glob("*.log")):
        last = log.read_text(errors="replace").splitlines()[-lines:]
        said += [f"== {log.stem}", *(line[:220] for line in last)]
    return "\n".join(said)


def _is_running(data: Path) -> bool:
    if (data / ENDED).exists() or not (data / PROCESS).exists():
        return False
    try:
        os.kill(int((data / PROCESS).read_text()), 0)
    except ProcessLookupError:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "look"))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--until", type=float, help="when the device goes back (seconds of Unix)")
    parser.add_argument("--tokens", type=int, default=49_152)
    parser.add_argument("--seconds-written", type=float, default=110)
    parser.add_argument("--seconds", type=float, default=580, help="how long to look at the most")
    arguments = parser.parse_args()
    data: Path = arguments.data
    if arguments.what == "look":
        print(look(data, arguments.seconds))
        return 0
    if arguments.until is None:
        parser.error("run needs --until")
    (data / ENDED).unlink(missing_ok=True)
    (data / PROCESS).write_text(str(os.getpid()))
    try:
        with Steps(data, [sys.executable, "-m", "training.session"]) as steps:
            return run(
                steps,
                data,
                until=arguments.until,
                tokens=arguments.tokens,
                written_seconds=arguments.seconds_written,
            )
    finally:
        (data / ENDED).touch()


if __name__ == "__main__":
    sys.exit(main())
