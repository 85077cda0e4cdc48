"""Does this passage answer this question? Every route ends here [S3]."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from groundwire.answer._choose import Sentence, with_paragraph
from groundwire.encoder import Answering, QuestionReader, reader_calibration
from groundwire.errors import GroundwireError
from groundwire.gate import Curve
from groundwire.model import EvidenceBundle
from groundwire.observe import Log
from groundwire.text import read

_log = Log("answerability")
WINDOW_WORDS = 90
LEAST_WORDS = 4
MOST_SENTENCES = 2
MOST_READ = 2
"""Of so many passages the parts are read by themselves."""
MOST_CLOSELY = 3
"""So many parts, the best, are read by both encoders."""


class Reader(Protocol):
    """What is thought of each question and passage, and what another thinks of some."""

    def read(self, pairs: Sequence[tuple[str, str]], /) -> list[Answering]: ...

    def second_opinion(self, pairs: Sequence[tuple[str, str]], /) -> list[float]: ...


class Score(NamedTuple):
    """Two mixtures of what the heads say: how well it fits, for the order, and how surely it
    answers. A search engine's opinion is worth more for the first than for the second."""

    fits: float
    answers: float

    def beside(self, around: "Score", share: float) -> "Score":
        return Score(
            *(share * own + (1 - share) * of for own, of in zip(self, around, strict=True))
        )

    @property
    def confidence(self) -> float:
        tuned = reader_calibration().answers
        return Curve(slope=tuned.head_slope, middle=tuned.head_middle)(self.answers)


@dataclass(frozen=True)
class Judged:
    passage: EvidenceBundle
    score: Score

    @property
    def confidence(self) -> float:
        return self.score.confidence


@dataclass(frozen=True)
class Quoted:
    """Words of a passage with their place in the document, and how surely they answer alone."""

    text: str
    start: int
    passage: EvidenceBundle
    score: Score

    @property
    def confidence(self) -> float:
        return self.score.confidence


class Answerability:
    """Reads the question together with the best passages; each costs some 20 milliseconds."""

    def __init__(self, reader: Reader | None = None, *, most_passages: int) -> None:
        self._given = reader
        self._most = most_passages

    def judge(
        self,
        question: str,
        passages: Sequence[EvidenceBundle],
        costs: Sequence[float] = (),
    ) -> list[Judged] | None:
        """The most promising first. None where no head can be had: then words must do.

        A cost is what a passage loses for where it stands; its confidence does not.
        """
        chosen = list(passages[: self._most])
        if not self.is_available or not chosen:
            return None
        scores = self._scores(question, map(shown_to_head, chosen))
        judged = [Judged(one, score) for one, score in zip(chosen, scores, strict=True)]
        lost = dict(zip(map(id, chosen), costs, strict=False))
        return sorted(judged, key=lambda one: lost.get(id(one.passage), 0.0) - one.score.fits)

    @property
    def is_available(self) -> bool:
        return (self._given or _embedded()) is not None

    def quotes(
        self, question: str, judged: Sequence[Judged], near: Sequence[Sentence] = ()
    ) -> list[Quoted]:
        """What to quote, surest first: parts of the best passages, and the sentences nearest to
        the question. Each is judged by itself, for a quote must answer without its passage."""
        read = list(judged[:MOST_READ])
        near = near[:MOST_SENTENCES]
        known = {id(one.passage): one.score for one in judged}
        cut = [
            (one.passage, one.passage.content[start:end], one.passage.location.start + start)
            for one in read
            for start, end in _saying(one.passage.content)
        ]
        whole = [with_paragraph(one) for one in near]
        cut += [(one.passage, one.text, one.start) for one in whole]
        shown = [_above(passage) + text for passage, text, _ in cut[: len(cut) - len(near)]]
        shown += [_above(one.passage) + one.shown for one in near]
        found = [
            _quoted(text, start, passage, score, known.get(id(passage)))
            for (passage, text, start), score in zip(
                cut, self._scores(question, shown, closely=MOST_CLOSELY), strict=True
            )
        ]
        return sorted(found, key=lambda one: -one.score.fits)

    def quote(self, question: str, text: str, start: int, passage: EvidenceBundle) -> Quoted:
        """A given part of a document, judged like any other."""
        (score,) = self._scores(question, [_above(passage) + text], closely=1)
        return _quoted(text, start, passage, score)

    def _scores(self, question: str, shown: Iterable[str], closely: int = 0) -> list[Score]:
        """So many of the best are read by both encoders."""
        reader = self._given or _embedded()
        if reader is None:
            return [Score(0.0, 0.0) for _ in shown]
        pairs = [(question, text) for text in shown]
        read = reader.read(pairs)
        order = sorted(range(len(read)), key=lambda place: -scored(read[place]).fits)[:closely]
        share = reader_calibration().answers.judge_share
        for place, said in zip(
            order, reader.second_opinion([pairs[one] for one in order]), strict=True
        ):
            read[place] = read[place].with_judge(said, share)
        return [scored(one) for one in read]


def scored(read: Answering) -> Score:
    tuned = reader_calibration().answers
    answers = max(read.answers, tuned.surest_denial)
    return Score(
        answers + tuned.rank_weight * read.rank, answers + tuned.rank_in_confidence * read.rank
    )


def _quoted(
    text: str, start: int, passage: EvidenceBundle, score: Score, around: Score | None = None
) -> Quoted:
    """A part is as sure as it is by itself and as the passage around it is, half and half: the
    surest of many parts is often so by chance."""
    share = reader_calibration().answers.quote_share
    return Quoted(text, start, passage, score if around is None else score.beside(around, share))


def windows(text: str) -> list[tuple[int, int]]:
    """Runs of sentences of about so many words, each in its place; none reaches over a heading,
    for what stands beneath another says another thing."""
    found: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    section: tuple[str, ...] = ()
    for one in read(text).sentences:
        if one.block.kind == "heading":
            continue
        if run and one.block.section != section:
            found += _runs(text, run)
            run = []
        section = one.block.section
        run.append((one.start, one.end))
    return [*found, *(_runs(text, run) if run else ())] or [(0, len(text))]


def _saying(text: str) -> list[tuple[int, int]]:
    """Windows that say something: under its title "Accepted" alone reads like an answer."""
    every = windows(text)
    return [one for one in every if len(text[slice(*one)].split()) >= LEAST_WORDS] or every


def _runs(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of one section, in parts of about the same size."""
    all_words = sum(len(text[first:last].split()) for first, last in ranges)
    count = max(1, -(-all_words // WINDOW_WORDS))
    found: list[tuple[int, int]] = []
    start, words = ranges[0][0], 0
    for place, (first, last) in enumerate(ranges):
        words += len(text[first:last].split())
        is_last = place == len(ranges) - 1
        if words >= all_words / count or is_last:
            found.append((start, last))
            start, words = (first if is_last else ranges[place + 1][0]), 0
    return found


def shown_to_head(passage: EvidenceBundle) -> str:
    """What a reader of the passage alone would have to know stands before it."""
    source = passage.source
    label = f"{source.doc_type} {source.number}: " if source.number is not None else ""
    above = [f"{label}{source.title or ''}", (passage.section or "").replace(" > ", ", ")]
    return "\n".join([*filter(None, above), passage.content])


def _above(passage: EvidenceBundle) -> str:
    return shown_to_head(passage).removesuffix(passage.content)


@cache
def _embedded() -> Reader | None:
    try:
        return QuestionReader()
    except GroundwireError as error:
        _log.warn("answerability_unavailable", error=str(error), code=error.code)
        return None
