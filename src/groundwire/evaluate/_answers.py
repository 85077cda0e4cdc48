"""How well the encoder tells whether a passage answers a question: AUROC, and its price."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from groundwire.encoder import Answering, reader_calibration
from groundwire.errors import InputError
from groundwire.evaluate._results import Progress
from groundwire.evaluate._scores import Figure, auroc, with_interval
from groundwire.model import Model

if TYPE_CHECKING:
    from groundwire.evaluate._scores import Array, Measure

_BATCH = 64


class AnswerRow(Model):
    """`label` is 1 where the passage answers the question and 0 where it does not."""

    id: str
    set: str = ""
    question: str
    passage: str
    label: int = Field(ge=0, le=1)


class Reader(Protocol):
    def read(self, pairs: Sequence[tuple[str, str]], /) -> list[Answering]: ...

    def second_opinion(self, pairs: Sequence[tuple[str, str]], /) -> list[float]: ...


class AnswerSet(Model):
    """`answered_at_5` and `_10`: of the answerable, where so many % of the others are answered."""

    name: str
    rows: int
    auroc: Figure
    answered_at_5: Figure
    answered_at_10: Figure


class AnswersReport(Model):
    macro: AnswerSet
    """Means over the sets, each counting the same."""
    together: AnswerSet
    """All rows under one threshold, as a product has to choose it."""
    sets: tuple[AnswerSet, ...]
    left_out: tuple[str, ...]
    """Sets with one label only."""


def benchmark_answers(
    rows: Sequence[AnswerRow], reader: Reader, progress: Progress | None = None
) -> AnswersReport:
    """Scores every row; a set is what stands before the first dot of its name."""
    import numpy as np

    share = reader_calibration().answers.judge_share
    scores: list[float] = []
    for start in range(0, len(rows), _BATCH):
        asked = [(row.question, row.passage) for row in rows[start : start + _BATCH]]
        both = zip(reader.read(asked), reader.second_opinion(asked), strict=True)
        scores += [one.with_judge(judged, share).answers for one, judged in both]
        if progress:
            progress(len(scores), len(rows))
    by_set: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for row, score in zip(rows, scores, strict=True):
        by_set[row.set.split(".")[0]].append((score, row.label))
    groups = {name: tuple(np.array(found).T) for name, found in sorted(by_set.items())}
    usable = {name: (s, y) for name, (s, y) in groups.items() if 0 < y.sum() < len(y)}
    if not usable:
        raise InputError(
            "Every set has one label only.",
            hint="Give rows with label 1 (the passage answers the question) and with label 0.",
        )
    every = [tuple(np.hstack(parts) for parts in zip(*usable.values(), strict=True))]
    return AnswersReport(
        macro=_scored("macro", list(usable.values())),
        together=_scored("together", [(scores, labels) for scores, labels in every]),
        sets=tuple(_scored(name, [group]) for name, group in usable.items()),
        left_out=tuple(groups.keys() - usable.keys()),
    )


def _scored(name: str, groups: "Sequence[tuple[Array, Array]]") -> AnswerSet:
    return AnswerSet(
        name=name,
        rows=sum(len(scores) for scores, _ in groups),
        auroc=with_interval(auroc, groups),
        answered_at_5=with_interval(_answered_at(0.05), groups),
        answered_at_10=with_interval(_answered_at(0.1), groups),
    )


def _answered_at(share: float) -> "Measure":
    """Of the answerable, how many lie above all but this share of the others."""

    def measure(scores: "Array", labels: "Array", weights: "Array") -> "Array":
        import numpy as np

        order = np.argsort(-scores, kind="stable")
        others = np.cumsum(weights[:, order] * (labels[order] == 0), axis=1)
        good = weights[:, order] * (labels[order] == 1)
        answered = (good * (others <= share * others[:, -1:])).sum(1)
        found: Array = answered / np.maximum(good.sum(1), 1)
        return found

    return measure
