"""Which of two things has more, or is the most of several, where a text has a value of each.

What is compared must be said of both; then the order of the two is known.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from groundwire.judge.facts._comparison import ANY, GENERIC, WHEN, Comparison, comparison_of
from groundwire.judge.facts._entries import Entry, entries_at, labels
from groundwire.judge.facts._place import fold
from groundwire.judge.facts._relation import confirmed_by
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._terms import TOTAL, made
from groundwire.text import stem
from groundwire.values import Quantity, Value

_ROUGHLY = Decimal("1.2")
_NEARLY, _OFF = 2, 10
"""In percent: what is so near to a multiple is one, what is so far off is none."""
# what a verb measures: what costs more, does so in money, whether its unit is said or not
_VERBS = [
    (fold(stem("cost")), ("money", "count")),
    (fold(stem("weigh")), ("mass",)),
]


class Compared(NamedTuple):
    is_so: bool
    first: Entry
    other: Entry
    is_told: bool
    """Whether the text says all of the claim."""


def compared(claim: Sentence, evidence: IndexedEvidence, places: Sequence[int]) -> Compared | None:
    """What the entries of some sentences say of it; None where they are not of one mind."""
    asked = comparison_of(claim)
    if asked is None or claim.opens_with_pronoun:
        return None
    found = list(_pairs(asked, evidence, places))
    told = [one for one in found if one.is_told] or found
    return told[0] if told and len({one.is_so for one in told}) == 1 else None


def _pairs(
    asked: Comparison, evidence: IndexedEvidence, places: Sequence[int]
) -> Iterator[Compared]:
    groups = [group for place in sorted(places) for group in entries_at(evidence, place)]
    yield from _of_two_nouns(asked, groups)
    for group in (*groups, *_across(groups)):
        way = _way(asked, group)
        if way and len(group) > 1 and _is_of(asked, group):
            first, other = (_one if asked.second else _all)(asked, group, way)
            is_beside = bool(group[0].noun) or group[0].kind == "count"
            if first is None or other is None:
                continue
            if is_beside or not asked.nouns or asked.nouns & first.own - other.own:
                yield from _compare(asked, evidence, first, other, way)


def _of_two_nouns(asked: Comparison, groups: Sequence[list[Entry]]) -> Iterator[Compared]:
    """ "More doctors than nurses", of "two doctors and five nurses"."""
    way = asked.ways.get(ANY, 0)
    counts = [one for group in groups for one in group if one.noun and way]
    firsts = [one for one in counts if {one.noun} == asked.nouns]
    others = [one for one in counts if one.noun in asked.second]
    for first, other in product(firsts, others):
        is_so = _holds(asked, first, other, way) if first.place == other.place else None
        if is_so is not None:
            rest = (asked.first | asked.second) - GENERIC
            yield Compared(is_so, first, other, rest <= labels(first.term.sentence))


def _across(groups: Sequence[list[Entry]]) -> Iterator[list[Entry]]:
    """Single entries of one kind, each in a sentence of its own."""
    for kind, noun in dict.fromkeys((group[0].kind, group[0].noun) for group in groups):
        same = [group for group in groups if (group[0].kind, group[0].noun) == (kind, noun)]
        if len(same) > 1 and all(len(group) == 1 for group in same):
            yield [group[0] for group in same]


def _way(asked: Comparison, group: Sequence[Entry]) -> int:
    kind = group[0].kind
    if any(word in asked.first and kind.partition(":")[0] not in of for word, of in _VERBS):
        return 0
    if ANY in asked.ways:
        return 0 if kind in WHEN else asked.ways[ANY]
    return asked.ways.get(kind.partition(":")[0], 0)


def _is_of(asked: Comparison, group: Sequence[Entry]) -> bool:
    """Whether values are of what a claim compares: they count it, stand with it or under it."""
    named = {one.noun for one in group} - {""}
    said = asked.first | asked.nouns
    if named and not (asked.is_typed and not asked.nouns):
        return named <= said
    if not asked.second and not asked.is_typed:
        return bool(asked.nouns) and asked.nouns <= group[0].above  # "Costs: artists 55,000, ..."
    return group[0].kind != "count" or asked.nouns <= group[0].above


def _said(evidence: IndexedEvidence, entry: Entry) -> frozenset[str]:
    here = evidence.stems_at(entry.place)
    return labels(entry.term.sentence) | frozenset(map(fold, here))


_Two = tuple[Entry | None, Entry | None]


def _one(asked: Comparison, group: Sequence[Entry], _: int) -> _Two:
    """The entries of the two things that are named."""
    shared = frozenset.intersection(*(one.own for one in group))
    most = max(len(asked.second & one.own - shared) for one in group)
    seconds = [one for one in group if len(asked.second & one.own - shared) == most]
    if not most or len(seconds) != 1:
        return None, None
    [second] = seconds
    others = [one for one in group if one is not second]
    subject = asked.first - asked.nouns
    if subject & second.own - GENERIC and not subject - second.own - GENERIC:
        return None, None  # both stand with one value
    named = [one for one in others if subject & one.own - second.own]
    firsts = named or [one for one in others if asked.nouns & one.own]  # "more sugar than salt"
    return (firsts[0], second) if len(firsts) == 1 else (None, None)


def _all(asked: Comparison, group: Sequence[Entry], way: int) -> _Two:
    """The entry of the thing that is named, and the best of the others."""
    shared = frozenset.intersection(*(one.own for one in group))
    firsts = [one for one in group if asked.first & one.own - shared]
    is_several = asked.others is None or len(group) == asked.others + 1
    if len(firsts) != 1 or not is_several or any(map(_is_total, group)):
        return None, None
    others = [one for one in group if one is not firsts[0]]
    return firsts[0], max(others, key=lambda one: way * one.amount)


def _is_total(entry: Entry) -> bool:
    return not {fold(stem(word)) for word in TOTAL}.isdisjoint(entry.own)


def _compare(
    asked: Comparison, evidence: IndexedEvidence, first: Entry, other: Entry, way: int
) -> Iterator[Compared]:
    is_so, is_same = _holds(asked, first, other, way), first.place == other.place
    if is_so is None:
        return
    mine, theirs = first.near | first.above, other.near | other.above
    subject = asked.first - asked.nouns - GENERIC
    told_once = theirs if is_same else frozenset()  # "Ash employs 9 bakers, Elm 4"
    is_told = subject <= mine | told_once and asked.second - GENERIC <= theirs
    is_told = is_told and (is_same or asked.nouns <= _said(evidence, other) | GENERIC)
    is_near = is_same or _are_near(asked, first, other)
    # another multiple may be of another two, and the most of others that are not listed
    is_pair = (bool(asked.second) or asked.is_typed) and (is_so or asked.times is None)
    yield Compared(is_so, first, other, is_told and is_near and is_pair)


def _are_near(asked: Comparison, first: Entry, other: Entry) -> bool:
    """Whether values of two sentences stand beside their things: "Boil 90 min. Mash 75 min."."""
    mine, theirs = (
        (asked.first | asked.nouns) & first.near,
        (asked.second | asked.nouns) & other.near,
    )
    return bool(mine and theirs)


def _holds(asked: Comparison, first: Entry, other: Entry, way: int) -> bool | None:
    """Whether two values stand to one another as a claim says; None where that is open."""
    mine, theirs = first.amount, other.amount
    if _may_be_equal(first.term.value, other.term.value) or not theirs:
        return None
    if asked.times is not None:
        off = abs(mine / theirs / asked.times - 1) * 100
        return None if _NEARLY < off <= _OFF else off <= _NEARLY
    if asked.by is None:
        return None if mine == theirs else (mine > theirs) == (way > 0)
    gap, is_share = (mine - theirs) * way, asked.by.dimension == "ratio"
    if asked.by.dimension == "degree" and first.kind == "temperature":
        gap /= first.factor
    elif not is_share and asked.by.dimension != first.kind:
        return None
    return confirmed_by(asked.by, made(asked.by, gap / abs(theirs) if is_share else gap))


def _may_be_equal(one: Value, other: Value) -> bool:
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return False
    small, big = sorted((abs(one.value), abs(other.value)))
    return (one.about or other.about) and big < small * _ROUGHLY
