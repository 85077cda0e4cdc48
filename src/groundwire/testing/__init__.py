"""For the tests of applications: stand-ins that speak the real formats."""

from groundwire.testing._skosmos import Misbehaviour, SkosmosStandIn

__all__ = ["Misbehaviour", "SkosmosStandIn"]
