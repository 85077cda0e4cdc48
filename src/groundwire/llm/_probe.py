"""What a configured model can really do, found out by asking it: for `gw doctor`."""

import time
from typing import Literal

from pydantic import BaseModel, ConfigDict

from groundwire.errors import BackendUnsupported, GroundwireError
from groundwire.llm._client import LLMClient

Finding = Literal["yes", "no", "failed"]


class _Word(BaseModel):
    model_config = ConfigDict(extra="forbid")

    answer: Literal["YES", "NO"]


class Probe(BaseModel):
    """`problem` is the error of whatever failed first, ready to be shown."""

    provider: str
    model: str
    answers: Finding
    logprobs: Finding
    native_schema: Finding
    latency_ms: float | None = None
    problem: str | None = None

    @property
    def estimation(self) -> str:
        """How the judge will get its probabilities from this model."""
        if self.answers != "yes":
            return "none"
        return "logprobs" if self.logprobs == "yes" else "sampling"


async def probe(client: LLMClient, *, deadline_s: float = 20.0) -> Probe:
    """Three tiny calls: one for text, one for log probabilities, one held to a schema."""
    found = Probe(
        provider=client.provider.name,
        model=client.model,
        answers="failed",
        logprobs="failed",
        native_schema="failed",
    )
    question = "Is water wet? Answer YES or NO."
    started = time.perf_counter()
    try:
        await client.generate(question, max_tokens=16, thinking=False, deadline_s=deadline_s)
    except GroundwireError as error:
        return found.model_copy(update={"problem": str(error)})
    found.answers = "yes"
    found.latency_ms = round((time.perf_counter() - started) * 1000, 1)
    try:
        await client.token_logprobs(question, max_tokens=4, thinking=False, deadline_s=deadline_s)
        found.logprobs = "yes"
    except GroundwireError as error:
        _note(found, "logprobs", error)
    try:
        await client.generate_structured_native(
            question, _Word, thinking=False, deadline_s=deadline_s
        )
        found.native_schema = "yes"
    except GroundwireError as error:
        _note(found, "native_schema", error)
    return found


def _note(found: Probe, capability: str, error: GroundwireError) -> None:
    missing = isinstance(error, BackendUnsupported)
    setattr(found, capability, "no" if missing else "failed")
    if not missing:
        found.problem = found.problem or str(error)
