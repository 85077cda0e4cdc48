"""Results that are kept for texts seen before: so many, and none of a long text.

A service runs for months on what others send. `lru_cache` alone bounds how many texts it keeps
alive and not how long they are.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

Result = TypeVar("Result")
More = ParamSpec("More")
OfText = Callable[Concatenate[str, More], Result]
Keeping = Callable[[OfText[More, Result]], OfText[More, Result]]

SENTENCE_CHARS = 4_000
"""What is longer is no sentence, nor a short text."""
WORD_CHARS = 64


def kept(
    most: int, chars: int = SENTENCE_CHARS
) -> Callable[[OfText[More, Result]], OfText[More, Result]]:
    """For pure functions of a text; those of longer ones are worked out each time."""

    def keeping(call: OfText[More, Result]) -> OfText[More, Result]:
        known = lru_cache(maxsize=most)(call)

        @wraps(call)
        def look(text: str, /, *more: More.args, **named: More.kwargs) -> Result:
            return (known if len(text) <= chars else call)(text, *more, **named)

        return look

    return keeping
