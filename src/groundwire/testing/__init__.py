"""For tests of Groundwire and of programs that use it: parts that answer as told."""

from groundwire.testing._embedder import HashingEmbedder

__all__ = ["HashingEmbedder"]
