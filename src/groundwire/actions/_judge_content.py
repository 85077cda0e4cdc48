"""Claims with an anchor or a hash: the state first; where it does not fit, trace and snapshots."""

from groundwire.actions._claim_matches_state import (
    WHITESPACE,
    differs_in_white_space,
    fits_look,
)
from groundwire.actions._claims import (
    CodeInserted,
    ContentClaim,
    FileDelete,
    FileEdit,
)
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._explain import explain, refused_by
from groundwire.actions._history import History
from groundwire.actions._result import ClaimStatus


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
