"""The embedded model: scores pairs and embeds texts with shipped weights, offline."""

from groundwire.encoder._embedder import EmbeddedEmbedder, Embedder, make_embedder
from groundwire.encoder._scorer import PairScorer, Scores
from groundwire.encoder._weights import card

__all__ = ["EmbeddedEmbedder", "Embedder", "PairScorer", "Scores", "card", "make_embedder"]
