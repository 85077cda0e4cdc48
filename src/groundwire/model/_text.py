from typing import Self

from pydantic import Field, model_validator

from groundwire.model._base import Model


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
