import math

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import BackendMalformed
from groundwire.judge._prompt import (
    Masses,
    Word,
    from_masses,
    from_samples,
    masses,
    wilson,
    word_of,
)


@pytest.mark.parametrize(
    "text",
    ["YES", "yes", "Yes", " Yes", "ĠYes", "▁YES", '"YES"', "'yes'", "Yes.", "**YES**", "yes\n"],
)
def test_every_spelling_of_yes_is_yes(text: str) -> None:
    assert word_of(text) == "YES"


@pytest.mark.parametrize("text", ["", " ", "YESTERDAY", "Y", "maybe", "YES NO", "ja", "1"])
def test_anything_else_is_no_answer(text: str) -> None:
    assert word_of(text) is None


def logs(**probabilities: float) -> list[tuple[str, float]]:
    return [(token, math.log(p)) for token, p in probabilities.items()]


def test_spellings_are_summed() -> None:
    """[SPEC-08.13] the exact key is not the answer, all its spellings are."""
    found = masses(
        [("YES", math.log(0.3)), (" Yes", math.log(0.2)), ("no.", math.log(0.1))],
        constrained=False,
    )
    assert found.yes == pytest.approx(0.5)
    assert found.no == pytest.approx(0.1)
    assert found.neither == pytest.approx(0.4)


def test_a_beginning_counts_only_where_nothing_else_can_follow() -> None:
    top = logs(Y=0.6, NO=0.3)
    assert masses(top, constrained=False).yes == 0
    assert masses(top, constrained=True).yes == pytest.approx(0.6)


def test_what_is_on_neither_answer_widens_the_interval() -> None:
    estimate = from_masses(Masses(yes=0.6, no=0.2, unsure=0), three_way=False)
    assert estimate.p == pytest.approx(0.75)
    assert estimate.interval is not None
    assert estimate.interval.low == pytest.approx(0.6)
    assert estimate.interval.high == pytest.approx(0.8)
    assert estimate.refute is None


def test_unsure_is_an_interval_not_a_guess() -> None:
    estimate = from_masses(Masses(yes=0.05, no=0.05, unsure=0.9), three_way=True)
    assert estimate.p == pytest.approx(0.5)
    assert estimate.interval is not None
    assert estimate.interval.low == pytest.approx(0.05)
    assert estimate.interval.high == pytest.approx(0.95)
    assert estimate.refute == pytest.approx(0.05)


def test_no_answer_at_all_is_an_error_not_a_half() -> None:
    with pytest.raises(BackendMalformed):
        from_masses(Masses(0, 0, 0), three_way=False)


tops = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(["YES", " yes", "NO", "no", "UNSURE", "Y", "N"]), st.text()),
        st.floats(-40, 0.5),
    ),
    max_size=20,
)


@given(tops, st.booleans())
def test_an_estimate_always_lies_within_its_interval(
    top: list[tuple[str, float]],
    constrained: bool,  # noqa: FBT001
) -> None:
    """Even for a server whose probabilities do not sum up."""
    try:
        estimate = from_masses(masses(top, constrained=constrained), three_way=True)
    except BackendMalformed:
        return
    assert estimate.interval is not None
    assert 0 <= estimate.interval.low <= estimate.p <= estimate.interval.high <= 1


def test_samples_divide_by_the_answers_received() -> None:
    """[SPEC-08.14]"""
    estimate = from_samples(["YES", "YES", "NO"], asked=5, three_way=False)
    assert estimate.p == pytest.approx(2 / 3)


def test_fewer_than_half_answered_is_an_error_not_zero() -> None:
    words: list[Word] = ["YES", "YES"]
    with pytest.raises(BackendMalformed, match="Only 2 of 5"):
        from_samples(words, asked=5, three_way=False)
    with pytest.raises(BackendMalformed):
        from_samples([], asked=0, three_way=False)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(5, 5, 0.5655, 1.0), (0, 5, 0.0, 0.4345), (5, 10, 0.2366, 0.7634), (90, 100, 0.8256, 0.9448)],
)
def test_the_interval_is_wilsons(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert interval.low == pytest.approx(low, abs=1e-4)
    assert interval.high == pytest.approx(high, abs=1e-4)


@given(st.lists(st.sampled_from(["YES", "NO", "UNSURE"]), min_size=1, max_size=40))
def test_a_sampled_estimate_always_lies_within_its_interval(words: list[Word]) -> None:
    estimate = from_samples(words, asked=len(words), three_way=True)
    assert estimate.interval is not None
    assert 0 <= estimate.interval.low <= estimate.p <= estimate.interval.high <= 1
