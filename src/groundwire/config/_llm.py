"""Language models: which one, how it is called, what it may cost."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from groundwire.config._section import (
    Address,
    Duration,
    Section,
    address,
    parse_duration,
    registered,
    secret,
)

PROVIDER_ENTRY_POINTS = "groundwire.providers"
"""The entry points by which other packages add providers of models."""
ProviderName = Annotated[
    str, registered(PROVIDER_ENTRY_POINTS, ("openai", "anthropic", "gemini", "gguf"))
]


class LLMKeysSection(Section):
    """The variables in which people keep their keys. Each goes to its own provider only."""

    openai: SecretStr | None = secret(
        "Key of `provider: openai`.", sent_to="llm.base_url", env=["OPENAI_API_KEY"]
    )
    anthropic: SecretStr | None = secret(
        "Key of `provider: anthropic`.", sent_to="llm.base_url", env=["ANTHROPIC_API_KEY"]
    )
    gemini: SecretStr | None = secret(
        "Key of `provider: gemini`.",
        sent_to="llm.base_url",
        env=["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    )


class Price(Section):
    """What a million tokens cost, in whatever currency you keep your books."""

    input: float = Field(ge=0, description="Per million tokens read.")
    output: float = Field(ge=0, description="Per million tokens written.")


class SpendingSection(Section):
    """A call that could pass one of these is refused before it is made."""

    tokens_per_run: int | None = Field(
        default=None, ge=0, description="Tokens one process may use; unset: no cap."
    )
    tokens_per_day: int | None = Field(
        default=None, ge=0, description="Tokens all processes of this home may use in a UTC day."
    )
    cost_per_run: float | None = Field(
        default=None, ge=0, description="What one process may cost, in the currency of the prices."
    )
    cost_per_day: float | None = Field(
        default=None, ge=0, description="What all processes of this home may cost in a UTC day."
    )


class LLMSection(Section):
    """The language model behind `backend: self` and everything else that asks one."""

    provider: ProviderName = Field(
        default="openai",
        description="Whose wire format is spoken; openai covers all compatible servers.",
    )
    model: str | None = Field(
        default=None, description="The model's name there; with gguf, the path of the file."
    )
    haiku_model: str = Field(
        default="claude-haiku-5-5", description="The model of `backend: haiku`."
    )
    base_url: Address | None = address("Another address than the provider's own.")
    api_key: SecretStr | None = secret(
        "Key for `provider`; unset: the provider's customary variable.", sent_to="llm.base_url"
    )
    keys: LLMKeysSection = LLMKeysSection()
    reasoning_effort: str | None = Field(
        default=None, description="Passed on to models that take one, as in none, low or high."
    )
    timeout: Duration = Field(
        default=parse_duration("30s"), description="The longest one attempt may take."
    )
    deadline: Duration = Field(
        default=parse_duration("60s"),
        description="The longest one call may take, with its retries and its place in the queue.",
    )
    backoff_initial: Duration = Field(
        default=parse_duration("1s"), description="The shortest wait before the first retry."
    )
    max_output_tokens: int = Field(
        default=1024, ge=1, description="The longest answer, thinking included."
    )
    context_words: int = Field(
        default=2_000, ge=50, description="Words of evidence that one judge question may carry."
    )
    context_tokens: int = Field(
        default=8_192, ge=512, description="With gguf: how much the model reads at once."
    )
    answers: Literal["yes_no", "yes_no_unsure"] = Field(
        default="yes_no", description="What the judge prompt lets a model answer [SPEC-08.12]."
    )
    estimation: Literal["auto", "logprobs", "sampling"] = Field(
        default="auto",
        description="Probabilities from the answer's log probabilities or from repeated answers.",
    )
    samples: int = Field(
        default=5, ge=2, le=100, description="Answers asked for where there are no logprobs."
    )
    canaries: bool = Field(
        default=True, description="Send claims with known answers along with every batch."
    )
    prices: dict[str, Price] = Field(
        default={}, description="Prices by model, as in {some-model: {input: 0.1, output: 0.5}}."
    )
    spending: SpendingSection = SpendingSection()


class ExternalSection(Section):
    """The verification service behind `backend: external`; docs/reference/external-backend.md."""

    url: Address | None = address("Where it answers, without the /v1/estimate of the contract.")
    api_key: SecretStr | None = secret("Sent as a bearer token.", sent_to="external.url")
    context_words: int = Field(
        default=2_000, ge=50, description="Words of evidence that one question may carry."
    )
    threshold: float = Field(
        default=0.5, gt=0, lt=1, description="Its p1 at and above which a claim is grounded."
    )
    max_questions: int = Field(
        default=64, ge=1, le=1024, description="Questions sent in one request."
    )
