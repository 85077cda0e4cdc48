"""Side effects an agent's prose asserts: what it says it changed, removed, ran, or left alone.

Precision first: only plain past statements by the agent itself count. Plans, wishes, conditions,
questions, and what others did are passed over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from groundwire.actions import _grammar as grammar
from groundwire.actions._clauses import Clause, clauses
from groundwire.actions._mentions import Mention, command_in, mentions
from groundwire.traces import CheckName

StatementKind = Literal[
    "created", "changed", "deleted", "moved", "ran", "tests_run", "passes", "unchanged",
    "absent", "exists",
]  # fmt: skip
_FileKind = Literal["created", "changed", "deleted"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the report says.

    `certain` is false where it may mean another file than the one it names.
    """

    kind: StatementKind
    clause: Clause
    things: tuple[Mention, ...] = ()
    command: str | None = None
    check: CheckName = "tests"
    is_whole: bool = False
    succeeded: bool = False
    about_tests: bool = False
    certain: bool = True


def statements(report: str) -> Iterator[Statement]:
    for clause in clauses(report):
        settled = _left_alone(clause) or _existence(clause)
        if settled is not None:
            yield settled
            continue
        yield from _passes(clause)
        yield from _actions(clause)


def _actions(clause: Clause) -> Iterator[Statement]:
    active = grammar.ACTIVE.match(clause.text)
    if active is not None:
        yield from _done(clause, active["verb"].lower(), active["rest"])
        return
    passive = grammar.PASSIVE.match(clause.text)
    things = tuple(mentions(passive["thing"])) if passive else ()
    if passive and things:
        # "was removed" may tell an old story
        kind = _kind(passive["verb"].lower())
        yield Statement(kind, clause, things[:1], certain=passive["past"] is None)


def _kind(verb: str) -> _FileKind:
    if re.fullmatch(grammar.CREATED, verb):
        return "created"
    return "deleted" if re.fullmatch(grammar.DELETED, verb) else "changed"


def _done(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    """What a plain past statement says was done."""
    if grammar.NOT_MEANT.match(rest):
        return
    if verb in {"committed", "pushed"}:
        yield Statement("ran", clause, command="git commit" if verb == "committed" else "git push")
    elif re.fullmatch(grammar.RAN, verb):
        yield from _ran(clause, rest)
    elif verb in {"moved", "renamed"}:
        yield from _moved(clause, rest)
    elif not re.match(r"\s+(?:by|to)\s", rest):
        yield from _files(clause, verb, rest)


def _files(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    kind = _kind(verb)
    found = [one for one in mentions(rest) if one.role != "aside"]
    direct = [one for one in found if one.role == "object" and one.stands_alone]
    inside = [one for one in found if one.role == "place" or not one.stands_alone]
    is_sure = re.fullmatch(grammar.FIXED, verb) is None
    if kind == "changed":
        for one in found:
            yield Statement("changed", clause, (one,), certain=is_sure)
    elif direct and not (kind == "deleted" and inside):
        for one in direct:
            yield Statement(kind, clause, (one,))
    else:
        for one in inside:
            yield Statement("changed", clause, (one,), certain=one.role == "place")
    if not found:
        named = grammar.MODULE.match(rest)
        things = (Mention(named["name"]),) if named else ()
        yield Statement(kind, clause, things, certain=False)


def _moved(clause: Clause, rest: str) -> Iterator[Statement]:
    source, _, target = rest.partition(" to ")
    old, new = list(mentions(source)), list(mentions(target))
    if len(old) == 1 and len(new) == 1 and old[0].stands_alone:
        yield Statement("moved", clause, (old[0], new[0]))


def _ran(clause: Clause, rest: str) -> Iterator[Statement]:
    told = clause.sentence
    succeeded = bool(grammar.SUCCESS.search(told)) and not grammar.FAILURE.search(told)
    command = command_in(rest)
    if command is not None:
        yield Statement("ran", clause, command=command, succeeded=succeeded)
    elif grammar.THE_TESTS.match(rest):
        whole = bool(grammar.WHOLE.search(clause.text))
        yield Statement("tests_run", clause, succeeded=succeeded, is_whole=whole)


def _passes(clause: Clause) -> Iterator[Statement]:
    for check, pattern in grammar.PASSES.items():
        match = pattern.search(clause.text)
        if match is None:
            continue
        around = clause.text[: match.start()] + " " + clause.text[match.end() :]
        if not grammar.NOT_DONE.search(around) and not grammar.FAILURE.search(around):
            whole = bool(grammar.WHOLE.search(clause.text))
            yield Statement("passes", clause, check=check, is_whole=whole)


def _left_alone(clause: Clause) -> Statement | None:
    for pattern in grammar.UNTOUCHED:
        match = pattern.search(clause.text)
        if match is None or grammar.HEDGED.search(clause.text[: match.start()]):
            continue
        if grammar.TESTS.match(match["thing"]):
            return Statement("unchanged", clause, about_tests=True)
        return Statement("unchanged", clause, tuple(mentions(match["thing"])))
    return None


def _existence(clause: Clause) -> Statement | None:
    kinds: tuple[tuple[StatementKind, tuple[re.Pattern[str], ...]], ...] = (
        ("absent", grammar.ABSENT),
        ("exists", grammar.EXISTS),
    )
    for kind, patterns in kinds:
        for pattern in patterns:
            match = pattern.match(clause.text)
            things = tuple(mentions(match["thing"])) if match else ()
            if things:
                return Statement(kind, clause, things[:1])
    return None
