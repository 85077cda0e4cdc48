"""The grounding loop: retrieve, judge, refine, retrieve again; grounded or rejected [S1]."""

from collections.abc import Callable, Sequence

from groundwire.config import VerificationConfig
from groundwire.errors import BackendError, EvidenceError
from groundwire.ground._belief import Acceptance
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._outcome import attacked, grounded, rejected, undetermined
from groundwire.ground._retriever import Retriever, normal_form, refinement
from groundwire.ground._types import (
    EdgeJudge,
    EdgeOutcome,
    Hypothesis,
    LoopState,
    VerificationVerdict,
)
from groundwire.judge import together
from groundwire.observe import Log, metrics, span

EDGES_IN_FLIGHT = 16
"""More edges at once would only wait for the model's limiter, or for the same two cores."""

_log = Log("grounding")
OnDone = Callable[[EdgeOutcome], None]


class VerificationAgent:
    """Verifies edges, many at once; how many model calls are under way the client decides."""

    def __init__(
        self,
        retriever: Retriever,
        judge: EdgeJudge,
        reader: EdgeReader,
        settings: VerificationConfig,
    ) -> None:
        self._retriever = retriever
        self._judge = judge
        self._reader = reader
        self._settings = settings
        self._acceptance = Acceptance(reader, settings.grounding_confidence_threshold)

    async def verify_all_edges(
        self, hypotheses: Sequence[Hypothesis], on_done: OnDone | None = None
    ) -> list[EdgeOutcome]:
        """In the order given. `on_done` hears of each outcome as soon as it is there."""
        waiting = iter(enumerate(hypotheses))
        done: dict[int, EdgeOutcome] = {}

        async def work() -> None:
            for place, hypothesis in waiting:
                done[place] = await self.verify_edge(hypothesis)
                if on_done is not None:
                    on_done(done[place])

        workers = min(EDGES_IN_FLIGHT, len(hypotheses))
        await together(work() for _ in range(workers))
        return [done[place] for place in range(len(hypotheses))]

    async def verify_edge(self, hypothesis: Hypothesis) -> EdgeOutcome:
        state = LoopState(max_iterations=self._settings.max_judge_iterations)
        state.collect(self._reader.stated(hypothesis))
        with span("grounding.edge", edge=hypothesis.edge.id):
            try:
                accepted = await self._loop(hypothesis, state)
            except EvidenceError as error:
                return undetermined(hypothesis, state, "evidence_unavailable", error, self._judge)
            except BackendError as error:
                return undetermined(hypothesis, state, error.code, error, self._judge)
            settled = grounded if accepted else rejected
            outcome = settled(hypothesis, state, self._reader, self._judge)
            is_strong = outcome.edge.evidence_strength == "strong"
            if is_strong and self._settings.enable_adversarial_pass:
                outcome = await self._attacked(hypothesis, state, outcome)
        return outcome

    async def _loop(self, hypothesis: Hypothesis, state: LoopState) -> bool:
        query: str | None = None
        while state.iteration < state.max_iterations:
            state.iteration += 1
            verdict = await self._iteration(hypothesis, state, query)
            state.verdicts.append(verdict)
            if verdict.is_grounded:
                return True
            query = verdict.suggested_refinement_query
            if not query or not query.strip():
                return False
            if normal_form(query) in state.attempted_queries:
                state.verdicts.append(_exhausted(verdict))
                return False
        return False

    async def _iteration(
        self, hypothesis: Hypothesis, state: LoopState, query: str | None
    ) -> VerificationVerdict:
        with span(
            "grounding.iteration", edge=hypothesis.edge.id, iteration=state.iteration
        ) as open_:
            queries, found = await self._retriever.retrieve(hypothesis, query)
            state.asked += queries
            state.attempted_queries.update(normal_form(one) for one in queries)
            state.collect(found)
            open_.set_attribute("attempted_queries", sorted(state.attempted_queries))
            open_.set_attribute("passages", len(state.passages))
            if state.passages:
                judged = await self._judge.judge(hypothesis, state)
                verdict = self._acceptance.checked(judged, hypothesis, state)
            else:
                verdict = _no_evidence(hypothesis, state)
            open_.set_attribute("is_grounded", verdict.is_grounded)
            metrics().count("grounding_iterations_total")
        return verdict

    async def _attacked(
        self, hypothesis: Hypothesis, state: LoopState, outcome: EdgeOutcome
    ) -> EdgeOutcome:
        """An attack that could not be made leaves the edge as it is, and says so."""
        with span("grounding.adversary", edge=hypothesis.edge.id):
            try:
                verdict = await self._judge.attack(hypothesis, list(state.passages.values()))
            except BackendError as error:
                _log.warn("adversary_unavailable", edge=hypothesis.edge.id, error=str(error))
                return outcome
        return attacked(hypothesis, outcome, verdict)


def _exhausted(verdict: VerificationVerdict) -> VerificationVerdict:
    return verdict.model_copy(
        update={
            "is_grounded": False,
            "rejection_reason": "exhausted_refinements",
            "suggested_refinement_query": None,
        }
    )


def _no_evidence(hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
    """Finding nothing is an iteration, and the next one asks in other words [RULINGS, S1]."""
    return VerificationVerdict(
        is_grounded=False,
        support_type="irrelevant",
        rejection_reason="no_evidence",
        confidence=0.5,
        suggested_refinement_query=refinement(hypothesis, state.attempted_queries),
    )
