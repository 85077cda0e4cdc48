from typing import Literal

from pydantic import Field

from groundwire.model._base import Model

DocumentFormat = Literal["markdown", "text", "html", "pdf", "docx"]


class Document(Model):
    """A source as text. Every offset anywhere is a character of `text`.

    Markdown and plain text are kept as they stand in the file; HTML and DOCX are written out as
    Markdown, so that headings, lists and tables keep their shape. `pages` are the offsets where
    the pages of a PDF begin.
    """

    doc_id: str
    title: str
    text: str
    format: DocumentFormat
    metadata: dict[str, str] = Field(default_factory=dict)
    pages: tuple[int, ...] = ()
    sha256: str
    """Of the bytes that were read, to tell whether a file has changed."""
