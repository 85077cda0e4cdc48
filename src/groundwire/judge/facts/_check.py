"""The deterministic tier: which of a claim's values the evidence confirms or contradicts.

It needs no model. A contradicted value outranks any model, so it speaks only when it is sure:
the evidence has a sentence that says the same in the same words but for this value, no sentence
may be stating the value, and it cannot have been worked out from other values.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from groundwire.judge.facts._accuse import Accuser, Rival
from groundwire.judge.facts._relation import confirmed_by
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.model import CheckKind, Model, Span
from groundwire.values import Name, Period, Quantity, Value

_Relation = Literal["confirmed", "contradicted"]


class Finding(Model):
    """What the evidence says about one value of a claim."""

    kind: CheckKind
    claimed: str
    relation: _Relation
    found: str
    sentence: int
    """The index of the sentence among those given."""
    span: Span
    """Where in that sentence `found` stands."""


def check_values(claim: str, sentences: Sequence[str]) -> list[Finding]:
    """What the sentences say about the values of a claim."""
    return EvidenceValues.of(sentences).check(claim)


@dataclass(frozen=True, slots=True)
class EvidenceValues:
    """The values of some evidence, read once to check many claims against."""

    _evidence: IndexedEvidence

    @classmethod
    def of(cls, sentences: Sequence[str]) -> Self:
        return cls(IndexedEvidence.of(sentences))

    def check(self, claim: str, places: Sequence[int] | None = None) -> list[Finding]:
        """One finding at most for each value of the claim; silence where nothing is certain.

        Findings come from the sentences at `places` only, where given; what clears a claim may
        stand anywhere.
        """
        asked = Sentence(claim)
        order = self._order(asked, places)
        accuser = Accuser(asked, self._evidence, sorted(order))
        findings = []
        for index, value in asked.values:
            findings.append(
                _finding(value, "contradicted", accuser.word_by_word(index))
                or self._confirmed(value, order)
                or _finding(value, "contradicted", accuser.against(index))
            )
        for index, name in asked.named:
            findings.append(
                self._confirmed_name(asked, index, name, order)
                or _finding(name, "contradicted", accuser.against_name(index))
            )
        return [finding for finding in findings if finding is not None]

    def _order(self, claim: Sentence, places: Sequence[int] | None) -> list[int]:
        """The places to look at, those with most of the claim's words first."""
        shared = self._evidence.shared_words(claim)
        everywhere = range(len(self._evidence.sentences))
        asked = everywhere if places is None else [p for p in set(places) if p in everywhere]
        related = [place for place in asked if place in shared or not claim.stems]
        return sorted(related, key=lambda place: (-shared[place], place))

    def _confirmed(self, value: Value, order: Sequence[int]) -> Finding | None:
        for place in order:
            for _, found in self._evidence.sentences[place].values:
                if confirmed_by(value, found):
                    return _finding(value, "confirmed", Rival(0, place, found))
        return None

    def _confirmed_name(
        self, claim: Sentence, index: int, name: Name, order: Sequence[int]
    ) -> Finding | None:
        if _may_be_a_word(claim, index, name):
            return None
        looked_at = set(order)
        for place, found in self._evidence.names.get(name.words, ()):
            if place in looked_at:
                return _finding(name, "confirmed", Rival(0, place, found))
        return None


def _may_be_a_word(claim: Sentence, index: int, name: Name) -> bool:
    """A capital at the head of a sentence proves no name."""
    return claim.slot(index).opens and len(name.words) == 1 and not name.text.isupper()


def _finding(value: Value, relation: _Relation, rival: Rival | None) -> Finding | None:
    if rival is None:
        return None
    return Finding(
        kind=_kind(value),
        claimed=value.text,
        relation=relation,
        found=rival.found.text,
        sentence=rival.place,
        span=Span(start=rival.found.start, end=rival.found.end),
    )


def _kind(value: Value) -> CheckKind:
    if isinstance(value, Quantity):
        return "number"
    if isinstance(value, Period):
        return "date"
    return "name" if isinstance(value, Name) else "identifier"
