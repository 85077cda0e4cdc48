from pathlib import Path
from typing import Any

import pytest

from groundwire.config import Config, load_config
from groundwire.errors import ConfigError, SpendingCapReached
from groundwire.llm import Call, build_client, call_policy, from_status, judge_model
from groundwire.llm._anthropic import AnthropicProvider
from groundwire.llm._openai import OpenAIProvider


def settings(environ: dict[str, str] | None = None, **llm: Any) -> Config:
    overrides = {f"llm.{key}": value for key, value in llm.items()}
    return load_config(environ=environ or {}, overrides=overrides).config


def test_the_policy_is_the_specifications() -> None:
    """[S1 step 7]"""
    policy = call_policy(settings())
    assert (policy.limit, policy.max_retries) == (8, 5)
    assert (policy.backoff_base, policy.backoff_jitter_max_s) == (2, 5)


def test_a_provider_without_a_model_is_bad_configuration() -> None:
    with pytest.raises(ConfigError, match=r"Set llm\.model"):
        build_client(settings({"OPENAI_API_KEY": "sk-some-key"}))


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
    ],
)
def test_a_missing_key_names_the_variable_to_set(provider: str, variable: str) -> None:
    with pytest.raises(ConfigError, match=f"Set {variable} or llm.api_key"):
        build_client(settings(provider=provider, model="m"))
    with pytest.raises(ConfigError, match=variable):
        build_client(settings({variable: "  "}, provider=provider, model="m"))


def test_a_local_server_needs_no_key() -> None:
    own = build_client(settings(model="m", base_url="http://127.0.0.1:1/v1"))
    assert isinstance(own.provider, OpenAIProvider)


def test_a_key_goes_to_its_own_provider_only() -> None:
    environ = {"OPENAI_API_KEY": "key-for-openai", "ANTHROPIC_API_KEY": "key-for-anthropic"}
    own = build_client(settings(environ, model="m", api_key="key-chosen-for-openai"))
    haiku = build_client(
        settings(environ, model="m", api_key="key-chosen-for-openai", base_url="http://127.0.0.1"),
        provider="anthropic",
        model="claude-haiku-5-5",
    )
    assert isinstance(own.provider, OpenAIProvider)
    assert own.provider._api_key == "key-chosen-for-openai"
    assert isinstance(haiku.provider, AnthropicProvider)
    assert haiku.provider._api_key == "key-for-anthropic"
    assert haiku.provider._address == "https://api.anthropic.com"


def test_another_providers_model_is_never_taken_for_its_own() -> None:
    with pytest.raises(ConfigError, match="No model is chosen for the provider anthropic"):
        build_client(settings({"ANTHROPIC_API_KEY": "x" * 9}, model="m"), provider="anthropic")


@pytest.mark.parametrize(
    ("llm", "model"),
    [
        ({"llm.provider": "gemini", "llm.model": "flash"}, "gemini-2.5-pro"),
        ({"llm.provider": "openai", "llm.model": "m"}, "m"),
        (
            {"llm.provider": "openai", "llm.model": "m", "verification.judge_model": "big"},
            "big",
        ),
        ({}, None),
    ],
)
def test_the_judge_model_applies_where_it_can(llm: dict[str, str], model: str | None) -> None:
    assert judge_model(load_config(environ={}, overrides=llm).config) == model


def test_a_money_cap_without_a_price_is_refused_before_any_call() -> None:
    config = load_config(
        environ={},
        overrides={
            "llm.model": "m",
            "llm.base_url": "http://127.0.0.1:1/v1",
            "llm.spending.cost_per_day": "5",
        },
    ).config
    with pytest.raises(ConfigError, match=r"Set llm\.prices"):
        build_client(config)


@pytest.mark.anyio
async def test_all_clients_of_a_process_share_the_cap_of_a_run(tmp_path: Path) -> None:
    config = load_config(
        environ={"ANTHROPIC_API_KEY": "key-for-anthropic"},
        overrides={
            "home": str(tmp_path / "shared"),
            "llm.model": "m",
            "llm.base_url": "http://127.0.0.1:1/v1",
            "llm.spending.tokens_per_run": "1500",
        },
    ).config
    own, haiku = build_client(config), build_client(config, provider="anthropic", model="h")
    assert own.spending is not None
    assert haiku.spending is not None
    await own.spending.reserve(Call(prompt="x", model="m", max_tokens=1024))
    with pytest.raises(SpendingCapReached):
        await haiku.spending.reserve(Call(prompt="x", model="h", max_tokens=1024))


def test_a_models_own_setting_is_named_when_it_is_unknown() -> None:
    environ = {"ANTHROPIC_API_KEY": "key-for-anthropic"}
    haiku = build_client(settings(environ), provider="anthropic", model="h")
    assert isinstance(haiku.provider, AnthropicProvider)
    assert "llm.haiku_model" in str(from_status(haiku.provider._place, 404))


def test_what_is_no_gguf_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        build_client(settings(provider="gguf", model=str(tmp_path / "missing.gguf")))
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(ConfigError, match="is not a GGUF file"):
        build_client(settings(provider="gguf", model=str(tmp_path / "text.gguf")))
