from typing import Literal

from pydantic import Field

from groundwire.model._claim import Model
from groundwire.model._evidence import EvidenceBundle, RetrievalTrace
from groundwire.model._outcome import Outcome

TermOutcome = Literal["found", "ambiguous", "no_definition", "not_found", "timeout", "error"]

TermReason = Literal[
    "terminology_ambiguous",
    "terminology_no_definition",
    "terminology_not_found",
    "terminology_timeout",
    "terminology_error",
]

LabelKind = Literal["preferred", "alternative", "hidden"]


class ConceptLink(Model):
    uri: str
    label: str


class Concept(Model):
    """One entry of a vocabulary, in the language that fits the question best.

    `matched_label` is the label by which it was found. A deprecated concept carries the one that
    took its place, where the vocabulary names it.
    """

    uri: str
    label: str
    lang: str | None = None
    matched_label: str | None = None
    matched_kind: LabelKind | None = None
    definition: str | None = None
    definition_lang: str | None = None
    scope_note: str | None = None
    alternative_labels: tuple[str, ...] = ()
    broader: tuple[ConceptLink, ...] = ()
    narrower: tuple[ConceptLink, ...] = ()
    related: tuple[ConceptLink, ...] = ()
    notation: str | None = None
    vocabulary: str | None = None
    deprecated: bool = False
    successor: "Concept | None" = None


class SKOSMOSResult(Model):
    """What a vocabulary, local or on a server, says about a term [S3 Gap A].

    `definition` is there only when there is exactly one: with several, `concepts` holds them all
    and nobody has chosen. `source_uri` is the concept the definition stands under.
    """

    found: bool
    definition: str | None = None
    source_uri: str | None = None
    cached: bool = False
    latency_ms: int = 0
    outcome: Literal["found", "ambiguous", "no_definition", "not_found"]
    term: str
    backend: str
    concepts: tuple[Concept, ...] = ()

    def evidence(self) -> EvidenceBundle | None:
        """The definition as evidence, under the address of its concept."""
        if self.definition is None or self.source_uri is None:
            return None
        trace = RetrievalTrace(method=f"vocabulary:{self.backend}", query=self.term)
        return EvidenceBundle.of(
            self.definition, self.source_uri, title=self.concepts[0].label, retrieval=trace
        )


class TermSourceCited(Model):
    """Where a definition comes from, in the shape answers cite their sources."""

    doc_type: Literal["vocabulary"] = "vocabulary"
    doc_id: str
    title: str
    quote: str
    start: int = Field(default=0, ge=0)
    end: int = Field(ge=0)
    name: str


class TermReport(Outcome):
    """The outcome of asking for a term: a definition, a choice, or an abstention."""

    outcome: TermOutcome
    term: str
    definition: str | None = None
    sources: tuple[TermSourceCited, ...] = ()
    concepts: tuple[Concept, ...] = ()
    reason: TermReason | None = None
    cached: bool = False
    latency_ms: int = 0
    fallback_flags: tuple[str, ...] = ()
