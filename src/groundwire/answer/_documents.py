"""Whatever is asked of documents: the plan decides who answers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from groundwire._patterns import lazy_pattern
from groundwire.answer._answerable import Answerability, Reader
from groundwire.answer._entity import Entities
from groundwire.answer._library import Finding, Library, bare_title, type_name
from groundwire.answer._lists import Lists, has_in_title, is_of_kind
from groundwire.answer._route import Plan, Router
from groundwire.answer._semantic import Semantic, suggestion
from groundwire.answer._series import Series, series_in
from groundwire.answer._titles import KIND_WORDS
from groundwire.config import Config, abstain_below_of
from groundwire.evidence import Index, IndexedDocument, Labels, Searcher
from groundwire.model import Suggestion
from groundwire.text import question_language, topic_words

SEARCHED_LANGUAGE = "en"
"""What the embedded embedder knows; words are compared in any language."""
ALL_OF_IT = 0.999
# such as "What does the policy on backups say", "What is decided in the record on TLS"
_GIST = lazy_pattern(
    r"^what (?:does|do|did) the\b.*\b(?:decision|record|policy|principle|standard|pattern)\b.*"
    r"\b(?:say|decide|state|require|demand|propose)$"
    r"|^what (?:has been|was|is|were) decided (?:about|on|regarding|for)\b",
    re.IGNORECASE,
)


class Documents:
    """Blocking, since all of it is reading files and computing: run it in a thread."""

    def __init__(
        self, index: Index, searcher: Searcher, config: Config, *, reader: Reader | None = None
    ) -> None:
        self.library = Library(index)
        self._searcher = searcher
        self._prefixes = config.evidence.prefixes
        self._suggestions = config.answer.suggestions
        self._lists = Lists(self.library, searcher)
        answerability = Answerability(reader, most_passages=config.answer.judged_passages)
        self._semantic = Semantic(
            self.library,
            searcher,
            config.answer,
            abstain_below=abstain_below_of(config.evidence),
            answerability=answerability,
        )
        self._entities = Entities(self.library, searcher, config, answerability)

    def plan(self, question: str) -> Plan:
        self.library.refresh()
        plan = self._router(self.library.people()).plan(question)
        return replace(plan, mark="?" if question.rstrip().endswith("?") else "")

    def answer(self, plan: Plan) -> Finding:
        if not self.library.documents:
            return _empty(str(self.library.index.path))
        if plan.kind == "entity":
            return self._entities.answer(plan)
        if plan.kind == "list":
            return self._lists.answer(plan)
        titled = self._titled(plan)
        if titled is not None:
            return self._entities.about(titled, plan)
        stated = self._entities.fact_by_title(plan)
        if stated is None and _GIST.search(plan.question):
            stated = self._entities.by_title(plan)
        if stated is None:
            stated = self._entities.named(plan)
        if stated is not None:
            return stated
        finding = self._semantic.answer(plan)
        if finding.mode == "ABSTAIN":
            near = [one.source.doc_id for one in finding.evidence]
            finding = self._entities.option(plan, near) or self._elsewhere(plan, finding)
        return _about_language(plan, finding) if finding.mode == "ABSTAIN" else finding

    def about(self, doc_id: str, plan: Plan) -> Finding | None:
        """What one document, which a person picked, says on the question."""
        document = self.library.by_id(doc_id)
        return None if document is None else self._entities.picked(document, plan)

    def mentioning(self, term: str) -> list[Suggestion]:
        """Documents in which a term occurs that the vocabulary does not have."""
        result = self._searcher.search_sync(term, limit=self._suggestions, per_document=1)
        found = []
        for hit in result.hits:
            document = self.library.by_id(hit.source.doc_id)
            scores = hit.retrieval.scores if hit.retrieval else {}
            if document is not None and scores.get("coverage", 0.0) >= ALL_OF_IT:
                found.append(suggestion(document, "mentions it, which is not a definition"))
        return found

    def _titled(self, plan: Plan) -> IndexedDocument | None:
        """“What is the data retention policy?” names a document by its title and asks no more."""
        router = self._router()
        named = [
            one
            for one in self.library.documents
            if one.identity.doc_type in plan.collections
            and plan.topic
            and plan.topic[0] in one.title.lower()
            and router.topic(bare_title(one.title, one.identity.number)) == plan.topic
        ]
        return named[0] if len(named) == 1 else None

    def is_title(self, text: str) -> bool:
        """Whether these words name a document: "the travel policy"."""
        words = [word for word in topic_words(text) if word not in KIND_WORDS]
        return bool(words) and any(has_in_title(words, one) for one in self.library.documents)

    def labels(self) -> Labels:
        """The letters before numbers: those of the settings, and every numbered collection."""
        numbered = {name: name for name in self.library.numbered()}
        return Labels({**numbered, **self._prefixes})

    def _router(self, people: Iterable[str] = ()) -> Router:
        self._entities.labels = labels = self.labels()
        router = Router(
            self.library.collections(),
            labels,
            names=people,
            titles=self._count_titles,
            kinds=self._count_kinds,
            series=self._series,
        )
        self._entities.series = router.series
        return router

    def _series(self, text: str, noun: str, collections: Sequence[str]) -> Series | None:
        asked = [one for one in self.library.documents if one.identity.doc_type in collections]
        return series_in(text, noun, asked, self._searcher.naming)

    def _count_kinds(self, words: Sequence[str], collections: Sequence[str]) -> int:
        return sum(
            one.identity.doc_type in collections and is_of_kind(words, one)
            for one in self.library.documents
        )

    def _count_titles(self, words: Sequence[str], collections: Sequence[str]) -> int:
        return sum(
            one.identity.doc_type in collections and has_in_title(words, one)
            for one in self.library.documents
        )

    def _elsewhere(self, plan: Plan, finding: Finding) -> Finding:
        """What the named collections do not say may stand in another, and is then said to."""
        wider = self._router().everywhere(plan)
        if set(wider.collections) <= set(plan.collections):
            return finding
        other = self._semantic.answer(wider)
        if other.mode != "ANSWER":
            return finding
        asked = " and ".join(type_name(name) for name in plan.collections)
        note = f"The answer was asked of: {asked}. It stands elsewhere."
        return replace(other, observations=(note, *other.observations))


def _empty(path: str) -> Finding:
    return Finding(
        mode="ABSTAIN",
        reason="no_results",
        message=f"The index {path} holds no documents.",
        missing=("documents",),
        next_step="INDEX_DOCUMENTS",
    )


def _about_language(plan: Plan, finding: Finding) -> Finding:
    language = question_language(plan.question)
    if language in (None, SEARCHED_LANGUAGE):
        return finding
    note = (
        f"The question seems to be in another language than English ({language}): "
        "documents are then found by equal words only."
    )
    return replace(finding, observations=(*finding.observations, note))
