import json
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.evaluate import CaseOutcome, Results, compare, read_results, results_of
from groundwire.evaluate._results import Meta
from tests.evaluate.test_results import outcome


def run_of(cases: list[CaseOutcome], golden: str = "abc") -> Results:
    return results_of(
        {"questions": cases},
        lambda total, passed: Meta(
            timestamp="2026-01-01T00:00:00Z",
            commit=None,
            groundwire_version="0",
            config_hash="c",
            golden_set_hash=golden,
            golden_set_version="v1.0.0",
            sources={},
            total_queries=total,
            pass_count=passed,
            fail_count=total - passed,
        ),
    )


def cases(wrong: int = 0, silent: int = 0, count: int = 60) -> list[CaseOutcome]:
    return [
        outcome(str(number), right=number >= wrong, given=number < count - silent)
        for number in range(count)
    ]


def test_a_drop_in_precision_past_the_threshold_closes_the_gate() -> None:
    """Six of sixty answers turned wrong: more than 5 points, and more than chance [THRESH-03]."""
    found = compare(run_of(cases()), run_of(cases(wrong=6)))
    change = found.suites["questions"].overall["precision"]
    assert (change.before, change.after, change.regressed) == (1.0, 0.9, True)
    assert any("precision went from 1.000 to 0.900" in one for one in found.regressions)
    assert found.suites["questions"].broken == tuple(str(number) for number in range(6))


def test_a_drop_within_the_threshold_is_shown_and_passes() -> None:
    """Three of sixty are 5 points and no more."""
    found = compare(run_of(cases()), run_of(cases(wrong=3)))
    assert found.suites["questions"].overall["precision"].change == -0.05
    assert found.regressions == ()


def test_a_drop_of_few_cases_is_noise() -> None:
    """One of ten is 10 points, and yet the interval reaches zero."""
    found = compare(run_of(cases(count=10)), run_of(cases(wrong=1, count=10)))
    change = found.suites["questions"].overall["precision"]
    assert change.change == -0.1
    assert change.interval is not None
    assert change.interval[1] == 0.0
    assert not found.regressions


def test_silence_is_a_drop_in_recall_and_a_rise_in_abstentions() -> None:
    """A product that answers nothing is not precise: it is of no use."""
    found = compare(run_of(cases()), run_of(cases(silent=60)))
    assert found.suites["questions"].overall["precision"].regressed
    assert found.suites["questions"].overall["recall"].regressed
    assert found.suites["questions"].overall["abstention"].regressed


def test_cases_that_are_gone_do_not_make_a_run_better() -> None:
    """Whoever takes hard cases away has to write the baseline anew."""
    found = compare(run_of(cases()), run_of(cases()[10:], golden="other"))
    assert not found.same_golden_set
    assert len(found.missing) == 10
    assert any("10 cases of the baseline were not run" in one for one in found.regressions)


def test_an_invented_definition_closes_the_gate() -> None:
    """Terminology may not hallucinate at all [S3 Gap A]."""
    term = outcome("t", category="terminology_hit")
    invented = term.model_copy(update={"invented_term": True})
    found = compare(run_of([*cases(), term]), run_of([*cases(), invented]))
    assert found.regressions == ("1 definitions were given that the vocabulary does not have.",)


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    """What is left out of the document is not needed to compare."""
    before = run_of(cases(wrong=2))
    path = tmp_path / "results.json"
    path.write_text(json.dumps(before.model_dump(mode="json")))
    again = compare(before, read_results(path))
    assert not again.suites["questions"].broken
    assert not again.regressions
    for wrong in (b"{}", b"", b"\xff\xfe", b"[" * 100_000, b"[1]"):
        path.write_bytes(wrong)
        with pytest.raises(InputError, match="no document of results"):
            read_results(path)
