"""For tests of Groundwire and of programs that use it: parts that answer as told."""

from groundwire.testing._embedder import HashingEmbedder
from groundwire.testing._skosmos import Misbehaviour, SkosmosStandIn

__all__ = ["HashingEmbedder", "Misbehaviour", "SkosmosStandIn"]
