"""Claims about whether a file is there, was changed, or holds some words."""

from groundwire.actions._claims import (
    FileAbsent,
    FileChanged,
    FileCreated,
    FileExists,
    TextAbsent,
    TextPresent,
)
from groundwire.actions._content import Content, normal, visible_forms
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._explain import explain, refused_by
from groundwire.actions._history import History
from groundwire.actions._judge_content import without_trace

_NOT_READ = Ruling("failed", "not read: the path leaves the base path", "filesystem_mismatch")


def judge_existence(claim: FileExists | FileAbsent, evidence: Evidence) -> Ruling:
    entry = evidence.entry(claim.file_path)
    if entry == "outside":
        return _NOT_READ
    if entry == "unknown":
        return Ruling("unverified", "it cannot be told", "filesystem_mismatch")
    if isinstance(claim, FileExists):
        if entry == "there":
            return Ruling("verified", "it is there")
        finding = Finding(False, "it is not there", "file_not_found")
    elif entry == "missing":
        return Ruling("verified", "it is not there")
    else:
        finding = Finding(False, "it is there", "filesystem_mismatch")
    return _existence_explained(claim, evidence, finding)


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
    if is_there == isinstance(claim, TextPresent):
        return Ruling("verified", "the text is there" if is_there else "the text is not there")
    finding = Finding(
        False, "the text is there" if is_there else "the text is not there", "anchor_mismatch"
    )
    return _text_misfit(claim, evidence, finding)


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
    look = evidence.look(claim.file_path)
    if look.kind == "outside":
        return _NOT_READ
    if look.kind == "missing":
        finding = Finding(False, "there is no such file", "file_not_found")
        return _explained(claim, claim.file_path, evidence, finding)
    history = evidence.history
    path = evidence.key(claim.file_path)
    writes = [v for v in history.versions(path) if not v.deleted] if history else []
    if any(version.sure for version in writes):
        return Ruling("verified", f"event {writes[-1].event_id} wrote it")
    by_snapshot = _by_snapshot(claim, evidence, may_be=bool(writes))
    if by_snapshot is not None:
        return by_snapshot
    if history is None:
        return Ruling("unverified", "it is there; nothing tells what the work did to it")
    return _by_absence(claim, path, history, may_be=bool(writes))


def _by_snapshot(
    claim: FileCreated | FileChanged, evidence: Evidence, *, may_be: bool
) -> Ruling | None:
    since = evidence.since(evidence.before, claim.file_path)
    if since is None:
        return None
    if since == "same":
        if may_be:
            return Ruling("unverified", "it is as before the work", "filesystem_mismatch")
        return Ruling("failed", "it is as before the work", "filesystem_mismatch")
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


def _explained(
    claim: FileCreated | FileChanged,
    path: str,
    evidence: Evidence,
    finding: Finding,
) -> Ruling:
    if evidence.history is not None:
        return explain(claim, evidence.key(path), evidence.history, finding)
    return without_trace(evidence, path, finding)
