"""Claims that something was left alone: "no test was changed"."""

import re
from fnmatch import translate
from functools import lru_cache

from groundwire.actions._claims import FilesUnchanged
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History

SHOWN = 3


def judge_unchanged(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
    """A recorded write refutes it; a snapshot that fits, or a full trace without one, proves it."""
    surely, perhaps = _written(claim, evidence)
    if surely:
        return Ruling("failed", f"the trace changed {_listed(surely)}", "filesystem_mismatch")
    if evidence.before is not None and evidence.tree is not None:
        return _by_snapshot(claim, evidence)
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


def _by_snapshot(claim: FilesUnchanged, evidence: Evidence) -> Ruling:
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
