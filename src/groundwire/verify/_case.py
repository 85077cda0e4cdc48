"""What is asked about a claim and what was answered, filled in step by step."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from groundwire.encoder import judge_calibration
from groundwire.judge import (
    Estimate,
    Evidence,
    Judged,
    Question,
    scrubbed_context,
    supporting,
    turned,
)
from groundwire.model import Check, Claim, Quote, Reason
from groundwire.text import (
    content_terms,
    is_meant,
    is_negation,
    is_ticked,
    names_only,
    parts_of,
    record_label,
    same_mode,
    words_of,
)
from groundwire.values import Period, Quantity, Value, same_value, spelled_as_in, values_in
from groundwire.verify._decide import Rules, supports

_CANDIDATES = 4
"""So many sentences are tried as the one that shows a verdict."""

_SAYS_ENOUGH = 3
"""A claim of fewer words that mean something is not grounded in wholly other words."""

Places = tuple[int, ...]
_MEASURES = (Quantity, Period)


class Foreign(NamedTuple):
    """A language the judge does not cover, and what is written in it."""

    language: str
    part: Literal["text", "evidence"]


@dataclass
class Case:
    """A claim, the contexts it is judged by, and of these the one that decides."""

    claim: Claim
    evidence: Evidence
    context_words: int
    scope: Collection[int] | None
    """The sentences it may be judged by: those of the documents it cites, or None for all."""
    cannot_judge: Reason | None = None
    foreign: Foreign | None = None
    """What the judge does not cover, where that is why it cannot judge."""
    miscited: bool = False
    checks: tuple[Check, ...] = ()
    p1: Judged | None = None
    p0: Judged | None = None
    quoted: Places = ()
    """The fewest sentences that give the verdict by themselves."""
    is_withheld: bool = False
    """Whether what would show it leaves it open: a plan, a wish, a rumour."""
    contexts: list[Places] = field(init=False)
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.contexts = self.evidence.contexts(self.claim.content, self.context_words, self.scope)
        self.places = self.contexts[0]
        if self.operands:
            self.contexts.append(self.evidence.with_references(self.operands))

    def widened(self) -> "Case":
        """The same claim, judged by all of the evidence and not only by what it cites."""
        return Case(self.claim, self.evidence, self.context_words, scope=None)

    def adopt(self, widened: "Case") -> None:
        """Take over what other documents than the cited ones gave."""
        self.contexts, self.places = widened.contexts, widened.places
        self.p1, self.p0, self.quoted = widened.p1, widened.p0, widened.quoted
        self.miscited = True

    @property
    def stated(self) -> str:
        """What is judged: the claim, after the sentence that a pronoun in it may refer to."""
        return f"{self.claim.preceding} {self.claim.content}".strip()

    def questions(self, places: Places, above: str = "") -> list[Question]:
        """Equal values are written alike, as the source has them and as the claim does: no judge
        has to know that 725 mV are 0.725 V, and which of the two it reads better is its own."""
        contexts = [
            self.evidence.glossed(self.claim.content, places, only_worked_out=is_source).text
            for is_source in (True, False)
        ]
        return [
            Question(
                claim=spelled_as_in(self.stated, context), context=f"{above}\n{context}".strip()
            )
            for context in dict.fromkeys(contexts)
        ]

    def question_without_support(self) -> Question:
        removed = supporting(self.evidence, self.claim.content, self.places)
        context = scrubbed_context(self.evidence, self.places, removed)
        shown = self.evidence.glossed(self.claim.content, self.places).text
        return Question(claim=spelled_as_in(self.stated, shown), context=context)

    def questions_alone(self, places: Places) -> list[Question]:
        """Some sentences by themselves, with what they refer to and under what they stand."""
        shown = self.evidence.with_references(places)
        return self.questions(shown, self.evidence.headed(places))

    def is_header(self, places: Places) -> bool:
        """Whether all there is to quote are titles, headings and names of columns."""
        return all(map(self.evidence.is_heading, places))

    def questions_of_quotes(self) -> list[Question]:
        """Each quoted sentence, as a person reads it, for whether it states or supposes. The
        cells of a table state, as ticked tasks, lines of a record and bare names do, and what a
        claim puts in the same way it may."""
        claim = self.claim.content
        if self.confirmation is not None:
            said = [one.quote for one in self.quotes() if "|" not in one.quote]
        else:
            sentences = [self.evidence.sentences[place] for place in self.quoted]
            said = [one.stated for one in sentences if not one.read_as.block.cells]
        is_record = not is_meant(self.evidence.headed(self.quoted))
        return [
            Question(claim=claim, context=one)
            for one in said
            if not (is_ticked(one) or same_mode(claim, one))
            and not (is_record and (_gives_value(one) or names_only(one)))
        ]

    def opposites(self) -> list[Question]:
        """What is quoted, held against the opposite of a claim that compares numbers of it."""
        opposite = turned(self.claim.content)
        if opposite is None or not self.compares_numbers(self.quoted):
            return []
        said = f"{self.claim.preceding} {opposite}".strip()
        asked = self.questions_alone(self.quoted)[:1]
        return [one.model_copy(update={"claim": said}) for one in asked]

    def rivals(self) -> list[tuple[Question, Check]]:
        """The claim with a value of one sentence in place of its own, and what follows for the
        claim if that sentence bears it."""
        found = []
        for said, place, check in self.evidence.rivals(self.claim.content, self.candidates()):
            shown = self.evidence.with_references((place,))
            context = f"{self.evidence.headed((place,))}\n{self.evidence.text(shown)}".strip()
            stated = f"{self.claim.preceding} {said}".strip()
            found.append((Question(claim=stated, context=context), check))
        return found

    def drop_confirmation(self) -> None:
        """What has the claim's values leaves open whether it is so."""
        self.is_withheld = True
        self.checks = tuple(one.model_copy(update={"is_whole": False}) for one in self.checks)

    def take(self, answers: Sequence[Judged], rules: Rules) -> bool:
        """Of the contexts the one that says most decides; whether that is another than thought."""
        judged = list(zip(self.contexts, answers, strict=True))
        given = [one for one in judged if isinstance(one[1].answer, Estimate)]
        places, self.p1 = max(given or judged, key=lambda one: _weight(one[1], rules))
        changed = places != self.places
        self.places = places
        return changed

    def candidates(self) -> list[int]:
        """The sentences of the context that share most with the claim."""
        near = self.evidence.matches(self.claim.content, self.places)
        ranked = sorted(near, key=lambda place: (-sum(near[place].values()), place))
        return (ranked or list(self.places))[:_CANDIDATES]

    def of_each_part(self, count: int) -> Places:
        """Of a claim that says several things, the sentences that have most of each."""
        parts = parts_of(self.claim.content)
        return self._having(parts, count) if parts[1:] else ()

    def after(self, place: int) -> Places:
        """A sentence with those that have most of what was said before the claim: it is judged
        together with that where nothing tells what its pronoun stands for."""
        before = parts_of(self.claim.preceding) if self.claim.preceding else ()
        return tuple(sorted({place, *self._having(before, 1)}))

    def _having(self, parts: Sequence[str], count: int) -> Places:
        near = [self.evidence.matches(part, self.places) for part in parts]
        ranked = [sorted(one, key=lambda at: (-sum(one[at].values()), at)) for one in near]
        return tuple(sorted({at for one in ranked for at in one[:count]}))

    @property
    def operands(self) -> Places:
        """The sentences that a value of the claim was worked out from."""
        return self.evidence.glossed(self.claim.content, self.places).operands

    def speaks_of_it(self, place: int) -> bool:
        """Whether a sentence has enough of the claim's words to be about the same thing."""
        terms = set(content_terms(self.claim.content))
        said = {
            term
            for near in self.evidence.with_references((place,))
            for term in content_terms(self.evidence.sentences[near].shown)
        }
        least = judge_calibration().narrowing.opposing_coverage
        return bool(terms) and len(terms & said) >= least * len(terms)

    @property
    def _measures(self) -> list[Value]:
        return [one for one in values_in(self.claim.content) if isinstance(one, _MEASURES)]

    @property
    def _amounts(self) -> list[Value]:
        return [one for one in self._measures if isinstance(one, Quantity)]

    def shares_words(self, places: Places) -> bool:
        """Whether sentences have a word of the claim; where none has, it must say enough to be told
        again in other words: "I looked into it" is borne out by anything."""
        near = self.evidence.matches(self.claim.content)
        if not near:
            return len(set(content_terms(self.claim.content))) >= _SAYS_ENOUGH
        return not near.keys().isdisjoint(places)

    def is_of_another(self, places: Places) -> bool:
        """Whether sentences that seem to oppose a claim have all of its values: "Tank A: 26 °C. The
        gauge of tank B holds nothing." does not deny 26 °C of tank B. One that denies may."""
        text = self.evidence.text(places)
        claimed = self._measures if places[1:] else self._amounts
        if not claimed or (not places[1:] and any(map(is_negation, words_of(text)))):
            return False
        said = values_in(text)
        return all(any(same_value(one, other) for other in said) for one in claimed)

    def compares_numbers(self, places: Places) -> bool:
        """Which of two numbers is larger the value tier says, or nobody: "faster than" of 6 s."""
        said = values_in(self.evidence.text(places))
        is_told = any(one.kind == "number" and one.claimed.isalpha() for one in self.checks)
        return (
            self._has_comparison and not is_told and any(isinstance(one, _MEASURES) for one in said)
        )

    @property
    def _has_comparison(self) -> bool:
        """ "no more than twelve" is a limit, and a value by itself."""
        limits = [word for one in self._amounts for word in words_of(one.text)]
        return words_of(self.claim.content).count("than") > limits.count("than")

    @property
    def estimate(self) -> Estimate | None:
        return estimate_of(self.p1)

    @property
    def contradiction(self) -> Check | None:
        """A value of the claim that the evidence has otherwise."""
        return next((one for one in self.checks if one.relation == "contradicted"), None)

    @property
    def confirmation(self) -> Check | None:
        """A value that the evidence has in the same place, and with it the whole claim."""
        return next((one for one in self.checks if one.is_whole), None)

    def quotes(self) -> tuple[Quote, ...]:
        by_value = self.contradiction or self.confirmation
        if by_value is not None:
            return (by_value.quote, *by_value.also)
        return self.evidence.quotes(self.quoted)

    @property
    def nearest(self) -> int | None:
        return self.evidence.nearest(self.claim.content, self.scope)

    @property
    def is_only_supposed(self) -> bool:
        """Whether what comes nearest to the claim is asked, planned or supposed."""
        nearest = self.nearest
        return self.is_withheld or (
            nearest is not None
            and nearest not in self.places
            and bool(self.evidence.sentences[nearest].read_as.held_back)
        )


def _gives_value(sentence: str) -> bool:
    """ "Passed: 139", "Flash for logging: 512 KiB, soldered."."""
    after = len(record_label(sentence)) + 1
    values = [one for one in values_in(sentence) if isinstance(one, _MEASURES)]
    return after > 1 and any(
        one.start >= after and not sentence[after : one.start].strip() for one in values
    )


def _weight(judged: Judged, rules: Rules) -> tuple[bool, float]:
    answer = judged.answer
    if not isinstance(answer, Estimate):
        return False, 0.0
    if supports(answer, rules):
        return True, answer.p
    return False, answer.p if answer.refute is None else answer.refute


def surest(answers: Sequence[Judged]) -> Judged:
    """Of one question in several spellings the answer that sees most support."""
    given = [one for one in answers if isinstance(one.answer, Estimate)]
    return max(given, key=lambda one: float(one.answer), default=answers[0])  # type: ignore[arg-type]


def estimate_of(judged: Judged | None) -> Estimate | None:
    return judged.answer if judged and isinstance(judged.answer, Estimate) else None


def cited_scope(claim: Claim, evidence: Evidence) -> Collection[int] | None:
    doc_ids = {one.doc_id for one in claim.citations if one.doc_id is not None}
    places = evidence.places_of(doc_ids) if doc_ids else frozenset()
    return places or None
