"""What a sentence tells beside its deed: a tool, a branch, figures, the code it names."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.actions._anchors import Token, features, segments_of, tokens_of
from groundwire.actions._clauses_of_report import Clause
from groundwire.actions._learned import read_place, reader
from groundwire.actions._mentions import Mention, as_path
from groundwire.actions._test_words import AGAIN, TIMES
from groundwire.text import word_set
from groundwire.traces import CheckName
from groundwire.values import whole_number

# such as "-n auto", "--coverage", "-DCMAKE_BUILD_TYPE=Release"
OPTION = lazy_pattern(r"--?[A-Za-z][\w-]*(?:[= ][\w./:-]+)?")
TEST_NOUNS = word_set("tests specs examples cases scenarios testf\u00e4lle")


def tool_told(text: str, check: CheckName) -> str | None:
    """The one tool of a check that a sentence names: "ruff is quiet"."""
    named = {
        token.text.lower()
        for token in tokens_of(text)
        if token.kind == "check" and token.shape[:1] == "<" and token.check == check
    }
    return named.pop() if len(named) == 1 else None


def counted_times(text: str) -> int | None:
    """How often something is said to have been done: "twice", "three times"."""
    told = TIMES.search(text)
    if told is None:
        return None
    return 2 if told["twice"] else whole_number(told["times"].lower())


def times_told(text: str) -> int:
    """The same where "again" counts, too: that makes two."""
    return counted_times(text) or (2 if AGAIN.search(text) else 1)


_NAME = r"[\w./-]*\w"
# a branch that is named as one: "on `main`", "the branch `fix-1`", "a branch called fix"
_NAMED_BRANCH = lazy_pattern(
    r"(?i)\b(?:on|to|onto|into|auf|in) (?:(?:the|a|new|feature|local|den|dem|branch|straight|git)"
    rf" )*`(?P<name>{_NAME})`(?! (?:remote|tag|file|folder))"
    rf"|\bbranch `(?P<quoted>{_NAME})`"
    rf"|\bbranch,? (?:called|named|namens) `?(?P<called>{_NAME})"
)
# a word that may be one's name, or any other: "the branch fix-1", "to the release branch"
_BESIDE_BRANCH = lazy_pattern(
    rf"(?i)\bbranch (?P<after>{_NAME})|\b(?:on|to|onto|into|auf|in) (?:(?:the|a|new|feature"
    rf"|local|den|dem|git) )*(?!(?:the|an?|new|local|den|dem) )(?P<before>{_NAME}) branch\b"
)
_USUAL_BRANCHES = word_set("main master develop trunk")
# such as "fix-1", "feature/login": no word of a language
_LIKE_A_BRANCH = lazy_pattern(r"[\w.-]*\d[\w./-]*|\w[\w.-]*/[\w./-]+")


def branch_told(text: str, is_branch: Callable[[str], bool] = lambda _: False) -> str | None:
    """The branch something is said to be on.

    A bare word beside "branch" is its name only where it is a branch elsewhere, too.
    """
    named = {one["name"] or one["quoted"] or one["called"] for one in _NAMED_BRANCH.finditer(text)}
    beside = {one["after"] or one["before"] for one in _BESIDE_BRANCH.finditer(text)}
    named |= {
        one
        for one in beside
        if one in _USUAL_BRANCHES or _LIKE_A_BRANCH.fullmatch(one) or is_branch(one)
    }
    found = {one.removeprefix("origin/") for one in named if as_path(one) is None}
    return found.pop() if len(found) == 1 else None


class Figures(NamedTuple):
    """What a sentence states in figures and options, whoever may look at it."""

    options: tuple[str, ...]
    """Such as "-n auto"."""
    shares: tuple[str, ...]
    """Such as "100%", where it is not the share of tests that passed."""
    tests: tuple[int, ...]
    """Such as 5 in "collected 5 tests"."""


def figures_in(text: str) -> Figures:
    tokens = tokens_of(text)
    options, shares, tests = [], [], []
    for at, token in enumerate(tokens):
        after = [one.shape for one in tokens[at + 1 : at + 5]]
        if token.in_code and OPTION.fullmatch(token.text):
            options.append(token.text.split("=")[0].split()[0])
        elif token.kind == "number" and after[:1] == ["%"]:
            if not TEST_NOUNS & set(after) and not _PASSED & set(after):
                shares.append(f"{token.text}%")
        elif token.kind == "number" and token.value and TEST_NOUNS & set(after[:2]):
            tests += [token.value] if token.whole is None else [token.value, token.whole]
    return Figures(tuple(options), tuple(shares), tuple(tests))


_PASSED = word_set("passed passing pass green")


def named_beside(clause: Clause, things: Sequence[Mention]) -> tuple[str, ...]:
    """Code, quotations and values that stand in one stretch with a file: what is said of it."""
    tokens = tokens_of(clause.text)
    segments = segments_of(tokens)
    paths = {thing.path for thing in things}
    mine = {
        segment
        for token, segment in zip(tokens, segments, strict=True)
        if token.kind == "file" and token.text in paths
    }
    named = tuple(
        token.text
        for at, token in enumerate(tokens)
        if segments[at] in mine and _is_specific(tokens, segments, at)
    )
    new_value = _FROM_TO.search(clause.text)
    return named if new_value is None else (*named, new_value["new"])


# such as "from 3 to 5", "von 3 auf 5"
_FROM_TO = lazy_pattern(r"(?i)\b(?:from|von) `?\d+`? (?:to|auf) `?(?P<new>\d+)\b(?![.,:/]\d)")


def _is_specific(tokens: Sequence[Token], segments: Sequence[int], at: int) -> bool:
    token = tokens[at]
    if token.kind == "number" and token.text.isdigit():
        around = features(tokens, segments, at, reader().kin)
        return read_place(token.kind, around).label == "value"
    return token.kind == "code" and token.shape != "<c>"
