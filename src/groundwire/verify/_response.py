"""A response against its own conversation: what is wrong with it, and what to do about it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import ValidationError

from groundwire.errors import InputError
from groundwire.judge import Evidence, notes
from groundwire.model import (
    Change,
    CheckReport,
    CheckSummary,
    ClaimResult,
    CorrectionNote,
    Decision,
    EvidenceBundle,
    Message,
    ResponseReport,
    Span,
    TraceAudit,
)
from groundwire.text import sentence_ranges

Rewrite = Literal["cut", "correct"]
_WRONG = ("contradicted", "unsupported")
RISKY_SHARE = 1 / 2
"""From half of its claims on, a response is called risky."""
_FACTS_FROM = 8


GivenConversation = Sequence[Message | Mapping[str, Any]]
"""Messages, or mappings with `role` and `content` as chat interfaces have them."""


def messages_of(conversation: GivenConversation) -> list[Message]:
    """A conversation in any of the forms a caller has it; roles that are not known are refused."""
    return [one if isinstance(one, Message) else _message(one) for one in conversation]


def _message(given: Mapping[str, Any]) -> Message:
    try:
        return Message.model_validate(
            {name: given[name] for name in Message.model_fields if given.get(name) is not None}
        )
    except ValidationError as error:
        raise InputError(
            f"A message of the conversation cannot be used: {error.errors()[0]['msg']}.",
            hint='Each message needs "role" (system, user, assistant, tool, retrieved) '
            'and "content", a text.',
        ) from error


def unchecked(reason: str, request_id: str) -> CheckReport:
    """Nothing was checked, which says nothing about the response."""
    nothing = dict.fromkeys(CheckSummary.model_fields, 0)
    is_shed = reason == "load_shed"
    return CheckReport(
        mode="ABSTAIN",
        reason=reason,
        message="The response was not checked: too much is being checked already."
        if is_shed
        else "The response could not be checked.",
        summary=CheckSummary(**nothing),
        request_id=request_id,
    )


def risk_of(claims: Sequence[ClaimResult]) -> float | None:
    """The share of what was verified that is opposed, unsupported or stated too surely."""
    verified = [one for one in claims if one.status != "unverifiable"]
    wrong = sum(one.status in _WRONG or one.flagged for one in verified)
    return round(wrong / len(verified), 4) if verified else None


def sources_of(conversation: Sequence[Message]) -> list[EvidenceBundle]:
    """Each message as a source with its role; what the assistant itself said is none."""
    found = []
    for number, message in enumerate(conversation, start=1):
        if message.role != "assistant" and message.content.strip():
            name = f" {message.name}" if message.name else ""
            doc_id = f"{message.role} message {number}{name}"
            found.append(EvidenceBundle.of(message.content, doc_id, title=message.role))
    if not found:
        raise InputError(
            "The conversation has no message that could be evidence.",
            hint="Give system, user, tool or retrieved messages; what the assistant said is none.",
        )
    return found


def report_of(
    response: str,
    check: CheckReport,
    bundles: Sequence[EvidenceBundle],
    decision: Decision,
    *,
    rewrite: Rewrite | None = None,
    audit: TraceAudit | None = None,
    skipped: str | None = None,
) -> ResponseReport:
    """What an agent is told about its response."""
    told = correction_notes(response, check.claims, bundles)
    risk = risk_of(check.claims)
    return ResponseReport(
        **{name: getattr(check, name) for name in CheckReport.model_fields},
        notes=told,
        risk=risk,
        is_risky=risk is not None and risk >= RISKY_SHARE,
        rewritten=None if rewrite is None else rewritten(response, told, rewrite),
        skipped=skipped,
        decision=decision,
        audit=audit,
    )


def correction_notes(
    response: str, claims: Sequence[ClaimResult], bundles: Sequence[EvidenceBundle]
) -> tuple[CorrectionNote, ...]:
    """One note for each claim that does not stand as it is."""
    wrong = [one for one in claims if one.status in _WRONG or (one.flagged and _stands(one))]
    if not wrong:
        return ()
    evidence = Evidence(bundles)
    return tuple(_note(response, one, evidence) for one in wrong)


def _stands(claim: ClaimResult) -> bool:
    return claim.status == "grounded"


def _note(response: str, claim: ClaimResult, evidence: Evidence) -> CorrectionNote:
    change, replacement = _smallest_change(response, claim)
    quote = next(iter(claim.evidence), claim.nearest)
    return CorrectionNote(
        claim=claim.claim,
        span=claim.span,
        status=claim.status,
        reason=claim.reason,
        why=claim.message,
        quote=quote,
        change=change,
        replacement=replacement,
        facts=_facts(claim, evidence) if claim.status in _WRONG else (),
    )


def _facts(claim: ClaimResult, evidence: Evidence) -> tuple[str, ...]:
    """What the values of the sentences nearest to a claim come to, in words."""
    near = evidence.matches(claim.claim)
    best = sorted(near, key=lambda place: (-sum(near[place].values()), place))[:_FACTS_FROM]
    return tuple(notes(claim.claim, [evidence.sentences[place].text for place in sorted(best)]))


def _smallest_change(response: str, claim: ClaimResult) -> tuple[Change, str | None]:
    """Another value where one is wrong; the quote where it says otherwise; else nothing at all."""
    if claim.status == "contradicted":
        return "correct", _corrected(response, claim)
    if claim.status == "unsupported":
        return "cut", None
    return ("soften", None) if claim.reason == "overconfident" else ("cite", None)


def _corrected(response: str, claim: ClaimResult) -> str | None:
    written = claim.span.of(response) if claim.span is not None else claim.claim
    for check in claim.checks:
        if check.relation == "contradicted" and check.claimed in written and not check.also:
            return written.replace(check.claimed, check.found, 1)
    return " ".join(claim.evidence[0].quote.split()) if claim.evidence else None


def rewritten(response: str, told: Sequence[CorrectionNote], how: Rewrite) -> str:
    """The response without what does not stand, or with it corrected from the quotes.

    A sentence goes as a whole: half of one would say something else. What is only stated too
    surely, or cites the wrong place, stays.
    """
    edits: list[tuple[Span, str]] = []
    for start, end in sentence_ranges(response):
        place = Span(start=start, end=end)
        wrong = [
            one
            for one in told
            if one.status in _WRONG and one.span is not None and one.span.overlaps(place)
        ]
        if not wrong:
            continue
        mended = [one for one in wrong if how == "correct" and one.replacement is not None]
        if len(mended) == len(wrong):
            edits += [(one.span, one.replacement or "") for one in mended if one.span is not None]
        else:
            edits.append((place, ""))
    text = response
    for span, instead in sorted(edits, key=lambda one: one[0].start, reverse=True):
        keep = _ending(text, span, instead)
        after = text[span.end :]
        text = text[: span.start] + instead + keep + (after if instead else after.lstrip(" "))
    return text.strip()


def _ending(text: str, span: Span, instead: str) -> str:
    """The full stop of a claim that a quote without one stands in for."""
    last = text[span.start : span.end].rstrip()[-1:]
    needs_it = bool(instead) and last in ".!?" and instead[-1:] not in ".!?"
    return last if needs_it else ""
