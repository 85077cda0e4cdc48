import pytest
from hypothesis import given, settings, strategies as st

from groundwire.encoder import PairScorer

EVIDENCE = "The backup runs every night at two. Restores are tested on the first Monday."
PAIRS = [
    ("Backups run every night.", EVIDENCE),
    ("Backups run every week.", EVIDENCE),
    ("Restores are tested monthly.", EVIDENCE),
    ("", ""),
]


@pytest.fixture(scope="module")
def scorer() -> PairScorer:
    return PairScorer(threads=2)


def test_a_pair_scores_the_same_alone_and_in_company(scorer: PairScorer) -> None:
    together = scorer.score(PAIRS)
    assert together == [scorer.score([pair])[0] for pair in PAIRS]
    assert together[::-1] == scorer.score(PAIRS[::-1])


def test_the_number_of_threads_changes_nothing(scorer: PairScorer) -> None:
    assert PairScorer(threads=1).score(PAIRS) == scorer.score(PAIRS)


def test_nothing_asked_is_nothing_answered(scorer: PairScorer) -> None:
    assert scorer.score([]) == []


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300))
def test_the_three_scores_of_any_text_sum_to_one(claim: str, context: str) -> None:
    scores = PairScorer(threads=1).score([(claim, context)])[0]
    assert sum(scores) == pytest.approx(1)
    assert all(0 <= score <= 1 for score in scores)


def test_huge_input_is_cut_and_scored(scorer: PairScorer) -> None:
    claim, context = "word " * 50_000, "other words " * 200_000
    assert sum(scorer.score([(claim, context)])[0]) == pytest.approx(1)


def test_what_stands_behind_the_limit_is_not_read(scorer: PairScorer) -> None:
    padding = "filler " * 1_000
    one, other = scorer.score([("A claim.", padding + "yes"), ("A claim.", padding + "no")])
    assert one == other
