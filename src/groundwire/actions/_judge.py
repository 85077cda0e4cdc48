"""From a claim to its ruling: which evidence each kind of claim needs, and what it says."""

import re
from fnmatch import translate
from functools import lru_cache

from groundwire.actions._claim_matches_state import fits_look, same_to_a_person
from groundwire.actions._claims import (
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    ContentClaim,
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
from groundwire.actions._content import Content, normal, visible_forms
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._explain import explain, refused_by
from groundwire.actions._history import OUTSIDE, History, Run
from groundwire.actions._replay import Version
from groundwire.actions._result import Category, ClaimStatus
from groundwire.traces import RunOutcome


def judge_content(claim: ContentClaim, evidence: Evidence) -> Ruling:
    """What the state says comes first; where it does not fit, trace and snapshots say why."""
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return Ruling("failed", f"not read: {look.detail}", "filesystem_mismatch")
    finding = fits_look(claim, look)
    if not finding.holds and evidence.history is not None:
        changes = evidence.history.changes_of(evidence.key(claim.file_path))
        same = same_to_a_person(claim, [change.effect for change in changes])
        finding = fits_look(claim, look, same) if same else finding
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
            return Ruling("failed", f"{refusal}; {finding.detail}", finding.category)
    return Ruling("unverified", finding.detail, finding.category)


def _fits(claim: ContentClaim, evidence: Evidence, finding: Finding) -> Ruling:
    """It is so. Was it so before the work began, so that nothing was done?"""
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
        ruling = explain(
            claim,
            evidence.key(claim.file_path),
            evidence.history,
            finding,
            now=evidence.text(claim.file_path),
            original=evidence.original(claim.file_path),
        )
        if ruling.status != "unverified" or since_work is None:
            return ruling
    if since_work == "same":
        detail = f"{finding.detail}, and it was so when the work ended"
        return Ruling("failed", detail, finding.category)
    if since_work == "other":
        return _changed_since(claim, evidence, finding)
    return without_trace(evidence, claim.file_path, finding)


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
    for version in history.versions(path):
        if version.sure and version.deleted == removal:
            detail = f"{finding.detail}; event {version.event_id} changed that"
            return Ruling("superseded", detail, finding.category)
    if history.versions(path) or history.unclear_for(path) or not history.complete:
        detail = f"{finding.detail}, but the trace does not tell since when"
        return Ruling("unverified", detail, finding.category)
    return Ruling("failed", finding.detail, finding.category)


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
    detail = "the text is there" if is_there else "the text is not there"
    if is_there == isinstance(claim, TextPresent):
        return Ruling("verified", detail)
    return _text_misfit(claim, evidence, Finding(False, detail, "anchor_mismatch"))


def contains(content: Content, snippet: str) -> bool:
    """Whether a person would find the words in the file."""
    wanted = normal(snippet)
    forms = {wanted, *visible_forms(wanted)} - {""}
    return any(form in text for text in content.forms for form in forms)


def _text_misfit(claim: TextPresent | TextAbsent, evidence: Evidence, finding: Finding) -> Ruling:
    """A later write may have brought or taken the words; which one is not recorded anywhere."""
    history = evidence.history
    if history is not None:
        path = evidence.key(claim.file_path)
        if history.unclear_for(path) or not history.complete:
            detail = f"{finding.detail}, but the trace does not tell since when"
            return Ruling("unverified", detail, finding.category)
    return without_trace(evidence, claim.file_path, finding)


def judge_change(claim: FileCreated | FileChanged, evidence: Evidence) -> Ruling:
    """The work made or changed the file: the trace or a snapshot must show it."""
    history = evidence.history
    path = evidence.key(claim.file_path)
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return _NOT_READ
    if look.kind == "missing":
        finding = Finding(False, "there is no such file", "file_not_found")
        return (
            without_trace(evidence, claim.file_path, finding)
            if history is None
            else explain(claim, path, history, finding)
        )
    versions = [v for v in history.versions(path) if v.event_id != OUTSIDE] if history else []
    writes = [version for version in versions if not version.deleted]
    if any(version.sure for version in writes):
        return _written_by_work(claim, evidence, versions)
    by_snapshot = _by_snapshot(claim, evidence, may_be=bool(writes))
    if by_snapshot is not None:
        return by_snapshot
    if history is None:
        return Ruling("unverified", "it is there; nothing tells what the work did to it")
    return _by_absence(claim, path, history, may_be=bool(writes))


def _written_by_work(
    claim: FileCreated | FileChanged, evidence: Evidence, versions: list[Version]
) -> Ruling:
    """An event surely wrote it; what was there before tells whether that is what is claimed."""
    last = versions[-1].event_id
    before, history = evidence.before, evidence.history
    if before is None or history is None or not history.complete:
        return Ruling("verified", f"event {last} wrote it")
    if evidence.since(before, claim.file_path) == "same":
        detail = f"event {last} wrote it, but it is as it was before the work"
        return Ruling("failed", detail, "filesystem_mismatch")
    was_there = evidence.key(claim.file_path) in before.files
    if isinstance(claim, FileCreated) and was_there and not any(v.deleted for v in versions):
        detail = f"event {last} changed it; it was there before the work"
        return Ruling("failed", detail, "filesystem_mismatch")
    return Ruling("verified", f"event {last} wrote it")


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
    if history and history.complete and not may_be and not history.unclear:
        detail = "it was changed, but by nothing in the trace"
        return Ruling("unverified", detail, "filesystem_mismatch")
    was_there = evidence.before is not None and evidence.had(evidence.before, claim.file_path)
    if isinstance(claim, FileCreated) and was_there:
        detail = "it was there before the work and has been changed"
        return Ruling("unverified", detail, "filesystem_mismatch")
    return Ruling("verified", "it differs from what was there before the work")


def _by_absence(
    claim: FileCreated | FileChanged, path: str, history: History, *, may_be: bool
) -> Ruling:
    """It is there, and the trace has no sure write to it."""
    refusal = refused_by(claim, path, history)
    if may_be or not history.complete or any(event.anywhere for event in history.unclear_for(path)):
        return Ruling("unverified", "the trace does not tell whether it was written")
    if refusal is not None:
        return Ruling("failed", refusal, "filesystem_mismatch")
    if history.unclear or isinstance(claim, FileCreated):
        return Ruling("unverified", "it is there; nothing in the trace surely wrote it")
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


def _unchanged_by_snapshot(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
    assert evidence.before is not None  # noqa: S101
    assert evidence.tree is not None  # noqa: S101
    recorded = {path for path in evidence.before.files if fits_any(path, claim.patterns)}
    now = {path for path in evidence.tree.paths() if fits_any(path, claim.patterns)}
    changed = [path for path in sorted(recorded) if evidence.since(evidence.before, path) != "same"]
    changed += [
        path for path in sorted(now - recorded) if evidence.had(evidence.before, path) is False
    ]
    if not changed:
        return Ruling("verified", f"{len(recorded)} files are as they were before the work")
    detail = f"changed since before the work: {_listed(changed)}"
    history = evidence.history
    nobody = history is not None and history.complete and not history.unclear
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


NO_TRACE = Ruling("unverified", "there is no trace to check it against")


def judge_command(claim: CommandExecuted, evidence: Evidence) -> Ruling:
    history = evidence.history
    if history is None:
        return NO_TRACE
    commands = evidence.commands
    same, similar = commands.find(claim.command)
    if same:
        return _ended(claim, same)
    if similar is not None:
        return Ruling("unverified", f"event {similar.event_id} ran something like it", "unknown")
    if not history.complete or commands.may_run_others:
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    return Ruling("failed", "no command in the trace is this one", "unknown")


def _ended(claim: CommandExecuted, same: list[tuple[Run, int | None]]) -> Ruling:
    for run, code in same:
        if claim.exit_code is None or code == claim.exit_code:
            return Ruling("verified", f"event {run.event_id} ran it")
    codes = [code for _, code in same if code is not None]
    if len(codes) < len(same):
        detail = f"event {same[-1][0].event_id} ran it; how it ended is not recorded"
        return Ruling("unverified", detail, "unknown")
    detail = f"it ended with exit code {codes[-1]}, not {claim.exit_code}"
    return Ruling("failed", f"{detail} (event {same[-1][0].event_id})", "unknown")


def judge_tests(claim: TestsPass | TestsRun, evidence: Evidence) -> Ruling:
    """Only a passing run after the last edit shows that the tests pass."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    runs = _check_runs(claim, history, evidence)
    if isinstance(claim, TestsRun):
        return _were_run(runs, history)
    if not runs:
        return Ruling("unverified", f"no run of the {claim.check} is in the trace", "unknown")
    last_edit = history.last_change_order
    current = [one for one in runs if one[0].order > last_edit]
    if not current:
        detail = f"the last run (event {runs[-1][0].event_id}) came before the last edit"
        return Ruling("unverified", detail, "unknown")
    return _passed(claim, current)


def _check_runs(
    claim: TestsPass | TestsRun, history: History, evidence: Evidence
) -> list[tuple[Run, RunOutcome, bool]]:
    wanted = claim.command if isinstance(claim, TestsPass) else None
    same = {run.order for run, _ in evidence.commands.find(wanted)[0]} if wanted else None
    return [
        (run, outcome, check.narrow)
        for run in history.own_runs()
        if same is None or run.order in same
        for check, outcome in run.checks
        if check.check == claim.check
    ]


def _were_run(runs: list[tuple[Run, RunOutcome, bool]], history: History) -> Ruling:
    if runs:
        return Ruling("verified", f"event {runs[-1][0].event_id} ran them")
    if not history.complete or history.own_unclear():
        return Ruling("unverified", "the trace does not tell whether they were run", "unknown")
    return Ruling("failed", "no run of them is in the trace", "unknown")


def _passed(claim: TestsPass, current: list[tuple[Run, RunOutcome, bool]]) -> Ruling:
    run, outcome, narrow = current[-1]
    if outcome == "failed":
        return Ruling("failed", f"the last run (event {run.event_id}) failed", "unknown")
    if outcome == "unknown":
        detail = f"the last run (event {run.event_id}) does not tell how it ended"
        return Ruling("unverified", detail, "unknown")
    if claim.scope == "all" and narrow and all(one[2] for one in current):
        detail = f"the last run (event {run.event_id}) passed, but ran only some of them"
        return Ruling("unverified", detail, "unknown")
    return Ruling("verified", f"event {run.event_id} ran them after the last edit; they passed")


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
