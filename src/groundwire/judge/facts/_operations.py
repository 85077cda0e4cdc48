"""What follows from stated values by arithmetic, where the wording asks for the operation.

A result is certain where its operands are the only values that could be meant.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from groundwire.judge.facts._moments import ages, moments_of, spans_between
from groundwire.judge.facts._terms import (
    APART,
    CUES,
    EACH,
    EARLIER,
    EVERY,
    FAR,
    LEFT,
    RATE_CUES,
    THAN,
    TIMES,
    TOTAL,
    Asked,
    Result,
    Term,
    amount_of,
    dimension_of,
    is_rough,
    made,
)
from groundwire.values import Period, Quantity

_SHARES = {
    Decimal(2): "twice",
    Decimal(3): "three times",
    Decimal(4): "four times",
    Decimal("0.5"): "half of",
}
_MOST_TERMS = 4
_PROPORTIONAL = {("times", word) for word in ("that", "this", "the", "as")}


def results(asked: Asked, terms: Sequence[Term]) -> Iterator[Result]:
    """Everything that the operations asked for give of some terms."""
    value = asked.term.value
    if isinstance(value, Period):
        yield from moments_of(asked, value, terms)
    elif isinstance(value, Quantity) and not value.ordinal:
        usable = [t for t in terms if isinstance(t.value, Quantity) and not is_rough(t.value)]
        like = [t for t in usable if t.value.dimension == value.dimension]  # type: ignore[union-attr]
        for operation in _RELATIVE if asked.is_relative else _ABSOLUTE:
            for result in operation(asked, value, usable, like):
                is_exact = not any(getattr(t.value, "about", False) for t in result.operands)
                yield result._replace(is_certain=result.is_certain and is_exact)
        if value.dimension == "time":
            yield from spans_between(asked, value, terms)
            yield from ages(asked, value, terms)


def _sum(
    asked: Asked, value: Quantity, _: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    plain = [term for term in like if not term.way]
    if not asked.is_total or not 1 < len(plain) <= _MOST_TERMS:
        return
    is_stated = any(not TOTAL.isdisjoint(term.sentence.lowers) for term in plain)
    total = sum(map(amount_of, plain), Decimal(0))
    listed = ", ".join(term.value.text for term in plain[:-1])
    told = f"{listed} and {plain[-1].value.text} are {{}} together."
    yield Result(made(value, total), tuple(plain), told, not is_stated and len(like) == len(plain))


def _rest(
    asked: Asked, value: Quantity, _: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    if not asked.has(LEFT) or len(like) != 2:  # noqa: PLR2004
        return
    small, big = sorted(like, key=amount_of)
    if not LEFT.isdisjoint(small.sentence.lowers) or small.way or big.way:
        return
    told = f"{big.value.text} less {small.value.text} leaves {{}}."
    yield Result(
        made(value, amount_of(big) - amount_of(small)), (big, small), told, is_certain=True
    )


def _applied(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "48,000; it rose by half" gives 72,000; "260, 40 more than a year before" gives 220."""
    changes = [t for t in usable if t.way and dimension_of(t) in {"ratio", value.dimension}]
    bases = [term for term in like if not term.way]
    if len(changes) != 1 or len(bases) != 1:
        return
    change, base = changes[0], bases[0]
    is_new = base.slot.before[:1] == ("to",) or (
        base.place == change.place and "than" in change.slot.after[:3]
    )
    is_dated = _is_earlier(asked, base)
    if is_new != (asked.has(EARLIER) or is_dated):
        return
    amount, by = amount_of(base), change.way * amount_of(change)
    if dimension_of(change) == "ratio":
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
    yield Result(
        made(value, amount), (base, change), told, is_certain=not is_dated, is_dated=is_dated
    )


def _is_earlier(asked: Asked, base: Term) -> bool:
    """Whether a claim gives a date that is before the one a value is of."""
    ours, theirs = asked.claim.dates, base.sentence.dates
    return bool(ours and theirs) and max(d.last for d in ours) < min(d.first for d in theirs)


def _multiplied(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "120; it has doubled since" gives 240, "three times that" 360."""
    if len(like) != 1 or asked.has(EARLIER):
        return
    base = like[0]
    multiples = [t for t in usable if t.slot.after[:2] in _PROPORTIONAL and t is not base]
    if len(multiples) == 1:
        amount = amount_of(base) * amount_of(multiples[0])
        told = f"{multiples[0].value.text} times {base.value.text} is {{}}."
        yield Result(made(value, amount), (base, multiples[0]), told, is_certain=False)
    for word, times in TIMES.items():
        if word.endswith("ed") and word in base.sentence.unvalued and "to" not in base.slot.before:
            told = f"{{}} is {base.value.text} times {times}."
            is_certain = base.slot.before[:1] == ("from",)
            yield Result(made(value, amount_of(base) * times), (base,), told, is_certain)


def _product(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "two tanks of 20 hectolitres", "six crews, each with 4 people"."""
    if asked.has(EACH):
        return
    for count in usable:
        if dimension_of(count) != "count" or not count.slot.run:
            continue
        for size in like:
            if size is count or size.place != count.place or not _is_each(count, size):
                continue
            told = f"{count.value.text} times {size.value.text} is {{}}."
            amount = amount_of(count) * amount_of(size)
            others = {dimension_of(size), "count"}
            is_alone = sum(dimension_of(t) in others for t in usable if t.place == size.place) == 2  # noqa: PLR2004
            yield Result(made(value, amount), (count, size), told, is_alone and asked.is_total)


def _is_each(count: Term, size: Term) -> bool:
    end, begin = count.sentence.token_span(count.index)[1], size.sentence.token_span(size.index)[0]
    between = count.sentence.lowers[end + 1 : begin]
    near = (*between, *size.slot.after[:3])
    is_of = 1 < len(between) <= FAR and between[-1] in {"of", "at", "with", "holding"}
    return begin > end and (is_of or not EACH.isdisjoint(near))


def _rate(
    asked: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "1.5 g every eight hours" gives 4.5 g a day; "EUR 900 a month" gives 2,700 in three."""
    times = [term for term in usable if dimension_of(term) == "time"]
    wanted = _every(asked.term, []) or _lasting(asked)
    rates = [term for term in usable if dimension_of(term) == f"{value.dimension}/time"]
    for base in (*like, *rates):
        every = Decimal(1) if base in rates else _every(base, times)
        if every is None:
            continue
        free = [t for t in times if t.slot.before[:1] != ("every",)]
        spans = [wanted] if wanted else [amount_of(term) for term in free]
        if len(spans) == 1 and spans[0] != every:
            operands = (base,) if wanted else (base, *free)
            times_told = f"{round(spans[0] / every, 2).normalize():f} times"
            told = f"{base.value.text} a time, {times_told}, is {{}}."
            if base in rates:
                told = f"At {base.value.text} it is {{}}."
            amount = amount_of(base) * spans[0] / every
            # a week may have five days, and a year fewer than its days
            is_certain = len(like) == 1 and max(spans[0], every) <= EVERY["day"]
            yield Result(made(value, amount), operands, told, is_certain, RATE_CUES)


def _every(term: Term, times: Sequence[Term]) -> Decimal | None:
    """How often a value recurs, in seconds: "a day", "monthly", "every eight hours"."""
    for word, unit in pairwise(("", *term.slot.after)):
        if unit in EVERY and (word in {"a", "an", "per", "each", "every"} or unit.endswith("ly")):
            return EVERY[unit]
    every = [t for t in times if t.place == term.place and t.slot.before[:1] == ("every",)]
    return amount_of(every[0]) if len(every) == 1 else None


def _lasting(asked: Asked) -> Decimal | None:
    """The time a claim's value is for: "in 24 hours"."""
    spans = [v.value for v in asked.claim.quantities if v.dimension == "time"]
    return spans[0] if len(spans) == 1 and dimension_of(asked.term) != "time" else None


def _part(
    _: Asked, value: Quantity, usable: Sequence[Term], like: Sequence[Term]
) -> Iterator[Result]:
    """ "400 members; a quarter of the members"."""
    shares = [t for t in usable if dimension_of(t) == "ratio" and t.slot.after[:1] == ("of",)]
    if value.dimension == "ratio" or len(shares) != 1 or len(like) != 1 or shares[0].way:
        return
    share, whole = shares[0], like[0]
    noun = next(iter(share.slot.right), "")
    if value.dimension != "count" or noun in whole.slot.run:
        told = f"{share.value.text} of {whole.value.text} is {{}}."
        yield Result(
            made(value, amount_of(share) * amount_of(whole)), (whole, share), told, is_certain=True
        )


def _share(
    _: Asked, value: Quantity, usable: Sequence[Term], __: Sequence[Term]
) -> Iterator[Result]:
    """ "25 of the 400 seats"."""
    if value.dimension != "ratio":
        return
    for small, big in pairwise(usable):
        between = small.slot.after[:3]
        is_of = (
            small.place == big.place
            and "of" in between
            and dimension_of(small) == dimension_of(big)
        )
        if is_of and 0 < amount_of(small) < amount_of(big):
            told = f"{small.value.text} of {big.value.text} is {{}}."
            share = made(value, amount_of(small) / amount_of(big))
            like = [term for term in usable if dimension_of(term) == dimension_of(big)]
            yield Result(share, (small, big), told, len(like) == 2)  # noqa: PLR2004


def _change(
    asked: Asked, value: Quantity, usable: Sequence[Term], _: Sequence[Term]
) -> Iterator[Result]:
    """ "from 61 % to 68 %" is 7 points; "48,000 in 2021, 72,000 in 2022" is half as much again."""
    kinds = {dimension_of(term) for term in usable}
    for kind in kinds - {"points", "multiple"}:
        pair = [term for term in usable if dimension_of(term) == kind and not term.way]
        if len(pair) != 2 or not _may_differ(value.dimension, kind):  # noqa: PLR2004
            continue
        ordered = _ordered(asked, pair)
        old, new = ordered or sorted(pair, key=amount_of)
        if ordered is None and not asked.has(APART):
            continue
        amount = _difference(value, amount_of(old), amount_of(new), asked.way or 1)
        if amount is not None:
            more = "more" if amount_of(new) > amount_of(old) else "less"
            told = f"{new.value.text} is {{}} {more} than {old.value.text}."
            if value.dimension == "multiple":
                told = f"{new.value.text} is {{}} {old.value.text}."
            yield Result(made(value, amount), (old, new), told, is_certain=True)


def compared(asked: Asked, terms: Sequence[Term]) -> Iterator[tuple[Decimal, list[Term]]]:
    """How many times as much one value is as another, where a claim says so without a number."""
    for kind in dict.fromkeys(dimension_of(term) for term in terms) if asked.times else ():
        pair = [
            t
            for t in terms
            if dimension_of(t) == kind != "ordinal" and kind and amount_of(t) > 0 and not t.way
        ]
        ordered = _ordered(asked, pair) if len(pair) == 2 else None  # noqa: PLR2004
        if ordered is not None:
            yield amount_of(ordered[1]) / amount_of(ordered[0]), ordered


def told_times(ratio: Decimal, pair: Sequence[Term]) -> str:
    """ "10,200 is three times 3,400."."""
    old, new = pair
    told = _SHARES.get(ratio) or f"{float(round(ratio, 2)):g} times"
    return f"{new.value.text} is {told} {old.value.text}."


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
    lowers = asked.claim.lowers
    than = next((place for place, word in enumerate(lowers) if word in THAN), len(lowers))
    base = {word.stem for word in asked.claim.words if word.place > than}
    if base:
        head = {word.stem for word in asked.claim.words if word.place < than} - base - CUES
        told = [t for t in pair if base <= t.slot.clause and not head <= t.slot.clause]
        own = head.difference(*(t.slot.clause for t in told))
        others = [t for t in pair if t not in told and (not own or own & t.slot.clause)]
        return [*told, *others] if len(told) == len(others) == 1 else None
    ways = [term.slot.before[:1] for term in pair]
    if ways == [("from",), ("to",)]:
        return list(pair)
    years = [_year(term, pair) for term in pair]
    if None not in years and years[0] != years[1]:
        # "dearer in 2023 than in 2024"
        ours = [date.first for date in asked.claim.dates]
        is_back = len(ours) > 1 and than < len(lowers) and ours == sorted(ours)
        return sorted(pair, key=lambda term: _year(term, pair) or 0, reverse=is_back)
    ranks = [_rank(term) for term in pair]
    if None not in ranks and ranks[0] != ranks[1]:
        return sorted(pair, key=lambda term: _rank(term) or 0)
    olds = [t for t in pair if not EARLIER.isdisjoint((*t.slot.before, *t.slot.after[:FAR]))]
    if len(olds) == 1:
        return [*olds, *(term for term in pair if term is not olds[0])]
    return None


def _year(term: Term, pair: Sequence[Term]) -> int | None:
    """The year that a value is of: the only one of its sentence, or as they stand in order."""
    years = [date.first[0] for date in term.sentence.dates]
    beside = [other for other in pair if other.place == term.place]
    if len(years) == len(beside):
        return years[beside.index(term)]
    return years[0] if len(set(years)) == 1 else None


def _rank(term: Term) -> Decimal | None:
    """Where a value stands in a row: "in the second season"; only where its sentence says one."""
    told = [v.value for v in term.sentence.quantities if v.ordinal]
    return told[0] if len(told) == 1 else None


_Operation = Callable[[Asked, Quantity, Sequence[Term], Sequence[Term]], Iterator[Result]]
_ABSOLUTE: tuple[_Operation, ...] = (
    _sum, _rest, _applied, _multiplied, _product, _rate, _part, _share
)  # fmt: skip
_RELATIVE: tuple[_Operation, ...] = (_change, _applied)
