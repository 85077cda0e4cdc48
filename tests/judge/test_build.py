from typing import Any

import pytest

from groundwire.config import load_config
from groundwire.errors import ConfigError
from groundwire.judge import (
    ConfigurableBackend,
    EmbeddedBackend,
    ExternalBackend,
    LLMBackend,
    VerifierBackend,
    build_backend,
)

pytestmark = pytest.mark.anyio


ENVIRON = {"OPENAI_API_KEY": "key-for-openai", "ANTHROPIC_API_KEY": "key-for-anthropic"}


def build(**settings: Any) -> VerifierBackend:
    overrides = {key.replace("__", "."): value for key, value in settings.items()}
    config = load_config(environ=ENVIRON, overrides=overrides).config
    return build_backend(config)


def test_the_backend_is_configuration_only() -> None:
    """[SPEC-08.27]"""
    assert isinstance(build(), EmbeddedBackend)
    own = build(hallucination__backend__type="self", llm__model="m")
    assert isinstance(own, LLMBackend)
    assert (own.name, own.client.provider.name, own.client.model) == ("self", "openai", "m")
    haiku = build(hallucination__backend__type="haiku")
    assert isinstance(haiku, LLMBackend)
    assert (haiku.client.provider.name, haiku.client.model) == ("anthropic", "claude-haiku-5-5")
    external = build(hallucination__backend__type="external", external__url="http://127.0.0.1:1")
    assert isinstance(external, ExternalBackend)


def test_the_users_threshold_wins_over_the_uncalibrated_one() -> None:
    own = build(hallucination__backend__type="self", llm__model="m", judge__threshold="0.8")
    assert own.threshold == 0.8
    assert build(hallucination__backend__type="haiku").threshold == 0.5


def test_an_external_backend_needs_an_address() -> None:
    with pytest.raises(ConfigError, match=r"Set external\.url"):
        build(hallucination__backend__type="external")


async def test_each_operation_has_its_judge_and_the_rest_the_default() -> None:
    built = build(
        hallucination__backend__type="configurable",
        hallucination__backend__operations={"memory": "haiku", "edge": "haiku", "check": "self"},
        llm__model="m",
    )
    assert isinstance(built, ConfigurableBackend)
    assert built.for_operation("memory").name == "haiku"
    assert built.for_operation("check").name == "self"
    assert built.for_operation("trace").name == "embedded"
    assert built.for_operation("memory") is built.for_operation("edge")
    said = "The mast is 40 m high."
    assert (await built.estimate_probability(said, said)).p > built.threshold
    await built.aclose()


def test_self_and_haiku_share_one_limit() -> None:
    built = build(
        hallucination__backend__type="configurable",
        hallucination__backend__default="self",
        hallucination__backend__operations={"memory": "haiku"},
        llm__model="m",
    )
    assert isinstance(built, ConfigurableBackend)
    own, haiku = built.for_operation("check"), built.for_operation("memory")
    assert isinstance(own, LLMBackend)
    assert isinstance(haiku, LLMBackend)
    assert own.client.limiter is haiku.client.limiter


def test_an_unknown_operation_or_judge_is_refused() -> None:
    for bad in ({"memmory": "self"}, {"memory": "selfie"}):
        with pytest.raises(ConfigError, match=r"hallucination\.backend\.operations"):
            build(hallucination__backend__operations=bad)
