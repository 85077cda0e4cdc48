"""The same conversation without a model: questions it can read, and no others."""

import re

from groundwire.agents._orchestrator import ChatTurn
from groundwire.agents._tools import Tool
from groundwire.ground import read_causal

_WHY = re.compile(
    r"^\s*(?:why|what\s+(?:causes?|caused|leads?\s+to|led\s+to|triggers?|triggered))\s+"
    r"(?:(?:do|does|did|is|was|are|were)\s+)?(?P<effect>.+?)\s*(?:happen|occur)?\s*\?*\s*$",
    re.IGNORECASE,
)
_LEADING_VERB = re.compile(
    r"^(?:do|does|did|is|was|are|were|can|could|has|have|is\s+it\s+true\s+that)\s+", re.IGNORECASE
)
_HELP = 'I read "Does A cause B?", "Is B caused by A?" and "Why B?".'


class PlainConversation:
    def __init__(self, verify_edge: Tool, causes_of: Tool | None = None) -> None:
        self._verify_edge = verify_edge
        self._causes_of = causes_of

    async def ask(self, question: str) -> ChatTurn:
        edge = _edge_in(question)
        if edge is not None:
            result = await self._verify_edge.call({"cause": edge[0], "effect": edge[1]})
        elif self._causes_of is not None and (why := _WHY.match(question)):
            result = await self._causes_of.call({"effect": why["effect"]})
        else:
            return ChatTurn(question=question, answer=f"I don't know what you ask. {_HELP}")
        return ChatTurn(question=question, answer=result.facts, results=(result,))


def _edge_in(question: str) -> tuple[str, str] | None:
    """The two ends of a question like `Does a memory leak cause restarts?`."""
    statement = _LEADING_VERB.sub("", question.strip()).rstrip("? ")
    for text in (question, statement, f"{statement}."):
        for reading in read_causal(text):
            if reading.relation != "correlates":
                cause = _LEADING_VERB.sub("", reading.cause)
                return cause, _LEADING_VERB.sub("", reading.effect)
    return None
