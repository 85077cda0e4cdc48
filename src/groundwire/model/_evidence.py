from hashlib import sha256
from typing import Self

from pydantic import Field, model_validator

from groundwire.model._base import Model
from groundwire.model._text import Span


class Source(Model):
    """`doc_type`, `number` and `status` are there for documents of a corpus."""

    doc_id: str
    title: str | None = None
    version: str | None = None
    doc_type: str | None = None
    number: int | None = None
    status: str | None = None


class RetrievalTrace(Model):
    method: str
    query: str | None = None
    scores: dict[str, float] = Field(default_factory=dict)


class EvidenceBundle(Model):
    """A piece of text that may support a claim, and where it comes from.

    `location` is the span of `content` in its source document, `section` the headings above it.
    """

    content: str
    source: Source
    section: str | None = None
    location: Span
    retrieval: RetrievalTrace | None = None
    sha256: str

    @classmethod
    def of(
        cls,
        content: str,
        doc_id: str,
        *,
        title: str | None = None,
        version: str | None = None,
        section: str | None = None,
        start: int = 0,
        retrieval: RetrievalTrace | None = None,
    ) -> Self:
        return cls(
            content=content,
            source=Source(doc_id=doc_id, title=title, version=version),
            section=section,
            location=Span(start=start, end=start + len(content)),
            retrieval=retrieval,
            sha256=content_hash(content),
        )

    @model_validator(mode="after")
    def _hash_matches(self) -> Self:
        if self.sha256 != content_hash(self.content):
            raise ValueError(f"evidence from {self.source.doc_id!r} does not match its hash")
        return self


class Quote(Model):
    """Words found verbatim in a source; `start` and `end` are characters of the document."""

    doc_id: str
    quote: str
    start: int
    end: int


def content_hash(text: str) -> str:
    return bytes_hash(text.encode("utf-8", "surrogatepass"))


def bytes_hash(data: bytes) -> str:
    return sha256(data).hexdigest()
