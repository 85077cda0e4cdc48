"""How well `text` tells what a sentence does with what it says: F1 of each label, by set."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from groundwire.errors import InputError
from groundwire.evaluate._scores import RESAMPLES, Figure
from groundwire.model import Model
from groundwire.text import Label, Status, read, status_in, status_of

_SAME: Mapping[str, Label] = {
    "questioned": "asked",
    "directive": "ordered",
    "counterfactual": "conditional",
}
"""What public sets call our labels."""
_NONE_OF_THEM = "not_counterfactual"
"""Tells that the label of its set is missing; a plain condition counts as wrong there."""
_KNOWN: frozenset[str] = frozenset(
    {"asserted", "asked", "ordered", "planned", "conditional", "hedged", "negated", "reported"}
    | {"example", "hidden"}
)


class StatusRow(Model):
    """A text, the words of it that are meant, and either one `status` or all its `labels`."""

    id: str
    set: str = ""
    text: str
    mention: str | None = None
    status: str | None = None
    labels: tuple[str, ...] = ()


class LabelScore(Model):
    """`rows` have the label; `f1` is value, low, high."""

    label: str
    rows: int
    f1: Figure


class StatusSet(Model):
    name: str
    rows: int
    labels: tuple[LabelScore, ...]


class StatusReport(Model):
    macro: Figure
    labels: tuple[LabelScore, ...]
    sets: tuple[StatusSet, ...]
    left_out: Mapping[str, int]
    """Rows whose status no label of ours means, by that status."""


Outcome = tuple[str, bool, bool]
"""A label, whether the row has it, whether it was found."""


def benchmark_status(rows: Sequence[StatusRow]) -> StatusReport:
    """A set tells only of the labels it uses: others that are found in it are not counted."""
    by_set: dict[str, list[tuple[StatusRow, frozenset[str]]]] = defaultdict(list)
    left_out: dict[str, int] = defaultdict(int)
    for row in rows:
        wanted = _wanted(row)
        if wanted or row.status == _NONE_OF_THEM:
            by_set[row.set.split(".")[0]].append((row, wanted))
        else:
            left_out[row.status or "none"] += 1
    if not by_set:
        raise InputError(
            "No row has a status that is known here.",
            hint=f"Use one of {', '.join(sorted(_KNOWN | _SAME.keys()))}.",
        )
    outcomes = {name: _outcomes(pairs) for name, pairs in by_set.items()}
    together = [one for found in outcomes.values() for one in found]
    labels = _scores(together)
    return StatusReport(
        macro=_f1(together, [one.label for one in labels]),
        labels=labels,
        sets=tuple(
            StatusSet(name=name, rows=len(by_set[name]), labels=_scores(found))
            for name, found in sorted(outcomes.items())
        ),
        left_out=dict(left_out),
    )


def _wanted(row: StatusRow) -> frozenset[str]:
    named = row.labels or ((row.status,) if row.status else ())
    return frozenset(_SAME.get(name, name) for name in named) & _KNOWN


def _outcomes(pairs: Sequence[tuple[StatusRow, frozenset[str]]]) -> list[list[Outcome]]:
    used = frozenset[str]().union(*(wanted for _, wanted in pairs))
    return [
        [(label, label in wanted, label in found) for label in sorted(used)]
        for row, wanted in pairs
        for found in [_found(row)]
    ]


def _found(row: StatusRow) -> frozenset[str]:
    """Where a row has one status, a denial counts as negated alone."""
    status = _status(row)
    if row.labels or "negated" not in status.labels:
        return frozenset(status.labels)
    return frozenset(status.labels - {"asserted"})


def _status(row: StatusRow) -> Status:
    """Of the words that are meant; a text in Markdown is read as a page."""
    if not row.labels:
        start = row.text.find(row.mention) if row.mention else -1
        if row.mention and start >= 0:
            return status_in(row.text, start, start + len(row.mention))
        return status_of(row.text)
    start = row.text.find(row.mention) if row.mention else 0
    end = start + len(row.mention) if row.mention else len(row.text)
    reading = read(row.text)
    hidden = [b for b in reading.blocks if b.is_hidden and b.start <= start and end <= b.end]
    if hidden:
        return status_of(row.mention or row.text, hidden[0])
    return _together(one.status for one in reading.sentences if one.start < end and one.end > start)


def _together(found: Iterable[Status]) -> Status:
    labels = frozenset[Label]().union(*(status.labels for status in found))
    return Status(labels - {"asserted"} if labels - {"asserted", "negated"} else labels)


def _scores(outcomes: Sequence[Sequence[Outcome]]) -> tuple[LabelScore, ...]:
    names = sorted({label for row in outcomes for label, _, _ in row})
    return tuple(
        LabelScore(
            label=name,
            rows=sum(has for row in outcomes for label, has, _ in row if label == name),
            f1=_f1(outcomes, [name]),
        )
        for name in names
    )


def _f1(outcomes: Sequence[Sequence[Outcome]], names: Sequence[str]) -> Figure:
    """The mean F1 of some labels, its interval by drawing rows again."""
    import numpy as np

    rows = len(outcomes)
    counts = np.zeros((rows, len(names), 2))
    for place, row in enumerate(outcomes):
        for label, has, found in row:
            if label in names:
                counts[place, names.index(label)] = (has and found, has + found)
    draws = np.random.default_rng(0).multinomial(rows, np.full(rows, 1 / rows), size=RESAMPLES)
    weights = np.vstack([np.ones(rows), draws])
    hits = np.einsum("wr,rlc->wlc", weights, counts)
    means = (2 * hits[..., 0] / np.maximum(hits[..., 1], 1)).mean(axis=1)
    low, high = np.quantile(means[1:], (0.025, 0.975))
    return Figure(float(means[0]), float(low), float(high))
