"""An engine with a judge that does as it is told, and facts for it."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import BackendError
from groundwire.judge import Backend, Estimate, Question, VerifierBackend
from groundwire.testing import HashingEmbedder

NOT_THERE = "EVIDENCE REMOVED"


class Told(Backend):
    """Supports a claim that its context has word for word, refutes one that has "never" where its
    context has not; else the context says nothing. `fails` is raised instead, while it is set."""

    name, context_words, threshold = "told", 300, 0.5

    def __init__(self) -> None:
        self.fails: BackendError | None = None
        self.waits_s = 0.0
        self.blocks_s = 0.0
        self.asked = 0

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.asked += 1
        await asyncio.sleep(self.waits_s)
        time.sleep(self.blocks_s)  # noqa: ASYNC251 -- a judge that holds up its loop
        if self.fails is not None:
            return [self.fails] * len(questions)
        return [_answer(question) for question in questions]


def _answer(question: Question) -> Estimate:
    claim, context = question.claim.rstrip("."), question.context
    if claim in context:
        return Estimate(p=0.97, refute=0.01)
    opposite = claim.replace("never ", "") if "never " in claim else ""
    if (opposite and opposite in context) or context.rstrip(".").replace("never ", "") == claim:
        return Estimate(p=0.02, refute=0.95)
    return Estimate(p=0.1, refute=0.02)


def engine(
    home: Path,
    judge: VerifierBackend | None = None,
    clock: Callable[[], float] | None = None,
    *,
    patient: bool = True,
    **overrides: Any,
) -> Engine:
    """`patient`: a machine that does much else at the same time is given its time."""
    config = load_config(
        environ={},
        overrides={"home": str(home)}
        | {key.replace("__", "."): value for key, value in overrides.items()},
    ).config
    made = Engine(config, judge=judge or Told(), embedder=HashingEmbedder(64), clock=clock)
    if patient:
        made.memory._check.ceiling_s = made.memory._check.embedding_limit_s = 60.0
    return made
