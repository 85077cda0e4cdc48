"""What is searched for: for an edge, against it, and the other way round [S1 step 3]."""

import re
from collections.abc import Collection

from groundwire.ground._roots import spelled_apart
from groundwire.ground._types import Hypothesis
from groundwire.model import EvidenceSide, Variable
from groundwire.text import content_terms

_WORD = re.compile(r"\w+")
_SMALL = frozenset(
    """a an and are as at be been by did do does for from had has have how in into is it its of on
    or so that the their there these this to was were what when where which why with""".split()
)


def normal_form(query: str) -> str:
    """Lower case, no punctuation, no stop words: `The effect of X?` is `effect x`."""
    return " ".join(word for word in _WORD.findall(query.casefold()) if word not in _SMALL)


def side_queries(hypothesis: Hypothesis) -> dict[EvidenceSide, str]:
    cause, effect = _spelled(hypothesis.cause), _spelled(hypothesis.effect)
    return {
        "support": f"{cause} causes {effect}",
        "refute": f"{effect} not caused by {cause}",
        "reversed": f"{effect} causes {cause}",
    }


def refinement(hypothesis: Hypothesis, attempted: Collection[str]) -> str | None:
    """Another way to ask, by rule: the first rewriting that has not been tried."""
    for query in _rewritings(hypothesis):
        if normal_form(query) not in attempted:
            return query
    return None


def _rewritings(hypothesis: Hypothesis) -> list[str]:
    cause, effect = hypothesis.cause, hypothesis.effect
    return [
        f"{_other_name(effect)} because of {_other_name(cause)}",
        f"{effect.label} due to {cause.label} root cause",
        f"{_heads(cause)} led to {_heads(effect)}",
    ]


def _spelled(variable: Variable) -> str:
    """An identifier together with its words: texts write either."""
    apart = spelled_apart(variable.label)
    return variable.label if apart == variable.label else f"{variable.label} {apart}"


def _other_name(variable: Variable) -> str:
    return variable.aliases[0] if variable.aliases else variable.label


def _heads(variable: Variable) -> str:
    """The last two words that carry a name: what it is, without what sort of it."""
    return " ".join(content_terms(variable.label)[-2:]) or variable.label
