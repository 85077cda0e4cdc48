"""Whether an answer follows from the steps: found by one who sees the steps alone [SPEC-08.26].

An answer that is right may still have been there before its reasoning. The executor never sees the
context; where the steps do not lead to the answer, the answer was not derived from them.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import NamedTuple, Protocol

from groundwire.claims import extract_claims, read_claim
from groundwire.encoder import judge_calibration
from groundwire.errors import BackendError
from groundwire.judge import Evidence, Fence
from groundwire.llm import LLMClient
from groundwire.model import AnswerAudit, EvidenceBundle, Quote, StepAudit
from groundwire.observe import Log
from groundwire.text import announces_check, concludes, content_terms, is_negation, words_of
from groundwire.values import (
    Computation,
    Given,
    Name,
    Period,
    Quantity,
    Value,
    excludes,
    numbers_in,
    out_of_reach,
    quantities_in,
    same_value,
    values_in,
    written,
)
from groundwire.verify._claims import ClaimVerifier
from groundwire.verify._kinds import is_measured, kinds_of, worked_out
from groundwire.verify._steps import ReadStep, Surroundings, is_account, read_steps, step_numbers

PROMPT = "execute.v1.txt"
NO_ANSWER = "NO ANSWER"
_BARE_WORDS = 4
"""An answer of so few words is a value or a name, not a statement."""
_FEW = 12
_log = Log("verify")


class Executor(Protocol):
    """Derives answers from steps."""

    async def derive(
        self,
        answer: str,
        steps: Sequence[ReadStep],
        audits: Sequence[StepAudit],
        context: Sequence[EvidenceBundle] = (),
    ) -> AnswerAudit:
        """The context only excuses: a name or number that it has is not held against an answer."""
        ...


class _Found(NamedTuple):
    derivable: bool | None
    score: float
    reason: str
    message: str
    rests_on: tuple[int, ...] = ()
    evidence: tuple[Quote, ...] = ()


class EmbeddedExecutor:
    """By values and by the judge: which steps, together, say the answer."""

    def __init__(self, verifier: ClaimVerifier) -> None:
        self._verifier = verifier

    async def derive(
        self,
        answer: str,
        steps: Sequence[ReadStep],
        audits: Sequence[StepAudit],
        context: Sequence[EvidenceBundle] = (),
    ) -> AnswerAudit:
        found = await self._found(answer, steps, context)
        failed = {one.index for one in audits if one.status in ("CONTRADICTED", "NOT_IN_CONTEXT")}
        sound = 1 - len(failed) / len(audits) if audits else 1
        reason, message = found.reason, found.message
        if found.derivable and (wrong := failed & set(_behind(found.rests_on, audits))):
            reason = "rests_on_failed_step"
            listed = " and ".join(map(str, sorted(wrong)))
            message = f"It follows from the steps, but by way of step {listed}, which fails."
        return AnswerAudit(
            text=answer,
            derivable=found.derivable,
            score=round(found.score * sound, 4),
            reason=reason,
            message=message,
            rests_on=found.rests_on,
            evidence=found.evidence,
        )

    async def _found(
        self, answer: str, steps: Sequence[ReadStep], context: Sequence[EvidenceBundle]
    ) -> _Found:
        if not steps:
            return _Found(None, 0, "no_steps", "There are no steps to derive it from.")
        by_value = _by_value(answer, steps)
        if by_value is not None:
            return by_value
        return await self._by_meaning(answer, steps, context)

    async def _by_meaning(
        self, answer: str, steps: Sequence[ReadStep], context: Sequence[EvidenceBundle]
    ) -> _Found:
        claims = extract_claims(answer).claims or (read_claim(answer),)
        evidence = Evidence([EvidenceBundle.of(step.said, step.document) for step in steps])
        results = await self._verifier.verify(list(claims), evidence)
        worst = min(results, key=lambda one: (one.status == "grounded", one.p1 or 0.0))
        quotes = tuple(dict.fromkeys(q for one in results for q in one.evidence))
        rests_on = step_numbers(quote.doc_id for quote in quotes)
        score = worst.p1 or 0.0
        if worst.status == "grounded" and all(_in_steps(one, steps) for one in _stated(answer)):
            return _Found(True, score, "follows", "The steps say this.", rests_on, quotes)
        if worst.status == "contradicted" and worst.reason != "refuted":
            told = f"The steps say otherwise. {worst.message}"
            return _Found(False, score, "opposed", told, rests_on, worst.evidence)
        if worst.status == "unverifiable":
            return _Found(None, score, worst.reason, worst.message)
        come_to = _by_moment(answer, steps, context)
        if come_to is not None:
            return come_to
        near = (worst.nearest,) if worst.nearest is not None else worst.evidence
        why = _not_derived(answer, steps, context, score)
        if why is not None:
            return _Found(False, score, "not_derived", why, (), near)
        told = "Whether it follows could not be told."
        return _Found(None, score, "undetermined", told, (), near)


class ModelExecutor:
    """A language model that is given the steps in a context of their own, and must answer.

    What it arrives at is compared with the answer by value and by meaning. Where it fails or finds
    nothing, values and the judge decide.
    """

    def __init__(self, client: LLMClient, embedded: EmbeddedExecutor) -> None:
        self._client = client
        self._embedded = embedded
        self._fence = Fence()

    async def derive(
        self,
        answer: str,
        steps: Sequence[ReadStep],
        audits: Sequence[StepAudit],
        context: Sequence[EvidenceBundle] = (),
    ) -> AnswerAudit:
        derived = await self._embedded.derive(answer, steps, audits, context)
        shown = "\n".join(f"{step.index}. {step.said}" for step in steps)
        prompt = _prompt().format(fence=self._fence.around(shown), steps=shown, no_answer=NO_ANSWER)
        try:
            completion = await self._client.generate(prompt, temperature=0.0)
        except BackendError as error:
            _log.warn("executor_failed", error=str(error), code=error.code)
            return derived
        found = completion.text.strip()
        if not found or NO_ANSWER in found.upper():
            return derived
        compared = await self._embedded.derive(answer, read_steps([found]), audits)
        if compared.derivable is None:
            return derived
        told = f"From the steps alone, {self._client.model} arrived at: {found}"
        return compared.model_copy(
            update={
                "reason": "follows" if compared.derivable else "executor_disagrees",
                "message": told,
                "rests_on": derived.rests_on,
                "evidence": derived.evidence,
                "executor": self._client.model,
            }
        )


@cache
def _prompt() -> str:
    return (files("groundwire.verify") / "_prompts" / PROMPT).read_text(encoding="utf-8")


def _by_value(answer: str, steps: Sequence[ReadStep]) -> _Found | None:
    """An answer that is a number, by the numbers the steps come to; None for any other."""
    claimed = list(numbers_in(answer))
    if not claimed or len(_plain_words(answer)) > _BARE_WORDS:
        return None
    concluding = _concluding(steps)
    if concluding is None:
        told = "It gives a number, and no step has one."
        return _Found(False, 0, "no_number_in_steps", told)
    target = claimed[-1]
    last = next(step for step in reversed(steps) if step.numbers)
    found = _only_moved(answer, concluding) or _comes_to(target, (last, concluding))
    found = found or _earlier(answer, target, steps)
    if found is not None:
        return found
    results = worked_out(concluding)
    kinds = kinds_of(answer, {target}) & kinds_of(concluding.said, results)
    if results and (kinds or not _has(concluding, target)):
        told = f"The steps come to {written(results[-1])}; the answer is {written(target)}."
        return _Found(False, 0, "another_value", told, (concluding.index,))
    return _not_concluded(answer, target, steps, concluding)


def _comes_to(target: Fraction, last: Sequence[ReadStep]) -> _Found | None:
    for step in last:
        if _has(step, target) and not _only_uses(step, target):
            told = f"Step {step.index} comes to it."
            return _Found(True, 1, "follows", told, (step.index,))
    return None


def _by_moment(
    answer: str, steps: Sequence[ReadStep], context: Sequence[EvidenceBundle]
) -> _Found | None:
    """An answer that says when, by the date or time that the last steps work out; else None.

    What happens then is for the context to say: half of the words may be the answer's own.
    """
    values = [one for one in values_in(answer) if not isinstance(one, Name)]
    said = [one for one in values if isinstance(one, Period)]
    if not said or len(said) < len(values) or any(map(is_negation, words_of(answer))):
        return None
    last = next((step for step in reversed(steps) if _moments(step)), None)
    if last is None or not all(same_value(one, _moments(last)[-1]) for one in said):
        return None
    about = set(content_terms(_without(answer, said)))
    known = {term for one in context for term in content_terms(one.content)}
    known = known.union(*(step.terms for step in steps))
    if len(about - known) * 2 > len(about):
        return None
    return _Found(True, 1, "follows", f"Step {last.index} comes to it.", (last.index,))


def _only_moved(answer: str, concluding: ReadStep) -> _Found | None:
    """ "08:10 plus 55 minutes is 09:05" starts at 08:10 and does not come to it."""
    said = [one for one in values_in(answer) if isinstance(one, Period)]
    spans = [one for one in concluding.computations if one.is_span]
    if not said or not spans or any(same_value(said[-1], one) for one in _moments(concluding)):
        return None
    within = [value for one in spans for value in values_in(one.text)]
    spoken = _without(concluding.said, spans)
    is_used = any(same_value(said[-1], one) for one in within)
    if not is_used or any(same_value(said[-1], one) for one in values_in(spoken)):
        return None
    told = f"Step {concluding.index} has it, and goes on to another."
    return _Found(None, 1 / 2, "undetermined", told, (concluding.index,))


def _moments(step: ReadStep) -> list[Period]:
    """The dates and times that a step works out."""
    right = [one.text for one in step.computations if one.is_span and one.holds]
    last = [values_in(text)[-1] for text in right]
    return [one for one in last if isinstance(one, Period)]


def _without(text: str, values: Sequence[Value | Computation]) -> str:
    for one in reversed(values):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def _only_uses(step: ReadStep, number: Fraction) -> bool:
    """ "120 + 8 = 128" works with 120 and does not come to it."""
    spoken = step.said
    for one in step.computations:
        if not (one.is_span or one.is_comparison):
            spoken = f"{spoken[: one.start]}{' ' * (one.end - one.start)}{spoken[one.end :]}"
    same = {number, number * 100, number / 100}
    is_given = any(number in one.operands for one in step.computations)
    return is_given and same.isdisjoint(worked_out(step)) and same.isdisjoint(numbers_in(spoken))


def _not_concluded(
    answer: str, target: Fraction, steps: Sequence[ReadStep], concluding: ReadStep
) -> _Found:
    """A number that the last step with numbers does not have, and does not work out."""
    having = [step.index for step in steps if _has(step, target)]
    if having:
        told = f"Step {having[-1]} has this number; the last steps speak of others."
        return _Found(None, 1 / 2, "undetermined", told, (having[-1],))
    if not _unreached(answer, steps) and not _names_another(answer, concluding):
        told = "No step has this number; it may be worked out from theirs."
        return _Found(None, 1 / 2, "undetermined", told, (concluding.index,))
    return _Found(False, 0, "another_value", "No step has this number.", (concluding.index,))


def _names_another(answer: str, concluding: ReadStep) -> bool:
    """ "The group gets 750" where the last sentence says, in these words, what the group gets."""
    (last, *_) = [one for one in reversed(concluding.sentences) if quantities_in(one)] or [""]
    stated = [one for one in quantities_in(last) if not (one.weak or one.ordinal or one.about)]
    said = [one for one in quantities_in(answer) if not one.about]
    if not said or not stated:
        return False
    about = set(content_terms(_without(answer, said)))
    is_of_it = about and about.issubset(content_terms(last))
    like = [one for one in stated if one.dimension == said[-1].dimension]
    return bool(is_of_it and like) and all(excludes(one, said[-1]) for one in like)


def _earlier(answer: str, target: Fraction, steps: Sequence[ReadStep]) -> _Found | None:
    """Of an answer that an earlier step comes to: whether later ones come to another of its kind.

    "60 pens" stands though it is worked out afterwards what they cost. None where it does not.
    """
    own = next((step for step in reversed(steps) if target in worked_out(step)), None)
    kinds = kinds_of(answer, {target}) or (kinds_of(own.said, {target}) if own else None)
    if own is None or not kinds:
        return None
    later = [step for step in steps[own.index :] if step.numbers and not announces_check(step.said)]
    bearing = [_bears(step, kinds, target) for step in later]
    if True in bearing:
        return None
    if None in bearing:
        told = f"Step {own.index} comes to it; the last steps speak of others."
        return _Found(None, 1 / 2, "undetermined", told, (own.index,))
    return _Found(True, 1, "follows", f"Step {own.index} comes to it.", (own.index,))


def _bears(step: ReadStep, kinds: frozenset[str], target: Fraction) -> bool | None:
    """Whether a later step comes to another value for the same; None where that is open."""
    results = set(worked_out(step))
    own = kinds_of(step.said, results)
    goes_on = any(target in one.operands for one in step.computations)
    if own & kinds:
        return True
    if own:
        # pens may go on as "writing tools"; euros are never pens
        return None if goes_on and not is_measured(own | kinds) else False
    return True if results and (goes_on or concludes(step.said)) else None


def _concluding(steps: Sequence[ReadStep]) -> ReadStep | None:
    """The last with numbers; one that only checks them does not conclude."""
    having = [step for step in reversed(steps) if step.numbers]
    return next((step for step in having if not announces_check(step.said)), None) or next(
        iter(having), None
    )


def _has(step: ReadStep, number: Fraction) -> bool:
    """As written, or as a share: 0.4 and 40 %."""
    return not {number, number * 100, number / 100}.isdisjoint(step.numbers)


def _plain_words(text: str) -> list[str]:
    return [word for word in words_of(text) if word.isalpha()]


def _not_derived(
    answer: str,
    steps: Sequence[ReadStep],
    context: Sequence[EvidenceBundle],
    score: float,
) -> str | None:
    """Why an answer that the judge does not see in the steps is not derived from them, if so."""
    numbers = _stated(answer)
    new = [one for one in numbers if not _in_steps(one, steps)]
    elsewhere = Given(tuple(one.content for one in context))
    far = _unreached(answer, steps)
    unknown: list[Value] = [one for one in new if one in far and not elsewhere.has(one)]
    unknown += _dates_from_nowhere(answer, steps, context)
    if unknown:
        return f'No step comes to "{unknown[0].text}".'
    tuned = judge_calibration().reasoning
    is_unlikely = score < tuned.underivable_below and len(new) == len(numbers)
    if is_unlikely and _new_share(answer, steps, context) >= tuned.underivable_share:
        return "No steps were found that say this together."
    return None


def _dates_from_nowhere(
    answer: str, steps: Sequence[ReadStep], context: Sequence[EvidenceBundle]
) -> list[Value]:
    given = Given((*(step.said for step in steps), *(one.content for one in context)))
    dates = [one for one in values_in(answer) if isinstance(one, Period)]
    return [one for one in dates if one.first == one.last and not given.may_give_date(one)]


def _stated(answer: str) -> list[Quantity]:
    """The numbers of an answer that say how much: small counts and ordinals may be anything."""
    found = quantities_in(answer)
    return [one for one in found if not (one.weak or one.ordinal or _counts_few(one))]


def _unreached(answer: str, steps: Sequence[ReadStep]) -> list[Quantity]:
    """Numbers that no step has, and that no single computation with theirs gives: the last one of
    a reasoning is often left to the reader."""
    return out_of_reach(answer, Given(tuple(step.said for step in steps)))


def _counts_few(quantity: Quantity) -> bool:
    return quantity.dimension == "count" and abs(quantity.value) <= _FEW


def _in_steps(quantity: Quantity, steps: Sequence[ReadStep]) -> bool:
    return Given(tuple(step.said for step in steps)).has(quantity)


def _new_share(answer: str, steps: Sequence[ReadStep], context: Sequence[EvidenceBundle]) -> float:
    """Of its words, those that nothing has. What an account tells of, an answer may name without a
    step: that it does is as frequent among sound answers as among others."""
    said = set(content_terms(answer))
    around = Surroundings(tuple(context) if is_account(context) else (), tuple(steps))
    known = around.terms
    return len(said - known) / len(said) if said else 0.0


def _behind(direct: Sequence[int], audits: Sequence[StepAudit]) -> set[int]:
    """Some steps, and all that they rest on."""
    rests = {one.index: one.rests_on for one in audits}
    found: set[int] = set()
    waiting = list(direct)
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            waiting += rests.get(index, ())
    return found
