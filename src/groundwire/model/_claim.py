from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Model(BaseModel):
    """Base of everything that flows: immutable, and strict about its own fields."""

    # schemas are built at first use: a command loads many models and uses few
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Span(Model):
    """A half-open range of characters: `text[start:end]`."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"a span cannot end ({self.end}) before it starts ({self.start})")
        return self

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def covers(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


ExclusionReason = Literal[
    "question",
    "instruction",
    "greeting",
    "hedged",
    "opinion",
    "heading",
    "code",
    "hidden",
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
