"""A step of a reasoning, read: what it asserts, what it works out, and which numbers it uses."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache

from groundwire._patterns import lazy_pattern
from groundwire.claims import extract_claims
from groundwire.judge import Evidence
from groundwire.model import Claim, EvidenceBundle, Span
from groundwire.text import content_terms, is_question, sentence_ranges
from groundwire.values import Computation, Given, bindings_in, computations_in, numbers_in

# such as "Step 3: " and "2) "
_LABEL = lazy_pattern(r"\s*(?:step\s+\d+\s*[:.)-]|\d{1,2}[.)](?=\s))\s*", re.IGNORECASE)
_FORMULA = frozenset("=^\\\u2248\u2261\u2264\u2265<>{}|_")
"""Signs of formulas, which only arithmetic can check."""
_EVERYDAY = frozenset(map(Fraction, (*range(13), 24, 30, 31, 52, 60, 90, 100, 180, 360, 365, 1000)))
"""Numbers that a computation may use without anybody having given them."""


def document_of(index: int) -> str:
    """What a step is called where it is evidence."""
    return f"step {index}"


@dataclass(frozen=True)
class StepClaim:
    """One assertion of a step, and what is worked out in it."""

    claim: Claim
    computations: tuple[Computation, ...]

    @property
    def is_formula(self) -> bool:
        return not _FORMULA.isdisjoint(self.claim.content)


@dataclass(frozen=True)
class ReadStep:
    """A step with its number, counted from 1. `known` is what letters stood for before it."""

    index: int
    text: str
    known: Mapping[str, Fraction]

    @property
    def document(self) -> str:
        return document_of(self.index)

    @cached_property
    def said(self) -> str:
        """Without the label before it."""
        label = _LABEL.match(self.text)
        return self.text[label.end() :] if label else self.text

    @cached_property
    def computations(self) -> tuple[Computation, ...]:
        return tuple(computations_in(self.said, self.known))

    @cached_property
    def claims(self) -> tuple[StepClaim, ...]:
        """What it asserts; arithmetic that stands in no assertion is one of its own."""
        found = [
            StepClaim(one, self._within(one.source)) for one in extract_claims(self.said).claims
        ]
        covered = {one for claim in found for one in claim.computations}
        loose = [one for one in self.computations if one not in covered]
        return (*found, *(StepClaim(_as_claim(one), (one,)) for one in loose))

    def _within(self, place: Span) -> tuple[Computation, ...]:
        return tuple(
            one for one in self.computations if place.start <= one.start < max(place.end, 1)
        )

    @cached_property
    def numbers(self) -> frozenset[Fraction]:
        found = [one for one in self.computations if not (one.is_span or one.is_comparison)]
        return frozenset(numbers_in(self.said)) | {one.result for one in found}

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(content_terms(self.said))

    @property
    def sentences(self) -> tuple[str, ...]:
        return _sentences(self.said)

    def before(self, claim: Claim) -> str:
        """What the step itself says before one of its claims."""
        return self.said[: claim.source.start].rstrip()

    def sentence_of(self, claim: Claim) -> str:
        """The sentence that a claim was taken from."""
        place = claim.source.start
        ranges = [one for one in sentence_ranges(self.said) if one[0] <= place < one[1]]
        return self.said[slice(*ranges[0])] if ranges else claim.content


def _as_claim(computation: Computation) -> Claim:
    return Claim(
        content=computation.text, source=Span(start=computation.start, end=computation.end)
    )


def read_steps(texts: Sequence[str]) -> list[ReadStep]:
    known: dict[str, Fraction] = {}
    steps = []
    for index, text in enumerate(texts, start=1):
        step = ReadStep(index, text, dict(known))
        known.update(bindings_in(step.said, known))
        steps.append(step)
    return steps


@dataclass(frozen=True)
class Surroundings:
    """What a step may rest on: the context, and the steps before it."""

    context: tuple[EvidenceBundle, ...]
    steps: tuple[ReadStep, ...]

    @cached_property
    def _context_numbers(self) -> frozenset[Fraction]:
        return frozenset(n for bundle in self.context for n in numbers_in(bundle.content))

    @cached_property
    def terms(self) -> frozenset[str]:
        given = {term for one in self.context for term in content_terms(one.content)}
        return frozenset(given).union(*(step.terms for step in self.steps))

    @cached_property
    def is_account(self) -> bool:
        return is_account(self.context)

    @property
    def account(self) -> Evidence:
        """The context, cut into what it says."""
        return _account(self.context)

    def origin_of(self, number: Fraction) -> int | None:
        """0: the context, or nobody needs to give it; else the last step that has it."""
        if abs(number) in _EVERYDAY or number in self._context_numbers:
            return 0
        having = [step.index for step in self.steps if number in step.numbers]
        return max(having, default=None)

    def first_given_by(self, step: ReadStep) -> frozenset[int]:
        """The steps that are the first to have a number of another: it got it from them."""
        own = {one.result for one in step.computations}
        taken = step.numbers - own - self._context_numbers - _EVERYDAY
        first: dict[Fraction, int] = {}
        for earlier in self.steps:
            for number in taken & earlier.numbers:
                first.setdefault(number, earlier.index)
        return frozenset(first.values())

    @cached_property
    def given_by_context(self) -> Given:
        """The numbers that no step has worked out."""
        return Given(tuple(text for one in self.context for text in _sentences(one.content)))

    def given(self, own: str) -> Given:
        """All numbers there are, with those of what the step itself has said so far."""
        return Given(self.sentences(own))

    def sentences(self, own: str) -> tuple[str, ...]:
        """Of the context, the steps, and what the step itself has said so far."""
        given = [text for one in self.context for text in _sentences(one.content)]
        return (*given, *(step.said for step in self.steps), own)

    def bundles(self, own: str, document: str) -> list[EvidenceBundle]:
        """As evidence, with what the step itself has said so far."""
        earlier = [EvidenceBundle.of(step.said, step.document) for step in self.steps]
        mine = [EvidenceBundle.of(own, document)] if own.strip() else []
        return [*self.context, *earlier, *mine]


def is_account(context: Iterable[EvidenceBundle]) -> bool:
    """Whether a context tells how things are, rather than setting a problem."""
    said = [text for one in context for text in _sentences(one.content)]
    return bool(said) and not any(map(is_question, said))


@lru_cache(8)
def _account(context: tuple[EvidenceBundle, ...]) -> Evidence:
    return Evidence(context)


@cache
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_ranges(text))


def step_numbers(documents: Iterable[str]) -> tuple[int, ...]:
    """The steps among some documents."""
    numbers = {one.removeprefix("step ") for one in documents if one.startswith("step ")}
    return tuple(sorted(int(one) for one in numbers if one.isdecimal()))
