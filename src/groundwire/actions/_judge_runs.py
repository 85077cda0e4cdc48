"""Claims about what was run: commands, installations, pull requests, and how checks ended."""

from groundwire.actions._claims import CommandExecuted, CommandFor, TestsFail, TestsPass
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._history import History, Run
from groundwire.actions._judge_tests import NO_TRACE, judge_tests
from groundwire.actions._result import ClaimStatus

_INSTALLS = (
    "pip install", "pip3 install", "uv add", "uv pip install", "poetry add", "pipx install",
    "conda install", "mamba install", "npm install", "npm i", "npm add", "pnpm add",
    "pnpm install", "yarn add", "bun add", "bun install", "cargo add", "cargo install", "go get",
    "go install", "gem install", "bundle add", "composer require", "dotnet add package",
    "apt install", "apt-get install", "apk add", "dnf install", "yum install", "brew install",
)  # fmt: skip
_PULL_REQUESTS = ("gh pr create", "glab mr create", "hub pull-request", "gh api", "curl")


_IDLE = frozenset(
    {"--dry-run", "--no-run", "--collect-only", "--co", "--help", "--version", "--list", "--check"}
)
"""Options with which a program does not do what it is for."""


def judge_command(claim: CommandExecuted, evidence: Evidence) -> Ruling:
    history = evidence.history
    if history is None:
        return NO_TRACE
    commands = evidence.commands
    same, similar = commands.find(claim.command)
    if same:
        return _ended(claim, same)
    may_be = not history.complete or commands.may_run_others
    if similar is not None and (may_be or not _names_what_nothing_does(claim, history)):
        return Ruling("unverified", f"event {similar.event_id} ran something like it", "unknown")
    if may_be:
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    return Ruling("failed", "no command in the trace is this one", "unknown")


def _names_what_nothing_does(claim: CommandExecuted, history: History) -> bool:
    """Whether a plain word of it (`push`, `clippy`) stands in no command of the trace.

    Options and paths may be written in several ways.
    """
    words = [word for word in claim.command.split() if word.isidentifier() and len(word) > 2]  # noqa: PLR2004
    return any(all(word not in run.command for run in history.runs) for word in words)


def _ended(claim: CommandExecuted, same: list[tuple[Run, int | None]]) -> Ruling:
    stated = claim.command.split()
    as_written = [pair for pair in same if pair[0].command.split() == stated]
    if not as_written and all(_IDLE & set(run.command.split()) - set(stated) for run, _ in same):
        detail = f"event {same[-1][0].event_id} ran it, but only to list or to try"
        return Ruling("unverified", detail, "unknown")
    for run, code in as_written or same:
        if _is_so(claim, code):
            return Ruling("verified", f"event {run.event_id} ran it")
    for run, code in same:
        if _is_so(claim, code):
            detail = f"event {run.event_id} ran something like it, which ended so"
            return Ruling("unverified", detail, "unknown")
    codes = [code for _, code in same if code is not None]
    if len(codes) < len(same):
        detail = f"event {same[-1][0].event_id} ran it; how it ended is not recorded"
        return Ruling("unverified", detail, "unknown")
    wanted = "another" if claim.exit_code is None else claim.exit_code
    detail = f"it ended with exit code {codes[-1]}, not {wanted}"
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


def _is_so(claim: CommandExecuted, code: int | None) -> bool:
    if claim.failed:
        return code is not None and code != 0
    return claim.exit_code is None or code == claim.exit_code


def judge_checks(claim: TestsPass | TestsFail, evidence: Evidence) -> Ruling:
    """They pass, as many as stated; or they fail, which is the opposite."""
    if isinstance(claim, TestsFail):
        ruling = judge_tests(TestsPass(check=claim.check), evidence)
        opposite: dict[str, ClaimStatus] = {"failed": "verified", "verified": "failed"}
        status = opposite.get(ruling.status, ruling.status)
        return Ruling(status, ruling.detail, None if status == "verified" else "unknown")
    ruling = judge_tests(claim, evidence)
    if claim.count is None or ruling.status != "verified":
        return ruling
    counted = _last_count(claim, evidence)
    if counted == claim.count:
        return ruling
    known = "is not recorded" if counted is None else f"is {counted}, not {claim.count}"
    return Ruling("unverified", f"{ruling.detail}; their number {known}", "unknown")


def _last_count(claim: TestsPass, evidence: Evidence) -> int | None:
    """How many the last run says passed, where the trace reads that off its report."""
    runs = evidence.history.own_runs() if evidence.history else []
    for run in reversed(runs):
        for check in run.checks:
            counts = getattr(check, "counts", None)
            if counts is not None and getattr(check, "check", None) == claim.check:
                return int(counts.passed)
    return None
