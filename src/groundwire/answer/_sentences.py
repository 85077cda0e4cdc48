"""Sentences that may answer a question, with exact places in their documents. Pure."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from groundwire.model import EvidenceBundle
from groundwire.text import Block, Sentence as Located, is_question, links_in, read

LEAST_WORDS = 3
# such as "Status: accepted", "**Owner**: the board", "Date | 2022-12-05", "superseded by ADR.24"
_FIELD = re.compile(
    r"(?:\*\*)?(?:number|status|date|owner|review|driver|approvers|title|parent|nav_order|deciders)"
    r"(?:\*\*)?[ \t]*[:|]|superseded by\b",
    re.IGNORECASE,
)
LONGEST_PARAGRAPH_WORDS = 70
"""A paragraph up to this size is quoted whole: the answer often stands beside the best match."""


@dataclass(frozen=True)
class Sentence:
    """`passage` is the one it stands in; `rank` that passage's place among the hits.

    A row of a table has the table's first row as its `header`.
    """

    text: str
    start: int
    passage: EvidenceBundle
    rank: int
    header: str = ""

    @property
    def doc_id(self) -> str:
        return self.passage.source.doc_id

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def context(self) -> str:
        """The title and the headings above it."""
        return f"{self.passage.source.title or ''}\n{self.passage.section or ''}\n{self.header}"

    @property
    def shown(self) -> str:
        """As a reader can understand it: the cells of a row under their names."""
        return f"{self.header}: {self.text}" if self.header else self.text


def sentences(hits: Sequence[EvidenceBundle]) -> list[Sentence]:
    """Every sentence, list item and table row of the passages, each once, best passage first."""
    found: dict[tuple[str, int], Sentence] = {}
    for rank, passage in enumerate(hits):
        for quote in quotable(passage.content):
            at = passage.location.start + quote.start
            sentence = Sentence(quote.text, at, passage, rank, quote.header)
            found.setdefault((sentence.doc_id, at), sentence)
    return list(found.values())


class Quote(NamedTuple):
    """A slice of a text; of a table's row, the names of its columns are the header."""

    text: str
    start: int
    header: str = ""


def quotable(text: str) -> Iterator[Quote]:
    """Slices of the text that read by themselves: no headings, fields, questions, list marks."""
    for sentence in read(text).sentences:
        quote = quote_of(sentence)
        is_name = sentence.block.kind == "heading" or sentence.block.is_header
        if not is_name and _says_something(quote.text) and not is_question(sentence.text):
            yield quote


def quote_of(sentence: Located) -> Quote:
    """The sentence itself; of a row its cells without the bars around them."""
    block = sentence.block
    cells = [cell for cell in block.cells if sentence.start <= cell.start < cell.end]
    if not cells:
        return Quote(sentence.text, sentence.start)
    header = " | ".join(cell.column for cell in block.cells).strip("| ")
    return Quote(sentence.source[cells[0].start : cells[-1].end], cells[0].start, header)


def _says_something(quote: str) -> bool:
    in_links = sum(len(quote[link.start : link.end].split()) for link in links_in(quote))
    return (
        len(quote.split()) - in_links >= LEAST_WORDS
        and any(map(str.isalnum, quote))
        and not _FIELD.match(quote)
    )


def with_paragraph(sentence: Sentence) -> Sentence:
    """The paragraph around a sentence, where it is short; list items and rows stay alone."""
    content, offset = sentence.passage.content, sentence.passage.location.start
    blocks = read(content).blocks
    place = bisect_right([block.start for block in blocks], sentence.start - offset) - 1
    block = blocks[max(place, 0)]
    paragraph = content[block.start : block.end]
    if paragraph.endswith(":"):
        whole = content[sentence.start - offset : _end_of_announced(blocks, place)]
        return _announcing(sentence, whole)
    if block.kind != "paragraph" or len(paragraph.split()) > LONGEST_PARAGRAPH_WORDS:
        return sentence
    return Sentence(paragraph, offset + block.start, sentence.passage, sentence.rank)


def _announcing(sentence: Sentence, whole: str) -> Sentence:
    """What it announces belongs to it."""
    if not sentence.text.endswith(":") or len(whole.split()) > 2 * LONGEST_PARAGRAPH_WORDS:
        return sentence
    return replace(sentence, text=whole)


def _end_of_announced(blocks: Sequence[Block], place: int) -> int:
    """Of the list, table or paragraph after the announcement; hidden text ends it."""
    opening = blocks[place]
    end = opening.end
    for before, block in pairwise(blocks[place:]):
        goes_on = before is opening or (block.kind == before.kind and block.kind in ("item", "row"))
        if not goes_on or block.is_hidden or block.kind == "heading":
            break
        if opening.kind == "item" and block.level <= opening.level:
            break
        end = block.end
    return end


def joined(chosen: Iterable[Sentence]) -> list[Sentence]:
    """Sentences of one passage that follow each other are one quote."""
    merged: list[Sentence] = []
    for one in sorted(chosen, key=lambda sentence: (sentence.doc_id, sentence.start)):
        before = merged[-1] if merged else None
        if before is not None and _adjoin(before, one):
            text = _between(before.passage, before.start, one.end)
            merged[-1] = Sentence(text, before.start, before.passage, min(before.rank, one.rank))
        elif before is None or before.doc_id != one.doc_id or one.start >= before.end:
            merged.append(one)
    return merged


def _adjoin(before: Sentence, after: Sentence) -> bool:
    passage = before.passage
    if before.doc_id != after.doc_id or after.end > passage.location.end:
        return False
    gap = _between(passage, before.end, after.start) if after.start >= before.end else "?"
    return not gap.strip() and "\n" not in gap


def _between(passage: EvidenceBundle, start: int, end: int) -> str:
    offset = passage.location.start
    return passage.content[start - offset : end - offset]
