"""A claim does not fit the file. Is it false, or did something happen to the file since?

The rule [RULINGS S2]: false where the trace shows that nothing was written after the claim;
superseded where a later recorded write explains the difference; else nobody can tell. So the trace
is searched for a moment at which the claim may have been true, and for what came after it.
"""

from dataclasses import dataclass, replace

from groundwire.actions._claim_matches_state import fits_version, is_about
from groundwire.actions._claims import AnyClaim
from groundwire.actions._evidence import Finding, Ruling
from groundwire.actions._history import History, Unclear
from groundwire.actions._replay import Change, Version


@dataclass(frozen=True)
class _Story:
    """What the trace has on one file."""

    versions: list[Version]
    unclear: list[Unclear]
    complete: bool

    def sure_after(self, order: int) -> Version | None:
        later = (version for version in self.versions if version.order > order and version.sure)
        return next(later, None)

    def maybe_after(self, order: int) -> str | None:
        """What may have changed the file later, in words."""
        events: list[Version | Unclear] = [*self.versions, *self.unclear]
        for event in events:
            if event.order > order:
                return f"event {event.event_id} may have changed it later"
        return None if self.complete else "the trace is not complete"


def explain(
    claim: AnyClaim,
    path: str,
    history: History,
    finding: Finding,
    *,
    now: str | None = None,
    original: str | None = None,
) -> Ruling:
    """`now` is the text of the file, `original` the one before the work, where they are known."""
    versions = history.versions(path, now, original)
    story = _Story(versions, history.unclear_for(path), history.complete)
    true_at = [version for version in story.versions if fits_version(claim, version)]
    if true_at:
        return _was_true(_last_sure_moment(true_at, story), story, finding)
    refusal = refused_by(claim, path, history, now)
    if refusal is not None:
        return Ruling("failed", f"{refusal}; {finding.detail}", finding.category)
    return _never_seen_true(claim, story, finding, history.refused(path))


def _last_sure_moment(true_at: list[Version], story: _Story) -> Version:
    """The last moment; but where only the words told, any with a write after it."""
    last = true_at[-1]
    if last.content is not None or last.content_hash is not None:
        return last
    return next((one for one in true_at if story.sure_after(one.order)), last)


def _was_true(version: Version, story: _Story, finding: Finding) -> Ruling:
    later = story.sure_after(version.order)
    if later is not None:
        detail = f"true after event {version.event_id}; event {later.event_id} changed it again"
        return Ruling("superseded", detail, finding.category)
    doubt = story.maybe_after(version.order)
    if doubt is not None:
        return Ruling("unverified", f"{finding.detail}, but {doubt}", finding.category)
    detail = f"{finding.detail}, and the trace has no write after event {version.event_id}"
    return Ruling("failed", detail, finding.category)


def _never_seen_true(
    claim: AnyClaim, story: _Story, finding: Finding, refused: list[Change]
) -> Ruling:
    """No recorded state fits. May one that is not recorded have fitted, and what came after?"""
    for chance in _chances(claim, story):
        ruling = _after_chance(chance, story, finding)
        if ruling is not None:
            return ruling
    if not story.complete:
        detail = f"{finding.detail}, but the trace is not complete"
        return Ruling("unverified", detail, finding.category)
    reason = "nothing in the trace explains it"
    if refused:
        reason = f"the tool refused to change it (event {refused[-1].event_id})"
    return Ruling("failed", f"{finding.detail}, and {reason}", finding.category)


def _after_chance(chance: Version | Unclear, story: _Story, finding: Finding) -> Ruling | None:
    later = story.sure_after(chance.order)
    if isinstance(chance, Version) and later is not None:
        detail = (
            f"event {chance.event_id} may have done it; event {later.event_id} changed it again"
        )
        return Ruling("superseded", detail, finding.category)
    doubt = story.maybe_after(chance.order)
    if isinstance(chance, Unclear) and chance.anywhere:
        doubt = f"event {chance.event_id} may have changed any file"
    if doubt is not None:
        return Ruling("unverified", f"{finding.detail}, but {doubt}", finding.category)
    return None


def _chances(claim: AnyClaim, story: _Story) -> list[Version | Unclear]:
    """Events after which the claim may have been true; one of `anywhere` may have undone it."""
    writes = [version for version in story.versions if fits_version(claim, version) is None]
    return sorted([*story.unclear, *writes], key=lambda event: event.order)


def refused_by(claim: AnyClaim, path: str, history: History, now: str | None = None) -> str | None:
    """The refusal this claim is about, in words, unless something else may have done the work."""
    refused = history.refused(path)
    named = [change for change in refused if change.event_id == claim.event_id]
    if named:
        return f"the tool refused it (event {named[-1].event_id})"
    past = list(history.past_texts(path, now)) if refused else []
    about = [
        change for change in refused if is_about(claim, replace(change.effect, sure=True), past)
    ]
    if not about or any(event.anywhere for event in history.unclear_for(path)):
        return None
    effects = (version.effect for version in history.versions(path))
    done = any(is_about(claim, effect) is not False for effect in effects)
    return None if done else f"the tool refused it (event {about[-1].event_id})"
