"""Question to words: routing, lists, quotes, drafts that were verified, clarification."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.answer._answerer import Answerer, open_answerer
    from groundwire.answer._documents import Documents
    from groundwire.answer._draft import Drafter, DraftVerifier, LLMDrafter
    from groundwire.answer._route import Plan, Router

__all__ = [
    "Answerer",
    "Documents",
    "DraftVerifier",
    "Drafter",
    "LLMDrafter",
    "Plan",
    "Router",
    "open_answerer",
]

__getattr__ = door(
    __name__,
    {
        "_answerer": "Answerer open_answerer",
        "_documents": "Documents",
        "_draft": "Drafter DraftVerifier LLMDrafter",
        "_route": "Plan Router",
    },
)
