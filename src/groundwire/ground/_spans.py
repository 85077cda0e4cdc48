"""Cause and effect of one text as places in it, read by learned spans and by wording.

Two readers that know nothing of each other: one was taught on annotated sentences, the other
follows constructions. What one drafts, the other checks.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from groundwire.encoder import Span, SpanReader, judge_calibration
from groundwire.errors import MissingExtra
from groundwire.ground._read import CausalReading, read_causal
from groundwire.text import first_finite, is_auxiliary, is_preposition, tokens_of, word_set

if TYPE_CHECKING:
    import numpy as np

Range = tuple[int, int]


class Pair(NamedTuple):
    """Where the cause stands and where the effect: from, up to."""

    cause: Range
    effect: Range


_RELATIVE = word_set("that which who whom whose where when while because since so if as after")


def head_of(text: str, place: Range) -> int:
    """Where the word stands that a phrase is about: the verb of a clause, else the last word
    before its first preposition: "growth" in "steady growth of the cache"."""
    tokens = [one for one in tokens_of(text[place[0] : place[1]]) if one.text[0].isalnum()]
    if not tokens:
        return place[0]
    verb = first_finite(tokens)
    if verb is not None:
        while verb + 1 < len(tokens) and is_auxiliary(tokens[verb].low):
            verb += 1
        return place[0] + tokens[verb].start
    ends = (
        at
        for at, one in enumerate(tokens)
        if at and (is_preposition(one.low) or one.low in _RELATIVE)
    )
    return place[0] + tokens[next(ends, len(tokens)) - 1].start


@cache
def span_reader() -> SpanReader | None:
    """The learned reader, where what it runs on is installed."""
    reader = SpanReader()
    try:
        reader.causal(["."])
    except MissingExtra:
        return None
    return reader


class SecondReader:
    """The learned reader as a check: whether a sentence tells of cause and effect, and which way.

    Measured on annotated sentences (benchmarks/spans.py): of texts that state nothing causal it
    lets few by, and it does not know what the rules read.
    """

    def __init__(self, reader: SpanReader) -> None:
        self._reader = reader
        self._known: dict[str, tuple[float, list[Span]]] = {}

    def prepare(self, readings: Iterable[tuple[CausalReading, str]]) -> None:
        """Many at once: the learned reader goes through all of them in one go."""
        wanted = (_resolved(reading, text) for reading, text in readings)
        new = [text for text in dict.fromkeys(wanted) if text not in self._known]
        if new:
            self._known.update(zip(new, self._reader.told(new), strict=True))

    def tells(self, reading: CausalReading, text: str) -> bool:
        """A verb that no list holds needs more, unless the text goes on from what it tells: the
        wording alone does not make it a cause."""
        tuned = judge_calibration().spans
        is_alone = reading.is_open and not reading.is_linked
        least = tuned.least_if_open if is_alone else tuned.least_if_worded
        return self._told(_resolved(reading, text))[0] >= least

    def is_turned(self, reading: CausalReading, text: str) -> bool:
        """Whether it reads the opposite: the effect's words as cause, and the cause's as effect."""
        text = _resolved(reading, text)
        spans = self._told(text)[1]
        places = [(text.find(phrase), len(phrase)) for phrase in (reading.cause, reading.effect)]
        if any(start < 0 for start, _ in places):
            return False
        (cause, cause_chars), (effect, effect_chars) = places
        votes = 0
        for span in spans:
            for start, chars, kind in (
                (cause, cause_chars, "cause"),
                (effect, effect_chars, "effect"),
            ):
                if start <= span.start < start + chars:
                    votes += 1 if span.kind == kind else -1
        return votes < -1

    def _told(self, text: str) -> tuple[float, list[Span]]:
        if text not in self._known:
            (self._known[text],) = self._reader.told([text])
        return self._known[text]


# such as "It", "This": what stands for the cause at the head of a sentence
_STANDS_FOR = re.compile(r"^(?:it|this|that|these|they)\b", re.IGNORECASE)


def _resolved(reading: CausalReading, text: str) -> str:
    """The sentence with its opening pronoun replaced by what it means."""
    plain = " ".join(text.split())
    return _STANDS_FOR.sub(lambda _: reading.cause, plain, count=1)


class CausalReader:
    """Both readers over single texts, for comparison [benchmarks/spans.py]."""

    def __init__(self) -> None:
        self._spans = span_reader()

    def by_rules(self, texts: Sequence[str]) -> list[list[Pair]]:
        return [[pair for _, pair in _by_wording(text)] for text in texts]

    def by_spans(self, texts: Sequence[str]) -> list[list[Pair]]:
        if self._spans is None:
            return [[] for _ in texts]
        apart = [_pieces(text) for text in texts]
        words = [[text[a:b] for a, b in one] for text, one in zip(texts, apart, strict=True)]
        return [
            _paired(text, *_found(text, pieces, logits))
            for text, pieces, logits in zip(texts, apart, self._spans.logits(words), strict=True)
        ]

    def drafts(self, texts: Sequence[str]) -> list[list[Pair]]:
        """The learned reader's pairs; the rules' where it reads nothing."""
        learned, worded = self.by_spans(texts), self.by_rules(texts)
        return [one or other for one, other in zip(learned, worded, strict=True)]

    def accepted(self, texts: Sequence[str]) -> list[list[Pair]]:
        """What the rules draft and the learned reader confirms."""
        if self._spans is None:
            return [[] for _ in texts]
        check = SecondReader(self._spans)
        return [
            [pair for reading, pair in _by_wording(text) if check.tells(reading, text)]
            for text in texts
        ]


def _by_wording(text: str) -> list[tuple[CausalReading, Pair]]:
    found = []
    for reading in read_causal(text):
        places = [text.find(phrase) for phrase in (reading.cause, reading.effect)]
        if reading.is_asserted_cause and min(places) >= 0:
            cause, effect = (
                (start, start + len(phrase))
                for start, phrase in zip(places, (reading.cause, reading.effect), strict=True)
            )
            found.append((reading, Pair(cause, effect)))
    return found


# "don't", "W32/Sircam", "19.1"; every other mark stands alone
_PIECE = re.compile(r"\w+(?:[-'’./]\w+)*|[^\w\s]")
# such as "fever, rash and nausea", "tazobactam/piperacillin"
_LIST = re.compile(
    r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|and/or|as well as)\s+|\s*/\s*|\s*\(\s*|\)\s*"
)
_KINDS = ("", "cause", "effect")
_MAX_GAP_WORDS = 3
_MAX_LISTED_WORDS = 4


class _Found(NamedTuple):
    start: int
    end: int
    kind: str


def _pieces(text: str) -> list[Range]:
    return [match.span() for match in _PIECE.finditer(text)]


def _found(text: str, pieces: Sequence[Range], logits: "np.ndarray") -> tuple[list[_Found], bool]:
    """The stretches it tags, and whether they are things rather than clauses.

    Where most of a text is tagged its clauses are meant, and a tag lasts; else things are.
    """
    tuned = judge_calibration().spans
    first = _tagged(logits, tuned.things_lean, 0.0)
    are_things = sum(map(bool, first)) < tuned.clauses_share * max(1, len(first))
    tags = (
        _tagged(logits, tuned.things_lean, tuned.things_cost)
        if are_things
        else _tagged(logits, tuned.clauses_lean, tuned.clauses_cost)
    )
    found: list[_Found] = []
    last = 0
    for (start, end), tag in zip(pieces, tags, strict=True):
        if tag and tag == last:
            found[-1] = _Found(found[-1].start, end, _KINDS[tag])
        elif tag:
            found.append(_Found(start, end, _KINDS[tag]))
        last = tag
    return _joined(text, found), are_things


def _tagged(logits: "np.ndarray", lean: float, cost: float) -> list[int]:
    """The likeliest tags when each change of tag costs something (Viterbi)."""
    rows = [[float(none) - lean, float(cause), float(effect)] for none, cause, effect in logits]
    if not rows:
        return []
    best, ways = rows[0], []
    for row in rows[1:]:
        reached = [
            [score - (cost if one != to else 0.0) for one, score in enumerate(best)]
            for to in range(len(row))
        ]
        before = [one.index(max(one)) for one in reached]
        ways.append(before)
        best = [row[to] + max(one) for to, one in enumerate(reached)]
    tag = best.index(max(best))
    path = [tag]
    for before in reversed(ways):
        tag = before[tag]
        path.append(tag)
    return path[::-1]


def _joined(text: str, found: Sequence[_Found]) -> list[_Found]:
    """Pieces of one phrase joined over a small gap; marks at the edges left off."""
    joined: list[_Found] = []
    for first, last_end, kind in found:
        said = text[first:last_end]
        inside = [place for place, sign in enumerate(said) if sign.isalnum()]
        if not inside:
            continue
        start, end = first + inside[0], first + inside[-1] + 1
        last = joined[-1] if joined else None
        if last is not None and last.kind == kind and _is_gap(text[last.end : start]):
            joined[-1] = _Found(last.start, end, kind)
        else:
            joined.append(_Found(start, end, kind))
    return joined


def _is_gap(between: str) -> bool:
    words = between.split()
    return len(words) <= _MAX_GAP_WORDS and not any(word in ",;:." for word in words)


def _paired(text: str, found: Sequence[_Found], are_things: bool) -> list[Pair]:  # noqa: FBT001
    """Each effect with the nearest cause; of a list of things each with each."""
    groups = [_listed(text, one) if are_things else [one] for one in found]
    causes = [group for group in groups if group[0].kind == "cause"]
    effects = [group for group in groups if group[0].kind == "effect"]
    if not causes:
        return []
    return [
        Pair((cause.start, cause.end), (effect.start, effect.end))
        for group in effects
        for cause in _nearest(group, causes)
        for effect in group
    ]


def _nearest(one: Sequence[_Found], others: Sequence[Sequence[_Found]]) -> Sequence[_Found]:
    gaps = [max(one[0].start - two[-1].end, two[0].start - one[-1].end) for two in others]
    return others[gaps.index(min(gaps))]


def _listed(text: str, found: _Found) -> list[_Found]:
    said = text[found.start : found.end]
    parts: list[_Found] = []
    at = 0
    for start, end in (*(match.span() for match in _LIST.finditer(said)), (len(said), len(said))):
        if any(map(str.isalnum, said[at:start])):
            parts.append(_Found(found.start + at, found.start + start, found.kind))
        at = end
    words = [text[one.start : one.end].split() for one in parts]
    is_list = all(
        len(one) <= _MAX_LISTED_WORDS and not any(map(is_auxiliary, one)) for one in words
    )
    return parts if is_list and len(parts) > 1 else [found]
