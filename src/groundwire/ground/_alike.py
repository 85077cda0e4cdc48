"""Whether two phrases of a document mean the same: `the water in the oil` after `condensation had
collected in the oil` does.

Near is not the same: `the ledger freed` is near `the ledger was locked`. So only what a sentence
starts from is looked for in what was said before, never what it ends with. The judge reads more: it
finds `There was the stoppage` in `the compressor stopped`, and not in `the cable was gnawed
through`.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.encoder import EmbeddedEmbedder, PairScorer
from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np

_MOST_KEPT = 20_000


class Alike(Protocol):
    def near(self, phrase: str, others: Sequence[str]) -> list[float]:
        """Cosines."""

    def told(self, phrase: str, others: Sequence[str]) -> list[float]:
        """How likely each of the others says that there was what the phrase names."""


class Embedded:
    def __init__(self, embedder: EmbeddedEmbedder, judge: PairScorer) -> None:
        self._embedder = embedder
        self._judge = judge
        self._known: dict[str, np.ndarray[Any, Any]] = {}

    def near(self, phrase: str, others: Sequence[str]) -> list[float]:
        new = [one for one in dict.fromkeys((phrase, *others)) if one not in self._known]
        if len(self._known) + len(new) > _MOST_KEPT:
            self._known.clear()
            new = list(dict.fromkeys((phrase, *others)))
        self._known.update(zip(new, self._embedder.embed(new), strict=True))
        said = self._known[phrase]
        return [float(self._known[one] @ said) for one in others]

    def told(self, phrase: str, others: Sequence[str]) -> list[float]:
        claim = f"There was {phrase[:1].lower()}{phrase[1:]}."
        return [one.support for one in self._judge.score([(claim, other) for other in others])]


@cache
def alike() -> Embedded | None:
    """Where what it runs on is installed."""
    embedder = EmbeddedEmbedder()
    try:
        embedder.embed(["."])
    except MissingExtra:
        return None
    return Embedded(embedder, PairScorer())
