"""How sure the wording is, where it says so."""

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire._patterns import lazy_pattern
from groundwire.claims._citations import (
    Resolver,
    definition_spans,
    find_definitions,
    find_markers,
)
from groundwire.model import Citation, Claim, Excluded, ExclusionReason, Extraction, Source, Span
from groundwire.text import (
    Block,
    Words,
    assertion_start,
    exclusion,
    is_finite,
    is_fragment,
    is_terse,
    read,
    refers_back,
    resolve,
    sentences_of_words,
    split_clauses,
    statement_of,
    unmarked_words,
)
from groundwire.values import quantities_in

# such as "sure" in "75 % sure"
_SURENESS = lazy_pattern(
    r"\s?(?:sure|certain|confident|confidence|probability|likely|chance)\b", re.IGNORECASE
)
# such as "almost certainly", "very likely", "probably"
_WORDINGS: tuple[tuple[re.Pattern[str], float], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), confidence)
    for words, confidence in (
        (r"almost certainly|nearly certain(?:ly)?|virtually certain", 0.95),
        (r"certainly|definitely|undoubtedly|without (?:a )?doubt|unquestionably|for sure", 0.99),
        (r"very likely|highly likely|very probably|most likely", 0.9),
        (r"unlikely", 0.2),
        (r"probably|likely", 0.75),
    )
)


def stated_confidence(sentence: str) -> float | None:
    """The confidence the sentence claims for itself, or None when it says nothing about it."""
    for quantity in quantities_in(sentence):
        if quantity.dimension == "ratio" and _SURENESS.match(sentence, quantity.end):
            return min(float(quantity.measures[0].low), 1.0)
    for pattern, confidence in _WORDINGS:
        if pattern.search(sentence):
            return confidence
    return None


# such as "[x] " in "- [x] The mast is red."
_TASK = lazy_pattern(r"\[[ xX]\]\s+")
# such as "Founded: 1990"
_LABELLED = lazy_pattern(r"^[^:]{1,60}:\s*\S")


def extract_claims(text: str, sources: Sequence[Source] = (), *, question: str = "") -> Extraction:
    """Every atomic claim of a text with its exact place, and every span left out with the reason.

    `sources` are the documents that citations may lead to; `question` is what the text answers:
    a terse answer to it becomes a whole claim, and its first pronoun may mean what was asked about.
    """
    return _Extractor(text, sources, question).run()


def read_claim(text: str, sources: Sequence[Source] = ()) -> Claim:
    """A text as one claim, not cut: its citation markers and its stated confidence are read."""
    dropped, citations = set[int](), list[Citation]()
    resolver = Resolver(sources, find_definitions(text))
    for marker in find_markers(text):
        kept = marker.kept or Span(start=marker.span.end, end=marker.span.end)
        dropped |= set(range(marker.span.start, kept.start)) | set(range(kept.end, marker.span.end))
        citations += resolver.citations(marker, text)
    words = unmarked_words(text, [(0, len(text))], dropped).text if dropped else text
    return Claim(
        content=words.strip() or text.strip(),
        source=Span(start=0, end=len(text)),
        citations=tuple(citations),
        confidence=stated_confidence(text),
    )


class _Extractor:
    def __init__(self, text: str, sources: Sequence[Source], question: str = "") -> None:
        self._text = text
        self._question = question.strip()
        self._definitions = definition_spans(text)
        self._reading = read(text)
        self._markers = [
            marker
            for marker in find_markers(text)
            if not any(span.covers(marker.span) for span in self._definitions)
        ]
        self._dropped = {
            place
            for marker in self._markers
            for place in range(marker.span.start, marker.span.end)
            if marker.kept is None or not marker.kept.start <= place < marker.kept.end
        }
        for block in self._reading.blocks:
            if block.is_hidden:
                self._dropped.update(range(block.start, block.end))
        self._resolver = Resolver(sources, find_definitions(text))
        self._claims: list[Claim] = []
        self._excluded: list[Excluded] = []
        self._intro = ""
        self._checked = 0
        self._before = self._question

    def run(self) -> Extraction:
        for block in self._whole_blocks():
            if block.kind == "struck_out":
                self._exclude(block.start, block.end, "struck_out")
            elif block.kind in ("code", "comment", "front_matter"):
                self._exclude(block.start, block.end, "hidden" if block.is_hidden else "code")
            elif block.kind == "heading":
                self._heading(block)
            elif block.kind == "row":
                self._row(block)
            else:
                self._prose(block)
        excluded = sorted(self._excluded, key=lambda one: one.source.start)
        return Extraction(
            claims=tuple(self._claims), excluded=tuple(excluded), checked=self._checked
        )

    def _whole_blocks(self) -> list[Block]:
        """What goes on after a comment is one again: "42 <!-- sic --> m" is one sentence."""
        blocks: list[Block] = []
        place = -1
        for block in self._reading.blocks:
            if not (block.continues and block.kind != "row" and place >= 0):
                place = len(blocks) if not block.is_hidden else place
                blocks.append(block)
                continue
            before = blocks[place]
            *first, (start, end) = before.pieces
            (next_start, next_end), *rest = block.pieces
            is_one_line = "\n" not in self._text[end:next_start]
            joint = [(start, next_end)] if is_one_line else [(start, end), (next_start, next_end)]
            pieces = (*first, *joint, *rest)
            blocks[place] = replace(before, end=block.end, pieces=pieces)
        return blocks

    def _heading(self, block: Block) -> None:
        words = unmarked_words(self._text, block.pieces, self._dropped)
        self._intro = words.text.rstrip(": ")
        self._exclude(block.start, block.end, "heading")

    def _row(self, block: Block) -> None:
        """A table row asserts each of its cells of its first; a cell alone speaks for itself."""
        if block.is_header:
            self._exclude(block.start, block.end, "heading")
            return
        filled = [cell for cell in block.cells if cell.start < cell.end]
        if len(filled) == 1:
            self._prose(replace(block, pieces=((filled[0].start, filled[0].end),)))
        for cell in block.cells[1:]:
            value = unmarked_words(self._text, [(cell.start, cell.end)], self._dropped).text
            if len(filled) > 1 and cell.row and any(char.isalnum() for char in value):
                content = f"{cell.row}: {cell.column} is {value}"
                content = content if cell.column else f"{cell.row}: {value}"
                cited = self._cited(block.start, block.end)
                self._checked += 1
                self._claim(content, (cell.start, cell.end), cited)

    def _prose(self, block: Block) -> None:
        pieces = []
        for start, end in block.pieces:
            if any(span.start <= start < span.end for span in self._definitions):
                self._exclude(start, end, "meta")
            else:
                task = _TASK.match(self._text, start, end) if block.kind == "item" else None
                pieces.append((task.end() if task else start, end))
        words = unmarked_words(self._text, pieces, self._dropped)
        ranges = sentences_of_words(words)
        for number, (start, end) in enumerate(ranges):
            next_start = ranges[number + 1][0] if number + 1 < len(ranges) else None
            before = self._before if number or not self._claims else ""
            self._sentence(block, words, (start, end), next_start, before)
        if block.kind == "paragraph" and ranges:
            self._introduce(words.text[slice(*ranges[-1])])

    def _introduce(self, sentence: str) -> None:
        """`The bridge:` announces what a list is about; `Here are the facts:` does not."""
        if not sentence.endswith(":"):
            self._intro = ""
        elif exclusion(sentence) is None:
            self._intro = sentence.rstrip(": ")

    def _sentence(
        self,
        block: Block,
        words: Words,
        bounds: tuple[int, int],
        next_start: int | None,
        before: str,
    ) -> None:
        """Claims of one sentence. `before` is the one before it in its paragraph."""
        sentence = words.text[slice(*bounds)].replace("\n", " ")
        reason = exclusion(sentence)
        if reason in (None, "fragment", "meta") and (stated := self._answered(block, sentence)):
            self._checked += 1
            place = words.span(*bounds)
            cited = self._cited(place[0], block.end)
            self._claim(stated, place, cited, stated_confidence(sentence))
            self._before = stated
            return
        if reason is None and is_fragment(self._with_intro(block, sentence)):
            reason = "fragment"
        source = words.span(*bounds)
        if reason is not None:
            self._exclude(*source, reason)
        else:
            self._checked += 1
            # a citation after the full stop still belongs to the sentence before it
            until = words.places[next_start] if next_start is not None else block.end
            citations = self._cited(source[0], until)
            begin = assertion_start(sentence)
            for clause in split_clauses(sentence[begin:]):
                start, end = bounds[0] + begin + clause.start, bounds[0] + begin + clause.end
                said = clause.content(sentence[begin:])
                said = resolve(said, before) or said
                content = self._with_intro(block, said)
                place = words.span(start, end)
                self._claim(content, place, citations, stated_confidence(sentence))
                # what follows in the sentence refers to this clause first
                before = self._before = said
        self._before = sentence

    def _answered(self, block: Block, sentence: str) -> str | None:
        """With its question the first thing that is said, or an item of a list, where it is too
        terse to assert anything by itself."""
        may_answer = self._question and (not self._claims or block.kind == "item")
        if not may_answer or not is_terse(sentence):
            return None
        introduced = self._with_intro(block, sentence)
        return statement_of(self._question, sentence) if introduced == sentence else introduced

    def _with_intro(self, block: Block, content: str) -> str:
        """A list item such as "Founded: 1990" is about what the list was announced with."""
        if block.kind != "item" or not self._intro:
            return content
        if is_finite(content.split(maxsplit=1)[0].lower()):
            return f"{self._intro} {content}"
        bare = _LABELLED.match(content) or is_fragment(content)
        return f"{self._intro}: {content}" if bare else content

    def _cited(self, start: int, end: int) -> tuple[Citation, ...]:
        return tuple(
            citation
            for marker in self._markers
            if start <= marker.span.start < end
            for citation in self._resolver.citations(marker, self._text)
        )

    def _claim(
        self,
        content: str,
        place: tuple[int, int],
        citations: tuple[Citation, ...],
        confidence: float | None = None,
    ) -> None:
        self._claims.append(
            Claim(
                content=content.strip(),
                source=Span(start=place[0], end=place[1]),
                citations=citations,
                confidence=confidence,
                preceding=self._before if self._before and refers_back(content) else "",
            )
        )

    def _exclude(self, start: int, end: int, reason: ExclusionReason) -> None:
        span = Span(start=start, end=end)
        self._excluded.append(Excluded(content=span.of(self._text), source=span, reason=reason))
