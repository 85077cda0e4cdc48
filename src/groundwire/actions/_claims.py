"""What an agent can say it did. The first five are the specification's, the rest follow the issue.

Claims come from agents: names may be written `file_path` or `filePath`, and fields nobody knows
are ignored.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import BeforeValidator, Field

from groundwire.model import Model
from groundwire.text import word_set
from groundwire.traces import CheckName, Given, Sha256

_SYNONYMS = {"kind": "type", "path": "file_path", "filepath": "file_path", "file": "file_path"}


def _tidy(raw: Any) -> Any:
    """The usual other names of `type` and `file_path`."""
    if not isinstance(raw, Mapping) or not raw.keys() & _SYNONYMS.keys():
        return raw
    renamed = {_SYNONYMS[name]: raw[name] for name in raw if name in _SYNONYMS}
    return renamed | {name: value for name, value in raw.items() if name not in _SYNONYMS}


Text = Annotated[str, Field(min_length=1)]


class Said(Given):
    """The words a claim was found in; `start` and `end` are characters of the text."""

    text: str
    start: int
    end: int


class Anchor(Given):
    """Where an edit stands: the text before it and after it, and the hash of what lies between.

    An empty snippet means the edge of the file.
    """

    before_snippet: str
    after_snippet: str
    content_hash: Sha256


LeftOutReason = Literal[
    "code", "heading", "quoted", "question", "plan", "example", "supposed", "denied",
    "failure_reported", "other_subject", "no_deed", "too_long",
]  # fmt: skip


class LeftOut(Model):
    """A stretch of a report that makes no claim that is checked, and why."""

    start: int
    end: int
    reason: LeftOutReason


class ReportCoverage(Model):
    """Every sentence of a report: in `checked` of them stands a claim, the others are listed."""

    sentences: int = 0
    checked: int = 0
    left_out: tuple[LeftOut, ...] = ()


class _Claim(Given):
    event_id: str | None = Field(
        default=None, description="The event of the trace that did it, where the agent knows."
    )
    said: Said | None = None
    certain: bool = Field(
        default=True,
        description="False where our reading of words may mean something else: then it is never"
        " refuted. What an agent writes here counts for nothing.",
    )


class _FileClaim(_Claim):
    file_path: Text


class FileWrite(_FileClaim):
    type: Literal["file-write"] = "file-write"
    content_hash: Sha256


class FileEdit(_FileClaim):
    type: Literal["file-edit"] = "file-edit"
    anchor: Anchor


class CodeInserted(_FileClaim):
    type: Literal["code-inserted"] = "code-inserted"
    anchor: Anchor


class FileDelete(_FileClaim):
    type: Literal["file-delete"] = "file-delete"


class CommandExecuted(_Claim):
    type: Literal["command-executed"] = "command-executed"
    command: Text
    exit_code: int | None = None
    failed: bool = Field(default=False, description="It ended with another exit code than 0.")
    times: int | None = Field(default=None, description="How often it is said to have run.")
    ran: bool = Field(default=True, description="False says that it was not run.")
    branch: str | None = Field(default=None, description="The branch of git it is said to be on.")


class FileCreated(_FileClaim):
    """It was not there before the work and is there now; what stands in it is not said."""

    type: Literal["file-created"] = "file-created"


class FileChanged(_FileClaim):
    """The work changed it; how is not said. `parts` are named as what was changed in it."""

    type: Literal["file-changed"] = "file-changed"
    parts: tuple[str, ...] = ()


class FileExists(_FileClaim):
    type: Literal["file-exists"] = "file-exists"


class FileAbsent(_FileClaim):
    type: Literal["file-absent"] = "file-absent"


class TextPresent(_FileClaim):
    type: Literal["text-present"] = "text-present"
    snippet: Text


class TextAbsent(_FileClaim):
    type: Literal["text-absent"] = "text-absent"
    snippet: Text


class FilesUnchanged(_Claim):
    """No file that fits a pattern was changed: "no test was changed"."""

    type: Literal["files-unchanged"] = "files-unchanged"
    patterns: Annotated[tuple[Text, ...], Field(min_length=1)]
    besides: tuple[Text, ...] = Field(default=(), description="Files that were changed.")
    deed: Literal["changed", "created", "deleted"] = Field(
        default="changed", description="What was not done to them: `created` says none is new."
    )
    as_before: bool = Field(
        default=False, description="How they are in the end is told, not what was done meanwhile."
    )


class TestsRun(_Claim):
    __test__: ClassVar[bool] = False  # a name that test runners must not take for a test

    type: Literal["tests-run"] = "tests-run"
    check: CheckName = "tests"
    scope: Literal["all", "some"] = "some"
    ran: bool = Field(default=True, description="False says that they were not run.")
    last: bool = Field(
        default=False, description="Whether they are said to be run, or not to be, at the end."
    )
    count: int | None = Field(default=None, description="How many are said to have been run.")


class TestsPass(_Claim):
    __test__: ClassVar[bool] = False

    type: Literal["tests-pass"] = "tests-pass"
    check: CheckName = "tests"
    command: str | None = None
    scope: Text = Field(
        default="all", description="`all`, `some`, or what was run: a file, a name, a folder."
    )
    count: int | None = Field(default=None, description="How many there are said to be.")
    where: str = Field(default="", description="The folder whose tests are meant.")
    name: str | None = Field(default=None, description="The one test that is meant.")
    first: bool = Field(default=False, description="Whether they are said to pass from the start.")


class TestsFail(_Claim):
    __test__: ClassVar[bool] = False

    type: Literal["tests-fail"] = "tests-fail"
    check: CheckName = "tests"
    command: str | None = None
    count: int | None = Field(default=None, description="How many are said to fail.")
    where: str = Field(default="", description="The folder whose tests are meant.")
    name: str | None = Field(default=None, description="The one test that is meant.")
    now: bool = Field(default=True, description="False says that they failed in some run.")
    exact: bool = Field(default=False, description="Whether no more are said to fail.")
    passed: int | None = Field(default=None, description="How many are said to pass beside them.")
    total: int | None = Field(
        default=None, description="Of how many: a run of another number is another run."
    )


class TestsSkipped(_Claim):
    """So many tests were left out by the runner itself; 0 says that none was."""

    __test__: ClassVar[bool] = False

    type: Literal["tests-skipped"] = "tests-skipped"
    check: CheckName = "tests"
    count: int


EVERYTHING = ("**",)
"""The pattern of every file."""
LEFT_BEHIND = word_set(
    """.pytest_cache .ruff_cache .mypy_cache .hypothesis .tox .nox .venv venv node_modules
    __pycache__ .gradle .git"""
)
"""Folders that programs fill: a bare name does not mean a file in one."""


class FileReverted(_FileClaim):
    """The work left it as it was before."""

    type: Literal["file-reverted"] = "file-reverted"


class FilesChanged(_Claim):
    """So many files were changed."""

    type: Literal["files-changed"] = "files-changed"
    count: int


class PartChanged(_Claim):
    """Something was done, or nothing, to what the code defines under a name."""

    type: Literal["part-changed"] = "part-changed"
    name: Text
    file_path: str | None = Field(default=None, description="The file it is defined in, if told.")
    deed: Literal["changed", "added", "removed", "kept", "set"] = Field(
        default="changed", description="`set` says which value it has now, by `values`."
    )
    mended: bool = Field(
        default=False, description="A fault in it is said to be mended: perhaps elsewhere."
    )
    test: bool = Field(default=False, description="It is called a test.")
    behaves: bool = Field(
        default=False, description="It is told what it does now: that it was changed is not enough."
    )
    values: tuple[str, ...] = Field(default=(), description="Code and figures said to be in it.")


class TestsChanged(_Claim):
    """Some test was changed, added or removed; which is not said by its name."""

    __test__: ClassVar[bool] = False

    type: Literal["tests-changed"] = "tests-changed"
    deed: Literal["changed", "added", "removed"] = "changed"


class CommandFor(_Claim):
    """A command of some purpose was run, however it is written: "installed x", "opened a PR"."""

    type: Literal["command-for"] = "command-for"
    purpose: Literal["install", "pull-request", "branch", "program"]
    subject: str = Field(default="", description="What it was done to; empty where not told.")
    failed: bool = Field(default=False, description="It is said to have failed.")
    ran: bool = Field(default=True, description="False says that it was not done.")


class Unbound(_Claim):
    """Something the agent says it did that could not be tied to a file or a command."""

    type: Literal["unbound"] = "unbound"
    text: str


ContentClaim = FileWrite | FileEdit | CodeInserted | FileDelete
AnyClaim = (
    ContentClaim
    | CommandExecuted
    | FileCreated
    | FileChanged
    | FileExists
    | FileAbsent
    | TextPresent
    | TextAbsent
    | FilesUnchanged
    | TestsRun
    | TestsPass
    | TestsFail
    | TestsSkipped
    | FileReverted
    | FilesChanged
    | PartChanged
    | TestsChanged
    | CommandFor
    | Unbound
)
GivenClaim = Annotated[AnyClaim, Field(discriminator="type"), BeforeValidator(_tidy)]

CLAIM_TYPES: tuple[str, ...] = tuple(
    member.model_fields["type"].default for member in get_args(AnyClaim)
)


def path_of(claim: AnyClaim) -> str | None:
    return getattr(claim, "file_path", None)


def said_apart(claim: AnyClaim) -> str:
    """What a claim says, whichever words it was found in."""
    return claim.model_dump_json(exclude={"said", "event_id"})
