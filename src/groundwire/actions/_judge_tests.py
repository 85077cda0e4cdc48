"""Claims that tests were run and that they pass, against the runs of a trace."""

from dataclasses import dataclass

from groundwire.actions._claims import TestsPass, TestsRun
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.traces import TestRun

NO_TRACE = Ruling("unverified", "there is no trace to check it against")


@dataclass(frozen=True, slots=True)
class _Checked:
    run: Run
    test: TestRun

    @property
    def event(self) -> str:
        return f"event {self.run.event_id}"


def judge_tests(claim: TestsPass | TestsRun, evidence: Evidence) -> Ruling:
    """A run that covers the claim, after the last write, shows it; its exit status refutes it."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    found = _runs(claim, history, evidence)
    ran = [one for one in found if one.test.mode == "run"]
    if isinstance(claim, TestsRun):
        return _were_run(found, ran, history)
    if not ran:
        detail = f"no run of the {claim.check} is in the trace"
        if found:
            detail = f"{found[-1].event} did not run them ({found[-1].test.mode})"
        return Ruling("unverified", detail, "unknown")
    current = [one for one in ran if one.run.order > history.last_change_order]
    if not current:
        detail = f"the last run ({ran[-1].event}) came before the last edit"
        return Ruling("unverified", detail, "unknown")
    return _passed(claim, current, history)


def _runs(claim: TestsPass | TestsRun, history: History, evidence: Evidence) -> list[_Checked]:
    wanted = claim.command if isinstance(claim, TestsPass) else None
    same = {run.order for run, _ in evidence.commands.find(wanted)[0]} if wanted else None
    return [
        _Checked(run, test)
        for run in history.own_runs()
        if same is None or run.order in same
        for test in run.checks
        if test.check == claim.check
    ]


def _were_run(found: list[_Checked], ran: list[_Checked], history: History) -> Ruling:
    if ran:
        return Ruling("verified", f"{ran[-1].event} ran them")
    if found:
        detail = f"{found[-1].event} did not run them ({found[-1].test.mode})"
        return Ruling("unverified", detail, "unknown")
    if not history.complete or history.own_unclear():
        return Ruling("unverified", "the trace does not tell whether they were run", "unknown")
    return Ruling("failed", "no run of them is in the trace", "unknown")


def _passed(claim: TestsPass, current: list[_Checked], history: History) -> Ruling:
    """What runs everything speaks for all; a part of it neither for nor against."""
    wide = current
    if claim.scope == "all" and claim.command is None:
        wide = [one for one in current if one.test.is_whole]
        if not wide:
            parts = ", ".join(current[-1].test.parts)
            detail = f"the last run ({current[-1].event}) was of a part only: {parts}"
            return Ruling("unverified", detail, "unknown")
    for last in _last_of_each_folder(wide):
        if last.test.outcome != "passed":
            return _not_passed(last, history)
    return Ruling("verified", f"{wide[-1].event} ran them after the last edit; they passed")


def _last_of_each_folder(runs: list[_Checked]) -> list[_Checked]:
    """`cd web && npm test` does not speak for `cd api && pytest`; the latest comes first."""
    last = {(one.test.folder, one.test.tool): one for one in runs}
    whole = [one for one in last.values() if one.test.is_whole]
    return sorted(whole or [runs[-1]], key=lambda one: -one.run.order)


def _not_passed(last: _Checked, history: History) -> Ruling:
    test = last.test
    if test.outcome == "unknown":
        detail = f"the last run ({last.event}) does not tell how it ended: {test.detail}"
        return Ruling("unverified", detail, "unknown")
    if not test.refutes:
        detail = f"the last run ({last.event}) says in its output that some failed"
        return Ruling("unverified", detail, "unknown")
    later = [event for event in history.unclear if event.order > last.run.order]
    if later:
        detail = f"the last run ({last.event}) failed; event {later[-1].event_id} came after it"
        return Ruling("unverified", detail, "unknown")
    return Ruling("failed", f"the last run ({last.event}) failed", "unknown")
