"""Settings of documents, vocabularies and answers."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from groundwire.config._section import (
    Address,
    Duration,
    OneIsAList,
    Section,
    address,
    parse_duration,
    secret,
)


class Threshold(Section):
    """What a passage of one collection must reach to count as found [S3 Gap B]."""

    distance_threshold: float = Field(
        default=0.50, ge=0, le=2, description="The largest cosine distance to the question."
    )
    min_query_coverage: float = Field(
        default=0.20, ge=0, le=1, description="The least share of the question's words in it."
    )


class ThresholdsSection(Section):
    """The shape of `thresholds.yaml`; see `evidence.thresholds_file`."""

    collections: dict[str, Threshold] = Field(
        default={
            "adr": Threshold(distance_threshold=0.45, min_query_coverage=0.20),
            "vocabulary": Threshold(distance_threshold=0.35, min_query_coverage=0.30),
            "principle": Threshold(distance_threshold=0.50, min_query_coverage=0.15),
            "policy": Threshold(distance_threshold=0.50, min_query_coverage=0.20),
        },
        description="Thresholds of named collections: distance_threshold, min_query_coverage.",
    )
    default: Threshold = Threshold()

    def of(self, collection: str) -> Threshold:
        return self.collections.get(collection, self.default)


class EmbeddingServiceSection(Section):
    """An OpenAI-compatible embedding service."""

    url: Address = address(
        "Where the service is; `/embeddings` is added to it.", default="http://localhost:11434/v1"
    )
    model: str = Field(default="nomic-embed-text", description="The service's name of the model.")
    key: SecretStr | None = secret(
        "Its key, where it asks for one.", sent_to="evidence.service.url"
    )
    timeout: Duration = Field(
        default=parse_duration("10s"), description="The longest one request may take."
    )
    batch_size: int = Field(default=64, ge=1, le=2048, description="Texts in one request.")


class EvidenceSection(Section):
    """Documents: how they are sorted, indexed and found."""

    index: Path | None = Field(
        default=None, description="The index file; unset: `index.sqlite` in the home directory."
    )
    collections: dict[str, list[str]] = Field(
        default={},
        description="Collection names and the path patterns that belong to each, first fit wins.",
    )
    prefixes: dict[str, str] = Field(
        default={"ADR": "adr", "PCP": "principle", "PRIN": "principle", "POL": "policy"},
        description="Letters before a document's number, and the collection they mean.",
    )
    embedder: Literal["embedded", "service", "off"] = Field(
        default="embedded", description="What turns text into vectors; `off`: BM25 alone."
    )
    service: EmbeddingServiceSection = EmbeddingServiceSection()
    thresholds: ThresholdsSection = ThresholdsSection()
    thresholds_file: Path | None = Field(
        default=None, description="A YAML file that replaces `evidence.thresholds`."
    )
    abstain_below: float = Field(
        default=0.6, ge=0, le=1, description="Answers with less confidence become abstentions."
    )


TermSource = Literal["local", "skosmos"]


class SkosmosSection(Section):
    """A vocabulary server. Nothing is asked of one until `base_url` is set."""

    base_url: Address | None = address(
        "Where its REST interface is, as in https://vocabulary.example/rest/v1."
    )
    vocabulary: str | None = Field(
        default=None,
        description="Id of the vocabulary to ask; unset: all of them, which is much slower.",
    )
    language: str | None = Field(
        default=None, description="Only labels in this language; unset: in any."
    )
    timeout: Duration = Field(
        default=parse_duration("300ms"),
        description="The longest one lookup may take, over all its calls.",
    )
    cache_ttl: Duration = Field(
        default=parse_duration("10m"),
        description="How long a definition is reused; a miss is reused for a tenth of it.",
    )
    cache_max_size: int = Field(default=5_000, ge=1, description="Terms kept in the cache.")


class TermsSection(Section):
    """Where definitions come from."""

    vocabulary: Annotated[list[Path], OneIsAList] = Field(
        default=[],
        description="SKOS files, or folders of them, in Turtle, RDF/XML or JSON-LD.",
    )
    sources: list[TermSource] = Field(
        default=["local", "skosmos"],
        description="Who is asked, in this order, until one knows the term.",
    )
    languages: Annotated[list[str], OneIsAList] = Field(
        default=["en"],
        description="Languages of definitions, best first, after the one the term was found in.",
    )
    suggestions: int = Field(
        default=3, ge=0, le=20, description="Similar terms offered when one is not found."
    )
    test_triggers: bool = Field(
        default=False,
        description="Terms reserved for tests (TEST_TIMEOUT_TRIGGER) simulate a slow server.",
    )
    skosmos: SkosmosSection = SkosmosSection()


class AnswerSection(Section):
    """How questions over documents are answered."""

    drafting: Literal["auto", "quotes", "llm"] = Field(
        default="auto",
        description="`quotes`: verbatim passages only; `llm`: a language model's words, verified; "
        "`auto`: `llm` where `llm.model` is set.",
    )
    unsupported: Literal["cut", "mark"] = Field(
        default="cut",
        description="What becomes of a drafted sentence the evidence does not support.",
    )
    max_quotes: int = Field(default=3, ge=1, le=10, description="Quotes an answer is made of.")
    passages: int = Field(default=8, ge=1, le=50, description="Passages looked at for an answer.")
    suggestions: int = Field(
        default=3, ge=0, le=20, description="Documents offered when there is no answer."
    )
