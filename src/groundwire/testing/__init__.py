"""For your tests: parts that answer as told, and servers that speak the real wires."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.testing._anthropic import AnthropicServer
    from groundwire.testing._embedder import HashingEmbedder
    from groundwire.testing._external import ExternalJudgeServer
    from groundwire.testing._gemini import GeminiServer
    from groundwire.testing._models import FailingModel, ReplayingModel, ScriptedModel
    from groundwire.testing._network import NetworkForbidden, forbid_network
    from groundwire.testing._openai import OpenAIServer
    from groundwire.testing._script import (
        Answer,
        Asked,
        Fault,
        FaultKind,
        Reply,
        Responder,
        always,
        failing,
        in_order,
    )
    from groundwire.testing._server import LoopbackServer
    from groundwire.testing._skosmos import Misbehaviour, SkosmosStandIn

__all__ = [
    "Answer",
    "AnthropicServer",
    "Asked",
    "ExternalJudgeServer",
    "FailingModel",
    "Fault",
    "FaultKind",
    "GeminiServer",
    "HashingEmbedder",
    "LoopbackServer",
    "Misbehaviour",
    "NetworkForbidden",
    "OpenAIServer",
    "ReplayingModel",
    "Reply",
    "Responder",
    "ScriptedModel",
    "SkosmosStandIn",
    "always",
    "failing",
    "forbid_network",
    "in_order",
]

__getattr__ = door(
    __name__,
    {
        "_anthropic": "AnthropicServer",
        "_embedder": "HashingEmbedder",
        "_external": "ExternalJudgeServer",
        "_gemini": "GeminiServer",
        "_models": "FailingModel ReplayingModel ScriptedModel",
        "_network": "NetworkForbidden forbid_network",
        "_openai": "OpenAIServer",
        "_script": "Answer Asked Fault FaultKind Reply Responder always failing in_order",
        "_server": "LoopbackServer",
        "_skosmos": "Misbehaviour SkosmosStandIn",
    },
)
