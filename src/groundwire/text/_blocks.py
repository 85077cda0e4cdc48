"""A text as blocks: headings, paragraphs, items, table rows, code, comments, front matter.

Markdown is read by markdown-it; a text without marks is cut at its blank lines. Every block and
every cell has its exact place in the original.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.text._hidden import hidden_ranges, merged_ranges, struck_out_ranges

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BlockKind = Literal[
    "heading", "paragraph", "item", "row", "code", "comment", "struck_out", "front_matter"
]
Range = tuple[int, int]

# what Markdown may read as more than prose: "# x", "- x", "1. x", "> x", "a | b", "===", "<!--"
_MARKED = lazy_pattern(
    r"^[ \t\ufeff]*(?:[#>*+|~`=_<\[-]|\d{1,9}[.)][ \t])|\||<[!a-zA-Z]|~~", re.MULTILINE
)
# "---", lines, "---" or "..." at the very start
_FRONT_MATTER = lazy_pattern(
    r"\A\ufeff?---[ \t]*\r?\n(?=[\w\"'-][\w \"'-]*:(?:\s|$)|#|---|\.\.\.)"
    r"(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)",
)
# such as "> > - " before words that are nested deeper than markdown-it follows
_LEADING_MARKS = lazy_pattern(r"[\s>*+|-]*(?:\d{1,9}[.)]\s+)?")
_MAX_FRONT_MATTER_CHARS = 20_000
# "**Scope:**" alone on its line names a section as a heading does
_BOLD_LINE = lazy_pattern(r"\s{0,3}(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__):?\s*")
# "[ ] emergency stop tried", "[x] barriers closed": a list of tasks that has no bullets
_BOX = lazy_pattern(r"\[(?P<mark>[ xX])\] ")
# the bars of a row, not those written as "\|"
_BAR = lazy_pattern(r"(?<!\\)\|")
# such as '[the record](0012-use-cim.md "Use CIM")'
_LINK = lazy_pattern(r"!?\[([^\[\]]{0,500})\]\(([^()\s]{0,1000})(?:\s+\"[^\"]*\")?\)")
# such as "**", "`", "~~", "_" beside a space; not the one in "pg_stat"
_EMPHASIS = lazy_pattern(r"\*{1,3}|`+|~~|(?<!\w)_{1,3}|_{1,3}(?!\w)")
# where an element opens or the next line of one: "<p>", "<li>", "<br>"
_ELEMENT = lazy_pattern(
    r"<(?:p|div|li|ul|ol|dl|dt|dd|table|tr|td|th|h[1-6]|br|hr|section|article|blockquote)\b"
    r"[^<>]{0,500}>",
    re.IGNORECASE,
)
# two line breaks with nothing but white space between them
_BLANK_LINES = lazy_pattern(r"\n[ \t\r]*\n\s*")
BOM = "\ufeff"
"""Opens a file of some editors, and is no part of its words."""
_NO_COLUMNS = ("",)
BOLD_LEVEL = 7
"""Of a line in bold that stands for a heading: beneath every real one."""


class Cell(NamedTuple):
    """A cell of a table: its place, and what heads its row and its column."""

    start: int
    end: int
    row: str
    column: str


# a setting that is commented out, such as "# max_connections = 400", "// retries = 3"
_SWITCHED_OFF = lazy_pattern(r"(?:#|//|;|--)\s*[\w.-]+\s*=\s*\S")


@dataclass(frozen=True)
class Block:
    """`pieces` are the ranges of its words, line by line, without list and quotation marks."""

    kind: BlockKind
    start: int
    end: int
    pieces: tuple[Range, ...]
    level: int = 0
    """Of a heading, from 1; of an item, how deep its list is nested, from 1."""
    section: tuple[str, ...] = ()
    """The headings above it."""
    in_quotation: bool = False
    cells: tuple[Cell, ...] = ()
    is_header: bool = False
    """Whether a row names the columns."""
    is_open_task: bool = False
    """Of an item: "- [ ] rotate the key"."""
    continues: bool = False
    """Whether it goes on with what stood before hidden text: "42 <!-- sic --> m"."""

    @property
    def is_hidden(self) -> bool:
        """Not to be read as said: a reader does not see it, or sees it struck out."""
        return self.kind in ("comment", "struck_out")


class Link(NamedTuple):
    """`[words](target)`, or an image, and its place."""

    words: str
    target: str
    start: int
    end: int


def links_in(text: str) -> list[Link]:
    """ "See [ADR 12](0012.md)." has one, to "0012.md"."""
    return [Link(match[1], match[2], *match.span()) for match in _LINK.finditer(text)]


def unmarked(line: str) -> str:
    """One line of Markdown without links and emphasis."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", line)).strip()


def blocks_of(text: str, *, markdown: bool = True) -> list[Block]:
    """In order. Nothing but white space and marks stands outside them."""
    if not markdown or not _MARKED.search(text):
        return list(_paragraphs(text, 0, len(text)))
    comments, struck_out = hidden_ranges(text), struck_out_ranges(text)
    hidden = merged_ranges([*comments, *struck_out])
    found = [
        Block("struck_out" if one in struck_out else "comment", *one, (one,)) for one in hidden
    ]
    start = 0
    front = _FRONT_MATTER.match(text, 0, _MAX_FRONT_MATTER_CHARS)
    if front is not None:
        start = front.end()
        inner = [
            line for line in _lines(text, 0, start) if text[slice(*line)].strip("-\ufeff \t\r")
        ]
        found.append(Block("front_matter", 0, start, tuple(inner)))
    reader = _Reader(text, start, hidden)
    found += reader.blocks()
    found += reader.left_over(sorted(found, key=lambda block: block.start))
    return _in_sections(text, sorted(found, key=lambda block: block.start))


def _paragraphs(text: str, start: int, end: int) -> Iterator[Block]:
    at = start
    for gap in [*_BLANK_LINES.finditer(text, start, end), None]:
        stop = gap.start() if gap else end
        if trimmed := trim(text, at, stop):
            yield Block("paragraph", *trimmed, (trimmed,))
        at = gap.end() if gap else end


def _in_sections(text: str, found: Sequence[Block]) -> list[Block]:
    """Each block under the headings above it."""
    placed: list[Block] = []
    above: list[tuple[int, str]] = []
    for block in found:
        if block.kind == "heading":
            above = [(level, words) for level, words in above if level < block.level]
        section = tuple(words for _, words in above)
        placed.append(replace(block, section=section) if section else block)
        if block.kind == "heading":
            above.append((block.level, heading_words(text, block)))
    return placed


def heading_words(text: str, block: Block) -> str:
    """ "## The **scope**:" is "The scope"."""
    words = unmarked(" ".join(text[slice(*piece)] for piece in block.pieces))
    return " ".join(words.split()).rstrip(": ")


_AS_SPACE = str.maketrans({"\r": " ", "\ufeff": " ", "\0": "\ufffd"})


class _Reader:
    """What markdown-it says of lines, as ranges of characters."""

    def __init__(self, text: str, start: int, hidden: Sequence[Range]) -> None:
        self._text = text
        self._hidden = hidden
        shown = list(text)
        for first, last in ((0, start), *hidden):
            shown[first:last] = [char if char == "\n" else " " for char in text[first:last]]
        # markdown-it takes \\r and NUL as it likes; one character must stay one character
        self._shown = "".join(shown).translate(_AS_SPACE)
        self._lines = list(_lines(text, 0, len(text)))

    def blocks(self) -> Iterator[Block]:
        quotations = items = 0
        heading = 0
        columns: tuple[str, ...] = ()
        for token in _parser().parse(self._shown):
            kind = token.type
            if kind in ("blockquote_open", "blockquote_close"):
                quotations += 1 if token.nesting > 0 else -1
            elif kind in ("list_item_open", "list_item_close"):
                items += 1 if token.nesting > 0 else -1
            elif kind == "heading_open":
                heading = int(token.tag[1])
            elif kind == "heading_close":
                heading = 0
            elif kind == "thead_open":
                columns = ()
            elif kind == "tr_open":
                rows = list(
                    self._row(_line_numbers(token)[0], columns, in_quotation=quotations > 0)
                )
                columns = columns or tuple(cell.column for row in rows for cell in row.cells)
                yield from rows
            elif kind in ("fence", "html_block"):
                yield from self._whole(token, in_quotation=quotations > 0)
            elif kind == "inline" and not token.meta["in_row"]:
                yield from self._prose(token, heading, items, in_quotation=quotations > 0)

    def left_over(self, found: Sequence[Block]) -> Iterator[Block]:
        """Lines with words that no block has: markdown-it gives up on deep nesting."""
        at = 0
        for start, end in self._lines:
            while at < len(found) and found[at].end <= start:
                at += 1
            taken = at < len(found) and found[at].start < end
            if not taken and any(map(str.isalnum, self._shown[start:end])):
                marks = _LEADING_MARKS.match(self._shown, start, end)
                piece = trim(self._shown, marks.end() if marks else start, end)
                if piece is not None:
                    yield Block("paragraph", *piece, (piece,))

    def _prose(
        self, token: "Token", heading: int, items: int, *, in_quotation: bool
    ) -> Iterator[Block]:
        first, last = _line_numbers(token)
        pieces = list(self._pieces(first, last, token.content))
        if not pieces:
            return
        if not heading and all(self._text[start] == "|" for start, _ in pieces):
            # a table nobody gave a header: "| Status | Accepted |"
            for number in range(first, last):
                yield from self._row(number, _NO_COLUMNS, in_quotation=in_quotation)
            return
        kind: BlockKind = "heading" if heading else "item" if items else "paragraph"
        level = heading or items
        boxes = [_BOX.match(self._text, start) for start, _ in pieces]
        if kind == "paragraph" and all(boxes):
            for piece, box in zip(pieces, boxes, strict=True):
                is_open = box is not None and box["mark"] == " "
                yield Block("item", *piece, (piece,), 1, is_open_task=is_open)
            return
        line = self._text[slice(*self._lines[first])]
        if kind == "paragraph" and last == first + 1 and _BOLD_LINE.fullmatch(line):
            kind, level = "heading", BOLD_LEVEL
        is_open = kind == "item" and self._text.startswith("[ ]", pieces[0][0])
        for group, continues in self._around_hidden(self._by_elements(pieces)):
            yield Block(
                kind,
                group[0][0],
                group[-1][1],
                tuple(group),
                level,
                in_quotation=in_quotation,
                is_open_task=is_open,
                continues=continues,
            )

    def _pieces(self, first: int, last: int, content: str) -> Iterator[Range]:
        """Where each line of the content stands in its line of the text."""
        wanted = content.split("\n")
        for number, words in zip(range(first, last), wanted, strict=False):
            start, end = self._lines[number]
            bare = words.strip()
            at = self._shown.rfind(bare, start, end) if bare else -1
            if at >= 0:
                yield at, at + len(bare)

    def _by_elements(self, pieces: Sequence[Range]) -> list[Range]:
        """Cut where one element ends and another begins: "<p>One</p><p>Two</p>"."""
        found: list[Range] = []
        for start, end in pieces:
            ends = [
                match.start()
                for match in _ELEMENT.finditer(self._shown, start + 1, end)
                if self._shown.count("`", start, match.start()) % 2 == 0
            ]
            for first, last in pairwise([start, *ends, end]):
                if trimmed := trim(self._shown, first, last):
                    found.append(trimmed)
        return found

    def _around_hidden(self, pieces: Sequence[Range]) -> Iterator[tuple[list[Range], bool]]:
        """Runs of pieces of one element with no hidden text in between, and whether each goes on
        with the one before it."""
        group: list[Range] = []
        continues = False
        for piece in pieces:
            for part, after_hidden in self._visible(*piece):
                behind_hidden = after_hidden or bool(group and self._hides(group[-1][1], part[0]))
                opens = _ELEMENT.match(self._shown, part[0]) is not None
                if group and (behind_hidden or opens):
                    yield group, continues
                    group = []
                    continues = behind_hidden and not opens
                group.append(part)
        if group:
            yield group, continues

    def _visible(self, start: int, end: int) -> Iterator[tuple[Range, bool]]:
        at, after_hidden = start, False
        for first, last in self._hidden_between(start, end):
            if trimmed := trim(self._text, at, max(at, min(first, end))):
                yield trimmed, after_hidden
            at, after_hidden = max(at, last), True
        if at < end and (trimmed := trim(self._text, at, end)):
            yield trimmed, after_hidden

    def _hides(self, start: int, end: int) -> bool:
        return any(True for _ in self._hidden_between(start, end))

    def _hidden_between(self, start: int, end: int) -> Iterator[Range]:
        place = max(0, bisect_right(self._hidden, (start, start)) - 1)
        for first, last in self._hidden[place:]:
            if first >= end:
                return
            if last > start:
                yield first, last

    def _whole(self, token: "Token", *, in_quotation: bool) -> Iterator[Block]:
        """Code without its fences, and HTML as the lines it stands on."""
        first, last = _line_numbers(token)
        kind: BlockKind = "code" if token.type == "fence" else "paragraph"
        inner = range(first, last)
        if kind == "code":
            closed = last - 1 > first and self._is_fence(last - 1, token.markup)
            inner = range(first + 1, last - 1 if closed else last)
        pieces = [
            trimmed
            for number in inner
            if (trimmed := trim(self._shown, *self._lines[number])) is not None
            and not (kind == "code" and _SWITCHED_OFF.match(self._text, *trimmed))
        ]
        start, end = self._lines[first][0], self._lines[last - 1][1]
        if kind == "code" and not self._hides(start, end):
            yield Block(kind, start, end, tuple(pieces), in_quotation=in_quotation)
            return
        if kind == "paragraph":
            pieces = self._by_elements(pieces)
        for group, continues in self._around_hidden(pieces):
            yield Block(
                kind,
                group[0][0],
                group[-1][1],
                tuple(group),
                in_quotation=in_quotation,
                continues=continues,
            )

    def _is_fence(self, number: int, markup: str) -> bool:
        return self._text[slice(*self._lines[number])].strip(" \t\r>").startswith(markup)

    def _row(self, number: int, columns: Sequence[str], *, in_quotation: bool) -> Iterator[Block]:
        start, end = trim(self._shown, *self._lines[number]) or self._lines[number]
        while start < end and self._text[start] in "> \t":
            start += 1
        ranges = list(_cells(self._shown, start, end))
        words = [unmarked(self._shown[slice(*cell)]) for cell in ranges]
        heads = columns or tuple(words)
        cells = [
            Cell(*cell, row=words[0], column=heads[place] if place < len(heads) else "")
            for place, cell in enumerate(ranges)
        ]
        for group, continues in self._around_hidden([(start, end)]):
            first, last = group[0][0], group[-1][1]
            yield Block(
                "row",
                first,
                last,
                tuple(group),
                in_quotation=in_quotation,
                cells=tuple(cell for cell in cells if first <= cell.start <= last),
                is_header=not columns,
                continues=continues,
            )


def _cells(text: str, start: int, end: int) -> Iterator[Range]:
    """The ranges between the bars of a row, white space trimmed."""
    first = start + (text[start] == "|")
    last = end - (end - 1 > start and text[end - 1] == "|" and text[end - 2] != "\\")
    at = first
    for bar in [*_BAR.finditer(text, first, last), None]:
        stop = bar.start() if bar else last
        yield trim(text, at, stop) or (at, at)
        at = stop + 1


def trim(text: str, start: int, end: int) -> Range | None:
    """The range without the white space around it; nothing where nothing is left."""
    while start < end and (text[start].isspace() or text[start] == BOM):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] == BOM):
        end -= 1
    return (start, end) if start < end else None


def _lines(text: str, start: int, end: int) -> Iterator[Range]:
    """As markdown-it counts them: only a line feed ends a line."""
    while start < end:
        newline = text.find("\n", start, end)
        stop = end if newline < 0 else newline
        yield start, stop
        start = stop + 1


@cache
def _parser() -> "MarkdownIt":
    """Blocks alone. Indented text is prose here, and `[x]: y` may be a speaker's line."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table").disable(["code", "reference"])
    parser.core.ruler.disable(["inline"])
    parser.core.ruler.push("in_row", _mark_cells)
    parser.parse("a")  # sorts its rules, which two threads must not do at once
    return parser


def _mark_cells(state: object) -> None:
    inside = False
    tokens: Iterable[Token] = state.tokens  # type: ignore[attr-defined]
    for token in tokens:
        if token.type in ("tr_open", "tr_close"):
            inside = token.nesting > 0
        elif token.type == "inline":
            token.meta["in_row"] = inside


def _line_numbers(token: "Token") -> tuple[int, int]:
    """Of the lines it was read from; every token that opens or is a block has them."""
    first, last = token.map or (0, 0)
    return first, last
