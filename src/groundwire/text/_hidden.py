"""What is not asserted to a reader: comments, scripts, hidden elements, struck-out words."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from groundwire._patterns import lazy_pattern

Range = tuple[int, int]

_OPENING = "<!--"
# a line with nothing on it
_BLANK_LINE = lazy_pattern(r"\n[ \t\r]*\n")
# such as "```py"
_FENCE = lazy_pattern(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)
# such as "<script>", "<p hidden>", '<span style="display: none">'
_HIDING_TAG = lazy_pattern(
    r"<(?P<always>script|style|template)\b[^<>]{0,500}>"
    r"|<(?P<tag>[a-z][a-z0-9]{0,15})\b[^<>]{0,500}?"
    r"(?:\shidden(?=[\s>=])|display\s*:\s*none|visibility\s*:\s*hidden)[^<>]{0,500}>",
    re.IGNORECASE,
)
# such as '<input value="The mast is red.">', '<p title="The mast is red. It leans.">'
_SPEAKING_TAG = lazy_pattern(
    r"<(?:input|meta|param|embed|link)\b[^<>]{0,2000}>"
    r"|<[a-z][a-z0-9-]{0,15}\s[^<>]{0,500}?=\s*(?:\"[^\"<>]{0,1000}?[.!?]\s[^\"<>]{0,1000}\""
    r"|'[^'<>]{0,1000}?[.!?]\s[^'<>]{0,1000}')[^<>]{0,500}>",
    re.IGNORECASE,
)
# such as "~~red~~", "<del>red</del>"
_STRUCK_OUT = lazy_pattern(
    r"(?<![~\\])~~(?=[^\s~])(?:[^~\n]|\n(?![ \t]*\n)|~(?!~)){1,2000}?(?<=\S)~~(?!~)"
    r"|<(?P<tag>del|s|strike)(?:\s[^<>]{0,500})?>(?:(?!\n[ \t]*\n).){0,2000}?</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
# elements that the next of their kind ends: "<p hidden>One<p>Two"
_ENDED_BY = {
    name: lazy_pattern(rf"<(?:{ends})\b", re.IGNORECASE)
    for name, ends in (
        ("p", "p|div|ul|ol|table|h[1-6]|section|blockquote|pre"),
        ("li", "li|/ul|/ol"),
        ("td", "td|th|tr|/table"),
        ("tr", "tr|/table"),
        ("option", "option|/select"),
    )
}
_VOID = frozenset({"input", "img", "br", "hr", "meta", "link", "source", "embed", "param", "wbr"})
# such as "[//]: # (nobody sees this)", "[comment]: <> (nor this)"
_LINK_COMMENT = lazy_pattern(
    r"^[ \t]{0,3}\[[^\]\n]{1,60}\]:[ \t]+(?:#|<>)[ \t]*[(\"'][^\n]*$", re.MULTILINE
)
# such as "<?php echo 1 ?>", "<!DOCTYPE html>"
_INSTRUCTION = lazy_pattern(r"<\?[^\n]{0,2000}?\?>|<![A-Za-z][^<>\n]{0,500}>")


def struck_out_ranges(text: str) -> list[Range]:
    """What its writer took back: "~~red~~", "<del>red</del>"."""
    if "~~" not in text and "</" not in text:
        return []
    fences = list(_fences(text))
    return [
        match.span()
        for match in _STRUCK_OUT.finditer(text)
        if not _is_in(match.start(), fences) and not _is_literal(text, match.start())
    ]


def hidden_ranges(text: str) -> list[Range]:
    """In order and apart from each other. What stands in code is shown as it is."""
    if "<" not in text and "]:" not in text:
        return []
    fences = list(_fences(text))
    found = [
        *_comments(text, fences),
        *_elements(text, fences),
        *(
            match.span()
            for pattern in (_LINK_COMMENT, _INSTRUCTION, _SPEAKING_TAG)
            for match in pattern.finditer(text)
            if not _is_in(match.start(), fences) and not _is_literal(text, match.start())
        ),
    ]
    return merged_ranges(found)


def merged_ranges(found: Sequence[Range]) -> list[Range]:
    """In order, those that overlap as one."""
    merged: list[Range] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _comments(text: str, fences: Sequence[Range]) -> Iterator[Range]:
    at = text.find(_OPENING)
    while at >= 0:
        end = text.find("-->", at + len(_OPENING) - 2)
        line_start = text.rfind("\n", 0, at) + 1
        opens_line = not text[line_start:at].strip(" \t>")
        if end < 0 and not opens_line:
            # a typing error; one that opens a later line may still hide the rest of the page
            next_line = text.find("\n", at)
            at = text.find(_OPENING, next_line) if next_line >= 0 else -1
        elif _is_in(at, fences) or _is_literal(text, at):
            at = text.find(_OPENING, at + len(_OPENING))
        else:
            stop = end + 3 if end >= 0 else len(text)
            yield at, stop
            at = text.find(_OPENING, stop)


def _elements(text: str, fences: Sequence[Range]) -> Iterator[Range]:
    at = 0
    never_closed: set[str] = set()
    while (match := _HIDING_TAG.search(text, at)) is not None:
        at = match.end()
        name = (match["always"] or match["tag"]).lower()
        if _is_literal(text, match.start()) or _is_in(match.start(), fences):
            continue
        closing = None if name in never_closed else _closing(text, name, at)
        if name in _VOID:
            closing = at
        elif closing is None:
            never_closed.add(name)
            closing = _end_of_unclosed(text, name, match)
        at = closing
        yield match.start(), at


def _end_of_unclosed(text: str, name: str, tag: re.Match[str]) -> int:
    """Where the next of its kind opens; else, of one that opens a line, the end of the page; of
    one within a line, which may only be spoken of, the end of its paragraph."""
    ends = _ENDED_BY[name].search(text, tag.end()) if name in _ENDED_BY else None
    if ends is not None:
        return ends.start()
    if not text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip(" \t>"):
        return len(text)
    blank = _BLANK_LINE.search(text, tag.end())
    return blank.start() if blank else len(text)


def _closing(text: str, name: str, start: int) -> int | None:
    """Where an element ends whose words start here: elements of the same name may stand in it."""
    depth = 1
    for tag in re.compile(rf"<(/?){name}\b[^<>]{{0,500}}>", re.IGNORECASE).finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return None


def _is_literal(text: str, at: int) -> bool:
    """In backticks, or with a backslash before it, a mark is shown as it is."""
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("`", line_start, at) % 2 == 1 or (at > 0 and text[at - 1] == "\\")


def _fences(text: str) -> Iterator[Range]:
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]):
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _is_in(place: int, ranges: Sequence[Range]) -> bool:
    at = bisect_right(ranges, (place, len(ranges) and ranges[-1][1] + 1)) - 1
    return at >= 0 and ranges[at][0] <= place < ranges[at][1]
