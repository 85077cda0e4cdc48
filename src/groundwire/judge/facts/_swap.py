"""A sentence that has the claim word by word, but for one value: the surest slot there is."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._align import Knows, is_subject, says_the_same
from groundwire.judge.facts._relation import comparable, conflicts, limits_differ
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.text import COPULAS, STOP_WORDS, stem, unaccented, word_set
from groundwire.values import Name, Quantity, Value

_MIN_WORDS = 2
_RULES = word_set("must shall should may needs need required requires")


class SameWording(NamedTuple):
    """The two values in which a claim and a sentence differ, by their indexes."""

    claimed: int
    found: int
    is_whole: bool
    """Whether the sentence says nothing beyond the claim."""
    same_bounds: bool
    """Whether the words that bound a number are the same on both sides."""


def same_wordings_of(claim: Sentence, sentence: Sentence) -> Iterator[SameWording]:
    """The pairs of values around which all words of the claim stand in the sentence too."""
    if claim.is_negated != sentence.is_negated:
        return
    ours, theirs = claim.spoken, sentence.spoken
    for index, (first, after) in ours.places.items():
        for place, (begin, end) in theirs.places.items():
            left, right = ours.words[:first], ours.words[after:]
            if (
                theirs.words[max(0, begin - first) : begin] == left
                and theirs.words[end : end + len(right)] == right
                and type(claim.value(index)) is type(sentence.value(place))
            ):
                is_whole = first == begin and end + len(right) == len(theirs.words)
                bounds = _same_bounds(ours.words[first:after], theirs.words[begin:end])
                yield SameWording(index, place, is_whole, bounds)


def contradicts(claim: Sentence, sentence: Sentence, same: SameWording) -> bool:
    """Whether its value excludes the claim's, or sets another limit in the same words."""
    claimed, found = claim.value(same.claimed), sentence.value(same.found)
    if shared_words(claim, claimed) < _MIN_WORDS or is_subject(claimed, claim.slot(same.claimed)):
        return False
    if not same.is_whole and _has_another(claim, sentence, same):
        return False
    if conflicts(claimed, found):
        return True
    return same.same_bounds and limits_differ(claimed, found, is_rule=_is_rule(claim, claimed))


def shared_words(claim: Sentence, claimed: Value) -> int:
    """How many content words a claim shares with it: all but the value's own."""
    own = {stem(word) for word in claimed.words} if isinstance(claimed, Name) else set()
    return len(claim.stems - own)


def _has_another(claim: Sentence, sentence: Sentence, same: SameWording) -> bool:
    """Whether the rest of the sentence has a like value, which the claim may be about."""
    claimed = claim.value(same.claimed)
    said = {value.text for _, value in claim.values}
    return any(
        place != same.found and value.text not in said and comparable(claimed, value)
        for place, value in sentence.values
    )


def _is_rule(claim: Sentence, claimed: Value) -> bool:
    """Whether a limit is a rule, which a weaker one misstates: "within 24 hours", "must"."""
    is_deadline = isinstance(claimed, Quantity) and claimed.text.lower().startswith("within")
    return is_deadline or not _RULES.isdisjoint(claim.spoken.words)


def _same_bounds(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether two values differ in digits first, not in words as "at least" and "under"."""
    pairs = zip(mine, theirs, strict=False)
    differing = next((pair for pair in pairs if pair[0] != pair[1]), None)
    return differing is not None and all(word[0].isdigit() for word in differing)


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
    return unaccented(text.casefold())
