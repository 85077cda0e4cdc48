"""Which mixture of the two heads answers best: chosen on some sets of questions, tried on another.

    python benchmarks/answer_weights.py CORPORA QUESTIONS… [--keep FOLDER]

CORPORA is a folder of archives, QUESTIONS are sets as `questions.py` reads them. Every question is
asked with every choice of the numbers in `Choice`, through the whole path; what the heads say of a
text is read once. The best choice has the most right answers less one and a half times the wrong
ones. For each set: what is best on all the others, and what that gives on it; in the end what is
best on all of them. Some 500 questions take half an hour.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from questions import judged, opened, read_questions, unpacked

from groundwire.answer import _answerable
from groundwire.encoder import Answering, QuestionReader, reader_calibration

PRICE = 1.5
"""Right answers that a wrong one costs."""


class Choice(NamedTuple):
    judge_share: float
    rank_weight: float
    rank_in_confidence: float
    surest_denial: float
    head_middle: float


CHOICES = [
    Choice(*one) for one in product((0.3, 0.6), (0.5, 1.0), (0.2, 0.4), (-2.0,), (-0.7, -0.2, 0.3))
]


class Remembering:
    """Each question is read with each text once."""

    def __init__(self) -> None:
        self._reader = QuestionReader()
        self._known: dict[tuple[str, str], tuple[Answering, float]] = {}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Answering]:
        return [answering for answering, _ in self._both(pairs)]

    def second_opinion(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [judged for _, judged in self._both(pairs)]

    def _both(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Answering, float]]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        both = zip(self._reader.read(new), self._reader.second_opinion(new), strict=True)
        self._known |= zip(new, both, strict=True)
        return [self._known[pair] for pair in pairs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("questions", nargs="+")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    sets = {name: read_questions(name) for name in options.questions}
    with tempfile.TemporaryDirectory() as temporary:
        found = asked(sets, options.corpora, options.keep or Path(temporary))
    for name in sets:
        others = [one for one in sets if one != name]
        best = max(CHOICES, key=lambda choice: worth(found, others or [name], choice))
        print(f"{name}: {said(found, [name], best)}; {best}")
    best = max(CHOICES, key=lambda choice: worth(found, list(sets), choice))
    print(f"all: {said(found, list(sets), best)}; {best}")


Outcomes = dict[tuple[str, Choice], list[tuple[bool, str]]]
"""Of each question of a set, whether it has an answer and what came out."""


def asked(sets: dict[str, list[dict[str, Any]]], corpora: Path, folder: Path) -> Outcomes:
    _answerable._embedded = lambda: reader  # noqa: SLF001 - the heads are to be read once
    reader = Remembering()
    found: Outcomes = {(name, choice): [] for name in sets for choice in CHOICES}
    every = [row for rows in sets.values() for row in rows]
    for corpus, documents in unpacked([corpora], every, folder):
        with opened(corpus, documents, folder, {}) as ask:
            for name, rows in sets.items():
                for row in (one for one in rows if one["corpus"] == corpus):
                    for choice in CHOICES:
                        with chosen(choice):
                            outcome = judged(row, ask(row["question"]))
                        found[name, choice].append((row["answerable"], outcome))
    return found


@contextmanager
def chosen(choice: Choice) -> Iterator[None]:
    shipped = reader_calibration()
    changed = shipped._replace(answers=shipped.answers._replace(**choice._asdict()))
    _answerable.reader_calibration = lambda: changed
    try:
        yield
    finally:
        _answerable.reader_calibration = reader_calibration


def worth(found: Outcomes, names: Sequence[str], choice: Choice) -> float:
    outcomes = [one for name in names for _, one in found[name, choice]]
    return outcomes.count("right") - PRICE * outcomes.count("wrong")


def said(found: Outcomes, names: Sequence[str], choice: Choice) -> str:
    rows = [row for name in names for row in found[name, choice]]
    answerable = [one for is_answerable, one in rows if is_answerable]
    others = [one for is_answerable, one in rows if not is_answerable]
    wrong = [one for _, one in rows].count("wrong")
    return (
        f"right {answerable.count('right')} of {len(answerable)}, "
        f"unanswerable answered {others.count('wrong')} of {len(others)}, wrong {wrong}"
    )


if __name__ == "__main__":
    main()
