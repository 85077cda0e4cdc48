import logging
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from groundwire.cli import main
from groundwire.observe import metrics

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def gw() -> Run:
    """Runs the real command in a process of its own, with the test's home directory."""

    def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *arguments],
            input=given,
            capture_output=True,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


@pytest.fixture
def gw_here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """The same command inside this process: a tenth of the time, for what needs no other."""
    logger = logging.getLogger("groundwire")
    before = (list(logger.handlers), logger.level, logger.propagate)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        metrics.cache_clear()
        monkeypatch.setattr(sys, "argv", ["gw", *arguments])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    yield run
    metrics.cache_clear()
    logger.handlers, logger.propagate = before[0], before[2]
    logger.setLevel(before[1])
