"""What a passage is made of and never cuts: a sentence, a list item, a table row."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from groundwire.evidence._blocks import Block
from groundwire.evidence._markdown import lines

LARGEST_WHOLE_WORDS = 400
"""Lists and tables up to this size stay in one piece."""
_CHARS_PER_WORD = 12
"""Scripts without spaces are measured by their characters."""
_ITEM_START = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]")
_BLANK = re.compile(r"\s+")
_WORD = re.compile(r"\S+")


class Unit(NamedTuple):
    kind: str
    start: int
    end: int
    words: int
    table_header: str = ""


def units(text: str, block: Block, max_words: int) -> Iterator[Unit]:
    whole = unit_of(text, block.kind, block.start, block.end)
    largest = max_words if block.kind == "paragraph" else LARGEST_WHOLE_WORDS
    if block.kind == "comment" or whole.words <= largest:
        yield whole
        return
    for part in _parts(text, block):
        if part.start < part.end:  # a blank line of code is nothing
            yield from small_enough(text, part)


def _parts(text: str, block: Block) -> Iterator[Unit]:
    if block.kind == "paragraph":
        yield from _sentences(text, block)
    elif block.kind == "list":
        yield from _items(text, block)
    else:
        yield from _rows(text, block)


def _sentences(text: str, block: Block) -> Iterator[Unit]:
    import nupunkt

    for start, end in nupunkt.sent_spans(text[block.start : block.end]):
        yield unit_of(text, "sentence", block.start + start, block.start + end)


def _items(text: str, block: Block) -> Iterator[Unit]:
    """Items of the outermost level, with everything that is indented under them."""
    starts = [
        line.start
        for line in lines(text, block.start, block.end)
        if _ITEM_START.match(line.text) or line.start == block.start
    ]
    for start, end in zip(starts, (*starts[1:], block.end), strict=True):
        yield unit_of(text, "item", start, end)


def _rows(text: str, block: Block) -> Iterator[Unit]:
    header = ""
    for line in lines(text, block.start, block.end):
        yield unit_of(text, block.kind, line.start, line.end, header)
        if block.kind == "table" and not header:
            header = line.text.strip()


def small_enough(text: str, unit: Unit) -> Iterator[Unit]:
    """A sentence without end is cut between words, and a word without end anywhere."""
    if unit.words <= LARGEST_WHOLE_WORDS:
        yield unit
        return
    most = LARGEST_WHOLE_WORDS * _CHARS_PER_WORD // 2
    start = unit.start
    while start < unit.end:
        end = _end_of_words(text, start, min(start + most, unit.end))
        if end < unit.end and (gap := _last_gap(text, start, end)) is not None:
            end = gap
        piece = unit_of(text, unit.kind, start, end, unit.table_header)
        if piece.start < piece.end:  # what is left may be white space alone
            yield piece
        start = end


def _end_of_words(text: str, start: int, end: int) -> int:
    """Where the largest number of words ends, if that is before `end`."""
    words = islice(_WORD.finditer(text, start, end), LARGEST_WHOLE_WORDS - 1, LARGEST_WHOLE_WORDS)
    return next((word.end() for word in words), end)


def _last_gap(text: str, start: int, end: int) -> int | None:
    gaps = [match.end() for match in _BLANK.finditer(text, start, end)]
    return gaps[-1] if gaps and gaps[-1] > start else None


def unit_of(text: str, kind: str, start: int, end: int, header: str = "") -> Unit:
    """Without the white space around it."""
    content = text[start:end]
    start += len(content) - len(content.lstrip())
    content = content.strip()
    words = len(content.split()) - (content.count("|") if kind == "table" else 0)
    words = max(1, words, len(content) // _CHARS_PER_WORD)
    return Unit(kind, start, start + len(content), words, header)
