"""Claims about commands: that one was run and how it ended, and that the tests pass."""

from typing import Literal

from groundwire.verify.actions._checks import RunOutcome, own_exit_code, plain_runner
from groundwire.verify.actions._claims import CommandExecuted, TestsPass, TestsRun
from groundwire.verify.actions._evidence import Evidence, Ruling
from groundwire.verify.actions._history import History, Run
from groundwire.verify.actions._shell import NotUnderstood, SimpleCommand, parse
from groundwire.verify.actions._words import word_set

NO_TRACE = Ruling("unverified", "there is no trace to check it against")
_RUN_OTHERS = word_set("make just task npm yarn pnpm bun bash sh zsh docker tox nox rake invoke")


def judge_command(claim: CommandExecuted, evidence: Evidence) -> Ruling:
    history = evidence.history
    if history is None:
        return NO_TRACE
    same: list[tuple[Run, int | None]] = []
    similar = None
    for run in history.own_runs():
        relation, code = compare_commands(claim.command, run)
        if relation == "same":
            same.append((run, code))
        elif relation == "similar":
            similar = run
    if same:
        return _ended(claim, same)
    if similar is not None:
        return Ruling("unverified", f"event {similar.event_id} ran something like it", "unknown")
    if not history.complete or _may_have_run_inside(history):
        return Ruling("unverified", "the trace does not tell whether it was run", "unknown")
    return Ruling("failed", "no command in the trace is this one", "unknown")


def _ended(claim: CommandExecuted, same: list[tuple[Run, int | None]]) -> Ruling:
    for run, code in same:
        if claim.exit_code is None or code == claim.exit_code:
            return Ruling("verified", f"event {run.event_id} ran it")
    codes = [code for _, code in same if code is not None]
    if len(codes) < len(same):
        detail = f"event {same[-1][0].event_id} ran it; how it ended is not recorded"
        return Ruling("unverified", detail, "unknown")
    detail = f"it ended with exit code {codes[-1]}, not {claim.exit_code}"
    return Ruling("failed", f"{detail} (event {same[-1][0].event_id})", "unknown")


def compare_commands(
    claimed: str, run: Run
) -> tuple[Literal["same", "similar", "other"], int | None]:
    """Whether a run is the claimed command, and the exit code that is surely the command's own."""
    if _plain(claimed) == _plain(run.command):
        return "same", run.exit_code
    try:
        wanted, ran = _significant(parse(claimed)), parse(run.command)
    except NotUnderstood:
        return "other", None
    if not wanted:
        return "other", None
    found = [_position(one, ran) for one in wanted]
    if all(at is not None for at in found):
        last = max(at for at in found if at is not None)
        return "same", own_exit_code(ran, last, run.exit_code)
    programs = {_words(command)[:1][0] for command in ran if command.words}
    is_near = all(_words(one)[0] in programs for one in wanted)
    return ("similar" if is_near else "other"), None


def _plain(line: str) -> str:
    return " ".join(line.split())


def _significant(commands: list[SimpleCommand]) -> list[SimpleCommand]:
    """Without the `cd` that only says where."""
    return [command for command in commands if command.words and command.program != "cd"]


def _position(wanted: SimpleCommand, ran: list[SimpleCommand]) -> int | None:
    """The last command that has the wanted words in their order, perhaps among more options."""
    for index in range(len(ran) - 1, -1, -1):
        if ran[index].words and _is_within(_words(wanted), _words(ran[index])):
            return index
    return None


def _words(command: SimpleCommand) -> list[str]:
    return plain_runner(command.words)


def _is_within(wanted: list[str], words: list[str]) -> bool:
    if not words or wanted[0] != words[0]:
        return False
    rest = iter(words)
    return all(word in rest for word in wanted)


def _may_have_run_inside(history: History) -> bool:
    """Whether something may have run the command: a script, a task, a tool nobody knows."""
    return any(not event.is_command for event in history.own_unclear()) or any(
        _runs_others(run.command) for run in history.own_runs()
    )


def _runs_others(line: str) -> bool:
    try:
        commands = parse(line)
    except NotUnderstood:
        return True
    return any(
        command.program in _RUN_OTHERS or command.words[:1] == ["."] or _is_script(command)
        for command in commands
    )


def _is_script(command: SimpleCommand) -> bool:
    return bool(command.words) and command.words[0].startswith("./")


def judge_tests(claim: TestsPass | TestsRun, evidence: Evidence) -> Ruling:
    """Only a passing run after the last edit shows that the tests pass."""
    history = evidence.history
    if history is None:
        return NO_TRACE
    runs = _check_runs(claim, history)
    if isinstance(claim, TestsRun):
        return _were_run(runs, history)
    if not runs:
        return Ruling("unverified", f"no run of the {claim.check} is in the trace", "unknown")
    last_edit = history.last_change_order()
    current = [one for one in runs if one[0].order > last_edit]
    if not current:
        detail = f"the last run (event {runs[-1][0].event_id}) came before the last edit"
        return Ruling("unverified", detail, "unknown")
    return _passed(claim, current)


def _check_runs(
    claim: TestsPass | TestsRun, history: History
) -> list[tuple[Run, RunOutcome, bool]]:
    wanted = claim.command if isinstance(claim, TestsPass) else None
    return [
        (run, outcome, check.narrow)
        for run in history.own_runs()
        if wanted is None or compare_commands(wanted, run)[0] == "same"
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
