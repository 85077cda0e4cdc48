"""Which of the sentences that were judged alone are quoted."""

from groundwire.claims import read_claim
from groundwire.judge import Estimate, Evidence, Judged
from groundwire.model import EvidenceBundle
from groundwire.verify._case import Case
from groundwire.verify._decide import Rules
from groundwire.verify._quotes import _Search

TEXT = "The mill stood still in spring. The year before it did not. A belt had torn."


def quoted(*judged: tuple[tuple[int, ...], float]) -> tuple[tuple[int, ...], bool]:
    evidence = Evidence([EvidenceBundle.of(TEXT, "mill")])
    claim = read_claim("The mill stood still in spring, unlike the year before.")
    case = Case(claim, evidence, 400, scope=None)
    case.p1 = Judged(Estimate(p=0.8), cached=False)
    search = _Search(case, Rules(threshold=0.5))
    for places, p in judged:
        search.take(places, Judged(Estimate(p=p), cached=False))
    search.settle()
    return case.quoted, search.is_sure


def test_the_fewest_sentences_that_decide_are_quoted() -> None:
    assert quoted(((0,), 0.6), ((1,), 0.2), ((0, 1), 0.9)) == ((0,), True)


def test_of_as_many_sentences_the_surest_are_quoted() -> None:
    assert quoted(((0,), 0.6), ((1,), 0.7)) == ((1,), True)


def test_what_decides_comes_before_fewer_sentences_that_nearly_do() -> None:
    assert quoted(((0,), 0.45), ((0, 1), 0.43), ((0, 1, 2), 0.6)) == ((0, 1, 2), True)


def test_where_none_decides_the_surest_that_nearly_does_is_quoted() -> None:
    assert quoted(((0,), 0.42), ((0, 1), 0.48)) == ((0, 1), False)


def test_what_is_far_from_deciding_is_not_quoted() -> None:
    assert quoted(((0,), 0.3), ((0, 1), 0.2)) == ((), False)


def test_what_was_said_before_the_claim_is_quoted_with_it() -> None:
    """ "It" may be the mill or the belt, so the sentence before is judged, and shown, with it."""
    evidence = Evidence([EvidenceBundle.of(TEXT, "mill")])
    claim = read_claim("It had torn.").model_copy(update={"preceding": "The mill stood still."})
    assert Case(claim, evidence, 400, scope=None).after(2) == (0, 2)
    alone = read_claim("A belt had torn.")
    assert Case(alone, evidence, 400, scope=None).after(2) == (2,)
