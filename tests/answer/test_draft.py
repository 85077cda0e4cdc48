"""A model's words are shown only as far as each sentence holds."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.answer import Answerer, Documents, LLMDrafter
from groundwire.answer._draft import supported_part
from groundwire.config import AnswerSection, Config, load_config
from groundwire.engine import Engine
from groundwire.errors import BackendTimeout
from groundwire.llm import CallPolicy, LLMClient
from groundwire.model import (
    CheckReport,
    CheckSummary,
    ClaimResult,
    Clamp,
    EvidenceBundle,
    Quote,
    Span,
    Status,
    VerifierInfo,
)
from groundwire.testing import FailingModel, OpenAIServer, ScriptedModel

DRAFT = "Hello! TLS 1.3 is required [1]. TLS 1.1 is allowed too [2]. It may rain."


def claim(text: str, status: Status) -> ClaimResult:
    start = DRAFT.index(text)
    grounded = status == "grounded"
    return ClaimResult(
        claim=text,
        status=status,
        flagged=not grounded,
        reason="supported" if grounded else "not_in_evidence",
        message="",
        target=0.75,
        clamp=Clamp(low=0.01, high=0.99),
        span=Span(start=start, end=start + len(text)),
        evidence=(Quote(doc_id="a.md", quote="TLS 1.3", start=3, end=10),) if grounded else (),
        verifier=VerifierInfo(backend="told", ran=True),
    )


def report(*claims: ClaimResult) -> CheckReport:
    summary = CheckSummary(
        claims=len(claims),
        grounded=0,
        unsupported=0,
        contradicted=0,
        unverifiable=0,
        flagged=0,
        phantom_citations=0,
        excluded=0,
    )
    return CheckReport(
        mode="ANSWER", message="", claims=claims, summary=summary, request_id="req-1"
    )


VERDICTS = report(
    claim("TLS 1.3 is required", "grounded"), claim("TLS 1.1 is allowed too", "contradicted")
)


def test_only_sentences_whose_claims_are_all_grounded_are_kept() -> None:
    held = supported_part(DRAFT, VERDICTS, "cut")
    assert held.text == "TLS 1.3 is required. [1]"
    assert (held.kept, held.refused) == (1, 3)
    assert [quote.doc_id for quote in held.quotes] == ["a.md"]


def test_the_others_can_be_marked_instead() -> None:
    held = supported_part(DRAFT, VERDICTS, "mark")
    assert "TLS 1.1 is allowed too. [unsupported]" in held.text
    assert "TLS 1.3 is required. [1]" in held.text
    assert held.text.count("[unsupported]") == 3


@pytest.mark.parametrize("status", ["unsupported", "contradicted", "unverifiable"])
def test_a_sentence_with_one_claim_that_does_not_hold_goes(status: Status) -> None:
    both = report(claim("TLS 1.3", "grounded"), claim("is required", status))
    assert supported_part(DRAFT, both, "cut").kept == 0


async def approving(text: str, bundles: Sequence[EvidenceBundle]) -> CheckReport:
    del text, bundles
    return VERDICTS


def answerer(documents: Documents, model: ScriptedModel | FailingModel) -> Answerer:
    client = LLMClient(model, policy=CallPolicy(max_retries=0))
    drafter = LLMDrafter(client, context_words=500)
    return Answerer(documents, None, AnswerSection(), drafter=drafter, verifier=approving)


@pytest.mark.anyio
async def test_what_holds_of_a_draft_is_the_answer_and_its_model_is_named(
    by_words: Documents,
) -> None:
    model = ScriptedModel(DRAFT)
    answer = await answerer(by_words, model).ask("Which TLS version is allowed?")
    assert (answer.answer or "").startswith("TLS 1.3 is required. [1]")
    assert "TLS 1.1" not in (answer.answer or "")
    assert answer.drafted_by == "scripted-model"
    assert "Not supported, and left out: 3 sentences of the draft." in answer.observations


@pytest.mark.anyio
async def test_the_passages_stand_between_marks_nobody_can_guess(by_words: Documents) -> None:
    model = ScriptedModel(DRAFT)
    await answerer(by_words, model).ask("Which TLS version is allowed?")
    prompt = model.asked[0].prompt
    fence = prompt.split("<", 1)[1].split(">", 1)[0]
    assert fence.startswith("data-")
    assert prompt.count(f"<{fence}>") == 3
    assert "TLS 1.3 is the only version allowed" in prompt


@pytest.mark.anyio
async def test_a_model_that_fails_leaves_the_quotes(by_words: Documents) -> None:
    model = FailingModel(DRAFT, share=1.0)
    answer = await answerer(by_words, model).ask("Which TLS version is allowed?")
    assert answer.mode == "ANSWER"
    assert answer.drafted_by is None
    assert "TLS 1.3 is the only version allowed" in (answer.answer or "")
    assert answer.observations[0].startswith("These are quotes: no draft could be verified")


@pytest.mark.anyio
async def test_a_draft_of_which_nothing_holds_leaves_the_quotes(by_words: Documents) -> None:
    async def refusing(text: str, bundles: Sequence[EvidenceBundle]) -> CheckReport:
        del text, bundles
        return report()

    model = ScriptedModel("Frogs rule the grid. They do so at night.")
    drafter = LLMDrafter(LLMClient(model), context_words=500)
    made = Answerer(by_words, None, AnswerSection(), drafter=drafter, verifier=refusing)
    answer = await made.ask("Which TLS version is allowed?")
    assert answer.drafted_by is None
    assert "Frogs" not in (answer.answer or "")


@pytest.mark.anyio
async def test_a_verifier_that_fails_leaves_the_quotes(by_words: Documents) -> None:
    async def failing(text: str, bundles: Sequence[EvidenceBundle]) -> CheckReport:
        del text, bundles
        raise BackendTimeout("too slow")

    drafter = LLMDrafter(LLMClient(ScriptedModel(DRAFT)), context_words=500)
    made = Answerer(by_words, None, AnswerSection(), drafter=drafter, verifier=failing)
    answer = await made.ask("Which TLS version is allowed?")
    assert answer.drafted_by is None
    assert "(backend_timeout)" in answer.observations[0]


@pytest.mark.anyio
async def test_a_model_that_finds_no_answer_in_the_passages_is_believed(
    by_words: Documents,
) -> None:
    answer = await answerer(by_words, ScriptedModel("NO ANSWER")).ask("Which TLS is allowed?")
    assert (answer.mode, answer.reason) == ("ABSTAIN", "not_in_evidence")
    assert answer.observations


@pytest.mark.anyio
async def test_without_a_verifier_no_model_is_asked(by_words: Documents) -> None:
    model = ScriptedModel(DRAFT)
    drafter = LLMDrafter(LLMClient(model), context_words=500)
    answer = await Answerer(by_words, None, AnswerSection(), drafter=drafter).ask(
        "Which TLS version is allowed?"
    )
    assert answer.drafted_by is None
    assert model.asked == []


def test_from_end_to_end_the_embedded_judge_cuts_what_a_model_invented(
    halden_index: Path,
) -> None:
    draft = (
        "TLS 1.3 is the only version allowed for data in transit [1]. "
        "TLS 1.2 is switched off on 3 March 2031 for connections inside the company [1]."
    )
    with OpenAIServer(draft) as server, Engine(_config(halden_index, server.base_url)) as engine:
        answer = engine.ask_sync("Which TLS version is allowed?")
    assert answer.drafted_by == "some-model"
    assert (answer.answer or "").startswith("TLS 1.3 is the only version allowed")
    assert "2031" not in (answer.answer or "")
    assert answer.sources
    assert all(source.doc_type == "adr" for source in answer.sources)


def _config(index: Path, base_url: str) -> Config:
    overrides = {
        "evidence.index": str(index),
        "llm.provider": "openai",
        "llm.model": "some-model",
        "llm.base_url": base_url,
    }
    return load_config(overrides=overrides).config
