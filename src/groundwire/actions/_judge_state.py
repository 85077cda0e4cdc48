"""Claims of how things are: what exists, and which text stands where."""

import re

from groundwire.actions._claim_matches_state import (
    WHITESPACE,
)
from groundwire.actions._claims import (
    FileAbsent,
    FileExists,
    TextAbsent,
    TextPresent,
)
from groundwire.actions._content import Content, composed, normal, squeeze
from groundwire.actions._evidence import Evidence, Finding, Ruling
from groundwire.actions._judge_content import without_trace
from groundwire.actions._result import Category

NOT_READ = Ruling("failed", "not read: the path leaves the base path", "filesystem_mismatch")


def judge_existence(claim: FileExists | FileAbsent, evidence: Evidence) -> Ruling:
    entry = evidence.entry(claim.file_path)
    if entry == "outside":
        return NOT_READ
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
        return NOT_READ
    if look.content is None or not look.content.texts:
        missing = look.kind == "missing"
        detail = look.detail or "the file is binary or too large to search"
        if missing and isinstance(claim, TextPresent):
            return without_trace(
                evidence, claim.file_path, Finding(False, detail, "file_not_found")
            )
        return Ruling("unverified", detail, "file_not_found" if missing else "filesystem_mismatch")
    return _as_found(claim, evidence, look.content)


def _as_found(claim: TextPresent | TextAbsent, evidence: Evidence, content: Content) -> Ruling:
    is_there = contains(content, claim.snippet)
    if is_there is None:
        return Ruling("unverified", WHITESPACE.detail, WHITESPACE.category)
    if is_there and claim.snippet.isdigit() and not _is_number_in(content, claim.snippet):
        is_there = False  # 100 is not told by 1000
    if is_there and claim.said is not None and not _stands_alone(content, claim.snippet):
        # `Loader` is not said to stand there by `JsonLoader`, nor 30 by 300
        detail = "it is there only as a part of longer words"
        return Ruling("unverified", detail, "anchor_mismatch")
    detail = "the text is there" if is_there else "the text is not there"
    if is_there == isinstance(claim, TextPresent):
        return Ruling("verified", detail)
    return _of_now(claim, evidence, Finding(False, detail, "anchor_mismatch"))


def _stands_alone(content: Content, snippet: str) -> bool:
    """Whether some place has the words by themselves, not within a longer name or number."""
    wanted = normal(snippet)
    before = r"(?<!\w)" if wanted[:1].isalnum() else ""
    after = r"(?!\w)" if wanted[-1:].isalnum() else ""
    forms = {wanted, composed(wanted)}
    found = re.compile("|".join(f"{before}{re.escape(form)}{after}" for form in forms))
    return any(found.search(text) for text in content.same_forms)


def _is_number_in(content: Content, digits: str) -> bool:
    """Whether some place has the digits, and no more of them."""
    found = re.compile(rf"(?<![\d_]){digits}(?![\d_])")
    return any(found.search(text) for text in content.same_forms)


def contains(content: Content, snippet: str) -> bool | None:
    """Whether the words stand in the file; None if they do but for white space."""
    wanted = normal(snippet)
    if any(form in text for text in content.same_forms for form in (wanted, composed(wanted))):
        return True
    bare = squeeze(wanted)
    return None if bare and any(bare in text for text in content.squeezed) else False
