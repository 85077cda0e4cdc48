"""Draft edges of a document: by a language model where there is one, else by its wording."""

from typing import Protocol

from groundwire.errors import BackendError, BackendMalformed
from groundwire.ground._documents import DocumentReadings
from groundwire.ground._judge import EdgePrompts
from groundwire.ground._read import Drafted, draft_edges, drafted_from
from groundwire.ground._variables import label_of
from groundwire.llm import LLMClient
from groundwire.model import Document, DraftEdge, Model
from groundwire.observe import Log, metrics
from groundwire.text import segment_ranges

MAX_SENTENCE_WORDS = 120
MAX_PART_WORDS = 700
"""About as much as states thirty edges, which are some 2,000 words of answer."""
BY_WORDING = "read_by_wording"
"""Set aside under this name: parts of which no model's answer could be read."""
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
    """Asks a model, part by part, each as long as its answer can be.

    A part whose answer is cut off or cannot be read is asked again in halves; what is left of it
    then, and a document that the model cannot do at all, are read by their wording, and that is
    counted and said.
    """

    def __init__(self, client: LLMClient, prompts: EdgePrompts, *, context_words: int) -> None:
        self._client = client
        self._prompts = prompts
        self._part_words = min(context_words, MAX_PART_WORDS)

    async def extract(self, document: Document, readings: DocumentReadings) -> Drafted:
        edges: list[DraftEdge] = []
        left: list[str] = []
        try:
            for part in _parts(document.text[document.body_start :], self._part_words):
                edges += await self._asked(part, left)
        except BackendError as error:
            _fell_back(document, error)
            found = await WordingExtractor().extract(document, readings)
            return found.model_copy(update={"set_aside": {**found.set_aside, BY_WORDING: 1}})
        for part in left:
            _fell_back(document, None)
            edges += draft_edges(part, document.title).edges
        return Drafted(
            edges=tuple(edge for edge in edges if edge.from_var and edge.to_var),
            set_aside={BY_WORDING: len(left)} if left else {},
        )

    async def _asked(self, part: str, left: list[str]) -> list[DraftEdge]:
        try:
            answer = await self._client.generate_structured_native(
                self._prompts.extract(part), ExtractedEdges, temperature=0.0
            )
        except BackendMalformed:
            halves = _parts(part, max(1, len(part.split()) // 2))
            if len(halves) < 2:  # noqa: PLR2004 - one sentence has no halves
                left.append(part)
                return []
            return [edge for half in halves for edge in await self._asked(half, left)]
        return [_tidied(edge) for edge in answer.value.edges]


def _fell_back(document: Document, error: BackendError | None) -> None:
    reason = error.code if error is not None else BackendMalformed.code
    metrics().count("judge_fallback_total", backend="llm_extractor", reason=reason)
    _log.warn("extraction_fallback", document=document.doc_id, error=str(error or "cut off"))


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
