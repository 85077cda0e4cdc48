"""Claims that files were made, changed, left alone or put back."""

import re
from collections.abc import Sequence
from fnmatch import translate
from functools import lru_cache

from groundwire.actions._claims import (
    EVERYTHING,
    FileChanged,
    FileCreated,
    FileReverted,
    FilesChanged,
    FilesUnchanged,
)
from groundwire.actions._definitions import lines_naming, names_in, part_of
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._explain import explain, refused_by
from groundwire.actions._history import OUTSIDE, History
from groundwire.actions._judge_content import without_trace
from groundwire.actions._judge_state import NOT_READ
from groundwire.actions._replay import Change, Version
from groundwire.actions._result import ClaimStatus


def judge_change(claim: FileCreated | FileChanged, evidence: Evidence) -> Ruling:
    """The work made or changed the file, and what is named in it."""
    ruling = _of_file(claim, evidence)
    if ruling.status == "verified" and isinstance(claim, FileChanged) and claim.parts:
        other = _other_parts(claim, evidence)
        if other:
            # something else in the file may do what is said of it: this accuses nobody
            detail = f"{ruling.detail}; but {other}"
            return Ruling("unverified", detail, "anchor_mismatch")
    return ruling


def _other_parts(claim: FileChanged, evidence: Evidence) -> str:
    """Which of the parts that are named was not changed, or was never in the file."""
    old, new = evidence.text_before(claim.file_path), evidence.text(claim.file_path)
    if old is None or new is None:
        return _unseen_parts(claim, evidence)
    for name in claim.parts:
        part = part_of(old, name)
        if part is not None and part == part_of(new, name):
            return f"{name} in it is as before"
        if not _is_in(old, new, name.removesuffix("()")):
            return f"{name} is not in it"
        is_mentioned = name.isidentifier() and name not in names_in(old) | names_in(new)
        if is_mentioned and lines_naming(old, name) == lines_naming(new, name):
            return f"what mentions {name} in it is as before"
    return ""


def _is_in(old: str, new: str, name: str) -> bool:
    """A number is what something was set to: it must stand there now, and not in a longer one."""
    if name.isdigit():
        return re.search(rf"(?<!\d){name}(?!\d)", new) is not None
    return name in old + new


def _unseen_parts(claim: FileChanged, evidence: Evidence) -> str:
    """Where the text before is not known, what changed the file must at least name the part."""
    changes = evidence.changes(evidence.key(claim.file_path))
    commands = evidence.commands_on(claim.file_path)
    for told in claim.parts:
        name = told.removesuffix("()")
        if not _is_named(changes, name) and not any(name in command for command in commands):
            return f"nothing tells whether {told} in it was changed"
    return ""


def _is_named(changes: Sequence[Change], name: str) -> bool:
    """Whether something that was written, or replaced, has a name or piece of code in it."""
    effects = [change.effect for change in changes]
    pieces = (
        piece for one in effects for edit in one.replacements for piece in (edit.old, edit.new)
    )
    return any(name in text for text in (*pieces, *(one.content or "" for one in effects)))


def _of_file(claim: FileCreated | FileChanged, evidence: Evidence) -> Ruling:
    """The trace or a snapshot must show it."""
    history = evidence.history
    path = evidence.key(claim.file_path)
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return NOT_READ
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
    ruling = explain(claim, path, history, finding)
    versions = history.versions(path)
    if ruling.status == "failed" and versions and all(one.deleted and one.sure for one in versions):
        detail = f"event {versions[-1].event_id} deleted it, and nothing else was done to it"
        return Ruling("failed", detail, "file_not_found")
    return ruling


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


def nothing_changed(evidence: Evidence) -> bool:
    """Whether every file is as before the work, but for what programs leave behind."""
    if evidence.before is None or evidence.tree is None or not evidence.assume_current:
        return False
    history = evidence.history
    if history is None or not history.complete or any(one.anywhere for one in history.unclear):
        return False
    written = [path for path, done in history.changes.items() if not all(d.refused for d in done)]
    recorded = evidence.before.files
    return not written and all(evidence.since(evidence.before, path) == "same" for path in recorded)


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
    if claim.deed != "changed":
        return _none_done(claim, evidence)
    surely, perhaps = _written(claim, evidence)
    if claim.besides or claim.as_before:
        # "the only file that was changed" may leave out what was undone again
        surely = [path for path in surely if evidence.since(evidence.before, path) == "other"]
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


def _none_done(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
    """No file was made, or none was deleted: by the names before the work and now."""
    before, tree, history = evidence.before, evidence.tree, evidence.history
    if before is None or tree is None or history is None or not evidence.assume_current:
        return Ruling("unverified", "nothing tells which files were there before the work")
    recorded = {path for path in before.files if fits_any(path, claim.patterns)}
    now = {path for path in tree.paths() if fits_any(path, claim.patterns)}
    if claim.deed == "created":
        new = now - recorded - set(claim.besides)
        done = sorted(path for path in new if evidence.had(before, path) is False)
        surely = [path for path in done if any(v.sure for v in history.versions(path))]
    else:
        done = sorted(recorded - now)
        others = [evidence.look(path).content for path in tree.paths() if path not in before.files]
        moved = {digest for content in others if content is not None for digest in content.hashes}
        surely = [path for path in done if before.files[path] not in moved]
    if surely:
        return Ruling("failed", f"{claim.deed}: {_listed(surely)}", "filesystem_mismatch")
    if done or before.skipped:
        return Ruling("unverified", "some files differ, and nothing tells by whom")
    return Ruling("verified", f"no such file was {claim.deed}")


def _written(claim: FilesUnchanged, evidence: Evidence) -> tuple[list[str], list[str]]:
    """Files surely and perhaps changed by the trace."""
    surely: list[str] = []
    perhaps: list[str] = []
    history = evidence.history
    for path, changes in history.changes.items() if history else ():
        done = [change.effect.sure for change in changes if not change.refused]
        if history is None or not done or not fits_any(path, claim.patterns):
            continue
        if path in claim.besides:
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
    changed = [p for p in _changed_files(claim.patterns, evidence) if p not in claim.besides]
    before = evidence.before
    assert before is not None  # noqa: S101
    if not changed:
        return Ruling("verified", "all such files are as they were before the work")
    detail = f"changed since before the work: {_listed(changed)}"
    history = evidence.history
    are_new = not any(evidence.had(before, path) for path in changed)
    left_behind = history is not None and not any(history.versions(path) for path in changed)
    is_kind = any("*" in pattern for pattern in claim.patterns)
    if are_new and (claim.patterns == EVERYTHING or (left_behind and is_kind)):
        # "I changed no source file" does not speak of what a program left behind: a cache, a build
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
