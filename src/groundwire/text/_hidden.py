"""What a reader of the page does not see: comments, scripts, elements marked as hidden."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

Range = tuple[int, int]

_OPENING = "<!--"
# such as "```py"
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)
# such as "<script>", "<p hidden>", '<span style="display: none">'
_HIDING_TAG = re.compile(
    r"<(?P<always>script|style|template)\b[^<>]{0,500}>"
    r"|<(?P<tag>[a-z][a-z0-9]{0,15})\b[^<>]{0,500}?"
    r"(?:\shidden(?=[\s>=])|display\s*:\s*none|visibility\s*:\s*hidden)[^<>]{0,500}>",
    re.IGNORECASE,
)
# such as "[//]: # (nobody sees this)", "[comment]: <> (nor this)"
_LINK_COMMENT = re.compile(
    r"^[ \t]{0,3}\[[^\]\n]{1,60}\]:[ \t]+(?:#|<>)[ \t]*[(\"'][^\n]*$", re.MULTILINE
)
# such as "<?php echo 1 ?>", "<!DOCTYPE html>"
_INSTRUCTION = re.compile(r"<\?[^\n]{0,2000}?\?>|<![A-Za-z][^<>\n]{0,500}>")


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
            for pattern in (_LINK_COMMENT, _INSTRUCTION)
            for match in pattern.finditer(text)
            if not _is_in(match.start(), fences)
        ),
    ]
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
        elif _is_in(at, fences) or _is_literal(text, line_start, at):
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
        is_escaped = text.startswith("\\", match.start() - 1) and match.start() > 0
        if name in never_closed or is_escaped or _is_in(match.start(), fences):
            continue
        closing = _closing(text, name, at)
        if closing is None:
            never_closed.add(name)
        else:
            at = closing
            yield match.start(), at


def _closing(text: str, name: str, start: int) -> int | None:
    """Where an element ends whose words start here: elements of the same name may stand in it."""
    depth = 1
    for tag in re.compile(rf"<(/?){name}\b[^<>]{{0,500}}>", re.IGNORECASE).finditer(text, start):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return None


def _is_literal(text: str, line_start: int, at: int) -> bool:
    """In backticks, or with a backslash before it, a mark is shown as it is."""
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
