from datetime import date as calendar_date
from typing import Literal

from pydantic import Field

from groundwire.model._base import Model

DocumentFormat = Literal["markdown", "text", "html", "pdf", "docx"]


class Document(Model):
    """A source as text. Every offset anywhere is a character of `text`.

    Markdown and plain text are kept as they stand in the file; HTML and DOCX are written out as
    Markdown, so that headings, lists and tables keep their shape. `pages` are the offsets where
    the pages of a PDF begin, `body_start` is where front matter ends.
    """

    doc_id: str
    title: str
    text: str
    format: DocumentFormat
    metadata: dict[str, str] = Field(default_factory=dict)
    pages: tuple[int, ...] = ()
    body_start: int = 0
    sha256: str
    """Of the bytes that were read, to tell whether a file has changed."""


class DocumentKey(Model):
    """What identifies a document: numbers of different types overlap [S3]."""

    doc_type: str
    number: int = Field(ge=0)

    def __str__(self) -> str:
        return f"{self.doc_type} {self.number}"


class DocumentIdentity(Model):
    """Which document this is and whether it holds, as far as the document itself says.

    `heading_number` is there when the first heading bears another number than the file.
    """

    doc_type: str
    number: int | None = None
    status: str | None = None
    date: calendar_date | None = None
    superseded_by: tuple[DocumentKey, ...] = ()
    is_stub: bool = False
    heading_number: int | None = None

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
    target: str | None = None
    start: int = Field(ge=0)
    end: int = Field(ge=0)
