"""For your tests: parts that answer as told, and servers that speak the real wires."""

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
