"""From a claim to its ruling: which kind of evidence each kind of claim needs."""

from groundwire.actions._claims import (
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    FileAbsent,
    FileChanged,
    FileCreated,
    FileDelete,
    FileEdit,
    FileExists,
    FilesUnchanged,
    FileWrite,
    TestsPass,
    TestsRun,
    TextAbsent,
    TextPresent,
    path_of,
)
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._judge_content import judge_content
from groundwire.actions._judge_files import judge_change, judge_existence, judge_text
from groundwire.actions._judge_runs import judge_command, judge_tests
from groundwire.actions._judge_unchanged import judge_unchanged

_NO_BASE = Ruling("unverified", "no base path was given to look in")


def judge(claim: AnyClaim, evidence: Evidence) -> Ruling:
    ruling = _judge(claim, evidence)
    if ruling.status == "failed" and not claim.certain:
        detail = f"{ruling.detail}; but the words may mean another file"
        return Ruling("unverified", detail, ruling.category)
    return ruling


def _judge(claim: AnyClaim, evidence: Evidence) -> Ruling:  # noqa: PLR0911
    if path_of(claim) is not None and evidence.tree is None:
        return _NO_BASE
    match claim:
        case FileWrite() | FileEdit() | CodeInserted() | FileDelete():
            return judge_content(claim, evidence)
        case FileExists() | FileAbsent():
            return judge_existence(claim, evidence)
        case FileCreated() | FileChanged():
            return judge_change(claim, evidence)
        case TextPresent() | TextAbsent():
            return judge_text(claim, evidence)
        case FilesUnchanged():
            return judge_unchanged(claim, evidence)
        case CommandExecuted():
            return judge_command(claim, evidence)
        case TestsPass() | TestsRun():
            return judge_tests(claim, evidence)
        case _:
            return Ruling("unverified", "it could not be tied to a file or a command")
