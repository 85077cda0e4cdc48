"""Lists: complete, and in the same order every time [S3, Phase 4 invariants]."""

from collections import Counter
from collections.abc import Sequence

from groundwire.answer._library import (
    Finding,
    Library,
    bare_title,
    cited,
    document_name,
    key_name,
    plural,
    short_name,
    with_markers,
)
from groundwire.answer._parts import title_line
from groundwire.answer._route import Plan
from groundwire.answer._semantic import suggestion
from groundwire.encoder import embedder_calibration
from groundwire.evidence import IndexedDocument, Searcher
from groundwire.model import AnswerSource

ALL_WORDS = 2
"""Topics of up to so many words must occur whole; of longer ones most of the words."""
MOST_NAMED = 5
SUGGESTED = 3


class Lists:
    def __init__(self, library: Library, searcher: Searcher) -> None:
        self._library = library
        self._searcher = searcher

    def answer(self, plan: Plan) -> Finding:
        asked = [
            one for one in self._library.documents if one.identity.doc_type in plan.collections
        ]
        held = [one for one in asked if self._has_status(one, plan.statuses)]
        about = self._about(plan, held)
        counted = _counted(plan.collections, asked)
        if plan.newest:
            about = _newest(about)
        if not about:
            return self._nothing(plan, counted)
        head = _head(plan, len(about), counted)
        return Finding(
            mode="ANSWER",
            message=f"{head}.",
            base_score=1.0,
            text=f"{head}:\n{with_markers([_line(one, dated=plan.newest) for one in about])}",
            sources=tuple(self._cited(one) for one in about),
            observations=tuple(self._remarks(plan, about)),
            coverage={"listed": len(about), "documents": len(asked)},
        )

    def _about(self, plan: Plan, documents: Sequence[IndexedDocument]) -> Sequence[IndexedDocument]:
        """Every document is read, so that the list is complete; the order is that of numbers."""
        if not plan.topic or not documents:
            return documents
        texts = [self._words_of(one) for one in documents]
        shares = self._searcher.coverage(plan.topic, texts, [""] * len(texts))
        all_of_it = len(plan.topic) <= ALL_WORDS
        least = 0.999 if all_of_it else embedder_calibration().answers.list_share
        return [one for one, (share, _) in zip(documents, shares, strict=True) if share >= least]

    def _words_of(self, document: IndexedDocument) -> str:
        text = self._library.text(document)
        return f"{document.title}\n{text.text[text.body_start :]}" if text else document.title

    def _near(self, plan: Plan, listed: Sequence[IndexedDocument]) -> list[IndexedDocument]:
        """Documents that do not have the words but may be about the topic all the same."""
        known = {one.doc_id for one in listed}
        least = embedder_calibration().answers.near_topic
        near = self._searcher.near_documents(" ".join(plan.topic), plan.collections, least)
        documents = (self._library.by_id(doc_id) for doc_id, _ in near if doc_id not in known)
        found = [document for document in documents if document is not None]
        order = {one.doc_id: place for place, one in enumerate(self._library.documents)}
        return sorted(found[:MOST_NAMED], key=lambda one: order[one.doc_id])

    def _has_status(self, document: IndexedDocument, statuses: Sequence[str]) -> bool:
        """Whoever states it: the document, its approval record or a registry."""
        said = (one.status for one in self._library.statuses(document)) if statuses else ()
        return not statuses or any(status in statuses for status in said)

    def _cited(self, document: IndexedDocument) -> AnswerSource:
        text = self._library.text(document)
        return cited(document, *(title_line(text, document.title) if text else ("", 0)))

    def _nothing(self, plan: Plan, counted: str) -> Finding:
        near = self._near(plan, ()) if plan.topic else []
        return Finding(
            mode="ABSTAIN",
            reason="no_results",
            message=f"{_head(plan, 0, counted)}.".replace("0 of", "None of", 1),
            missing=(f"documents that mention: {', '.join(plan.topic)}",) if plan.topic else (),
            suggestions=tuple(suggestion(one) for one in near[:SUGGESTED]),
            next_step="REPHRASE_OR_ADD_DOCUMENTS",
        )

    def _remarks(self, plan: Plan, listed: Sequence[IndexedDocument]) -> list[str]:
        remarks: list[str] = []
        if plan.topic and (near := self._near(plan, listed)):
            names = ", ".join(map(document_name, near))
            remarks.append(f"Without these words, but near in meaning: {names}.")
        if not plan.topic and not plan.statuses and not plan.newest:
            for collection in plan.collections:
                for entry in self._library.absent(collection):
                    title = bare_title(entry.title, entry.key.number)
                    remarks.append(
                        f"A registry also lists {key_name(entry.key)} “{title}”, "
                        "but the document is not there."
                    )
        for one in listed:
            said = {stated.status for stated in self._library.statuses(one)}
            if len(said) > 1:
                names = ", ".join(f"“{status}”" for status in sorted(said))
                remarks.append(f"The status of {short_name(one)} is stated differently: {names}.")
        return remarks


def _newest(documents: Sequence[IndexedDocument]) -> list[IndexedDocument]:
    dated = [one for one in documents if one.identity.date is not None]
    latest = max((one.identity.date for one in dated if one.identity.date), default=None)
    return [one for one in dated if one.identity.date == latest]


def _line(document: IndexedDocument, *, dated: bool) -> str:
    identity = document.identity
    date = str(identity.date) if dated and identity.date else None
    facts = ", ".join(filter(None, [identity.status, date]))
    return f"- {document_name(document)}{f' ({facts})' if facts else ''}"


def _counted(collections: Sequence[str], documents: Sequence[IndexedDocument]) -> str:
    counts = Counter(one.identity.doc_type for one in documents)
    return ", ".join(plural(name, counts[name]) for name in collections)


def _head(plan: Plan, listed: int, counted: str) -> str:
    status = f" with status {' or '.join(plan.statuses)}" if plan.statuses else ""
    if plan.newest:
        return f"The latest by date of {counted}{status}"
    verb = "mentions" if listed == 1 else "mention"
    topic = f" {verb} “{' '.join(plan.topic)}”" if plan.topic else ""
    return f"{listed} of {counted}{status}{topic}" if status or topic else counted
