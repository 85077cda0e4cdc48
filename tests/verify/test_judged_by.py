"""A verdict says which of a judge's engines it rests on."""

from collections.abc import Callable, Sequence

import pytest

from groundwire.errors import BackendError
from groundwire.judge import Backend, CachedJudge, Estimate, Evidence, Question
from groundwire.model import Claim, EvidenceBundle, Span
from groundwire.verify import ClaimVerifier, Rules, Standard

pytestmark = pytest.mark.anyio

TEXT = "The bridge opened in 1990. It has four lanes."
CLAIM = "The bridge has four lanes."
DEEP = Estimate(p=0.9, judged_by="cascade(deep)")
MAKESHIFT = Estimate(p=0.5, judged_by="cascade(fast)", degraded=True)


class Tiers(Backend):
    name = "cascade"
    context_words = 230
    threshold = 0.4

    def __init__(self, judge: Callable[[Question], Estimate]) -> None:
        self._judge = judge

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [self._judge(question) for question in questions]


async def backend_of(judge: Callable[[Question], Estimate]) -> str:
    verifier = ClaimVerifier(CachedJudge(Tiers(judge), ttl_s=60), Rules(threshold=0.4), Standard())
    claim = Claim(content=CLAIM, source=Span(start=0, end=len(CLAIM)))
    (result,) = await verifier.verify([claim], Evidence([EvidenceBundle.of(TEXT, "d")]))
    return result.verifier.backend


async def test_the_engine_that_judged_is_named() -> None:
    assert await backend_of(lambda _: DEEP) == "cascade(deep)"


async def test_a_judge_with_one_engine_is_named_itself() -> None:
    assert await backend_of(lambda _: Estimate(p=0.9)) == "cascade"


async def test_a_makeshift_answer_to_either_question_shows() -> None:
    def without_support(question: Question) -> Estimate:
        return DEEP if "four lanes" in question.context else MAKESHIFT

    assert await backend_of(without_support) == "cascade(fast)"
