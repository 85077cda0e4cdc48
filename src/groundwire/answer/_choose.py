"""Which sentences of the hits answer a question, with exact places in their documents."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.encoder import reader_calibration
from groundwire.evidence import Searcher, reading
from groundwire.gate import Curve, by_meaning, by_words
from groundwire.model import Document, EvidenceBundle
from groundwire.text import (
    Block,
    Sentence as Located,
    has_phrase,
    is_question,
    links_in,
    read,
    word_list,
)
from groundwire.values import Period, Quantity, values_in

LEAST_WORDS = 3
# such as "Status: accepted", "**Owner**: the board", "Date | 2022-12-05", "superseded by ADR.24"
_FIELD = lazy_pattern(
    r"(?:\*\*)?(?:number|status|date|owner|review|driver|approvers|title|parent|nav_order|deciders)"
    r"(?:\*\*)?[ \t]*[:|]|superseded by\b",
    re.IGNORECASE,
)
# what ends a sentence, and what may stand after that: "as follows.**"
_STOPS = tuple(".!?\u2026")
_CLOSING = '*_`)]"\u201d '
MOST_ANNOUNCED_WORDS = 140
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
    is_window: bool = False
    """Whether it was cut and read as a whole, so that nothing is added to it."""

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


def without_fields(text: str) -> str:
    """Without the lines that state something of the document: "Date: 2024-05-01"."""
    return "\n".join(line for line in text.split("\n") if not _FIELD.match(line.lstrip("-*+ ")))


def with_paragraph(sentence: Sentence) -> Sentence:
    """The paragraph around a sentence, where it is short; list items and rows stay alone."""
    content, offset = sentence.passage.content, sentence.passage.location.start
    blocks = read(content).blocks
    place = bisect_right([block.start for block in blocks], sentence.start - offset) - 1
    block = blocks[max(place, 0)]
    paragraph = content[block.start : block.end]
    if paragraph.endswith(":") and sentence.text.endswith(":"):
        whole = content[sentence.start - offset : _end_of_announced(blocks, place)]
        return _announcing(sentence, whole)
    if block.kind != "paragraph" or len(paragraph.split()) > LONGEST_PARAGRAPH_WORDS:
        return sentence
    return Sentence(paragraph, offset + block.start, sentence.passage, sentence.rank)


def _announcing(sentence: Sentence, whole: str) -> Sentence:
    """What it announces belongs to it."""
    is_long = len(whole.split()) > 2 * LONGEST_PARAGRAPH_WORDS
    return sentence if is_long else replace(sentence, text=whole)


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


def with_announced(quotes: Iterable[Sentence], document: Document) -> list[Sentence]:
    """Quotes of a document, each with the list, table or code that its end announces: "Chosen
    option: pumps, because" is half a sentence. What is then quoted twice stands once."""
    blocks = reading(document).blocks
    whole: list[Sentence] = []
    for one in quotes:
        end = _end_with_announced(document.text, blocks, one)
        text = document.text[one.start : end] if end > one.end else one.text
        if not any(had.start <= one.start and end <= had.end for had in whole):
            whole.append(replace(one, text=text))
    return whole


def _end_with_announced(text: str, blocks: Sequence[Block], quote: Sentence) -> int:
    place = bisect_right([block.start for block in blocks], quote.end - 1) - 1
    opening, *after = blocks[max(place, 0) :]
    is_whole = quote.end >= opening.end and opening.kind in ("paragraph", "item")
    if not is_whole or not after or quote.text.rstrip(_CLOSING)[-1:] in _STOPS:
        return quote.end
    is_said = quote.text.rstrip().endswith(":") or opening.kind == "paragraph"
    if not is_said or after[0].is_hidden or after[0].kind not in ("item", "row", "code"):
        return quote.end
    last = _end_of_announced(blocks, place)
    ends = [one.end for one in after if one.end <= last]
    fitting = [end for end in ends if len(text[quote.end : end].split()) <= MOST_ANNOUNCED_WORDS]
    return max(fitting, default=quote.end)


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


SHORTLIST = 8
"""Sentences that are embedded: each costs a few milliseconds."""

ASKS_FOR_VALUE = (
    "how many, how much, how long, how often, how large, how big, how fast, how quickly, how soon,"
    " how accurate, how old, how far, how high, at what, at which, what price, what cost,"
    " what percentage, highest, lowest, maximum, minimum, largest number, what number, what share,"
    " which number"
).split(", ")
_HOW_OFTEN = word_list(
    "once twice thrice half never every hourly daily nightly weekly fortnightly biweekly monthly"
    " quarterly annually annual yearly"
)
DECIDING = word_list("decision statement outcome rule rules besluit stelling")
EXPLAINING = word_list(
    "context rationale motivation driver drivers reason reasons problem consequences"
)
ASKS_WHY = word_list("why reason reasons rationale waarom")
REASONING = word_list("because since due reason reasons therefore hence")
"""Words that give a reason."""


@dataclass(frozen=True)
class Scored:
    sentence: Sentence
    score: float
    coverage: float
    cost: float


@dataclass(frozen=True)
class Chosen:
    """The best sentences, best first, and the confidence that the first of them answers."""

    best: tuple[Scored, ...]
    confidence: float


def choose(
    question: str,
    words: Sequence[str],
    candidates: Sequence[Sentence],
    searcher: Searcher,
    *,
    handicap: Callable[[Sentence], float] = lambda _: 0.0,
) -> Chosen:
    """Score every candidate. `handicap` is what a sentence loses for where it stands."""
    if not candidates or not words:
        return Chosen((), 0.0)
    needs_value = has_phrase(question, ASKS_FOR_VALUE)
    section = EXPLAINING if has_phrase(question, ASKS_WHY) else DECIDING
    costs = [handicap(one) + _cost(one, section, needs_value=needs_value) for one in candidates]
    ranked = _by_words(words, candidates, costs, searcher)
    shortlist = ranked[:SHORTLIST]
    near = searcher.nearness(question, [one.sentence.text for one in shortlist])
    if near is None:
        return Chosen(tuple(ranked), _certainty(ranked, by_words(), handicap))
    scored = [
        replace(one, score=one.coverage + cosine + _similarity(one.sentence) - one.cost)
        for one, cosine in zip(shortlist, near, strict=True)
    ]
    best = sorted(scored, key=_order)
    return Chosen(tuple(best), _certainty(best, by_meaning(), handicap))


def top(chosen: Chosen, limit: int) -> list[Scored]:
    """The best sentence and those hardly worse."""
    within = reader_calibration().answers.within
    least = chosen.best[0].score - within if chosen.best else 0.0
    return [one for one in chosen.best if one.score >= least][:limit]


def _by_words(
    words: Sequence[str], candidates: Sequence[Sentence], costs: Sequence[float], searcher: Searcher
) -> list[Scored]:
    covered = searcher.coverage(
        words, [one.text for one in candidates], [one.context for one in candidates]
    )
    scored = [
        Scored(one, alone + together + _passage_score(one) - cost, together, cost)
        for one, (alone, together), cost in zip(candidates, covered, costs, strict=True)
    ]
    return sorted(scored, key=_order)


def _certainty(
    best: Sequence[Scored], curve: Curve, handicap: Callable[[Sentence], float]
) -> float:
    """A superseded record answers no less surely that it once was so."""
    return curve(best[0].score + handicap(best[0].sentence)) if best else 0.0


def _cost(sentence: Sentence, section: Sequence[str], *, needs_value: bool) -> float:
    lacks = needs_value and not has_value(sentence.text)
    tuned = reader_calibration().answers
    bonus = tuned.section_bonus if has_phrase(sentence.passage.section or "", section) else 0.0
    return (tuned.no_value_cost if lacks else 0.0) - bonus


def has_value(text: str) -> bool:
    """A number, a date, or how often: "within 4 hours", "every Monday"."""
    return has_phrase(text, _HOW_OFTEN) or any(
        isinstance(value, Quantity | Period) for value in values_in(text)
    )


def _passage_score(sentence: Sentence) -> float:
    scores = sentence.passage.retrieval.scores if sentence.passage.retrieval else {}
    tuned = reader_calibration().answers
    covered = tuned.passage_coverage * scores.get("coverage", 0.0)
    return covered + _similarity(sentence) - tuned.rank_cost * sentence.rank


def _similarity(sentence: Sentence) -> float:
    scores = sentence.passage.retrieval.scores if sentence.passage.retrieval else {}
    return scores.get("similarity", 0.0)


def _order(one: Scored) -> tuple[float, str, int]:
    return (-one.score, one.sentence.doc_id, one.sentence.start)
