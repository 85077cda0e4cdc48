"""The plugin in a run of pytest of its own, as a user's tests have it."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = """
from groundwire.pytest_plugin import assert_grounded

CONTEXT = ["The mill has three floors. The mill was built in 1862."]

def test_true():
    report = assert_grounded("The mill was built in 1862.", CONTEXT)
    assert report.claims[0].status == "grounded"

def test_false():
    assert_grounded("The mill was built in 1907.", CONTEXT)

def test_nothing_said():
    assert_grounded("Who knows?", CONTEXT)
"""
GOLDEN_TESTS = """
def test_question(golden_query):
    assert golden_query.query.endswith("?")

def test_the_set(golden_set):
    assert golden_set.version == "v0.1.0"
"""


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    """With the plugin named once, whether or not this checkout is installed with its metadata."""
    base = ("-p", "no:cacheprovider", "-p", "groundwire.pytest_plugin")
    pytester.makeini("[pytest]\naddopts = -q\n")
    pytester._monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.syspathinsert(str(Path(__file__).parents[1] / "src"))
    return pytester.runpytest_subprocess(*base, *options)


@pytest.mark.parametrize("workers", [(), ("-p", "xdist.plugin", "-n", "2")], ids=["one", "two"])
def test_an_answer_that_is_not_grounded_fails_with_its_claims(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """So does one in which nothing could be checked; the summary counts, the report lists, also
    what workers of pytest-xdist saw."""
    pytester.makepyfile(TESTS)
    done = run(pytester, "--groundwire-report", "report.json", *workers)
    done.assert_outcomes(passed=1, failed=2)
    done.stdout.fnmatch_lines(["*1 of 1 claims are not grounded*"])
    done.stdout.fnmatch_lines(["*contradicted*The mill was built in 1907.*"])
    done.stdout.fnmatch_lines(["*nothing in the answer could be checked*"])
    done.stdout.fnmatch_lines(["3 answers checked: 1 of 2 claims grounded"])
    report = json.loads((pytester.path / "report.json").read_text())
    assert {one["test"].rpartition("::")[2]: len(one["wrong"]) for one in report} == {
        "test_false": 1,
        "test_nothing_said": 0,
        "test_true": 0,
    }


def test_a_golden_set_makes_one_test_of_each_question(pytester: pytest.Pytester) -> None:
    """Named by its id; a bad line ends the run before any test."""
    pytester.makepyfile(GOLDEN_TESTS)
    lines = [json.dumps({"id": f"G{n}", "query": f"Is it {n}?"}) for n in range(3)]
    (pytester.path / "golden.jsonl").write_text("\n".join(lines))
    run(pytester, "--golden", "golden.jsonl").assert_outcomes(passed=4)
    (pytester.path / "golden.jsonl").write_text('{"id": "G1"}')
    done = run(pytester, "--golden", "golden.jsonl")
    assert done.ret == pytest.ExitCode.USAGE_ERROR or "line 1, field query" in done.stdout.str()
    assert "line 1, field query" in done.stdout.str() + done.stderr.str()


def test_without_a_golden_set_its_tests_do_not_pass(pytester: pytest.Pytester) -> None:
    """A gate that was not given its cases is not open."""
    pytester.makepyfile(GOLDEN_TESTS)
    done = run(pytester)
    assert done.parseoutcomes().get("passed", 0) == 0
    assert "--golden FILE" in done.stdout.str()


def test_pytest_starts_without_the_product() -> None:
    """A user whose tests do not use it does not wait for it."""
    code = "import groundwire.pytest_plugin, sys; print('groundwire.engine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_pytest_finds_the_plugin_by_itself() -> None:
    """It is an entry point of the package, under the group that pytest reads."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"groundwire": "groundwire.pytest_plugin"}
