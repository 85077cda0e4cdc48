"""S3, Gap B: the golden set of the repository, its thresholds and the gate against regressions."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from groundwire.evaluate import GoldenSet, read_golden

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "data" / "evaluation" / "golden_queries.jsonl"
BASELINE = ROOT / "data" / "evaluation" / "baseline.json"
LEAST = {
    "terminology_hit": 5,
    "terminology_miss": 3,
    "terminology_ambiguous": 2,
    "terminology_timeout": 2,
    "non_terminology_define": 3,
    "non_terminology_list": 3,
    "adr_retrieval": 5,
    "principle_retrieval": 3,
    "policy_retrieval": 3,
    "entity_not_found": 3,
    "semantic_search": 5,
    "cross_collection": 3,
}
"""The specification's minimum of each category."""
CHANGES_EVERY_TIME = ("timestamp", "commit")


@pytest.fixture(scope="module")
def golden() -> GoldenSet:
    return read_golden(GOLDEN)


def script(name: str, *options: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    """One of the specification's two scripts, as a build server runs it."""
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / name, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"GROUNDWIRE_HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONPATH": _path()},
    )


def _path() -> str:
    return ":".join(filter(None, sys.path))


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results by the committed thresholds."""
    folder = tmp_path_factory.mktemp("evaluated")
    done = script(
        "eval_rag_quality.py",
        "--config",
        "config/thresholds.yaml",
        "--output",
        folder / "results.json",
        home=folder / "home",
    )
    assert done.returncode == 0, done.stderr
    return folder / "results.json"


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def test_every_category_has_its_least_number(golden: GoldenSet) -> None:
    """At least sixty questions, each with a reason why it is there [S3 Gap B]."""
    counts = Counter(one.category for one in golden.queries)
    assert len(golden.queries) >= 60
    assert {name: counts[name] for name, least in LEAST.items() if counts[name] < least} == {}
    assert [one.id for one in golden.queries if not one.why] == []
    assert [query for query, n in Counter(q.query for q in golden.queries).items() if n > 1] == []


def test_the_specifications_own_lines_are_there(golden: GoldenSet) -> None:
    """Its examples and its negative cases, word for word [S3 Gap B]."""
    asked = {one.query for one in golden.queries}
    assert {
        "What is CIMXML?",
        "What is FooBarBaz?",
        "What is CIM?",
        "Define __TEST_SKOSMOS_TIMEOUT__",
        "Define the TLS requirements in ADRs",
        "Define the encryption requirements in ADR-0015",
        "What is decided about TLS versions?",
        "List all ADRs about authentication",
        "List all principles about security",
        "What does ADR-0012 decide?",
        "What are the interoperability principles?",
        "What is the data retention policy?",
        "What does ADR-9999 decide?",
        "How do we ensure grid stability?",
        "Security decisions and principles",
    } <= asked


def test_a_run_captures_the_metrics(evaluated: Path, golden: GoldenSet) -> None:
    """The document has all that the specification shows [THRESH-01]."""
    found = read(evaluated)
    meta, metrics = found["meta"], found["metrics"]
    assert meta["golden_set_hash"] == golden.hash
    assert meta["golden_set_version"] == golden.version
    assert meta["total_queries"] == meta["pass_count"] + meta["fail_count"] == len(golden.queries)
    assert {"timestamp", "config_hash", "commit", "groundwire_version"} <= meta.keys()
    assert {"precision", "recall", "f1", "intervals"} <= metrics["overall"].keys()
    assert {"adr", "principle", "policy", "vocabulary"} <= metrics["by_collection"].keys()
    assert {"precision", "recall", "f1", "count"} <= metrics["by_collection"]["adr"].keys()
    assert "terminology_timeout" in metrics["abstention"]["by_reason"]
    assert metrics["latency"].keys() == {"p50_ms", "p95_ms", "p99_ms", "max_ms"}
    for failure in found["failures"]:
        assert {"id", "query", "expected", "actual", "reason"} <= failure.keys()


def test_a_third_of_the_set_is_held(golden: GoldenSet) -> None:
    """Tuning never sees it [S3 Gap B]."""
    splits = Counter(one.split for one in golden.queries)
    assert splits["held"] * 3 >= splits.total()


def test_the_specifications_figures_are_reached(evaluated: Path) -> None:
    """More than 85 % precision and 80 % recall on the golden set [S3 Gap B]."""
    overall = read(evaluated)["metrics"]["overall"]
    assert overall["precision"] > 0.85
    assert overall["recall"] > 0.80


def test_terms_are_never_invented_and_abstention_is_as_expected(evaluated: Path) -> None:
    """Every definition is the vocabulary's; abstentions within 5 points [S3 Gap A, S3 Gap B]."""
    metrics = read(evaluated)["metrics"]
    assert metrics["terminology"]["rate"] == 0.0
    asked = metrics["abstention"]
    assert abs(asked["total_rate"] - asked["expected_rate"]) <= 0.05


def test_the_same_inputs_give_the_same_bytes(evaluated: Path, tmp_path: Path) -> None:
    """But for the time, the commit and how long it took [S3 Gap B]."""
    again = tmp_path / "again.json"
    options = ("--config", "config/thresholds.yaml", "--output", again)
    assert script("eval_rag_quality.py", *options, home=tmp_path / "home").returncode == 0
    first, second = (_without_times(read(path)) for path in (evaluated, again))
    assert json.dumps(first) == json.dumps(second)


def _without_times(document: dict[str, Any]) -> dict[str, Any]:
    for name in CHANGES_EVERY_TIME:
        del document["meta"][name]
    for metrics in (document["metrics"], *document["suites"].values()):
        del metrics["latency"]
    return document


@pytest.fixture(scope="module")
def worse(evaluated: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, int]:
    """Results by thresholds that nothing reaches, what was printed beside the good ones, and how
    it ended."""
    folder = tmp_path_factory.mktemp("worse")
    done = script(
        "eval_rag_quality.py",
        *("--config", _thresholds(folder, distance=0.01, coverage=1.0)),
        *("--output", folder / "results.json", "--baseline", evaluated),
        home=folder / "home",
    )
    return folder / "results.json", done.stdout, done.returncode


def test_a_changed_threshold_gives_a_report_of_the_difference(
    evaluated: Path, worse: tuple[Path, str, int]
) -> None:
    """Before and after, overall and per collection [THRESH-02, S3 Gap B]."""
    results, printed, _ = worse
    for said in ("before", "after", "95 % interval", "policy, recall", "now fails"):
        assert said in printed
    assert read(results)["meta"]["config_hash"] != read(evaluated)["meta"]["config_hash"]


def test_a_bad_threshold_fails_the_gate(
    evaluated: Path, worse: tuple[Path, str, int], tmp_path: Path
) -> None:
    """Nothing is near enough any more: the build server is told by exit code 1 [THRESH-03]."""
    results, _, ended = worse
    assert ended == 1
    limits = ("--precision-threshold", "0.05", "--recall-threshold", "0.05")
    files = ("--current", results, "--baseline", evaluated)
    done = script("check_regression.py", *files, *limits, home=tmp_path / "home")
    assert done.returncode == 1, done.stdout
    assert "recall went from" in done.stdout
    same = ("--current", evaluated, "--baseline", evaluated)
    assert script("check_regression.py", *same, *limits, home=tmp_path / "home").returncode == 0


def _thresholds(folder: Path, *, distance: float, coverage: float) -> Path:
    one = f"{{distance_threshold: {distance}, min_query_coverage: {coverage}}}"
    names = ("adr", "principle", "policy", "vocabulary")
    collections = "".join(f"  {name}: {one}\n" for name in names)
    path = folder / "bad.yaml"
    path.write_text(f"collections:\n{collections}default: {one}\n")
    return path


def test_the_committed_baseline_holds(evaluated: Path, tmp_path: Path) -> None:
    """What `make eval` checks: nothing fell since the baseline was written [S3 Gap B]."""
    files = ("--current", evaluated, "--baseline", BASELINE)
    done = script("check_regression.py", *files, home=tmp_path / "home")
    assert done.returncode == 0, done.stdout


def test_a_malformed_line_is_named_and_nothing_is_run(tmp_path: Path) -> None:
    """No result is written that would look like a whole one [S3 Gap B]."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    lines[6] = lines[6].replace('"abstain": false', '"abstain": "maybe"')
    (tmp_path / "golden.jsonl").write_text("\n".join(lines))
    shutil.copy(GOLDEN.parent / "corpus.yaml", tmp_path)
    results = tmp_path / "results.json"
    options = ("--data", tmp_path / "golden.jsonl", "--output", results)
    done = script("eval_rag_quality.py", *options, home=tmp_path / "home")
    assert done.returncode == 2
    assert "golden.jsonl, line 7, field expected.abstain" in done.stderr
    assert not results.exists()
