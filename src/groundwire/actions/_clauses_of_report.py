"""A report's sentences as clauses, list items and table rows; and what in it reports nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from groundwire._patterns import lazy_pattern
from groundwire.actions._action_words import YOU_FIND
from groundwire.actions._claims import LeftOutReason
from groundwire.actions._mentions import Mention, mentions
from groundwire.text import Joint, Sentence, coordinations, is_negation, marks_in, plain, status_in

_LOWEST_HEADING = 6
"""A line in bold is read as a heading beneath these; here it reports like any other line."""

# such as "[x] ", "✅ ", "• "
_OPENING = lazy_pattern(
    r"(?:[\u2022\u2013]\s+)?(?:\[[xX]\]\s*)?(?:[\u2705\u2714\u2611\u2713\ufe0f]\s*)*"
)
# what opens a statement of its own: "I also ran", "tests", "the full test suite", "there"
_OPENS_STATEMENT = lazy_pattern(
    r"(?:I\s|I've\s|we\s|also\s|then\s|now\s|\*\*)*"
    r"(?:\w+(?:ed|te|an)\b|(?:all|tests?|everything|did|left|there)\s"
    r"|the\s(?:full\s|whole\s|entire\s)?tests?\b|(?P<word>[\w']+)\s)",
    re.IGNORECASE,
)
# such as "**bold**", "*so*"; underscores are left alone: `__init__.py` is not bold
_EMPHASIS = lazy_pattern(r"(`[^`]*`)|\*\*|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")


# what advice opens with: "To fix it, " before "change `a.py`", "The fix is simple: "
_PURPOSE = lazy_pattern(
    r"\W*(?:in order )?to\s\w+[^,.]{0,100},\s+"
    r"|[^:.`]{0,80}\b(?:is|are|would be)\b[^:.`]{0,40}:\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is the clause without emphasis; `start` and `end` its place in the report."""

    text: str
    start: int
    end: int
    sentence: str


def left_out(sentence: Sentence) -> LeftOutReason | None:
    """Code, quotations, headings, questions and open tasks say nothing that was done."""
    block = sentence.block
    if block.in_quotation:
        return "quoted"
    if block.kind not in ("paragraph", "item", "heading", "row"):
        return "code"
    is_heading = block.kind == "heading" and block.level <= _LOWEST_HEADING
    if is_heading or (block.kind == "row" and block.is_header):
        return "heading"
    text = sentence.words.text
    labels = status_in(text, 0, 0, block).labels
    if labels & {"planned", "example"} and not YOU_FIND.match(text):
        return "plan" if "planned" in labels else "example"
    purpose = _PURPOSE.match(text)
    if purpose is not None and _is_ordered(text[purpose.end() :]):
        return "plan"
    whole = {mark.label for mark in marks_in(text) if mark.scope == (0, len(text))}
    return "question" if "asked" in whole else None


def _is_ordered(text: str) -> bool:
    return any(mark.label == "ordered" for mark in marks_in(text))


def clauses_of(sentence: Sentence) -> Iterator[Clause]:
    text = plain(sentence.text)
    opening = _OPENING.match(text)
    begin = opening.end() if opening else 0
    for joint in coordinations(text, begin):
        if joint.start > begin and _separates(text, joint):
            yield _clause(sentence, begin, joint.start)
            begin = joint.end
    yield _clause(sentence, begin, len(text))


def _separates(text: str, joint: Joint) -> bool:
    if joint.mark in (":", ";"):
        return True
    opens = _OPENS_STATEMENT.match(text, joint.end)
    return opens is not None and (opens["word"] is None or is_negation(opens["word"]))


def _clause(sentence: Sentence, start: int, end: int) -> Clause:
    raw = plain(sentence.text)[start:end]
    lead = len(raw) - len(raw.lstrip())
    text = _EMPHASIS.sub(lambda match: match[1] or "", raw).strip()
    place = sentence.start + start + lead
    return Clause(
        text.rstrip(" .!:;"), place, place + len(raw.strip()), plain(sentence.text).strip()
    )


@dataclass(frozen=True, slots=True)
class Item:
    """A list item or table row that opens with a file, and what it says of it."""

    clause: Clause
    thing: Mention
    described: str


# such as "`a.py`: ", "`a.py` - ", "**a.py** (new)", "a.py"
_OPENS_WITH_FILE = lazy_pattern(
    r"(?P<file>`[^`]+`|[\w@./~+-]+)(?=\s*(?:$|[:(\u2013\u2014]|-\s|\u2192))\s*[:(\u2013\u2014-]*\s*"
)


def whole_clause(sentence: Sentence) -> Clause:
    return _clause(sentence, 0, len(plain(sentence.text)))


def item_of(sentence: Sentence) -> Item | None:
    """ "- `a.py`: added a parser" is about a file, whatever verb follows."""
    if sentence.block.kind != "item" or sentence.start > sentence.block.pieces[0][0]:
        return None
    whole = whole_clause(sentence)
    opening = _OPENING.match(whole.text)
    text = whole.text[opening.end() if opening else 0 :]
    opened = _OPENS_WITH_FILE.match(text)
    named = list(mentions(opened["file"])) if opened else []
    if opened is None or not named:
        return None
    return Item(whole, named[0], text[opened.end() :])


@dataclass(frozen=True, slots=True)
class Row:
    """`first` is its first cell; `described` what the cells without the file say of it."""

    clause: Clause
    first: str
    thing: Mention | None
    described: str
    heading: str
    cells: tuple[str, ...]


def row_of(sentence: Sentence) -> Row:
    source = sentence.source
    cells = [(source[cell.start : cell.end], cell.column) for cell in sentence.block.cells]
    named = next(((c, m[0]) for c, _ in cells if len(m := list(mentions(c))) == 1), None)
    others = [cell for cell, _ in cells if named is None or cell != named[0]]
    first = _EMPHASIS.sub("", cells[0][0]) if cells else ""
    described = others if named else others[1:]
    return Row(
        whole_clause(sentence),
        first.strip("` "),
        named[1] if named else None,
        # what is in code stays: "removed `retry`" removes no file
        _EMPHASIS.sub(lambda match: match[1] or "", " ".join(described)).strip(" \u2705\u2714"),
        " ".join(column for _, column in cells),
        tuple(cell.strip() for cell, _ in cells),
    )
