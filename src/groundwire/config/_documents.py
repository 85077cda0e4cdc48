"""Settings of documents, vocabularies and answers."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import SecretStr

from groundwire.config._section import (
    Address,
    Duration,
    OneIsAList,
    Section,
    Share,
    address,
    duration,
    nested,
    secret,
    setting,
)


class Threshold(Section):
    """What a passage of one collection must reach to count as found [S3 Gap B]."""

    distance_threshold: float = setting(
        0.50, "The largest cosine distance to the question.", ge=0, le=2, loosens="higher"
    )
    min_query_coverage: Share = setting(
        0.20, "The least share of the question's words in it.", loosens="lower"
    )


_COLLECTIONS: Any = {
    "adr": {"distance_threshold": 0.45, "min_query_coverage": 0.20},
    "vocabulary": {"distance_threshold": 0.35, "min_query_coverage": 0.30},
    "principle": {"distance_threshold": 0.50, "min_query_coverage": 0.15},
    "policy": {"distance_threshold": 0.50, "min_query_coverage": 0.20},
}


class ThresholdsSection(Section):
    """The shape of `thresholds.yaml`; see `evidence.thresholds_file`."""

    collections: dict[str, Threshold] = setting(
        _COLLECTIONS,
        "Thresholds of named collections: distance_threshold, min_query_coverage.",
    )
    default: Threshold = nested()
    abstain_below: Share | None = setting(
        None, "Replaces `evidence.abstain_below`; `gw eval tune` can choose it.", loosens="lower"
    )

    def of(self, collection: str) -> Threshold:
        return self.collections.get(collection, self.default)


class EmbeddingServiceSection(Section):
    """An OpenAI-compatible embedding service."""

    url: Address = address(
        "Where the service is; `/embeddings` is added to it.", default="http://localhost:11434/v1"
    )
    model: str = setting("nomic-embed-text", "The service's name of the model.")
    key: SecretStr | None = secret("Its key, where it asks for one.")
    timeout: Duration = duration("10s", "The longest one request may take.", loosens="never")
    batch_size: int = setting(64, "Texts in one request.", ge=1, le=2048, loosens="never")


class EvidenceSection(Section):
    """Documents: how they are sorted, indexed and found."""

    index: Path | None = setting(
        None, "The index file; unset: `index.sqlite` in the home directory."
    )
    collections: dict[str, list[str]] = setting(
        {},
        "Collection names and the path patterns that belong to each, first fit wins.",
        loosens="never",
    )
    prefixes: dict[str, str] = setting(
        {"ADR": "adr", "PCP": "principle", "PRIN": "principle", "POL": "policy"},
        "Letters before a document's number, and the collection they mean.",
        loosens="never",
    )
    embedder: Literal["embedded", "service", "off"] = setting(
        "embedded",
        "What turns text into vectors; `off`: BM25 alone.",
        loosens=("off", "embedded", "service"),
    )
    service: EmbeddingServiceSection = nested()
    thresholds: ThresholdsSection = nested()
    thresholds_file: Path | None = setting(None, "A YAML file that replaces `evidence.thresholds`.")
    abstain_below: Share = setting(
        0.6, "Answers with less confidence become abstentions.", loosens="lower"
    )


TermSource = Literal["local", "skosmos"]


class SkosmosSection(Section):
    """A vocabulary server. Nothing is asked of one until `base_url` is set."""

    base_url: Address | None = address(
        "Where its REST interface is, as in https://vocabulary.example/rest/v1."
    )
    vocabulary: str | None = setting(
        None,
        "Id of the vocabulary to ask; unset: all of them, which is much slower.",
        loosens="never",
    )
    language: str | None = setting(
        None, "Only labels in this language; unset: in any.", loosens="never"
    )
    timeout: Duration = duration(
        "300ms", "The longest one lookup may take, over all its calls.", loosens="never"
    )
    cache_ttl: Duration = duration(
        "10m",
        "How long a definition is reused; a miss is reused for a tenth of it.",
        loosens="higher",
    )
    cache_max_size: int = setting(5_000, "Terms kept in the cache.", ge=1, loosens="never")


class TermsSection(Section):
    """Where definitions come from."""

    vocabulary: Annotated[list[Path], OneIsAList] = setting(
        [], "SKOS files, or folders of them, in Turtle, RDF/XML or JSON-LD.", loosens="never"
    )
    added: bool = setting(
        True,
        "Whether the files that `gw vocabulary add` keeps are used besides these.",
        loosens="on",
    )
    sources: list[TermSource] = setting(
        ["local", "skosmos"],
        "Who is asked, in this order, until one knows the term.",
        loosens="longer",
    )
    languages: Annotated[list[str], OneIsAList] = setting(
        ["en"],
        "Languages of definitions, best first, after the one the term was found in.",
        loosens="never",
    )
    suggestions: int = setting(
        3, "Similar terms offered when one is not found.", ge=0, le=20, loosens="never"
    )
    test_triggers: bool = setting(
        False,
        "Terms reserved for tests (TEST_TIMEOUT_TRIGGER) simulate a slow server.",
        loosens="on",
    )
    skosmos: SkosmosSection = nested()


class AnswerSection(Section):
    """How questions over documents are answered."""

    drafting: Literal["auto", "quotes", "llm"] = setting(
        "auto",
        "`quotes`: verbatim passages only; `llm`: a language model's words, verified; "
        "`auto`: `llm` where `llm.model` is set.",
        loosens=("quotes", "auto", "llm"),
    )
    unsupported: Literal["cut", "mark"] = setting(
        "cut",
        "What becomes of a drafted sentence the evidence does not support.",
        loosens=("cut", "mark"),
    )
    max_quotes: int = setting(3, "Quotes an answer is made of.", ge=1, le=10, loosens="never")
    passages: int = setting(8, "Passages looked at for an answer.", ge=1, le=50, loosens="never")
    judged_passages: int = setting(
        8,
        "Of these, the best are read together with the question, about 20 ms each.",
        ge=1,
        le=50,
        loosens="never",
    )
    suggestions: int = setting(
        3, "Documents offered when there is no answer.", ge=0, le=20, loosens="never"
    )
