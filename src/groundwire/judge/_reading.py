"""Where in a model's output its answers stand, and what else it might have said there. Pure."""

import re
from collections.abc import Sequence

from groundwire.judge._answers import Masses, masses
from groundwire.llm import TokenPosition

_ANSWER = re.compile(r'"answer"\s*:\s*"')


def first_word(positions: Sequence[TokenPosition]) -> TokenPosition | None:
    """The first token that is not blank."""
    return next((position for position in positions if position.token.strip()), None)


def masses_at_answers(text: str, positions: Sequence[TokenPosition]) -> list[Masses] | None:
    """The masses at each `"answer": "…"` of an output held to a schema, in order.

    `None` when the tokens do not spell the text, so that no answer gets another's masses. Blanks
    and what a server cuts off around the text, such as thoughts, may stand in the tokens only.
    """
    start = "".join(position.token for position in positions).find(text)
    if start < 0 or not text:
        return None
    found = []
    for match in _ANSWER.finditer(text):
        position = _covering(positions, start + match.end())
        if position is None:
            return None
        found.append(masses(position.top, constrained=True))
    return found


def _covering(positions: Sequence[TokenPosition], offset: int) -> TokenPosition | None:
    """The token in which the character at `offset` stands."""
    end = 0
    for position in positions:
        end += len(position.token)
        if end > offset:
            return position
    return None
