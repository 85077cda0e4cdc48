from typing import Literal

from pydantic import Field

from groundwire.model._base import Model
from groundwire.model._text import Span

ExclusionReason = Literal[
    "question",
    "instruction",
    "greeting",
    "hedged",
    "opinion",
    "heading",
    "code",
    "meta",
    "abstention",
    "fragment",
]


class Citation(Model):
    """A reference the text makes, and the evidence it leads to, if any."""

    marker: str
    span: Span
    target: str
    doc_id: str | None = None

    @property
    def is_phantom(self) -> bool:
        return self.doc_id is None


class Claim(Model):
    """One verifiable assertion [SPEC-08.07, SPEC-08.08].

    `content` is the assertion made self-contained: split off its conjunction, a safe pronoun
    replaced by its subject. `source` is where it stands in the original text, untouched.
    """

    content: str
    source: Span
    citations: tuple[Citation, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1)


class Excluded(Model):
    """A span that asserts nothing to verify, and why [SPEC-08.09]."""

    content: str
    source: Span
    reason: ExclusionReason


class Extraction(Model):
    claims: tuple[Claim, ...] = ()
    excluded: tuple[Excluded, ...] = ()
