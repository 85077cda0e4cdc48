"""Runs of tests, builds, linters and type checkers: what was run, how far, and how it ended."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._checks import CheckName, check_of, plain_runner, tool_of
from groundwire.traces._commands import Script, Status, parse
from groundwire.traces._shell_words import NotUnderstood, SimpleCommand
from groundwire.traces._test_names import MAX_NAMED_CHARS, named_tests
from groundwire.traces._test_reports import Counts, Report, knows, read_report

RunOutcome = Literal["passed", "failed", "unknown"]
Mode = Literal["run", "list", "collect", "dry", "no-run", "watch", "background"]
KnownBy = Literal["exit_status", "error_flag", "report", "summary"]


@dataclass(frozen=True, slots=True)
class TestRun:
    """One checker inside a command line.

    `parts` names what it was told to look at (files, filters); empty if it was everything.
    """

    __test__: ClassVar[bool] = False  # a name that test runners must not take for a test

    check: CheckName
    tool: str
    folder: str | None = ""
    parts: tuple[str, ...] = ()
    mode: Mode = "run"
    outcome: RunOutcome = "unknown"
    known_by: KnownBy | None = None
    counts: Counts | None = None
    detail: str = ""
    """Why the outcome is not known, in words."""
    most: int | None = None
    """No more tests than these are in its report; None where it does not tell."""
    printed: str = ""
    """The end of its output, where it may name single tests."""
    has_report: bool = False
    """Whether its own report says the same as how it ended."""
    was_cut_off: bool = False
    """A time limit ended it before it could sum up."""

    @property
    def named(self) -> Mapping[str, bool]:
        """Single tests that its output names, and whether they passed."""
        return named_tests(self.printed)

    @property
    def is_whole(self) -> bool:
        return not self.parts

    @property
    def is_filtered(self) -> bool:
        """Whether tests were chosen by name."""
        return any("::" in part or part.split()[0] in _BY_NAME for part in self.parts)

    @property
    def refutes(self) -> bool:
        """Red by something firmer than words in the output."""
        return self.outcome == "failed" and self.known_by != "summary"


_BY_NAME = word_set(
    """-k -t -g -run -e -R --testNamePattern --grep --fgrep --filter --example --tests --exact
    --test-name-pattern --tests-regex -Dtest -p --package --lib --bin --doc --test -pl --projects"""
)
_MODES: dict[str, Mode] = {
    **dict.fromkeys(word_set("--help -h --version -help"), "list"),
    **dict.fromkeys(word_set("--list --list-tests --listTests -list --show-only"), "list"),
    **dict.fromkeys(word_set("--fixtures --markers --list-suites --list-groups"), "list"),
    **dict.fromkeys(word_set("--collect-only --co"), "collect"),
    **dict.fromkeys(word_set("--dry-run --setup-plan --setup-only --just-print"), "dry"),
    **dict.fromkeys(word_set("--no-run -DskipTests -Dmaven.test.skip=true"), "no-run"),
    **dict.fromkeys(word_set("--watch --watchAll --watch=true --continuous"), "watch"),
}
_OWN_MODES: dict[str, dict[str, Mode]] = {
    "pytest": {"-V": "list"},
    "ctest": {"-N": "list"},
    "go": {"-c": "no-run", "-n": "dry"},
    "maven": {"-v": "list"},
    "gradle": {"-m": "dry", "-t": "watch"},
    "dotnet": {"-t": "list"},
    "make": {"-n": "dry", "-q": "dry"},
}
_LISTING_WORDS: dict[str, dict[str, Mode]] = {
    "vitest": {"list": "list", "watch": "watch", "dev": "watch"},
    "nextest": {"list": "list"},
}


@dataclass(frozen=True)
class _Options:
    """A tool's options: those whose value is no test, and those that choose a part."""

    values: frozenset[str] = frozenset()
    filters: frozenset[str] = frozenset()


def _options(values: str, filters: str) -> _Options:
    return _Options(word_set(values), word_set(filters))


_OPTIONS: dict[str, _Options] = {
    "pytest": _options(
        """-n -p -c -o -W -r --tb --maxfail --cov --cov-report --cov-config --cov-fail-under
        --junitxml --junit-xml --rootdir --confcutdir --durations --color --timeout --dist
        --numprocesses --log-level --log-cli-level --log-file --import-mode --basetemp --reruns
        --capture --randomly-seed --override-ini --verbosity""",
        """-k -m --deselect --ignore --ignore-glob --lf --last-failed --sw --stepwise --pyargs
        --sw-skip --splits --group""",
    ),
    "unittest": _options("-s -t --start-directory --top-level-directory", "-k -p --pattern"),
    "jest": _options(
        """-c -w --config --maxWorkers --coverageReporters --coverageDirectory --reporters --env
        --outputFile --testTimeout --rootDir""",
        """-t -o --testNamePattern --testPathPattern --testPathPatterns --onlyChanged --lastCommit
        --changedSince --findRelatedTests --shard --selectProjects --testPathIgnorePatterns
        --onlyFailures -f --runTestsByPath""",
    ),
    "vitest": _options(
        "-c --config --reporter --outputFile --environment --pool --maxWorkers --root -r",
        "-t --testNamePattern --changed --shard --project --exclude --dir",
    ),
    "mocha": _options(
        "-r -R -t -c --require --reporter --timeout --config --ui -u --slow -s --reporter-options",
        "-g --grep -f --fgrep --ignore --exclude",
    ),
    "node": _options(
        """--test-reporter --test-reporter-destination --test-timeout --test-concurrency --import
        --require -r --loader""",
        "--test-name-pattern --test-skip-pattern --test-only --test-shard",
    ),
    "go": _options(
        "-count -timeout -parallel -coverprofile -covermode -coverpkg -tags -p -cpu -o -vet -mod",
        "-run -skip -short -bench -fuzz",
    ),
    "cargo": _options(
        """-j --jobs --features -F --target --target-dir --manifest-path --profile --color
        --message-format --test-threads --format -Z --config""",
        """-p --package --lib --bins --bin --tests --test --doc --examples --example --benches
        --bench --exclude --ignored --exact --skip""",
    ),
    "nextest": _options(
        "-j --jobs --features -F --target --manifest-path --profile -P --retries --test-threads",
        "-p --package -E --filter-expr --lib --bins --bin --test --exclude --run-ignored",
    ),
    "rspec": _options(
        "-f --format -o --out -I -r --require --seed --order -O --options --failure-exit-code",
        "-e --example -t --tag -P --pattern --only-failures --exclude-pattern -E",
    ),
    "phpunit": _options(
        """-c --configuration --bootstrap --log-junit --coverage-html --coverage-text --colors
        --coverage-clover -d --cache-result-file --order-by --printer""",
        "--filter --group --exclude-group --testsuite --exclude-testsuite",
    ),
    "ctest": _options(
        """--test-dir --output-junit -j --parallel --timeout -C --build-config --output-log -O
        --repeat --preset --stop-time""",
        "-R -E -L -LE -I --tests-regex --exclude-regex --label-regex --rerun-failed",
    ),
    "maven": _options("-f -s -T -P -l --file --settings", "-pl --projects -Dtest -Dit.test -rf"),
    "gradle": _options("-p -P -D -b -I --project-dir --max-workers --console", "--tests -x"),
    "dotnet": _options(
        "-c --configuration -l --logger -r --results-directory -v --verbosity -f --framework -s",
        "--filter",
    ),
}
_SCRIPTS = _options(
    "-C -f -j --directory --prefix --cwd --makefile -e -c",
    "-w --workspace --workspaces --filter -k -t",
)
_VERBS = word_set(
    """run test tests t spec check verify nextest discover exec run-script package clean build all
    install compile lint"""
)
# such as "test:ci", "test-all"; "test:unit" names a part
_WHOLE_SCRIPT = lazy_pattern(r"tests?[:-](?:ci|all|run|cov|coverage|full|once)")
# what stands for everything: ".", "./...", "tests/", "spec"
_EVERYTHING = lazy_pattern(r"(?:\./)?(?:\.\.\.|\.)?|(?:\./)?(?:tests?|specs?|__tests__|t)/?")
# files of a checker that was given some: "src/app.py", "test_a.py::test_b"
_ONE_FILE = lazy_pattern(r"::|\.\w{1,4}$")


def checks_in(
    line: str,
    exit_code: int | None = None,
    *,
    output: str = "",
    has_error_flag: bool = False,
    folder: str = "",
) -> list[TestRun]:
    """The checks a command line ran in a folder, each with what is known of its end."""
    try:
        script = parse(line)
    except NotUnderstood:
        return []
    status: Status = "failed" if exit_code is None and has_error_flag else exit_code
    runs = []
    for index, (command, own) in enumerate(
        zip(script.commands, script.statuses(status), strict=True)
    ):
        check = check_of(list(command.words)) if command.words else None
        if check is None:
            continue
        echoed = _echoed_status(script, index, output) if own is None else None
        ended = own if echoed is None else echoed
        flagged = exit_code is None and echoed is None
        if command.folder is not None:
            command = replace(command, folder=posixpath.join(folder, command.folder))  # noqa: PLW2901
        runs.append(_run(check, command, ended, output, by_flag=flagged))
    return runs


def _run(
    check: CheckName, command: SimpleCommand, status: Status, output: str, *, by_flag: bool
) -> TestRun:
    words = plain_runner(list(command.words))
    tool = tool_of(words)
    mode = _mode(command, words, tool)
    parts = tuple(_parts(words, tool, check))
    if command.repeated:
        parts = (*parts, "the files it was given")
    report = read_report(output, tool) if mode == "run" else None
    outcome, known_by, detail = _ended(mode, status, report, output, by_flag=by_flag, tool=tool)
    is_cut = outcome == "unknown" and status == _TIMED_OUT and report is None and knows(tool)
    return TestRun(
        check,
        tool,
        command.folder,
        parts,
        mode,
        outcome,
        known_by,
        report.counts if report else None,
        detail,
        report.most if report else None,
        output[-MAX_NAMED_CHARS:] if mode == "run" and check == "tests" else "",
        report is not None and report.verdict == outcome,
        is_cut,
    )


def mode_of(command: SimpleCommand) -> Mode:
    words = plain_runner(list(command.words))
    return _mode(command, words, tool_of(words))


def _mode(command: SimpleCommand, words: list[str], tool: str) -> Mode:
    if command.background:
        return "background"
    if command.watched:
        return "watch"
    modes = {**_MODES, **_OWN_MODES.get(tool, {})}
    for word in words[1:]:
        name = word.partition("=")[0]
        if word in modes or (name in modes and not word.endswith("=false")):
            return modes.get(word) or modes[name]
    plain = next((word for word in words[1:] if not word.startswith("-") and word != tool), "")
    return _LISTING_WORDS.get(tool, {}).get(plain, "run")


def _parts(words: list[str], tool: str, check: CheckName) -> list[str]:
    """The files and filters a checker was given."""
    if check != "tests":
        return [word for word in words[1:] if _ONE_FILE.search(word) and not word.startswith("-")]
    options = _OPTIONS.get(tool, _SCRIPTS)
    parts: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        name, is_given, value = word.partition("=")
        if name in options.filters:
            chosen = value if is_given else next(rest, "") if name.startswith("-") else ""
            parts.append(f"{name} {chosen}".strip())
        elif name in options.values and not is_given:
            next(rest, None)
        elif not (word.startswith(("-", "+")) or word in _VERBS or _WHOLE_SCRIPT.fullmatch(word)):
            parts.append(word)
    chosen_parts = [part for part in parts if not _EVERYTHING.fullmatch(part)]
    if tool == "go" and not any(part.endswith("...") for part in parts) and not chosen_parts:
        return ["the package of its folder"]
    return chosen_parts


_TIMED_OUT = 124
"""What `timeout` ends with."""
# not found, not executable, killed, timed out, interrupted
_NO_VERDICT = frozenset({124, 126, 127, 130, 137, 143})
# pytest: interrupted, broke, was misused, found nothing
_OWN_NO_VERDICT = {"pytest": frozenset({2, 3, 4, 5}), "unittest": frozenset({5})}
# what programs say that never came to run a test: it excuses, so it may be read loosely
_NOT_STARTED = lazy_pattern(
    r"No module named|command not found|No such file or directory|Missing script|ENOENT"
    r"|No rule to make target|not recognized as|could not read package\.json|no tests? found"
    r"|No test files found|no test specified|Permission denied|could not determine executable",
    re.IGNORECASE,
)


def _ended(
    mode: Mode, status: Status, report: Report | None, output: str, *, by_flag: bool, tool: str
) -> tuple[RunOutcome, KnownBy | None, str]:
    """The exit status comes first; a report confirms it, and speaks alone where it is hidden."""
    verdict = report.verdict if report else None
    if mode != "run" or verdict == "nothing":
        found_none = "it found none to run"
        return "unknown", None, found_none if mode == "run" else f"it did not run them ({mode})"
    firm: KnownBy = "error_flag" if by_flag else "exit_status"
    if status is None or (status == "perhaps" and verdict == "passed"):
        if verdict is None or report is None:
            return "unknown", None, "how it ended is not recorded"
        return verdict, "report" if report.is_structured else "summary", ""
    by_status: RunOutcome = "passed" if status == 0 else "failed"
    if verdict not in {None, by_status}:
        return "unknown", None, "its exit status and its summary disagree"
    is_silent = status in _NO_VERDICT | _OWN_NO_VERDICT.get(tool, frozenset())
    is_silent = is_silent or not isinstance(status, int) or bool(_NOT_STARTED.search(output))
    if by_status == "failed" and verdict is None and is_silent:
        return "unknown", None, "it may not have come to run them"
    return by_status, firm, ""


def _echoed_status(script: Script, index: int, output: str) -> int | None:
    """`pytest; echo "exit $?"` prints what the line's own status hides."""
    later: Sequence[SimpleCommand] = script.commands[index + 1 :]
    for distance, command in enumerate(later):
        text = " ".join(command.words[1:])
        for sign in ("$?", "${PIPESTATUS[0]}"):
            is_next = distance == 0 if sign == "$?" else distance <= 2  # noqa: PLR2004
            if command.program == "echo" and text.count(sign) == 1 and is_next:
                before, after = (re.escape(part) for part in text.split(sign))
                found = re.findall(rf"^{before}(\d+){after}$", output, re.MULTILINE)
                return int(found[-1]) if len(found) == 1 else None
        if check_of(list(command.words)) if command.words else False:
            return None
    return None
