from pathlib import Path

import pytest

from groundwire.actions import (
    Case,
    Strategy,
    TaskVerifier,
    compare_strategies,
    take_snapshot,
)
from groundwire.actions._strategies import sign_test
from tests.actions.helpers import bash, edit, numbered, output, write, wrote


def test_two_strategies_meet_the_same_outputs(base: Path) -> None:
    (base / "a.txt").write_text("two\n")
    trace = numbered([wrote("a.txt", "one\n"), wrote("a.txt", "two\n"), bash("pytest", 0)])
    cases = [
        Case(output(write("a.txt", "one\n")), trace, base, truth=(True,)),
        Case(output(write("a.txt", "never\n")), trace, base, truth=(False,)),
        Case(output(write("a.txt", "two\n")), trace, base, truth=(True,)),
    ]
    compared = compare_strategies(
        cases,
        Strategy("with trace", TaskVerifier()),
        Strategy("files only", TaskVerifier(), use_trace=False),
    )
    assert (compared.a.false_accusations, compared.a.caught) == (0, 1)
    assert (compared.b.false_accusations, compared.b.caught) == (1, 1)
    assert compared.a.claims == {"superseded": 1, "failed": 1, "verified": 1}
    assert (compared.only_a_passed, compared.only_b_passed) == (1, 0)
    assert compared.difference_count == 1
    [difference] = compared.differences
    assert (difference.output, difference.a, difference.b) == (0, "superseded", "failed")
    assert compared.b.errors_by_category == {"hash_mismatch": 2}


def test_snapshots_can_be_held_back_from_one_side(base: Path) -> None:
    before = take_snapshot(base)
    nothing_done = edit("README.md", "# Project\n", "\nSays hi.\n", "")
    compared = compare_strategies(
        [Case(output(nothing_done), [bash("ls")], base, before=before, truth=(False,))],
        Strategy("a", TaskVerifier()),
        Strategy("b", TaskVerifier(), use_snapshots=False),
    )
    assert (compared.a.caught, compared.b.missed) == (1, 1)


def test_nothing_compared_makes_no_score() -> None:
    one = Strategy("a", TaskVerifier())
    compared = compare_strategies([], one, one)
    assert compared.a.pass_rate is None
    assert compared.p_value is None


@pytest.mark.parametrize(
    ("one", "other", "p_value"), [(0, 0, None), (5, 5, 1.0), (10, 0, 2 / 1024), (0, 6, 2 / 64)]
)
def test_the_sign_test_is_exact(one: int, other: int, p_value: float | None) -> None:
    assert sign_test(one, other) == p_value
