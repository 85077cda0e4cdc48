import pytest

from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate import LabelledClaim, benchmark_claims, judge_rows
from groundwire.judge import EmbeddedBackend
from groundwire.verify import Rules

pytestmark = pytest.mark.anyio

EVIDENCE = (
    "The mill has three floors. The mill was built in 1862. Flour was sold in Overby. "
    "The wheel turned until the river was moved."
)
CLAIMS = {
    "The mill was built in 1862.": 1,
    "The mill was built in 1907.": 0,
    "The mill has three floors.": 1,
    "The miller had eleven children.": 0,
}


def _rows() -> list[LabelledClaim]:
    return [
        LabelledClaim(id=claim, set="mill", evidence=EVIDENCE, claim=claim, label=label)
        for claim, label in CLAIMS.items()
    ]


async def test_rows_are_judged_with_and_without_what_supports_them() -> None:
    told: list[tuple[int, int]] = []
    judged = await judge_rows(
        _rows(), EmbeddedBackend(), Rules(0.5), lambda *done: told.append(done)
    )
    true, changed, _, _ = judged
    assert true.p1 > 0.5 > true.p0
    assert changed.p1 < 0.5
    assert (true.values, changed.values) == (1.0, 0.0)
    assert [one.contradicted for one in judged] == [False, True, False, False]
    assert told == [(4, 4)]


async def test_a_benchmark_names_its_judge_and_threshold() -> None:
    backend = EmbeddedBackend(threshold=0.4)
    report = await benchmark_claims(_rows() * 6, Engine(judge=backend))
    assert (report.judge, report.threshold) == ("embedded", 0.4)
    assert report.macro.rows == 24
    assert report.macro.auroc.value > 0.9


async def test_rows_that_cannot_be_measured_are_refused_before_any_is_judged() -> None:
    told: list[tuple[int, int]] = []
    with pytest.raises(InputError, match="each needs 20 claims, of both labels"):
        await benchmark_claims(
            _rows(), Engine(judge=EmbeddedBackend()), lambda *done: told.append(done)
        )
    assert told == []
