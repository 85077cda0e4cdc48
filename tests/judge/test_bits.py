import math

import pytest
from hypothesis import given, strategies as st

from groundwire.judge import budget, clamped, kl_bits

probabilities = st.floats(0, 1)


@pytest.mark.parametrize(
    ("p", "q", "bits"),
    [(0.5, 0.5, 0.0), (0.99, 0.5, 0.919), (0.9, 0.5, 0.531), (0.5, 0.25, 0.2075)],
)
def test_divergence_is_in_bits(p: float, q: float, bits: float) -> None:
    assert kl_bits(p, q) == pytest.approx(bits, abs=5e-4)


def test_a_supported_claim_needs_no_more_than_it_got() -> None:
    spent = budget(p0=0.5, p1=0.95, target=0.9)
    assert spent.required_bits == pytest.approx(0.531, abs=1e-3)
    assert spent.observed_bits > spent.required_bits
    assert spent.gap < 0
    assert spent.adjusted_confidence == 0.9


def test_evidence_against_a_claim_never_pays_for_it() -> None:
    spent = budget(p0=0.5, p1=0.05, target=0.9, stated=0.9)
    assert spent.observed_bits < 0
    assert spent.gap == pytest.approx(spent.required_bits - spent.observed_bits)
    assert spent.adjusted_confidence == 0


def test_a_claim_known_without_its_evidence_needs_no_bits() -> None:
    spent = budget(p0=0.99, p1=0.99, target=0.95)
    assert (spent.required_bits, spent.observed_bits, spent.gap) == (0, 0, 0)
    assert spent.adjusted_confidence == 0.95


@given(p0=probabilities, p1=probabilities, target=probabilities, stated=st.none() | probabilities)
def test_every_budget_is_finite_and_never_believes_more_than_was_stated(
    p0: float, p1: float, target: float, stated: float | None
) -> None:
    spent = budget(p0, p1, target, stated)
    assert all(map(math.isfinite, spent))
    assert 0 <= spent.adjusted_confidence <= (1 if stated is None else stated) + 1e-12


@given(p0=probabilities, p1=probabilities, target=probabilities)
def test_bits_never_reward_a_claim_the_evidence_made_less_likely(
    p0: float, p1: float, target: float
) -> None:
    spent = budget(p0, p1, target)
    if p1 <= p0:
        assert spent.observed_bits <= 0
        assert spent.gap >= spent.required_bits >= 0


@given(p0=probabilities, target=probabilities, lower=probabilities, higher=probabilities)
def test_more_support_never_widens_the_gap(
    p0: float, target: float, lower: float, higher: float
) -> None:
    low, high = sorted((lower, higher))
    assert budget(p0, high, target).gap <= budget(p0, low, target).gap + 1e-9


@pytest.mark.parametrize(
    ("p", "kept"),
    [(0, 0.01), (0.01, 0.01), (0.011, 0.011), (0.989, 0.989), (0.99, 0.99), (1, 0.99)],
)
def test_probabilities_are_kept_between_001_and_099(p: float, kept: float) -> None:
    """[SPEC-08.17] Nothing is ever certain, so bits stay finite."""
    assert clamped(p) == kept


def test_all_three_probabilities_are_clamped_before_bits_are_counted() -> None:
    """A claim of certainty asks for no more bits than one of 0.99."""
    assert budget(0, 1, 1) == budget(0.01, 0.99, 0.99)


def test_divergence_is_never_below_zero() -> None:
    """Rounding of equal probabilities must not turn nothing into a loss."""
    assert all(kl_bits(p / 997, p / 997) == 0 for p in range(1, 997))


def test_confidence_is_in_proportion_to_the_bits_the_evidence_gave() -> None:
    """[RULINGS S4] min(stated, max(0, observed) / required, 1)."""
    spent = budget(p0=0.5, p1=0.7, target=0.9)
    assert spent.observed_bits == pytest.approx(0.1187, abs=1e-4)
    assert spent.gap == pytest.approx(spent.required_bits - spent.observed_bits)
    assert spent.adjusted_confidence == pytest.approx(0.1187 / 0.5310, abs=1e-3)


def test_where_no_bits_are_needed_the_judge_decides_what_may_be_believed() -> None:
    """[RULINGS S4] With nothing required, min(stated, p1)."""
    assert budget(p0=0.9, p1=0.6, target=0.8).adjusted_confidence == 0.6
    assert budget(p0=0.9, p1=0.85, target=0.8, stated=0.7).adjusted_confidence == 0.7


def test_no_more_than_certainty_is_ever_believed() -> None:
    """A confidence stated as 150 % does not make one."""
    assert budget(p0=0.1, p1=0.99, target=0.5, stated=1.5).adjusted_confidence == 1
