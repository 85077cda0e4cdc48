"""Several claims about one context in one prompt, never mixed up."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from secrets import token_hex
from typing import Literal

from pydantic import BaseModel, ConfigDict

from groundwire.errors import BackendError, BackendMalformed, BackendUnsupported
from groundwire.judge._answers import Masses, Word, from_masses, from_samples
from groundwire.judge._canaries import CanaryWatch, pick
from groundwire.judge._llm_single import SingleJudge
from groundwire.judge._prompt import Prompts
from groundwire.judge._protocol import Estimate
from groundwire.judge._reading import masses_at_answers
from groundwire.judge._together import together
from groundwire.llm import LLMClient

BATCH_ATTEMPTS = 2
_TOKENS_PER_ANSWER = 40


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _TwoWay(_Strict):
    id: str
    answer: Literal["YES", "NO"]


class _ThreeWay(_Strict):
    id: str
    answer: Literal["YES", "NO", "UNSURE"]


class TwoWayAnswers(_Strict):
    answers: list[_TwoWay]


class ThreeWayAnswers(_Strict):
    answers: list[_ThreeWay]


class BatchJudge:
    """Shows the claims shuffled and under random ids; an answer counts only under its id.

    Canaries are shuffled in. A batch whose ids do not match, or whose canaries are judged
    wrongly, is asked for once more in another order and then given up: `None`.
    """

    def __init__(
        self,
        client: LLMClient,
        prompts: Prompts,
        single: SingleJudge,
        watch: CanaryWatch | None,
        *,
        samples: int,
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._single = single
        self._watch = watch
        self._samples = samples
        self._three_way = prompts.answers == "yes_no_unsure"
        self._output: type[TwoWayAnswers | ThreeWayAnswers] = (
            ThreeWayAnswers if self._three_way else TwoWayAnswers
        )

    async def judge(self, claims: Sequence[str], context: str) -> list[Estimate] | None:
        for _ in range(BATCH_ATTEMPTS):
            canaries = pick(Random(token_hex(8))) if self._watch else ()  # noqa: S311
            shown = [*claims, *(canary.claim for canary in canaries)]
            try:
                estimates = await self._estimates(shown, context)
            except BackendMalformed:
                estimates = None
            if estimates is None:
                self._single.note_fallback("batch_mismatch")
                continue
            sung = dict(zip(canaries, estimates[len(claims) :], strict=True))
            if self._watch is None or self._watch.all_sang(sung):
                return estimates[: len(claims)]
            self._single.note_fallback("canary")
        return None

    async def _estimates(self, claims: Sequence[str], context: str) -> list[Estimate] | None:
        if not self._single.uses_logprobs():
            return await self._by_sampling(claims, context)
        try:
            found = await self._ask(claims, context, top_logprobs=20, temperature=0.0)
        except BackendUnsupported as error:
            if not self._single.may_sample_instead(error):
                raise
            return await self._by_sampling(claims, context)
        if found is None:
            return None
        return [from_masses(masses, three_way=self._three_way) for _, masses in found if masses]

    async def _by_sampling(self, claims: Sequence[str], context: str) -> list[Estimate] | None:
        rounds = await together(self._one_sample(claims, context) for _ in range(self._samples))
        answered = [found for found in rounds if isinstance(found, list)]
        failures = [found for found in rounds if isinstance(found, BackendError)]
        if 2 * len(answered) < self._samples:
            if failures:
                raise failures[0]
            return None
        words: defaultdict[int, list[Word]] = defaultdict(list)
        for found in answered:
            for place, (word, _) in enumerate(found):
                words[place].append(word)
        return [
            from_samples(words[place], asked=self._samples, three_way=self._three_way)
            for place in range(len(claims))
        ]

    async def _one_sample(
        self, claims: Sequence[str], context: str
    ) -> list[tuple[Word, Masses | None]] | BackendError | None:
        try:
            return await self._ask(claims, context, temperature=1.0)
        except BackendError as error:
            return error

    async def _ask(
        self, claims: Sequence[str], context: str, **options: float
    ) -> list[tuple[Word, Masses | None]] | None:
        """One prompt, its answers put back into the order of `claims`; `None` on any mismatch."""
        ids = _distinct_ids(len(claims))
        order = list(range(len(claims)))
        Random(token_hex(8)).shuffle(order)  # noqa: S311
        answered = await self._client.generate_structured_native(
            self._prompts.batch({ids[place]: claims[place] for place in order}, context),
            self._output,
            max_tokens=max(self._client.max_output_tokens, _TOKENS_PER_ANSWER * len(claims)),
            thinking=False,
            **options,
        )
        answers: Sequence[_TwoWay | _ThreeWay] = answered.value.answers
        if sorted(answer.id for answer in answers) != sorted(ids):
            return None
        found: list[Masses] | list[None] = [None] * len(answers)
        if "top_logprobs" in options:
            completion = answered.completion
            located = masses_at_answers(completion.text, completion.logprobs or ())
            if located is None or len(located) != len(answers):
                return None
            found = located
        by_id = {
            answer.id: (answer.answer, mass) for answer, mass in zip(answers, found, strict=True)
        }
        return [by_id[id_] for id_ in ids]


def _distinct_ids(count: int) -> list[str]:
    """Short, and unknown to whoever wrote the evidence."""
    ids: set[str] = set()
    while len(ids) < count:
        ids.add(token_hex(3))
    return list(ids)
