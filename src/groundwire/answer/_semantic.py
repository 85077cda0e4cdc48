"""Questions answered by what documents say: the sentences that answer, quoted."""

from collections.abc import Sequence

from groundwire.answer._answerable import Answerability, Judged, answers_in_kind, lacks_entity
from groundwire.answer._choose import (
    Chosen,
    Scored,
    Sentence,
    choose,
    joined,
    sentences,
    top,
    with_paragraph,
)
from groundwire.answer._library import (
    NOT_IN_FORCE,
    Finding,
    Library,
    cited,
    document_name,
    is_superseded,
    notes,
    with_markers,
)
from groundwire.answer._parts import all_sentences
from groundwire.answer._route import Plan
from groundwire.config import AnswerSection
from groundwire.encoder import embedder_calibration
from groundwire.evidence import IndexedDocument, Searcher
from groundwire.gate import (
    LOW_CONFIDENCE,
    confidence_gate,
    judge_confidence,
    passage_confidence,
)
from groundwire.model import Decision, EvidenceBundle, SearchResult, Suggestion

MOST_QUOTED = 2
SECOND_SHARE = 0.7
"""A second passage is quoted as well when it answers nearly as surely as the first."""
MANY_WORDS = 64
"""Of longer questions only so many distinct words are looked for."""


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
        )
        chosen = self._chosen(plan, result.hits)
        if not result.hits or not chosen.best:
            self._gate.skip("nothing_found")
            return self._nothing(plan, result)
        decision = self._gate.run(lambda: self._judged(chosen, result))
        if decision.lets_through:
            return self._found(plan, result, chosen)
        return self._too_little(plan, result, chosen)

    def _chosen(self, plan: Plan, hits: Sequence[EvidenceBundle]) -> Chosen:
        """The best sentences of the passages that answer; of all of them where no head reads."""
        costs = [self._gone(one.source.doc_id) for one in hits]
        judged = self._answerability.judge(plan.question, hits, costs)
        if judged is None:
            every = sentences(hits)
            return choose(plan.question, plan.words, every, self._searcher, handicap=self._handicap)
        return self._from_judged(plan, judged)

    def _from_judged(self, plan: Plan, judged: Sequence[Judged]) -> Chosen:
        """Of another entity's passages none is quoted, however well it reads."""
        fitting = [one for one in judged if not self._is_of_other(plan.question, one.passage)]
        if not fitting:
            return Chosen((), 0.0)
        least = fitting[0].confidence * SECOND_SHARE
        kept = [one for one in fitting[:MOST_QUOTED] if one.confidence >= least]
        quoted = [self._answerability.window(plan.question, one.passage) for one in kept]
        best = [
            Scored(Sentence(text, start, one.passage, rank), one.log_odds, 1.0, 0.0)
            for rank, (one, (text, start)) in enumerate(zip(kept, quoted, strict=True))
            if answers_in_kind(plan.question, text, one.passage)
        ]
        return Chosen(tuple(best), kept[0].confidence) if best else Chosen((), 0.0)

    def _is_of_other(self, question: str, passage: EvidenceBundle) -> bool:
        document = self._library.by_id(passage.source.doc_id)
        text = self._library.text(document) if document else None
        around = f"{passage.source.doc_id} {text.text}" if text else passage.source.doc_id
        return lacks_entity(question, passage, around) is not None

    def _gone(self, doc_id: str) -> float:
        document = self._library.by_id(doc_id)
        gone = document is not None and document.identity.state in NOT_IN_FORCE[:2]
        return embedder_calibration().answers.superseded_cost if gone else 0.0

    def _judged(self, chosen: Chosen, result: SearchResult) -> Decision:
        return judge_confidence(
            chosen.confidence,
            result.fallbacks,
            self._abstain_below,
            passage_confidence=passage_confidence(result.hits, self._searcher.thresholds),
        )

    def _handicap(self, sentence: Sentence) -> float:
        document = self._library.by_id(sentence.doc_id)
        if document is None:
            return 0.0
        gone = is_superseded(document) or document.identity.state in NOT_IN_FORCE[:2]
        return embedder_calibration().answers.superseded_cost if gone else 0.0

    def _found(self, plan: Plan, result: SearchResult, chosen: Chosen) -> Finding:
        quotes = self._quotes(plan, chosen)
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
        picked = top(chosen, self._settings.max_quotes)
        if plan.kind == "cross":
            picked = _one_of_each(chosen.best, plan.collections, self._settings.max_quotes)
        newer = self._newer(plan.question, plan.words, [one.sentence for one in picked])
        first = picked[0].sentence
        # a window that was read together with the question is quoted as it was read
        first = first if self._answerability.is_available else with_paragraph(first)
        quotes = joined([first, *(one.sentence for one in picked[1:])])
        places = {(one.sentence.doc_id, one.sentence.start): at for at, one in enumerate(picked)}
        ordered = sorted(quotes, key=lambda quote: _place(quote, places))
        return [*newer, *ordered]

    def _newer(
        self, question: str, words: Sequence[str], quoted: Sequence[Sentence]
    ) -> list[Sentence]:
        """What took the place of a quoted record comes before it."""
        known = {one.doc_id for one in quoted}
        found: dict[str, Sentence] = {}
        for old in filter(None, map(self._library.by_id, known)):
            for key in old.identity.superseded_by:
                for new in self._library.find(key):
                    text = self._library.text(new)
                    if text is None or new.doc_id in known or is_superseded(new):
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
        return Finding(
            mode="ABSTAIN",
            reason="not_answered" if chosen.confidence < self._abstain_below else LOW_CONFIDENCE,
            message="Nothing that was found answers this question.",
            base_score=round(chosen.confidence, 3),
            missing=(_missing(plan),),
            suggestions=tuple(self._suggestions(chosen)),
            next_step="PICK_A_SUGGESTION_OR_REPHRASE",
            coverage=_coverage(result, chosen),
            observations=_about_length(plan),
        )

    def _suggestions(self, chosen: Chosen) -> list[Suggestion]:
        found: dict[str, Suggestion] = {}
        is_worth_it = chosen.confidence >= embedder_calibration().answers.worth_offering
        for one in chosen.best if is_worth_it else ():
            document = self._library.by_id(one.sentence.doc_id)
            if document is not None:
                found.setdefault(document.doc_id, suggestion(document, one.sentence.text))
        return list(found.values())[: self._settings.suggestions]


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
