"""One located reading of a text: blocks, sentences, clauses, and what each does with what it says.

reading = read("# Mast\\n\\nIt is 42 m high. Is it red?")
[sentence.text for sentence in reading.sentences]   # "Mast", "It is 42 m high.", "Is it red?"
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.text._blocks import BOM, Block, Range, blocks_of
from groundwire.text._clauses import Clause, split_clauses
from groundwire.text._sentences import cut_long, prose_ranges, sentences_in
from groundwire.text._status import (
    Label,
    Status,
    by_block,
    is_question,
    is_to_do,
    status_in,
    status_of,
)

# "![chart](x.png)" · "<b>" · "**", "_", "`"
_INLINE = lazy_pattern(
    r"(?P<image>!\[[^\]]*\]\([^)]*\))"
    r"|(?P<tag></?[a-zA-Z][^<>\n]{0,200}>)"
    r"|(?P<mark>\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|~~|`+)"
)


@dataclass(frozen=True)
class Words:
    """Text without markup; `places[i]` is where its i-th character stands in the original.

    White space is single; a line break stays one, for it may end a sentence.
    """

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> Range:
        return self.places[start], self.places[end - 1] + 1


@dataclass(frozen=True)
class Sentence:
    """`source[start:end]`, in the block it stands in."""

    source: str
    start: int
    end: int
    block: Block

    @property
    def text(self) -> str:
        return self.source[self.start : self.end]

    @cached_property
    def words(self) -> Words:
        """As a person reads it, without markup and marks of lists and quotations."""
        words = unmarked_words(self.source, _within(self.block.pieces, self.start, self.end))
        return Words(words.text.replace("\n", " "), words.places)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Their places are in `words.text`."""
        return tuple(split_clauses(self.words.text))

    @cached_property
    def status(self) -> Status:
        return status_of(self.words.text, self.block)

    @cached_property
    def held_back(self) -> frozenset[Label]:
        """Why its source does not say so itself (it asks, supposes, plans …); empty where it does.

        One clause that asserts is enough: "The pump failed, which may have been wear." The words
        of a table's cells govern nothing.
        """
        if self.block.cells or "|" in self.text:
            return frozenset()
        stated = [self.clause_status(clause) for clause in self.clauses] or [self.status]
        if any("asserted" in status.labels for status in stated):
            return frozenset()
        return frozenset[Label]().union(*(status.withheld for status in stated))

    @cached_property
    def is_open_by_form(self) -> bool:
        """Whether its form alone says that it states nothing: a question, an open task, what stands
        under a heading of examples, what no reader sees. Words such as "will", "if" and "thinks"
        do not tell that much of a whole sentence (decision 0211)."""
        asks = is_question(self.words.text) or is_to_do(self.words.text)
        return bool(self.held_back) and (asks or bool(by_block(self.block)))

    def clause_status(self, clause: Clause) -> Status:
        """What governs the sentence governs the clause; it is denied by its own words alone."""
        text = self.words.text
        governed = status_in(text, clause.start, clause.end, self.block)
        own = status_of(clause.content(text), self.block)
        labels = governed.labels - {"negated"} | own.labels & {"negated"}
        return replace(governed, labels=labels)


@dataclass(frozen=True)
class Reading:
    text: str
    blocks: tuple[Block, ...]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Every sentence a reader sees, in order; table rows and lines of code are one each."""
        return tuple(one for block in self.blocks for one in self.sentences_of(block))

    def segments(self, max_words: int) -> Iterator[tuple[Sentence, Range]]:
        """Every sentence with the range of each part: one, unless it is over `max_words`."""
        for sentence in self.sentences:
            for piece in cut_long(self.text, sentence.start, sentence.end, max_words):
                yield sentence, piece

    def sentences_of(self, block: Block) -> Iterator[Sentence]:
        """Those of one block; of a hidden one none."""
        if not block.is_hidden:
            for start, end in sentences_in(self.text, block):
                yield Sentence(self.text, start, end, block)


def read(text: str, *, markdown: bool = True) -> Reading:
    """The one way to read a text. Plain text is read as Markdown that uses no marks."""
    return _read(text, markdown)


@kept(256)
def _read(text: str, markdown: bool) -> Reading:  # noqa: FBT001 -- so that it can be cached
    return Reading(text, tuple(blocks_of(text, markdown=markdown)))


def sentence_ranges(text: str) -> list[Range]:
    """The ranges of the sentences of a text, white space around them left out."""
    return [(one.start, one.end) for one in read(text).sentences]


def segment_ranges(text: str, max_words: int) -> list[Range]:
    """The same, those over `max_words` cut at their weakest joints."""
    return [piece for _, piece in read(text).segments(max_words)]


def unmarked_words(
    text: str, pieces: Sequence[Range], dropped: Collection[int] = frozenset()
) -> Words:
    """The words of some ranges as one line: markup and what is `dropped` taken out, places kept."""
    left_out: set[int] = set(dropped)
    for start, end in pieces:
        in_code = False
        for match in _INLINE.finditer(text, start, end):
            in_code ^= match.group().startswith("`")
            if not (in_code and match["tag"]):
                left_out.update(range(match.start(), match.end()))
    chars: list[str] = []
    places: list[int] = []
    for start, end in pieces:
        if chars:
            _append("\n", start - 1, chars, places)
        for place in range(start, end):
            if place not in left_out and text[place] != BOM:
                _append(text[place], place, chars, places)
    _close_gap(chars, places)
    return Words("".join(chars), tuple(places))


def sentences_of_words(words: Words, max_words: int | None = None) -> list[Range]:
    """The ranges of the sentences in `words.text`, those over `max_words` cut."""
    ranges = list(prose_ranges(words.text, 0, len(words.text)))
    if max_words is None:
        return ranges
    return [piece for one in ranges for piece in cut_long(words.text, *one, max_words)]


def _append(char: str, place: int, chars: list[str], places: list[int]) -> None:
    """White space is single, none opens a line, none stands before a full stop or comma."""
    if char == "\n" or char in ".,;:!?":
        _close_gap(chars, places)
    elif char.isspace():
        char = " "
    if char not in " \n" or (chars and chars[-1] not in " \n"):
        chars.append(char)
        places.append(place)


def _close_gap(chars: list[str], places: list[int]) -> None:
    """Takes back the white space at the end."""
    while chars and chars[-1] in " \n":
        chars.pop()
        places.pop()


def _within(pieces: Sequence[Range], start: int, end: int) -> list[Range]:
    return [
        (max(first, start), min(last, end))
        for first, last in pieces
        if first < end and last > start
    ]


_LONG_SENTENCE_WORDS = 12
_SHORTEST_WORDS = 3


def parts_of(claim: str) -> list[str]:
    """A long claim in the parts it asserts; the claim itself where it asserts one thing."""
    found: list[str] = []
    for start, end in sentence_ranges(claim):
        sentence = claim[start:end]
        if len(sentence.split()) > _LONG_SENTENCE_WORDS:
            found += [clause.content(sentence) for clause in split_clauses(sentence)]
        else:
            found.append(sentence)
    return [part for part in found if len(part.split()) >= _SHORTEST_WORDS] or [claim]
