"""Which commands run tests, builds, linters and type checkers, and by which tool."""

import re
from itertools import pairwise
from typing import Literal, get_args

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set

CheckName = Literal["tests", "build", "lint", "types"]


def by_words(check: CheckName, programs: str) -> dict[str, CheckName]:
    return dict.fromkeys(word_set(programs), check)


_BY_PROGRAM: dict[str, CheckName] = {
    **by_words("tests", """pytest py.test tox nox nosetests unittest jest vitest mocha ava karma
        jasmine ctest rspec phpunit pest bats prove busted trial behave cucumber"""),
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
    "build": "build", "package": "build", "all": "build", "compile": "build", "lint": "lint",
    "types": "types",
}  # fmt: skip
_BY_VERB: dict[str, dict[str, CheckName]] = {
    **dict.fromkeys(word_set("npm yarn pnpm bun deno"), _SCRIPTS),
    **dict.fromkeys(
        word_set("cargo go swift dotnet mix sbt bazel stack cabal zig dart flutter"), _TOOLCHAINS
    ),
    **dict.fromkeys(
        word_set("make gmake just task rake ninja invoke mvn mvnw gradle gradlew"), _TARGETS
    ),
    "hatch": {"test": "tests"},
    "playwright": {"test": "tests"},
    "cypress": {"run": "tests"},
    "docker": {"build": "build"},
}
_SAME_TOOL = {"py.test": "pytest", "mvn": "maven", "mvnw": "maven", "gradlew": "gradle"}
_WITH_VALUES = word_set("-C -f -j -p -w -pl --prefix --cwd --workspace --filter --manifest-path")
_WRITING_VERBS = word_set("format fmt")
_FORMATTERS = word_set("black prettier isort rustfmt yapf autopep8 clang-format shfmt")
"""They write, unless they are told to look."""
_LOOKS = word_set("--check -c --diff -d -l --list-different --check-only --dry-run -n")
# such as "python", "python3.11", "pypy3"
_PYTHON = lazy_pattern(r"python(?:\d(?:\.\d+)?)?|py|pypy3?")


def check_of(line: list[str]) -> CheckName | None:
    """Which kind of check these words run, if any."""
    program, *rest = plain_runner(line)
    if _PYTHON.fullmatch(program):
        return "tests" if rest[:1] and rest[0].endswith("manage.py") and "test" in rest else None
    if program == "node":
        return "tests" if "--test" in rest else None
    if program == "cmake":
        return "build" if "--build" in rest and "test" not in rest else None
    plain = [
        word
        for before, word in pairwise(["", *rest])
        if not word.startswith("-") and "=" not in word and before not in _WITH_VALUES
    ]
    if program in _FORMATTERS:
        return "lint" if _LOOKS & set(rest) else None
    if program in _BY_PROGRAM:
        return None if plain[:1] and plain[0] in _WRITING_VERBS else _BY_PROGRAM[program]
    verbs = _BY_VERB.get(program, {})
    named = plain if verbs is _TARGETS else plain[:1]
    found = {
        verbs.get(re.split(r"[:.-]", word.rpartition("/")[2].lstrip(":"))[0]) for word in named
    }
    found |= {verbs.get(word.rpartition(":")[2]) for word in named}  # such as ":core:test"
    return next((check for check in get_args(CheckName) if check in found), None)


def tool_of(words: list[str]) -> str:
    """The tool by its usual name, from the words `plain_runner` gave."""
    if words[:2] == ["cargo", "nextest"]:
        return "nextest"
    return _SAME_TOOL.get(words[0], words[0])


def plain_runner(line: list[str]) -> list[str]:
    """`python3 -u -m pytest -q` is `pytest -q`, and `./gradlew` is `gradlew`."""
    program, *rest = line
    program = program.rsplit("/", 1)[-1]
    if _PYTHON.fullmatch(program):
        options = 0
        while options < len(rest) and re.fullmatch(r"-[a-ln-zA-Z]\w*", rest[options]):
            options += 1
        if rest[options : options + 1] == ["-m"] and len(rest) > options + 1:
            return _inside_coverage(rest[options + 1 :])
        return ["python", *rest]
    if program in {"npm", "pnpm", "yarn", "bun"} and rest[:1] in (["run"], ["run-script"]):
        return [program, *rest[1:]]
    return [program, *rest]


def _inside_coverage(words: list[str]) -> list[str]:
    """`coverage run -m pytest` is `pytest`."""
    if words[:2] == ["coverage", "run"] and "-m" in words[2:-1]:
        return words[words.index("-m") + 1 :]
    return words
