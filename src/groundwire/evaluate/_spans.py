"""How well the encoder finds the words that name a cause and an effect: token F1 by set."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from groundwire.encoder import Span
from groundwire.errors import InputError
from groundwire.evaluate._results import Progress
from groundwire.evaluate._scores import Figure, auroc, with_interval
from groundwire.model import Model

if TYPE_CHECKING:
    from groundwire.evaluate._scores import Array

_BATCH = 64


class Relation(Model):
    """Where in the text the cause stands and where the effect: from, up to."""

    cause: tuple[int, int]
    effect: tuple[int, int]


class SpanRow(Model):
    """`label` is 1 where the text tells of cause and effect; without `relations` only that counts.

    `zero` says what a 0 means: `text` where nothing in it is causal, else only that some relation
    is not there.
    """

    id: str
    set: str = ""
    text: str
    relations: tuple[Relation, ...] | None = None
    label: int = 1
    zero: str | None = None


class Reader(Protocol):
    def read(self, texts: Sequence[str]) -> list[list[Span]]: ...

    def causal(self, texts: Sequence[str]) -> list[float]: ...


class SpanSet(Model):
    name: str
    rows: int
    token_f1: Figure


class SpansReport(Model):
    macro: Figure
    sets: tuple[SpanSet, ...]
    causal_auroc: Figure | None
    """Tells causal texts from those of which all is known not to be."""


def benchmark_spans(
    rows: Sequence[SpanRow], reader: Reader, progress: Progress | None = None
) -> SpansReport:
    """A word counts as found where both call it a cause, or both an effect."""
    counts: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    whole: list[tuple[float, int]] = []
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        texts = [row.text for row in batch]
        for row, spans, causal in zip(batch, reader.read(texts), reader.causal(texts), strict=True):
            if row.label or row.zero == "text":
                whole.append((causal, row.label))
            if row.relations:
                counts[row.set].append(_counted(row.text, row.relations, spans))
        if progress:
            progress(start + len(batch), len(rows))
    if not counts:
        raise InputError(
            "No row says where its cause and effect stand.",
            hint='Each line needs "text" and "relations": [{"cause": [from, to], "effect": …}].',
        )
    sets = {name: _arrays(found) for name, found in sorted(counts.items())}
    return SpansReport(
        macro=with_interval(_token_f1, list(sets.values())),
        sets=tuple(
            SpanSet(name=name, rows=len(one[0]), token_f1=with_interval(_token_f1, [one]))
            for name, one in sets.items()
        ),
        causal_auroc=_told_apart(whole),
    )


def _counted(
    text: str, relations: Sequence[Relation], spans: Sequence[Span]
) -> tuple[int, int, int]:
    """Words that both name, that were found, that are wanted."""
    wanted = {
        (place, kind)
        for relation in relations
        for kind, (start, end) in (("cause", relation.cause), ("effect", relation.effect))
        for place in _words(text, start, end)
    }
    found = {(place, span.kind) for span in spans for place in _words(text, span.start, span.end)}
    return len(wanted & found), len(found), len(wanted)


def _words(text: str, start: int, end: int) -> list[int]:
    """Where the words between two places begin."""
    return [
        place
        for place in range(start, min(end, len(text)))
        if not text[place].isspace() and (place == start or text[place - 1].isspace())
    ]


def _arrays(found: Sequence[tuple[int, int, int]]) -> "tuple[Array, Array]":
    import numpy as np

    both, said, wanted = np.array(found, float).T
    return both, said + wanted


def _token_f1(both: "Array", either: "Array", weights: "Array") -> "Array":
    import numpy as np

    found: Array = 2 * (weights * both).sum(1) / np.maximum((weights * either).sum(1), 1)
    return found


def _told_apart(whole: Sequence[tuple[float, int]]) -> Figure | None:
    import numpy as np

    scores, labels = np.array(whole).T
    return with_interval(auroc, [(scores, labels)]) if 0 < labels.sum() < len(labels) else None
