"""Golden questions asked of an engine, and what each came to."""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate._golden import Expected, GoldenQuery, GoldenSet
from groundwire.evaluate._results import CaseOutcome, Progress
from groundwire.evidence import Index, Labels, require_index
from groundwire.model import Answer, AnswerSource

QUESTIONS = "questions"
"""The suite of golden questions."""
_VOCABULARY = "vocabulary"
_ENDED = {"ANSWER": "answered", "CLARIFY": "clarified", "ABSTAIN": "abstained"}


def ask_questions(
    engine: Engine, golden: GoldenSet, progress: Progress | None = None
) -> list[CaseOutcome]:
    """Every question in its order, one at a time, so that times mean something."""
    judge = _Judge(Labels(engine.config.evidence.prefixes))
    by_corpus: dict[tuple[str, ...], list[GoldenQuery]] = defaultdict(list)
    for query in golden.queries:
        by_corpus[query.without].append(query)
    done: dict[str, CaseOutcome] = {}
    for without, queries in by_corpus.items():
        with _engine_without(engine, without, judge) as asked:
            asked.ask_sync(queries[0].query)  # whatever is loaded once is loaded now
            for query in queries:
                started_s = time.perf_counter()
                answer = asked.ask_sync(query.query)
                elapsed_ms = (time.perf_counter() - started_s) * 1000
                done[query.id] = judge.outcome(query, answer, elapsed_ms)
                if progress is not None:
                    progress(len(done), len(golden.queries))
    return [done[query.id] for query in golden.queries]


@contextmanager
def _engine_without(engine: Engine, without: Sequence[str], judge: "_Judge") -> Iterator[Engine]:
    """The same engine over a copy of its index from which documents were taken."""
    if not without:
        yield engine
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "index.sqlite"
        copyfile(require_index(engine.index_path), path)
        with Index(path) as index:
            for name in without:
                gone = [
                    one
                    for one in index.documents()
                    if judge.names(name, one.identity.doc_type, one.identity.number, one.doc_id)
                ]
                if not gone:
                    raise InputError(f"There is no document {name!r} to leave out.")
                for one in gone:
                    index.remove(one.path)
        evidence = engine.config.evidence.model_copy(update={"index": path})
        config = engine.config.model_copy(update={"evidence": evidence})
        with Engine(config, embedder=engine.parts.embedder) as smaller:
            yield smaller


class _Judge:
    """Compares answers with what was expected of them. Pure."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def names(self, name: str, doc_type: str, number: int | None, doc_id: str) -> bool:
        """Whether a golden set's name of a document means this one: `ADR.12`, or its path."""
        label = self._labels.leading(name)
        if label is not None:
            return (label.doc_type, label.number) == (doc_type, number)
        return doc_id == name or doc_id.endswith(f"/{name}")

    def outcome(self, query: GoldenQuery, answer: Answer, latency_ms: float) -> CaseOutcome:
        expected = query.expected
        cited = self._cited(answer.sources, expected.doc_ids)
        reason = self._failure(expected, answer, cited)
        given = answer.mode == "ANSWER"
        return CaseOutcome(
            id=query.id,
            suite=QUESTIONS,
            category=query.category,
            collection=query.collection,
            split=query.split,
            wanted=expected.outcome == "ANSWER",
            given=given,
            right=given and reason is None,
            passed=reason is None,
            reason=reason,
            confidence=answer.retrieval_quality.confidence_score if given else None,
            ended=answer.mode,
            wanted_end=expected.outcome,
            abstained_for=answer.reason if answer.mode == "ABSTAIN" else None,
            relevant=expected.doc_ids if expected.outcome == "ANSWER" else (),
            cited=cited,
            invented_term=given and _is_invented(query, answer, reason),
            input=query.query,
            expected=expected.model_dump(mode="json", exclude_defaults=True)
            | {"abstain": expected.abstain},
            actual=_actual(answer),
            trace=_trace(answer),
            latency_ms=latency_ms,
        )

    def _cited(self, sources: Sequence[AnswerSource], wanted: Sequence[str]) -> tuple[str, ...]:
        """The documents in the order they are cited, by the names the golden set has for them."""
        named = (
            next(
                (name for name in wanted if self.names(name, one.doc_type, one.number, one.doc_id)),
                one.doc_id,
            )
            for one in sources
        )
        return tuple(dict.fromkeys(named))

    def _failure(self, expected: Expected, answer: Answer, cited: Sequence[str]) -> str | None:
        """Why an answer is not the expected one, in a word; none where it is."""
        if answer.mode != expected.outcome:
            return _ENDED[answer.mode]
        found = [name in cited for name in expected.doc_ids]
        said = _flat(_said(answer))
        holds = {
            "wrong_reason": expected.reason in (None, answer.reason),
            "wrong_route": expected.route in (None, answer.target_route),
            "wrong_collection": {one.doc_type for one in answer.sources} >= set(expected.doc_types),
            "wrong_document": not found or (all if expected.match == "all" else any)(found),
            "wrong_source": expected.source in (None, *(one.name for one in answer.sources)),
            "missing_words": all(_flat(words) in said for words in expected.contains),
        }
        return next((reason for reason, fine in holds.items() if not fine), None)


def _said(answer: Answer) -> str:
    """The answer; where there is none, all that a person is shown instead of it."""
    if answer.answer is not None:
        return answer.answer
    choices = (f"{one.label} {one.detail or ''}" for one in answer.suggestions)
    return " ".join([answer.message, *answer.observations, *choices])


def _is_invented(query: GoldenQuery, answer: Answer, reason: str | None) -> bool:
    """A definition must be the vocabulary's, and of the term that was asked for [S3 Gap A]."""
    if not query.category.startswith("terminology"):
        return False
    cites = any(one.doc_type == _VOCABULARY for one in answer.sources)
    return not cites or reason is not None


def _actual(answer: Answer) -> dict[str, object]:
    return {
        "mode": answer.mode,
        "abstain": answer.mode == "ABSTAIN",
        "reason": answer.reason,
        "route": answer.target_route,
        "doc_types": list(dict.fromkeys(one.doc_type for one in answer.sources)),
        "doc_ids": list(dict.fromkeys(one.doc_id for one in answer.sources)),
        "answer": answer.answer,
        "message": answer.message,
    }


def _trace(answer: Answer) -> dict[str, object]:
    """How the answer was come by."""
    return {
        "kind": answer.kind,
        "confidence": answer.retrieval_quality.confidence_score,
        "fallbacks": list(answer.retrieval_quality.fallback_reasons),
        "coverage": answer.coverage,
        "observations": list(answer.observations),
        "quotes": [
            {"doc_id": one.doc_id, "start": one.start, "end": one.end, "quote": one.quote}
            for one in answer.sources
        ],
        "suggestions": [one.label for one in answer.suggestions],
    }


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()
