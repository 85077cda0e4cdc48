"""Claims about what was run: commands, installations, pull requests, tests and other checks."""

from groundwire.actions._claims import CommandExecuted, CommandFor, TestsPass, TestsRun
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.traces import RunOutcome

_INSTALLS = (
    "pip install", "pip3 install", "uv add", "uv pip install", "poetry add", "pipx install",
    "conda install", "mamba install", "npm install", "npm i", "npm add", "pnpm add",
    "pnpm install", "yarn add", "bun add", "bun install", "cargo add", "cargo install", "go get",
    "go install", "gem install", "bundle add", "composer require", "dotnet add package",
    "apt install", "apt-get install", "apk add", "dnf install", "yum install", "brew install",
)  # fmt: skip
_PULL_REQUESTS = ("gh pr create", "glab mr create", "hub pull-request", "gh api", "curl")
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
    as_written = [pair for pair in same if pair[0].command.split() == claim.command.split()]
    for run, code in as_written or same:
        if claim.exit_code is None or code == claim.exit_code:
            return Ruling("verified", f"event {run.event_id} ran it")
    for run, code in same:
        if code == claim.exit_code:
            detail = f"event {run.event_id} ran something like it, which ended so"
            return Ruling("unverified", detail, "unknown")
    codes = [code for _, code in same if code is not None]
    if len(codes) < len(same):
        detail = f"event {same[-1][0].event_id} ran it; how it ended is not recorded"
        return Ruling("unverified", detail, "unknown")
    detail = f"it ended with exit code {codes[-1]}, not {claim.exit_code}"
    return Ruling("failed", f"{detail} (event {same[-1][0].event_id})", "unknown")


def judge_purpose(claim: CommandFor, evidence: Evidence) -> Ruling:
    """One of the commands that do it was run. What is only like one of them proves nothing."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    is_install = claim.purpose == "install"
    known = [f"{one} {claim.subject}" for one in _INSTALLS] if is_install else _PULL_REQUESTS[:3]
    same = [run for one in known for run in evidence.commands.find(one)[0]]
    if same:
        return _ended(CommandExecuted(command=known[0], exit_code=0), same)
    hints = (
        (claim.subject, *(one.split()[0] for one in _INSTALLS)) if is_install else _PULL_REQUESTS
    )
    may_be = any(hint in run.command for run in history.own_runs() for hint in hints)
    if may_be or not history.complete or evidence.commands.may_run_others:
        return Ruling("unverified", "the trace does not tell whether it was done", "unknown")
    return Ruling("failed", "no command in the trace does this", "unknown")


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
