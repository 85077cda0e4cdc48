"""One question to a language model: log probabilities where it gives them, samples where not."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from groundwire.errors import BackendError, BackendMalformed, BackendUnsupported
from groundwire.judge._answers import Masses, Word, from_masses, from_samples, masses, word_of
from groundwire.judge._prompt import Prompts
from groundwire.judge._protocol import Estimate, Question
from groundwire.judge._reading import first_word, masses_at_answers
from groundwire.judge._together import together
from groundwire.llm import LLMClient
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


class SingleJudge:
    def __init__(
        self,
        client: LLMClient,
        prompts: Prompts,
        *,
        name: str,
        estimation: Estimation,
        samples: int,
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._name = name
        self._estimation = estimation
        self._samples = samples
        self._said: set[str] = set()
        self._three_way = prompts.answers == "yes_no_unsure"
        self._output: type[TwoWay | ThreeWay] = ThreeWay if self._three_way else TwoWay

    async def judge(self, question: Question) -> Estimate:
        """An estimate, or the `BackendError` that prevented one."""
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
        return 1 if self.uses_logprobs() else self._samples

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
        return from_masses(found, three_way=self._three_way)

    async def _held_to_schema(self, prompt: str) -> Masses | None:
        """The masses where only an answer can stand; `None` if the model cannot be held so."""
        try:
            answered = await self._client.generate_structured_native(
                prompt, self._output, temperature=0.0, thinking=False, top_logprobs=20
            )
        except (BackendUnsupported, BackendMalformed):
            return None
        completion = answered.completion
        found = masses_at_answers(completion.text, completion.logprobs or ())
        return found[0] if found is not None and len(found) == 1 else None

    async def _by_sampling(self, prompt: str) -> Estimate:
        answers = await together(self._sample(prompt) for _ in range(self._samples))
        words = [answer for answer in answers if isinstance(answer, str)]
        failures = [answer for answer in answers if isinstance(answer, BackendError)]
        if failures and 2 * len(words) < self._samples:
            raise failures[0]
        return from_samples(words, asked=self._samples, three_way=self._three_way)

    async def _sample(self, prompt: str) -> Word | BackendError | None:
        options: dict[str, Any] = {"temperature": 1.0, "thinking": False}
        try:
            if self._client.capabilities().native_schema is not False:
                answered = await self._client.generate_structured_native(
                    prompt, self._output, **options
                )
                return answered.value.answer
        except BackendUnsupported:
            self.note_fallback("no_schema")
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
        return word if self._three_way or word != "UNSURE" else None
