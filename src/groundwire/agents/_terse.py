"""What the tools give a model to read: short results, made of those of the engine."""

from collections.abc import Sequence
from typing import Any

from pydantic import model_serializer

from groundwire.actions import VerificationResult
from groundwire.ground import EdgeOutcome
from groundwire.model import (
    Answer,
    AnswerSource,
    CheckReport,
    ClaimResult,
    MemoryOutcome,
    Model,
    Quote,
    StoredFact,
    TermReport,
    TermSourceCited,
    TraceAudit,
)


class Terse(Model):
    """A result as a model should read it: what is empty is left out."""

    @model_serializer(mode="plain")
    def _filled(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return {name: value for name, value in fields.items() if value not in (None, (), "")}


class Shown(Terse):
    """Words of a source; `source` counts the given texts from 1, or names a document."""

    quote: str
    source: str


class Verdict(Terse):
    """`status` says what the evidence says, `why` in a sentence; `quote` shows it."""

    claim: str
    status: str
    why: str
    flagged: bool | None = None
    quotes: tuple[Shown, ...] = ()
    nearest: Shown | None = None


class Verdicts(Terse):
    """Those that do not stand come first."""

    summary: str
    wrong: tuple[Verdict, ...] = ()
    not_determined: tuple[Verdict, ...] = ()
    grounded: tuple[str, ...] = ()


class StepVerdict(Terse):
    step: int
    status: str
    why: str
    quotes: tuple[Shown, ...] = ()


class Audited(Terse):
    status: str
    summary: str
    steps: tuple[StepVerdict, ...] = ()
    answer_follows: bool | None = None
    answer_why: str = ""
    recommendations: tuple[str, ...] = ()


class EdgeVerdict(Terse):
    status: str
    why: str
    belief: float | None = None
    quotes: tuple[Shown, ...] = ()


class OutputVerdict(Terse):
    valid: bool
    summary: str
    claims: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class Told(Terse):
    """An answer, a choice (`choices`: id and label), or an abstention with its reason."""

    mode: str
    text: str
    reason: str | None = None
    quotes: tuple[Shown, ...] = ()
    notes: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()


class Remembered(Terse):
    stored: bool
    status: str
    why: str
    id: str | None = None
    confidence: float | None = None


class Fact(Terse):
    id: str
    content: str
    status: str
    confidence: float | None = None
    quotes: tuple[Shown, ...] = ()


class Recalled(Terse):
    facts: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()


def _shown(quotes: Sequence[Quote | AnswerSource | TermSourceCited]) -> tuple[Shown, ...]:
    return tuple(Shown(quote=one.quote, source=one.doc_id) for one in quotes)


def terse_verdict(result: ClaimResult) -> Verdict:
    near = result.nearest
    return Verdict(
        claim=result.claim,
        status=result.status,
        why=result.message,
        flagged=result.flagged or None,
        quotes=_shown(result.evidence),
        nearest=None if near is None else _shown([near])[0],
    )


def terse_verdicts(report: CheckReport) -> Verdicts:
    told = [(one, terse_verdict(one)) for one in report.claims]
    stands = [one for one, _ in told if one.status == "grounded" and not one.flagged]
    unsure = [verdict for one, verdict in told if one.status == "unverifiable"]
    wrong = [verdict for one, verdict in told if one not in stands and one.status != "unverifiable"]
    return Verdicts(
        summary=report.message,
        wrong=tuple(wrong),
        not_determined=tuple(unsure),
        grounded=tuple(one.claim for one in stands),
    )


def terse_audit(audit: TraceAudit) -> Audited:
    return Audited(
        status=audit.status,
        summary=audit.message,
        steps=tuple(
            StepVerdict(
                step=one.index, status=one.status, why=one.message, quotes=_shown(one.evidence)
            )
            for one in audit.steps
        ),
        answer_follows=None if audit.answer is None else audit.answer.derivable,
        answer_why="" if audit.answer is None else audit.answer.message,
        recommendations=audit.recommendations,
    )


def terse_edge(outcome: EdgeOutcome) -> EdgeVerdict:
    edge = outcome.edge
    return EdgeVerdict(
        status=edge.edge_status,
        why=edge.message or edge.reason or "",
        belief=edge.belief,
        quotes=_shown([one.quote for one in (*edge.evidence, *edge.refutations)]),
    )


def terse_output(result: VerificationResult) -> OutputVerdict:
    counts = result.summary
    return OutputVerdict(
        valid=result.valid,
        summary=f"{counts.verified} verified, {counts.superseded} superseded, "
        f"{counts.failed} failed, {counts.unverified} unverified",
        claims=tuple(f"{one.named}: {one.status}. {one.detail}" for one in result.claims),
        errors=tuple(one.message for one in result.errors),
    )


def terse_answer(found: Answer | TermReport, said: str | None) -> Told:
    """`said` is the answer or the definition, where there is one."""
    return Told(
        mode=found.mode,
        text=said or found.message,
        reason=found.reason,
        quotes=_shown(found.sources),
        notes=found.observations,
        choices=tuple((one.id, one.label) for one in found.suggestions),
    )


def terse_memory(outcome: MemoryOutcome) -> Remembered:
    return Remembered(
        stored=outcome.stored,
        status=outcome.status,
        why=outcome.message,
        id=outcome.id,
        confidence=outcome.confidence,
    )


def terse_fact(fact: StoredFact) -> Fact:
    return Fact(
        id=fact.id,
        content=fact.content,
        status=fact.status,
        confidence=fact.confidence,
        quotes=_shown(fact.evidence),
    )
