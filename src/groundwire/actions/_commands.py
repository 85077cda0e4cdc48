"""Which commands ran: found by what they do, not by how they were written."""

from collections.abc import Sequence
from functools import cached_property

from groundwire.actions._history import Run, Unclear
from groundwire.text import word_set
from groundwire.traces import NotUnderstood, SimpleCommand, own_exit_code, parse, plain_runner

_RUN_OTHERS = word_set("make just task npm yarn pnpm bun bash sh zsh docker tox nox rake invoke")

Found = tuple[list[tuple[Run, int | None]], Run | None]
"""Runs of the command, each with the exit code that is surely its own; and one that is like it."""


class CommandIndex:
    """The commands of a trace by the programs they run."""

    def __init__(self, runs: Sequence[Run], unclear: Sequence[Unclear]) -> None:
        self._runs = runs
        self._unclear = unclear
        self._found: dict[str, Found] = {}

    @cached_property
    def _parsed(self) -> list[tuple[Run, Sequence[SimpleCommand]] | None]:
        return [_parsed(run) for run in self._runs]

    @cached_property
    def _by_program(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for place, known in enumerate(self._parsed):
            for program in {_words(c)[0] for c in known[1] if c.words} if known else ():
                places.setdefault(program, []).append(place)
        return places

    @cached_property
    def _by_line(self) -> dict[str, list[Run]]:
        lines: dict[str, list[Run]] = {}
        for run in self._runs:
            lines.setdefault(_plain(run.command), []).append(run)
        return lines

    @cached_property
    def may_run_others(self) -> bool:
        """Whether something may have run a command inside: a script, a task, an unknown tool."""
        if any(not event.is_command for event in self._unclear):
            return True
        return any(known is None or _runs_others(known[1]) for known in self._parsed)

    def find(self, command: str) -> Found:
        if command not in self._found:
            self._found[command] = self._search(command)
        return self._found[command]

    def _search(self, command: str) -> Found:
        same: list[tuple[Run, int | None]] = [
            (run, run.exit_code) for run in self._by_line.get(_plain(command), ())
        ]
        try:
            wanted = _significant(parse(command))
        except NotUnderstood:
            return same, None
        similar = None
        for run, commands in self._candidates(wanted):
            places = [_position(one, commands) for one in wanted]
            if None not in places:
                last = max(place for place in places if place is not None)
                same.append((run, own_exit_code(commands, last, run.exit_code)))
            else:
                similar = run
        return same, similar

    def _candidates(
        self, wanted: Sequence[SimpleCommand]
    ) -> list[tuple[Run, Sequence[SimpleCommand]]]:
        """Lines that run all the wanted programs."""
        places = [set(self._by_program.get(_words(one)[0], ())) for one in wanted]
        together = sorted(set.intersection(*places)) if places else []
        known = [self._parsed[place] for place in together]
        return [one for one in known if one is not None]


def _parsed(run: Run) -> tuple[Run, Sequence[SimpleCommand]] | None:
    try:
        return run, parse(run.command)
    except NotUnderstood:
        return None


def _plain(line: str) -> str:
    return " ".join(line.split())


def _significant(commands: Sequence[SimpleCommand]) -> Sequence[SimpleCommand]:
    """Without the `cd` that only says where."""
    return [command for command in commands if command.words and command.program != "cd"]


def _position(wanted: SimpleCommand, ran: Sequence[SimpleCommand]) -> int | None:
    """The last command that has the wanted words in their order, perhaps among more options."""
    for index in range(len(ran) - 1, -1, -1):
        if ran[index].words and _is_within(_words(wanted), _words(ran[index])):
            return index
    return None


def _words(command: SimpleCommand) -> list[str]:
    return plain_runner(command.words)


def _is_within(wanted: list[str], words: list[str]) -> bool:
    if wanted[0] != words[0]:
        return False
    rest = iter(words)
    return all(word in rest for word in wanted)


def _runs_others(commands: Sequence[SimpleCommand]) -> bool:
    return any(
        command.program in _RUN_OTHERS or command.words[0].startswith("./")
        for command in commands
        if command.words
    )
