"""An agent's report cut into the clauses that can each say one thing, with their places in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_TEXT_CHARS = 500_000

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$", re.MULTILINE | re.DOTALL)
_SKIPPED_LINE = re.compile(r"\s*(?:#|>|\||(?:[-*+]|\d+[.)])\s*\[ \])")
_BULLET = re.compile(
    r"\s*(?:(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+)?(?:\[[xX]\]\s*)?"
    r"(?:[\u2705\u2714\u2611\u2713\ufe0f]\s*)*"
)
_SENTENCE_END = re.compile(r"[.!?:;](?=[\s\"')*_]|$)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$", re.IGNORECASE)
_JOINT = re.compile(
    r"(?:\s*,\s*(?:(?:and|then|and then|but|so)\s+)?|\s+(?:and|then|and then|but|so)\s+"
    r"|\s+[\u2013\u2014-]{1,2}\s+)"
    r"(?=(?:I\s|I've\s|we\s|also\s|then\s|now\s|\*\*)*"
    r"(?:(?:re-?)?\w+(?:ed|te|an|ran|ote)\b|ran\b|all\s|tests?\s|no\s|everything\s|without\s|did\s"
    r"|the\s(?:full\s|whole\s|entire\s)?tests?\b|didn't\s|left\s|there\s))",
    re.IGNORECASE,
)


# underscores are left alone: `__init__.py` is not bold
_EMPHASIS = re.compile(r"(`[^`]*`)|\*\*|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is the clause without emphasis; `start` and `end` its place in the report."""

    text: str
    start: int
    end: int
    sentence: str


def clauses(report: str) -> Iterator[Clause]:
    """Every clause of a report's prose. Code, quotations, headings and open tasks say nothing."""
    plain = report[:MAX_TEXT_CHARS].replace("\u2019", "'")
    prose = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), plain)
    at = 0
    for line in prose.split("\n"):
        if line.strip() and not _SKIPPED_LINE.match(line):
            bullet = _BULLET.match(line)
            yield from _sentences(line, bullet.end() if bullet else 0, at)
        at += len(line) + 1


def _sentences(line: str, start: int, offset: int) -> Iterator[Clause]:
    for end in [*_sentence_ends(line, start), len(line)]:
        sentence = line[start:end]
        if sentence.strip() and not sentence.rstrip().endswith("?"):
            yield from _split(sentence, offset + start)
        start = end


def _sentence_ends(line: str, start: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(line, start):
        is_quoted = line.count("`", 0, match.start()) % 2 == 1
        if not is_quoted and not _ABBREVIATION.search(line[: match.end()]):
            yield match.end()


def _split(sentence: str, offset: int) -> Iterator[Clause]:
    start = 0
    for match in _JOINT.finditer(sentence):
        if sentence.count("`", 0, match.start()) % 2 == 0 and match.start() > start:
            yield _clause(sentence, start, match.start(), offset)
            start = match.end()
    yield _clause(sentence, start, len(sentence), offset)


def _clause(sentence: str, start: int, end: int, offset: int) -> Clause:
    raw = sentence[start:end]
    lead = len(raw) - len(raw.lstrip())
    text = _EMPHASIS.sub(lambda match: match[1] or "", raw).strip()
    place = offset + start + lead
    return Clause(text.rstrip(" .!:;"), place, place + len(raw.strip()), sentence.strip())
