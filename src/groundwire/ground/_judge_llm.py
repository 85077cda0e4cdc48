"""A language model as edge judge, held to the schema by its provider [S1 step 3]."""

from collections.abc import Sequence

from groundwire.errors import BackendUnsupported, MissingExtra
from groundwire.ground._prompt import EdgePrompts
from groundwire.ground._types import (
    AdversarialVerdict,
    EdgeJudge,
    Hypothesis,
    LoopState,
    Passage,
    VerificationVerdict,
)
from groundwire.llm import LLMClient
from groundwire.observe import Log, metrics

_log = Log("grounding")


class LLMEdgeJudge:
    """Native schema only: a verdict parsed out of prose is no verdict."""

    name = "llm"

    def __init__(
        self, client: LLMClient, prompts: EdgePrompts, *, model: str | None, context_words: int
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._model = model
        self._context_words = context_words

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        passages = self._within(list(state.passages.values()))
        prompt = self._prompts.judge(hypothesis, passages, state.asked)
        answer = await self._client.generate_structured_native(
            prompt, VerificationVerdict, model=self._model, temperature=0.0
        )
        return answer.value

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        prompt = self._prompts.adversary(hypothesis, self._within(passages))
        answer = await self._client.generate_structured_native(
            prompt, AdversarialVerdict, model=self._model, temperature=0.0
        )
        return answer.value

    def _within(self, passages: Sequence[Passage]) -> list[Passage]:
        """The newest passages that fit: a refined search found them for a reason."""
        kept: list[Passage] = []
        room = self._context_words
        for passage in reversed(passages):
            room -= len(passage.bundle.content.split())
            if room < 0 and kept:
                break
            kept.insert(0, passage)
        return kept


class FallingBackJudge:
    """Where a model cannot be held to a schema, the embedded judge decides [RULINGS, S1].

    Without that one either, the refusal stands and the edge remains a draft.
    """

    def __init__(self, first: EdgeJudge, second: EdgeJudge) -> None:
        self._first: EdgeJudge | None = first
        self._second = second
        self.name = first.name

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        if self._first is not None:
            try:
                return await self._first.judge(hypothesis, state)
            except BackendUnsupported as error:
                self._give_up(error)
        return await self._by_second(hypothesis, state)

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        return await (self._first or self._second).attack(hypothesis, passages)

    async def _by_second(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        try:
            return await self._second.judge(hypothesis, state)
        except MissingExtra as error:
            raise BackendUnsupported(str(error), capability="native_schema") from error

    def _give_up(self, error: BackendUnsupported) -> None:
        metrics().count("judge_fallback_total", backend=self.name, reason=error.capability)
        _log.warn("edge_judge_fallback", error=str(error), to=self._second.name)
        self._first = None
        self.name = self._second.name
