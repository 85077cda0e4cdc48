"""What the rules read of a sentence and what the learned reader does, as one."""

import re
from dataclasses import replace

from groundwire._patterns import lazy_pattern
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._prose_tests import speaks_of_all
from groundwire.actions._statement import FILE_KINDS, Statement
from groundwire.actions._test_words import DRY

# such as "0/5 tests failed"
_SHARE = lazy_pattern(r"\b(?P<part>\d+)\s?/\s?(?P<all>\d+)\b")
# such as "Keiner der Tests ist grün", "Not a single test passes"
_NOT_ONE = lazy_pattern(r"^(?:kein\w*|nicht ein\w*|not (?:a single|one))\b", re.IGNORECASE)


def joined(said: list[Statement], more: list[Statement]) -> list[Statement]:
    """What the rules read and what the learned reader adds to it.

    Where both speak of the same, the rules count, but for numbers they did not read; where the two
    contradict each other nothing is certain.
    """
    result = list(said)
    names_files = any(one.things for one in said)
    has_run = any(one.kind == "ran" for one in said)
    for one in more:
        if one.if_nowhere:
            result.append(one)
            continue
        if _is_described(one):
            result = [other for other in result if not _is_within(other, one)] + [one]
            continue
        if _settles(one, result):
            # "it was removed" may tell an old story; that it is gone is true all the same
            told = replace(one, kind="absent") if one.kind == "deleted" else one
            result = [other for other in result if _paths(other) != _paths(one)] + [told]
            continue
        if names_files and (one.things or one.kind == "changed") and one.kind not in _CONTENT:
            continue  # what the rules pass over beside a file they read is named for some reason
        if one.kind in {"passes", "tests_run"} and has_run and one.count is None:
            continue  # "I ran npm test, all green": the command says it
        same = [
            number
            for number, other in enumerate(result)
            if not other.if_nowhere and _same_thing(one, other) and not _says_more(one, other, more)
        ]
        if not same:
            result.append(one)
        for number in same:
            result[number] = _agreed(result[number], one)
    return result


def _settles(one: Statement, said: list[Statement]) -> bool:
    """Whether it is sure of a file of which the rules read something with doubt.

    Where they doubt that it was changed, the trouble may be mended elsewhere: that stays open.
    """
    if not one.things or not one.certain or one.kind == "changed":
        return False
    about = [other for other in said if _paths(other) == _paths(one)]
    return bool(about) and not any(other.certain for other in about)


def _paths(one: Statement) -> list[str]:
    return [thing.path for thing in one.things]


def with_parts(said: list[Statement], parts: list[Statement]) -> list[Statement]:
    """What is tied to nothing else may be said of a part; what was installed is none.

    A test that is surely said to be changed, or not to be, is not said to pass or to fail.
    """
    sure = {one.name for one in parts if one.certain}
    said = [one for one in said if one.name is None or one.name not in sure]
    taken = {one.command if one.kind == "installed" else one.name for one in said}
    parts = [one for one in parts if one.name is None or one.name not in taken]
    if not parts:
        return said
    return [one for one in said if one.things or one.kind not in FILE_KINDS] + parts


def _is_described(one: Statement) -> bool:
    """Whether its file is named by what it is: "the log file"."""
    return bool(one.things) and " " in one.things[0].path


def _is_within(other: Statement, one: Statement) -> bool:
    """Whether the rules took a word of the description for a name."""
    return bool(other.things) and all(thing.path in one.things[0].path for thing in other.things)


def plainly(one: Statement) -> Statement:
    """That none fails is that all pass; of what is said of none nothing is certain."""
    if one.kind not in _CHECKS:
        return one
    share = _SHARE.search(one.clause.text)
    if one.kind == "fails" and share and one.count == int(share["all"]):
        one = replace(one, count=int(share["part"]))
    if one.count == 0:
        is_good = one.kind == "fails"
        return replace(
            one,
            kind="passes" if is_good else "fails",
            count=None,
            is_whole=one.is_whole or (is_good and speaks_of_all(one.clause.sentence)),
            certain=one.certain and is_good,
            is_read=one.is_read and is_good,
        )
    is_of_none = _NOT_ONE.match(one.clause.text) is not None
    # "the 2 examples stem from a dry run": what it printed is not said to have passed
    is_open = is_of_none or DRY.search(one.clause.sentence) is not None
    return replace(one, certain=False, is_read=False) if is_open else one


_CHECKS = frozenset({"passes", "fails"})
_CONTENT = frozenset({"contains", "lacks"})


def _same_thing(one: Statement, other: Statement) -> bool:
    if one.kind in _CHECKS and other.kind in _CHECKS:
        return one.check == other.check and one.name == other.name
    if one.kind in _CONTENT | {"ran", "installed"} and one.command:
        known = other.command or ""
        return bool(known) and (one.command in known or known in one.command)
    if one.name is not None:
        return one.name == other.command
    if one.things:
        if not other.things and one.kind == other.kind and one.certain:
            return True  # "Changed: `a.py`": the rules found no file
        return other.kind not in _CONTENT and one.things[0].path in _paths(other)
    return one.kind == other.kind and one.check == other.check


def _says_more(one: Statement, other: Statement, learned: list[Statement]) -> bool:
    """Whether the learned reader itself tells how a command ended beside that it was run."""
    return one.kind == "ran" and one.succeeded and not other.succeeded and other in learned


def _agreed(rule: Statement, learned: Statement) -> Statement:
    if learned.things and not rule.things:
        return learned
    if rule.kind not in _CHECKS or learned.kind not in _CHECKS:
        is_same = rule.kind == learned.kind and rule.things == learned.things
        says_less = rule.certain and rule.succeeded and not learned.succeeded
        return learned if is_same and learned.certain and not says_less else rule
    if rule.kind == learned.kind:
        count = rule.count if rule.count is not None else learned.count
        count = count if rule.check == "tests" else None
        return replace(rule, count=count, passed=rule.passed or learned.passed)
    if rule.count is not None:
        return rule
    return learned if learned.count is not None else _untold(rule.clause)


def _untold(clause: Clause) -> Statement:
    """Something is said that cannot be tied to anything."""
    return Statement("changed", clause, certain=False)
