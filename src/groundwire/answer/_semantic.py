"""Questions answered by what documents say: the sentences that answer, quoted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from groundwire._patterns import lazy_pattern
from groundwire.answer._answerable import Answerability, Judged, Quoted
from groundwire.answer._choose import (
    ASKS_WHY,
    DECIDING,
    EXPLAINING,
    Chosen,
    Scored,
    Sentence,
    choose,
    joined,
    sentences,
    top,
    with_announced,
    with_paragraph,
)
from groundwire.answer._kinds import answers_in_kind, fates_in, lacks_entity
from groundwire.answer._library import (
    NOT_IN_FORCE,
    Finding,
    Library,
    cited,
    document_name,
    notes,
    with_markers,
)
from groundwire.answer._parts import Aspect, all_sentences, fate_quote, section_quotes
from groundwire.answer._route import Plan
from groundwire.config import AnswerSection
from groundwire.encoder import reader_calibration
from groundwire.evidence import IndexedDocument, Searcher
from groundwire.gate import (
    LOW_CONFIDENCE,
    confidence_gate,
    judge_confidence,
    passage_confidence,
)
from groundwire.model import Decision, EvidenceBundle, SearchResult, Suggestion
from groundwire.text import has_phrase, question_language

TAUGHT_LANGUAGE = "en"
MOST_QUOTED = 2
EVERY_WORD = 0.999
LEAST_WORDS = 3
SPOKEN_OF = 0.5
"""Of the question's words, by their weight, so many stand in what speaks of the matter."""
MANY_WORDS = 64
"""Of longer questions only so many distinct words are looked for."""
# such as "Are codes by text message accepted"
_YES_OR_NO = lazy_pattern(
    r"(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have)\b",
    re.IGNORECASE,
)
_SECTIONS: dict[Aspect, Sequence[str]] = {"decision": DECIDING, "why": EXPLAINING}


class Semantic:
    def __init__(
        self,
        library: Library,
        searcher: Searcher,
        settings: AnswerSection,
        *,
        abstain_below: float,
        answerability: Answerability,
    ) -> None:
        self._answerability = answerability
        self._library = library
        self._searcher = searcher
        self._settings = settings
        self._abstain_below = abstain_below
        self._gate = confidence_gate()

    def answer(self, plan: Plan) -> Finding:
        result = self._searcher.search_sync(
            plan.question,
            collections=plan.collections,
            limit=self._settings.passages,
            any_distance=self._answerability.is_available,
            also=plan.also,
        )
        chosen = self._chosen(plan, result.hits)
        if not result.hits or not plan.words:
            self._gate.skip("nothing_found")
            return self._nothing(plan, result)
        decision = self._gate.run(lambda: self._judged(chosen, result))
        # without a quote there is no answer, however low the threshold
        if decision.lets_through and chosen.best:
            return self._found(plan, result, chosen)
        return self._too_little(plan, result, chosen)

    def _chosen(self, plan: Plan, hits: Sequence[EvidenceBundle]) -> Chosen:
        """The best sentences of the passages that answer; of all of them where no head reads."""
        costs = [self._gone(one.source.doc_id) for one in hits]
        every = sentences(hits)
        near = choose(plan.question, plan.words, every, self._searcher, handicap=self._handicap)
        # the head was taught in one language; in others words decide, as they do without it
        is_taught = question_language(plan.question) in (None, TAUGHT_LANGUAGE)
        judged = self._answerability.judge(plan.asked, hits, costs) if is_taught else None
        return near if judged is None else self._from_judged(plan, judged, near)

    def _from_judged(self, plan: Plan, judged: Sequence[Judged], near: Chosen) -> Chosen:
        """Of another entity's passages none is quoted, however well it reads."""
        fitting = [one for one in judged if not self._is_of_other(plan.question, one.passage)]
        beside = [
            one.sentence
            for one in near.best
            if not self._is_of_other(plan.question, one.sentence.passage)
        ]
        quotes = self._answerability.quotes(plan.asked, fitting, beside)
        if plan.kind == "cross":
            quotes = self._of_each(plan, fitting, beside)
        quotes = [one for one in quotes if answers_in_kind(plan.question, one.text, one.passage)]
        quotes = self._with_section(plan, quotes)
        least = quotes[0].confidence * reader_calibration().answers.second_share if quotes else 0.0
        best = [
            Scored(_window(one, rank), one.score.fits, 1.0, 0.0)
            for rank, one in enumerate(quotes[:MOST_QUOTED])
            if one.confidence >= least or plan.kind == "cross"
        ]
        chosen = Chosen(tuple(best), quotes[0].confidence if quotes else 0.0)
        whole = self._with_every_word(plan, near, beside)
        return whole if whole and whole.confidence > chosen.confidence else chosen

    def _with_section(self, plan: Plan, quotes: list[Quoted]) -> list[Quoted]:
        """What is decided stands where the record that answers says what it decides, and why it
        is so where it gives reasons: that part goes first, if it answers or, of a decision, if it
        speaks of what is asked."""
        aspect = _aspect(plan)
        if aspect is None or not quotes or quotes[0].confidence < self._abstain_below:
            return quotes
        first = quotes[0]
        own = [
            one
            for one in quotes
            if one.confidence >= self._abstain_below
            and has_phrase(one.passage.section or "", _SECTIONS[aspect])
        ]
        before = own or [
            one
            for one in self._headed(plan, first, aspect)
            if answers_in_kind(plan.question, one.text, one.passage)
        ]
        before = (self._fate(plan, first) if aspect == "why" else []) or before
        return [*before, *(one for one in quotes if one not in before)]

    def _headed(self, plan: Plan, first: Quoted, aspect: Aspect) -> list[Quoted]:
        document = self._library.by_id(first.passage.source.doc_id)
        text = self._library.text(document) if document else None
        found = []
        for part, start in section_quotes(text, aspect)[:1] if text else ():
            passage = _passage(part, start, first.passage)
            quote = self._answerability.quote(plan.asked, part, start, passage)
            if quote.confidence >= self._abstain_below:
                found.append(quote)
            elif aspect == "decision" and self._speaks_of(plan, part):
                found.append(replace(quote, score=first.score))
        return found

    def _fate(self, plan: Plan, first: Quoted) -> list[Quoted]:
        """Why a document was rejected stands where it says that it was."""
        document = self._library.by_id(first.passage.source.doc_id)
        text = self._library.text(document) if document else None
        told = fate_quote(text, fates_in(plan.question)) if text else None
        if told is None:
            return []
        return [replace(first, text=told[0], start=told[1], passage=_passage(*told, first.passage))]

    def _speaks_of(self, plan: Plan, text: str) -> bool:
        ((share, _),) = self._searcher.coverage(plan.topic, [text], [""])
        return share >= SPOKEN_OF

    def _with_every_word(
        self, plan: Plan, near: Chosen, beside: Sequence[Sentence]
    ) -> Chosen | None:
        """A sentence that has every word of a question for yes or no, with its headings, answers
        by them: "Codes by text message are not accepted" is said to whoever asks whether they are.
        """
        first = near.best[0] if near.best else None
        if first is None or first.coverage < EVERY_WORD or first.sentence not in beside:
            return None
        quote = with_paragraph(first.sentence)
        fits = answers_in_kind(plan.question, quote.text, quote.passage)
        is_closed = _YES_OR_NO.match(plan.question) is not None
        if len(plan.topic) < LEAST_WORDS or not fits or not is_closed:
            return None
        return Chosen((replace(first, sentence=replace(quote, is_window=True)),), near.confidence)

    def _of_each(
        self, plan: Plan, judged: Sequence[Judged], near: Sequence[Sentence]
    ) -> list[Quoted]:
        """The surest quote of each collection that is asked."""
        found = []
        for name in plan.collections:
            own = [one for one in judged if one.passage.source.doc_type == name]
            beside = [one for one in near if one.passage.source.doc_type == name]
            found += self._answerability.quotes(plan.asked, own, beside)[:1]
        return sorted(found, key=lambda one: -one.score.fits)

    def _is_of_other(self, question: str, passage: EvidenceBundle) -> bool:
        document = self._library.by_id(passage.source.doc_id)
        text = self._library.text(document) if document else None
        around = f"{passage.source.doc_id} {text.text}" if text else passage.source.doc_id
        return lacks_entity(question, passage, around) is not None

    def _gone(self, doc_id: str) -> float:
        document = self._library.by_id(doc_id)
        if document is None:
            return 0.0
        gone = self._library.is_superseded(document) or document.identity.state in NOT_IN_FORCE[:2]
        return reader_calibration().answers.superseded_cost if gone else 0.0

    def _judged(self, chosen: Chosen, result: SearchResult) -> Decision:
        return judge_confidence(
            chosen.confidence,
            result.fallbacks,
            self._abstain_below,
            passage_confidence=passage_confidence(result.hits, self._searcher.thresholds),
        )

    def _handicap(self, sentence: Sentence) -> float:
        return self._gone(sentence.doc_id)

    def _found(self, plan: Plan, result: SearchResult, chosen: Chosen) -> Finding:
        quotes = list(self._whole(self._quotes(plan, chosen)))
        documents = self._documents(quotes)
        named = list(dict.fromkeys(document_name(one) for one in documents.values()))
        return Finding(
            mode="ANSWER",
            message=f"Quoted from {', '.join(named)}.",
            base_score=round(chosen.confidence, 3),
            text=with_markers([quote.shown for quote in quotes]),
            sources=tuple(
                cited(documents[quote.doc_id], quote.text, quote.start) for quote in quotes
            ),
            observations=tuple(notes(self._library, documents.values())),
            coverage=_coverage(result, chosen),
            evidence=result.hits,
        )

    def _quotes(self, plan: Plan, chosen: Chosen) -> list[Sentence]:
        """Best first; of several collections each is heard, as far as it has something to say."""
        is_read = chosen.best[0].sentence.is_window
        picked = list(chosen.best) if is_read else top(chosen, self._settings.max_quotes)
        if plan.kind == "cross":
            picked = _one_of_each(chosen.best, plan.collections, self._settings.max_quotes)
        newer = self._newer(plan.question, plan.words, [one.sentence for one in picked])
        first = picked[0].sentence
        # a window that was read together with the question is quoted as it was read
        first = first if first.is_window else with_paragraph(first)
        quotes = joined([first, *(one.sentence for one in picked[1:])])
        places = {(one.sentence.doc_id, one.sentence.start): at for at, one in enumerate(picked)}
        ordered = sorted(quotes, key=lambda quote: _place(quote, places))
        return [*newer, *ordered]

    def _whole(self, quotes: Sequence[Sentence]) -> Iterator[Sentence]:
        """Each with what it announces."""
        for doc_id, same in groupby(quotes, lambda one: one.doc_id):
            own = list(same)
            document = self._library.by_id(doc_id)
            text = self._library.text(document) if document else None
            yield from with_announced(own, text) if text else own

    def _newer(
        self, question: str, words: Sequence[str], quoted: Sequence[Sentence]
    ) -> list[Sentence]:
        """What took the place of a quoted record comes before it."""
        known = {one.doc_id for one in quoted}
        found: dict[str, Sentence] = {}
        for old in filter(None, map(self._library.by_id, known)):
            for key in self._library.successors(old):
                for new in self._library.find(key, old):
                    text = self._library.text(new)
                    if text is None or new.doc_id in known or self._library.is_superseded(new):
                        continue
                    chosen = choose(question, words, all_sentences(text, new), self._searcher)
                    if chosen.best:
                        found[new.doc_id] = with_paragraph(chosen.best[0].sentence)
        return [found[doc_id] for doc_id in sorted(found)]

    def _documents(self, quotes: Sequence[Sentence]) -> dict[str, IndexedDocument]:
        found = {quote.doc_id: self._library.by_id(quote.doc_id) for quote in quotes}
        return {doc_id: one for doc_id, one in found.items() if one is not None}

    def _nothing(self, plan: Plan, result: SearchResult) -> Finding:
        return Finding(
            mode="ABSTAIN",
            reason="no_results",
            message="Nothing in the documents is near to this question.",
            missing=(_missing(plan),),
            next_step="REPHRASE_OR_ADD_DOCUMENTS",
            coverage={"passages": len(result.hits), "below_threshold": result.below_threshold},
            observations=_about_length(plan),
        )

    def _too_little(self, plan: Plan, result: SearchResult, chosen: Chosen) -> Finding:
        is_quoted = bool(chosen.best) and chosen.confidence >= self._abstain_below
        return Finding(
            mode="ABSTAIN",
            reason=LOW_CONFIDENCE if is_quoted else "not_answered",
            message="Nothing that was found answers this question.",
            base_score=round(chosen.confidence, 3),
            missing=(_missing(plan),),
            suggestions=tuple(self._suggestions(chosen, result)),
            next_step="PICK_A_SUGGESTION_OR_REPHRASE",
            coverage=_coverage(result, chosen),
            evidence=result.hits,
            observations=_about_length(plan),
        )

    def _suggestions(self, chosen: Chosen, result: SearchResult) -> list[Suggestion]:
        """What answers nearly, then what is near in meaning: a person can tell at a glance."""
        tuned = reader_calibration().answers
        found: dict[str, Suggestion] = {}
        for one in chosen.best if chosen.confidence >= tuned.worth_offering else ():
            document = self._library.by_id(one.sentence.doc_id)
            if document is not None:
                found.setdefault(document.doc_id, suggestion(document, one.sentence.text))
        for hit in sorted(result.hits, key=_nearness, reverse=True):
            document = self._library.by_id(hit.source.doc_id)
            if document is not None and _nearness(hit) >= tuned.near_topic:
                found.setdefault(document.doc_id, suggestion(document))
        return list(found.values())[: self._settings.suggestions]


def _nearness(hit: EvidenceBundle) -> float:
    return hit.retrieval.scores.get("similarity", 0.0) if hit.retrieval else 0.0


def _aspect(plan: Plan) -> Aspect | None:
    if has_phrase(plan.question, ASKS_WHY):
        return "why"
    return "decision" if plan.kind == "decision" else None


def _passage(text: str, start: int, beside: EvidenceBundle) -> EvidenceBundle:
    """A part of the same document, as a passage of its own."""
    found = EvidenceBundle.of(text, beside.source.doc_id, start=start)
    return found.model_copy(update={"source": beside.source})


def _window(quote: Quoted, rank: int) -> Sentence:
    return Sentence(quote.text, quote.start, quote.passage, rank, is_window=True)


def suggestion(document: IndexedDocument, detail: str | None = None) -> Suggestion:
    """A document that may be meant; its id picks it."""
    return Suggestion(
        id=document.doc_id, label=document_name(document), kind="document", detail=detail
    )


def _one_of_each(best: Sequence[Scored], collections: Sequence[str], limit: int) -> list[Scored]:
    firsts: dict[str, Scored] = {}
    for one in best:
        firsts.setdefault(one.sentence.passage.source.doc_type or "", one)
    heard = [firsts[name] for name in collections if name in firsts]
    rest = [one for one in best if one not in heard]
    return sorted([*heard, *rest][: max(limit, len(heard))], key=lambda one: -one.score)


def _place(quote: Sentence, firsts: dict[tuple[str, int], int]) -> int:
    inside = [
        place
        for (doc_id, start), place in firsts.items()
        if doc_id == quote.doc_id and quote.start <= start < quote.end
    ]
    return min(inside, default=len(firsts))


def _coverage(result: SearchResult, chosen: Chosen) -> dict[str, int | float]:
    return {
        "passages": len(result.hits),
        "below_threshold": result.below_threshold,
        "question_words": round(chosen.best[0].coverage, 3) if chosen.best else 0.0,
    }


def _missing(plan: Plan) -> str:
    topic = ", ".join(plan.topic[:12])
    return f"a passage about: {topic}" if topic else "words to look for in the question"


def _about_length(plan: Plan) -> tuple[str, ...]:
    words = len(plan.question.split())
    if words <= MANY_WORDS:
        return ()
    return (f"The question has {words} words; only the first {MANY_WORDS} telling ones count.",)
