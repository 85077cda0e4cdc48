"""Claims about commands, and that the tests pass."""

import pytest

from groundwire.actions import TaskVerifier
from groundwire.traces import ToolTrace
from tests.actions.helpers import Json, bash, numbered, one, output, ran, verify, wrote

PASSED = "3 passed in 0.10s"
FAILED = "1 failed, 2 passed in 0.10s"


def passing(**more: object) -> Json:
    return {"type": "tests-pass", **more}


def test_without_a_trace_a_command_is_unverified_and_counted_apart() -> None:
    """[RULINGS S2]"""
    result = verify(None, ran("make", 0), passing())
    assert result.valid
    assert result.summary.unverified == 2
    assert result.summary.unverified_commands == 1


@pytest.mark.parametrize(
    ("claimed", "executed"),
    [
        ("pytest -q", "pytest -q"),
        ("pytest  -q", " pytest -q"),
        ("pytest", "pytest -q tests"),
        ("pytest -q", "python3 -m pytest -q"),
        ("npm test", "cd web && npm run test"),
        ("npm test", "bash -lc 'npm test'"),
        ("bash -lc 'npm test'", "npm test"),
        ("pytest -q", "FOO=1 timeout 60 poetry run pytest -q"),
        ("cd src && make lint", "make lint"),
        ("git commit", "git add -A && git commit -m 'message; with | signs'"),
    ],
)
def test_a_command_is_known_in_any_of_its_dresses(claimed: str, executed: str) -> None:
    assert one(None, ran(claimed, 0), events=[bash(executed)]) == ("verified", None)


def test_a_command_that_was_not_run_fails() -> None:
    assert one(None, ran("npm test", 0), events=[bash("ls")]) == ("failed", "unknown")


@pytest.mark.parametrize("executed", ["npm run build", "make all", "./ci.sh", "bash ci.sh"])
def test_a_command_that_another_may_have_run_is_open(executed: str) -> None:
    assert one(None, ran("npm test"), events=[bash(executed)])[0] == "unverified"


def test_a_command_an_unknown_tool_may_have_run_is_open() -> None:
    assert one(None, ran("git commit"), events=[{"tool": "git_commit"}])[0] == "unverified"


def test_the_exit_code_must_be_the_claimed_one() -> None:
    assert one(None, ran("make", 0), events=[bash("make", 2)]) == ("failed", "unknown")
    assert one(None, ran("make", 2), events=[bash("make", 2)]) == ("verified", None)
    assert one(None, ran("make"), events=[bash("make", 2)]) == ("verified", None)
    assert one(None, ran("make", 0), events=[bash("make", 2), bash("make", 0)])[0] == "verified"


@pytest.mark.parametrize("executed", ["make | tail", "make || true", "make; echo done"])
def test_an_exit_code_that_is_anothers_tells_nothing(executed: str) -> None:
    assert one(None, ran("make", 0), events=[bash(executed)]) == ("unverified", "unknown")


def test_an_exit_code_nobody_recorded_tells_nothing() -> None:
    assert one(None, ran("make", 0), events=[bash("make", None)]) == ("unverified", "unknown")


@pytest.mark.parametrize(
    "result", [{"stdout": "", "exitCode": 0}, "built\nexit code: 0", "Exit code 0\nbuilt"]
)
def test_exit_codes_are_found_where_runners_put_them(result: object) -> None:
    event = {"tool": "Bash", "arguments": {"command": "make"}, "result": result}
    assert one(None, ran("make", 0), events=[event]) == ("verified", None)


def test_a_passing_run_after_the_last_edit_shows_that_passing() -> None:
    events = [wrote("a.py", "x"), bash("pytest", 0, PASSED)]
    assert one(None, passing(scope="all"), events=events) == ("verified", None)


@pytest.mark.parametrize(
    "later", [wrote("a.py", "x"), bash("rm a.py"), bash("black ."), bash("sed -i s/a/b/ a.py")]
)
def test_a_run_before_the_last_edit_proves_nothing(later: Json) -> None:
    """[FIELD 3] "stale" is not "false"."""
    events = [bash("pytest", 0, PASSED), later]
    assert one(None, passing(), events=events) == ("unverified", "unknown")


def test_a_refused_edit_after_the_run_changes_nothing() -> None:
    events = [bash("pytest", 0, PASSED), {**wrote("a.py", "x"), "is_error": True}]
    assert one(None, passing(), events=events)[0] == "verified"


@pytest.mark.parametrize(
    ("command", "exit_code", "printed", "expected"),
    [
        ("pytest", 1, FAILED, "failed"),
        ("pytest", None, FAILED, "unverified"),
        ("pytest", None, PASSED, "verified"),
        ("pytest", None, "", "unverified"),
        ("pytest", 0, FAILED, "unverified"),
        ("pytest", 5, "no tests ran in 0.01s", "unverified"),
        ("pytest", 127, "pytest: command not found", "unverified"),
        ("pytest | tail -1", 0, FAILED, "unverified"),
        ("set -o pipefail; pytest | tail -1", 1, FAILED, "failed"),
        ("pytest | tail -1; exit ${PIPESTATUS[0]}", 1, FAILED, "unverified"),
        ("pytest -q; echo exit $?", 0, f"{FAILED}\nexit 1", "failed"),
        ("pytest -q; echo exit $?", 0, f"{PASSED}\nexit 0", "verified"),
        ("pytest | tail -1; echo ${PIPESTATUS[0]}", 0, f"{FAILED}\n1", "failed"),
        ("npm install && npm test", 1, "npm ERR! 404", "unverified"),
        ("npm install && npm test", 1, "Tests:       1 failed, 4 passed, 5 total", "failed"),
        ("cd web && npm test", 1, "", "failed"),
        ("cd web && npm test", 1, "bash: cd: web: No such file or directory", "unverified"),
        ("pytest", 0, "found 3 errors in the log\n2 passed in 0.1s", "verified"),
        ("pytest", 1, PASSED + "\nRequired test coverage of 90% not reached", "unverified"),
        ("python -m pytest", 1, "No module named pytest", "unverified"),
        ("pytest", 2, "Interrupted", "unverified"),
        ("pytest &", 0, "", "unverified"),
        ("pytest | tail -1", 0, PASSED, "verified"),
        ("pytest || true", 0, "", "unverified"),
        ("python -m unittest", 0, "Ran 0 tests in 0.0s\n\nOK", "unverified"),
        ("go test ./...", None, "ok  \texample/pkg\t0.01s", "verified"),
        ("cargo test", None, "test result: FAILED. 1 passed; 1 failed; 0 ignored", "unverified"),
        ("npm test", None, "Tests:       1 failed, 4 passed, 5 total", "unverified"),
        ("npm test", None, "  5 passing (20ms)", "verified"),
        ("npm test", 0, "tests 1\npass 1\nfail 0\n", "verified"),
        ("npm test", None, "\u2139 pass 4\n\u2139 fail 2\n", "unverified"),
    ],
)
def test_how_a_run_ended(command: str, exit_code: int | None, printed: str, expected: str) -> None:
    """[RULINGS S2] The exit status comes first; words in the output alone never refute."""
    assert one(None, passing(), events=[bash(command, exit_code, printed)])[0] == expected


def test_the_last_run_counts() -> None:
    good, bad = bash("pytest", 0, PASSED), bash("pytest", 1, FAILED)
    assert one(None, passing(), events=[bad, good])[0] == "verified"
    assert one(None, passing(), events=[good, bad])[0] == "failed"


def test_a_part_is_not_all() -> None:
    events = [bash("pytest tests/test_a.py", 0, PASSED)]
    assert one(None, passing(scope="all"), events=events)[0] == "unverified"
    assert one(None, passing(scope="some"), events=events)[0] == "verified"


def test_no_run_at_all_is_open_but_saying_one_ran_is_false() -> None:
    assert one(None, passing(), events=[bash("ls")])[0] == "unverified"
    assert one(None, {"type": "tests-run"}, events=[bash("ls")])[0] == "failed"
    assert one(None, {"type": "tests-run"}, events=[bash("./ci.sh")])[0] == "unverified"
    assert one(None, {"type": "tests-run"}, events=[bash("pytest", 1)])[0] == "verified"


def test_other_checks_are_told_apart_from_tests() -> None:
    events = [bash("mypy src", 0, "Success: no issues found"), bash("pytest", 1, FAILED)]
    assert one(None, passing(check="types"), events=events)[0] == "verified"
    assert one(None, passing(check="tests"), events=events)[0] == "failed"


def test_commands_are_those_of_the_specialists_own_trace() -> None:
    own = ToolTrace(numbered([bash("ls")]), trace_id="run")
    other = ToolTrace(numbered([bash("make")]), trace_id="other")
    result = TaskVerifier().verify_sync(output(ran("make", 0)), [own, other])
    assert result.claims[0].status == "failed"


@pytest.mark.parametrize(
    "executed",
    [
        "pytest --collect-only",
        "pytest --help",
        "make -n test",
        "cargo test --no-run",
        "go test -list .",
        "npx jest --listTests",
        "npx mocha --dry-run",
        "ctest -N",
        "mvn test -DskipTests",
        "npx vitest list",
        "cargo nextest list",
    ],
)
def test_what_only_lists_tests_is_no_run_of_them(executed: str) -> None:
    """[RULINGS S2] A listing does not tell how tests end; where it is all there is, none ran."""
    events = [bash(executed, 0, "3 tests collected in 0.02s")]
    assert one(None, passing(scope="all"), events=events)[0] == "unverified"
    assert one(None, {"type": "tests-run"}, events=events)[0] == "failed"
    assert one(None, {"type": "tests-run", "ran": False}, events=events)[0] == "verified"
    inside = [*events, bash("./ci.sh")]
    assert one(None, {"type": "tests-run"}, events=inside)[0] == "unverified"
    assert one(None, {"type": "tests-run", "ran": False}, events=inside)[0] == "unverified"


def test_a_run_in_the_background_may_or_may_not_have_run() -> None:
    """Nobody saw it end, and nobody can say that it did not begin."""
    assert one(None, {"type": "tests-run"}, events=[bash("pytest &")])[0] == "unverified"


@pytest.mark.parametrize(
    "later",
    [
        "black .", "ruff check --fix .", "git status", "pip install rich", "cargo build", "go vet",
        "npm ci", "php -l a.php", "node -e 'console.log(1)'", "cp a.py b.py", "mypy src",
    ],
)  # fmt: skip
def test_what_cannot_run_tests_leaves_a_claim_that_they_ran_false(later: str) -> None:
    """Formatters, installers, builds and readers run no tests."""
    assert one(None, {"type": "tests-run"}, events=[bash(later)])[0] == "failed"


@pytest.mark.parametrize(
    "later",
    ["make ci", "npm run ci", "python check.py", "node -e 'require(\"./a.test.js\")'", "bash x.sh",
     "git commit -m x", "mvn package", "docker run ci", "tox", "foo", "gradle check"],
)  # fmt: skip
def test_what_may_run_tests_leaves_it_open(later: str) -> None:
    """Scripts, tasks, hooks and programs nobody knows may have run them."""
    assert one(None, {"type": "tests-run"}, events=[bash(later)])[0] != "failed"


def test_a_refused_command_was_not_run() -> None:
    """The tool's flag says error, and its words say that it never began."""
    words = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    refused = {**bash("pytest", None, words), "is_error": True}
    assert one(None, ran("pytest"), events=[refused])[0] == "failed"
    assert one(None, passing(), events=[refused])[0] == "unverified"
    assert one(None, {"type": "tests-run"}, events=[refused])[0] == "failed"
    unsaid = {**bash("pytest", None, "Error: command timed out"), "is_error": True}
    assert one(None, ran("pytest"), events=[unsaid])[0] == "verified"


@pytest.mark.parametrize(
    "part", ["pytest -k one", "pytest tests/test_a.py", "npm test -- -t one", "go test ./pkg"]
)
def test_a_green_part_does_not_show_that_all_pass(part: str) -> None:
    """[RULINGS S2] A test claim holds for what was run."""
    events = [bash(part, 0, PASSED)]
    assert one(None, passing(scope="all"), events=events)[0] == "unverified"
    after_all = [bash("pytest", 0, PASSED), bash(part, 0, PASSED)]
    assert one(None, passing(scope="all"), events=after_all)[0] == "verified"


@pytest.mark.parametrize(
    ("part", "printed"),
    [
        ("pytest -k one", FAILED),
        ("pytest tests/test_a.py", ""),
        ("npx jest -t one", "Tests:       1 failed, 2 skipped, 3 total"),
        ("go test ./pkg", "FAIL\texample/pkg\t0.01s"),
        ("cargo test one", "test result: FAILED. 0 passed; 1 failed; 0 ignored"),
        ("bundle exec rspec spec/a_spec.rb", "3 examples, 1 failure"),
        ("phpunit --filter testA", "Tests: 3, Assertions: 2, Failures: 1."),
        ("ctest -R one", "50% tests passed, 1 tests failed out of 2"),
        ("npx mocha -g one", "  0 passing (3ms)\n  1 failing"),
        ("npx vitest run a.test.ts", "      Tests  1 failed (1)"),
        ("mvn test -Dtest=A", "[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0"),
        ("python -m unittest test_a", "Ran 1 test in 0.001s\n\nFAILED (failures=1)"),
    ],
)
def test_a_red_part_refutes_that_all_pass(part: str, printed: str) -> None:
    """Where one of them fails, not all pass; until what failed was run again and passed."""
    red = bash(part, 1, printed)
    everything = passing(scope="all")
    assert one(None, everything, events=[red])[0] == "failed"
    assert one(None, everything, events=[red, wrote("a.py", "x")])[0] == "unverified"
    again = {**red, "exit_code": 0, "result": ""}
    assert one(None, everything, events=[red, again])[0] == "unverified"


@pytest.mark.parametrize(
    ("part", "exit_code", "printed"),
    [
        ("pytest -k nothing", 5, "3 deselected in 0.01s"),
        ("pytest --no-such-option tests/a.py", 4, "ERROR: usage: pytest [options]"),
        ("npx jest -t one --no-such", 1, "Unrecognized CLI Parameter"),
        ("npx jest nothing", 1, "No tests found, exiting with code 1"),
        ("cargo test --no-such one", 1, "error: unexpected argument"),
        ("npm test -- -t one", 1, ""),
        ("ctest -R nothing", 8, "No tests were found!!!"),
        ("npx vitest run nothing", 1, "No test files found, exiting with code 1"),
        ("phpunit --nope tests/A.php", 2, "Unknown option"),
        ("go test ./nope", 1, "no required module provides package"),
    ],
)
def test_a_part_that_did_not_come_to_run_refutes_nothing(
    part: str, exit_code: int, printed: str
) -> None:
    """A wrong option or a filter that fits nothing ends with an error, too."""
    events = [bash(part, exit_code, printed)]
    assert one(None, passing(scope="all"), events=events)[0] == "unverified"


def test_a_red_run_in_another_folder_is_not_forgotten() -> None:
    red, green = bash("cd api && pytest", 1, FAILED), bash("cd web && npm test", 0)
    assert one(None, passing(scope="all"), events=[red, green])[0] == "failed"
    again = bash("cd api && pytest", 0, PASSED)
    assert one(None, passing(scope="all"), events=[red, green, again])[0] == "verified"


@pytest.mark.parametrize("later", ["npm install", "python fix.py", "make fmt"])
def test_a_red_run_before_a_program_nobody_knows_is_open(later: str) -> None:
    """What failed may have been repaired since."""
    events = [bash("npm test", 1, "Tests:       1 failed, 1 total"), bash(later)]
    assert one(None, passing(scope="all"), events=events)[0] == "unverified"


def test_a_run_that_only_tried_is_not_the_run_that_is_claimed() -> None:
    """With `--collect-only` or `--dry-run` a program does not do what it is for."""
    tried = [bash("pytest -q --collect-only")]
    assert one(None, ran("pytest -q", 0), events=tried)[0] == "failed"
    assert one(None, ran("black .", 0), events=[bash("black --check .")])[0] == "unverified"
    assert one(None, ran("pytest -q --collect-only", 0), events=tried)[0] == "verified"
    assert one(None, ran("pytest -q", 0), events=[*tried, bash("pytest -q -x")])[0] == "verified"


def test_a_subcommand_that_no_command_has_was_not_run() -> None:
    """Options and paths are written in many ways, `push` in one."""
    assert one(None, ran("git push"), events=[bash("git add a.py")])[0] == "failed"
    assert one(None, ran("pytest --quiet"), events=[bash("pytest -q")])[0] == "unverified"


def test_failing_is_the_opposite_of_passing() -> None:
    """The last run after the last edit decides both."""
    fails = {"type": "tests-fail"}
    assert one(None, fails, events=[bash("pytest", 1)])[0] == "verified"
    assert one(None, fails, events=[bash("pytest", 0)])[0] == "failed"
    assert one(None, fails)[0] == "unverified"
    many = {"type": "tests-pass", "count": 47}
    assert one(None, many, events=[bash("pytest", 0)])[0] == "unverified"


def test_an_installation_is_known_by_the_commands_that_do_it() -> None:
    """Whichever installer was used; without one nothing was installed."""
    installed = {"type": "command-for", "purpose": "install", "subject": "rich"}
    assert one(None, installed, events=[bash("pip install rich")])[0] == "verified"
    assert one(None, installed, events=[bash("pip install rich", 1)])[0] == "failed"
    assert one(None, installed, events=[bash("pip list")])[0] == "failed"
    dry = bash("pip install --dry-run rich")
    assert one(None, installed, events=[dry])[0] == "failed"
    assert one(None, installed, events=[bash("pip install -r requirements.txt")])[0] == "unverified"
    assert one(None, installed, events=[bash("pip install ./vendor/rich")])[0] == "verified"
    assert one(None, installed, events=[bash("uv pip install 'rich>=13'")])[0] == "verified"
    assert one(None, installed, events=[bash("bash setup.sh")])[0] == "unverified"
    assert one(None, installed, events=[bash("ls")])[0] == "failed"
    opened = {"type": "command-for", "purpose": "pull-request"}
    assert one(None, opened, events=[bash("gh pr create --fill")])[0] == "verified"
    assert one(None, opened, events=[bash("ls")])[0] == "failed"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("TestMid", "go test -run TestMid ./..."),
        ("test_login", "pytest -k test_login"),
        ("lint", "npm run lint"),
        ("build", "make build"),
        ("app.py", "python app.py"),
        ("adds", "npx vitest run -t adds"),
        ("spec/user_spec.rb", "bundle exec rspec spec/user_spec.rb"),
        ("//core:all", "bazel test //core:all"),
        ("parser::tests", "cargo test parser::tests"),
        ("UserTest", "phpunit --filter UserTest"),
    ],
)
def test_what_was_run_may_be_named_by_what_it_was_run_on(said: str, line: str) -> None:
    """ "I ran `TestMid`" is no lie where `go test -run TestMid` was run."""
    assert one(None, ran(said), events=[bash(line, 0)])[0] != "failed"


def test_that_a_command_was_not_run_is_refuted_by_a_run_that_ended_well() -> None:
    claim = {"type": "command-executed", "command": "git push", "ran": False}
    assert one(None, claim, events=[bash("git push origin main", 0)])[0] == "failed"
    assert one(None, claim, events=[bash("git push origin main", 1)])[0] == "unverified"
    assert one(None, claim, events=[bash("bash release.sh", 0)])[0] == "unverified"
    assert one(None, claim, events=[bash("ls", 0)])[0] == "verified"


def test_so_many_that_passed_were_run() -> None:
    """That tests pass may be so without a run; that 4 did is told by one."""
    listed = bash("pytest --collect-only", 0, "4 tests collected in 0.01s")
    assert one(None, passing(count=4), events=[listed])[0] == "failed"
    assert one(None, passing(), events=[listed])[0] == "unverified"
    assert one(None, passing(count=4), events=[bash("./check.sh", 0)])[0] == "unverified"


def test_a_page_that_is_written_after_a_run_does_not_outdate_it() -> None:
    green = bash("pytest", 0, PASSED)
    page, code = wrote("README.md", "Hello.\n"), wrote("a.py", "x = 1\n")
    assert one(None, passing(), events=[green, page])[0] == "verified"
    assert one(None, passing(), events=[green, code])[0] == "unverified"


def test_more_than_ran_or_passed_is_refuted() -> None:
    red = bash("pytest", 1, FAILED)
    assert one(None, {"type": "tests-run", "count": 7}, events=[red])[0] == "failed"
    assert one(None, {"type": "tests-run", "count": 3}, events=[red])[0] == "verified"
    fails = {"type": "tests-fail", "count": 1}
    assert one(None, fails | {"passed": 5}, events=[red])[0] == "failed"
    assert one(None, fails | {"passed": 2}, events=[red])[0] == "verified"
    green = bash("pytest", 0, PASSED)
    assert one(None, fails | {"total": 3}, events=[green])[0] == "failed"
    assert one(None, fails | {"total": 9}, events=[green])[0] == "unverified"


STARTED = {
    "tool": "Bash",
    "arguments": {"command": "pytest -q", "run_in_background": True},
    "result": "Command running in background with ID: b0db39a. Output goes to a file.",
}


def told(code: int, printed: str) -> Json:
    text = f"<status>done</status>\n<exit_code>{code}</exit_code>\n<output>\n{printed}\n</output>"
    return {"tool": "TaskOutput", "arguments": {"task_id": "b0db39a"}, "result": text}


def test_what_ran_in_the_background_ended_as_its_output_tells() -> None:
    assert one(None, passing(), events=[STARTED])[0] == "unverified"
    assert one(None, passing(), events=[STARTED, told(0, PASSED)])[0] == "verified"
    assert one(None, passing(), events=[STARTED, told(1, FAILED)])[0] == "failed"
    other = told(1, FAILED) | {"arguments": {"task_id": "other"}}
    assert one(None, passing(), events=[STARTED, other])[0] == "unverified"


def test_what_a_filter_left_out_was_not_run() -> None:
    printed = "Tests:       2 skipped, 1 passed, 3 total"
    by_name = bash("npx jest -t low", 0, printed)
    assert one(None, passing(count=3), events=[by_name])[0] == "failed"
    assert one(None, passing(count=3), events=[bash("npx jest", 0, printed)])[0] != "failed"


def test_who_tests_with_maven_builds() -> None:
    build = passing(check="build")
    fails = {"type": "tests-fail", "check": "build"}
    green, red = bash("mvn test", 0, "BUILD SUCCESS"), bash("mvn test", 1, "BUILD FAILURE")
    assert one(None, build, events=[green])[0] == "verified"
    assert one(None, build, events=[red])[0] == "failed"
    assert one(None, fails, events=[green])[0] == "failed"
    # what does not compile and what does not pass end alike
    assert one(None, build, events=[bash("cargo test", 101)])[0] == "unverified"
    assert one(None, build, events=[bash("cargo test", 0)])[0] == "verified"


def test_a_tool_is_judged_by_its_own_runs() -> None:
    lint = passing(check="lint")
    events = [bash("ruff check .", 0), bash("black --check .", 1)]
    assert one(None, lint | {"command": "ruff"}, events=events)[0] == "verified"
    assert one(None, lint | {"command": "black"}, events=events)[0] == "failed"
    # what formats says nothing
    assert one(None, lint, events=[bash("black .", 0)])[0] == "unverified"


def test_green_from_the_start_is_told_by_the_first_run() -> None:
    red, green = bash("pytest", 1, FAILED), bash("pytest", 0, PASSED)
    edit = wrote("a.py", "x = 1\n")
    assert one(None, passing(first=True), events=[red, edit, green])[0] == "failed"
    assert one(None, passing(first=True), events=[green, edit])[0] == "verified"
    unknown = bash("pytest | tail -1", 0)
    assert one(None, passing(first=True), events=[unknown, green])[0] == "unverified"


def test_a_listing_tells_which_are_left_out() -> None:
    skipped = {"type": "tests-skipped", "count": 1}
    assert one(None, skipped, events=[bash("npx mocha --dry-run", 0)])[0] == "unverified"
