"""A report cut into statements: what is observed, each with the numbers it gives."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from groundwire.model import Span
from groundwire.text import Reading, content_terms, read
from groundwire.values import Quantity, quantities_in

MAX_STATEMENTS = 4_000
_MAX_SENTENCE_CHARS = 2_000
_MAX_METRICS = 50
"""In one sentence; a list of more is left whole."""
_BARE_COUNT = "count"
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shows?|reads?|rose|fell|takes?|broke|lost|\w{2,}ed)\b"
)

Range = tuple[int, int]

_MARKER = re.compile(r"(?:#{1,6}|[-*+•>|]|\d{1,3}[.)])\s+")
_NEW_SENTENCE = re.compile(r"\.\s+(?=[A-Z])")
_LOG_LINE = re.compile(r"\n(?=\s*(?:[\[{\"]|\d{2,4}[-:/.]\d|[\w./-]{2,60}\s*[:=]\s*\S))")
_KEYED = re.compile(r"[:=]\s*\"?$")
_WHOLE_WORD = re.compile(r"(?<!\w)(?!approx|incl|excl|resp)[a-z]{4,}$")
_CONJUNCTION = re.compile(r"(?:,\s+(?:and|but|while|whereas)|;)\s+")
_JOINT = re.compile(r",\s+(?:(?:and|but|while|whereas)\s+)?|;\s+|\s+(?:and|but|while|whereas)\s+")
_HEDGED = re.compile(
    r"\b(?:may|might|could|perhaps|possibly|maybe|presumably|suspect\w*|assum\w+|likely|"
    r"unlikely|seems?|if|whether|hypothes\w+)\b|\?\s*$",
    re.IGNORECASE,
)
_WRONG = re.compile(
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
    sentences: dict[str, Range] = {}
    reading = read(report)
    headings = [block for block in reading.blocks if block.kind == "heading"]
    for start, end in _sentences(reading):
        sentences.setdefault(report[start:end], (start, end))
    for start, end in sentences.values():
        quantities = [_moved(one, start) for one in quantities_in(report[start:end])]
        for begin, stop in _pieces(report, start, end, quantities):
            if report[begin:stop] not in seen:
                seen.add(report[begin:stop])
                is_heading = any(one.start <= begin < one.end for one in headings)
                yield _statement(report, begin, stop, quantities, is_heading=is_heading)
        if len(seen) >= MAX_STATEMENTS:
            return


def _sentences(reading: Reading) -> Iterator[Range]:
    for sentence in reading.sentences:
        if sentence.block.kind == "front_matter":
            continue
        for begin, end in _log_lines(reading.text, sentence.start, sentence.end):
            for start in range(begin, end, _MAX_SENTENCE_CHARS):
                yield start, min(end, start + _MAX_SENTENCE_CHARS)


def _log_lines(report: str, start: int, end: int) -> Iterator[Range]:
    """Lines of a log or of `key: value` pairs have no full stops, and are no wrapped prose."""
    begin = start
    for line in _LOG_LINE.finditer(report, start, end):
        yield begin, line.start()
        begin = line.start() + 1
    yield begin, end


def _moved(quantity: Quantity, by: int) -> Quantity:
    return replace(quantity, start=quantity.start + by, end=quantity.end + by)


def _pieces(report: str, start: int, end: int, quantities: list[Quantity]) -> Iterator[Range]:
    ends = {quantity.end for quantity in quantities}
    begin = start
    for stop in _NEW_SENTENCE.finditer(report, start, end):
        # a unit or a whole word before the full stop ("188 A. Then"), no abbreviation
        if stop.start() in ends or _WHOLE_WORD.search(report, begin, stop.start()):
            yield from _split_clauses(report, begin, stop.start() + 1, quantities)
            begin = stop.end()
    yield from _split_clauses(report, begin, end, quantities)


def _split_clauses(
    report: str, start: int, end: int, quantities: list[Quantity]
) -> Iterator[Range]:
    """ "Pressure is 3 bar and flow 2 m/s" gives two metrics; "9 minutes, 21 times" only one."""
    begin = start
    joints = () if len(quantities) > _MAX_METRICS else _JOINT.finditer(report, start, end)
    for joint in joints:
        sides = report[begin : joint.start()], report[joint.end() : end]
        if _are_two_clauses(joint.group(), *sides):
            yield begin, joint.start()
            begin = joint.end()
            continue
        before = _first_counted(quantities, begin, joint.start())
        after = _first_counted(quantities, joint.end(), end)
        if before is None or after is None:
            continue
        names = (report[begin : before.start], report[joint.end() : after.start])
        is_measured = after.dimension != _BARE_COUNT or _VERB.search(names[1])
        if (is_measured or _KEYED.search(names[1])) and all(map(content_terms, names)):
            yield begin, joint.start()
            begin = joint.end()
    if begin < end:
        yield begin, end


def _are_two_clauses(joint: str, before: str, after: str) -> bool:
    """ "The fan failed, and T2 tripped": a comma and a conjunction between two verbs."""
    return bool(_CONJUNCTION.fullmatch(joint) and _VERB.search(before) and _VERB.search(after))


def _first_counted(quantities: list[Quantity], start: int, end: int) -> Quantity | None:
    return next((one for one in _counted(quantities, start, end)), None)


def _counted(quantities: list[Quantity], start: int, end: int) -> Iterator[Quantity]:
    """Numbers that count or measure; "one of them" and "the second day" do not."""
    for one in quantities:
        if start <= one.start and one.end <= end and not (one.weak or one.ordinal):
            yield one


def _statement(
    report: str, start: int, end: int, quantities: list[Quantity], *, is_heading: bool
) -> Statement:
    marker = _MARKER.match(report, start, end)
    start = marker.end() if marker else start
    text = report[start:end]
    return Statement(
        text=text,
        span=Span(start=start, end=end),
        quantities=tuple(_counted(quantities, start, end)),
        is_heading=is_heading,
        is_hedged=bool(_HEDGED.search(text)),
        sounds_wrong=bool(_WRONG.search(text)),
    )
