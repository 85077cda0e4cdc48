"""From the settings to the parts of the loop."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.config import BackendName, Config
from groundwire.ground._adversary import EdgePrompts
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._extract import Extractor, LLMExtractor, WordingExtractor
from groundwire.ground._judge import EmbeddedEdgeJudge, FallingBackJudge, LLMEdgeJudge
from groundwire.ground._types import EdgeJudge
from groundwire.judge import VerifierBackend, build_backend
from groundwire.llm import LLMClient, build_client, judge_model


async def _nothing() -> None:
    return None


@dataclass(frozen=True)
class EdgeParts:
    """Who drafts and who judges. `fingerprint` says which, so that runs are not mixed up."""

    extractor: Extractor
    judge: Callable[[EdgeReader], EdgeJudge]
    fingerprint: str
    aclose: Callable[[], Awaitable[None]] = _nothing


def edge_backend(config: Config) -> BackendName:
    """Who judges edges: `hallucination.backend`, and there the operation `edge`."""
    section = config.hallucination.backend
    if section.type == "configurable":
        return section.operations.get("edge", section.default)
    return section.type


def build_parts(config: Config, *, client: LLMClient | None = None) -> EdgeParts:
    """Language models draft and judge where they are configured; else wording and the embedded
    judge. An external service estimates in place of the embedded model: it gives no verdicts."""
    name = edge_backend(config)
    if name in ("embedded", "external"):
        scorer = build_backend(config, type_=name)
        return EdgeParts(
            extractor=WordingExtractor(),
            judge=lambda reader: EmbeddedEdgeJudge(scorer, reader, name=name),
            fingerprint=name,
            aclose=_closing(scorer),
        )
    return _by_language_model(config, name, client)


def _by_language_model(config: Config, name: BackendName, client: LLMClient | None) -> EdgeParts:
    asked = client or edge_client(config)
    prompts = EdgePrompts()
    model = judge_model(config) if name == "self" else config.llm.haiku_model
    words = config.llm.context_words

    def judge(reader: EdgeReader) -> EdgeJudge:
        return FallingBackJudge(
            LLMEdgeJudge(asked, prompts, model=model, context_words=words),
            EmbeddedEdgeJudge(build_backend(config, type_="embedded"), reader),
        )

    return EdgeParts(
        extractor=LLMExtractor(asked, prompts, context_words=words),
        judge=judge,
        fingerprint=f"{name}:{asked.provider.name}:{asked.model}:{model}:{prompts.prompt_hash}",
        aclose=asked.aclose,
    )


def edge_client(config: Config) -> LLMClient:
    """The model that drafts and judges, and talks."""
    if edge_backend(config) == "haiku":
        return build_client(config, provider="anthropic", model=config.llm.haiku_model)
    return build_client(config)


def _closing(backend: VerifierBackend) -> Callable[[], Awaitable[None]]:
    close: Callable[[], Awaitable[None]] | None = getattr(backend, "aclose", None)
    return close or _nothing
