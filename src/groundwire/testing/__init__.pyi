from groundwire.testing._anthropic import AnthropicServer as AnthropicServer
from groundwire.testing._gemini import GeminiServer as GeminiServer
from groundwire.testing._models import (
    FailingModel as FailingModel,
    ReplayingModel as ReplayingModel,
    ScriptedModel as ScriptedModel,
)
from groundwire.testing._openai import OpenAIServer as OpenAIServer
from groundwire.testing._responses import ResponsesServer as ResponsesServer
from groundwire.testing._script import (
    Answer as Answer,
    Asked as Asked,
    Fault as Fault,
    FaultKind as FaultKind,
    Reply as Reply,
    Responder as Responder,
    ToolUse as ToolUse,
    agent_turns as agent_turns,
    always as always,
    failing as failing,
    in_order as in_order,
)
from groundwire.testing._server import LoopbackServer as LoopbackServer
from groundwire.testing._skosmos import (
    Misbehaviour as Misbehaviour,
    SkosmosStandIn as SkosmosStandIn,
)
from groundwire.testing._stand_ins import (
    ExternalJudgeServer as ExternalJudgeServer,
    HashingEmbedder as HashingEmbedder,
    NetworkForbidden as NetworkForbidden,
    forbid_network as forbid_network,
)
