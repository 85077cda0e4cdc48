"""Language models: which one, how it is called, what it may cost."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from groundwire.config._section import (
    Address,
    Duration,
    OneIsAList,
    Section,
    address,
    duration,
    nested,
    registered,
    secret,
    setting,
)

PROVIDER_ENTRY_POINTS = "groundwire.providers"
"""The entry points by which other packages add providers of models."""
ProviderName = Annotated[
    str, registered(PROVIDER_ENTRY_POINTS, ("openai", "anthropic", "gemini", "gguf"))
]


class LLMKeysSection(Section):
    """The variables in which people keep their keys. Each goes to its own provider only."""

    openai: SecretStr | None = secret("Key of `provider: openai`.", env=["OPENAI_API_KEY"])
    anthropic: SecretStr | None = secret("Key of `provider: anthropic`.", env=["ANTHROPIC_API_KEY"])
    gemini: SecretStr | None = secret(
        "Key of `provider: gemini`.",
        env=["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    )


class Price(Section):
    """What a million tokens cost, in whatever currency you keep your books."""

    input: float = Field(ge=0, description="Per million tokens read.")
    output: float = Field(ge=0, description="Per million tokens written.")


class SpendingSection(Section):
    """A call that could pass one of these is refused before it is made."""

    tokens_per_run: int | None = setting(
        None, "Tokens one process may use; unset: no cap.", ge=0, loosens="higher"
    )
    tokens_per_day: int | None = setting(
        None, "Tokens all processes of this home may use in a UTC day.", ge=0, loosens="higher"
    )
    cost_per_run: float | None = setting(
        None, "What one process may cost, in the currency of the prices.", ge=0, loosens="higher"
    )
    cost_per_day: float | None = setting(
        None, "What all processes of this home may cost in a UTC day.", ge=0, loosens="higher"
    )


class LLMSection(Section):
    """The language model behind `backend: self` and everything else that asks one."""

    provider: ProviderName = setting(
        "openai", "Whose wire format is spoken; openai covers all compatible servers."
    )
    model: str | None = setting(None, "The model's name there; with gguf, the path of the file.")
    haiku_model: str = setting("claude-haiku-5-5", "The model of `backend: haiku`.")
    base_url: Address | None = address("Another address than the provider's own.")
    api_key: SecretStr | None = secret(
        "Key for `provider`; unset: the provider's customary variable."
    )
    keys: LLMKeysSection = nested()
    reasoning_effort: str | None = setting(
        None, "Passed on to models that take one, as in none, low or high.", loosens="never"
    )
    timeout: Duration = duration("30s", "The longest one attempt may take.", loosens="never")
    deadline: Duration = duration(
        "60s",
        "The longest one call may take, with its retries and its place in the queue.",
        loosens="never",
    )
    backoff_initial: Duration = duration(
        "1s", "The shortest wait before the first retry.", loosens="never"
    )
    max_output_tokens: int = setting(
        1024, "The longest answer, thinking included.", ge=1, loosens="higher"
    )
    context_words: int = setting(
        2_000, "Words of evidence that one judge question may carry.", ge=50, loosens="never"
    )
    context_tokens: int = setting(
        8_192, "With gguf: how much the model reads at once.", ge=512, loosens="never"
    )
    languages: Annotated[list[str], OneIsAList] = setting(
        ["any"],
        "Languages the model judges; claims in others are `unverifiable`.",
        loosens="longer",
    )
    answers: Literal["yes_no", "yes_no_unsure"] = setting(
        "yes_no", "What the judge prompt lets a model answer [SPEC-08.12].", loosens="never"
    )
    estimation: Literal["auto", "logprobs", "sampling"] = setting(
        "auto",
        "Probabilities from the answer's log probabilities or from repeated answers.",
        loosens="never",
    )
    samples: int = setting(
        5, "Answers asked for where there are no logprobs.", ge=2, le=100, loosens="lower"
    )
    canaries: bool = setting(
        True,
        "Ask claims with known answers first and in every batch; who fails is not believed.",
        loosens="off",
    )
    max_samples: int = setting(
        20,
        "Answers asked for at most, where the first ones do not tell whether a claim is supported.",
        ge=2,
        le=1000,
        loosens="lower",
    )
    prices: dict[str, Price] = setting(
        {}, "Prices by model, as in {some-model: {input: 0.1, output: 0.5}}."
    )
    spending: SpendingSection = nested()


class ExternalSection(Section):
    """The verification service behind `backend: external`; docs/reference/external-backend.md."""

    url: Address | None = address("Where it answers, without the /v1/estimate of the contract.")
    api_key: SecretStr | None = secret("Sent as a bearer token.")
    context_words: int = setting(
        2_000, "Words of evidence that one question may carry.", ge=50, loosens="never"
    )
    threshold: float = setting(
        0.5, "Its p1 at and above which a claim is grounded.", gt=0, lt=1, loosens="lower"
    )
    languages: Annotated[list[str], OneIsAList] = setting(
        ["any"], "Languages it judges; claims in others are `unverifiable`.", loosens="longer"
    )
    has_knowledge: bool = setting(
        True,
        "Whether it knows things of its own, so that a claim may be `prior_known`.",
        loosens="on",
    )
    max_questions: int = setting(
        64, "Questions sent in one request.", ge=1, le=1024, loosens="never"
    )
