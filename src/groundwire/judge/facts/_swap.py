"""Names: one put in another's place.

Most names that differ contradict nothing: a place lies in another, a person has two names, a film
has many actors. So only three cases speak: what a thing is *by* or *is*, told with full names; one
country for another; and a sentence that is the claim word by word, where no list, place, alias or
office can explain the other name.
"""

from difflib import SequenceMatcher
from unicodedata import combining, normalize

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._align import Knows, says_the_same
from groundwire.judge.facts._same_wording import SameWording, shared_words
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.text import COPULAS, STOP_WORDS, stem, word_set
from groundwire.values import Name

_MIN_REST = 2
_FULL_NAME_WORDS = 2
_LONGEST_NAME = 100
_EXCLUSIVE = COPULAS | {"by", "named", "called", "replaced", "succeeded"}
_JOINTS = frozenset({",", "and", "&", "or", "nor"})
_LOCATIVE = word_set("in at near from on into within outside")
_SOLE_DEEDS = word_set(
    "founded invented discovered wrote designed composed painted directed chairs chaired leads led"
    " heads headed owns owned commands commanded"
)
_KINDS = word_set(
    "board committee council department office ministry agency team group court bank university"
    " college institute school hospital station street road bridge building plant substation centre"
    " center diocese district league directive regulation protocol standard"
)
"""Two names that share one of these are two of a kind: "Safety Board", "Audit Board"."""
_OFFICES = word_set(
    "minister president queen king chancellor mayor governor secretary director chief officer"
    " chairman chair head government parliament house senate company party city state county"
    " province republic kingdom union"
)
_MIN_SHARED, _MIN_SHARED_IF_SHORT = 3, 4
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


def own_words(name: Name) -> frozenset[str]:
    """The words that tell a name from others of its kind."""
    words = frozenset(name.words)
    return words - _KINDS or words


def swapped(claim: Sentence, index: int, sentence: Sentence, knows: Knows) -> Name | None:
    """The name that stands in a sentence where the claim has another."""
    claimed = claim.value(index)
    least = judge_calibration().values.name_coverage
    if not isinstance(claimed, Name) or _rest_coverage(claim, claimed, sentence) < least:
        return None
    if not says_the_same(claim, index, sentence, knows):
        return None
    found = [
        name
        for place, name in sentence.named
        if _differ(claimed, name)
        and not any(claim.has_word(stem(word)) for word in name.words)
        and _replaces(claim.slot(index), sentence.slot(place), _are_countries(claimed, name))
    ]
    return found[0] if len(found) == 1 else None


def swapped_in_same_wording(claim: Sentence, sentence: Sentence, same: SameWording) -> Name | None:
    """The name in which a sentence differs from the claim, when it cannot be the same one."""
    claimed, found = claim.value(same.claimed), sentence.value(same.found)
    if not isinstance(claimed, Name) or not isinstance(found, Name):
        return None
    asked, given = claim.slot(same.claimed), sentence.slot(same.found)
    is_short = min(len(claimed.words), len(found.words)) < _FULL_NAME_WORDS
    needed = _MIN_SHARED_IF_SHORT if is_short else _MIN_SHARED
    if shared_words(claim, claimed) < needed or _is_one_of_several(asked, given, claimed, found):
        return None
    if asked.opens and (is_short or not (_is_the(asked) or _does_alone(asked))):
        return None
    is_place = not _LOCATIVE.isdisjoint([word for word in asked.before if word != "the"][:1])
    if (is_place and not _are_countries(claimed, found)) or not _are_two(claimed, found):
        return None
    return found


def _does_alone(slot: Slot) -> bool:
    return not _SOLE_DEEDS.isdisjoint(slot.after[:1])


def _is_one_of_several(asked: Slot, given: Slot, claimed: Name, found: Name) -> bool:
    """Whether a list or a description holds the name: then both may be true."""
    is_in_list = asked.listed or given.listed or not _JOINTS.isdisjoint(asked.before[:1])
    is_list = any(not _JOINTS.isdisjoint(name.text.split()) for name in (claimed, found))
    is_deed = asked.opens and _does_alone(asked)
    return is_in_list or is_list or asked.choice or (_describes(asked) and not is_deed)


def _are_two(claimed: Name, found: Name) -> bool:
    """Whether two names must be two things: no alias, no office and its holder, no part."""
    if not _are_spelled_apart(claimed, found):
        return False
    ours, theirs = set(claimed.words), set(found.words)
    if ours & theirs:
        return bool(ours & theirs & _KINDS)
    return (ours | theirs).isdisjoint(_OFFICES)


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
    if not _are_spelled_apart(claimed, found):
        return False
    one, other = _fold(claimed.text), _fold(found.text)
    are_full = min(len(claimed.words), len(found.words)) >= _FULL_NAME_WORDS
    is_mixed = (one in _COUNTRIES) != (other in _COUNTRIES)
    return _are_countries(claimed, found) or (are_full and not is_mixed)


def _are_spelled_apart(claimed: Name, found: Name) -> bool:
    if claimed.text.isupper() != found.text.isupper():
        return False
    if max(len(claimed.text), len(found.text)) > _LONGEST_NAME:
        return False
    if not set(claimed.words).isdisjoint(found.words):
        return True
    one, other = _fold(claimed.text), _fold(found.text)
    return SequenceMatcher(None, one, other).ratio() <= judge_calibration().values.spelled_alike


def _are_countries(one: Name, other: Name) -> bool:
    return {_fold(one.text), _fold(other.text)} <= _COUNTRIES


def _fold(text: str) -> str:
    return "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
