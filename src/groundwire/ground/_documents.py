"""What whole documents say causes what: each is read once, by its drafter and for every judge.

A sentence means what its document makes of it: who `it` is, and that `the pool` is the one spoken
of before. A passage read by itself would lose that.
"""

from collections.abc import Iterable, Iterator

from groundwire.ground._alike import Alike
from groundwire.ground._read import CausalReading, Learned, Signs, read_causal
from groundwire.ground._types import Passage, Stated
from groundwire.model import Document, EvidenceBundle, Span

_MAX_PARAGRAPH_CHARS = 2_000


class DocumentReadings:
    """Readings by document, and those of passages that come from elsewhere."""

    def __init__(
        self,
        documents: Iterable[Document] = (),
        signs: Signs | None = None,
        alike: Alike | None = None,
        learned: Learned | None = None,
    ) -> None:
        self._learned = learned
        self._signs = signs
        self._alike = alike
        self._documents = {one.doc_id: one for one in documents}
        self._read: dict[str, tuple[CausalReading, ...]] = {}
        self._apart: dict[tuple[str, str | None], tuple[CausalReading, ...]] = {}

    def of(self, document: Document) -> tuple[CausalReading, ...]:
        """In order; their spans are places of the whole document."""
        if document.doc_id not in self._read:
            body = document.body_start
            self._read[document.doc_id] = tuple(
                one.moved(body)
                for one in read_causal(
                    document.text[body:],
                    document.title,
                    self._signs,
                    self._alike,
                    self._learned,
                )
            )
        return self._read[document.doc_id]

    def within(self, passage: Passage) -> Iterator[tuple[int, CausalReading]]:
        """With the number each has in its document, -1 where that is not known; the spans are
        places of the passage."""
        bundle = passage.bundle
        document = self._documents.get(bundle.source.doc_id)
        start, end = bundle.location.start, bundle.location.end
        if document is None or document.text[start:end] != bundle.content:
            key = (bundle.content, bundle.source.title)
            if key not in self._apart:
                self._apart[key] = read_causal(*key)
            yield from ((-1, one) for one in self._apart[key])
            return
        for number, one in enumerate(self.of(document)):
            if start <= one.span.start and one.span.end <= end:
                yield number, one.moved(-start)

    def passage(self, stated: Stated) -> Passage | None:
        """The paragraph that holds what was stated."""
        document = self._documents.get(stated.doc_id)
        readings = self.of(document) if document is not None else ()
        if document is None or stated.number >= len(readings):
            return None
        span = _paragraph(document.text, readings[stated.number].span)
        bundle = EvidenceBundle.of(
            span.of(document.text), document.doc_id, title=document.title, start=span.start
        )
        return Passage(bundle, "support")


def _paragraph(text: str, span: Span) -> Span:
    start = text.rfind("\n\n", 0, span.start + 1)
    start = 0 if start < 0 else start + 2
    end = text.find("\n\n", max(0, span.end - 1))
    end = len(text) if end < 0 else max(end, span.end)
    is_short = end - start <= _MAX_PARAGRAPH_CHARS
    return Span(start=min(start, span.start), end=end) if is_short else span
