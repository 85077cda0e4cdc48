"""What an audit comes to: one status, a sentence, and what to do next."""

from collections.abc import Iterator, Sequence

from groundwire.config import LimitsSection
from groundwire.errors import InputError
from groundwire.model import AnswerAudit, AuditStatus, StepAudit, TraceAudit
from groundwire.observe import AuditEntry, Log, metrics

_log = Log("verify")


def audit_report(
    steps: tuple[StepAudit, ...], answer: AnswerAudit | None, request_id: str
) -> TraceAudit:
    status = _status(steps, answer)
    return TraceAudit(
        status=status,
        message=_message(status, steps, answer),
        steps=steps,
        answer=answer,
        recommendations=tuple(_recommendations(steps, answer)),
        request_id=request_id,
    )


def _status(steps: Sequence[StepAudit], answer: AnswerAudit | None) -> AuditStatus:
    """INVALID: something is opposed, or the answer does not follow. WARNING: something asserted
    is not given, or was left open. UNAUDITABLE: nothing at all could be told."""
    found = {step.status for step in steps}
    if "CONTRADICTED" in found or (answer is not None and answer.derivable is False):
        return "INVALID"
    if "NOT_IN_CONTEXT" in found:
        return "WARNING"
    if "ENTAILED" not in found:
        return "UNAUDITABLE"
    is_open = "UNVERIFIABLE" in found or (answer is not None and answer.derivable is None)
    return "WARNING" if is_open else "VALID"


def _message(status: AuditStatus, steps: Sequence[StepAudit], answer: AnswerAudit | None) -> str:
    counts = [
        (sum(step.status == name for step in steps), name.lower().replace("_", " "))
        for name in ("ENTAILED", "CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE")
    ]
    told = ", ".join(f"{count} {name}" for count, name in counts if count)
    said = f"{len(steps)} steps: {told}."
    if answer is not None:
        follows = {True: "follows", False: "does not follow", None: "may or may not follow"}
        said += f" The answer {follows[answer.derivable]} from them."
    return f"{said} Nothing could be told." if status == "UNAUDITABLE" else said


def _recommendations(steps: Sequence[StepAudit], answer: AnswerAudit | None) -> Iterator[str]:
    for step in steps:
        if step.status == "CONTRADICTED":
            later = [one.index for one in steps if step.index in one.rests_on]
            then = (
                f" Then work out step {_listed(later)} again, which rests on it." if later else ""
            )
            yield f"Correct step {step.index}. {step.message}{then}"
        elif step.status == "NOT_IN_CONTEXT":
            yield f"Say where step {step.index} is from, or take it out. {step.message}"
    if answer is not None and answer.derivable is False:
        yield (
            "Give the answer that the steps lead to, or add the step that leads to this one. "
            f"{answer.message}"
        )
    is_open = [step.index for step in steps if step.status == "UNVERIFIABLE"]
    if is_open and len(is_open) == len(steps):
        yield "Give the context that the steps are about, or let a language model judge them."
    elif is_open:
        yield f"Look at step {_listed(is_open)} yourself: it could not be tested."


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def require_steps(steps: Sequence[str], answer: str | None, limits: LimitsSection) -> None:
    if isinstance(steps, str) or not all(isinstance(one, str) for one in steps):
        raise InputError("Steps are a list of texts.", hint="Give them as [text, text, …].")
    if not any(one.strip() for one in steps):
        raise InputError("There are no steps to audit.", hint="Give at least one.")
    chars = sum(map(len, steps)) + len(answer or "")
    if chars > limits.max_text_chars or len(steps) > limits.max_claims:
        raise InputError(
            f"The trace has {len(steps):,} steps with {chars:,} characters; "
            f"{limits.max_claims:,} with {limits.max_text_chars:,} can be audited at once.",
            hint="Audit it in parts, or raise limits.max_text_chars and limits.max_claims.",
        )


def count_audit(audit: TraceAudit) -> None:
    counted = metrics()
    counted.count("traces_audited_total", status=audit.status)
    for step in audit.steps:
        counted.count("trace_steps_total", status=step.status)
        _log.info("step_audited", index=step.index, status=step.status, reason=step.reason)
    derivable = None if audit.answer is None else audit.answer.derivable
    _log.info("trace_audited", status=audit.status, steps=len(audit.steps), derivable=derivable)


def audit_entries(audit: TraceAudit, backend: str) -> list[AuditEntry]:
    """One row for each step, and one for the answer."""
    entries = [
        AuditEntry(
            claim=step.text,
            status=step.status,
            reason=step.reason,
            backend=backend,
            detail=step.model_dump(mode="json", exclude={"text", "status", "reason"}),
            flagged=step.status in ("CONTRADICTED", "NOT_IN_CONTEXT"),
            doc_ids=tuple(dict.fromkeys(quote.doc_id for quote in step.evidence)),
        )
        for step in audit.steps
    ]
    answer = audit.answer
    if answer is not None:
        entries.append(
            AuditEntry(
                claim=answer.text,
                status={True: "DERIVABLE", False: "NOT_DERIVABLE", None: "UNVERIFIABLE"}[
                    answer.derivable
                ],
                reason=answer.reason,
                backend=answer.executor,
                detail=answer.model_dump(mode="json", exclude={"text", "reason"}),
                flagged=answer.derivable is False,
            )
        )
    return entries
