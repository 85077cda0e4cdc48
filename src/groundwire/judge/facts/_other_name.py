"""Whether a claim is about a thing of the same kind as the evidence's, by another name.

"The Sorrel wind farm has 18 turbines" is not shown by "The Hollin wind farm has 18 turbines", and
not refuted by it either. Only a name that the evidence does not have at all speaks, and only beside
the very noun that the evidence has beside another name.
"""

from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.text import STOP_WORDS, stem
from groundwire.values import Name

_SIDES = (1, -1)
_OF_A_COUNTRY = ("an", "ish", "ese", "ch")


def is_of_another_name(claim: Sentence, evidence: IndexedEvidence) -> bool:
    return any(_is_another(claim, index, name, evidence) for index, name in claim.named)


def _is_another(claim: Sentence, index: int, name: Name, evidence: IndexedEvidence) -> bool:
    first, _ = claim.token_span(index)
    words = [stem(word) for word in name.words if word not in STOP_WORDS]
    kinds = {(side, _beside(claim, index, side)) for side in _SIDES}
    if not first and words:  # "Project Linnet ended": what opens a sentence has a capital anyway
        kinds.add((-1, words.pop(0)))
    is_initials = name.text.isupper()  # "EU law" may be European law, "American" the USA's
    is_adjective = len(name.words) == 1 and name.text.endswith(_OF_A_COUNTRY)
    if not words or is_initials or is_adjective or any(map(evidence.knows, words)):
        return False
    return any(
        (noun := _beside(sentence, place, side)) and (side, noun) in kinds
        for sentence in evidence.sentences
        for place, _ in sentence.named
        for side in _SIDES
    )


def _beside(sentence: Sentence, index: int, side: int) -> str:
    """The noun right after a name or right before it; of another name nothing."""
    first, last = sentence.token_span(index)
    place = last + 1 if side > 0 else first - 1
    found = next((word.stem for word in sentence.words if word.place == place), "")
    return "" if sentence.is_name(found) else found
