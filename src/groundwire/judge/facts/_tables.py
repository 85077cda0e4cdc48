"""A value of a claim in the cell that its words name: by the row's first cell and by the header.

Rows accuse nobody by their words, for a row says too much at once. One cell can: where a claim
names one row and one column of a table and nothing else of it, its value is that cell's or it is
another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Self

from groundwire._patterns import lazy_pattern
from groundwire.encoder import judge_calibration
from groundwire.judge.facts._derive import may_state, word_coverage
from groundwire.judge.facts._place import NEUTRAL, fold
from groundwire.judge.facts._relation import comparable, confirmed_by, conflicts
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import TIMES, TOTAL, Asked, is_rough, made
from groundwire.text import STOP_WORDS, is_finite, placed_words, stem, word_list, words_of
from groundwire.values import Quantity, Value

Cells = Sequence[tuple[str, str]]
"""Of one row what heads each cell, and what it says."""

# "Output (GWh)", "Price, EUR": what the numbers of a column are of
_UNIT = lazy_pattern(r"\(([^()]{1,12})\)\s*$|,\s*([^\s,()]{1,6})\s*$")
# such as "q3"
_QUARTER = lazy_pattern(r"q([1-4])")
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(word_list("first second third fourth fifth sixth seventh"), 1)
}
# such as "2024"
_YEAR = lazy_pattern(r"(?:1[89]|20)\d\d")
_TOTAL = frozenset(fold(stem(word)) for word in TOTAL | {"all"})
_SHARES = frozenset(
    word_list("half share percent most least average more less fewer than except without not")
)
"""A claim with one of these compares, counts a part or denies."""


def _terms(text: str) -> frozenset[str]:
    """Words and numbers, "Q4" as "fourth quarter"."""
    found: set[str] = set()
    for word in words_of(text):
        quarter = _QUARTER.fullmatch(word)
        if quarter:
            found |= {fold(stem("quarter")), quarter[1]}
        elif word in _ORDINALS:
            found.add(_ORDINALS[word])
        elif word not in STOP_WORDS:
            found.add(word if word.isdigit() else fold(stem(word)))
    return frozenset(found)


class _Column(NamedTuple):
    head: frozenset[str]
    unit: str

    @classmethod
    def of(cls, text: str) -> Self:
        match = _UNIT.search(text)
        unit = next((one for one in match.groups() if one), "") if match else ""
        return cls(_terms(text[: match.start()] if match else text), unit)


class _Row(NamedTuple):
    place: int
    key: frozenset[str]
    cells: tuple[str, ...]


class CellFinding(NamedTuple):
    place: int
    is_so: bool
    text: str
    is_whole: bool
    also: tuple[int, ...] = ()
    """Of a sum the rows after the first."""


@dataclass(frozen=True)
class Table:
    """Rows under one header; the first cell of each says what it is of."""

    heads: tuple[str, ...]
    rows: tuple[_Row, ...]

    @cached_property
    def columns(self) -> tuple[_Column, ...]:
        return tuple(_Column.of(head) for head in self.heads)

    def row_of(self, claim: Sentence) -> _Row | None:
        """The one row that a claim names; none where it names several or none."""
        said = _terms(claim.text)
        named = [row for row in self.rows if row.key and row.key <= said]
        longest = max(named, key=lambda row: len(row.key), default=None)
        if longest is None or any(row.key == longest.key for row in named if row is not longest):
            return None
        return longest if all(row.key <= longest.key for row in named) else None

    def column_of(self, claim: Sentence, value: Quantity) -> int | None:
        """The one column that a claim names, by its words or by the unit of its value."""
        said = _terms(claim.text)
        columns = list(enumerate(self.columns))[1:]
        named = [place for place, one in columns if one.head and one.head <= said]
        if not named:
            units = [place for place, one in columns if one.unit and one.unit in value.text]
            named = units
        widest = max(named, key=lambda place: len(self.columns[place].head), default=None)
        if widest is None:
            return None
        head = self.columns[widest].head
        others = [self.columns[place].head for place in named if place != widest]
        return widest if all(other < head for other in others) else None

    def names_another(self, claim: Sentence, place: int) -> bool:
        """Whether a claim is about another row than the one at a place, or about one that is
        not there: "the Trial plan" of plans Free and Team."""
        row = next((one for one in self.rows if one.place == place), None)
        if row is None:
            return False
        named = self.row_of(claim)
        if named is not None:
            return named is not row and not row.key <= _terms(claim.text)
        kind = words_of(self.heads[0])
        tokens = placed_words(claim.text)
        for before, token in pairwise(tokens):
            if [token.text.casefold()] == kind and before.start and before.text[:1].isupper():
                return not _terms(before.text) & {term for one in self.rows for term in one.key}
        return False


class Tables:
    """All tables of some evidence."""

    def __init__(self, cells: Mapping[int, Cells], documents: Sequence[int]) -> None:
        grouped: list[tuple[tuple[str, ...], list[_Row]]] = []
        last = (-2, -1)
        for place in sorted(cells):
            row = cells[place]
            heads = tuple(head for head, _ in row)
            said = tuple(text for _, text in row)
            document = documents[place] if documents else 0
            is_next = (place - 1, document) == last
            last = (place, document)
            if not row[1:]:
                continue
            if not (is_next and grouped and grouped[-1][0] == heads):
                grouped.append((heads, []))
            grouped[-1][1].append(_Row(place, _key(said[0]), said))
        self._tables = [Table(heads, tuple(rows)) for heads, rows in grouped]

    def names_another(self, claim: Sentence, place: int) -> bool:
        return any(table.names_another(claim, place) for table in self._tables)

    def finding(
        self, claim: Sentence, index: int, sentences: Sequence[Sentence]
    ) -> CellFinding | None:
        """What the cell that a claim names says of its value; None where that is not certain."""
        value = claim.value(index)
        if not isinstance(value, Quantity) or value.weak or not self._tables:
            return None
        asked = Asked(claim, index)
        if (
            claim.is_negated
            or claim.asks
            or asked.way
            or asked.is_relative
            or asked.is_total
            or claim.slot(index).unsure
            or not _SHARES.isdisjoint(claim.lowers)
            or not TIMES.keys().isdisjoint(claim.lowers)
        ):
            return None
        found = [self._in(table, claim, index, value) for table in self._tables]
        return self._only(found, claim, value, sentences)

    def total(
        self, claim: Sentence, index: int, sentences: Sequence[Sentence]
    ) -> CellFinding | None:
        """What a column comes to, where a claim says how much it is in total and names no row."""
        value = claim.value(index)
        if not isinstance(value, Quantity) or value.weak or not self._tables:
            return None
        asked = Asked(claim, index)
        is_plain = asked.is_total and not (claim.is_negated or claim.asks or asked.way)
        if not is_plain or not _SHARES.isdisjoint(claim.lowers) or len(claim.values) > 1:
            return None
        found = [_total_of(table, claim, index, value) for table in self._tables]
        return self._only(found, claim, value, sentences)

    def _only(
        self,
        found: Sequence[CellFinding | None],
        claim: Sentence,
        value: Quantity,
        sentences: Sequence[Sentence],
    ) -> CellFinding | None:
        """The one finding of all tables; one that denies only where nothing else has the value."""
        given = [one for one in found if one is not None]
        if len(given) != 1 or (not given[0].is_so and self._is_elsewhere(claim, value, sentences)):
            return None
        return given[0]

    def _in(self, table: Table, claim: Sentence, index: int, value: Quantity) -> CellFinding | None:
        row, column = table.row_of(claim), table.column_of(claim, value)
        if row is None or column is None or column >= len(row.cells):
            return None
        head = table.columns[column]
        named = row.key | head.head
        others = [other for place, other in claim.values if place != index]
        counted = _counted(claim, index)
        if _terms(value.text) <= named or not all(_terms(o.text) <= named for o in others):
            return None
        if counted and not counted <= named | _terms(table.heads[0]):
            return None
        cell = _value(row.cells[column], (head.unit, table.heads[column]), value)
        if cell is None:
            return None
        words = {fold(word.stem) for word in claim.words if word.stem not in NEUTRAL}
        is_so = confirmed_by(value, cell)
        if not is_so and not conflicts(value, cell):
            return None
        return CellFinding(row.place, is_so, row.cells[column].strip(), is_so and words <= named)

    def _is_elsewhere(self, claim: Sentence, value: Value, sentences: Sequence[Sentence]) -> bool:
        """Whether a sentence outside the tables may have said it."""
        touched = judge_calibration().values.touched
        rows = {row.place for table in self._tables for row in table.rows}
        return any(
            place not in rows
            and may_state(value, sentence)
            and word_coverage(claim, sentence) >= touched
            for place, sentence in enumerate(sentences)
        )


def _total_of(table: Table, claim: Sentence, index: int, value: Quantity) -> CellFinding | None:
    """The sum of the column that a claim names; of a table with a row of totals that row's cell."""
    column = table.column_of(claim, value)
    said = _terms(claim.text) - _TOTAL
    if column is None or any(row.key and row.key <= said for row in table.rows):
        return None
    head = table.columns[column]
    if not _counted(claim, index) <= head.head | _terms(head.unit) | _TOTAL:
        return None
    summed = [row for row in table.rows if not row.key & _TOTAL]
    totals = [row for row in table.rows if row.key & _TOTAL]
    units = (head.unit, table.heads[column])
    rows = totals or summed
    cells = [_value(row.cells[column], units, value) for row in rows if column < len(row.cells)]
    given = [cell for cell in cells if cell is not None]
    is_sum = not totals and len(rows) > 1
    if len(given) != len(rows) or not (is_sum or len(totals) == 1) or any(map(is_rough, given)):
        return None
    amount = made(value, sum((cell.value for cell in given), Decimal(0)))
    is_so = confirmed_by(value, amount)
    if not is_so and not conflicts(value, amount):
        return None
    places = tuple(row.place for row in rows)
    return CellFinding(places[0], is_so, rows[0].cells[column].strip(), False, places[1:])


def _counted(claim: Sentence, index: int) -> set[str]:
    """What a number is of: "60 requests"; in "120,000 went to books" nothing is named."""
    slot = claim.slot(index)
    if any(is_finite(word) for word in slot.after[:1]):
        return set()
    return {fold(word) for word in slot.run}


def _key(text: str) -> frozenset[str]:
    """Of a number that is no year nothing: it may be a rank or an amount; of a letter neither."""
    terms = _terms(text)
    if len(terms) == 1 and not _QUARTER.fullmatch(text.strip().casefold()):
        [one] = terms
        is_number = one.isdigit() and not _YEAR.fullmatch(one)
        return frozenset() if is_number or not one[1:] else terms
    return terms


def _value(cell: str, units: Sequence[str], like: Quantity) -> Quantity | None:
    """The one value of a cell, in the unit that its header gives: "500" under "Minutes"."""
    found = [value for _, value in Sentence(cell.strip()).values]
    if len(found) != 1 or not isinstance(found[0], Quantity):
        return None
    is_bare = found[0].dimension == "count"
    if not is_bare or (like.dimension == "count" and not units[0]):
        return found[0] if comparable(like, found[0]) else None
    for unit in units:
        whole = [value for _, value in Sentence(f"{cell.strip()} {unit}").values]
        if len(whole) == 1 and isinstance(whole[0], Quantity) and whole[0].dimension != "count":
            return whole[0] if comparable(like, whole[0]) else None
    return found[0] if like.dimension == "count" else None  # "Poles (pairs)"
