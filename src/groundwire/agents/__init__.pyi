from groundwire.agents._chat import (
    ChatTurn as ChatTurn,
    Conversation as Conversation,
    Orchestrator as Orchestrator,
    PlainConversation as PlainConversation,
    Step as Step,
    open_conversation as open_conversation,
)
from groundwire.agents._retry import (
    Attempt as Attempt,
    Feedback as Feedback,
    RetryPolicy as RetryPolicy,
    VerifiedRun as VerifiedRun,
    Work as Work,
    anthropic_feedback as anthropic_feedback,
    feedback_text as feedback_text,
    mcp_feedback as mcp_feedback,
    openai_feedback as openai_feedback,
    with_verification as with_verification,
)
from groundwire.agents._tools import (
    Tool as Tool,
    ToolResult as ToolResult,
    causes_of_tool as causes_of_tool,
    verify_edge_tool as verify_edge_tool,
)
