"""From a claim to its ruling: which evidence each kind of claim needs, and what it says."""

from collections.abc import Callable
from typing import Any

from groundwire.actions._claims import (
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    CommandFor,
    FileAbsent,
    FileChanged,
    FileCreated,
    FileDelete,
    FileEdit,
    FileExists,
    FileReverted,
    FilesChanged,
    FilesUnchanged,
    FileWrite,
    PartChanged,
    TestsChanged,
    TestsFail,
    TestsPass,
    TestsRun,
    TestsSkipped,
    TextAbsent,
    TextPresent,
    path_of,
)
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._judge_changes import (
    judge_change,
    judge_count,
    judge_reverted,
    judge_unchanged,
    nothing_changed,
)
from groundwire.actions._judge_content import judge_content
from groundwire.actions._judge_parts import judge_part, judge_tests_changed
from groundwire.actions._judge_runs import judge_command, judge_purpose
from groundwire.actions._judge_state import judge_existence, judge_text
from groundwire.actions._judge_tests import judge_tests
from groundwire.actions._reservations import tells_deed

_NO_BASE = Ruling("unverified", "no base path was given to look in")


def judge(claim: AnyClaim, evidence: Evidence) -> Ruling:
    ruling = _judge(claim, evidence)
    if ruling.status == "failed" and not claim.certain:
        is_deed = claim.said is None or tells_deed(claim.said.text)
        if isinstance(claim, FileChanged) and is_deed and nothing_changed(evidence):
            # wherever the fault was mended: it would have been in some file
            return Ruling("failed", "no file was changed at all", "filesystem_mismatch")
        detail = f"{ruling.detail}; but the words may mean another file"
        return Ruling("unverified", detail, ruling.category)
    return ruling


_JUDGES: dict[type, Callable[[Any, Evidence], Ruling]] = {
    FileWrite: judge_content,
    FileEdit: judge_content,
    CodeInserted: judge_content,
    FileDelete: judge_content,
    FileExists: judge_existence,
    FileAbsent: judge_existence,
    FileCreated: judge_change,
    FileChanged: judge_change,
    TextPresent: judge_text,
    TextAbsent: judge_text,
    FilesUnchanged: judge_unchanged,
    FileReverted: judge_reverted,
    FilesChanged: judge_count,
    CommandExecuted: judge_command,
    CommandFor: judge_purpose,
    PartChanged: judge_part,
    TestsChanged: judge_tests_changed,
    TestsPass: judge_tests,
    TestsFail: judge_tests,
    TestsRun: judge_tests,
    TestsSkipped: judge_tests,
}


def _judge(claim: AnyClaim, evidence: Evidence) -> Ruling:
    if path_of(claim) is not None and evidence.tree is None:
        return _NO_BASE
    found = _JUDGES.get(type(claim))
    if found is None:
        return Ruling("unverified", "it could not be tied to a file or a command")
    return found(claim, evidence)
