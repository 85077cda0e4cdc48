"""The deterministic tier: which of a claim's values the evidence confirms or contradicts.

It needs no model. A contradicted value outranks any model, so it speaks only when it is sure:
the evidence has a sentence that says the same in the same words but for this value, no sentence
may be stating the value, and it cannot have been worked out from other values.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from groundwire.judge.facts._accuse import Accuser, Rival
from groundwire.judge.facts._align import answers
from groundwire.judge.facts._arithmetic import Arithmetic, Derivation
from groundwire.judge.facts._compare import compared
from groundwire.judge.facts._comparison import comparison_of
from groundwire.judge.facts._derive import is_within_reach, may_be_derived, may_state
from groundwire.judge.facts._gloss import Gloss, gloss_of, spelled
from groundwire.judge.facts._other_name import is_of_another_name
from groundwire.judge.facts._place import Place, keeps_mode, place_of
from groundwire.judge.facts._relation import confirmed_by
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._tables import CellFinding, Cells, Tables
from groundwire.judge.facts._terms import Asked
from groundwire.model import CheckKind, Model, Span
from groundwire.text import stem, word_set
from groundwire.values import Name, Period, Quantity, Value

_WHEN = word_set("at after before until by")
_PARTS = word_set("first second last other latter and")
_FEW = 12
_FAR = 4
_SHORT = 64
"""So many sentences are looked through for things to compare."""
_MOST_SHOWN = 3
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
    also: tuple[int, ...] = ()
    """Further sentences it rests on, two at most: those a sum or a difference was taken from."""
    is_whole: bool = False
    """Whether a confirmation carries the whole claim, not only this value of it.

    True where every content word of the claim stands in the sentence, in the part that belongs to
    the value (one predicate may be told in two words: "costs" and "is priced at"); every other
    value of the claim is confirmed there; both deny or both assert, with the same modal verbs; the
    sentence sets no condition and names no owner that the claim leaves out; and the order of the
    words is the same where it tells who does what to whom. Then the claim differs from the
    sentence in function words and in the form of its values alone, and may be grounded by it.
    A claim of names alone is never whole: it has no value to be equal.
    """


def check_values(claim: str, sentences: Sequence[str]) -> list[Finding]:
    """What the sentences say about the values of a claim."""
    return EvidenceValues.of(sentences).check(claim)


@dataclass(frozen=True, slots=True)
class EvidenceValues:
    """The values of some evidence, read once to check many claims against."""

    _evidence: IndexedEvidence
    _tables: Tables

    @classmethod
    def of(
        cls,
        sentences: Sequence[str],
        documents: Sequence[int] = (),
        cells: Mapping[int, Cells] | None = None,
        headings: Mapping[int, str] | None = None,
    ) -> Self:
        """With the number of each sentence's document, of rows written out their cells, and what
        heads a sentence."""
        rows = cells or {}
        evidence = IndexedEvidence.of(sentences, documents, rows, headings)
        return cls(evidence, Tables(rows, documents))

    def check(self, claim: str, places: Sequence[int] | None = None) -> list[Finding]:
        """One finding at most for each value of the claim; silence where nothing is certain.

        Findings come from the sentences at `places` only, where given; what clears a claim may
        stand anywhere.
        """
        asked = Sentence(claim)
        order = self._order(asked, places)
        accuser = Accuser(asked, self._evidence, sorted(order))
        allowed = range(len(self._evidence.sentences)) if places is None else frozenset(places)
        arithmetic = Arithmetic(asked, self._evidence, order, allowed)
        findings: list[Finding | None] = []
        for index, value in asked.values:
            findings.append(
                _finding(value, "contradicted", accuser.word_by_word(index))
                or _finding(value, "contradicted", accuser.in_its_part(index))
                or self._in_a_cell(asked, index, allowed)
                or self._in_a_column(asked, index, allowed)
                or self._confirmed(asked, index, order)
                or _worked_out(value, "confirmed", arithmetic.confirmed(index))
                or _finding(value, "contradicted", accuser.against(index))
                or _worked_out(value, "contradicted", arithmetic.contradicted(index))
            )
        findings = _whole_together(asked, findings)
        findings.append(_multiple(asked, arithmetic.multiple()))
        findings.append(self._compared(asked, self._listing(order, allowed), findings))
        for index, name in asked.named:
            findings.append(
                self._confirmed_name(asked, index, name, order)
                or _finding(name, "contradicted", accuser.against_name(index))
            )
        return [finding for finding in findings if finding is not None]

    def _listing(self, order: Sequence[int], allowed: Collection[int]) -> Sequence[int]:
        """Where things may be compared: days are no words that sentences could share."""
        return sorted(allowed) if len(allowed) <= _SHORT else order[:_SHORT]

    def _compared(
        self, claim: Sentence, order: Sequence[int], known: Sequence[Finding | None]
    ) -> Finding | None:
        """What two values say of a comparison, where they are said of just what it compares."""
        asked, found = comparison_of(claim), compared(claim, self._evidence, order)
        if asked is None or found is None or not found.is_told or not self._evidence.is_whole:
            return None
        places = dict.fromkeys((found.first.place, found.other.place))
        word = asked.word if asked.by is None else asked.by.text
        is_known = any(one is not None and one.claimed == word for one in known)
        if is_known or not self._evidence.is_one_document(places):
            return None
        sentences = [self._evidence.sentences[place] for place in places]
        value = found.first.term.value
        return Finding(
            kind="number",
            claimed=word,
            relation="confirmed" if found.is_so else "contradicted",
            found=value.text,
            sentence=found.first.place,
            span=Span(start=value.start, end=value.end),
            also=tuple(places)[1:],
            is_whole=found.is_so and keeps_mode(claim, sentences),
        )

    def glosses(self, claim: str, places: Sequence[int]) -> list[Gloss]:
        """What of a claim's values some sentences say otherwise, or give by arithmetic."""
        asked = Sentence(claim)
        order = self._order(asked, places) if asked.values else []
        sentences = self._evidence.sentences
        arithmetic = Arithmetic(asked, self._evidence, order, frozenset(places))
        found = []
        for index, value in asked.values:
            if not any(value.text in sentences[place].text for place in places):
                found.append(
                    spelled(asked, index, order, sentences)
                    or gloss_of(asked, index, arithmetic.likely(index))
                )
        return [gloss for gloss in found if gloss is not None]

    def rivals(self, claim: str, places: Sequence[int]) -> list[tuple[str, Finding]]:
        """What stands in place of a claim's value, if it is said of the same thing: the claim with
        that value, which a judge can be asked for, and what is then found of the claim's."""
        asked = Sentence(claim)
        words = [stem(word) for _, name in asked.named for word in name.words[1:]]
        if is_of_another_name(asked, self._evidence) or not all(map(self._evidence.knows, words)):
            return []
        accuser = Accuser(asked, self._evidence, places)
        found = []
        for index, value in asked.values:
            for place in places:
                rival = accuser.rival_in(index, place)
                accused = _finding(value, "contradicted", rival)
                if rival is not None and accused is not None:
                    said = f"{claim[: value.start]}{rival.found.text}{claim[value.end :]}"
                    found.append((said, accused))
        return found

    def stating(self, claim: str, places: Sequence[int]) -> tuple[int, ...]:
        """Of each value of a claim the sentence that is nearest to it and may state it."""
        asked = Sentence(claim)
        order = [*self._order(asked, places), *places]
        sentences = self._evidence.sentences
        nearest = (
            next((place for place in order if may_state(value, sentences[place])), None)
            for _, value in asked.values
        )
        return tuple(sorted({place for place in nearest if place is not None}))

    def differs(self, claim: str, places: Sequence[int]) -> bool:
        """Whether some sentences have another value where the claim has one that nothing says,
        or are of another thing of the same kind: another row, another name."""
        asked = Sentence(claim)
        arithmetic = Arithmetic(asked, self._evidence, places, frozenset(places))
        order = compared(asked, self._evidence, places)
        if arithmetic.is_other_multiple() or (order is not None and not order.is_so):
            return True
        if any(self._tables.names_another(asked, place) for place in places):
            return True
        if is_of_another_name(asked, self._evidence):
            return True
        totals = [self._tables.total(asked, i, self._evidence.sentences) for i, _ in asked.values]
        if any(one is not None for one in totals):
            return not all(one is None or one.is_so for one in totals)
        if any(self._is_unsaid(asked, index, arithmetic) for index, _ in asked.values):
            return True
        shown = [self._evidence.sentences[place] for place in places]
        return any(
            not any(may_state(value, one, in_any_unit=False) for one in self._may_say(value, shown))
            and arithmetic.likely(index) is None
            and (
                (value.dimension != "count" and not may_be_derived(value, shown))
                or self._is_other_count(asked, index, value, places)
                or arithmetic.is_otherwise(index)
            )
            for index, value in asked.values
            if isinstance(value, Quantity) and _measures(asked, index, value)
        )

    def _is_unsaid(self, claim: Sentence, index: int, arithmetic: Arithmetic) -> bool:
        """Whether a claim has a time or a day that nothing in the evidence says or gives."""
        value = claim.value(index)
        is_moment = (
            isinstance(value, Period)
            and value.frame != "weekday"
            and all(one == two for one, two in value.readings)
        )
        said = is_moment and any(may_state(value, one) for one in self._evidence.sentences)
        return is_moment and not said and arithmetic.likely(index) is None

    def _is_other_count(
        self, claim: Sentence, index: int, value: Quantity, places: Sequence[int]
    ) -> bool:
        """Whether sentences have another number in its place, or none that may give it."""
        if value.dimension != "count":
            return False
        near = [one for place in places for one in self._evidence.around(place)]
        far = [one for place in places for one in self._evidence.around(place, _FAR)]
        if may_be_derived(value, near):
            return False
        answered = any(_answered(claim, index, self._evidence.sentences[p]) for p in places)
        return answered or (_says_how_much(value) and not is_within_reach(value, far))

    def _may_say(self, value: Quantity, shown: Sequence[Sentence]) -> Sequence[Sentence]:
        """Where a value may stand: a number may be the name of a thing, which stands anywhere."""
        return self._evidence.sentences if value.dimension == "count" else shown

    def _in_a_cell(self, claim: Sentence, index: int, allowed: Collection[int]) -> Finding | None:
        found = self._tables.finding(claim, index, self._evidence.sentences)
        return None if found is None else self._of_cells(claim, index, found, allowed)

    def _in_a_column(self, claim: Sentence, index: int, allowed: Collection[int]) -> Finding | None:
        """The sum of a column, where its rows can all be shown and the names are known."""
        found = self._tables.total(claim, index, self._evidence.sentences)
        names = [
            stem(word)
            for i, name in claim.named
            if not _may_be_a_word(claim, i, name)
            for word in name.words
        ]
        if found is None or len(found.also) >= _MOST_SHOWN or claim.opens_with_pronoun:
            return None
        if not all(map(self._evidence.knows, names)):
            return None
        return self._of_cells(claim, index, found, allowed)

    def _of_cells(
        self, claim: Sentence, index: int, found: CellFinding, allowed: Collection[int]
    ) -> Finding | None:
        if not {found.place, *found.also}.issubset(allowed):
            return None
        start = self._evidence.sentences[found.place].text.find(found.text)
        return Finding(
            kind="number",
            claimed=claim.value(index).text,
            relation="confirmed" if found.is_so else "contradicted",
            found=found.text,
            sentence=found.place,
            span=Span(start=start, end=start + len(found.text)),
            also=found.also,
            is_whole=found.is_whole,
        )

    def _order(self, claim: Sentence, places: Sequence[int] | None) -> list[int]:
        """The places to look at, those with most of the claim's words first."""
        shared = self._evidence.shared_words(claim)
        everywhere = range(len(self._evidence.sentences))
        asked = everywhere if places is None else [p for p in set(places) if p in everywhere]
        related = [place for place in asked if place in shared or not claim.stems]
        return sorted(related, key=lambda place: (-shared[place], place))

    def _confirmed(self, claim: Sentence, index: int, order: Sequence[int]) -> Finding | None:
        """The equal value that stands in the same place, the surest first."""
        value = claim.value(index)
        best = Place.OTHER
        chosen: Rival | None = None
        for place in order:
            sentence = self._evidence.sentences[place]
            for found, other in sentence.values:
                if confirmed_by(value, other):
                    sure = place_of(claim, index, sentence, found)
                    if sure > best:
                        best, chosen = sure, Rival(0, place, other)
        return _finding(value, "confirmed", chosen, is_whole=best is Place.WHOLE)

    def _confirmed_name(
        self, claim: Sentence, index: int, name: Name, order: Sequence[int]
    ) -> Finding | None:
        if _may_be_a_word(claim, index, name):
            return None
        having = {place for place, _ in self._evidence.names.get(name.words, ())}
        for place in order:
            sentence = self._evidence.sentences[place]
            for found, other in sentence.named if place in having else ():
                is_it = other.words == name.words
                if is_it and place_of(claim, index, sentence, found) > Place.OTHER:
                    return _finding(name, "confirmed", Rival(0, place, other))
        return None


def _whole_together(claim: Sentence, found: list[Finding | None]) -> list[Finding | None]:
    """One value carries the claim only where no quantity of it stands elsewhere: the "p95" of
    "The p95 of A was 84 ms, that of B 61 ms" does not make 61 ms A's."""
    quantities = [
        finding
        for (_, value), finding in zip(claim.values, found, strict=True)
        if isinstance(value, Quantity) and not value.weak and not value.ordinal
    ]
    if all(one is not None and one.is_whole for one in quantities):
        return found
    return [one and one.model_copy(update={"is_whole": False}) for one in found]


def _measures(claim: Sentence, index: int, value: Quantity) -> bool:
    """Whether it says how much: "a third of the rooms" does, "the first half of May" does not."""
    slot = claim.slot(index)
    is_share = value.dimension == "ratio" and not value.bounded and slot.after[:1] == ("of",)
    is_weak = value.weak and not (is_share and _PARTS.isdisjoint(slot.before[:1]))
    return not is_weak and not _says_when(claim, index)


def _says_when(claim: Sentence, index: int) -> bool:
    """ "at 15 days": a time at which something else was so."""
    is_time = getattr(claim.value(index), "dimension", "") == "time"
    return is_time and not _WHEN.isdisjoint(claim.slot(index).before[:1])


def _says_how_much(value: Quantity) -> bool:
    """Whether it is no small count, which may be of what a text only lists, and no limit."""
    is_small = value.dimension == "count" and abs(value.value) <= _FEW
    return not (is_small or value.bounded or value.about or value.ordinal)


def _answered(claim: Sentence, index: int, sentence: Sentence) -> bool:
    return any(answers(claim, index, sentence, place) for place, _ in sentence.values)


def _may_be_a_word(claim: Sentence, index: int, name: Name) -> bool:
    """A capital at the head of a sentence proves no name."""
    return claim.slot(index).opens and len(name.words) == 1 and not name.text.isupper()


def _finding(
    value: Value, relation: _Relation, rival: Rival | None, *, is_whole: bool = False
) -> Finding | None:
    if rival is None:
        return None
    return Finding(
        kind=_kind(value),
        claimed=value.text,
        relation=relation,
        found=rival.found.text,
        sentence=rival.place,
        span=Span(start=rival.found.start, end=rival.found.end),
        is_whole=is_whole,
    )


def _worked_out(value: Value, relation: _Relation, found: Derivation | None) -> Finding | None:
    if found is None:
        return None
    operand = found.result.operands[0]
    return Finding(
        kind=_kind(value),
        claimed=value.text,
        relation=relation,
        found=operand.value.text,
        sentence=operand.place,
        span=Span(start=operand.value.start, end=operand.value.end),
        also=found.places[1:],
        is_whole=found.is_whole and relation == "confirmed",
    )


def _multiple(claim: Sentence, found: tuple[bool, Derivation] | None) -> Finding | None:
    """ "doubled", of two values."""
    word = Asked(claim, -1).times
    if found is None or word is None:
        return None
    is_so, derivation = found
    old, new = derivation.result.operands
    return Finding(
        kind="number",
        claimed=word[0],
        relation="confirmed" if is_so else "contradicted",
        found=new.value.text,
        sentence=new.place,
        span=Span(start=new.value.start, end=new.value.end),
        also=(old.place,) if old.place != new.place else (),
        is_whole=is_so and derivation.is_whole,
    )


def _kind(value: Value) -> CheckKind:
    if isinstance(value, Quantity):
        return "number"
    if isinstance(value, Period):
        return "date"
    return "name" if isinstance(value, Name) else "identifier"
