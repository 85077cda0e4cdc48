from collections import Counter
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
        """The characters it covers."""
        return text[self.start : self.end]

    def covers(self, other: "Span") -> bool:
        """Whether all of the other lies within this."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: "Span") -> bool:
        """Whether they share a character."""
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
    "struck_out",
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
        """Whether it leads to no evidence."""
        return self.doc_id is None


class Claim(Model):
    """One verifiable assertion [SPEC-08.07, SPEC-08.08].

    `content` is the assertion made self-contained: split off its conjunction, a safe pronoun
    replaced by its subject. `source` is where it stands in the original text, untouched.
    `preceding` is the sentence before it, where the claim has a pronoun that more than one thing
    agrees with: it is to be judged together with that sentence.
    """

    content: str
    source: Span
    citations: tuple[Citation, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1)
    preceding: str = ""


class Excluded(Model):
    """A span that asserts nothing to verify, and why [SPEC-08.09]."""

    content: str
    source: Span
    reason: ExclusionReason


class Extraction(Model):
    claims: tuple[Claim, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    checked: int = 0
    """Sentences, cells and items that became claims; one may make several."""

    @property
    def coverage(self) -> "Coverage":
        left_out = tuple(
            LeftOut(start=one.source.start, end=one.source.end, reason=one.reason)
            for one in self.excluded
        )
        counts = Counter(one.reason for one in left_out)
        return Coverage(
            sentences=self.checked + len(left_out),
            checked=self.checked,
            left_out=left_out,
            reasons=dict(counts.most_common()),
        )


class LeftOut(Model):
    """A place that was not checked, and why."""

    start: int
    end: int
    reason: ExclusionReason


class Unread(Model):
    """A file that was given and could not be read, and why."""

    path: str
    reason: str


class Coverage(Model):
    """What of a text was checked and what was not: every sentence is one or the other."""

    sentences: int = 0
    checked: int = 0
    left_out: tuple[LeftOut, ...] = ()
    reasons: dict[str, int] = Field(default_factory=dict)
    """How many were left out for each reason, the commonest first."""
    unread: tuple[Unread, ...] = ()

    @property
    def summary(self) -> str:
        """ "14 checked, 3 left out: 2 questions, 1 hedged"."""
        said = f"{self.checked} checked"
        if self.left_out:
            why = [_counted(count, reason) for reason, count in self.reasons.items()]
            said += f", {len(self.left_out)} left out: {', '.join(why)}"
        if self.unread:
            said += f"; {_counted(len(self.unread), 'file')} not read"
        return said


_UNCOUNTED = frozenset({"hedged", "code", "hidden", "meta", "struck_out"})


def _counted(count: int, what: str) -> str:
    return f"{count} {what.replace('_', ' ')}{'s' if count > 1 and what not in _UNCOUNTED else ''}"
