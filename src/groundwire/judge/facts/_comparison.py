"""What a claim compares: two things in one respect, or one with all others.

"The Petrel takes more cars than the Guillemot", "twice as many cars as", "Artists were the largest
cost".
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from groundwire.judge.facts._entries import labels
from groundwire.judge.facts._place import NEUTRAL, fold
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import CUES, EARLIER, TIMES, TOTAL
from groundwire.text import COPULAS, STOP_WORDS, is_finite, stem, word_set, words_of
from groundwire.values import Quantity

_THAN = "than"
_PAIRS = """more fewer|larger smaller|bigger smaller|higher lower|longer shorter|heavier lighter
    taller shorter|wider narrower|deeper shallower|greater smaller|faster slower|older younger
    cheaper dearer|earlier later|warmer colder|thicker thinner|stronger weaker|more less"""
_OPPOSITES = {
    one: two
    for pair in _PAIRS.replace("\n", "|").split("|")
    for one, two in (pair.split(), pair.split()[::-1])
}
ANY = ""
_LENGTH, _TIME, WHEN = ("length",), ("time",), ("clock", "calendar", "yearly")
# what is compared, and which way it goes: "quicker" is less time and more speed
_MEASURES: list[tuple[tuple[str, ...], str, str]] = [
    ((ANY,), "more larger bigger higher greater", "fewer less smaller lower"),
    ((*_TIME, *_LENGTH), "longer", "shorter"),
    (_TIME, "slower", "faster quicker"),
    (("speed", "data/time"), "faster quicker", "slower"),
    (("mass", "mass/area"), "heavier", "lighter"),
    (_LENGTH, "taller wider deeper thicker farther", "narrower shallower thinner nearer closer"),
    (("money",), "dearer costlier pricier", "cheaper"),
    (("temperature",), "warmer hotter", "cooler colder"),
    (("count",), "busier", "quieter"),
    (WHEN, "later", "earlier sooner"),
]
_QUANTIFIERS = word_set("more most less least fewer fewest latest")
_PREDICATES = COPULAS | word_set(
    "made make makes had has have offered offers gets got receives took"
)
_UNCOMPARED = (
    TOTAL | TIMES.keys() - {"twice"} | {"per", "again", "rate", "share", "average", "percentage"}
)
"""What asks for more than two stated values; "half as large again" is another multiple."""
_EARLIER = EARLIER - {"ago"}
_HOW_MANY = frozenset({"many", "much"})
_HALF = "half"
_AS = {"long": dict.fromkeys(("time", "length"), 1), "heavy": {"mass": 1}, "old": {}}
_BUSY = frozenset({"busier", "quieter"})
_EMPTY = frozenset(fold(stem(word)) for word in word_set("item part day one thing"))
_MOST = {"more": "most", "fewer": "fewest", "less": "least"}


def _ways(*, is_most: bool) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for kinds, up, down in _MEASURES:
        for words, way in ((up, 1), (down, -1)):
            for word in words.split():
                said = _MOST.get(word, word.removesuffix("r") + "st") if is_most else word
                found.setdefault(said, {}).update(dict.fromkeys(kinds, way))
    return found


_MORE = _ways(is_most=False)
"""By word what may be compared, and whether it is more of it or less."""
_SUPERLATIVES = _ways(is_most=True)
GENERIC = frozenset(
    fold(stem(word))
    for word in word_set(
        "room space capacity hold take carry fit make made get got see saw come came give gave"
        " cost price pay last run need long time temperature weigh weight item part day one ones"
        " two three four five all both number amount quantity"
    )
    | _MORE.keys()
    | _SUPERLATIVES.keys()
) | {fold(word) for word in NEUTRAL | CUES}
"""What a claim may say in its own words; any other word of it must stand with the values."""


class Comparison(NamedTuple):
    """What a claim says of a thing: that it has more of something than another, or most."""

    word: str
    ways: dict[str, int]
    first: frozenset[str]
    """The words before what it is compared with; before the comparing word, where that is all."""
    second: frozenset[str]
    """What it is compared with; nothing where that is all others."""
    nouns: frozenset[str]
    """What there is more of: "more misrouted parcels"."""
    others: int | None = 1
    """How many it is compared with; None where that is not said."""
    by: Quantity | None = None
    """How much more or less it is, where that is said."""
    times: Decimal | None = None
    """How many times as much, where that is said."""

    @property
    def is_typed(self) -> bool:
        """Whether the word says what is measured: "heavier", not "larger"."""
        return ANY not in self.ways


def turned(claim: str) -> str | None:
    """The opposite of a claim that compares: "lower than" for "higher than"."""
    words = [word for word in words_of(claim) if word in _OPPOSITES]
    if len(words) != 1 or _THAN not in words_of(claim):
        return None
    return re.sub(rf"\b{words[0]}\b", _OPPOSITES[words[0]], claim, count=1, flags=re.IGNORECASE)


def comparison_of(claim: Sentence) -> Comparison | None:
    """Of a claim that compares in one respect and says no more."""
    lowers = claim.lowers
    if claim.is_negated or claim.asks or not _UNCOMPARED.isdisjoint(lowers):
        return None
    amounts = [
        (i, v)
        for i, v in claim.values
        if isinstance(v, Quantity) and not _is_told_how_many(claim, i)
    ]
    multiple = _times(claim, amounts)
    if multiple is not None:
        return _as_much(claim, *multiple)
    found = [at for at, word in enumerate(lowers) if word in _MORE or _is_most(lowers, at)]
    if len(found) != 1 or len(amounts) > 1:
        return None
    by = amounts[0][1] if amounts else None
    if amounts and claim.token_span(amounts[0][0])[1] != found[0] - 1:
        return None
    return _more_than(claim, found[0], by) if _THAN in lowers else _most(claim, found[0], by)


def _more_than(claim: Sentence, at: int, by: Quantity | None) -> Comparison | None:
    """ "Ash has (three) more trees than Elm"."""
    lowers = claim.lowers
    than, word = lowers.index(_THAN), lowers[at]
    first, second = _besides(claim, 0, than, by), labels(claim, than) - labels(claim, 0, than)
    if (
        lowers.count(_THAN) != 1
        or at > than
        or word not in _MORE
        or not any(map(str.isalpha, second))
    ):
        return None
    if not _EARLIER.isdisjoint(lowers[than:]):
        return None  # "than the week before": which that is, no word says
    nouns = _nouns(claim, at + 1) - GENERIC
    if by is not None and by.dimension == "count" and not nouns:
        return None  # "Maxi costs twelve more": of what is not said
    return Comparison(word, _MORE[word], first, second, nouns, by=by)


def _most(claim: Sentence, at: int, by: Quantity | None) -> Comparison | None:
    """ "Ash is the largest", "Ash is the larger (one)"."""
    lowers = claim.lowers
    word = lowers[at]
    if by is not None or word in _QUANTIFIERS:
        return None
    if lowers[at - 1] != "the" or lowers[at - 2] not in _PREDICATES:
        return None
    ways, others = (_SUPERLATIVES[word], None) if word in _SUPERLATIVES else (_MORE[word], 1)
    if ANY not in ways and word not in _BUSY:
        return None  # what takes longest need not be said in numbers of all
    nouns = _nouns(claim, at + 1) - _EMPTY
    return Comparison(word, ways, labels(claim, 0, at), frozenset(), nouns, others)


def _as_much(claim: Sentence, word: str, at: int, times: Decimal) -> Comparison | None:
    """ "Ash has twice as many trees as Elm"."""
    lowers = claim.lowers
    marks = [place for place in range(at, len(lowers)) if lowers[place] == "as"]
    if len(marks) != 2 or marks[0] != at + 1 or {"more", "less"} & {*lowers}:  # noqa: PLR2004
        return None
    begin, end = marks
    first = labels(claim, 0, at) | labels(claim, begin + 2, end)
    second = labels(claim, end) - first
    nouns = (_nouns(claim, begin + 2) - GENERIC) if lowers[begin + 1] in _HOW_MANY else frozenset()
    kinds = _AS.get(lowers[begin + 1], {ANY: 1})
    return Comparison(word, kinds, first, second, nouns, times=times) if second else None


def _times(
    claim: Sentence, amounts: Sequence[tuple[int, Quantity]]
) -> tuple[str, int, Decimal] | None:
    """What says how many times, where it stands, and how many; "half as many" is half."""
    if len(amounts) != 1:
        return None
    [(index, value)] = amounts
    is_half = value.text.lower() == _HALF
    if value.bounded or not (value.dimension == "multiple" or is_half):
        return None
    last = claim.token_span(index)[1]
    at = last + (claim.lowers[last + 1 : last + 2] == ["times"])
    return (value.text, at, value.value) if claim.lowers[at + 1 : at + 2] == ["as"] else None


def _besides(claim: Sentence, begin: int, end: int, value: Quantity | None) -> frozenset[str]:
    """The words of a part but for those of a value."""
    said = labels(claim, begin, end)
    if value is None:
        return said
    own = Sentence(value.text)
    return said - labels(own)


def _is_told_how_many(claim: Sentence, index: int) -> bool:
    """ "of the three papers" only says how many are compared."""
    value = claim.value(index)
    return getattr(value, "ordinal", False) or claim.slot(index).before[:1] == ("the",)


def _is_most(lowers: Sequence[str], at: int) -> bool:
    """ "the largest"; "most of them" and "at least" compare nothing."""
    return lowers[at] in _SUPERLATIVES and at > 0 and lowers[at - 1] == "the"


def _nouns(claim: Sentence, at: int) -> frozenset[str]:
    """The words that follow without a break."""
    end = at
    while end < len(claim.lowers) and _is_noun(claim.lowers[end], is_first=end == at):
        end += 1
    return labels(claim, at, end)


def _is_noun(word: str, *, is_first: bool) -> bool:
    return word.isalpha() and word not in STOP_WORDS and (is_first or not is_finite(word))
