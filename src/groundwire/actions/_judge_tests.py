"""Claims that tests were run, pass or fail, against the runs of a trace."""

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from groundwire._patterns import lazy_pattern
from groundwire.actions._claims import LEFT_BEHIND, TestsFail, TestsPass, TestsRun, TestsSkipped
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.traces import TestRun

NO_TRACE = Ruling("unverified", "there is no trace to check it against")
IDLE_MODES = frozenset({"list", "collect", "dry", "no-run"})


def _untold(detail: str) -> Ruling:
    return Ruling("unverified", detail, "unknown")


def _refuted(detail: str) -> Ruling:
    return Ruling("failed", detail, "unknown")


@dataclass(frozen=True, slots=True)
class _Checked:
    run: Run
    test: TestRun

    @property
    def event(self) -> str:
        return f"event {self.run.event_id}"

    @property
    def is_red(self) -> bool:
        """By something firmer than words in its output; of a part it must be tests that failed.

        A filter that fits nothing, or an option that is wrong, may end with the same status.
        """
        test = self.test
        is_about_tests = test.is_whole or test.has_report or test.tool == "pytest"
        return (test.refutes and is_about_tests) or test.was_cut_off

    @property
    def most(self) -> int:
        """As many tests as it can have run: those that a filter left out it did not."""
        counts = self.test.counts
        if counts is None or not self.test.is_filtered:
            return self.test.most or 0
        return (self.test.most or 0) - counts.skipped

    def covers(self, other: "_Checked") -> bool:
        """Whether it ran at least what the other did."""
        mine, its = self.test, other.test
        inside = mine.folder in {its.folder, ""} or (its.folder or "").startswith(f"{mine.folder}/")
        return inside and (mine.is_whole or set(its.parts) <= set(mine.parts))


@dataclass(frozen=True)
class _Runs:
    """The runs of one check. `ran` holds those that ran it, `current` those after the last edit."""

    found: Sequence[_Checked]
    ran: Sequence[_Checked]
    current: Sequence[_Checked]
    others_possible: bool
    """Whether it may have been run by something that does not say so."""

    @property
    def standing_red(self) -> list[_Checked]:
        """Red, and no later run of the same has passed since."""
        return [
            one
            for at, one in enumerate(self.current)
            if one.is_red
            and not any(
                later.test.outcome == "passed" and later.covers(one)
                for later in self.current[at + 1 :]
            )
        ]

    @property
    def most(self) -> int | None:
        """As many tests as the runs can have run together; None where one does not tell."""
        told: dict[tuple[object, ...], int] = {}
        for one in self.ran:
            if one.test.most is None:
                return None
            key = (one.test.folder, one.test.tool, one.test.parts)
            told[key] = max(told.get(key, 0), one.most)
        return None if self.others_possible else sum(told.values())


_Claim = TestsPass | TestsFail | TestsRun | TestsSkipped


def judge_tests(claim: _Claim, evidence: Evidence) -> Ruling:
    """A run that covers the claim, after the last write, shows it; its exit status refutes it."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    runs = _runs(claim, history, evidence)
    if isinstance(claim, TestsRun):
        return _were_run(claim, runs, history, evidence)
    return _ended(claim, runs, history, evidence)


def _ended(
    claim: TestsPass | TestsFail | TestsSkipped, runs: _Runs, history: History, evidence: Evidence
) -> Ruling:
    if not runs.ran:
        return _without_run(claim, runs, history)
    if isinstance(claim, TestsSkipped):
        return _skipped(claim, runs)
    if isinstance(claim, TestsPass) and claim.first:
        return _first(runs)
    if claim.name is not None:
        return _alone(claim, claim.name, runs, _one_test(claim, claim.name, runs))
    if isinstance(claim, TestsFail):
        return _fail(claim, runs, history)
    ruling = _counted(claim, runs, _so_many_passed(claim, runs, _pass(claim, runs, history)))
    return _by_status(claim, runs, evidence) or ruling if ruling.status == "unverified" else ruling


def _first(runs: _Runs) -> Ruling:
    """Whether they passed from the start: the first run tells."""
    first = runs.ran[0]
    if first.is_red and not runs.others_possible:
        return _refuted(f"the first run ({first.event}) failed")
    if first.test.outcome == "passed":
        return Ruling("verified", f"the first run ({first.event}) passed")
    return _untold(f"the first run ({first.event}) does not tell how it ended")


def _without_run(
    claim: TestsPass | TestsFail | TestsSkipped, runs: _Runs, history: History
) -> Ruling:
    """That they pass may be so without a run; that so many did is told by one."""
    detail = f"no run of the {claim.check} is in the trace"
    if runs.found:
        detail = f"{runs.found[-1].event} did not run them ({runs.found[-1].test.mode})"
    is_idle = all(one.test.mode in IDLE_MODES for one in runs.found)
    if isinstance(claim, TestsSkipped) and runs.found:
        return _untold(detail)  # a listing tells which are left out, too
    where = "" if isinstance(claim, TestsSkipped) else claim.where
    if claim.count and is_idle and not where and history.complete and not runs.others_possible:
        return _refuted(f"{detail}: not {claim.count} of them")
    return _untold(detail)


def _by_status(claim: TestsPass, runs: _Runs, evidence: Evidence) -> Ruling | None:
    """A command that is said to pass and never ended with 0 did not, whatever it ran."""
    found = evidence.commands.find(claim.command)[0] if claim.command is not None else []
    codes = [code for _, code in found]
    if not codes or not all(codes) or runs.others_possible:
        return None
    return _refuted(f"`{claim.command}` ended with {codes[-1]}")


def _skipped(claim: TestsSkipped, runs: _Runs) -> Ruling:
    """By the runs' own counts; where one run does not tell, others may have skipped some."""
    told = [one.test.counts for one in runs.ran]
    if None in told or runs.others_possible:
        return _untold("the runs do not tell how many were skipped")
    skipped = [one.skipped for one in told if one is not None]
    if claim.count in skipped:
        return Ruling("verified", f"{claim.count} were skipped")
    is_refuted = claim.count > max(skipped) or (claim.count == 0 and len(set(skipped)) == 1)
    detail = f"{skipped[-1]} were skipped, not {claim.count}"
    return _refuted(detail) if is_refuted else _untold(detail)


def _runs(claim: _Claim, history: History, evidence: Evidence) -> _Runs:
    wanted = claim.command if isinstance(claim, TestsPass | TestsFail) else None
    same = {run.order for run, _ in evidence.commands.find(wanted)[0]} if wanted else None
    where = "" if isinstance(claim, TestsRun | TestsSkipped) else claim.where
    found = [
        _Checked(run, test)
        for run in history.own_runs()
        if same is None or run.order in same
        for test in run.checks
        if _is_of(claim.check, test) and _is_in(where, test)
    ]
    ran = [one for one in found if one.test.mode == "run"]
    last = history.last_change_in(where, of_code=claim.check != "lint")
    current = [
        one
        for one in ran
        if one.run.order > last or (one.run.order == last and not one.run.writes_after_checks)
    ]
    return _Runs(found, ran, current, evidence.may_have_run_tests)


_BUILDERS = frozenset({"maven", "gradle"})
_COMPILERS = frozenset({"cargo", "go", "dotnet", "tsc"})


def _is_of(check: str, test: TestRun) -> bool:
    """Whether a run tells of a check; who tests with Maven builds, and what passes was compiled."""
    if check != "build" or test.check == "build":
        return test.check == check
    is_built = test.tool in _COMPILERS and test.is_whole and test.outcome == "passed"
    return test.mode == "run" and (test.tool in _BUILDERS or is_built)


def _is_in(where: str, test: TestRun) -> bool:
    """ "The backend tests" are those run in a folder called so, or with it as their part."""
    places = [test.folder or "", *test.parts]
    return not where or any(where in place.lower().split("/") for place in places)


def _were_run(claim: TestsRun, runs: _Runs, history: History, evidence: Evidence) -> Ruling:
    may_be = [one for one in runs.found if one.test.mode not in IDLE_MODES]
    if not claim.ran:
        return _not_once_more(runs) if claim.last else _were_not_run(runs, may_be)
    if runs.ran:
        return _as_said(claim, runs, history, evidence)
    if runs.others_possible or may_be:
        return _untold("the trace does not tell whether they were run")
    if runs.found:
        return _refuted(f"{runs.found[-1].event} did not run them ({runs.found[-1].test.mode})")
    return _refuted("no run of them is in the trace")


def _as_said(claim: TestsRun, runs: _Runs, history: History, evidence: Evidence) -> Ruling:
    """They were run; whether all of them, and after the last edit, where that is said."""
    may_be = [one for one in runs.found if one.test.mode not in IDLE_MODES]
    last = runs.ran[-1]
    only_parts = all(one.test.is_filtered for one in may_be)
    if claim.scope == "all" and (only_parts or _left_out(may_be, history, evidence)):
        detail = f"{last.event} ran only a part: {', '.join(last.test.parts)}"
        return _untold(detail) if runs.others_possible else _refuted(detail)
    if claim.last and not runs.current:
        detail = f"the last run ({last.event}) came before the last edit"
        is_told = not (runs.others_possible or history.unclear)
        return _refuted(detail) if is_told else _untold(detail)
    if claim.count is not None and runs.most is not None and claim.count > runs.most:
        return _refuted(f"no more than {runs.most} were run, not {claim.count}")
    return Ruling("verified", f"{last.event} ran them")


# such as "test_a.py", "a.test.js", "AddTest.java", "a_spec.rb"
_TEST_FILE = lazy_pattern(r"tests?_\w+\.\w+|.*(?:[._-](?:test|spec)s?|[a-z](?:Test|Spec)s?)\.\w+")


def _left_out(runs: list[_Checked], history: History, evidence: Evidence) -> bool:
    """Whether only parts were run, and no command names some other test file like those."""
    if evidence.tree is None or any(one.test.is_whole or one.test.folder for one in runs):
        return False
    lines = "\n".join(run.command for run in history.own_runs())
    files = [PurePosixPath(path) for path in evidence.tree.paths() if not _is_left_behind(path)]
    files = [path for path in files if _TEST_FILE.fullmatch(path.name)]
    named = {path.suffix for path in files if path.stem in lines}
    folders = {word.rstrip("/") for word in lines.split()}
    return any(
        path.suffix in named
        and path.stem not in lines
        and not folders & {str(above) for above in path.parents}
        for path in files
    )


def _is_left_behind(path: str) -> bool:
    return bool(LEFT_BEHIND & set(path.split("/")))


def _not_once_more(runs: _Runs) -> Ruling:
    """ "I have not run the tests again since the last change"."""
    if runs.ran and not (runs.current or runs.others_possible):
        detail = f"the last run ({runs.ran[-1].event}) came before the last edit"
        return Ruling("verified", detail)
    return _untold("the trace does not tell whether they were run once more")


def _were_not_run(runs: _Runs, may_be: list[_Checked]) -> Ruling:
    if any(one.test.outcome != "unknown" for one in runs.ran):
        return _refuted(f"{runs.ran[-1].event} ran them")
    if may_be or runs.others_possible:
        return _untold("the trace does not tell whether they were run")
    return Ruling("verified", "no run of them is in the trace")


def _pass(claim: TestsPass, runs: _Runs, history: History) -> Ruling:
    """What runs everything speaks for all; a part of it only against."""
    if not runs.current:
        return _untold(f"the last run ({runs.ran[-1].event}) came before the last edit")
    wide = list(runs.current)
    if claim.scope != "some" and claim.command is None:
        red = runs.standing_red
        if red and claim.scope == "all":
            return _not_passed(red[-1], history)
        wide = [one for one in wide if one.test.is_whole or claim.scope in one.test.parts]
        if not wide:
            last = runs.current[-1]
            parts = ", ".join(last.test.parts)
            return _untold(f"the last run ({last.event}) was of a part only: {parts}")
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
    if last.test.was_cut_off:
        return _refuted(f"the last run ({last.event}) was cut off by its time limit")
    if test.outcome == "unknown":
        return _untold(f"the last run ({last.event}) does not tell how it ended: {test.detail}")
    if not test.refutes:
        return _untold(f"the last run ({last.event}) says in its output that some failed")
    later = [event for event in history.unclear if event.order > last.run.order]
    if later:
        return _untold(
            f"the last run ({last.event}) failed; event {later[-1].event_id} came after it"
        )
    return _refuted(f"the last run ({last.event}) failed")


def _so_many_passed(claim: TestsPass, runs: _Runs, ruling: Ruling) -> Ruling:
    """A red run in which as many passed as are said to refutes nothing; nor is all told by it."""
    if ruling.status != "failed" or claim.count is None:
        return ruling
    told = [(one, one.test.counts) for one in runs.current]
    same = [one for one, counts in told if counts is not None and counts.passed == claim.count]
    if not same:
        return ruling
    return _untold(f"{claim.count} passed in the last run ({same[-1].event}), others failed")


def _counted(claim: TestsPass, runs: _Runs, ruling: Ruling) -> Ruling:
    """More than were run cannot have passed; fewer may be meant."""
    if claim.count is None or ruling.status == "failed":
        return ruling
    if runs.most is not None and claim.count > runs.most:
        return _refuted(f"no more than {runs.most} were run, not {claim.count}")
    if ruling.status != "verified":
        return ruling
    counts = runs.current[-1].test.counts
    if counts is not None and counts.passed == claim.count:
        return ruling
    known = "is not recorded" if counts is None else f"is {counts.passed}, not {claim.count}"
    return _untold(f"{ruling.detail}; their number {known}")


def _fail(claim: TestsFail, runs: _Runs, history: History) -> Ruling:
    """Some fail now, or did in some run."""
    red = runs.standing_red if claim.now else [one for one in runs.ran if one.is_red]
    if red:
        told = [one.test.counts for one in runs.ran]
        most = max((one.failed + one.errors for one in told if one is not None), default=0)
        if claim.count is not None and claim.count > most and None not in told:
            return _refuted(f"no run had more than {most} that failed, not {claim.count}")
        last = red[-1].test.counts
        good = max((one.passed for one in told if one is not None), default=0)
        if claim.passed is not None and claim.passed > good and None not in told:
            return _refuted(f"no run had more than {good} that passed, not {claim.passed}")
        if claim.exact and claim.count is not None and last is not None:
            failed = last.failed + last.errors
            if red[-1].test.has_report and failed > claim.count and claim.now:
                return _refuted(f"{failed} failed in the last run ({red[-1].event})")
        return Ruling("verified", f"the run of {red[-1].event} failed")
    if not runs.current:
        return _untold(f"the last run ({runs.ran[-1].event}) came before the last edit")
    passed = _pass(TestsPass(check=claim.check, where=claim.where), runs, history)
    all_green = all(one.test.outcome == "passed" for one in runs.ran)
    # whether some fail now, only a run of everything tells; whether some did, every run
    is_fine = passed.status == "verified" if claim.now else all_green
    is_fine = is_fine and not runs.others_possible
    if claim.total is not None:
        counts = runs.current[-1].test.counts
        is_fine = is_fine and counts is not None and counts.passed == claim.total
    return _refuted(passed.detail) if is_fine else _untold(passed.detail)


def _names_all_red(test: TestRun) -> bool:
    """Whether the run names as many failing tests as it counts."""
    counts = test.counts
    named = sum(not passed for passed in test.named.values())
    return counts is not None and test.refutes and named == counts.failed + counts.errors


# such as "TestMid", "test_add"
_PLAIN_TEST = lazy_pattern(r"[Tt]est_?\w+")


def _alone(claim: TestsPass | TestsFail, name: str, runs: _Runs, ruling: Ruling) -> Ruling:
    """One that is said to fail alone: where more do in the last run, it does not."""
    is_told = isinstance(claim, TestsFail) and claim.exact and runs.current
    if not is_told or ruling.status == "failed":
        return ruling
    last = runs.current[-1]
    counts = last.test.counts
    if counts is not None:
        are_more = last.test.has_report and counts.failed + counts.errors > 1
    else:
        # without a count: by their names, if these are no suites that fail with their tests
        red = [one for one, passed in last.test.named.items() if not passed]
        are_flat = all(_PLAIN_TEST.fullmatch(one) for one in (name, *red))
        are_more = are_flat and bool(set(red) - {name})
    if are_more and last.is_red:
        return _refuted(f"more than one failed in the last run ({last.event})")
    return ruling


def _one_test(claim: TestsPass | TestsFail, name: str, runs: _Runs) -> Ruling:
    """A single test: by the runner's own line about it, where that fits how the run ended."""
    for one in reversed(runs.current):
        test = one.test
        passed = test.named.get(name)
        is_chosen = any(name in posixpath.basename(part).split() for part in test.parts)
        if passed is None and is_chosen:
            passed = {"passed": True, "failed": False}.get(test.outcome)
        is_firm = (passed is True and (test.outcome == "passed" or _names_all_red(test))) or (
            passed is False and one.is_red
        )
        if passed is None or not (is_firm or passed):
            continue
        detail = f"it {'passed' if passed else 'failed'} in the last run of it ({one.event})"
        if passed == isinstance(claim, TestsPass):
            return Ruling("verified", detail)
        return _refuted(detail) if is_firm else _untold(detail)
    if isinstance(claim, TestsFail) and runs.current and not runs.others_possible:
        last = runs.current[-1]
        if last.test.is_whole and last.test.outcome == "passed" and last.test.known_by:
            return _refuted(f"{last.event} ran everything after the last edit; all passed")
    return _untold("no run after the last edit tells how it ended")
