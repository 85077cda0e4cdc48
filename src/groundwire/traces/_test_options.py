"""The options of test runners: which take a value, which choose tests, and which run none."""

from dataclasses import dataclass
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._checks import CheckName, plain_runner, tool_of
from groundwire.traces._shell_words import SimpleCommand

Mode = Literal["run", "list", "collect", "dry", "no-run", "watch", "background"]
NAMES_TESTS = word_set(
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


def mode_of(command: SimpleCommand) -> Mode:
    words = plain_runner(list(command.words))
    return mode_in(command, words, tool_of(words))


def mode_in(command: SimpleCommand, words: list[str], tool: str) -> Mode:
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


def chosen_parts_of(words: list[str], tool: str, check: CheckName) -> list[str]:
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
