"""From the settings to a client."""

from collections.abc import Callable
from pathlib import Path

from pydantic import SecretStr

from groundwire.config import Config, ProviderName, is_loopback
from groundwire.errors import ConfigError
from groundwire.llm._caller import CallPolicy
from groundwire.llm._client import LLMClient
from groundwire.llm._limiter import Limiter
from groundwire.llm._spending import DayLedger, Spending, run_total
from groundwire.llm._types import Provider
from groundwire.observe import Log, keep_secret

journal = Log("llm")

_GGUF_SLOTS = 1  # more would share the same cores, and time out waiting inside llama.cpp
_DEFAULT_JUDGE_MODEL = "gemini-2.5-pro"
_KEY_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
}


def build_client(
    config: Config,
    *,
    provider: ProviderName | None = None,
    model: str | None = None,
    limiter: Limiter | None = None,
) -> LLMClient:
    """The client of these settings. Nothing is loaded or connected before the first call.

    `provider` and `model` stand in for the configured ones, as `backend: haiku` needs; a `limiter`
    shared with another client makes both keep one limit.
    """
    name = provider or config.llm.provider
    chosen = model or (config.llm.model if name == config.llm.provider else None)
    if not chosen:
        raise ConfigError(
            f"No model is chosen for the provider {name}.", hint="Set llm.model, or give --model."
        )
    return LLMClient(
        _build_provider(config, name, chosen),
        policy=call_policy(config),
        spending=_build_spending(config, name, chosen),
        limiter=limiter or (Limiter(_GGUF_SLOTS) if name == "gguf" else None),
        max_output_tokens=config.llm.max_output_tokens,
    )


def call_policy(config: Config) -> CallPolicy:
    return CallPolicy(
        limit=config.verification.llm_semaphore_limit,
        max_retries=config.verification.max_retries,
        backoff_initial_s=config.llm.backoff_initial.total_seconds(),
        backoff_base=config.verification.backoff_base,
        backoff_jitter_max_s=config.verification.backoff_jitter_max,
        timeout_s=config.llm.timeout.total_seconds(),
        deadline_s=config.llm.deadline.total_seconds(),
    )


def judge_model(config: Config) -> str | None:
    """The model that judges edges: `verification.judge_model` where it can apply [S1 step 7]."""
    wanted = config.verification.judge_model
    if config.llm.provider == "gemini" or wanted != _DEFAULT_JUDGE_MODEL:
        return wanted
    return config.llm.model


def reveal(key: SecretStr | None) -> str | None:
    """A key's value, which from now on is redacted wherever it would be written."""
    value = key.get_secret_value().strip() if key is not None else ""
    keep_secret(value)
    return value or None


def _build_provider(config: Config, name: ProviderName, model: str) -> Provider:
    if name == "gguf":
        from groundwire.llm._gguf import GGUFProvider

        return GGUFProvider(
            Path(model).expanduser(),
            context_tokens=config.llm.context_tokens,
            parallel=_GGUF_SLOTS,
            threads=config.judge.threads,
        )
    own = name == config.llm.provider
    base_url = config.llm.base_url if own else None
    customary: SecretStr | None = getattr(config.llm.keys, name)
    key = reveal((config.llm.api_key if own else None) or customary)
    setting = f"{_KEY_VARIABLES[name]}{' or llm.api_key' if own else ''}"
    if key is None and base_url is None:
        raise ConfigError(f"The provider {name} needs an API key.", hint=f"Set {setting}.")
    if key is not None and (base_url or "").startswith("http:") and not is_loopback(base_url):
        journal.warn("llm_key_unencrypted", address=base_url)
    provider = _provider_class(name)
    return provider(
        model,
        base_url=base_url,
        api_key=key,
        reasoning_effort=config.llm.reasoning_effort,
        key_setting=setting,
        model_setting="llm.model" if own else "llm.haiku_model",
    )


def _provider_class(name: ProviderName) -> Callable[..., Provider]:
    if name == "anthropic":
        from groundwire.llm._anthropic import AnthropicProvider

        return AnthropicProvider
    if name == "gemini":
        from groundwire.llm._gemini import GeminiProvider

        return GeminiProvider
    from groundwire.llm._openai import OpenAIProvider

    return OpenAIProvider


def _build_spending(config: Config, name: ProviderName, model: str) -> Spending:
    caps = config.llm.spending
    priced = name == "gguf" or model in config.llm.prices
    if not priced and not (caps.cost_per_run is None and caps.cost_per_day is None):
        raise ConfigError(
            f"A cap on costs is set, but no price for the model {model!r}.",
            hint=f"Set llm.prices, as in {{{model}: {{input: 0.1, output: 0.5}}}}.",
        )
    home = config.home.expanduser().absolute()
    return Spending(
        caps,
        config.llm.prices,
        lambda: DayLedger(home / "spending.sqlite"),
        run=run_total(home),
        free=name == "gguf",
    )
