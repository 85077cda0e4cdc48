"""From a claim to its ruling: which evidence each kind of claim needs, and what it says."""

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache
from typing import Any

from groundwire.actions._claim_matches_state import (
    WHITESPACE,
    differs_in_white_space,
    fits_look,
)
from groundwire.actions._claims import (
    EVERYTHING,
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    CommandFor,
    ContentClaim,
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
    TestsFail,
    TestsPass,
    TestsRun,
    TextAbsent,
    TextPresent,
    path_of,
)
from groundwire.actions._content import Content, composed, normal, squeeze
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._explain import explain, refused_by
from groundwire.actions._history import OUTSIDE, History
from groundwire.actions._judge_runs import judge_command, judge_purpose
from groundwire.actions._judge_tests import judge_tests
from groundwire.actions._replay import Version
from groundwire.actions._result import Category, ClaimStatus


def judge_content(claim: ContentClaim, evidence: Evidence) -> Ruling:
    """What the state says comes first; where it does not fit, trace and snapshots say why."""
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return Ruling("failed", f"not read: {look.detail}", "filesystem_mismatch")
    finding = fits_look(claim, look)
    if finding.holds is False and look.content is not None and evidence.history is not None:
        changes = evidence.history.changes_of(evidence.key(claim.file_path))
        if differs_in_white_space(claim, look.content, [change.effect for change in changes]):
            finding = WHITESPACE
    if finding.holds is None:
        return _untold(claim, evidence, finding)
    return _fits(claim, evidence, finding) if finding.holds else _misfits(claim, evidence, finding)


def _untold(claim: ContentClaim, evidence: Evidence, finding: Finding) -> Ruling:
    """The state cannot tell; the tool that refused the work can."""
    if evidence.history is not None:
        refusal = refused_by(
            claim, evidence.key(claim.file_path), evidence.history, evidence.text(claim.file_path)
        )
        if refusal is not None:
            return Ruling("failed", f"{refusal}; {finding.detail}", "filesystem_mismatch")
    return Ruling("unverified", finding.detail, finding.category)


def _fits(claim: ContentClaim, evidence: Evidence, finding: Finding) -> Ruling:
    """It is so. Was it so before the work began, so that nothing was done?"""
    if isinstance(claim, FileDelete) and (ruling := _never_deleted(claim, evidence)):
        return ruling
    if evidence.since(evidence.before, claim.file_path) != "same" or _may_be_done(claim, evidence):
        return Ruling("verified", finding.detail)
    # without a trace it may have been done, undone and done again
    status: ClaimStatus = "unverified" if evidence.history is None else "failed"
    if isinstance(claim, FileDelete):
        return Ruling(status, "there was no such file before the work", "filesystem_mismatch")
    if isinstance(claim, FileEdit | CodeInserted):
        detail = "the file is the same as before the work: nothing was edited"
        return Ruling(status, detail, "filesystem_mismatch")
    detail = "the content is as claimed, but it already was before the work"
    return Ruling("unverified", detail, "filesystem_mismatch")


def _never_deleted(claim: FileDelete, evidence: Evidence) -> Ruling | None:
    """It is not there. With a trace, was it ever?"""
    history = evidence.history
    path = evidence.key(claim.file_path)
    if history is None:
        return None
    was_there = evidence.had(evidence.before, claim.file_path) if evidence.before else None
    was_made = any(not version.deleted for version in history.versions(path))
    if was_there is False and not was_made and history.tells_all_writes:
        return Ruling("failed", "there was no such file to delete", "filesystem_mismatch")
    if was_there or any(version.deleted for version in history.versions(path)):
        return None
    if history.tells_all_writes and not history.versions(path):
        detail = "it is not there, but nothing in the trace deleted it"
        return Ruling("failed", detail, "filesystem_mismatch")
    if was_there is None:
        return Ruling("unverified", "it is not there; nothing tells whether it ever was")
    return None


def _may_be_done(claim: ContentClaim, evidence: Evidence) -> bool:
    """Whether the trace has, or may have, the claimed change: doing it twice is no lie."""
    history = evidence.history
    if history is None:
        return False
    path = evidence.key(claim.file_path)
    is_deletion = isinstance(claim, FileDelete)
    may_be = any(is_deletion or event.anywhere for event in history.unclear_for(path))
    return bool(history.versions(path)) or may_be or not history.complete


def _misfits(claim: ContentClaim, evidence: Evidence, finding: Finding) -> Ruling:
    since_work = evidence.since(evidence.after, claim.file_path)
    if evidence.history is not None:
        untouched = _untouched(claim, evidence, evidence.history)
        if untouched is not None:
            return Ruling("failed", f"{finding.detail}: {untouched}", finding.category)
        ruling = explain(
            claim,
            evidence.key(claim.file_path),
            evidence.history,
            finding,
            now=evidence.text(claim.file_path),
            original=evidence.original(claim.file_path),
        )
        if ruling.status == "superseded" and _is_as_before(claim, evidence):
            detail = f"{ruling.detail}; it is again as before the work"
            return Ruling("failed", detail, finding.category)
        if ruling.status != "unverified" or since_work is None:
            return ruling
    if since_work == "same":
        detail = f"{finding.detail}, and it was so when the work ended"
        return Ruling("failed", detail, finding.category)
    if since_work == "other":
        return _changed_since(claim, evidence, finding)
    return without_trace(evidence, claim.file_path, finding)


def _untouched(claim: ContentClaim, evidence: Evidence, history: History) -> str | None:
    """Why nothing can have been done to the file, whatever else was run."""
    versions = history.versions(evidence.key(claim.file_path))
    if not versions and _is_as_before(claim, evidence):
        return "the file is the same as before the work"
    is_told = evidence.assume_current and history.complete and isinstance(claim, FileDelete)
    if is_told and not any(version.deleted for version in versions):
        return "nothing in the trace deleted it"
    return None


def _is_as_before(claim: ContentClaim, evidence: Evidence) -> bool:
    """Whether what was done was undone: the file is there, and as the snapshot has it."""
    recorded = evidence.before is not None and evidence.had(evidence.before, claim.file_path)
    return bool(recorded) and evidence.since(evidence.before, claim.file_path) == "same"


def _changed_since(claim: ContentClaim, evidence: Evidence, finding: Finding) -> Ruling:
    """The snapshot taken when the work ended still knows the hash of what stood there."""
    assert evidence.after is not None  # noqa: S101
    recorded = evidence.after.files.get(evidence.key(claim.file_path))
    if recorded is not None and recorded == getattr(claim, "content_hash", None):
        return Ruling("superseded", "true when the work ended; changed since", finding.category)
    detail = f"{finding.detail}, but it was changed after the work ended"
    return Ruling("unverified", detail, finding.category)


def without_trace(evidence: Evidence, path: str, finding: Finding) -> Ruling:
    if evidence.since(evidence.before, path) == "same":
        detail = f"{finding.detail}: the file is the same as before the work"
        return Ruling("failed", detail, finding.category)
    if evidence.assume_current:
        return Ruling("failed", finding.detail, finding.category)
    detail = f"{finding.detail}, but it may have been changed since the work"
    return Ruling("unverified", detail, finding.category)


_NOT_READ = Ruling("failed", "not read: the path leaves the base path", "filesystem_mismatch")


def judge_existence(claim: FileExists | FileAbsent, evidence: Evidence) -> Ruling:
    entry = evidence.entry(claim.file_path)
    if entry == "outside":
        return _NOT_READ
    if entry == "unknown":
        return Ruling("unverified", "it cannot be told", "filesystem_mismatch")
    is_there = entry == "there"
    detail = "it is there" if is_there else "it is not there"
    if is_there == isinstance(claim, FileExists):
        return Ruling("verified", detail)
    category: Category = "filesystem_mismatch" if is_there else "file_not_found"
    return _existence_explained(claim, evidence, Finding(False, detail, category))


def _existence_explained(
    claim: FileExists | FileAbsent, evidence: Evidence, finding: Finding
) -> Ruling:
    """A recorded creation or removal explains why it is otherwise now."""
    history = evidence.history
    if history is None:
        return without_trace(evidence, claim.file_path, finding)
    path = evidence.key(claim.file_path)
    removal = isinstance(claim, FileExists)
    if removal and claim.event_id is None and evidence.assume_current and history.complete:
        # that it is there is said of now; that it was not there is often said of before
        return _of_now(claim, evidence, finding)
    for version in history.versions(path):
        if version.sure and version.deleted == removal:
            detail = f"{finding.detail}; event {version.event_id} changed that"
            return Ruling("superseded", detail, finding.category)
    return _of_now(claim, evidence, finding)


def _of_now(
    claim: FileExists | FileAbsent | TextPresent | TextAbsent, evidence: Evidence, finding: Finding
) -> Ruling:
    """It says how things are, not what was done: right after the work the state decides.

    A claim that names its event is about that moment; what came later may have changed it.
    """
    history = evidence.history
    path = evidence.key(claim.file_path)
    may_have_changed = history is not None and (
        bool(history.versions(path)) or bool(history.unclear_for(path)) or not history.complete
    )
    if may_have_changed and (claim.event_id is not None or not evidence.assume_current):
        detail = f"{finding.detail}, but the trace does not tell since when"
        return Ruling("unverified", detail, finding.category)
    return without_trace(evidence, claim.file_path, finding)


def judge_text(claim: TextPresent | TextAbsent, evidence: Evidence) -> Ruling:
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return _NOT_READ
    if look.content is None or not look.content.texts:
        missing = look.kind == "missing"
        detail = look.detail or "the file is binary or too large to search"
        if missing and isinstance(claim, TextPresent):
            return without_trace(
                evidence, claim.file_path, Finding(False, detail, "file_not_found")
            )
        return Ruling("unverified", detail, "file_not_found" if missing else "filesystem_mismatch")
    is_there = contains(look.content, claim.snippet)
    if is_there is None:
        return Ruling("unverified", WHITESPACE.detail, WHITESPACE.category)
    detail = "the text is there" if is_there else "the text is not there"
    if is_there == isinstance(claim, TextPresent):
        return Ruling("verified", detail)
    return _of_now(claim, evidence, Finding(False, detail, "anchor_mismatch"))


def contains(content: Content, snippet: str) -> bool | None:
    """Whether the words stand in the file; None if they do but for white space."""
    wanted = normal(snippet)
    if any(form in text for text in content.same_forms for form in (wanted, composed(wanted))):
        return True
    bare = squeeze(wanted)
    return None if bare and any(bare in text for text in content.squeezed) else False


def judge_change(claim: FileCreated | FileChanged, evidence: Evidence) -> Ruling:
    """The work made or changed the file: the trace or a snapshot must show it."""
    history = evidence.history
    path = evidence.key(claim.file_path)
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return _NOT_READ
    if look.kind == "missing":
        return _missing(claim, evidence, path)
    versions = [v for v in history.versions(path) if v.event_id != OUTSIDE] if history else []
    writes = [version for version in versions if not version.deleted]
    if any(version.sure for version in writes):
        return _written_by_work(claim, evidence, versions)
    by_snapshot = _by_snapshot(claim, evidence, may_be=bool(writes))
    if by_snapshot is not None:
        return by_snapshot
    if history is None:
        return Ruling("unverified", "it is there; nothing tells what the work did to it")
    return _by_absence(claim, evidence, history, may_be=bool(writes))


def _missing(claim: FileCreated | FileChanged, evidence: Evidence, path: str) -> Ruling:
    history = evidence.history
    finding = Finding(False, "there is no such file", "file_not_found")
    was_missing = evidence.since(evidence.before, claim.file_path) == "same"
    if history is None or (was_missing and not history.versions(path)):
        return without_trace(evidence, claim.file_path, finding)
    return explain(claim, path, history, finding)


def _written_by_work(
    claim: FileCreated | FileChanged, evidence: Evidence, versions: list[Version]
) -> Ruling:
    """An event surely wrote it; what was there before tells whether that is what is claimed."""
    last = versions[-1].event_id
    before, history = evidence.before, evidence.history
    was_there = evidence.had(before, claim.file_path) if before else None
    if history is None or not history.complete:
        return Ruling("verified", f"event {last} wrote it")
    if was_there and evidence.since(before, claim.file_path) == "same":
        detail = f"event {last} wrote it, but it is as it was before the work"
        is_told = evidence.assume_current or evidence.after is not None
        return Ruling("failed" if is_told else "unverified", detail, "filesystem_mismatch")
    if isinstance(claim, FileCreated) and not any(version.deleted for version in versions):
        path = evidence.key(claim.file_path)
        if was_there or (was_there is None and _shown_before_written(path, history)):
            detail = f"event {last} changed it; it was there before the work"
            return Ruling("failed", detail, "filesystem_mismatch")
    return Ruling("verified", f"event {last} wrote it")


def _shown_before_written(path: str, history: History) -> bool:
    """Whether a tool showed the file before anything can have written it."""
    first = min(version.order for version in history.versions(path))
    shown = min((one.order for one in history.readings.get(path, ())), default=first)
    earlier = any(event.order < shown for event in history.unclear)
    return shown < first and history.complete and not earlier


def judge_reverted(claim: FileReverted, evidence: Evidence) -> Ruling:
    since = evidence.since(evidence.before, claim.file_path)
    if since is None:
        return Ruling("unverified", "no snapshot tells what it was before the work")
    if since == "same":
        return Ruling("verified", "it is as before the work")
    status: ClaimStatus = "failed" if evidence.assume_current else "unverified"
    return Ruling(status, "it is not as before the work", "filesystem_mismatch")


def judge_count(claim: FilesChanged, evidence: Evidence) -> Ruling:
    """More files than were changed at all cannot have been changed; fewer may be meant."""
    if evidence.before is not None and evidence.tree is not None:
        changed = _changed_files(EVERYTHING, evidence)
    elif evidence.history is None or not evidence.history.tells_all_writes:
        return Ruling("unverified", "nothing tells how many files were changed")
    else:
        changed = [path for path in evidence.history.changes if evidence.history.versions(path)]
    if len(changed) == claim.count:
        return Ruling("verified", f"{claim.count} files were changed")
    detail = f"{len(changed)} files were changed, not {claim.count}"
    is_too_many = claim.count > len(changed)
    return Ruling("failed" if is_too_many else "unverified", detail, "filesystem_mismatch")


def _by_snapshot(
    claim: FileCreated | FileChanged, evidence: Evidence, *, may_be: bool
) -> Ruling | None:
    since = evidence.since(evidence.before, claim.file_path)
    if since is None:
        return None
    if since == "same":
        status: ClaimStatus = "unverified" if may_be else "failed"
        return Ruling(status, "it is as before the work", "filesystem_mismatch")
    history = evidence.history
    is_told = history is not None and history.complete and not history.ran_project
    if history and is_told and not may_be and not history.unclear:
        detail = "it was changed, but by nothing in the trace"
        return Ruling("unverified", detail, "filesystem_mismatch")
    was_there = evidence.before is not None and evidence.had(evidence.before, claim.file_path)
    if isinstance(claim, FileCreated) and was_there:
        detail = "it was there before the work and has been changed"
        return Ruling("unverified", detail, "filesystem_mismatch")
    return Ruling("verified", "it differs from what was there before the work")


def _by_absence(
    claim: FileCreated | FileChanged, evidence: Evidence, history: History, *, may_be: bool
) -> Ruling:
    """It is there, and the trace has no sure write to it."""
    path = evidence.key(claim.file_path)
    refusal = refused_by(claim, path, history)
    if may_be or not history.complete or any(event.anywhere for event in history.unclear_for(path)):
        return Ruling("unverified", "the trace does not tell whether it was written")
    if refusal is not None:
        return Ruling("failed", refusal, "filesystem_mismatch")
    if history.unclear or isinstance(claim, FileCreated):
        return Ruling("unverified", "it is there; nothing in the trace surely wrote it")
    if history.ran_project and not evidence.is_as_committed(claim.file_path):
        return Ruling("unverified", "the project's own code ran, and may have written it")
    return Ruling("failed", "nothing in the trace wrote it", "filesystem_mismatch")


SHOWN = 3


def judge_unchanged(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
    """A recorded write refutes it; a snapshot that fits, or a full trace without one, proves it."""
    surely, perhaps = _written(claim, evidence)
    if surely:
        return Ruling("failed", f"the trace changed {_listed(surely)}", "filesystem_mismatch")
    if evidence.before is not None and evidence.tree is not None:
        return _unchanged_by_snapshot(claim, evidence)
    history = evidence.history
    if history is None:
        return Ruling("unverified", "neither a trace nor a snapshot tells")
    if history.complete and not history.unclear and not perhaps:
        return Ruling("verified", "nothing in the trace wrote such a file")
    return Ruling("unverified", "the trace does not tell everything that was written")


def _written(claim: FilesUnchanged, evidence: Evidence) -> tuple[list[str], list[str]]:
    """Files surely and perhaps changed by the trace."""
    surely: list[str] = []
    perhaps: list[str] = []
    history = evidence.history
    for path, changes in history.changes.items() if history else ():
        done = [change.effect.sure for change in changes if not change.refused]
        if history is None or not done or not fits_any(path, claim.patterns):
            continue
        was_there = evidence.had(evidence.before, path) if evidence.before else None
        if not _may_be_gone_again(path, history) or was_there:
            (surely if any(done) else perhaps).append(path)
        elif was_there is None:
            perhaps.append(path)
    return surely, perhaps


def _may_be_gone_again(path: str, history: History) -> bool:
    """Written first and removed last: if it was new, everything is as it was."""
    versions = history.versions(path)
    made = versions[0].effect.action == "write" and versions[0].sure
    return made and versions[-1].deleted and versions[-1].sure


def _changed_files(patterns: tuple[str, ...], evidence: Evidence) -> list[str]:
    """Files that fit and are not as the snapshot taken before the work has them."""
    assert evidence.before is not None  # noqa: S101
    assert evidence.tree is not None  # noqa: S101
    recorded = {path for path in evidence.before.files if fits_any(path, patterns)}
    now = {path for path in evidence.tree.paths() if fits_any(path, patterns)}
    changed = [path for path in sorted(recorded) if evidence.since(evidence.before, path) != "same"]
    return changed + [
        path for path in sorted(now - recorded) if evidence.had(evidence.before, path) is False
    ]


def _unchanged_by_snapshot(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
    changed = _changed_files(claim.patterns, evidence)
    before = evidence.before
    assert before is not None  # noqa: S101
    if not changed:
        return Ruling("verified", "all such files are as they were before the work")
    detail = f"changed since before the work: {_listed(changed)}"
    history = evidence.history
    if claim.patterns == EVERYTHING and not any(evidence.had(before, path) for path in changed):
        # "I changed no file" does not speak of what a program left behind, such as a cache
        return Ruling("unverified", f"{detail}, which are new", "filesystem_mismatch")
    nobody = history is not None and history.tells_all_writes
    if nobody or not evidence.assume_current:
        return Ruling("unverified", f"{detail}, but not by the trace", "filesystem_mismatch")
    return Ruling("failed", detail, "filesystem_mismatch")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """Shell patterns in which `**/` also stands for no folder at all."""
    return re.compile("|".join(translate(p) for p in {pattern, pattern.replace("**/", "")}))


def fits_any(path: str, patterns: tuple[str, ...]) -> bool:
    return any(_compiled(pattern).match(path) for pattern in patterns)


def _listed(paths: list[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


_NO_BASE = Ruling("unverified", "no base path was given to look in")


def judge(claim: AnyClaim, evidence: Evidence) -> Ruling:
    ruling = _judge(claim, evidence)
    if ruling.status == "failed" and not claim.certain:
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
    TestsPass: judge_tests,
    TestsFail: judge_tests,
    TestsRun: judge_tests,
}


def _judge(claim: AnyClaim, evidence: Evidence) -> Ruling:
    if path_of(claim) is not None and evidence.tree is None:
        return _NO_BASE
    found = _JUDGES.get(type(claim))
    if found is None:
        return Ruling("unverified", "it could not be tied to a file or a command")
    return found(claim, evidence)
