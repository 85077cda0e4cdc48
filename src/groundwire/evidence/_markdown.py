"""The lines of a Markdown text, read without regular expressions that could run away."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINK = re.compile(r"!?\[(?P<words>[^\[\]]{0,500})\]\((?P<target>[^()\s]{0,1000})\)")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)")
_MAX_HEADING_LEVEL = 6
_DEEPEST_INDENT = 3
_SHORTEST_UNDERLINE = 3


class Line(NamedTuple):
    """`text[start:end]` without its line break; the next line starts at `next_start`."""

    text: str
    start: int
    next_start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Line]:
    end = len(text) if end is None else end
    while start < end:
        newline = text.find("\n", start, end)
        next_start = end if newline < 0 else newline + 1
        content = text[start:next_start].rstrip("\n").removesuffix("\r")
        yield Line(content, start, next_start)
        start = next_start


def heading(line: str) -> tuple[int, str] | None:
    """The level and the words of a line such as `## Status`."""
    stripped = line.lstrip(" ")
    if len(line) - len(stripped) > _DEEPEST_INDENT:
        return None
    level = len(stripped) - len(stripped.lstrip("#"))
    rest = stripped[level:]
    if not 1 <= level <= _MAX_HEADING_LEVEL or not rest[:1].isspace():
        return None
    return level, plain(rest.strip().rstrip("#").strip())


def fence(line: str) -> str | None:
    """The marks that open or close a block of code."""
    stripped = line.strip()
    for mark in ("```", "~~~"):
        if stripped.startswith(mark):
            return mark
    return None


def first_heading(text: str, start: int = 0) -> str | None:
    open_fence, above = None, ""
    for line in lines(text, start):
        mark = fence(line.text)
        if mark is not None:
            open_fence = None if mark == open_fence else open_fence or mark
        elif open_fence is None and (found := heading(line.text)) and found[1]:
            return found[1]
        elif open_fence is None and above and is_underline(line.text, "="):
            return plain(above)
        above = line.text.strip()
    return None


def is_underline(line: str, marks: str) -> bool:
    """The line under a heading written in two lines."""
    stripped = line.rstrip()
    return (
        len(stripped) >= _SHORTEST_UNDERLINE
        and not stripped.strip(stripped[0])
        and (stripped[0] in marks)
    )


def plain(markdown: str) -> str:
    """One line of Markdown without links and emphasis."""
    return " ".join(_EMPHASIS.sub("", _LINK.sub(r"\g<words>", markdown)).split())


def link_target(markdown: str) -> str | None:
    match = _LINK.search(markdown)
    return match["target"] or None if match else None
