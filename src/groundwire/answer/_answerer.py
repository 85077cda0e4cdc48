"""A question becomes an answer with its sources, a choice, or an abstention [S3]."""

import time
from collections.abc import Sequence
from dataclasses import replace

from anyio.to_thread import run_sync

from groundwire.answer._documents import Documents
from groundwire.answer._draft import (
    Drafter,
    DraftVerifier,
    LLMDrafter,
    Verified,
    supported_part,
)
from groundwire.answer._follow_up import Meant, follow_up
from groundwire.answer._library import Finding, cited
from groundwire.answer._route import Plan
from groundwire.config import AnswerSection, Config, thresholds_of
from groundwire.errors import ConfigError, GroundwireError, InputError
from groundwire.evidence import (
    Embedder,
    Index,
    Searcher,
    index_path,
    make_breaker,
    make_embedder,
    search_flags,
)
from groundwire.llm import Clients
from groundwire.model import (
    Action,
    Answer,
    AnswerKind,
    AnswerSource,
    RetrievalQuality,
    TermReport,
    TransparencyStatement,
    Turn,
)
from groundwire.observe import Log, Metrics, RequestContext, metrics, request, span
from groundwire.terms import Terminology, has_vocabulary, open_terminology

TERM_ROUTE = "skosmos"
MAX_QUESTION_CHARS = 100_000
_LOGGED_CHARS = 200

_log = Log("router")


class Answerer:
    """Definitions come from the vocabulary, everything else from documents, nothing from memory.

    Without `documents` only terms are answered, without `terminology` only documents are asked.
    A `drafter` needs a `verifier`: unverified words of a model are never shown.
    """

    def __init__(
        self,
        documents: Documents | None,
        terminology: Terminology | None,
        settings: AnswerSection,
        *,
        drafter: Drafter | None = None,
        verifier: DraftVerifier | None = None,
        counted: Metrics | None = None,
        absent: str = "There is no index of documents.",
    ) -> None:
        self._documents = documents
        self._terminology = terminology
        self._settings = settings
        self._drafter = drafter if verifier is not None else None
        self._verifier = verifier
        self._metrics = counted or metrics()
        self._absent = absent

    async def aclose(self) -> None:
        if isinstance(self._drafter, LLMDrafter):
            await self._drafter.aclose()
        await run_sync(self.close)

    def close(self) -> None:
        if self._terminology is not None:
            self._terminology.close()
        if self._documents is not None:
            self._documents.library.index.close()

    async def ask(
        self, question: str, *, choice: str | None = None, history: Sequence[Turn] = ()
    ) -> Answer:
        """`choice` is the id of something that was suggested for this question; `history` is
        what was asked before, so that "and ADR 12?" or "why?" can be understood."""
        _check(question)
        meant = self._meant(question, history) if choice is None else None
        if meant is not None:
            answer = await self._asked(meant.question, meant.choice)
            note = f"Understood as: {meant.question}"
            return answer.model_copy(update={"observations": (note, *answer.observations)})
        return await self._asked(question, choice)

    def _meant(self, question: str, history: Sequence[Turn]) -> Meant | None:
        if self._documents is None or not history:
            return None
        return follow_up(question, history, self._documents.labels(), self._documents.is_title)

    async def _asked(self, question: str, choice: str | None) -> Answer:
        started_s = time.perf_counter()
        with request() as context, span("groundwire.ask"):
            plan = await self._plan(question)
            context.route = "direct" if len(plan.collections) == 1 else "tree"
            _log.info("request_start", query=question[:_LOGGED_CHARS])
            answer = await self._answer(plan, choice, context)
            self._count(answer)
            _log.info(
                "request_complete",
                mode=answer.mode,
                reason=answer.reason,
                kind=answer.kind,
                confidence=answer.retrieval_quality.confidence_score,
                total_ms=round((time.perf_counter() - started_s) * 1000, 1),
            )
            return answer

    async def _plan(self, question: str) -> Plan:
        if self._documents is None:
            return Plan(question, "semantic")
        return await run_sync(self._documents.plan, question)

    async def _answer(self, plan: Plan, choice: str | None, context: RequestContext) -> Answer:
        if choice is not None:
            return await self._chosen(plan, choice, context)
        if self._terminology is not None:
            term = await run_sync(self._terminology.recognise, plan.question)
            if term is not None:
                report = await run_sync(self._terminology.define, term)
                return await self._defined(report, context)
            also = await run_sync(self._terminology.also, plan.question)
            plan = replace(plan, also=also)
        finding = await self._asked_of_documents(plan)
        return _finished(plan.kind, plan.target_route, finding, context)

    async def _chosen(self, plan: Plan, choice: str, context: RequestContext) -> Answer:
        if self._documents is not None:
            finding = await run_sync(self._documents.about, choice, plan)
            if finding is not None:
                return _finished("entity", plan.target_route, finding, context)
        if self._terminology is None or ":" not in choice:
            raise InputError(
                f"There is no document or term with the id {choice!r}.",
                hint="Take an id from the suggestions.",
            )
        return await self._defined(await run_sync(self._terminology.pick, choice), context)

    async def _defined(self, report: TermReport, context: RequestContext) -> Answer:
        answer = _from_term(report, context)
        if report.outcome != "not_found" or self._documents is None:
            return answer
        mentions = await run_sync(self._documents.mentioning, report.term)
        return answer.model_copy(update={"suggestions": (*answer.suggestions, *mentions)})

    async def _asked_of_documents(self, plan: Plan) -> Finding:
        if self._documents is None:
            raise InputError(self._absent, hint="Build one with: gw index PATH")
        finding = await run_sync(self._documents.answer, plan)
        if self._drafter is None or finding.mode != "ANSWER" or not finding.evidence:
            return finding
        return await self._drafted(plan, finding)

    async def _drafted(self, plan: Plan, finding: Finding) -> Finding:
        """A model's words where they hold; the quotes, where it fails or nothing holds."""
        assert self._drafter is not None  # noqa: S101 - the caller looked
        assert self._verifier is not None  # noqa: S101 - there is no drafter without one
        try:
            draft = await self._drafter.draft(plan.question, finding.evidence)
            if draft is None:
                return _model_found_nothing(finding)
            report = await self._verifier(draft, finding.evidence)
        except GroundwireError as error:
            _log.warn("draft_failed", error=str(error), code=error.code)
            return _noted(finding, f"These are quotes: no draft could be verified ({error.code}).")
        held = supported_part(draft, report, self._settings.unsupported)
        _log.info("draft_verified", kept=held.kept, refused=held.refused)
        if not held.kept:
            return _noted(finding, "These are quotes: nothing a model wrote was supported.")
        return self._worded(finding, held, self._drafter.model)

    def _worded(self, finding: Finding, held: Verified, model: str) -> Finding:
        treated = "marked" if self._settings.unsupported == "mark" else "left out"
        some = "1 sentence" if held.refused == 1 else f"{held.refused} sentences"
        refused = f"Not supported, and {treated}: {some} of the draft."
        note = (refused,) if held.refused else ()
        return replace(
            finding,
            message=f"Written by {model}; every sentence was verified against its sources.",
            text=held.text,
            sources=tuple(self._sources(held)) or finding.sources,
            observations=(*note, *finding.observations),
            drafted_by=model,
        )

    def _sources(self, held: Verified) -> list[AnswerSource]:
        assert self._documents is not None  # noqa: S101 - a draft is made from documents
        found = [(self._documents.library.by_id(quote.doc_id), quote) for quote in held.quotes]
        return [cited(document, quote.quote, quote.start) for document, quote in found if document]

    def _count(self, answer: Answer) -> None:
        """Terms count their own outcomes."""
        if answer.reason is not None and answer.kind != "term":
            kind = "clarification" if answer.mode == "CLARIFY" else "abstention"
            self._metrics.count(f"rag_{kind}_total", reason=answer.reason)


def _check(question: str) -> None:
    if not question.strip():
        raise InputError("There is no question.")
    if len(question) > MAX_QUESTION_CHARS:
        raise InputError(
            f"A question of {len(question):,} characters is longer than {MAX_QUESTION_CHARS:,}.",
            hint="Ask in fewer words.",
        )


def _finished(kind: AnswerKind, route: str, finding: Finding, context: RequestContext) -> Answer:
    quality = RetrievalQuality.from_retrieval(
        finding.base_score, _degraded_by(kind, finding, context)
    )
    return Answer(
        mode=finding.mode,
        answer=_with_notes(finding.text, finding.observations),
        sources=finding.sources,
        retrieval_quality=quality,
        transparency=TransparencyStatement.from_quality(quality),
        reason=finding.reason,
        message=finding.message,
        observations=finding.observations,
        missing_knowledge=finding.missing,
        coverage=finding.coverage,
        suggestions=finding.suggestions,
        action=Action(next_step=finding.next_step) if finding.next_step else None,
        kind=kind,
        target_route=route,
        drafted_by=finding.drafted_by,
        request_id=context.request_id,
    )


def _degraded_by(kind: AnswerKind, finding: Finding, context: RequestContext) -> Sequence[str]:
    """Only what made this answer worse: not a vocabulary that documents were not asked of, nor an
    embedder that a list does without."""
    if kind == "term":
        return context.fallback_flags
    return () if finding.is_stated else search_flags(context)


def _from_term(report: TermReport, context: RequestContext) -> Answer:
    deprecated = any(concept.deprecated for concept in report.concepts[:1])
    finding = Finding(
        mode=report.mode,
        message=report.message,
        base_score=0.0 if report.mode == "ABSTAIN" else 1.0,
        text=report.definition and f"{report.definition} [1]",
        sources=tuple(AnswerSource(**source.model_dump()) for source in report.sources),
        reason=report.reason,
        observations=(*report.observations, *((report.message,) if deprecated else ())),
        missing=report.missing_knowledge,
        suggestions=report.suggestions,
        coverage=report.coverage,
    )
    answer = _finished("term", TERM_ROUTE, finding, context)
    return answer.model_copy(update={"action": report.action})


def _with_notes(text: str | None, notes: Sequence[str]) -> str | None:
    """Whoever reads the answer alone must not miss that a document no longer holds."""
    if text is None or not notes:
        return text
    return "\n\n".join([text, "\n".join(f"Note: {note}" for note in notes)])


def _noted(finding: Finding, note: str) -> Finding:
    return replace(finding, observations=(note, *finding.observations))


def _model_found_nothing(finding: Finding) -> Finding:
    return Finding(
        mode="ABSTAIN",
        reason="not_in_evidence",
        message="The passages that were found do not answer this question.",
        missing=("a passage that answers the question",),
        observations=tuple(f"Found: “{source.quote}”" for source in finding.sources),
        next_step="REPHRASE_OR_ADD_DOCUMENTS",
        coverage=finding.coverage,
    )


def open_answerer(
    config: Config,
    *,
    terminology: Terminology | None = None,
    clients: Clients | None = None,
    embedder: Embedder | None = None,
    verifier: DraftVerifier | None = None,
) -> Answerer:
    """What is not given is made by the settings.

    A missing index is no error until documents are asked for; no file is made for it.
    """
    path = index_path(config)
    if terminology is None and has_vocabulary(config):
        terminology = open_terminology(config)
    return Answerer(
        _documents(config, embedder) if path.exists() else None,
        terminology,
        config.answer,
        drafter=_drafter(config, clients or Clients(config)),
        verifier=verifier,
        absent=f"There is no index at {path}.",
    )


def _documents(config: Config, embedder: Embedder | None) -> Documents:
    index = Index(index_path(config))
    searcher = Searcher(
        index,
        thresholds=thresholds_of(config.evidence),
        embedder=embedder or make_embedder(config.evidence),
        breaker=make_breaker(config),
    )
    return Documents(index, searcher, config)


def _drafter(config: Config, clients: Clients) -> Drafter | None:
    wanted = config.answer.drafting
    if wanted == "quotes" or (wanted == "auto" and not clients.has_model):
        return None
    if not clients.has_model:
        raise ConfigError("answer.drafting is llm, but no model is set.", hint="Set llm.model.")
    return LLMDrafter(clients.configured(), context_words=config.llm.context_words)
