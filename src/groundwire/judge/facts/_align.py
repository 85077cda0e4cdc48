"""Whether a sentence says what a claim says, but for one value.

Everything here errs to silence: what is not certainly the same slot is no alignment.
"""

from collections.abc import Callable, Sequence

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._derive import may_state, word_coverage
from groundwire.judge.facts._match import slot_score
from groundwire.judge.facts._relation import comparable, conflicts, may_be_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.text import STOP_WORDS, stem
from groundwire.values import Name, Quantity, Value

_INDIRECT = frozenset(stem(word) for word in ("someone", "somebody", "something"))

Knows = Callable[[str], bool]
"""Whether the evidence has a word anywhere."""
_Placed = tuple[int, Value]


def align(claim: Sentence, index: int, sentence: Sentence, knows: Knows) -> tuple[int, int] | None:
    """How surely, and with which value, a sentence answers what the claim's does, and differs."""
    tuned = judge_calibration().values
    coverage = word_coverage(claim, sentence)
    if coverage < tuned.least_coverage_if_close:
        return None
    claimed = claim.value(index)
    rivals = [placed for placed in sentence.values if comparable(claimed, placed[1])]
    free = _free(claim, index, rivals)
    differing = [placed for placed in free if conflicts(claimed, placed[1])]
    if not differing or may_state(claimed, sentence):
        return None
    if not says_the_same(claim, index, sentence, knows):
        return None
    best, place, margin = _best(claim, index, sentence, differing)
    is_close = coverage >= tuned.least_coverage
    needed = tuned.least_score if is_close else tuned.least_score_if_reworded
    if len(free) > 1:
        needed = max(needed, tuned.least_score_among_several)
        if not margin or sentence.is_repeated:
            return None
    if best < needed or _are_listed(claim.slot(index), sentence, rivals):
        return None
    return best, place


def _best(
    claim: Sentence, index: int, sentence: Sentence, differing: Sequence[_Placed]
) -> tuple[int, int, int]:
    """The best score, whose it is, and how far the next one lies behind."""
    scores = [(slot_score(claim, index, sentence, place), place) for place, _ in differing]
    (best, place), *others = sorted(scores, reverse=True)
    return best, place, best - (others[0][0] if others else 0)


def _free(claim: Sentence, index: int, rivals: Sequence[_Placed]) -> list[_Placed]:
    """The rivals that are left when the claim's other values have taken theirs."""
    others = [value for other, value in claim.values if other != index]
    return [placed for placed in rivals if not any(may_be_same(v, placed[1]) for v in others)]


def _are_listed(asked: Slot, sentence: Sentence, rivals: Sequence[_Placed]) -> bool:
    """ "the 1952 Olympics, the 1956 Olympics and the 1960 Olympics": any of them would do."""
    alike = [place for place, _ in rivals if sentence.slot(place).right[:1] == asked.right[:1]]
    return len(alike) > 1 and bool(asked.right)


def says_the_same(claim: Sentence, index: int, sentence: Sentence, knows: Knows) -> bool:
    """Whether all else in the claim agrees: its names, its other values, whether it denies."""
    return (
        claim.is_negated == sentence.is_negated
        and claim.stems.isdisjoint(_INDIRECT)
        and _has_opening(claim, index, sentence)
        and all(_is_known(v, sentence, knows) for i, v in claim.named if i != index)
        and all(_agrees(value, sentence) for i, value in claim.values if i != index)
    )


def _has_opening(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether the sentence has the claim's subject; of a name a part is enough."""
    opening = claim.opening
    is_here = not opening or sentence.has_word(opening)
    return is_here or claim.is_name(opening) or claim.slot(index).opens


def _is_known(name: Name, sentence: Sentence, knows: Knows) -> bool:
    """Whether a sentence speaks of a name: in full, or in part when the evidence has the rest."""
    words = [stem(word) for word in name.words if len(word) > 1 and word not in STOP_WORDS]
    here = [word for word in words if sentence.has_word(word)]
    return not words or (bool(here) and all(word in here or knows(word) for word in words))


def _agrees(value: Value, sentence: Sentence) -> bool:
    """Whether the sentence speaks of another value of the claim, or at least of no rival."""
    rivals = [found for _, found in sentence.values if comparable(value, found)]
    if any(may_be_same(value, found) for found in rivals):
        return True
    return not rivals and isinstance(value, Quantity)
