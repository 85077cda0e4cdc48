"""Names: one put in another's place.

Most names that differ contradict nothing: a place lies in another, a person has two names, a film
has many actors. So only two cases speak: what a thing is *by* or *is*, told with full names, and
one country for another. The rest of the sentence must agree almost word by word.
"""

from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from unicodedata import combining, normalize

from groundwire.claims.values import Name, word_set
from groundwire.judge.facts._align import says_the_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.judge.facts._words import COPULAS, STOP_WORDS, stem

MIN_COVERAGE = 0.9
_MIN_REST = 2
_SPELLED_ALIKE = 0.6
_FULL_NAME_WORDS = 2
_LONGEST_NAME = 100
_EXCLUSIVE = COPULAS | {"by", "named", "called", "replaced", "succeeded"}
_COUNTRIES = word_set(
    "afghanistan albania algeria argentina armenia australia austria azerbaijan bangladesh belarus"
    " belgium bolivia brazil bulgaria cambodia cameroon canada chile china colombia croatia cuba"
    " cyprus denmark ecuador egypt estonia ethiopia finland france germany ghana greece hungary"
    " iceland india indonesia iran iraq ireland israel italy jamaica japan kazakhstan kenya kuwait"
    " laos latvia lebanon libya lithuania luxembourg madagascar malaysia mali malta mexico moldova"
    " mongolia morocco mozambique myanmar namibia nepal nicaragua nigeria norway oman pakistan"
    " panama paraguay peru philippines poland portugal qatar romania russia rwanda senegal serbia"
    " singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania"
    " thailand tunisia turkey uganda ukraine uruguay venezuela vietnam yemen zambia zimbabwe"
)


def swapped(
    claim: Sentence, index: int, sentence: Sentence, known_words: AbstractSet[str]
) -> Name | None:
    """The name that stands in a sentence where the claim has another."""
    claimed = claim.value(index)
    if not isinstance(claimed, Name) or _rest_coverage(claim, claimed, sentence) < MIN_COVERAGE:
        return None
    if not says_the_same(claim, index, sentence, known_words):
        return None
    found = [
        name
        for place, name in sentence.named
        if _differ(claimed, name)
        and not any(claim.has_word(stem(word)) for word in name.words)
        and _replaces(claim.slot(index), sentence.slot(place), _are_countries(claimed, name))
    ]
    return found[0] if len(found) == 1 else None


def _rest_coverage(claim: Sentence, claimed: Name, sentence: Sentence) -> float:
    """How much of the claim but for the name the sentence says; 0 where it has the name too."""
    own = {stem(word) for word in claimed.words}
    rest = claim.stems - own
    if len(rest) < _MIN_REST or any(map(sentence.has_word, own)):
        return 0.0
    return sum(map(sentence.has_word, rest)) / len(rest)


def _replaces(asked: Slot, given: Slot, are_countries: bool) -> bool:  # noqa: FBT001
    if asked.choice or given.choice or given.listed or _describes(asked) or _describes(given):
        return False
    if asked.opens:
        return _identifies(asked, given)
    is_same_place = asked.left[:1] == given.left[:1] != () and asked.before[:1] == given.before[:1]
    return is_same_place and (are_countries or not _EXCLUSIVE.isdisjoint(asked.before[:1]))


def _identifies(asked: Slot, given: Slot) -> bool:
    """ "X is the capital" against "Y is the capital" or "the capital is Y"."""
    if not _is_the(asked):
        return False
    return _is_the(given) if given.opens else not COPULAS.isdisjoint(given.before[:1])


def _is_the(slot: Slot) -> bool:
    return not COPULAS.isdisjoint(slot.after[:1]) and slot.after[1:2] == ("the",)


def _describes(slot: Slot) -> bool:
    """ "a Canadian film": the name says what kind, not which."""
    return any(word.isalpha() and word not in STOP_WORDS for word in slot.after[:1])


def _differ(claimed: Name, found: Name) -> bool:
    """Whether two names cannot be one name written twice."""
    if claimed.text.isupper() != found.text.isupper():
        return False
    if max(len(claimed.text), len(found.text)) > _LONGEST_NAME:
        return False
    one, other = _fold(claimed.text), _fold(found.text)
    if SequenceMatcher(None, one, other).ratio() > _SPELLED_ALIKE:
        return False
    are_full = min(len(claimed.words), len(found.words)) >= _FULL_NAME_WORDS
    is_mixed = (one in _COUNTRIES) != (other in _COUNTRIES)
    return _are_countries(claimed, found) or (are_full and not is_mixed)


def _are_countries(one: Name, other: Name) -> bool:
    return {_fold(one.text), _fold(other.text)} <= _COUNTRIES


def _fold(text: str) -> str:
    return "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
