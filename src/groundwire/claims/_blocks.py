"""Markdown as blocks, and each block's words with the place of every character in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from groundwire.claims._citations import Marker

BlockKind = Literal["paragraph", "heading", "item", "row", "code"]

_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_BOLD_HEADING = re.compile(r"^\s{0,3}(?:\*\*|__)[^*_]{1,80}(?:\*\*|__):?\s*$")
_SETEXT = re.compile(r"^\s{0,3}(?:=+|-{2,})\s*$")
_RULE = re.compile(r"^\s{0,3}(?:[-*_]\s*){3,}$")
_ITEM = re.compile(r"^(?P<marker>\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)")
_QUOTE = re.compile(r"^(?:\s{0,3}>\s?)+")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_DEFINITION = re.compile(r"^[ \t]{0,3}(?:[-*][ \t]+)?\[\^?[^\]\s]{1,60}\]:?[ \t]+\S")
_INLINE = re.compile(
    r"(?P<image>!\[[^\]]*\]\([^)]*\))"
    r"|(?P<tag></?[a-zA-Z][^<>\n]{0,200}>)"
    r"|(?P<mark>\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|~~|`+)"
)


@dataclass(frozen=True)
class Block:
    kind: BlockKind
    start: int
    end: int
    heading: tuple[str, ...] = ()
    """For a table row: the names of its columns."""


@dataclass(frozen=True)
class Words:
    """Text without markup; `places[i]` is where its i-th character stands in the original."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.places[start], self.places[end - 1] + 1


def blocks_of(text: str) -> list[Block]:
    return _merged(text, list(_line_blocks(text)))


def words_of(text: str, start: int, end: int, markers: list[Marker]) -> Words:
    """The words of a range: markup, citations and line breaks taken out, places kept."""
    dropped = set[int]()
    for match in _INLINE.finditer(text, start, end):
        dropped.update(range(match.start(), match.end()))
    for marker in markers:
        if start <= marker.span.start < end:
            inside = range(marker.span.start, marker.span.end)
            kept = range(marker.kept.start, marker.kept.end) if marker.kept else range(0)
            dropped.update(place for place in inside if place not in kept)
    chars: list[str] = []
    places: list[int] = []
    for place in range(start, end):
        if place in dropped:
            continue
        char = " " if text[place].isspace() else text[place]
        if char == " " and (not chars or chars[-1] == " "):
            continue
        if char in ".,;:!?" and chars and chars[-1] == " ":
            chars.pop()
            places.pop()
        chars.append(char)
        places.append(place)
    while chars and chars[-1] == " ":
        chars.pop()
        places.pop()
    return Words("".join(chars), tuple(places))


def cells_of(text: str, block: Block) -> list[tuple[int, int]]:
    """The ranges of a table row's cells, white space trimmed."""
    line = text[block.start : block.end]
    inner_start = len(line) - len(line.lstrip()) + line.lstrip().startswith("|")
    inner_end = len(line.rstrip()) - line.rstrip().endswith("|")
    cells: list[tuple[int, int]] = []
    at = inner_start
    for match in [*re.finditer(r"(?<!\\)\|", line[:inner_end]), None]:
        if match is not None and match.start() < inner_start:
            continue
        stop = match.start() if match else inner_end
        cell = line[at:stop]
        lead = len(cell) - len(cell.lstrip())
        body = cell.strip()
        cells.append((block.start + at + lead, block.start + at + lead + len(body)))
        at = stop + 1
    return cells


def _line_blocks(text: str) -> Iterator[Block | None]:
    """One block a line, None where a blank line ends what came before."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+|(?<=\n)(?=\n)|^(?=\n)", text)]
    fence: str | None = None
    columns: tuple[str, ...] = ()
    for number, (start, end) in enumerate(lines):
        line = text[start:end]
        following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
        opened = _FENCE.match(line)
        if fence is not None or opened:
            yield Block("code", start, end)
            if opened and (fence is None or opened[1][:3] == fence):
                fence = None if fence else opened[1][:3]
            continue
        quote = _QUOTE.match(line)
        first = start + (quote.end() if quote else 0)
        line = text[first:end]
        if _is_table_line(line, following, columns):
            if not columns:
                header = Block("row", first, end)
                columns = tuple(text[a:b].strip("*_` ") for a, b in cells_of(text, header))
            elif not _TABLE_RULE.match(line):
                yield Block("row", first, end, columns)
            continue
        columns = ()
        yield _plain_block(line, following, first, end)


def _is_table_line(line: str, following: str, columns: tuple[str, ...]) -> bool:
    if "|" not in line:
        return False
    return bool(columns) or bool(_TABLE_RULE.match(following) and "|" in following)


def _plain_block(line: str, following: str, start: int, end: int) -> Block | None:
    if not line.strip() or _RULE.match(line) or _SETEXT.match(line) or _DEFINITION.match(line):
        return None
    if _HEADING.match(line) or _BOLD_HEADING.match(line):
        return Block("heading", start, end)
    if _SETEXT.match(following) and following.strip():
        return Block("heading", start, end)
    item = _ITEM.match(line)
    if item:
        return Block("item", start + item.end(), end)
    return Block("paragraph", start, end)


def _merged(text: str, lines: list[Block | None]) -> list[Block]:
    """Lines of one paragraph or item become one block."""
    merged: list[Block] = []
    joinable = False
    for block in lines:
        if block is None:
            joinable = False
            continue
        last = merged[-1] if merged else None
        continues = (
            joinable
            and last is not None
            and block.kind == "paragraph"
            and last.kind in ("paragraph", "item")
        )
        same_code = last is not None and block.kind == last.kind == "code"
        if last is not None and (continues or same_code):
            merged[-1] = Block(last.kind, last.start, block.end)
        else:
            merged.append(block)
        joinable = True
    return [block for block in merged if text[block.start : block.end].strip()]
