"""Runs of tests, builds, linters and type checkers: which commands they are, how they ended."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from groundwire.text import word_set
from groundwire.traces._shell import NotUnderstood, SimpleCommand, parse

CheckName = Literal["tests", "build", "lint", "types"]
RunOutcome = Literal["passed", "failed", "unknown"]


def by_words(check: CheckName, programs: str) -> dict[str, CheckName]:
    return dict.fromkeys(word_set(programs), check)


_BY_PROGRAM: dict[str, CheckName] = {
    **by_words("tests", """pytest py.test tox nox nosetests unittest jest vitest mocha ava karma
        jasmine ctest rspec phpunit pest bats prove busted trial behave cucumber nextest"""),
    **by_words("lint", """ruff flake8 pylint eslint stylelint shellcheck golint golangci-lint"""),
    **by_words("types", """mypy pyright tsc flow pyre basedpyright vue-tsc"""),
}  # fmt: skip
_SCRIPTS: dict[str, CheckName] = {
    "test": "tests", "t": "tests", "build": "build", "lint": "lint", "typecheck": "types",
}  # fmt: skip
_TOOLCHAINS: dict[str, CheckName] = {
    "test": "tests", "nextest": "tests", "build": "build", "clippy": "lint", "vet": "lint",
}  # fmt: skip
_TARGETS: dict[str, CheckName] = {
    "test": "tests", "tests": "tests", "check": "tests", "spec": "tests", "verify": "tests",
    "build": "build", "package": "build", "all": "build", "lint": "lint", "types": "types",
}  # fmt: skip
_BY_VERB: dict[str, dict[str, CheckName]] = {
    **dict.fromkeys(word_set("npm yarn pnpm bun deno"), _SCRIPTS),
    **dict.fromkeys(
        word_set("cargo go swift dotnet mix sbt bazel stack cabal zig dart flutter"), _TOOLCHAINS
    ),
    **dict.fromkeys(
        word_set("make gmake just task rake ninja invoke mvn mvnw gradle gradlew"), _TARGETS
    ),
    "playwright": {"test": "tests"},
    "cypress": {"run": "tests"},
    "docker": {"build": "build"},
}
# such as "python", "python3.11", "pypy3"
_PYTHON = re.compile(r"python(?:\d(?:\.\d+)?)?|py|pypy3?")
# what runs only a part: "test_a.py::test_b", "-k", "test_a.py"
_NARROW = re.compile(
    r"::|^(?:-k|-t|-m|--testNamePattern|--grep|--filter|-run|--lf|--ff)$|\.\w{1,4}$"
)


@dataclass(frozen=True, slots=True)
class CheckRun:
    """One checker inside a command line; `narrow` when it was told to look at a part only."""

    check: CheckName
    narrow: bool
    exit_code: int | None


def check_of(line: list[str]) -> CheckName | None:
    """Which kind of check these words run, if any."""
    program, *rest = plain_runner(line)
    if _PYTHON.fullmatch(program):
        return "tests" if rest[:1] and rest[0].endswith("manage.py") and "test" in rest else None
    if program in _BY_PROGRAM:
        return _BY_PROGRAM[program]
    verbs = _BY_VERB.get(program)
    if verbs is None:
        return None
    plain = [word for word in rest if not word.startswith("-") and "=" not in word]
    return verbs.get(re.split(r"[:.-]", plain[0])[0]) if plain else None


def plain_runner(line: list[str]) -> list[str]:
    """`python3 -u -m pytest -q` is `pytest -q`, and `./gradlew` is `gradlew`."""
    program, *rest = line
    program = program.rsplit("/", 1)[-1]
    if _PYTHON.fullmatch(program):
        options = 0
        while options < len(rest) and re.fullmatch(r"-[a-ln-zA-Z]\w*", rest[options]):
            options += 1
        if rest[options : options + 1] == ["-m"] and len(rest) > options + 1:
            return rest[options + 1 :]
        return ["python", *rest]
    if program in {"npm", "pnpm", "yarn", "bun"} and rest[:1] in (["run"], ["run-script"]):
        return [program, *rest[1:]]
    return [program, *rest]


def checks_in(line: str, exit_code: int | None) -> list[CheckRun]:
    """The checks a command line runs, each with the exit code that is surely its own."""
    try:
        commands = parse(line)
    except NotUnderstood:
        return []
    runs = []
    for index, command in enumerate(commands):
        check = check_of(command.words) if command.words else None
        if check is not None:
            narrow = any(_NARROW.search(word) for word in plain_runner(command.words)[1:])
            runs.append(CheckRun(check, narrow, own_exit_code(commands, index, exit_code)))
    return runs


def own_exit_code(
    commands: Sequence[SimpleCommand], index: int, exit_code: int | None
) -> int | None:
    """What a line's exit code says about one of its commands; None when another may have set it."""
    after = [command.operator for command in commands[index + 1 :]]
    if not after:
        return exit_code
    if exit_code == 0 and all(operator == "&&" for operator in after):
        return 0
    return None


# such as "2 failed", "FAILED tests/a.py", "test result: FAILED", "npm ERR!"
_FAILED = re.compile(
    r"\b[1-9]\d* (?:failed|failures?|failing|errors?)\b|(?-i:^FAILED\b|^FAIL[:\s]|^--- FAIL)"
    r"|^\S{0,2} ?fail [1-9]|test result: FAILED|\b(?:failures|errors)=[1-9]"
    r"|^npm ERR!|BUILD FAIL|\bFAILURES!",
    re.MULTILINE | re.IGNORECASE,
)
# such as "12 passed", "OK (3 tests)", "ok  example.com/x 0.2s", "BUILD SUCCESS"
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:passed|passing|examples?, 0 failures)\b|^OK(?: \(.*\))?\s*$"
    r"|test result: ok|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|\ball tests pass"
    r"|BUILD SUCCESS|(?-i:^PASS\b)|^\S{0,2} ?pass [1-9]|\bTests:\s+[1-9]\d* passed"
    r"|\b0 failures\b|Success: no issues found|All checks passed",
    re.MULTILINE | re.IGNORECASE,
)
# such as "no tests ran", "collected 0 items"
_NOTHING_RAN = re.compile(
    r"no tests? (?:ran|found|to run|files? found)|collected 0 items|Ran 0 tests|\b0 passed\b"
    r"|\b0 tests\b",
    re.IGNORECASE,
)
# not found, not executable, killed, timed out; and what pytest says of no tests or bad options
_NO_VERDICT = frozenset({4, 5, 124, 126, 127, 130, 137, 143})


def outcome_of_run(exit_code: int | None, output: str) -> RunOutcome:
    """Exit code and printed summary must not disagree; a run of nothing has not passed."""
    says_failed = bool(_FAILED.search(output))
    if exit_code in _NO_VERDICT or (_NOTHING_RAN.search(output) and not says_failed):
        return "unknown"
    if exit_code not in {None, 0}:
        return "failed"
    if says_failed:
        return "unknown" if exit_code == 0 else "failed"
    if exit_code == 0 or _PASSED.search(output):
        return "passed"
    return "unknown"
