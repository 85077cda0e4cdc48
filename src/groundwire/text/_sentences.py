"""Where sentences begin and end, as character spans of the text itself."""

import re
from itertools import pairwise

from nupunkt import sent_spans

Range = tuple[int, int]

_TERMINAL = tuple(".!?:;。！？")
_NEW_ITEM = re.compile(r"\s*(?:[-*+•|>#]|\d{1,3}[.)]\s|[A-Z][\w ]{0,30}:\s)")
_WRAPPED_LINE_CHARS = 50
_LINE = re.compile(r"[^\n]*\n?")
_CJK_SENTENCE = re.compile(r"[^。！？]*[。！？]+|[^。！？]+")
_SOFT_BREAK = re.compile(r"(?<=[;:,])\s+|\s+(?=[(\u2013\u2014])|\s+-\s+")


def sentence_ranges(text: str) -> list[Range]:
    """Sentences in order, white space around them left out.

    A line break ends a sentence unless the line looks wrapped: long, unfinished, and continued by
    a line that opens no list item, table row or heading.
    """
    return [
        trimmed
        for start, end in _paragraphs(text)
        for first, last in _sentences_within(text, start, end)
        if (trimmed := trim(text, first, last)) is not None
    ]


def segment_ranges(text: str, max_words: int) -> list[Range]:
    """Sentences, with those over `max_words` cut at their weakest joints."""
    pieces: list[Range] = []
    for start, end in sentence_ranges(text):
        pieces.extend(_cut(text, start, end, max_words))
    return pieces


def trim(text: str, start: int, end: int) -> Range | None:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    body = piece.strip()
    return (start + lead, start + lead + len(body)) if body else None


def _paragraphs(text: str) -> list[Range]:
    """Runs of lines that belong together."""
    lines = [match.span() for match in _LINE.finditer(text) if match.group()]
    breaks = [0]
    breaks += [here[0] for before, here in pairwise(lines) if _breaks_between(text, before, here)]
    return list(pairwise([*breaks, len(text)]))


def _breaks_between(text: str, before: Range, here: Range) -> bool:
    upper, lower = text[slice(*before)].strip(), text[slice(*here)].strip()
    if not upper or not lower or len(upper) < _WRAPPED_LINE_CHARS:
        return True
    return upper.endswith(_TERMINAL) or bool(_NEW_ITEM.match(lower))


def _sentences_within(text: str, start: int, end: int) -> list[Range]:
    piece = text[start:end]
    if not piece.strip():
        return []
    return [
        (start + match.start(), start + match.end())
        for first, last in sent_spans(piece)
        for match in _CJK_SENTENCE.finditer(piece, first, last)
    ]


def _cut(text: str, start: int, end: int, max_words: int) -> list[Range]:
    words = text[start:end].split()
    if len(words) <= max_words:
        return [(start, end)]
    middle = (start + end) // 2
    joints = [match.start() for match in _SOFT_BREAK.finditer(text, start + 1, end)]
    joints = joints or [
        match.start() for match in re.compile(r"\s+").finditer(text, start + 1, end)
    ]
    if not joints:
        return [(start, end)]
    at = min(joints, key=lambda joint: abs(joint - middle))
    halves = (trim(text, start, at), trim(text, at, end))
    return [piece for half in halves if half for piece in _cut(text, *half, max_words)]
