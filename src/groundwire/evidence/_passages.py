"""Passages of a document: exact slices, cut between sentences, list items and table rows."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.evidence._sections import Part, Section, reading, sections
from groundwire.model import Document
from groundwire.text import Reading

LARGEST_WHOLE_WORDS = 400
"""Lists and tables up to this size stay in one piece."""
_CHARS_PER_WORD = 12
"""Scripts without spaces are measured by their characters."""
# such as the gap in "two words", and its words
_BLANK = lazy_pattern(r"\s+")
# a run of anything but white space
_WORD = lazy_pattern(r"\S+")


class Unit(NamedTuple):
    """What a passage is made of and never cuts."""

    kind: str
    start: int
    end: int
    words: int
    table_header: str = ""


def units(read: Reading, part: Part, max_words: int) -> Iterator[Unit]:
    whole = unit_of(read.text, part.kind, part.start, part.end)
    largest = max_words if part.kind == "paragraph" else LARGEST_WHOLE_WORDS
    if part.kind == "comment" or whole.words <= largest:
        yield whole
        return
    kind = "sentence" if part.kind == "paragraph" else part.kind
    header = ""
    starts = [part.start, *list(_cuts(read, part))[1:]]
    for start, end in zip(starts, (*starts[1:], part.end), strict=True):
        unit = unit_of(read.text, kind, start, end, header)
        yield from small_enough(read.text, unit)
        if part.blocks[0].is_header and not header:
            header = read.text[slice(*part.blocks[0].pieces[0])]


def _cuts(read: Reading, part: Part) -> Iterator[int]:
    """Where its sentences, outermost items, rows or lines of code begin, the first included."""
    if part.kind == "paragraph":
        yield from (sentence.start for sentence in read.sentences_of(part.blocks[0]))
    elif part.kind == "list":
        outermost = min(block.level for block in part.blocks)
        for block in part.blocks:
            if block.level == outermost or block is part.blocks[0]:
                yield block.start
    elif part.kind == "table":
        yield from (block.start for block in part.blocks)
    else:
        yield from (start for start, _ in part.blocks[0].pieces)


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


MAX_WORDS = 180
"""A passage grows up to this size."""
OVERLAP_WORDS = 40
"""A last sentence no longer than this is repeated at the start of the next passage."""
SMALL_WORDS = 60
"""Smaller pieces join what follows them."""


@dataclass(frozen=True)
class Passage:
    """`text[start:end]` of the document, the headings above it, and a table's header row.

    Nobody published what a comment says, so no passage reaches across one.
    """

    start: int
    end: int
    section: str
    words: int
    table_header: str = ""


def passages(document: Document) -> list[Passage]:
    """In the order of the document; every word of it that is not a comment is in one."""
    read = reading(document)
    pieces = [piece for section in sections(document) for piece in _pieces(read, section)]
    return _joined(pieces, [block.start for block in read.blocks if block.is_hidden])


def _pieces(read: Reading, section: Section) -> Iterator[Passage]:
    path = " > ".join(section.path)
    held: list[Unit] = []
    words = 0
    for unit in _section_units(read, section):
        if held and (unit.kind == "comment" or words + unit.words > MAX_WORDS):
            yield _passage(held, path)
            held = _overlap(held, unit)
            words = _words(held)
        if unit.kind != "comment":
            held.append(unit)
            words += unit.words
    if held:
        yield _passage(held, path)


def _section_units(read: Reading, section: Section) -> list[Unit]:
    found = [unit for part in section.parts for unit in units(read, part, MAX_WORDS)]
    if section.heading is None:
        return found
    heading = unit_of(read.text, "heading", section.heading.start, section.heading.end)
    titles = list(small_enough(read.text, heading))
    together = titles[-1].words + found[0].words if found else 0
    if not found or found[0].kind == "comment" or together > LARGEST_WHOLE_WORDS:
        return [*titles, *found]
    # a heading is never the last line of a passage
    joined = found[0]._replace(start=titles[-1].start, words=together)
    return [*titles[:-1], joined, *found[1:]]


def _overlap(held: Sequence[Unit], following: Unit) -> list[Unit]:
    last = held[-1]
    repeats = last.kind == following.kind == "sentence" and last.words <= OVERLAP_WORDS
    return [last] if repeats and len(held) > 1 else []


def _passage(held: Sequence[Unit], path: str) -> Passage:
    first = held[0]
    return Passage(first.start, held[-1].end, path, _words(held), first.table_header)


def _words(held: Sequence[Unit]) -> int:
    return sum(unit.words for unit in held)


def _joined(pieces: Sequence[Passage], comments: Sequence[int]) -> list[Passage]:
    """Small pieces (a status, a heading alone) join their neighbour while both fit."""
    joined: list[Passage] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        if before and _belong_together(before, piece) and not _between(before, piece, comments):
            larger = before if before.words >= piece.words else piece
            joined[-1] = replace(
                larger,
                start=before.start,
                end=piece.end,
                words=before.words + piece.words,
                table_header=before.table_header,
            )
        else:
            joined.append(piece)
    return joined


def _belong_together(before: Passage, piece: Passage) -> bool:
    is_small = before.words < SMALL_WORDS or (
        piece.words < SMALL_WORDS and piece.section == before.section
    )
    return is_small and before.words + piece.words <= MAX_WORDS


def _between(before: Passage, piece: Passage, comments: Sequence[int]) -> bool:
    return bisect_left(comments, before.end) < bisect_left(comments, piece.start)
