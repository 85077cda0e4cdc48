"""Labelled claims put to a judge: p1 with the evidence, p0 with it scrubbed."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from groundwire.errors import BackendError
from groundwire.evaluate._rows import LabelledClaim
from groundwire.judge import (
    Estimate,
    Evidence,
    Question,
    VerifierBackend,
    scrubbed_context,
    supporting,
)
from groundwire.model import EvidenceBundle

Progress = Callable[[int, int], None]

_BATCH = 64


class Judgement(NamedTuple):
    """`values` is what the deterministic tier alone says: 0 opposed, 1 confirmed, 0.5 silent."""

    p1: float
    p0: float
    values: float = 0.5


async def judge_rows(
    rows: Sequence[LabelledClaim], backend: VerifierBackend, progress: Progress | None = None
) -> list[Judgement]:
    """One judgement per row, in order; the first failure ends the run, since half a benchmark
    looks like a whole one."""
    judged: list[Judgement] = []
    for batch in _batches(rows):
        judged += await _judge(batch, backend)
        if progress is not None:
            progress(len(judged), len(rows))
    return judged


def _batches(rows: Sequence[LabelledClaim]) -> Iterator[Sequence[LabelledClaim]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]


async def _judge(rows: Sequence[LabelledClaim], backend: VerifierBackend) -> list[Judgement]:
    evidence = {row.evidence: Evidence([EvidenceBundle.of(row.evidence, "e")]) for row in rows}
    questions: list[Question] = []
    for row in rows:
        known = evidence[row.evidence]
        places = known.narrow(row.claim, backend.context_words)
        removed = supporting(known, row.claim, places)
        questions += [
            Question(claim=row.claim, context=known.text(places)),
            Question(claim=row.claim, context=scrubbed_context(known, places, removed)),
        ]
    answers = [_probability(answer) for answer in await backend.estimate(questions)]
    values = [_by_values(row.claim, evidence[row.evidence]) for row in rows]
    return list(map(Judgement, answers[::2], answers[1::2], values))


def _by_values(claim: str, evidence: Evidence) -> float:
    relations = {check.relation for check in evidence.check_values(claim)}
    if "contradicted" in relations:
        return 0.0
    return 1.0 if relations else 0.5


def _probability(answer: Estimate | BackendError) -> float:
    if isinstance(answer, BackendError):
        raise answer
    return answer.p
