"""A long claim in the parts it asserts: sentences, and the clauses of long ones."""

from groundwire.text._clauses import split_clauses
from groundwire.text._sentences import sentence_ranges

_LONG_SENTENCE_WORDS = 12
_SHORTEST_WORDS = 3


def parts_of(claim: str) -> list[str]:
    """The claim itself where it asserts one thing; never empty."""
    found: list[str] = []
    for start, end in sentence_ranges(claim):
        sentence = claim[start:end]
        if len(sentence.split()) > _LONG_SENTENCE_WORDS:
            found += [clause.content(sentence) for clause in split_clauses(sentence)]
        else:
            found.append(sentence)
    return [part for part in found if len(part.split()) >= _SHORTEST_WORDS] or [claim]
