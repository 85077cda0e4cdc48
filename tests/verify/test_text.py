"""Whatever a text and its evidence are, the report is whole."""

from collections.abc import Sequence

import anyio
from hypothesis import given, settings, strategies as st

from groundwire.errors import BackendError
from groundwire.judge import CachedJudge, Estimate, Evidence, Question
from groundwire.judge._protocol import Backend
from groundwire.model import CheckReport, EvidenceBundle
from groundwire.verify import ClaimVerifier, Rules, Standard, verify_text

WORDS = st.sampled_from(
    [
        *"the mast is was 40 m high in Vik and it opened 1990 . ? ! [1] [9] # - | \n".split(" "),
        *"“quoted” `code` ``` Please maybe 1,200 1.2k 12 % \u200b \u202e \x00 é 東京".split(" "),
    ]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=40).map(" ".join) | st.text(max_size=80)


class WordOverlap(Backend):
    """Believes what it has read."""

    name, context_words, threshold = "overlap", 60, 0.5

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [Estimate(p=_overlap(question)) for question in questions]


def _overlap(question: Question) -> float:
    words = set(question.claim.split())
    return len(words & set(question.context.split())) / max(1, len(words))


def report_on(text: str, documents: Sequence[str]) -> CheckReport:
    judge = CachedJudge(WordOverlap(), ttl_s=60)
    verifier = ClaimVerifier(judge, Rules(threshold=0.5), Standard())
    bundles = [EvidenceBundle.of(one, str(number)) for number, one in enumerate(documents, 1)]

    async def run() -> CheckReport:
        return await verify_text(text, Evidence(bundles), verifier, request_id="r", max_claims=500)

    return anyio.run(run)


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, documents=st.lists(TEXTS, max_size=3))
def test_every_report_is_whole_and_its_spans_reproduce_the_text(
    text: str, documents: list[str]
) -> None:
    report = report_on(text, documents)
    summary = report.summary
    assert summary.claims == len(report.claims)
    assert summary.claims == (
        summary.grounded + summary.unsupported + summary.contradicted + summary.unverifiable
    )
    assert (report.mode == "ANSWER") == (summary.claims > summary.unverifiable)
    for excluded in report.excluded:
        assert excluded.source.of(text) == excluded.content
    for result in report.claims:
        assert result.span is not None
        assert result.span.of(text).strip()
        assert result.status == "unverifiable" or result.verifier.ran
        assert 0 <= (result.adjusted_confidence or 0) <= (result.stated_confidence or result.target)
        for quote in result.evidence:
            assert documents[int(quote.doc_id) - 1][quote.start : quote.end] == quote.quote


def test_an_empty_world_grounds_nothing() -> None:
    report = report_on("The mast is 40 m high.", [])
    assert (report.mode, report.reason) == ("ABSTAIN", "no_evidence")
    assert "There was no evidence" in report.message
