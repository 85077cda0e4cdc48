"""What a command line can have run that its own words do not name."""

import re

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._checks import check_of, plain_runner
from groundwire.traces._commands import parse
from groundwire.traces._effects import only_reads_words
from groundwire.traces._shell_words import NotUnderstood, SimpleCommand
from groundwire.traces._test_options import mode_of

# programs that write or read files, fetch or format, and run no code of the project
_PLAIN = word_set(
    """rm rmdir unlink mv cp touch tee sed gsed find sort awk gawk curl wget patch truncate dd tar
    unzip gunzip gzip zip rsync ln black isort autopep8 yapf gofmt goimports rustfmt prettier
    clang-format shfmt stylua swiftformat sponge csplit split 2to3 pyupgrade autoflake djlint taplo
    apply_patch applypatch rubocop venv ensurepip json.tool compileall py_compile gh pip pip3 uv
    poetry apt apt-get brew apk dnf yum"""
)
_PLAIN_VERBS = {
    "git": word_set(
        """status diff log show branch rev-parse ls-files ls-tree blame remote describe grep fetch
        add tag config cat-file shortlog reflog rev-list rm mv checkout switch restore reset stash
        init clone apply version help clean"""
    ),
    "cargo": word_set("build check fmt clippy add remove update tree metadata doc new init fetch"),
    "go": word_set("build vet fmt mod get list env version install"),
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"),
        word_set("install i ci add ls list view outdated audit init uninstall remove"),
    ),
    "mvn": word_set("validate compile dependency:tree dependency:resolve clean"),
    "dotnet": word_set("build restore format add new"),
}
_COMPILERS = word_set("cmake gcc g++ cc c++ clang clang++ rustc javac kotlinc ghc ld ar")
_INTERPRETERS = word_set("python node ruby perl php")
# code that may start other programs or load tests: "subprocess.run", "require('./x.test.js')"
_STARTS_OTHERS = lazy_pattern(r"test|spec|exec|spawn|system|popen|subprocess|check_", re.IGNORECASE)


def may_run_tests(line: str) -> bool:
    """Whether tests can have run in it, other than by a runner that it names."""
    try:
        commands = parse(line).commands
    except NotUnderstood:
        return True
    return any(_may_run_tests(command) for command in commands if command.words)


def _may_run_tests(command: SimpleCommand) -> bool:
    words = plain_runner(list(command.words))
    plain = [word for word in words[1:] if not word.startswith(("-", "+"))]
    check = check_of(list(command.words))
    if check == "tests" or mode_of(command) in {"list", "collect", "dry", "no-run"}:
        return False  # a runner is judged as such; what only lists runs nothing
    if check in {"lint", "types"} and words[0] not in {"make", "npm", "yarn", "pnpm", "bun"}:
        return False
    if words[0] in _COMPILERS:
        return any("test" in word.lower() or word == "check" for word in words[1:])
    if words[0] in _PLAIN_VERBS:
        is_script = command.words[1:2] in {("run",), ("run-script",)}
        return is_script or not (plain[:1] and plain[0] in _PLAIN_VERBS[words[0]])
    if words[0] in _INTERPRETERS and {"-c", "-e", "-r", "-p"} & set(words[1:]):
        return bool(_STARTS_OTHERS.search(" ".join(words[1:])))
    return not (only_reads_words(command) or words[0] in _PLAIN)


def writes_after_checks(line: str) -> bool:
    """Whether a line goes on to write once the last checker in it has ended.

    What a checker's own output goes to (`| tee log`, `> log`) is no later write.
    """
    try:
        commands = parse(line).commands
    except NotUnderstood:
        return True
    checks = [at for at, one in enumerate(commands) if one.words and check_of(list(one.words))]
    later = commands[checks[-1] + 1 :] if checks else commands
    return any(
        not (one.program == "tee" or (only_reads_words(one) and not one.redirects)) for one in later
    )
