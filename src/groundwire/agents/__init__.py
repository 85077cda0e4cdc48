"""With agents: retry with feedback, message formats, the stop hook, a conversation with tools."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.agents._chat import (
        ChatTurn,
        Conversation,
        Orchestrator,
        PlainConversation,
        Step,
        open_conversation,
    )
    from groundwire.agents._retry import (
        Attempt,
        Feedback,
        RetryPolicy,
        VerifiedRun,
        Work,
        anthropic_feedback,
        feedback_text,
        mcp_feedback,
        openai_feedback,
        with_verification,
    )
    from groundwire.agents._tools import Tool, ToolResult, causes_of_tool, verify_edge_tool

__all__ = [
    "Attempt",
    "ChatTurn",
    "Conversation",
    "Feedback",
    "Orchestrator",
    "PlainConversation",
    "RetryPolicy",
    "Step",
    "Tool",
    "ToolResult",
    "VerifiedRun",
    "Work",
    "anthropic_feedback",
    "causes_of_tool",
    "feedback_text",
    "mcp_feedback",
    "open_conversation",
    "openai_feedback",
    "verify_edge_tool",
    "with_verification",
]

__getattr__ = door(
    __name__,
    {
        "_chat": "ChatTurn Conversation Orchestrator PlainConversation Step open_conversation",
        "_retry": """
            Attempt Feedback RetryPolicy VerifiedRun Work anthropic_feedback feedback_text
            mcp_feedback openai_feedback with_verification
        """,
        "_tools": "Tool ToolResult causes_of_tool verify_edge_tool",
    },
)
