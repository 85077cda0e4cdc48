"""The embedded model: scores pairs and embeds texts with shipped weights, offline."""

from groundwire.encoder._adapter import Change, adapter_file, adapter_gguf, read_changes
from groundwire.encoder._models import EmbeddedEmbedder, Embedder, PairScorer, Scores, make_embedder
from groundwire.encoder._weights import card

__all__ = [
    "Change",
    "EmbeddedEmbedder",
    "Embedder",
    "PairScorer",
    "Scores",
    "adapter_file",
    "adapter_gguf",
    "card",
    "make_embedder",
    "read_changes",
]
