"""One thing a report says was done."""

from dataclasses import dataclass
from typing import Literal, get_args

from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._mentions import Mention
from groundwire.traces import CheckName

StatementKind = Literal[
    "created", "added", "changed", "deleted", "moved", "reverted", "ran", "tests_run", "passes",
    "unchanged", "absent", "exists", "installed", "pull_request", "counted", "contains", "lacks",
    "fails", "branched", "skipped", "part", "tests_changed", "program",
]  # fmt: skip
PartDeed = Literal["changed", "added", "removed", "kept", "set"]
FileKind = Literal["created", "added", "changed", "deleted", "reverted"]
FILE_KINDS: frozenset[StatementKind] = frozenset(get_args(FileKind))


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the report says.

    `certain` is false where it may mean another file than the one it names.
    """

    kind: StatementKind
    clause: Clause
    things: tuple[Mention, ...] = ()
    command: str | None = None
    check: CheckName = "tests"
    is_whole: bool = False
    succeeded: bool = False
    about_tests: bool = False
    certain: bool = True
    count: int | None = None
    exit_code: int | None = None
    failed: bool = False
    where: str = ""
    """The folder whose tests are meant, by its name."""
    name: str | None = None
    """The one test, or part of the code, that is meant."""
    part_deed: PartDeed = "changed"
    mended: bool = False
    """Whether a part is said to be without fault now."""
    behaves: bool = False
    """Whether it is told what a part does now, not only that it was changed."""
    values: tuple[str, ...] = ()
    """Code and figures that are said of a part."""
    if_known: bool = False
    """Whether it counts only where a run in the trace names such a test."""
    is_part: bool = False
    """Whether it is not certain only because some tests are meant: "the frontend run"."""
    is_read: bool = False
    """Whether what is said is beyond doubt, even if it is not certain which tests are meant."""
    if_nowhere: bool = False
    """Whether it counts, read with doubt, where files and trace have nowhere what it names."""
    deed: Literal["changed", "created", "deleted"] = "changed"
    """What is said not to have been done to any file."""
    is_first: bool = False
    """Whether it speaks of the first run, or of all from the start."""
    as_before: bool = False
    """Whether it says that all is as before, whatever was done in between."""
    is_last: bool = False
    """Whether it says that nothing was changed afterwards."""
    passed: int | None = None
    """How many are said to pass beside those that fail."""
    total: int | None = None
    """Of how many, where they may be some of all."""
    is_exact: bool = False
    """Whether it says that there are no more of them."""
    is_now: bool = True
    """False where it may speak of an earlier run."""
    was_done: bool = True
    """False where it says that something was not done."""
