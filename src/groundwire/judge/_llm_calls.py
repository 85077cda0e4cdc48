"""How a language model is asked: one claim a call, or several in one."""

from collections.abc import Callable, Sequence
from random import Random
from secrets import token_hex
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from groundwire.errors import BackendError, BackendMalformed, BackendUnsupported
from groundwire.judge._canaries import CanaryWatch, pick
from groundwire.judge._prompt import (
    Masses,
    Prompts,
    Word,
    first_word,
    from_masses,
    from_samples,
    masses,
    masses_at_answers,
    word_of,
)
from groundwire.judge._protocol import Estimate, Question, together
from groundwire.llm import BackendProse, LLMClient, prose_instead
from groundwire.observe import Log, metrics

Estimation = Literal["auto", "logprobs", "sampling"]
journal = Log("judge")

WORD_TOKENS = 4
"""Room for a blank or two before the word."""
TOLERABLE_NEITHER = 0.1
"""More mass than this on other words, and the answer is asked for again, held to a schema."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TwoWay(_Strict):
    answer: Literal["YES", "NO"]


class ThreeWay(_Strict):
    answer: Literal["YES", "NO", "UNSURE"]


class Sampling(NamedTuple):
    """How often the same is asked: `first` times, and then more, up to `most`, while the interval
    lies across the threshold, so that it cannot be told whether a claim is supported."""

    first: int
    most: int
    threshold: float

    def next_round(self, asked: int, estimate: Estimate) -> int:
        """As many again as were asked, as long as more may decide it."""
        known = estimate.interval
        is_open = known is not None and known.low < self.threshold <= known.high
        return min(asked, self.most - asked) if is_open else 0


PROSE_ANSWERS = 3


class ProseWatch:
    """Gives a model up, for the run, whose first answers are all prose: another question would
    cost as much and say as little. One that has answered once is given time."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._heard = 0
        self._understood = False

    def understood(self) -> None:
        self._understood = True

    def heard(self, error: BackendProse) -> None:
        self._heard += 1
        if self._heard == PROSE_ANSWERS and not self._understood:
            journal.error("judge_given_up", model=self._model, error=str(error))

    def refuse_if_given_up(self) -> None:
        if self._heard >= PROSE_ANSWERS and not self._understood:
            raise BackendMalformed(
                f"The model {self._model!r} answered {PROSE_ANSWERS} times in prose where YES or "
                "NO was asked for, and never otherwise; it is not asked again in this run.",
                hint="Use a model that can be held to a schema, or a larger one.",
            )


class SingleJudge:
    def __init__(
        self,
        client: LLMClient,
        prompts: Prompts,
        *,
        name: str,
        estimation: Estimation,
        sampling: Sampling,
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._name = name
        self._estimation = estimation
        self._sampling = sampling
        self.prose = ProseWatch(client.model)
        self._said: set[str] = set()
        self._three_way = prompts.answers == "yes_no_unsure"
        self._output: type[TwoWay | ThreeWay] = ThreeWay if self._three_way else TwoWay

    async def judge(self, question: Question) -> Estimate:
        """An estimate, or the `BackendError` that prevented one."""
        self.prose.refuse_if_given_up()
        prompt = self._prompts.single(question.claim, question.context)
        if not self.uses_logprobs():
            return await self._by_sampling(prompt)
        try:
            return await self._by_logprobs(prompt)
        except BackendUnsupported as error:
            if not self.may_sample_instead(error):
                raise
            return await self._by_sampling(prompt)

    def uses_logprobs(self) -> bool:
        """Unless they were ruled out by the settings or have turned out to be missing."""
        offered = self._client.capabilities().logprobs is not False
        return self._estimation == "logprobs" or (self._estimation == "auto" and offered)

    def calls_each(self) -> int:
        """How many calls a question is expected to take."""
        return 1 if self.uses_logprobs() else self._sampling.first

    def may_sample_instead(self, error: BackendUnsupported) -> bool:
        if error.capability != "logprobs" or self._estimation == "logprobs":
            return False
        self.note_fallback("no_logprobs")
        return True

    def note_fallback(self, reason: str) -> None:
        """Counted every time, and said the first time."""
        metrics().count("judge_fallback_total", backend=self._name, reason=reason)
        if reason not in self._said:
            self._said.add(reason)
            journal.warn("judge_fallback", backend=self._name, reason=reason)

    async def _by_logprobs(self, prompt: str) -> Estimate:
        completion = await self._client.token_logprobs(
            prompt, max_tokens=WORD_TOKENS, thinking=False
        )
        place = first_word(completion.logprobs or ())
        found = masses(place.top, constrained=False) if place else Masses(0, 0, 0)
        if found.neither > TOLERABLE_NEITHER:
            self.note_fallback("neither")
            found = await self._held_to_schema(prompt) or found
        if found.neither == 1.0 and self._estimation == "auto":
            self.note_fallback("no_answer")
            return await self._by_sampling(prompt)
        estimate = from_masses(found, three_way=self._three_way)
        self.prose.understood()
        return estimate

    async def _held_to_schema(self, prompt: str) -> Masses | None:
        """The masses where only an answer can stand; `None` if the model cannot be held so."""
        try:
            answered = await self._client.generate_structured_native(
                prompt,
                self._output,
                temperature=0.0,
                thinking=False,
                top_logprobs=20,
                retry_prose=False,
            )
        except (BackendUnsupported, BackendMalformed):
            return None
        completion = answered.completion
        found = masses_at_answers(completion.text, completion.logprobs or ())
        return found[0] if found is not None and len(found) == 1 else None

    async def _by_sampling(self, prompt: str) -> Estimate:
        words: list[Word] = []
        asked, draw = 0, self._sampling.first
        while draw > 0:
            answers = await together(self._sample(prompt) for _ in range(draw))
            asked += draw
            words += [answer for answer in answers if isinstance(answer, str)]
            failures = [answer for answer in answers if isinstance(answer, BackendError)]
            if failures and 2 * len(words) < asked:
                raise failures[0]
            estimate = from_samples(words, asked=asked, three_way=self._three_way)
            draw = 0 if failures else self._sampling.next_round(asked, estimate)
        return estimate

    async def _sample(self, prompt: str) -> Word | BackendError | None:
        options: dict[str, Any] = {"temperature": 1.0, "thinking": False}
        try:
            self.prose.refuse_if_given_up()
            if self._client.capabilities().native_schema is not False:
                answered = await self._client.generate_structured_native(
                    prompt, self._output, retry_prose=False, **options
                )
                self.prose.understood()
                return answered.value.answer
        except BackendUnsupported:
            self.note_fallback("no_schema")
        except BackendProse as error:
            self.prose.heard(error)
            return error
        except BackendError as error:
            return error
        return await self._sample_word(prompt, options)

    async def _sample_word(
        self, prompt: str, options: dict[str, Any]
    ) -> Word | BackendError | None:
        """Without a schema, only an answer that is one of the words and nothing else counts."""
        try:
            completion = await self._client.generate(prompt, max_tokens=WORD_TOKENS, **options)
        except BackendError as error:
            return error
        word = word_of(completion.text)
        if word is None or (word == "UNSURE" and not self._three_way):
            self.prose.heard(prose_instead(self._client.model, completion.text))
            return None
        self.prose.understood()
        return word


BATCH_ATTEMPTS = 2
_TOKENS_PER_ANSWER = 40


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
    wrongly, is asked for once more in another order and then given up: `None`. `doubt` hears of
    canaries that were judged wrongly.
    """

    def __init__(
        self,
        client: LLMClient,
        prompts: Prompts,
        single: SingleJudge,
        watch: CanaryWatch | None,
        *,
        sampling: Sampling,
        doubt: Callable[[], None],
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._single = single
        self._watch = watch
        self._sampling = sampling
        self._doubt = doubt
        self._three_way = prompts.answers == "yes_no_unsure"
        self._output: type[TwoWayAnswers | ThreeWayAnswers] = (
            ThreeWayAnswers if self._three_way else TwoWayAnswers
        )

    async def judge(self, claims: Sequence[str], context: str) -> list[Estimate] | None:
        for _ in range(BATCH_ATTEMPTS):
            self._single.prose.refuse_if_given_up()
            canaries = pick() if self._watch else ()
            shown = [*claims, *(canary.claim for canary in canaries)]
            try:
                estimates = await self._estimates(shown, context)
            except BackendMalformed as error:
                if isinstance(error, BackendProse):
                    self._single.prose.heard(error)
                estimates = None
            if estimates is None:
                self._single.note_fallback("batch_mismatch")
                continue
            sung = dict(zip(canaries, estimates[len(claims) :], strict=True))
            if self._watch is None or self._watch.all_sang(sung):
                return estimates[: len(claims)]
            self._single.note_fallback("canary")
            self._doubt()
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
        """All claims the first times; after that only those that are still open."""
        words: list[list[Word]] = [[] for _ in claims]
        estimates: dict[int, Estimate] = {}
        shown = list(range(len(claims)))
        asked, draw = 0, self._sampling.first
        while shown:
            rounds = await together(
                self._one_sample([claims[place] for place in shown], context) for _ in range(draw)
            )
            answered = [found for found in rounds if isinstance(found, list)]
            failures = [found for found in rounds if isinstance(found, BackendError)]
            if 2 * len(answered) < draw:
                if estimates:
                    break
                if failures:
                    raise failures[0]
                return None
            asked += draw
            for found in answered:
                for place, (word, _) in zip(shown, found, strict=True):
                    words[place].append(word)
            for place in shown:
                estimates[place] = from_samples(
                    words[place], asked=asked, three_way=self._three_way
                )
            more = {place: self._sampling.next_round(asked, estimates[place]) for place in shown}
            shown = [place for place in shown if more[place]]
            draw = max(more.values())
        return [estimates[place] for place in range(len(claims))]

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
            retry_prose=False,
            **options,
        )
        self._single.prose.understood()
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
