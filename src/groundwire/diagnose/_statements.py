"""A report cut into statements: what is observed, each with the numbers it gives."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from groundwire._patterns import lazy_pattern
from groundwire.model import Span
from groundwire.text import (
    Joint,
    Reading,
    Sentence,
    content_terms,
    coordinations,
    first_finite,
    log_lines,
    marks_in,
    read,
    tokens_of,
)
from groundwire.values import Quantity, quantities_in

MAX_STATEMENTS = 4_000
_MAX_SENTENCE_CHARS = 2_000
_MAX_METRICS = 50
"""In one sentence; a list of more is left whole."""
_BARE_COUNT = "count"
_COORDINATORS = frozenset({"and", "but", "while", "whereas"})
_UNCERTAIN = frozenset({"hedged", "conditional", "asked"})

Range = tuple[int, int]

# such as "temperature: 3"
_KEYED = lazy_pattern(r"[:=]\s*\"?$")
# such as "the fan failed", "no longer reachable", "too hot": stems of words
_WRONG = lazy_pattern(
    r"\b(?:abnormal|alarm|block|broke|cannot|clog|corrod|crack|crash|damag|dead|defect|degrad|delay|"
    r"died|dirty|disconnect|down\b|drop|empty|error|exceed|fail|fault|fell\b|flap|froze|hang|hot\b|hung\b|"
    r"incomplete|interrupt|jam|late\b|leak|lose|lost|miss(?:ed|ing)|no longer|noise|outage|out of|"
    r"overload|overheat|reboot|refus|reject|restart|rose\b|slow|smoke|spik|stale|stop|stuck|"
    r"time[ds]? out|timeout|too \w|trip|unable|unavailable|unreachable|unstable|vibrat|worn|wrong)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """A stretch of the report, its numbers placed in the report.

    `is_hedged`: it says what may be, so it observes nothing.
    """

    text: str
    span: Span
    quantities: tuple[Quantity, ...]
    is_heading: bool
    is_hedged: bool
    sounds_wrong: bool

    @property
    def observes(self) -> bool:
        """Whether it is a metric or a symptom, bound to the graph or not."""
        return not self.is_heading and bool(self.quantities or self.sounds_wrong)


def statements_of(report: str) -> Iterator[Statement]:
    """The first `MAX_STATEMENTS` different statements, in order."""
    seen: set[str] = set()
    sentences: dict[str, tuple[Range, Sentence]] = {}
    for (start, end), sentence in _sentences(read(report)):
        sentences.setdefault(report[start:end], ((start, end), sentence))
    for (start, end), sentence in sentences.values():
        quantities = [
            replace(one, start=one.start + start, end=one.end + start)
            for one in quantities_in(report[start:end])
        ]
        for begin, stop in _split_clauses(report, start, end, quantities):
            if report[begin:stop] not in seen:
                seen.add(report[begin:stop])
                yield Statement(
                    text=report[begin:stop],
                    span=Span(start=begin, end=stop),
                    quantities=tuple(_counted(quantities, begin, stop)),
                    is_heading=sentence.block.kind == "heading",
                    is_hedged=_is_uncertain(report[start:end], begin - start),
                    sounds_wrong=bool(_WRONG.search(report, begin, stop)),
                )
        if len(seen) >= MAX_STATEMENTS:
            return


def _sentences(reading: Reading) -> Iterator[tuple[Range, Sentence]]:
    for sentence in reading.sentences:
        if sentence.block.kind == "front_matter":
            continue
        cells = sentence.block.cells
        first = cells[0].start if cells else sentence.start
        last = cells[-1].end if cells else sentence.end
        for begin, end in log_lines(reading.text, first, last):
            for start in range(begin, end, _MAX_SENTENCE_CHARS):
                yield (start, min(end, start + _MAX_SENTENCE_CHARS)), sentence


def _is_uncertain(sentence: str, place: int) -> bool:
    """The clause there: "the fan stopped; why is unknown" is no guess about the fan."""
    marks = (one for one in marks_in(sentence) if one.label in _UNCERTAIN)
    return any(one.scope[0] <= place < one.scope[1] for one in marks)


def _split_clauses(
    report: str, start: int, end: int, quantities: list[Quantity]
) -> Iterator[Range]:
    """ "Pressure is 3 bar and flow 2 m/s" gives two metrics; "9 minutes, 21 times" only one."""
    begin = start
    joints = [] if len(quantities) > _MAX_METRICS else [*coordinations(report, start, end)]
    verbs = [start + place for place in _verbs(report[start:end])] if joints else []
    for joint in joints:
        # a unit before the full stop ("188 A. Then"), no abbreviation
        is_stop = joint.mark == "." and any(one.end == joint.start - 1 for one in quantities)
        if is_stop or _are_two_clauses(joint, begin, end, verbs):
            yield begin, joint.start
            begin = joint.end
            continue
        before = next(_counted(quantities, begin, joint.start), None)
        after = next(_counted(quantities, joint.end, end), None)
        if before is None or after is None or not _may_part_metrics(joint):
            continue
        names = (report[begin : before.start], report[joint.end : after.start])
        is_measured = after.dimension != _BARE_COUNT or _has_verb(verbs, joint.end, after.start)
        if (is_measured or _KEYED.search(names[1])) and all(map(content_terms, names)):
            yield begin, joint.start
            begin = joint.end
    if begin < end:
        yield begin, end


def _verbs(sentence: str) -> Iterator[int]:
    """Where its finite verbs stand."""
    tokens = tokens_of(sentence)
    place = first_finite(tokens)
    while place is not None:
        yield tokens[place].start
        place = first_finite(tokens, place)


def _has_verb(verbs: list[int], start: int, end: int) -> bool:
    """One that something stands before."""
    place = bisect_right(verbs, start)
    return place < len(verbs) and verbs[place] < end


def _are_two_clauses(joint: Joint, begin: int, end: int, verbs: list[int]) -> bool:
    """ "The fan failed, and T2 tripped": a comma and a conjunction between two verbs."""
    is_clear = joint.mark == ";" or (joint.mark == "," and joint.word in _COORDINATORS)
    return is_clear and _has_verb(verbs, begin, joint.start) and _has_verb(verbs, joint.end, end)


def _may_part_metrics(joint: Joint) -> bool:
    return joint.mark in (",", ";") or joint.word in _COORDINATORS


def _counted(quantities: list[Quantity], start: int, end: int) -> Iterator[Quantity]:
    """Numbers that count or measure; "one of them" and "the second day" do not."""
    for one in quantities:
        if start <= one.start and one.end <= end and not (one.weak or one.ordinal):
            yield one
