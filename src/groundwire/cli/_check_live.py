"""Verdicts on a terminal while they fall: the last few, and how far the work is."""

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group

    from groundwire.model import ClaimResult

_SHOWN = 8


class LiveVerdicts:
    """What is shown: the last verdicts, and under them what is being done."""

    def __init__(self) -> None:
        self.doing = "Reading the evidence"
        self._last: deque[ClaimResult] = deque(maxlen=_SHOWN)

    def reading(self, done: int, of: int) -> None:
        """Documents are being read."""
        self.doing = f"Reading the evidence: {done} of {of} documents"

    def answer(self, name: str) -> None:
        """The next text is being checked."""
        self.doing = f"{name}: finding claims"

    def claim(self, result: "ClaimResult", done: int, of: int) -> None:
        """A verdict fell."""
        self._last.append(result)
        self.doing = f"{done} of {of} claims checked"

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.text import Text

        from groundwire.cli._check_report import MARKS, STYLES

        lines = [
            Text(
                f"{MARKS[one.status]} {' '.join(one.claim.split())}",
                STYLES[one.status],
                no_wrap=True,
                overflow="ellipsis",
            )
            for one in self._last
        ]
        return Group(*lines, Text(f"… {self.doing}", "dim", no_wrap=True, overflow="ellipsis"))


@contextmanager
def live_verdicts() -> Iterator[LiveVerdicts]:
    """On a terminal from the first moment until the result is there; nothing in a pipe."""
    verdicts = LiveVerdicts()
    if not sys.stderr.isatty():
        yield verdicts
        return
    # the first line does not wait for what draws the others
    sys.stderr.write(f"… {verdicts.doing}\r")
    sys.stderr.flush()
    from rich.live import Live

    from groundwire.cli._output import error_console

    with Live(verdicts, console=error_console(), transient=True, refresh_per_second=8):
        yield verdicts
