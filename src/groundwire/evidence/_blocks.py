"""The blocks of a text: headings, paragraphs, lists, tables, code, each with its exact place."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from groundwire.evidence._markdown import Line, fence, heading, is_underline, lines, plain

BlockKind = Literal["heading", "paragraph", "list", "table", "code", "comment"]

_ITEM = re.compile(r"[ \t]{0,40}(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")


class Block(NamedTuple):
    kind: BlockKind
    start: int
    end: int
    level: int = 0
    words: str = ""


def blocks(text: str, start: int, end: int, *, markdown: bool) -> Iterator[Block]:
    """What stands between two places."""
    scanner = _Scanner(markdown=markdown)
    for line in lines(text, start, end):
        yield from scanner.feed(line)
    yield from scanner.close()


class _Scanner:
    """Sorts line after line; a block is complete when a line of another kind follows."""

    def __init__(self, *, markdown: bool) -> None:
        self._markdown = markdown
        self._kind: BlockKind | None = None
        self._first: Line | None = None
        self._last: Line | None = None
        self._fence: str | None = None
        self._in_comment = False
        self._after_blank = False

    def feed(self, line: Line) -> Iterator[Block]:
        if self._fence is not None:
            self._last = line
            if fence(line.text) == self._fence:
                self._fence = None
                yield from self.close()
        elif self._in_comment or (self._markdown and line.text.lstrip().startswith("<!--")):
            yield from self._feed_comment(line)
        elif not line.text.strip():
            self._after_blank = True
            if self._kind != "list":
                yield from self.close()
        else:
            yield from self._feed_text(line)
            self._after_blank = False

    def close(self) -> Iterator[Block]:
        if self._kind is not None and self._first is not None and self._last is not None:
            yield Block(self._kind, self._first.start, self._last.end)
        self._kind = self._first = self._last = None

    def _feed_comment(self, line: Line) -> Iterator[Block]:
        yield from self.close()
        _, closed, rest = line.text.partition("-->")
        self._in_comment = not closed
        yield Block("comment", line.start, line.end - len(rest))
        if rest.strip():
            yield from self.feed(Line(rest, line.end - len(rest), line.next_start))

    def _feed_text(self, line: Line) -> Iterator[Block]:
        found = heading(line.text) if self._markdown else None
        if found is not None:
            yield from self.close()
            yield Block("heading", line.start, line.end, *found)
        elif self._is_underline(line) and self._first is not None:
            title, self._kind = self._first, None
            level = 1 if line.text.startswith("=") else 2
            yield Block("heading", title.start, line.end, level, plain(title.text))
        elif self._markdown and _RULE.fullmatch(line.text):
            yield from self.close()
        else:
            yield from self._grow(line)

    def _grow(self, line: Line) -> Iterator[Block]:
        kind = self._kind_of(line)
        if kind != self._kind:
            yield from self.close()
            self._kind, self._first = kind, line
        self._last = line

    def _kind_of(self, line: Line) -> BlockKind:
        if self._markdown and (mark := fence(line.text)) is not None:
            self._fence = mark
            return "code"
        if self._markdown and line.text.lstrip().startswith("|"):
            return "table"
        if _ITEM.match(line.text):
            return "list"
        indented = line.text[0] in " \t"
        return (
            "list" if self._kind == "list" and (indented or not self._after_blank) else "paragraph"
        )

    def _is_underline(self, line: Line) -> bool:
        """Setext headings: one line of text, and a line of `=` or `-` under it."""
        alone = self._kind == "paragraph" and self._first is self._last
        return self._markdown and alone and is_underline(line.text, "=-")
