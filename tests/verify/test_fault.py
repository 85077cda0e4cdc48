"""When an assertion of a step is said to be wrong or invented."""

from groundwire.encoder import judge_calibration
from groundwire.judge import CLAMP
from groundwire.model import ClaimResult, VerifierInfo
from groundwire.verify._fault import fault_of, signs_of

BEFORE = ("The tug Brise left the quay at 07:10.", "Her crew of four slept aboard.")


def result(claim: str, p1: float, p0: float = 0.1) -> ClaimResult:
    return ClaimResult(
        claim=claim,
        status="unsupported",
        flagged=True,
        reason="not_in_evidence",
        message="",
        p0=p0,
        p1=p1,
        target=0.75,
        clamp=CLAMP,
        verifier=VerifierInfo(backend="embedded", ran=True),
    )


def fault(claim: str, p1: float, *new: str) -> float:
    return fault_of(signs_of(result(claim, p1), BEFORE, frozenset(new), is_drawn=False))


def test_an_invention_in_new_words_is_a_fault() -> None:
    """What nothing before it speaks of, and the judge does not believe, nobody said."""
    said = fault("The harbour master fined the owner for a leaking gearbox.", 0.01, "gearbox")
    assert said >= judge_calibration().steps.threshold


def test_what_the_judge_half_believes_in_known_words_is_none() -> None:
    """In doubt a step is left open."""
    assert fault("The crew of the Brise slept aboard.", 0.5) < judge_calibration().steps.threshold


def test_a_date_that_nothing_gives_makes_a_fault_likelier() -> None:
    """07:40 is no 07:10, though all other words are the same."""
    given, other = "The tug Brise left the quay at 07:10.", "The tug Brise left the quay at 07:40."
    assert fault(other, 0.05) > fault(given, 0.05)


def test_a_denial_is_doubted_less() -> None:
    """What is not said to be so may be concluded from silence."""
    assert fault("The crew did not sleep ashore.", 0.05) < fault("The crew slept ashore.", 0.05)
