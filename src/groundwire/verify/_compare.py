"""Two statements side by side: what one says of the other, with no verdict on either."""

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.errors import BackendError
from groundwire.judge import CachedJudge, Question, check_values
from groundwire.values import spelled_as_in


class Compared(NamedTuple):
    """Of a claim, with another statement as its only evidence."""

    supported: float
    refuted: float
    """Nought of a judge that does not tell "opposed" from "silent"."""
    by_value: bool
    """Whether a value of the claim is another one there."""


async def compare(pairs: Sequence[tuple[str, str]], judge: CachedJudge) -> list[Compared]:
    """Of each (claim, evidence); the first failure of the judge is raised."""
    questions = [
        Question(claim=spelled_as_in(claim, other), context=other) for claim, other in pairs
    ]
    found = []
    for (claim, other), judged in zip(pairs, await judge.ask(questions), strict=True):
        if isinstance(judged.answer, BackendError):
            raise judged.answer
        values = check_values(claim, [other])
        by_value = any(one.relation == "contradicted" for one in values)
        found.append(Compared(judged.answer.p, judged.answer.refute or 0.0, by_value))
    return found
