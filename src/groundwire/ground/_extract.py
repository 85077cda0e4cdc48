"""Draft edges of a document: by a language model where there is one, else by its wording."""

from typing import Protocol

from groundwire.errors import BackendError
from groundwire.ground._documents import DocumentReadings
from groundwire.ground._judge import EdgePrompts
from groundwire.ground._read import Drafted, drafted_from
from groundwire.ground._variables import label_of
from groundwire.llm import LLMClient
from groundwire.model import Document, DraftEdge, Model
from groundwire.observe import Log, metrics
from groundwire.text import segment_ranges

MAX_SENTENCE_WORDS = 120
_log = Log("grounding")


class Extractor(Protocol):
    """`readings` keeps what is read of a document: its judge goes by the same."""

    async def extract(self, document: Document, readings: DocumentReadings) -> Drafted: ...


class WordingExtractor:
    async def extract(self, document: Document, readings: DocumentReadings) -> Drafted:
        return drafted_from(readings.of(document))


class ExtractedEdges(Model):
    """The schema a model is held to: drafts only, no citations [S1 step 2]."""

    edges: list[DraftEdge]


class LLMExtractor:
    """Asks a model, part by part; a document it cannot do is read by its wording instead."""

    def __init__(self, client: LLMClient, prompts: EdgePrompts, *, context_words: int) -> None:
        self._client = client
        self._prompts = prompts
        self._context_words = context_words

    async def extract(self, document: Document, readings: DocumentReadings) -> Drafted:
        edges: list[DraftEdge] = []
        try:
            for part in _parts(document.text[document.body_start :], self._context_words):
                answer = await self._client.generate_structured_native(
                    self._prompts.extract(part), ExtractedEdges, temperature=0.0
                )
                edges += [_tidied(edge) for edge in answer.value.edges]
        except BackendError as error:
            metrics().count("judge_fallback_total", backend="llm_extractor", reason=error.code)
            _log.warn("extraction_fallback", document=document.doc_id, error=str(error))
            return await WordingExtractor().extract(document, readings)
        return Drafted(edges=tuple(edge for edge in edges if edge.from_var and edge.to_var))


def _tidied(edge: DraftEdge) -> DraftEdge:
    """A model's names under the same rules as those read from the wording."""
    return edge.model_copy(
        update={"from_var": label_of(edge.from_var), "to_var": label_of(edge.to_var)}
    )


def _parts(text: str, max_words: int) -> list[str]:
    """Whole sentences, as many as a prompt may carry."""
    parts: list[str] = []
    start, words = 0, 0
    for first, last in segment_ranges(text, MAX_SENTENCE_WORDS):
        size = len(text[first:last].split())
        if words and words + size > max_words:
            parts.append(text[start:first])
            start, words = first, 0
        words += size
    return [part for part in [*parts, text[start:]] if part.strip()]
