"""Claims that tests, builds, linters or type checkers were run, or pass."""

from groundwire.actions._claims import TestsPass, TestsRun
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.traces import RunOutcome

NO_TRACE = Ruling("unverified", "there is no trace to check it against")


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
