"""The operands of arithmetic, and which operation a claim's words ask for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.model import UNITS
from groundwire.text import stem, word_set
from groundwire.values import Quantity, Value

TOTAL = word_set("total totals totalled altogether together combined overall sum sums jointly")
LEFT = word_set("left remain remains remained remaining remainder rest available unsold spare")
UP = word_set(
    "more rise rises rose risen increase increased increases grew grow grown up gain gained climbed"
    " dearer higher larger longer later faster raised costlier heavier taller wider older bigger"
    " above"
)
DOWN = word_set(
    "fewer less fall falls fell fallen drop dropped drops decrease decreased down cut lost declined"
    " cheaper lower smaller shorter earlier shrank reduced lighter narrower younger slower saved"
    " below"
)
THAN = ("than", "below", "above")
"""What a difference is told from stands after one of these."""
EARLIER = word_set("before previous previously last earlier ago formerly originally initially")
EACH = word_set("each every apiece per")
ENDS = word_set("end ends ended until till finish finishes finished closes arrives arrived over")
LONG = word_set("last lasts lasted take takes took long open opens runs ran duration stays for")
APART = word_set("difference gap apart between")
TIMES = {
    **dict.fromkeys(("doubled", "doubles", "double", "twice"), Decimal(2)),
    **dict.fromkeys(("tripled", "trebled", "triple", "thrice"), Decimal(3)),
    **dict.fromkeys(("quadrupled", "quadruple"), Decimal(4)),
    "halved": Decimal("0.5"),
}
OLD = word_set("old age aged turned turns anniversary birthday existed exists")
BEGINS = frozenset(
    map(stem, word_set("founded established opened built born began started launched created"))
)
"""What something is as old as its date says."""
EVERY = {
    f"{unit}{end}": UNITS[unit].factor
    for unit in ("hour", "day", "week", "month", "year")
    for end in ("", "ly")
} | dict.fromkeys(("daily", "night", "nightly"), UNITS["day"].factor)
CUES = frozenset(map(stem, TOTAL | LEFT | UP | DOWN | EARLIER | APART | TIMES.keys()))
"""Words of a claim that ask for an operation: no sentence need have them."""
UNSTATED = frozenset(map(stem, (TOTAL | LEFT | EARLIER) - {"last", "before"}))
"""Words that make a value another one than the same sentence without them states."""
SPAN_CUES = frozenset(map(stem, LONG - {"open", "opens"}))
END_CUES = frozenset(map(stem, ENDS))
OLD_CUES = frozenset(map(stem, OLD))
RATE_CUES = frozenset(map(stem, EVERY))
FAR = 4


@dataclass(frozen=True)
class Term:
    """A value of a sentence, as an operand."""

    place: int
    sentence: Sentence
    index: int
    value: Value

    @property
    def slot(self) -> Slot:
        return self.sentence.slot(self.index)

    @property
    def way(self) -> int:
        """1 where it says how much more ("40 more", "rose by 5 %"), -1 how much less, 0 neither."""
        near = (*self.slot.after[:1], *self.slot.before[:FAR])
        if self.slot.before[:1] != ("by",):
            near = self.slot.after[:1]
        return way_of(near)


class Result(NamedTuple):
    """What was worked out, from which operands, and in words."""

    value: Value
    operands: tuple[Term, ...]
    told: str
    is_certain: bool
    asked_by: frozenset[str] = frozenset()
    """Further words of the claim that ask for just this."""
    is_dated: bool = False
    """Whether the claim's date asks for it: another than the operands have."""


def way_of(words: Sequence[str]) -> int:
    is_up, is_down = (not one.isdisjoint(words) for one in (UP, DOWN))
    return is_up - is_down


@dataclass(frozen=True)
class Asked:
    """A claim's value, and which operation its words ask for."""

    claim: Sentence
    index: int

    @cached_property
    def term(self) -> Term:
        return Term(-1, self.claim, self.index, self.claim.value(self.index))

    @cached_property
    def words(self) -> frozenset[str]:
        return self.claim.unvalued

    @cached_property
    def way(self) -> int:
        return way_of(list(self.words))

    @cached_property
    def is_total(self) -> bool:
        in_all = ("in", "all") in pairwise(self.claim.lowers)
        return in_all or not TOTAL.isdisjoint(self.words)

    @cached_property
    def is_relative(self) -> bool:
        """Whether it says how much something changed or differs."""
        is_share = getattr(self.term.value, "dimension", "") in {"points", "multiple"}
        return is_share or self.term.way != 0 or not self.words.isdisjoint({"difference", "gap"})

    @cached_property
    def times(self) -> tuple[str, Decimal] | None:
        """ "doubled", where no other value of the claim says so."""
        told = [(word, TIMES[word]) for word in self.claim.lowers if word in TIMES]
        is_plain = not any(v.dimension == "multiple" for v in self.claim.quantities)
        return told[0] if len(told) == 1 and is_plain else None

    def has(self, words: frozenset[str]) -> bool:
        return not self.words.isdisjoint(words)


def is_rough(value: Value) -> bool:
    """Whether it is no one number: a bound or a range."""
    if not isinstance(value, Quantity):
        return True
    return value.bounded or value.ordinal or not value.measures[0].is_point


def amount_of(term: Term) -> Decimal:
    return term.value.value if isinstance(term.value, Quantity) else Decimal(0)


def made(like: Quantity, amount: Decimal, dimension: str = "") -> Quantity:
    """An exact quantity, in the units of another."""
    measure = like.measures[0]
    exact = replace(
        measure, dimension=dimension or measure.dimension, low=amount, high=amount, step=Decimal(0)
    )
    number = amount / measure.factor
    return replace(like, measures=(exact,), numerals=(number,), otherwise=(), weak=False)


def dimension_of(term: Term) -> str:
    return getattr(term.value, "dimension", "")
