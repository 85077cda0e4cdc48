import math

import pytest
from hypothesis import given, strategies as st

from groundwire.judge import budget, kl_bits

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
