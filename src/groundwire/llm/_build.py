"""From the settings to a client."""

from groundwire._registry import Registry
from groundwire.config import PROVIDER_ENTRY_POINTS, Config
from groundwire.errors import ConfigError
from groundwire.llm._caller import CallPolicy, Limiter
from groundwire.llm._client import LLMClient
from groundwire.llm._spending import DayLedger, Spending, no_price, run_total
from groundwire.llm._types import ProviderKind

PROVIDERS = Registry[ProviderKind](
    PROVIDER_ENTRY_POINTS,
    "provider",
    {
        "openai": "groundwire.llm._openai:KIND",
        "anthropic": "groundwire.llm._anthropic:KIND",
        "gemini": "groundwire.llm._gemini:KIND",
        "gguf": "groundwire.llm._gguf:KIND",
    },
    ProviderKind,
)
_DEFAULT_JUDGE_MODEL = "gemini-2.5-pro"


def build_client(
    config: Config,
    *,
    provider: str | None = None,
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
    kind = PROVIDERS.get(name)
    own_limiter = Limiter(kind.parallel_calls) if kind.parallel_calls else None
    return LLMClient(
        kind.build(config, chosen),
        policy=call_policy(config),
        spending=_build_spending(config, chosen, is_free=kind.is_free),
        limiter=own_limiter or limiter,
        max_output_tokens=config.llm.max_output_tokens,
    )


class Clients:
    """The clients of one engine, each made at first use; all of them keep one limit.

    A client that is `given` stands in for every one that the settings would make.
    """

    def __init__(self, config: Config, given: LLMClient | None = None) -> None:
        self._config = config
        self._given = given
        self._made: dict[tuple[str | None, str | None], LLMClient] = {}

    def configured(self) -> LLMClient:
        """The client of `llm.provider` and `llm.model`."""
        return self.of(None, None)

    def of(self, provider: str | None, model: str | None) -> LLMClient:
        if self._given is not None:
            return self._given
        key = (provider, model)
        if key not in self._made:
            first = next(iter(self._made.values()), None)
            limiter = first.limiter if first else None
            self._made[key] = build_client(
                self._config, provider=provider, model=model, limiter=limiter
            )
        return self._made[key]

    @property
    def has_model(self) -> bool:
        """Whether there is a model to ask."""
        return self._given is not None or self._config.llm.model is not None

    async def aclose(self) -> None:
        for client in [*self._made.values(), *([self._given] if self._given else [])]:
            await client.aclose()


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


def _build_spending(config: Config, model: str, *, is_free: bool) -> Spending:
    caps = config.llm.spending
    priced = is_free or model in config.llm.prices
    if not priced and not (caps.cost_per_run is None and caps.cost_per_day is None):
        raise no_price(model)
    home = config.home.expanduser().absolute()
    return Spending(
        caps,
        config.llm.prices,
        lambda: DayLedger(home / "spending.sqlite"),
        run=run_total(home),
        free=is_free,
    )
