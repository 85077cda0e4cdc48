"""`configurable`: a judge per operation [SPEC-08.27]."""

from collections.abc import Callable, Mapping, Sequence

from groundwire.config import BackendName, BackendType, Config, Operation
from groundwire.errors import BackendError, ConfigError
from groundwire.judge._deep import with_depth
from groundwire.judge._embedded import EmbeddedBackend
from groundwire.judge._external import ExternalBackend
from groundwire.judge._llm_backend import LLMBackend
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.llm import LLMClient, build_client, call_policy, reveal


class ConfigurableBackend(Backend):
    """`for_operation` gives an operation its judge; asked itself, it is the default one."""

    def __init__(
        self, default: VerifierBackend, operations: Mapping[Operation, VerifierBackend]
    ) -> None:
        self._default = default
        self._operations = dict(operations)
        self.name = default.name
        self.context_words = default.context_words
        self.threshold = default.threshold
        self.languages = default.languages

    def for_operation(self, operation: Operation) -> VerifierBackend:
        return self._operations.get(operation, self._default)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await self._default.estimate(questions)

    async def aclose(self) -> None:
        for backend in {
            id(each): each for each in (self._default, *self._operations.values())
        }.values():
            close = getattr(backend, "aclose", None)
            if close is not None:
                await close()


UNCALIBRATED_THRESHOLD = 0.5


def embedded_backend(config: Config) -> VerifierBackend:
    """The judge that needs no key."""
    section = config.judge
    languages = None if "any" in section.languages else frozenset(section.languages)
    return EmbeddedBackend(
        threshold=section.threshold, languages=languages, threads=section.threads
    )


def build_backend(
    config: Config,
    *,
    embedded: Callable[[Config], VerifierBackend] = embedded_backend,
    client: LLMClient | None = None,
    type_: BackendType | None = None,
) -> VerifierBackend:
    """The judge these settings ask for; `type_` stands in for `hallucination.backend.type`.

    `embedded` builds the judge that needs no key, when it is wanted. A `client` that exists
    already is used for `self`, so that all callers share its limit.
    """
    wanted = type_ or config.hallucination.backend.type
    build = _Builder(config, embedded, client)
    if wanted != "configurable":
        return build.named(wanted)
    section = config.hallucination.backend
    return ConfigurableBackend(
        build.named(section.default),
        {operation: build.named(name) for operation, name in section.operations.items()},
    )


class _Builder:
    """Builds each judge once, however many operations want it."""

    def __init__(
        self,
        config: Config,
        embedded: Callable[[Config], VerifierBackend],
        client: LLMClient | None,
    ) -> None:
        self._config = config
        self._embedded = embedded
        self._client = client
        self._built: dict[BackendName, VerifierBackend] = {}

    def named(self, name: BackendName) -> VerifierBackend:
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    def _build(self, name: BackendName) -> VerifierBackend:
        if name == "embedded":
            return with_depth(self._config, self._embedded(self._config))
        if name == "external":
            return self._external()
        return self._language_model(name)

    def _language_model(self, name: BackendName) -> LLMBackend:
        config = self._config
        if self._client is None and name == "self":
            self._client = build_client(config)
        client = self._client
        if name == "haiku" or client is None:
            client = build_client(
                config,
                provider="anthropic",
                model=config.llm.haiku_model,
                limiter=client.limiter if client else None,
            )
        return LLMBackend(
            client,
            name=name,
            answers=config.llm.answers,
            estimation=config.llm.estimation,
            samples=config.llm.samples,
            batch_size=config.hallucination.batch_size,
            context_words=config.llm.context_words,
            threshold=config.judge.threshold or UNCALIBRATED_THRESHOLD,
            timeout_s=config.hallucination.timeout.total_seconds(),
            canaries=config.llm.canaries,
        )

    def _external(self) -> ExternalBackend:
        section = self._config.external
        if section.url is None:
            raise ConfigError("The backend `external` has no address.", hint="Set external.url.")
        return ExternalBackend(
            section.url,
            api_key=reveal(section.api_key),
            policy=call_policy(self._config),
            context_words=section.context_words,
            threshold=self._config.judge.threshold or section.threshold,
            max_questions=section.max_questions,
            timeout_s=self._config.hallucination.timeout.total_seconds(),
        )
