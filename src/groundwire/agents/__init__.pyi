from groundwire.agents._chat import (
    ChatTurn as ChatTurn,
    Orchestrator as Orchestrator,
    open_conversation as open_conversation,
)
from groundwire.agents._feedback import (
    anthropic_feedback as anthropic_feedback,
    correction_text as correction_text,
    feedback_text as feedback_text,
    mcp_feedback as mcp_feedback,
    openai_feedback as openai_feedback,
)
from groundwire.agents._hook_agents import HOOK_AGENTS as HOOK_AGENTS, Scope as Scope
from groundwire.agents._installed import (
    HookOutcome as HookOutcome,
    hook_command_of as hook_command_of,
    hook_status as hook_status,
    install_hook as install_hook,
    uninstall_hook as uninstall_hook,
)
from groundwire.agents._rehearsal import Scene as Scene, rehearse_hook as rehearse_hook
from groundwire.agents._retry import (
    Feedback as Feedback,
    RetryPolicy as RetryPolicy,
    Work as Work,
    with_verification as with_verification,
)
from groundwire.agents._terse import Terse as Terse
from groundwire.agents._toolbox import (
    ToolFunction as ToolFunction,
    engine_tools as engine_tools,
    is_verdict as is_verdict,
)
from groundwire.agents._tools import Tool as Tool
