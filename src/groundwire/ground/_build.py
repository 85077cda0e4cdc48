"""From the settings to the parts of the loop."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.config import Config
from groundwire.ground._adversary import EdgePrompts
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._extract import Extractor, LLMExtractor, WordingExtractor
from groundwire.ground._judge import EmbeddedEdgeJudge, FallingBackJudge, LLMEdgeJudge
from groundwire.ground._types import EdgeJudge
from groundwire.judge import LLMBackend, VerifierBackend, build_backend, build_judge
from groundwire.llm import Clients, LLMClient


async def _nothing() -> None:
    return None


@dataclass(frozen=True)
class EdgeParts:
    """Who drafts and who judges. `fingerprint` says which, so that runs are not mixed up.

    `client` is the language model that does so, where one does.
    """

    extractor: Extractor
    judge: Callable[[EdgeReader], EdgeJudge]
    fingerprint: str
    client: LLMClient | None = None
    aclose: Callable[[], Awaitable[None]] = _nothing


def build_parts(
    config: Config, *, judge: VerifierBackend | None = None, clients: Clients | None = None
) -> EdgeParts:
    """A judge that is a language model drafts and judges edges itself. Any other estimates, and
    wording drafts: it gives no verdicts. `judge` is asked in place of the configured one."""
    clients = clients or Clients(config)
    asked = judge or build_backend(config, operation="edge", clients=clients)
    # whoever gave a judge closes it
    close = _nothing if judge is not None else getattr(asked, "aclose", _nothing)
    if isinstance(asked, LLMBackend):
        return _by_language_model(config, asked, clients, close)
    return EdgeParts(
        extractor=WordingExtractor(),
        judge=lambda reader: EmbeddedEdgeJudge(asked, reader, name=asked.name),
        fingerprint=asked.name,
        aclose=close,
    )


def _by_language_model(
    config: Config, asked: LLMBackend, clients: Clients, close: Callable[[], Awaitable[None]]
) -> EdgeParts:
    client, model = asked.client, asked.edge_model
    prompts = EdgePrompts()
    words = config.llm.context_words

    def judge(reader: EdgeReader) -> EdgeJudge:
        return FallingBackJudge(
            LLMEdgeJudge(client, prompts, model=model, context_words=words),
            EmbeddedEdgeJudge(build_judge("embedded", config, clients), reader),
        )

    return EdgeParts(
        extractor=LLMExtractor(client, prompts, context_words=words),
        judge=judge,
        fingerprint=f"{asked.name}:{client.provider.name}:{client.model}:{model}"
        f":{prompts.prompt_hash}",
        client=client,
        aclose=close,
    )
