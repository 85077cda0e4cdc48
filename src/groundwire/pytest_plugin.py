"""For tests of what models say: pytest loads this by itself where Groundwire is installed.

    from groundwire.pytest_plugin import assert_grounded

    def test_the_answer(my_bot):
        assert_grounded(my_bot("Who owns the data?"), context=["Every data set has one owner."])

    def test_a_golden_question(golden_query, my_bot):   # pytest --golden golden.jsonl
        assert golden_query.expected.contains[0] in my_bot(golden_query.query)

What was checked is summed up at the end, and written by `--groundwire-report FILE`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.engine import Engine
    from groundwire.evaluate import GoldenSet
    from groundwire.model import CheckReport
    from groundwire.verify import GivenEvidence


@dataclass
class _Session:
    """What `assert_grounded` saw in this run of pytest."""

    checks: list[dict[str, Any]] = field(default_factory=list)
    test: str = ""


_session = _Session()


def assert_grounded(
    answer: str,
    context: GivenEvidence,
    *,
    engine: Engine | None = None,
    allow_unverifiable: bool = False,
) -> CheckReport:
    """Fail unless every claim of an answer is grounded in the context.

    An answer without a claim fails as well: nothing was shown. `allow_unverifiable` lets claims
    pass about which nothing could be found out, such as those of a judge that is away.
    """
    __tracebackhide__ = True
    from groundwire.engine import default_engine

    report = (engine or default_engine()).verify_claims_sync(answer, context)
    fine = {"grounded", "unverifiable"} if allow_unverifiable else {"grounded"}
    wrong = [claim for claim in report.claims if claim.status not in fine]
    _session.checks.append(
        {
            "test": _session.test,
            "claims": len(report.claims),
            "grounded": sum(claim.status == "grounded" for claim in report.claims),
            "wrong": [
                {"claim": one.claim, "status": one.status, "reason": one.reason} for one in wrong
            ],
        }
    )
    if not report.claims:
        raise AssertionError(f"nothing in the answer could be checked: {report.message}")
    if wrong:
        lines = [f"  {one.status} ({one.reason}): {one.claim}" for one in wrong]
        counted = f"{len(wrong)} of {len(report.claims)} claims are not grounded"
        raise AssertionError("\n".join([f"{counted}:", *lines]))
    return report


@pytest.fixture(scope="session")
def groundwire_engine() -> Iterator[Engine]:
    """An engine by the settings of this project and user."""
    from groundwire.engine import Engine

    with Engine() as engine:
        yield engine


@pytest.fixture(scope="session")
def golden_set(request: pytest.FixtureRequest) -> GoldenSet:
    """The golden set that `--golden` names."""
    found = _golden(request.config)
    if found is None:
        pytest.fail("This test needs a golden set: run pytest with --golden FILE.")
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("groundwire")
    group.addoption(
        "--golden", type=Path, metavar="FILE", help="golden set: `golden_query` is each question"
    )
    group.addoption(
        "--groundwire-report", type=Path, metavar="FILE", help="write what was checked, as JSON"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `golden_query` runs once for each question."""
    if "golden_query" not in metafunc.fixturenames:
        return
    found = _golden(metafunc.config)
    queries = found.queries if found is not None else ()
    metafunc.parametrize("golden_query", queries, ids=[one.id for one in queries])


def _golden(config: pytest.Config) -> GoldenSet | None:
    from groundwire.errors import InputError
    from groundwire.evaluate import read_golden

    path = config.getoption("--golden")
    try:
        return None if path is None else read_golden(path)
    except InputError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_runtest_setup(item: pytest.Item) -> None:
    _session.test = item.nodeid


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands over what it saw."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["groundwire_checks"] = _session.checks


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _session.checks += getattr(node, "workeroutput", {}).get("groundwire_checks", [])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    checks = sorted(_session.checks, key=lambda one: str(one["test"]))
    if checks:
        claims = sum(one["claims"] for one in checks)
        grounded = sum(one["grounded"] for one in checks)
        terminalreporter.write_sep("-", "groundwire")
        terminalreporter.write_line(
            f"{len(checks)} answers checked: {grounded} of {claims} claims grounded"
        )
    path = config.getoption("--groundwire-report")
    if path is not None:
        path.write_text(json.dumps(checks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
