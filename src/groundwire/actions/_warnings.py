"""What is worth a look although no claim is false."""

from collections.abc import Iterable, Iterator, Sequence

from groundwire.actions._claims import AnyClaim, path_of
from groundwire.actions._evidence import Evidence
from groundwire.actions._history import History
from groundwire.actions._result import ClaimVerdict, VerificationWarning

MAX_WARNINGS = 500
_CONTENT = {"file-write", "file-edit", "code-inserted", "file-delete"}


def warnings_of(
    claims: Sequence[AnyClaim], verdicts: Iterable[ClaimVerdict], evidence: Evidence
) -> tuple[VerificationWarning, ...]:
    history = evidence.history
    if history is None:
        return ()
    claimed = {evidence.key(path) for claim in claims if (path := path_of(claim))}
    found = [*_unclaimed(claimed, history), *_unrecorded(verdicts, evidence, history)]
    return tuple(found[:MAX_WARNINGS])


def _unclaimed(claimed: set[str], history: History) -> Iterator[VerificationWarning]:
    for path, changes in history.changes.items():
        done = [change for change in changes if not change.refused and change.effect.sure]
        if (
            not done
            or path in claimed
            or any(path.endswith(f"/{one}") for one in _rooted(path, claimed))
        ):
            continue
        last = done[-1]
        verb = "deleted" if last.effect.action == "delete" else "wrote"
        message = f"event {last.event_id} {verb} {path}, and no claim mentions it"
        yield VerificationWarning(category="unclaimed_write", file_path=path, message=message)


def _rooted(path: str, claimed: set[str]) -> set[str]:
    """Claims an absolute path of the trace may be, where nobody said what its root is."""
    return claimed if path.startswith("/") else set()


def _unrecorded(
    verdicts: Iterable[ClaimVerdict], evidence: Evidence, history: History
) -> Iterator[VerificationWarning]:
    if not history.complete or history.unclear:
        return
    for verdict in verdicts:
        path = verdict.file_path
        if path is None or verdict.type not in _CONTENT or verdict.status != "verified":
            continue
        if not history.changes_of(evidence.key(path)):
            message = f"{path} is as claimed, but nothing in the trace wrote it"
            yield VerificationWarning(category="unrecorded_write", file_path=path, message=message)
