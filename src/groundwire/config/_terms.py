from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from groundwire.config._address import Address, address
from groundwire.config._duration import Duration, parse_duration
from groundwire.config._section import OneIsAList, Section

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
