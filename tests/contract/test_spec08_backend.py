"""SPEC-08.12 to .14, .27 to .30 and S1 step 7, by what a caller sees."""

import inspect

import pytest

from groundwire.config import load_config
from groundwire.errors import BackendMalformed
from groundwire.judge import ConfigurableBackend, ExternalBackend, LLMBackend, VerifierBackend
from groundwire.llm import LLMClient
from groundwire.testing import Answer, ScriptedModel

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", ["embedded", "self", "haiku", "external", "configurable"])
def test_spec_08_27_all_backends_can_be_configured(name: str) -> None:
    """[SPEC-08.27] The four of the document, and the embedded one of the rulings, by name."""
    config = load_config(overrides={"hallucination.backend.type": name}).config
    assert config.hallucination.backend.type == name


@pytest.mark.parametrize("backend", [LLMBackend, ExternalBackend, ConfigurableBackend])
def test_spec_08_28_every_backend_has_both_calls(backend: type) -> None:
    """[SPEC-08.28] One estimate and a batch, with the same parameters everywhere."""
    for name in ("estimate_probability", "batch_estimate"):
        wanted = inspect.signature(getattr(VerifierBackend, name)).parameters
        assert list(inspect.signature(getattr(backend, name)).parameters) == list(wanted)


async def test_spec_08_12_the_prompt_has_the_patterns_words_in_order() -> None:
    """[SPEC-08.12] The prompt is the document's pattern."""
    model = ScriptedModel(Answer("YES", logprobs=({"YES": -0.1},)))
    await LLMBackend(LLMClient(model)).estimate_probability("the claim", "the context")
    prompt = model.asked[0].prompt
    pattern = [
        "Given the following context:",
        "the context",
        "Is the following claim true? Answer YES or NO.",
        "Claim:",
        "the claim",
    ]
    places = [prompt.index(part) for part in pattern]
    assert places == sorted(places)


async def test_spec_08_13_probability_comes_from_the_logprobs_of_the_answer() -> None:
    """[SPEC-08.13] YES and NO share what probability they have."""
    model = ScriptedModel(Answer("YES", logprobs=({"YES": -0.2231, "NO": -1.6094},)))
    estimate = await LLMBackend(LLMClient(model)).estimate_probability("c", "e")
    assert estimate.p == pytest.approx(0.8, abs=1e-3)


async def test_spec_08_14_sampling_stands_in_where_there_are_none() -> None:
    """[SPEC-08.14] Without logprobs the model is asked several times."""
    model = ScriptedModel('{"answer": "YES"}', logprobs=False)
    estimate = await LLMBackend(LLMClient(model), samples=3).estimate_probability("c", "e")
    assert estimate.p == 1
    assert len(model.asked) == 3


async def test_spec_08_14_no_answer_is_an_error_and_never_p_0() -> None:
    """[SPEC-08.14] An answer that is none has no probability."""
    model = ScriptedModel("hm", logprobs=False, native_schema=False)
    with pytest.raises(BackendMalformed):
        await LLMBackend(LLMClient(model)).estimate_probability("c", "e")


def test_s1_step_7_the_documented_defaults() -> None:
    """[S1 step 7] The loaded settings are the table's."""
    section = load_config(environ={}).config.verification
    documented = {
        "max_judge_iterations": 3,
        "grounding_confidence_threshold": 0.6,
        "enable_adversarial_pass": True,
        "judge_model": "gemini-2.5-pro",
        "llm_semaphore_limit": 8,
        "max_retries": 5,
        "backoff_base": 2,
        "backoff_jitter_max": 5,
    }
    assert {key: getattr(section, key) for key in documented} == documented
