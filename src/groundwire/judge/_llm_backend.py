"""A language model as judge: `self` and `haiku` [SPEC-08.27]."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.config import Config
from groundwire.errors import BackendError, BackendUnsupported
from groundwire.guard import deadline
from groundwire.judge._canaries import CanaryWatch
from groundwire.judge._llm_calls import BatchJudge, Estimation, Sampling, SingleJudge
from groundwire.judge._prompt import Answers, Prompts
from groundwire.judge._protocol import Backend, Estimate, Question, languages_of, together
from groundwire.llm import Clients, LLMClient, judge_model
from groundwire.observe import span

UNCALIBRATED_THRESHOLD = 0.5


class LLMBackend(Backend):
    """Estimates by the answers of a language model.

    Claims about the same context share a prompt where the model can be held to a schema; those
    of a batch that went wrong are judged one by one. A failure costs only the claims it touched.
    Where it is sampled, `max_samples` may be drawn of a claim that `samples` leave open.
    `timeout_s` is what as many prompts may take as can be under way at once.
    `prompt_id` and `prompt_hash` say what was asked, for the record of every verdict;
    `edge_model` is the model that gives verdicts on causal edges.
    """

    has_knowledge = True

    def __init__(
        self,
        client: LLMClient,
        *,
        name: str = "self",
        answers: Answers = "yes_no",
        estimation: Estimation = "auto",
        samples: int = 5,
        max_samples: int | None = None,
        batch_size: int = 32,
        context_words: int = 2_000,
        threshold: float = 0.5,
        timeout_s: float = 30.0,
        canaries: bool = True,
        edge_model: str | None = None,
        address: str | None = None,
        languages: frozenset[str] | None = None,
    ) -> None:
        prompts = Prompts(answers)
        self.name = name
        self.context_words = context_words
        self.languages = languages
        self.threshold = threshold
        self.prompt_id = prompts.prompt_id
        self.prompt_hash = prompts.prompt_hash
        self.client = client
        asked = (client.provider.name, address or "", client.model, prompts.prompt_hash)
        self.model_id = " ".join((*asked, estimation, str(threshold)))
        self.edge_model = edge_model or client.model
        self.canaries = CanaryWatch(name)
        self._watch = self.canaries if canaries else None
        self._batch_size = self.claims_at_once = batch_size
        self._timeout_s = timeout_s
        sampling = Sampling(samples, max(samples, max_samples or 0), threshold)
        self._single = SingleJudge(
            client, prompts, name=name, estimation=estimation, sampling=sampling
        )
        self._batch = BatchJudge(
            client, prompts, self._single, self._watch, sampling=sampling, doubt=self._doubt
        )

    async def aclose(self) -> None:
        await self.client.aclose()

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers: list[Estimate | BackendError] = [BackendError("Not asked.")] * len(questions)

        async def answer(places: list[int]) -> None:
            group = [questions[place] for place in places]
            for place, found in zip(places, await self._judge_group(group), strict=True):
                answers[place] = found

        work = [answer(places) for places in self._groups(questions)]
        waves = math.ceil(len(work) * self._single.calls_each() / self.client.limiter.limit)
        attributes = {"backend": self.name, "questions": len(questions)}
        with span("judge.estimate", **attributes), deadline(self._timeout_s * waves):
            await together(work)
        return answers

    def _doubt(self) -> None:
        if self.health is not None:
            self.health.doubt()

    def _groups(self, questions: Sequence[Question]) -> Iterator[list[int]]:
        """Places of questions that may share a prompt: one context, no more than a batch."""
        by_context: defaultdict[str, list[int]] = defaultdict(list)
        for place, question in enumerate(questions):
            by_context[question.context].append(place)
        for places in by_context.values():
            for start in range(0, len(places), self._batch_size):
                yield places[start : start + self._batch_size]

    async def _judge_group(self, group: Sequence[Question]) -> Sequence[Estimate | BackendError]:
        if len(group) > 1 and self.client.capabilities().native_schema is not False:
            try:
                estimates = await self._batch.judge([q.claim for q in group], group[0].context)
            except BackendUnsupported:
                estimates = None
            except BackendError as error:
                return [error] * len(group)
            if estimates is not None:
                return estimates
        return await together(map(self._judge_one, group))

    async def _judge_one(self, question: Question) -> Estimate | BackendError:
        try:
            return await self._single.judge(question)
        except BackendError as error:
            return error


def build_self(config: Config, clients: Clients) -> LLMBackend:
    client = clients.configured()
    return _build("self", client, config, edge_model=judge_model(config) or client.model)


def build_haiku(config: Config, clients: Clients) -> LLMBackend:
    client = clients.of("anthropic", config.llm.haiku_model)
    return _build("haiku", client, config, edge_model=client.model)


def _build(name: str, client: LLMClient, config: Config, *, edge_model: str) -> LLMBackend:
    takes_middle = config.hallucination.on_interval == "middle"
    return LLMBackend(
        client,
        name=name,
        answers=config.llm.answers,
        estimation=config.llm.estimation,
        samples=config.llm.samples,
        max_samples=None if takes_middle else config.llm.max_samples,
        batch_size=config.hallucination.batch_size,
        context_words=config.llm.context_words,
        threshold=config.judge.threshold or UNCALIBRATED_THRESHOLD,
        timeout_s=config.hallucination.timeout.total_seconds(),
        canaries=config.llm.canaries,
        edge_model=edge_model,
        address=config.llm.base_url,
        languages=languages_of(config.llm.languages),
    )
