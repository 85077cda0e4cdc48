from bisect import bisect_right
from datetime import date as calendar_date
from hashlib import sha256
from typing import Literal, Self

from pydantic import Field, model_validator

from groundwire.model._claim import Model, Span


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
    places: tuple[tuple[int, str], ...] = ()
    """Offsets of the document and the name of what begins there: "page 4", "row 12"."""
    retrieval: RetrievalTrace | None = None
    sha256: str

    def place_at(self, start: int) -> str:
        """The name of the place of an offset of the document, where it has one."""
        found = bisect_right(self.places, start, key=lambda one: one[0])
        return self.places[found - 1][1] if found else ""

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
        places: tuple[tuple[int, str], ...] = (),
        retrieval: RetrievalTrace | None = None,
    ) -> Self:
        """A piece of a document as evidence; `start` is where it stands in it."""
        return cls(
            content=content,
            source=Source(doc_id=doc_id, title=title, version=version),
            section=section,
            location=Span(start=start, end=start + len(content)),
            places=places,
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
    place: str = ""
    """Where a person finds it, where the format has such places: "page 4", "row 12"."""


def content_hash(text: str) -> str:
    return bytes_hash(text.encode("utf-8", "surrogatepass"))


def bytes_hash(data: bytes) -> str:
    return sha256(data).hexdigest()


class Document(Model):
    """A source as text. Every offset anywhere is a character of `text`.

    Markdown and plain text are kept as they stand in the file; HTML and DOCX are written out as
    Markdown, so that headings, lists and tables keep their shape. `pages` are the offsets where
    the pages of a PDF begin, `body_start` is where front matter ends. `places` are offsets with
    the name of what begins there, as a person would look for it: "page 4", "row 12", "slide 3".
    """

    doc_id: str
    title: str
    text: str
    format: str
    """markdown, text, html, pdf, docx, or what a reader of another package calls it."""
    metadata: dict[str, str] = Field(default_factory=dict)
    pages: tuple[int, ...] = ()
    body_start: int = 0
    places: tuple[tuple[int, str], ...] = ()
    sha256: str
    """Of the bytes that were read, to tell whether a file has changed."""


class DocumentKey(Model):
    """What identifies a document: numbers of different types overlap [S3]."""

    doc_type: str
    number: int = Field(ge=0)

    def __str__(self) -> str:
        return f"{self.doc_type} {self.number}"


DocumentState = Literal[
    "proposed",
    "draft",
    "accepted",
    "rejected",
    "abandoned",
    "deprecated",
    "superseded",
    "archived",
    "unknown",
]
FieldRole = Literal[
    "status",
    "dated",
    "created",
    "decided",
    "changed",
    "author",
    "decider",
    "owner",
    "sponsor",
    "supersedes",
    "superseded_by",
    "requires",
    "other",
]


class DocumentField(Model):
    """What a document states of itself: the name it uses, what that means, and the place.

    `date` is the day a date field names, or on which the statement was made; `names` are the
    people or groups a field of people lists.
    """

    name: str
    role: FieldRole = "other"
    value: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    date: calendar_date | None = None
    names: tuple[str, ...] = ()


class DocumentIdentity(Model):
    """Which document this is and whether it holds, as far as the document itself says.

    `status` is its own wording, `state` what that means; `fields` are all it states of itself.
    `heading_number` is there when the first heading bears another number than the file.
    """

    doc_type: str
    number: int | None = None
    status: str | None = None
    state: DocumentState = "unknown"
    date: calendar_date | None = None
    fields: tuple[DocumentField, ...] = ()
    supersedes: tuple[DocumentKey, ...] = ()
    superseded_by: tuple[DocumentKey, ...] = ()
    requires: tuple[DocumentKey, ...] = ()
    is_stub: bool = False
    heading_number: int | None = None
    records: tuple[str, ...] = ()
    """The headings of records that the file holds beside each other; they are not read apart."""

    def stated(self, *roles: FieldRole) -> list[DocumentField]:
        """The fields of these roles, in the order of the roles."""
        return [one for role in roles for one in self.fields if one.role == role]

    @property
    def key(self) -> DocumentKey | None:
        if self.number is None:
            return None
        return DocumentKey(doc_type=self.doc_type, number=self.number)


class RegistryEntry(Model):
    """One row of a registry: what it says of a document, which may be out of date."""

    key: DocumentKey
    title: str
    status: str | None = None
    date: calendar_date | None = None
    owner: str | None = None
    target: str | None = None
    section: str | None = None
    """The heading it stands under."""
    start: int = Field(ge=0)
    end: int = Field(ge=0)
