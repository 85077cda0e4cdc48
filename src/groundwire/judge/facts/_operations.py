"""What follows from stated values by arithmetic, where the wording asks for the operation.

A result is certain where its operands are the only values that could be meant.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._slot import Slot
from groundwire.model import UNITS
from groundwire.text import stem, word_set
from groundwire.values import Period, Quantity, Value

_TOTAL = word_set("total totals totalled altogether together combined overall sum sums jointly")
_LEFT = word_set("left remain remains remained remaining remainder rest available unsold spare")
_UP = word_set(
    "more rise rises rose risen increase increased increases grew grow grown up gain gained climbed"
    " dearer higher larger longer later faster raised costlier heavier taller wider older bigger"
)
_DOWN = word_set(
    "fewer less fall falls fell fallen drop dropped drops decrease decreased down cut lost declined"
    " cheaper lower smaller shorter earlier shrank reduced lighter narrower younger slower saved"
)
_EARLIER = word_set("before previous previously last earlier ago formerly originally initially")
_EACH = word_set("each every apiece per")
_ENDS = word_set("end ends ended until till finish finishes finished closes arrives arrived over")
_LONG = word_set("last lasts lasted take takes took long open opens runs ran duration stays for")
_APART = word_set("difference gap apart between")
_AFTER, _AGO = frozenset({"after", "later", "from"}), frozenset({"before", "earlier"})
_TIMES = {
    **dict.fromkeys(("doubled", "doubles", "double", "twice"), Decimal(2)),
    **dict.fromkeys(("tripled", "trebled", "triple", "thrice"), Decimal(3)),
    **dict.fromkeys(("quadrupled", "quadruple"), Decimal(4)),
    "halved": Decimal("0.5"),
}
_EVERY = {
    f"{unit}{end}": UNITS[unit].factor
    for unit in ("hour", "day", "week", "month", "year")
    for end in ("", "ly")
} | {"daily": UNITS["day"].factor}
CUES = frozenset(map(stem, _TOTAL | _LEFT | _UP | _DOWN | _EARLIER | _APART | _TIMES.keys()))
"""Words of a claim that ask for an operation: no sentence need have them."""
_SPAN_CUES = frozenset(map(stem, _LONG - {"open", "opens"}))
_END_CUES = frozenset(map(stem, _ENDS))
_RATE_CUES = frozenset(map(stem, _EVERY))
_DAY_MIN, _MINUTE_S, _DAY_S = 24 * 60, 60, Decimal(86400)
_FAR = 4
_MOST_TERMS = 4


class Term(NamedTuple):
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
        near = (*self.slot.after[:1], *self.slot.before[:_FAR])
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


def way_of(words: Sequence[str]) -> int:
    is_up, is_down = (not one.isdisjoint(words) for one in (_UP, _DOWN))
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
        return in_all or not _TOTAL.isdisjoint(self.words)

    @cached_property
    def is_relative(self) -> bool:
        """Whether it says how much something changed or differs."""
        is_share = getattr(self.term.value, "dimension", "") in {"points", "multiple"}
        return is_share or self.term.way != 0 or not self.words.isdisjoint({"difference", "gap"})

    def has(self, words: frozenset[str]) -> bool:
        return not self.words.isdisjoint(words)


def results(asked: Asked, terms: Sequence[Term]) -> Iterator[Result]:
    """Everything that the operations asked for give of some terms."""
    value = asked.term.value
    if isinstance(value, Period):
        yield from _moments(asked, value, terms)
    elif isinstance(value, Quantity) and not value.ordinal:
        usable = [t for t in terms if isinstance(t.value, Quantity) and not _is_rough(t.value)]
        like = [t for t in usable if t.value.dimension == value.dimension]  # type: ignore[union-attr]
        for operation in _RELATIVE if asked.is_relative else _ABSOLUTE:
            yield from operation(asked, value, usable, like)
        if value.dimension == "time":
            yield from _spans(asked, value, terms)


def _is_rough(value: Quantity) -> bool:
    return value.about or value.bounded or value.ordinal or not value.measures[0].is_point


def _amount(term: Term) -> Decimal:
    return term.value.value if isinstance(term.value, Quantity) else Decimal(0)


def _made(like: Quantity, amount: Decimal, dimension: str = "") -> Quantity:
    """An exact quantity, in the units of another."""
    measure = like.measures[0]
    exact = replace(
        measure, dimension=dimension or measure.dimension, low=amount, high=amount, step=Decimal(0)
    )
    number = amount / measure.factor
    return replace(like, measures=(exact,), numerals=(number,), otherwise=(), weak=False)


def _sum(asked: Asked, value: Quantity, _: Sequence[Term], like: Sequence[Term]) -> Iterator[Result]:
    plain = [term for term in like if not term.way]
    if not asked.is_total or not 1 < len(plain) <= _MOST_TERMS:
        return
    is_stated = any(not _TOTAL.isdisjoint(term.sentence.lowers) for term in plain)
    total = sum(map(_amount, plain), Decimal(0))
    listed = ", ".join(term.value.text for term in plain[:-1])
    told = f"{listed} and {plain[-1].value.text} are {{}} together."
    yield Result(_made(value, total), tuple(plain), told, not is_stated and len(like) == len(plain))


def _rest(asked: Asked, value: Quantity, _: Sequence[Term], like: Sequence[Term]) -> Iterator[Result]:
    if not asked.has(_LEFT) or len(like) != 2:  # noqa: PLR2004
        return
    small, big = sorted(like, key=_amount)
    if not _LEFT.isdisjoint(small.sentence.lowers) or small.way or big.way:
        return
    told = f"{big.value.text} less {small.value.text} leaves {{}}."
    yield Result(_made(value, _amount(big) - _amount(small)), (big, small), told, is_certain=True)


def _applied(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "48,000; it rose by half" gives 72,000; "260, 40 more than a year before" gives 220."""
    changes = [t for t in usable if t.way and _dimension(t) in {"ratio", value.dimension}]
    bases = [term for term in like if not term.way]
    if len(changes) != 1 or len(bases) != 1:
        return
    change, base = changes[0], bases[0]
    is_new = base.slot.before[:1] == ("to",) or (
        base.place == change.place and "than" in change.slot.after[:3]
    )
    if is_new != asked.has(_EARLIER):
        return
    amount, by = _amount(base), change.way * _amount(change)
    if _dimension(change) == "ratio":
        factor = 1 + by
        if factor <= 0:
            return
        amount = amount / factor if is_new else amount * factor
    else:
        amount = amount - by if is_new else amount + by
    more = "more" if change.way > 0 else "less"
    told = (
        f"{base.value.text} is {change.value.text} {more} than {{}}."
        if is_new
        else f"{{}} is {change.value.text} {more} than {base.value.text}."
    )
    yield Result(_made(value, amount), (base, change), told, is_certain=True)


def _multiplied(
    asked: Asked, value: Quantity, _: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "120; it has doubled since" gives 240."""
    if len(like) != 1 or asked.has(_EARLIER):
        return
    base = like[0]
    for word, times in _TIMES.items():
        if word.endswith("ed") and word in base.sentence.unvalued and "to" not in base.slot.before:
            told = f"{{}} is {base.value.text} times {times}."
            is_certain = base.slot.before[:1] == ("from",)
            yield Result(_made(value, _amount(base) * times), (base,), told, is_certain)


def _product(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "two tanks of 20 hectolitres", "six crews, each with 4 people"."""
    if asked.has(_EACH):
        return
    for count in usable:
        if _dimension(count) != "count" or not count.slot.run:
            continue
        for size in like:
            if size is count or size.place != count.place or not _is_each(count, size):
                continue
            told = f"{count.value.text} times {size.value.text} is {{}}."
            amount = _amount(count) * _amount(size)
            others = {_dimension(size), "count"}
            is_alone = sum(_dimension(t) in others for t in usable if t.place == size.place) == 2  # noqa: PLR2004
            yield Result(
                _made(value, amount), (count, size), told, is_alone and asked.is_total
            )


def _is_each(count: Term, size: Term) -> bool:
    end, begin = count.sentence.token_span(count.index)[1], size.sentence.token_span(size.index)[0]
    between = count.sentence.lowers[end + 1 : begin]
    near = (*between, *size.slot.after[:3])
    is_of = 1 < len(between) <= _FAR and between[-1] in {"of", "at", "with", "holding"}
    return begin > end and (is_of or not _EACH.isdisjoint(near))


def _rate(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "1.5 g every eight hours" gives 4.5 g a day; "EUR 900 a month" gives 2,700 in three."""
    times = [term for term in usable if _dimension(term) == "time"]
    wanted = _every(asked.term, []) or _lasting(asked)
    for base in like:
        every = _every(base, times)
        if every is None:
            continue
        free = [t for t in times if t.slot.before[:1] != ("every",)]
        spans = [wanted] if wanted else [_amount(term) for term in free]
        if len(spans) == 1 and spans[0] != every:
            operands = (base,) if wanted else (base, *free)
            told = f"{base.value.text} a time, {(spans[0] / every).normalize():f} times, is {{}}."
            amount = _amount(base) * spans[0] / every
            yield Result(_made(value, amount), operands, told, len(like) == 1, _RATE_CUES)


def _every(term: Term, times: Sequence[Term]) -> Decimal | None:
    """How often a value recurs, in seconds: "a day", "monthly", "every eight hours"."""
    for word, unit in pairwise(("", *term.slot.after)):
        if unit in _EVERY and (word in {"a", "an", "per", "each", "every"} or unit.endswith("ly")):
            return _EVERY[unit]
    every = [t for t in times if t.place == term.place and t.slot.before[:1] == ("every",)]
    return _amount(every[0]) if len(every) == 1 else None


def _lasting(asked: Asked) -> Decimal | None:
    """The time a claim's value is for: "in 24 hours"."""
    spans = [v.value for _, v in asked.claim.values if getattr(v, "dimension", "") == "time"]
    return spans[0] if len(spans) == 1 and _dimension(asked.term) != "time" else None


def _part(
    _: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "400 members; a quarter of the members"."""
    shares = [t for t in usable if _dimension(t) == "ratio" and t.slot.after[:1] == ("of",)]
    if value.dimension == "ratio" or len(shares) != 1 or len(like) != 1 or shares[0].way:
        return
    share, whole = shares[0], like[0]
    noun = next(iter(share.slot.right), "")
    if value.dimension != "count" or noun in whole.slot.run:
        told = f"{share.value.text} of {whole.value.text} is {{}}."
        yield Result(
            _made(value, _amount(share) * _amount(whole)), (whole, share), told, is_certain=True
        )


def _share(
    _: Asked, value: Quantity, usable: Sequence[Term], __: Sequence[Term]
) -> Iterator[Result]:
    """ "25 of the 400 seats"."""
    if value.dimension != "ratio":
        return
    for small, big in pairwise(usable):
        between = small.slot.after[:3]
        is_of = small.place == big.place and "of" in between and _dimension(small) == _dimension(big)
        if is_of and 0 < _amount(small) < _amount(big):
            told = f"{small.value.text} of {big.value.text} is {{}}."
            made = _made(value, _amount(small) / _amount(big))
            yield Result(made, (small, big), told, len(usable) == 2)  # noqa: PLR2004


def _change(
    asked: Asked, value: Quantity, usable: Sequence[Term], _: Sequence[Term]
) -> Iterator[Result]:
    """ "from 61 % to 68 %" is 7 points; "48,000 in 2021, 72,000 in 2022" is half as much again."""
    kinds = {_dimension(term) for term in usable}
    for kind in kinds - {"points", "multiple"}:
        pair = [term for term in usable if _dimension(term) == kind and not term.way]
        if len(pair) != 2 or not _may_differ(value.dimension, kind):  # noqa: PLR2004
            continue
        ordered = _ordered(asked, pair)
        old, new = ordered or sorted(pair, key=_amount)
        if ordered is None and not asked.has(_APART):
            continue
        amount = _difference(value, _amount(old), _amount(new), asked.way or 1)
        if amount is not None:
            more = "more" if _amount(new) > _amount(old) else "less"
            told = f"{new.value.text} is {{}} {more} than {old.value.text}."
            if value.dimension == "multiple":
                told = f"{new.value.text} is {{}} {old.value.text}."
            yield Result(_made(value, amount), (old, new), told, is_certain=True)


def _may_differ(claimed: str, kind: str) -> bool:
    if claimed == "points":
        return kind == "ratio"
    return claimed == kind or (claimed in {"ratio", "multiple"} and kind not in {"ratio", "time"})


def _difference(value: Quantity, old: Decimal, new: Decimal, way: int) -> Decimal | None:
    if value.dimension == "points":
        return 100 * way * (new - old)
    if value.dimension in {"ratio", "multiple"}:
        if not old:
            return None
        return new / old if value.dimension == "multiple" else way * (new - old) / old
    return way * (new - old)


def _ordered(asked: Asked, pair: Sequence[Term]) -> list[Term] | None:
    """What it was and what it became; what it is compared with, and what is."""
    if "than" in asked.words:
        lowers = asked.claim.lowers
        than = lowers.index("than")
        base = {word.stem for word in asked.claim.words if word.place > than}
        head = {word.stem for word in asked.claim.words if word.place < than} - base - CUES
        told = [t for t in pair if base and base <= t.slot.clause and not head <= t.slot.clause]
        others = [t for t in pair if t not in told and head <= t.slot.clause]
        return [*told, *others] if len(told) == len(others) == 1 else None
    ways = [term.slot.before[:1] for term in pair]
    if ways == [("from",), ("to",)]:
        return list(pair)
    years = [_year(term) for term in pair]
    if None not in years and years[0] != years[1]:
        return sorted(pair, key=lambda term: _year(term) or 0)
    olds = [t for t in pair if not _EARLIER.isdisjoint((*t.slot.before, *t.slot.after[:_FAR]))]
    if len(olds) == 1:
        return [*olds, *(term for term in pair if term is not olds[0])]
    return None


def _year(term: Term) -> int | None:
    """The year that a value is of: the only one of its sentence."""
    years = {date.first[0] for date in term.sentence.dates}
    return years.pop() if len(years) == 1 else None


def _dimension(term: Term) -> str:
    return getattr(term.value, "dimension", "")


_Operation = Callable[[Asked, Quantity, Sequence[Term], Sequence[Term]], Iterator[Result]]
_ABSOLUTE: tuple[_Operation, ...] = (
    _sum, _rest, _applied, _multiplied, _product, _rate, _part, _share
)  # fmt: skip
_RELATIVE: tuple[_Operation, ...] = (_change, _applied)


def _moments(asked: Asked, value: Period, terms: Sequence[Term]) -> Iterator[Result]:
    """ "starts at 14:00 and takes 90 minutes", "two weeks after 3 May"."""
    starts = [t for t in terms if isinstance(t.value, Period) and t.value.frame == value.frame]
    spans = [t for t in terms if _dimension(t) == "time" and not _is_rough(t.value)]  # type: ignore[arg-type]
    if len(starts) != 1 or len(spans) != 1 or not isinstance(starts[0].value, Period):
        return
    start, span = starts[0], spans[0]
    when = starts[0].value
    if value.frame == "clock" and asked.has(_ENDS) and _ENDS.isdisjoint(start.sentence.lowers):
        minutes = int(_amount(span) / _MINUTE_S)
        readings = {(first[2] + minutes) % _DAY_MIN for first, _ in when.readings}
        days = tuple(((0, 0, minute), (0, 0, minute)) for minute in sorted(readings))
    else:
        way = bool(_AFTER & {*span.slot.after[:1]}) - bool(_AGO & {*span.slot.after[:1]})
        days = _shifted(when, way * _amount(span))
    if days:
        told = f"{span.value.text} from {when.text} is {{}}."
        made = replace(when, readings=days, edge=value.edge, text="")
        yield Result(made, (start, span), told, len(days) == 1, _END_CUES)


def _shifted(when: Period, seconds: Decimal) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    if len(when.readings) != 1 or when.frame not in {"calendar", "yearly"} or seconds % _DAY_S:
        return ()
    first, last = when.readings[0]
    if first != last or not seconds:
        return ()
    year = first[0] or 2001
    moved = date(year, *first[1:]) + timedelta(days=int(seconds / _DAY_S))
    day = (moved.year if first[0] else 0, moved.month, moved.day)
    return ((day, day),)


def _spans(asked: Asked, value: Quantity, terms: Sequence[Term]) -> Iterator[Result]:
    """From one time or date to another: "open from 9:00 to 17:30"."""
    periods = [(term, term.value) for term in terms if isinstance(term.value, Period)]
    if len(periods) != 2 or not asked.has(_LONG | _APART):  # noqa: PLR2004
        return
    (begin, one), (_, other) = periods
    if one.frame != other.frame or one.zone_min != other.zone_min:
        return
    first, last = one.readings[0], other.readings[0]
    if one.frame == "clock":
        # of a pair that is written with 24 hours, "9:00" is in the morning
        is_certain = 1 in {len(one.readings), len(other.readings)}
        seconds = Decimal((last[0][2] - first[0][2]) % _DAY_MIN * _MINUTE_S)
    elif one.frame == "calendar" and first[0] == first[1] and last[0] == last[1]:
        is_certain = len(one.readings) == len(other.readings) == 1
        seconds = abs((date(*last[0]) - date(*first[0])).days) * _DAY_S
    else:
        return
    told = f"From {one.text} to {other.text} is {{}}."
    is_certain = is_certain and begin.slot.before[:1] in {("from",), ("between",)}
    operands = tuple(term for term, _ in periods)
    yield Result(_made(value, seconds), operands, told, is_certain, _SPAN_CUES)
