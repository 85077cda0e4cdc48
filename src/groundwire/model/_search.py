from typing import Literal

from pydantic import Field

from groundwire.model._base import Model
from groundwire.model._evidence import EvidenceBundle
from groundwire.model._quality import RetrievalQuality

SearchMethod = Literal["hybrid", "bm25"]


class SearchResult(Model):
    """What a search found. `hits` are best first, and all reach their collection's thresholds.

    `below_threshold` counts passages that were found but not near enough to count.
    """

    query: str
    method: SearchMethod
    collections: tuple[str, ...]
    hits: tuple[EvidenceBundle, ...] = ()
    below_threshold: int = 0
    base_score: float = Field(ge=0, le=1)
    quality: RetrievalQuality
