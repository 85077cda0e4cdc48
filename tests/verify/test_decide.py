"""RULINGS S4: the status, decided in this order."""

import pytest
from hypothesis import given, strategies as st

from groundwire.encoder import judge_calibration
from groundwire.judge import Estimate
from groundwire.model import Check, CheckKind, Citation, Interval, Quote, Reason, Span
from groundwire.verify import Rules, StatusDecision, decide
from groundwire.verify._decide import explain

RULES = Rules(threshold=0.5)
KNOWING = Rules(threshold=0.5, has_knowledge=True)
probabilities = st.floats(0, 1)


def estimate(p: float, low: float | None = None, high: float | None = None) -> Estimate:
    interval = None if low is None or high is None else Interval(low=low, high=high)
    return Estimate(p=p, interval=interval)


@pytest.mark.parametrize(
    ("p0", "p1", "target", "decision"),
    [
        (0.5, 0.05, 0.9, StatusDecision("contradicted", "refuted")),
        (0.95, 0.05, 0.9, StatusDecision("contradicted", "refuted")),
        (0.5, 0.49, 0.9, StatusDecision("unsupported", "not_in_evidence")),
        (0.99, 0.99, 0.95, StatusDecision("grounded", "prior_known")),
        (0.1, 0.9, 0.75, StatusDecision("grounded", "supported")),
        (0.1, 0.15, 0.75, StatusDecision("unsupported", "not_in_evidence")),
        (0.05, 0.05, 0.75, StatusDecision("unsupported", "not_in_evidence")),
    ],
)
def test_the_rulings_cases_come_out_as_ruled(
    p0: float, p1: float, target: float, decision: StatusDecision
) -> None:
    assert decide(estimate(p0), estimate(p1), target, KNOWING) == decision


def test_an_engine_that_tells_opposed_from_silent_is_believed() -> None:
    silent, opposed = Estimate(p=0.05, refute=0.1), Estimate(p=0.05, refute=0.9)
    assert decide(estimate(0.3), silent, 0.75, RULES).status == "unsupported"
    assert decide(estimate(0.3), opposed, 0.75, RULES).status == "contradicted"


def test_the_ends_of_an_interval_have_to_agree() -> None:
    wide, narrow = estimate(0.6, 0.3, 0.9), estimate(0.8, 0.6, 0.95)
    assert decide(estimate(0.1), wide, 0.75, RULES) == StatusDecision("unverifiable", "uncertain")
    assert decide(estimate(0.1), narrow, 0.75, RULES).status == "grounded"
    middle = RULES._replace(on_interval="middle")
    assert decide(estimate(0.1), wide, 0.75, middle).status == "grounded"


@pytest.mark.parametrize(
    ("p1", "status"), [(0.19, "contradicted"), (0.2, "contradicted"), (0.201, "unsupported")]
)
def test_evidence_opposes_a_claim_it_lowers_to_a_fifth_and_not_above(
    p1: float, status: str
) -> None:
    """[RULINGS S4] `contradicted`: p1 < p0 and p1 ≤ 0.2."""
    assert decide(estimate(0.5), estimate(p1), 0.9, RULES).status == status


@pytest.mark.parametrize(("p0", "status"), [(0.1, "unsupported"), (0.101, "contradicted")])
def test_evidence_that_does_not_lower_a_claim_does_not_oppose_it(p0: float, status: str) -> None:
    assert decide(estimate(p0), estimate(0.1), 0.9, RULES).status == status


@pytest.mark.parametrize(("p1", "status"), [(0.499, "unsupported"), (0.5, "grounded")])
def test_a_claim_at_the_threshold_is_supported(p1: float, status: str) -> None:
    assert decide(estimate(0.1), estimate(p1), 0.9, RULES).status == status


@pytest.mark.parametrize(
    ("p0", "p1", "reason"),
    [
        (0.75, 0.8, "prior_known"),
        (0.749, 0.8, "supported"),
        (0.8, 0.8, "prior_known"),
        (0.81, 0.8, "supported"),
    ],
)
def test_what_is_likely_without_evidence_is_known_before_unless_the_evidence_lowers_it(
    p0: float, p1: float, reason: str
) -> None:
    assert decide(estimate(p0), estimate(p1), 0.75, KNOWING) == ("grounded", reason)


@pytest.mark.parametrize("p0", [0.75, 0.9, 0.99])
def test_a_judge_without_knowledge_of_its_own_knows_nothing_before(p0: float) -> None:
    """[RULINGS second edition] S4 (b): its p0 at the target and above is noise."""
    assert decide(estimate(p0), estimate(0.99), 0.75, RULES) == ("grounded", "supported")


def test_a_target_of_certainty_can_be_met() -> None:
    """The target is clamped as the estimates are."""
    assert decide(estimate(1), estimate(1), 1.0, KNOWING).reason == "prior_known"


CALIBRATED = judge_calibration().support.refute_threshold


@pytest.mark.parametrize(
    ("least", "refute", "status"),
    [
        (0.7, 0.69, "unsupported"),
        (0.7, 0.7, "contradicted"),
        (None, CALIBRATED - 0.001, "unsupported"),
        (None, CALIBRATED, "contradicted"),
    ],
)
def test_an_engine_opposes_from_its_threshold_on(
    least: float | None, refute: float, status: str
) -> None:
    """The one that is set, or else the calibrated one of the embedded judge."""
    opposed = Estimate(p=0.05, refute=refute)
    rules = Rules(0.5, refute_threshold=least)
    assert decide(estimate(0.02), opposed, 0.75, rules).status == status


def test_an_engine_that_says_opposed_and_likely_at_once_does_not_oppose() -> None:
    assert decide(estimate(0.3), Estimate(p=0.21, refute=0.9), 0.75, RULES).status == "unsupported"


def test_the_refutation_counts_with_an_interval_and_in_its_middle_alike() -> None:
    silent = Estimate(p=0.05, refute=0.1, interval=Interval(low=0.02, high=0.1))
    middle = RULES._replace(on_interval="middle")
    for rules in (RULES, middle):
        assert decide(estimate(0.3), silent, 0.75, rules).status == "unsupported"
        assert decide(estimate(0.2, 0.05, 0.3), silent, 0.75, rules).status == "unsupported"


def test_without_a_word_about_it_the_ends_of_an_interval_are_looked_at() -> None:
    assert Rules(threshold=0.5) == Rules(0.5, None, "unverifiable", has_knowledge=False)


def test_where_it_cannot_be_told_whether_a_claim_is_opposed_it_is_unsupported() -> None:
    """[RULINGS second edition] S4 (a): only p1 across the threshold leaves a claim open."""
    wide_p0 = decide(estimate(0.15, 0.05, 0.3), estimate(0.1), 0.75, RULES)
    wide_p1 = decide(estimate(0.9), estimate(0.0, 0.0, 0.43), 0.75, RULES)
    refuted = Estimate(p=0.0, refute=1.0, interval=Interval(low=0.0, high=0.43))
    assert wide_p0 == wide_p1 == ("unsupported", "not_in_evidence")
    assert decide(estimate(0.9), refuted, 0.75, RULES).status == "unsupported"


def test_an_interval_that_is_low_enough_at_both_ends_opposes() -> None:
    low = estimate(0.05, 0.0, 0.2)
    assert decide(estimate(0.5, 0.3, 0.7), low, 0.75, RULES).status == "contradicted"
    assert decide(estimate(0.5, 0.2, 0.7), low, 0.75, RULES).status == "unsupported"


@pytest.mark.parametrize(
    ("low", "high", "status"),
    [
        (0.5, 1.0, "grounded"),
        (0.499, 1.0, "unverifiable"),
        (0.0, 0.5, "unverifiable"),
        (0.0, 0.499, "unsupported"),
    ],
)
def test_supported_or_not_is_decided_by_p1_alone(low: float, high: float, status: str) -> None:
    """Whatever p0 is known to be."""
    p1 = estimate((low + high) / 2, low, high)
    for p0 in (estimate(0.02), estimate(0.5, 0.0, 1.0), estimate(0.15)):
        assert decide(p0, p1, 0.75, RULES).status == status


@given(p0=probabilities, p1=probabilities, target=probabilities, threshold=st.floats(0.01, 0.99))
def test_nothing_below_the_threshold_is_grounded(
    p0: float, p1: float, target: float, threshold: float
) -> None:
    status = decide(estimate(p0), estimate(p1), target, Rules(threshold)).status
    if status == "grounded":
        assert max(0.01, min(0.99, p1)) >= threshold


def mismatch(kind: CheckKind, relation: str, claimed: str, found: str) -> Check:
    quote = Quote(doc_id="a", quote=found, start=0, end=len(found))
    return Check.model_validate(
        {"kind": kind, "claimed": claimed, "relation": relation, "found": found, "quote": quote}
    )


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("supported", "The evidence supports this."),
        ("prior_known", "Likely true with and without this evidence."),
        ("overconfident", "Supported, but stated more surely than the evidence justifies."),
        ("miscited", "Supported, but not by what it cites."),
        ("refuted", "The evidence says otherwise."),
        ("not_in_evidence", "No sentence of the evidence was found to say this."),
        ("no_evidence", "There was no evidence to test this against."),
        ("language", "The judge was not calibrated for this language."),
        ("uncertain", "The judge's estimate is too wide to decide."),
        ("backend_error", "The judge failed."),
    ],
)
def test_every_reason_has_its_sentence(reason: Reason, sentence: str) -> None:
    assert explain(reason) == sentence


def test_a_mismatch_is_explained_by_the_values_that_differ() -> None:
    """The check of the kind that decided, and only one that contradicted."""
    checks = [
        mismatch("number", "confirmed", "5 m", "5 m"),
        mismatch("date", "contradicted", "May", "June"),
        mismatch("number", "contradicted", "7 m", "9 m"),
    ]
    said = explain("number_mismatch", checks)
    assert said == 'It says "7 m"; the evidence says "9 m".'
    assert explain("supported", checks) == "The evidence supports this."


def test_citations_that_lead_nowhere_are_named_once_each() -> None:
    place = Span(start=0, end=3)
    cited = [
        Citation(marker="[2]", span=place, target="2"),
        Citation(marker="[1]", span=place, target="1", doc_id="a"),
        Citation(marker="[3]", span=place, target="3"),
        Citation(marker="[2]", span=place, target="2"),
    ]
    assert explain("phantom_citation", (), cited) == (
        "It cites [2], [3], which leads to no evidence."
    )
