"""Reasoning traces to verdicts: each step against the context and the steps that held."""

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge import Evidence
from groundwire.model import (
    AnswerAudit,
    ClaimResult,
    EvidenceBundle,
    Quote,
    StepAudit,
    StepStatus,
    TraceAudit,
)
from groundwire.text import concludes, content_terms, status_of
from groundwire.values import Given, Quantity, out_of_reach, quantities_in, written
from groundwire.verify._another_value import another_value
from groundwire.verify._audit_report import audit_report
from groundwire.verify._claims import ClaimVerifier
from groundwire.verify._executor import Executor
from groundwire.verify._fault import FaultSigns, fault_of, signs_of
from groundwire.verify._steps import (
    ReadStep,
    StepClaim,
    Surroundings,
    read_steps,
    step_numbers,
)

_MOST_ROUNDS = 4
_TIMES = "x"
"""A sign of a product that is spelled like a word."""
_FAILED: frozenset[StepStatus] = frozenset({"CONTRADICTED", "NOT_IN_CONTEXT"})
_WORST: tuple[StepStatus, ...] = ("CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE", "ENTAILED")


class _Verdict(NamedTuple):
    """On one assertion of a step."""

    status: StepStatus
    reason: str
    message: str
    rests_on: tuple[int, ...] = ()
    evidence: tuple[Quote, ...] = ()


class _Asked(NamedTuple):
    """An assertion that a judge has to be asked about."""

    step: ReadStep
    part: StepClaim
    around: Surroundings

    def steps_quoted(self, result: ClaimResult) -> tuple[int, ...]:
        found = step_numbers(quote.doc_id for quote in result.evidence)
        return tuple(one for one in found if one != self.step.index)


class TraceAuditor:
    """Audits traces with the verifier of claims, and an executor for the answer.

    Every step is first judged with all steps before it. What then rests on a step that failed is
    judged again without it, so that an error is found once and what follows from it says so.
    """

    def __init__(self, verifier: ClaimVerifier, executor: Executor | None) -> None:
        self._verifier = verifier
        self._executor = executor

    async def audit(
        self,
        texts: Sequence[str],
        context: Sequence[EvidenceBundle],
        answer: str | None,
        *,
        request_id: str = "",
    ) -> TraceAudit:
        steps = read_steps(texts)
        audits = await self._judge(steps, steps, tuple(context), frozenset())
        told: dict[int, frozenset[int]] = {}
        for _ in range(_MOST_ROUNDS):
            failed = frozenset(n for n, one in audits.items() if one.status in _FAILED)
            hit = [
                step
                for step in steps
                if audits[step.index].status not in _FAILED
                and (failed & set(audits[step.index].rests_on)) - told.get(step.index, frozenset())
            ]
            if not hit:
                break
            again = await self._judge(hit, steps, tuple(context), failed)
            for step in hit:
                on = failed & set(audits[step.index].rests_on)
                told[step.index] = told.get(step.index, frozenset()) | on
                audits[step.index] = _resting_on(again[step.index], sorted(told[step.index]))
        ordered = tuple(audits[step.index] for step in steps)
        derived = None
        if answer is not None and answer.strip():
            derived = await self._derive(answer.strip(), steps, ordered, tuple(context))
        return audit_report(ordered, derived, request_id)

    async def _derive(
        self,
        answer: str,
        steps: Sequence[ReadStep],
        audits: Sequence[StepAudit],
        context: tuple[EvidenceBundle, ...],
    ) -> AnswerAudit:
        if self._executor is None:
            told = "Answers are not derived: hallucination.trace_auditing.check_post_hoc is off."
            return AnswerAudit(text=answer, derivable=None, reason="not_checked", message=told)
        return await self._executor.derive(answer, steps, audits, context)

    async def _judge(
        self,
        chosen: Sequence[ReadStep],
        steps: Sequence[ReadStep],
        context: tuple[EvidenceBundle, ...],
        failed: frozenset[int],
    ) -> dict[int, StepAudit]:
        """Some of the steps, each with those before it that did not fail."""
        verdicts: dict[int, list[_Verdict]] = {step.index: [] for step in chosen}
        asked: list[_Asked] = []
        for step in chosen:
            earlier = tuple(s for s in steps[: step.index - 1] if s.index not in failed)
            around = Surroundings(context, earlier)
            for part in step.claims:
                settled = _by_values(part, step, around)
                if settled is not None:
                    verdicts[step.index].append(settled)
                else:
                    asked.append(_Asked(step, part, around))
        given = [
            (
                one.part.claim,
                Evidence(one.around.bundles(one.step.before(one.part.claim), one.step.document)),
            )
            for one in asked
        ]
        results = await self._verifier.verify_each(given)
        for one, result in zip(asked, results, strict=True):
            verdicts[one.step.index].append(_judged(one, result))
        used = {
            step.index: Surroundings(context, tuple(steps[: step.index - 1])).first_given_by(step)
            for step in chosen
        }
        return {
            step.index: _of_step(step, verdicts[step.index], used[step.index]) for step in chosen
        }


def _by_values(part: StepClaim, step: ReadStep, around: Surroundings) -> _Verdict | None:
    """What values alone decide; None where a judge is to be asked."""
    worked_out = _worked_out(part, step, around)
    if worked_out is not None and worked_out.status == "CONTRADICTED":
        return worked_out
    return _said_otherwise(part, step, around) or worked_out


def _worked_out(part: StepClaim, step: ReadStep, around: Surroundings) -> _Verdict | None:
    """What arithmetic alone decides; None where a judge is to be asked."""
    wrong = [one for one in part.computations if one.holds is False]
    if wrong:
        gives = "but" if wrong[0].is_comparison else "that gives"
        told = f'It says "{wrong[0].text}"; {gives} {wrong[0].expected}.'
        return _Verdict("CONTRADICTED", "arithmetic", told)
    computations = [one for one in part.computations if not one.is_comparison]
    if not part.is_formula and not computations:
        return None  # a comparison that holds says nothing of what is compared
    if not computations or any(one.holds is None for one in computations):
        told = "It is a formula that cannot be worked out here."
        return _Verdict("UNVERIFIABLE", "formula", told)
    if any(one.is_span for one in computations):
        return _Verdict("ENTAILED", "computed", "Worked out again: it holds.")
    return _rightly_worked_out(part, step, around)


def _said_otherwise(part: StepClaim, step: ReadStep, around: Surroundings) -> _Verdict | None:
    """A sentence of the context with another value, where the step draws no conclusion."""
    content = part.claim.content
    is_drawn = concludes(step.sentence_of(part.claim)) and not concludes(content)
    if is_drawn or not around.is_account or "conditional" in status_of(content).labels:
        return None
    given = around.given(step.before(part.claim)).quantities
    results = {one.result for one in part.computations}.union(*(s.numbers for s in around.steps))
    for place, sentence in enumerate(around.account.sentences):
        found = another_value(content, sentence.shown, given, results)
        if found is not None:
            told = f'It says "{found[0]}"; the context says "{found[1]}".'
            quotes = around.account.quotes((place,))
            return _Verdict("CONTRADICTED", "number_mismatch", told, (), quotes)
    return None


def _rightly_worked_out(part: StepClaim, step: ReadStep, around: Surroundings) -> _Verdict:
    """Arithmetic that holds: with numbers that were given, and of what they were given for?"""
    results = {one.result for one in part.computations}
    operands = [n for one in part.computations for n in one.operands if n not in results]
    origins = [around.origin_of(one) for one in operands]
    rests_on = tuple(sorted({one for one in origins if one}))
    if None in origins:
        unknown = written(operands[origins.index(None)])
        told = f"It is worked out rightly, but nothing before it gives {unknown}."
        return _Verdict("UNVERIFIABLE", "operand_unknown", told, rests_on)
    if len(_new_terms(part, around, step)) > judge_calibration().reasoning.new_terms:
        told = "Its arithmetic holds; whether this is what had to be worked out is not known."
        return _Verdict("UNVERIFIABLE", "meaning_unknown", told, rests_on)
    return _Verdict("ENTAILED", "computed", "Worked out again: it holds.", rests_on)


def _new_terms(part: StepClaim, around: Surroundings, step: ReadStep) -> set[str]:
    own = set(content_terms(step.before(part.claim)))
    said = set(content_terms(part.claim.content)) - own - around.terms
    return {term for term in said if term.isalpha() and term != _TIMES}


def _judged(asked: _Asked, result: ClaimResult) -> _Verdict:
    unreached = _unreached(asked, result) if result.verifier.ran else []
    if unreached:
        return _from_nowhere(unreached[0], result)
    if result.status == "unverifiable":
        return _Verdict("UNVERIFIABLE", result.reason, result.message)
    if result.status == "grounded":
        on = asked.steps_quoted(result)
        return _Verdict("ENTAILED", "supported", result.message, on, result.evidence)
    if asked.around.is_account:
        return _beside_account(asked, result)
    if result.status == "contradicted":
        return _may_be_worked_out(asked, result) or _opposed(asked, result)
    return _undetermined(result)


def _beside_account(asked: _Asked, result: ClaimResult) -> _Verdict:
    """What the account does not say, or says otherwise: wrong, invented, or in other words?"""
    if _is_by_value(result):
        return _may_be_worked_out(asked, result) or _contradicted(asked, result)
    is_opposed = result.status == "contradicted"
    if fault_of(fault_signs(asked, result)) < judge_calibration().steps.threshold:
        return _at_odds(result) if is_opposed else _undetermined(result)
    if is_opposed:
        return _contradicted(asked, result)
    near = (result.nearest,) if result.nearest is not None else ()
    told = "Neither the context nor a step before it says this."
    return _Verdict("NOT_IN_CONTEXT", "not_in_context", told, (), near)


def _is_by_value(result: ClaimResult) -> bool:
    return result.status == "contradicted" and result.reason != "refuted"


def fault_signs(asked: _Asked, result: ClaimResult) -> FaultSigns:
    before = asked.around.sentences(asked.step.before(asked.part.claim))
    new = frozenset(_new_terms(asked.part, asked.around, asked.step))
    is_drawn = concludes(asked.step.sentence_of(asked.part.claim))
    return signs_of(result, before, new, is_drawn=is_drawn)


def _unreached(asked: _Asked, result: ClaimResult) -> list[Quantity]:
    """Its numbers that are neither given nor within reach; what is supposed is not given."""
    is_settled = _is_by_value(result) or (
        result.status == "contradicted" and not asked.around.is_account
    )
    if is_settled or "conditional" in status_of(result.claim).labels:
        return []
    return out_of_reach(result.claim, asked.around.given(asked.step.before(asked.part.claim)))


def _may_be_worked_out(asked: _Asked, result: ClaimResult) -> _Verdict | None:
    """A number that is another one in the context, but one that can be had from what is given. What
    only restates an account has worked nothing out: it draws no conclusion, and needs no step."""
    given = asked.around.given(asked.step.before(asked.part.claim))
    is_other = result.reason == "number_mismatch" and not _is_given(result, given)
    is_restated = (
        asked.around.is_account
        and not concludes(asked.step.sentence_of(asked.part.claim))
        and not out_of_reach(result.claim, asked.around.given_by_context)
    )
    if not is_other or is_restated or out_of_reach(result.claim, given):
        return None
    told = "It may have been worked out; what it was worked out from is not said."
    return _Verdict("UNVERIFIABLE", "may_be_derived", told, (), result.evidence)


def _undetermined(result: ClaimResult) -> _Verdict:
    near = (result.nearest,) if result.nearest is not None else ()
    told = "Nothing that was found says this, and nothing opposes it."
    return _Verdict("UNVERIFIABLE", "undetermined", told, (), near)


def _at_odds(result: ClaimResult) -> _Verdict:
    told = "The judge finds it at odds with what is quoted; one sentence does not decide that."
    return _Verdict("UNVERIFIABLE", "at_odds", told, (), result.evidence)


def _contradicted(asked: _Asked, result: ClaimResult) -> _Verdict:
    on = asked.steps_quoted(result)
    return _Verdict("CONTRADICTED", result.reason, result.message, on, result.evidence)


def _opposed(asked: _Asked, result: ClaimResult) -> _Verdict:
    """By a value, or by what a problem says; a judge is not believed about a conclusion, nor
    about two steps, which often differ on purpose."""
    is_drawn = concludes(asked.step.sentence_of(asked.part.claim))
    is_short = len(set(content_terms(result.claim))) < judge_calibration().reasoning.refutable_terms
    if result.reason == "refuted" and (asked.steps_quoted(result) or is_drawn or is_short):
        return _at_odds(result)
    return _contradicted(asked, result)


def _is_given(result: ClaimResult, given: Given) -> bool:
    """Whether every value that is said to be wrong stands somewhere as it is."""
    wrong = [one.claimed for one in result.checks if one.relation == "contradicted"]
    return all(given.has(quantity) for text in wrong for quantity in quantities_in(text))


def _from_nowhere(quantity: Quantity, result: ClaimResult) -> _Verdict:
    near = result.evidence or ((result.nearest,) if result.nearest is not None else ())
    told = f'Nothing before it gives "{quantity.text}", and no computation with what is given does.'
    if result.status in {"grounded", "contradicted"}:
        return _Verdict("CONTRADICTED", "value_not_given", told, (), near)
    return _Verdict("NOT_IN_CONTEXT", "value_not_given", told, (), near)


def _of_step(step: ReadStep, verdicts: Sequence[_Verdict], used: frozenset[int]) -> StepAudit:
    """The worst of its assertions decides. It rests on the steps whose numbers it uses as well."""
    if not verdicts:
        told = "It asserts nothing that could be tested."
        verdicts = [_Verdict("UNVERIFIABLE", "asserts_nothing", told)]
    worst = min(verdicts, key=lambda one: _WORST.index(one.status))
    rests_on = sorted({*used, *(n for one in verdicts for n in one.rests_on)})
    evidence = tuple(dict.fromkeys(q for one in verdicts for q in one.evidence))
    return StepAudit(
        index=step.index,
        text=step.text,
        status=worst.status,
        reason=worst.reason,
        message=worst.message,
        rests_on=tuple(rests_on),
        evidence=worst.evidence if worst.status != "ENTAILED" else evidence,
    )


def _resting_on(again: StepAudit, failed: Sequence[int]) -> StepAudit:
    """What is left of a step without those that failed; it says which it rested on. A number that
    only they gave is no fault of its own."""
    by_number = again.reason in {"value_not_given", "number_mismatch"}
    is_opposed = again.status == "CONTRADICTED" and not by_number
    if is_opposed or again.status == "ENTAILED":
        return again
    which = " and ".join(str(one) for one in failed)
    return again.model_copy(
        update={
            "status": "UNVERIFIABLE",
            "reason": "rests_on_failed_step",
            "message": f"It rests on step {which}, which does not hold.",
            "rests_on": tuple(sorted({*again.rests_on, *failed})),
        }
    )
