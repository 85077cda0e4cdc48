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
    with_and_without,
)
from groundwire.model import EvidenceBundle
from groundwire.verify import Rules, decide

Progress = Callable[[int, int], None]

TARGET = 0.75
"""The confidence that a claim is taken to be made with."""
_BATCH = 64


class Judgement(NamedTuple):
    """`values` is what the deterministic tier alone says: 0 opposed, 1 confirmed, 0.5 silent.

    `contradicted` is what the judge alone would have the claim called.
    """

    p1: float
    p0: float
    values: float = 0.5
    contradicted: bool = False


async def judge_rows(
    rows: Sequence[LabelledClaim],
    backend: VerifierBackend,
    rules: Rules,
    progress: Progress | None = None,
) -> list[Judgement]:
    """One judgement per row, in order; the first failure ends the run, since half a benchmark
    looks like a whole one."""
    judged: list[Judgement] = []
    for batch in _batches(rows):
        judged += await _judge(batch, backend, rules)
        if progress is not None:
            progress(len(judged), len(rows))
    return judged


def _batches(rows: Sequence[LabelledClaim]) -> Iterator[Sequence[LabelledClaim]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]


async def _judge(
    rows: Sequence[LabelledClaim], backend: VerifierBackend, rules: Rules
) -> list[Judgement]:
    evidence = {row.evidence: Evidence([EvidenceBundle.of(row.evidence, "e")]) for row in rows}
    questions: list[Question] = []
    for row in rows:
        known = evidence[row.evidence]
        contexts = with_and_without(known, row.claim, backend.context_words)
        questions += [Question(claim=row.claim, context=context) for context in contexts]
    answers = [_answered(answer) for answer in await backend.estimate(questions)]
    return [
        Judgement(
            p1=p1.p,
            p0=p0.p,
            values=_by_values(row.claim, evidence[row.evidence]),
            contradicted=decide(p0, p1, TARGET, rules).status == "contradicted",
        )
        for row, p1, p0 in zip(rows, answers[::2], answers[1::2], strict=True)
    ]


def _by_values(claim: str, evidence: Evidence) -> float:
    relations = {check.relation for check in evidence.check_values(claim)}
    if "contradicted" in relations:
        return 0.0
    return 1.0 if relations else 0.5


def _answered(answer: Estimate | BackendError) -> Estimate:
    if isinstance(answer, BackendError):
        raise answer
    return answer
