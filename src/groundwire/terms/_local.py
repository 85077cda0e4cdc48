"""A vocabulary in files, answered from its index."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import TypeVar

from groundwire.errors import (
    EvidenceError,
    GroundwireError,
    SKOSMOSTimeout,
    StoreCorrupt,
    StoreError,
    UnreadableSource,
)
from groundwire.model import Concept, SKOSMOSResult, Suggestion
from groundwire.observe import Metrics
from groundwire.terms._fold import loose_key
from groundwire.terms._index import IndexedFile, Queries, VocabularyIndex, vocabulary_files
from groundwire.terms._protocol import Match, Vocabulary, checked_term, decide, present
from groundwire.terms._rdf import ConceptRecord
from groundwire.terms._report import Accounts
from groundwire.terms._skosmos import is_timeout_trigger
from groundwire.terms._terminology import nearest

MAX_CONCEPTS = 50
MAX_SUCCESSIONS = 5
RECHECK_S = 2.0
"""How often a running process looks whether the files have changed."""

Result = TypeVar("Result")


class LocalVocabulary:
    """SKOS files behind the same calls as a server.

    Files are indexed at first use and again when they change. One that cannot be read does not
    hide the others: it is named in `problems`, and what was last read from it still answers.
    """

    backend = "local"

    def __init__(
        self,
        paths: Sequence[Path],
        index: Path,
        *,
        languages: Sequence[str] = ("en",),
        max_file_mb: float = 50,
        counted: Metrics | None = None,
        timer: Callable[[], float] = time.monotonic,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self._progress = progress
        self._paths = list(paths)
        self._index_path = index
        self._languages = tuple(languages)
        self._max_file_bytes = int(max_file_mb * 1_000_000)
        self._accounts = Accounts(self.backend, component="vocabulary", counted=counted)
        self._timer = timer
        self._lock = RLock()
        self._index: VocabularyIndex | None = None
        self._checked_s: float | None = None
        self._files: dict[int, IndexedFile] = {}
        self._problems: list[str] = []

    def close(self) -> None:
        with self._lock:
            if self._index is not None:
                self._index.close()
            self._index = self._checked_s = None

    def files(self) -> list[IndexedFile]:
        """The files there are answers from."""
        return self._asked(lambda _: list(self._files.values()))

    def problems(self) -> list[str]:
        """What is wrong with files that could not be read."""
        return self._asked(lambda _: list(self._problems))

    def forget(self, path: Path) -> None:
        """Drop what was read from a file that is no longer wanted."""
        with self._lock:
            self._opened().forget(path.absolute())
            self._checked_s = None

    def lookup(self, term: str) -> SKOSMOSResult:
        term = checked_term(term)
        with self._accounts.lookup(term) as answer:
            concepts = self._asked(lambda index: self._concepts(index, index.matches(term)))
            answer.result = decide(term, concepts, self.backend)
        return answer.result

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        matches = Queries.matches if in_any_number else Queries.exact_matches
        return bool(self._asked(lambda index: matches(index, phrase)))

    def other_labels(self, phrase: str) -> list[str]:
        found = self._asked(lambda index: self._concepts(index, index.exact_matches(phrase)))
        named = [label for one in found for label in (one.label, *one.alternative_labels)]
        return [label for label in dict.fromkeys(named) if label.lower() != phrase.lower()]

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        with self._accounts.lookup(uri) as answer:
            found = self._asked(lambda index: self._concepts(index, {uri: None}))
            answer.result = decide(found[0].label if found else uri, found, self.backend)
        return answer.result

    def preferred_labels(self) -> list[tuple[str, str]]:
        """The address and a preferred label of every concept."""
        return self._asked(Queries.preferred)

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        return self._asked(lambda index: self._suggestions(index, loose_key(term), limit))

    def _asked(self, question: Callable[[Queries], Result]) -> Result:
        """Ask the index; one that turns out to be damaged is rebuilt, once."""
        with self._lock:
            try:
                return question(self._current())
            except StoreCorrupt:
                if self._index is not None:
                    self._index.rebuild()
                self._checked_s = None
                return question(self._current())

    def _opened(self) -> VocabularyIndex:
        if self._index is None:
            self._index = VocabularyIndex(
                self._index_path, max_file_bytes=self._max_file_bytes, progress=self._progress
            )
        return self._index

    def _current(self) -> Queries:
        index = self._opened()
        now_s = self._timer()
        if self._checked_s is None or now_s - self._checked_s >= RECHECK_S:
            self._files, self._problems = index.update(vocabulary_files(self._paths))
            self._checked_s = now_s
        if self._problems and not self._files:
            raise UnreadableSource(" ".join(self._problems))
        return Queries(index, list(self._files))

    def _concepts(self, index: Queries, matches: Mapping[str, Match | None]) -> list[Concept]:
        chosen = sorted(matches, key=lambda uri: (matches[uri] or (), uri))[:MAX_CONCEPTS]
        records = index.records(chosen)
        heirs = self._heirs(index, records)
        names = index.names([*records.values(), *heirs.values()])

        def shown(record: ConceptRecord, match: Match | None, seen: frozenset[str]) -> Concept:
            heir = heirs.get(record.successor or "")
            successor = (
                None if heir is None or heir.uri in seen else shown(heir, None, seen | {heir.uri})
            )
            return present(
                record,
                names=names,
                match=match,
                languages=self._languages,
                successor=successor,
            )

        return [
            shown(records[uri], matches[uri], frozenset((uri,))) for uri in chosen if uri in records
        ]

    def _heirs(
        self, index: Queries, records: Mapping[str, ConceptRecord]
    ) -> dict[str, ConceptRecord]:
        """The successors of deprecated concepts, and theirs in turn."""
        heirs: dict[str, ConceptRecord] = {}
        found = records
        for _ in range(MAX_SUCCESSIONS):
            wanted = {record.successor for record in found.values() if record.successor}
            found = index.records(wanted - heirs.keys())
            heirs |= found
        return heirs

    def _suggestions(self, index: Queries, key: str, limit: int) -> list[Suggestion]:
        near = nearest(key, index.similar(key), limit)
        found = self._concepts(index, {candidate.uri: None for candidate, _ in near})
        definitions = {concept.uri: concept.definition for concept in found}
        return [
            Suggestion(
                id=candidate.uri,
                label=candidate.label,
                kind="term",
                detail=definitions.get(candidate.uri),
                score=score,
            )
            for candidate, score in near
        ]


class LayeredVocabulary:
    """Several vocabularies, asked in order until one knows the term.

    What one of them knows is never withdrawn because a later one failed. When none knows the term
    and one failed, that failure is the answer: the term may well be there.
    """

    def __init__(
        self,
        layers: Sequence[Vocabulary],
        *,
        test_triggers: bool = False,
        counted: Metrics | None = None,
    ) -> None:
        self._layers = tuple(layers)
        self._test_triggers = test_triggers
        self._accounts = Accounts("skosmos", component="skosmos", counted=counted)

    def lookup(self, term: str) -> SKOSMOSResult:
        term = checked_term(term)
        self._simulate(term)
        return self._first(lambda layer: layer.lookup(term))

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        return any(layer.has_label(phrase, in_any_number=in_any_number) for layer in self._layers)

    def other_labels(self, phrase: str) -> list[str]:
        return [label for layer in self._layers for label in layer.other_labels(phrase)]

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        return _merged([layer.suggest(term, limit) for layer in self._layers], limit)

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        return self._first(lambda layer: layer.lookup_uri(uri))

    def problems(self) -> list[str]:
        return [problem for layer in self._layers for problem in layer.problems()]

    def close(self) -> None:
        for layer in self._layers:
            layer.close()

    def _first(self, ask: Callable[[Vocabulary], SKOSMOSResult]) -> SKOSMOSResult:
        """The best answer: a definition ends the search, a concept without one does not."""
        best: SKOSMOSResult | None = None
        failure: GroundwireError | None = None
        for layer in self._layers:
            try:
                result = ask(layer)
            except (EvidenceError, StoreError) as error:
                failure = failure or error
                continue
            if best is None or not best.found or result.outcome in _DEFINED:
                best = result
            if best.outcome in _DEFINED:
                break
        if best is not None and (best.found or failure is None):
            return best
        raise failure or ValueError("no vocabulary was asked")

    def _simulate(self, term: str) -> None:
        """The terms reserved for tests behave as on a slow server, whoever would be asked."""
        if self._test_triggers and is_timeout_trigger(term):
            with self._accounts.lookup(term):
                raise SKOSMOSTimeout("The vocabulary server is taken to be slow, as a test asks.")


_DEFINED = ("found", "ambiguous")


def _merged(lists: Sequence[Sequence[Suggestion]], limit: int) -> list[Suggestion]:
    unique = {suggestion.id: suggestion for found in reversed(lists) for suggestion in found}
    best_first = sorted(unique.values(), key=lambda item: (-(item.score or 0), item.label, item.id))
    return best_first[:limit]
