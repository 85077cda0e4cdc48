"""A vocabulary on a Skosmos server."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from anyio.to_thread import run_sync

from groundwire.errors import EvidenceError, SKOSMOSError, SKOSMOSTimeout
from groundwire.guard import Cache, LoopThread
from groundwire.model import Concept, LabelKind, SKOSMOSResult, Suggestion
from groundwire.observe import Log, Metrics
from groundwire.terms._fold import Text, best, clean, loose_key, normalize
from groundwire.terms._jsonld import Graph
from groundwire.terms._protocol import Match, checked_term, decide, present
from groundwire.terms._report import Accounts
from groundwire.terms._rest import SkosmosRest, within
from groundwire.terms._terminology import Candidate, nearest
from groundwire.text import inflections, same_letters

MAX_CONCEPTS = 10
"""Concepts of one name that are read: each costs a call, all at the same time."""
MAX_OTHER_FORMS = 3
PREFIX_CHARS = 3
MAX_PREFIX_HITS = 50
MISS_SHARE_OF_TTL = 0.1
TIMEOUT_TRIGGERS = frozenset(("__test_skosmos_timeout__", "test_timeout_trigger"))

_LABEL_FIELDS: dict[str, LabelKind] = {
    "prefLabel": "preferred",
    "matchedPrefLabel": "preferred",
    "altLabel": "alternative",
    "hiddenLabel": "hidden",
}


class SKOSMOSClient:
    """Looks terms up on a server, within a deadline and through a cache [S3 Gap A].

    `base_url` is the server or its `/rest/v1`. Without `vocabulary` all of its vocabularies are
    searched, which real servers seldom manage in 300 ms.
    """

    backend = "skosmos"

    def __init__(
        self,
        base_url: str,
        timeout_ms: int = 300,
        cache_ttl_seconds: float = 600,
        cache_max_size: int = 5000,
        *,
        vocabulary: str | None = None,
        language: str | None = None,
        languages: Sequence[str] = ("en",),
        test_triggers: bool = False,
        counted: Metrics | None = None,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeout_ms = timeout_ms
        self._ttl_s = float(cache_ttl_seconds)
        self._languages = tuple(languages)
        self._vocabulary = vocabulary
        self._test_triggers = test_triggers
        self._cache = Cache[SKOSMOSResult](
            max_entries=cache_max_size, ttl_s=self._ttl_s, timer=timer
        )
        self._accounts = Accounts(self.backend, component="skosmos", counted=counted)
        self._log = Log("skosmos")
        self._rest = SkosmosRest(base_url, vocabulary=vocabulary, language=language)
        self._loop = LoopThread("groundwire-skosmos")

    def lookup(self, term: str) -> SKOSMOSResult:
        """The vocabulary's answer; raises `SKOSMOSTimeout` or `SKOSMOSError` if there is none."""
        term = checked_term(term)
        if (known := self._cache.get(normalize(term))) is not None:
            return self._accounts.from_cache(known)
        self._rest.prepare()
        with self._accounts.lookup(term) as answer:
            answer.result = self._loop.submit(self._answered(term)).result()
        ttl_s = self._ttl_s if answer.result.found else self._ttl_s * MISS_SHARE_OF_TTL
        self._cache.put(normalize(term), answer.result, ttl_s=ttl_s)
        return answer.result

    async def alookup(self, term: str) -> SKOSMOSResult:
        return await run_sync(self.lookup, term)

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        try:
            return _is_label(phrase, self.lookup(phrase), in_any_number=in_any_number)
        except EvidenceError:
            return False

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        self._rest.prepare()
        with self._accounts.lookup(uri) as answer:
            answer.result = self._loop.submit(self._described(uri)).result()
        return answer.result

    def other_labels(self, phrase: str) -> list[str]:  # noqa: ARG002 - a server is not asked
        return []

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        self._rest.prepare()
        return self._loop.submit(self._suggestions(term, limit)).result()

    def problems(self) -> list[str]:
        return []

    def close(self) -> None:
        if self._loop.is_running:
            self._loop.submit(self._rest.close()).result()
        self._loop.close()

    async def _answered(self, term: str) -> SKOSMOSResult:
        if self._test_triggers and is_timeout_trigger(term):
            raise SKOSMOSTimeout("The vocabulary server is taken to be slow, as this test asks.")
        concepts = await within(self._timeout_ms, self._concepts(term))
        return decide(term, concepts, self.backend)

    async def _described(self, uri: str) -> SKOSMOSResult:
        concept = await within(self._timeout_ms, self._concept(uri))
        if concept is None:
            return decide(uri, [], self.backend)
        return decide(concept.label, [concept], self.backend)

    async def _concepts(self, term: str) -> list[Concept]:
        matches = await self._matches(term)
        chosen = list(matches.items())[:MAX_CONCEPTS]
        found = await asyncio.gather(*(self._concept(uri, match) for uri, match in chosen))
        missing = [uri for (uri, _), concept in zip(chosen, found, strict=True) if concept is None]
        if missing:
            raise SKOSMOSError(f"The vocabulary server found {term!r} but has no data on it.")
        return [concept for concept in found if concept is not None]

    async def _matches(self, term: str) -> dict[str, Match]:
        """The concepts a term names: as it is written, else in another number or case."""
        if matches := _matching(await self._rest.find(term), [term]):
            return matches
        forms = other_forms(term)
        hits = await asyncio.gather(*(self._rest.find(form) for form in forms))
        return _matching([hit for found in hits for hit in found], forms)

    async def _concept(
        self, uri: str, match: Match | None = None, *, follow: bool = True
    ) -> Concept | None:
        document = await self._rest.data(uri)
        graph = Graph(document or {})
        record = graph.record(uri, self._vocabulary)
        if record is None:
            return None
        names = graph.names()
        successor = None
        if record.successor is not None:
            known = best(names.get(record.successor, ()), self._languages) or Text(record.successor)
            successor = Concept(uri=record.successor, label=known.text)
            if follow and not record.definitions:
                successor = await self._concept(record.successor, follow=False) or successor
        return present(
            record, names=names, match=match, languages=self._languages, successor=successor
        )

    async def _suggestions(self, term: str, limit: int) -> list[Suggestion]:
        key = loose_key(term)
        prefix = key.split(" ")[0][:PREFIX_CHARS]
        if len(prefix) < PREFIX_CHARS or not prefix.isalnum():
            return []
        try:
            found = self._rest.starting_with(prefix, MAX_PREFIX_HITS)
            hits = await within(self._timeout_ms, found)
        except EvidenceError as error:
            self._log.info("no_suggestions", problem=error.message)
            return []
        labels = [Candidate(loose_key(label), label, uri) for uri, label, _ in _labels(hits)]
        return [
            Suggestion(id=near.uri, label=near.label, kind="term", score=score)
            for near, score in nearest(key, labels, limit)
        ]


def is_timeout_trigger(term: str) -> bool:
    return normalize(term) in TIMEOUT_TRIGGERS


def other_forms(term: str) -> list[str]:
    """Spellings to try on a server, which folds neither number nor the case of most letters."""
    forms = [] if term.isascii() else [term.capitalize()]
    singulars = [form for form in inflections(loose_key(term)) if len(form) < len(term)]
    forms += sorted(singulars, key=lambda form: (-len(form), form))
    return [form for form in dict.fromkeys(forms) if form != term][:MAX_OTHER_FORMS]


def _is_label(phrase: str, result: SKOSMOSResult, *, in_any_number: bool) -> bool:
    labels = {same_letters(concept.matched_label or "") for concept in result.concepts}
    return result.found and (in_any_number or same_letters(phrase) in labels)


def _matching(hits: Sequence[Mapping[str, Any]], wanted: Sequence[str]) -> dict[str, Match]:
    """The hits whose label is one of the wanted ones: a search may return more than that."""
    keys = {same_letters(form) for form in wanted}
    matches: dict[str, Match] = {}
    for uri, label, match in _labels(hits):
        if same_letters(label) in keys:
            matches[uri] = min(match, matches.get(uri, match))
    return matches


def _labels(hits: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, Match]]:
    for hit in hits:
        lang = hit.get("lang")
        for rank, (field, kind) in enumerate(_LABEL_FIELDS.items()):
            label = hit.get(field)
            if isinstance(label, str) and (label := clean(label)):
                tag = lang if isinstance(lang, str) else ""
                yield hit["uri"], label, Match(rank, label, tag, kind)
