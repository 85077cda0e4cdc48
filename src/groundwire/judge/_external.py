"""A verification service behind HTTP: docs/reference/external-backend.md is the contract."""

import math
from collections.abc import Sequence
from importlib import import_module
from secrets import token_hex
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from groundwire.config import Config
from groundwire.errors import BackendError, BackendMalformed, ConfigError
from groundwire.guard import deadline
from groundwire.judge._protocol import Backend, Estimate, Question, languages_of, together
from groundwire.llm import (
    Caller,
    CallPolicy,
    Clients,
    PerLoop,
    Place,
    call_policy,
    from_status,
    from_transport,
    http_client,
    not_readable,
    retry_after,
    reveal,
    sendable,
)
from groundwire.model import Interval
from groundwire.observe import keep_secret, span

CONTRACT_VERSION = 1


class _Failure(BaseModel):
    message: str = ""


class _Answer(BaseModel):
    """One question's estimate, or why there is none."""

    id: str
    p: float | None = Field(default=None, ge=0, le=1)
    interval: Interval | None = None
    refute: float | None = Field(default=None, ge=0, le=1)
    error: _Failure | None = None


class _Answers(BaseModel):
    version: int
    estimates: list[_Answer]


class ExternalBackend(Backend):
    """Asks another service. It has limiter, retries and deadlines like any model call."""

    name = "external"
    prompt_id = f"external.v{CONTRACT_VERSION}"
    prompt_hash = None

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        policy: CallPolicy | None = None,
        context_words: int = 2_000,
        threshold: float = 0.5,
        max_questions: int = 64,
        timeout_s: float = 30.0,
        has_knowledge: bool = True,
        languages: frozenset[str] | None = None,
    ) -> None:
        self.languages = languages
        self.has_knowledge = has_knowledge
        self.context_words = context_words
        self.threshold = threshold
        self.model_id = f"external {url} {threshold}"
        self._url = f"{url.rstrip('/')}/v1/estimate"
        keep_secret(api_key or "")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._max_questions = max_questions
        self._timeout_s = timeout_s
        self._caller = Caller("external", policy or CallPolicy())
        self._clients: PerLoop[Any] = PerLoop(
            lambda: import_module("httpx2"),
            lambda: http_client(url),
            lambda client: client.aclose(),
        )
        self._place = Place(
            "external",
            model="the verification service",
            address=url,
            has_key=bool(api_key),
            key_setting="external.api_key",
            address_setting="external.url",
        )

    async def aclose(self) -> None:
        await self._clients.aclose()

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        chunks = [
            questions[start : start + self._max_questions]
            for start in range(0, len(questions), self._max_questions)
        ]
        waves = math.ceil(len(chunks) / self._caller.limiter.limit)
        attributes = {"backend": self.name, "questions": len(questions)}
        with span("judge.estimate", **attributes), deadline(self._timeout_s * waves):
            answered = await together(map(self._estimate_chunk, chunks))
        return [answer for answers in answered for answer in answers]

    async def _estimate_chunk(
        self, questions: Sequence[Question]
    ) -> Sequence[Estimate | BackendError]:
        try:
            return await self._caller.run(lambda: self._ask(questions))
        except BackendError as error:
            return [error] * len(questions)

    async def _ask(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        client = await self._clients.get()
        import httpx2

        ids = [f"{place}-{token_hex(4)}" for place in range(len(questions))]
        body = {
            "version": CONTRACT_VERSION,
            "questions": [
                {
                    "id": id_,
                    "claim": sendable(question.claim),
                    "context": sendable(question.context),
                }
                for id_, question in zip(ids, questions, strict=True)
            ],
        }
        try:
            response = await client.post(self._url, json=body, headers=self._headers)
        except httpx2.HTTPError as error:
            raise from_transport(self._place, error) from None
        if response.status_code != httpx2.codes.OK:
            raise self._refusal(response)
        return self._read(response.content, ids)

    def _read(self, content: bytes, ids: Sequence[str]) -> list[Estimate | BackendError]:
        try:
            answers = _Answers.model_validate_json(content)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the answer"
            raise not_readable(self._place, f"{where}: {first['msg']}") from None
        if answers.version != CONTRACT_VERSION:
            raise not_readable(self._place, f"it speaks version {answers.version}")
        by_id = {answer.id: answer for answer in answers.estimates}
        if len(by_id) != len(answers.estimates) or set(by_id) != set(ids):
            raise not_readable(self._place, "its ids are not the ones it was asked for")
        return [self._estimate_of(by_id[id_]) for id_ in ids]

    @staticmethod
    def _estimate_of(answer: _Answer) -> Estimate | BackendError:
        if answer.p is None:
            said = " ".join((answer.error.message if answer.error else "").split())[:200]
            return BackendMalformed(f"The verification service gave no estimate: {said or '?'}.")
        return Estimate(p=answer.p, interval=answer.interval, refute=answer.refute)

    def _refusal(self, response: Any) -> BackendError:
        try:
            error = response.json().get("error", {})
            words, code = str(error.get("message", "")), str(error.get("code", ""))
        except (ValueError, AttributeError):
            words, code = "", ""
        return from_status(
            self._place,
            response.status_code,
            code=code,
            words=words,
            retry_after_s=retry_after(response.headers),
        )


def build(config: Config, _: Clients) -> ExternalBackend:
    section = config.external
    if section.url is None:
        raise ConfigError("The backend `external` has no address.", hint="Set external.url.")
    return ExternalBackend(
        section.url,
        api_key=reveal(section.api_key),
        policy=call_policy(config),
        context_words=section.context_words,
        threshold=config.judge.threshold or section.threshold,
        max_questions=section.max_questions,
        has_knowledge=section.has_knowledge,
        languages=languages_of(section.languages),
        timeout_s=config.hallucination.timeout.total_seconds(),
    )
