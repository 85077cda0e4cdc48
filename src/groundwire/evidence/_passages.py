"""Documents cut into passages: whole sentences, list items and table rows, with exact places."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence._sections import Section, sections
from groundwire.evidence._units import LARGEST_WHOLE_WORDS, Unit, small_enough, unit_of, units
from groundwire.model import Document

MAX_WORDS = 180
"""A passage grows up to this size."""
OVERLAP_WORDS = 40
"""A last sentence no longer than this is repeated at the start of the next passage."""
SMALL_WORDS = 60
"""Smaller pieces join what follows them."""


@dataclass(frozen=True)
class Passage:
    """`text[start:end]` of the document, the headings above it, and a table's header row.

    A comment stands before it when `after_comment` is set. Nobody published what a comment says,
    so no passage reaches across one.
    """

    start: int
    end: int
    section: str
    words: int
    table_header: str = ""
    after_comment: bool = False


def passages(document: Document) -> list[Passage]:
    """In the order of the document; every word of it that is not a comment is in one."""
    pieces = [piece for section in sections(document) for piece in _pieces(document.text, section)]
    return _joined(pieces)


def _pieces(text: str, section: Section) -> Iterator[Passage]:
    path = " > ".join(section.path)
    held: list[Unit] = []
    words = 0
    after_comment = False
    for unit in _section_units(text, section):
        if held and (unit.kind == "comment" or words + unit.words > MAX_WORDS):
            yield _passage(held, path, after_comment=after_comment)
            held = _overlap(held, unit)
            words = _words(held)
            after_comment = False
        if unit.kind == "comment":
            after_comment = True
            continue
        held.append(unit)
        words += unit.words
    if held:
        yield _passage(held, path, after_comment=after_comment)


def _section_units(text: str, section: Section) -> list[Unit]:
    found = [unit for block in section.blocks for unit in units(text, block, MAX_WORDS)]
    if section.heading is None:
        return found
    heading = unit_of(text, "heading", section.heading.start, section.heading.end)
    titles = list(small_enough(text, heading))
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


def _passage(held: Sequence[Unit], path: str, *, after_comment: bool) -> Passage:
    first = held[0]
    words = _words(held)
    return Passage(first.start, held[-1].end, path, words, first.table_header, after_comment)


def _words(held: Sequence[Unit]) -> int:
    return sum(unit.words for unit in held)


def _joined(pieces: Sequence[Passage]) -> list[Passage]:
    """Small pieces (a status, a heading alone) join their neighbour while both fit."""
    joined: list[Passage] = []
    for piece in pieces:
        before = joined[-1] if joined else None
        if before is not None and _belong_together(before, piece):
            larger = before if before.words >= piece.words else piece
            joined[-1] = replace(
                larger,
                start=before.start,
                end=piece.end,
                words=before.words + piece.words,
                table_header=before.table_header,
                after_comment=before.after_comment,
            )
        else:
            joined.append(piece)
    return joined


def _belong_together(before: Passage, piece: Passage) -> bool:
    if piece.after_comment:
        return False
    is_small = before.words < SMALL_WORDS or (
        piece.words < SMALL_WORDS and piece.section == before.section
    )
    return is_small and before.words + piece.words <= MAX_WORDS
