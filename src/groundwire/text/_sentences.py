"""Where sentences begin and end, as character ranges of the text itself."""

from collections.abc import Iterator
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.model import UNIT_SYMBOLS
from groundwire.text._blocks import Block, Range, trim
from groundwire.text._grammar import first_finite
from groundwire.text._words import STOP_WORDS, tokens_of, word_set

_TERMINAL = tuple(".!?:;。！？")
# such as "- item", "1. item", "Label: value"
_NEW_ITEM = lazy_pattern(r"\s*(?:[-*+•|>#]|\d{1,3}[.)]\s|[A-Z][\w ]{0,30}:\s)")
_WRAPPED_LINE_CHARS = 50
_ALSO_ABBREVIATIONS = frozenset({"St", "min", "sec", "ed", "in", "c", "Mt", "pt", "oz", "ft"})
"""Units that are written with a full stop of their own, or mean something else with one."""
# a line with its line break
_LINE = lazy_pattern(r"[^\n]*\n?")
# such as "橋は長い。"
_CJK_SENTENCE = lazy_pattern(r"[^。！？]*[。！？]+|[^。！？]+")
# a whole word before the full stop, which no list of abbreviations has: "too cold. SoC draw"
_MISSED_END = lazy_pattern(
    r"(?<![\w.'-])(?!approx|incl|excl|resp|dept|govt|univ|assoc|assn)[a-z]{4,}\.\s+(?=[A-Z])"
)
# a letter that names a thing is no initial: "the inflow to C. The meter"
_LETTER_END = lazy_pattern(
    r"(?<=[a-z]\s)[A-Z]\.\s+(?=(?:The|An?|He|She|It|They|We|This|That|These|Those|There|In|On|At|Then|But"
    r"|And|So|No|Its|Our|Their|After|When)\s)"
)
_NAMED_BY_LETTER = word_set(
    "team group plan option phase stage step part section chapter appendix annex exhibit schedule"
    " article clause table figure item question class type grade category level tier series"
    " model version variant method route line track lane gate platform terminal pier berth dock"
    " hall room floor wing building block tower site zone area sector region district "
    " unit module node cluster rack bay tank pump valve boiler turbine feeder circuit bus"
    " drive partition vendor supplier company firm party "
    " division league squad shift crew vitamin hepatitis influenza sample batch lot specimen"
    " product component system server machine device station point column row cell scenario"
    " proposal bid offer contract fund share program programme project workstream list"
)
"""Kinds of things, no persons, that are told apart by letters; "John A", "driver A" are half a
name."""
# such as "Team A. " in "It is with Team A. Invoices are due."
_KIND_AND_LETTER = lazy_pattern(r"\b([A-Za-z]{3,})\s[A-Z]\.\s+(?=[A-Z])")
# such as "20. " in "It went off at 08:20. lb-03 is off."
_NUMBER_END = lazy_pattern(r"(?<=\s)\S*\d\.\s+(?=[a-z])")
_OPENING_WORDS = 7
# a unit is no abbreviation: "of 5 V. The"
_UNIT_END = lazy_pattern(r"\d\s?([^\W\d_]{1,4}[\u00b2\u00b3]?)\.\s+(?=[A-Z`\"\u201c*])")
# such as "The key is set. `gw` reads it."
_BEFORE_CODE = lazy_pattern(r"(?<=[\w)`]{2})\.\s+(?=`)")
# such as "first; second", "first (second", "first - second"
_SOFT_BREAK = lazy_pattern(r"(?<=[;:,])\s+|\s+(?=[(\u2013\u2014])|\s+-\s+")
# such as "[INFO] started", "12:04:31 trip", "flow = 3"
_LOG_LINE = lazy_pattern(r"\n(?=\s*(?:[\[{\"]|\d{2,4}[-:/.]\d|[\w./-]{2,60}\s*[:=]\s*\S))")
# white space
_GAP = lazy_pattern(r"\s+")


def sentences_in(text: str, block: Block) -> Iterator[Range]:
    """Of rows and lines of code each one; of prose what its marks and line breaks end."""
    if block.kind in ("row", "code", "front_matter"):
        yield from block.pieces
    elif len(block.pieces) == 1:
        start, end = block.pieces[0]
        yield from prose_ranges(text, start, end)
    else:
        joined, places = joined_pieces(text, block)
        for start, end in prose_ranges(joined, 0, len(joined)):
            yield places[start], places[end - 1] + 1


def joined_pieces(text: str, block: Block) -> tuple[str, list[int]]:
    """The lines of a block without their marks, and where each character stands."""
    chars: list[str] = []
    places: list[int] = []
    for start, end in block.pieces:
        if chars:
            chars.append("\n")
            places.append(start - 1)
        chars.append(text[start:end])
        places.extend(range(start, end))
    return "".join(chars), places


def cut_long(text: str, start: int, end: int, max_words: int) -> list[Range]:
    """The range, or its parts where it has more words, cut at the weakest joints."""
    if len(text[start:end].split()) <= max_words:
        return [(start, end)]
    middle = (start + end) // 2
    joints = [match.start() for match in _SOFT_BREAK.finditer(text, start + 1, end)]
    joints = joints or [match.start() for match in _GAP.finditer(text, start + 1, end)]
    if not joints:
        return [(start, end)]
    at = min(joints, key=lambda joint: abs(joint - middle))
    halves = (trim(text, start, at), trim(text, at, end))
    return [piece for half in halves if half for piece in cut_long(text, *half, max_words)]


def log_lines(text: str, start: int, end: int) -> Iterator[Range]:
    """Lines of a log or of `key: value` pairs have no full stops, and are no wrapped prose."""
    begin = start
    for line in _LOG_LINE.finditer(text, start, end):
        yield begin, line.start()
        begin = line.start() + 1
    yield begin, end


def prose_ranges(text: str, start: int, end: int) -> Iterator[Range]:
    """A line break ends a sentence unless the line looks wrapped: long, unfinished, and continued
    by a line that opens no list item, table row or label."""
    for first, last in _unbroken(text, start, end):
        for begin, stop in _by_marks(text, first, last):
            if trimmed := trim(text, begin, stop):
                yield trimmed


def _unbroken(text: str, start: int, end: int) -> list[Range]:
    """Runs of lines that belong together."""
    lines = [match.span() for match in _LINE.finditer(text, start, end) if match.group()]
    breaks = [start]
    breaks += [here[0] for before, here in pairwise(lines) if _breaks_between(text, before, here)]
    return list(pairwise([*breaks, end]))


def _breaks_between(text: str, before: Range, here: Range) -> bool:
    upper, lower = text[slice(*before)].strip(), text[slice(*here)].strip()
    if not upper or not lower or upper.endswith(_TERMINAL) or _NEW_ITEM.match(lower):
        return True
    return len(upper) < _WRAPPED_LINE_CHARS and not lower[0].islower()


def _by_marks(text: str, start: int, end: int) -> Iterator[Range]:
    from nupunkt import sent_spans

    piece = text[start:end]
    if not piece.strip():
        return
    for first, last in sent_spans(piece):
        for begin, stop in pairwise([first, *_missed_ends(piece, first, last), last]):
            for match in _CJK_SENTENCE.finditer(piece, begin, stop):
                yield start + match.start(), start + match.end()


def _missed_ends(text: str, start: int, end: int) -> list[int]:
    """Ends within what was read as one sentence, in order."""
    found = {match.end() for match in _MISSED_END.finditer(text, start, end)}
    found |= {match.end() for match in _LETTER_END.finditer(text, start, end)}
    found |= {
        match.end()
        for match in _KIND_AND_LETTER.finditer(text, start, end)
        if match[1].lower() in _NAMED_BY_LETTER
    }
    found |= {
        match.end()
        for match in _NUMBER_END.finditer(text, start, end)
        if _are_sentences(text[start : match.end()], text[match.end() : end])
    }
    found |= {match.end() for match in _BEFORE_CODE.finditer(text, start, end)}
    found |= {
        match.end()
        for match in _UNIT_END.finditer(text, start, end)
        if match[1] in UNIT_SYMBOLS and match[1] not in _ALSO_ABBREVIATIONS
    }
    return sorted(found)


def _are_sentences(before: str, after: str) -> bool:
    """Whether both have a verb of their own, and the second no word that only goes on: "and"."""
    opening = tokens_of(after)[:_OPENING_WORDS]
    if not opening or opening[0].low in STOP_WORDS:
        return False
    return first_finite(tokens_of(before)) is not None and first_finite(opening) is not None
