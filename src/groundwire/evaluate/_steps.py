"""How well reasoning traces are audited: verdicts on steps, and whether answers follow, by set."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.errors import InputError
from groundwire.evaluate._labelled import counted
from groundwire.evaluate._rows import limited, read_rows
from groundwire.evaluate._scores import Figure, auroc, share_of, with_interval
from groundwire.model import Model, StepStatus, TraceAudit

if TYPE_CHECKING:
    from groundwire.engine import Engine
    from groundwire.evaluate._results import Progress

_STATUSES: tuple[StepStatus, ...] = (
    "ENTAILED",
    "CONTRADICTED",
    "NOT_IN_CONTEXT",
    "UNVERIFIABLE",
)
_SCORES = {"ENTAILED": 1.0, "UNVERIFIABLE": 1 / 2, "NOT_IN_CONTEXT": 0.0, "CONTRADICTED": 0.0}


class LabelledStep(Model):
    """`label` is 1 right, 0 wrong, None not judged."""

    text: str
    label: int | None = None


class LabelledTrace(Model):
    id: str
    set: str
    context: str = ""
    steps: tuple[dict[str, Any], ...] = ()
    answer: str | int | float | None = None
    answer_label: int | None = None

    @property
    def labelled(self) -> list[LabelledStep]:
        return [LabelledStep(text=one["text"], label=one.get("label")) for one in self.steps]


def read_traces(path: Path, limit: int | None = None) -> list[LabelledTrace]:
    """Every row of a file or folder; with a `limit`, so many of each set, the same ones always."""
    rows = read_rows(path, LabelledTrace)
    return rows if limit is None else limited(rows, limit, lambda row: row.set)


class StepSet(Model):
    """Shares and areas as value, low, high; None where a set has no such steps or answers.

    `false_alarms` are right steps called CONTRADICTED or NOT_IN_CONTEXT, `caught` wrong steps
    called so, `left_open` wrong steps called UNVERIFIABLE, `approved` wrong steps called ENTAILED.
    """

    name: str
    rows: int
    steps_right: int
    steps_wrong: int
    answers: int
    auroc: Figure | None = None
    answer_auroc: Figure | None = None
    false_alarms: Figure | None = None
    caught: Figure | None = None
    left_open: Figure | None = None
    approved: Figure | None = None
    statuses: dict[str, int]
    """Right steps by status, and wrong ones after a minus sign."""


class StepsReport(Model):
    macro: StepSet
    """The means over the sets that have the figure."""
    pooled: StepSet
    """All steps together."""
    sets: tuple[StepSet, ...]


Judged = list[tuple[LabelledTrace, TraceAudit]]


async def benchmark_steps(
    rows: Sequence[LabelledTrace], engine: "Engine", progress: "Progress | None" = None
) -> StepsReport:
    """Audit each trace as a user would. A trace without steps is audited by its context alone."""
    usable = [row for row in rows if row.steps or (row.context and row.answer is not None)]
    if not usable:
        raise InputError("No row has steps, or a context and an answer.")
    judged: dict[str, Judged] = defaultdict(list)
    for row in counted(usable, progress):
        texts = [one.text for one in row.labelled] or row.context.splitlines()
        context = row.context if row.steps and row.context.strip() else None
        answer = None if row.answer is None else str(row.answer)
        audit = await engine.audit_trace(texts, context, answer)
        judged[row.set].append((row, audit))
    sets = tuple(_set(name, found) for name, found in sorted(judged.items()))
    everything = [one for found in judged.values() for one in found]
    return StepsReport(macro=_macro(sets), pooled=_set("all", everything), sets=sets)


def _set(name: str, found: Judged) -> StepSet:
    pairs = [
        (audited.status, labelled.label)
        for row, audit in found
        for audited, labelled in zip(audit.steps, row.labelled, strict=False)
        if row.steps and labelled.label is not None
    ]
    answers = [
        (audit.answer.score, row.answer_label)
        for row, audit in found
        if row.answer_label is not None and audit.answer is not None
    ]
    scored = [(score, label) for score, label in answers if score is not None]
    right = [status for status, label in pairs if label == 1]
    wrong = [status for status, label in pairs if label == 0]
    counts: dict[str, int] = {status: right.count(status) for status in _STATUSES}
    counts |= {f"-{status}": wrong.count(status) for status in _STATUSES}
    alarms = ("CONTRADICTED", "NOT_IN_CONTEXT")
    return StepSet(
        name=name,
        rows=len(found),
        steps_right=len(right),
        steps_wrong=len(wrong),
        answers=len(scored),
        auroc=_area([(_SCORES[status], label) for status, label in pairs]),
        answer_auroc=_area(scored),
        false_alarms=_share(right, alarms),
        caught=_share(wrong, alarms),
        left_open=_share(wrong, ("UNVERIFIABLE",)),
        approved=_share(wrong, ("ENTAILED",)),
        statuses=counts,
    )


def _area(scored: Sequence[tuple[float, int]]) -> Figure | None:
    import numpy as np

    labels = np.array([label for _, label in scored])
    if not {0, 1} <= set(labels.tolist()):
        return None
    return with_interval(auroc, [(np.array([score for score, _ in scored]), labels)])


def _share(statuses: Sequence[str], wanted: Sequence[str]) -> Figure | None:
    import numpy as np

    if not statuses:
        return None
    marks = np.array([float(status in wanted) for status in statuses])
    return with_interval(share_of(1), [(marks, np.ones(len(marks)))])


_FIGURES = ("auroc", "answer_auroc", "false_alarms", "caught", "left_open", "approved")


def _macro(sets: Sequence[StepSet]) -> StepSet:
    figures: dict[str, Figure | None] = {}
    for name in _FIGURES:
        found = [one for each in sets if (one := getattr(each, name)) is not None]
        means = [sum(values) / len(found) for values in zip(*found, strict=True)] if found else []
        figures[name] = Figure(*means) if means else None
    return StepSet(
        name="macro",
        rows=sum(one.rows for one in sets),
        steps_right=sum(one.steps_right for one in sets),
        steps_wrong=sum(one.steps_wrong for one in sets),
        answers=sum(one.answers for one in sets),
        statuses={},
        **figures,
    )
