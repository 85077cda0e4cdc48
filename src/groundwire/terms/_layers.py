from collections.abc import Awaitable, Callable, Sequence

from groundwire.errors import EvidenceError, GroundwireError, SKOSMOSTimeout, StoreError
from groundwire.model import SKOSMOSResult, Suggestion
from groundwire.observe import Metrics
from groundwire.terms._protocol import Vocabulary, checked_term
from groundwire.terms._report import Accounts
from groundwire.terms._skosmos import is_timeout_trigger


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

    async def alookup(self, term: str) -> SKOSMOSResult:
        term = checked_term(term)
        self._simulate(term)
        return await self._afirst(lambda layer: layer.alookup(term))

    def has_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        return any(layer.has_label(phrase, in_any_number=in_any_number) for layer in self._layers)

    async def ahas_label(self, phrase: str, *, in_any_number: bool = False) -> bool:
        for layer in self._layers:
            if await layer.ahas_label(phrase, in_any_number=in_any_number):
                return True
        return False

    def suggest(self, term: str, limit: int) -> list[Suggestion]:
        return _merged([layer.suggest(term, limit) for layer in self._layers], limit)

    async def asuggest(self, term: str, limit: int) -> list[Suggestion]:
        return _merged([await layer.asuggest(term, limit) for layer in self._layers], limit)

    def lookup_uri(self, uri: str) -> SKOSMOSResult:
        return self._first(lambda layer: layer.lookup_uri(uri))

    async def alookup_uri(self, uri: str) -> SKOSMOSResult:
        return await self._afirst(lambda layer: layer.alookup_uri(uri))

    def problems(self) -> list[str]:
        return [problem for layer in self._layers for problem in layer.problems()]

    def close(self) -> None:
        for layer in self._layers:
            layer.close()

    def _first(self, ask: Callable[[Vocabulary], SKOSMOSResult]) -> SKOSMOSResult:
        best = _Best()
        for layer in self._layers:
            try:
                best.take(ask(layer))
            except (EvidenceError, StoreError) as error:
                best.failed(error)
            if best.is_final:
                break
        return best.answer()

    async def _afirst(self, ask: Callable[[Vocabulary], Awaitable[SKOSMOSResult]]) -> SKOSMOSResult:
        best = _Best()
        for layer in self._layers:
            try:
                best.take(await ask(layer))
            except (EvidenceError, StoreError) as error:
                best.failed(error)
            if best.is_final:
                break
        return best.answer()

    def _simulate(self, term: str) -> None:
        """The terms reserved for tests behave as on a slow server, whoever would be asked."""
        if self._test_triggers and is_timeout_trigger(term):
            with self._accounts.lookup(term):
                raise SKOSMOSTimeout("The vocabulary server is taken to be slow, as a test asks.")


class _Best:
    """The best answer so far: a definition ends the search, a concept without one does not."""

    def __init__(self) -> None:
        self._result: SKOSMOSResult | None = None
        self._failure: GroundwireError | None = None

    def take(self, result: SKOSMOSResult) -> None:
        if self._result is None or not self._result.found or result.outcome in _DEFINED:
            self._result = result

    def failed(self, error: GroundwireError) -> None:
        self._failure = self._failure or error

    @property
    def is_final(self) -> bool:
        return self._result is not None and self._result.outcome in _DEFINED

    def answer(self) -> SKOSMOSResult:
        if self._result is not None and (self._result.found or self._failure is None):
            return self._result
        if self._failure is not None:
            raise self._failure
        raise ValueError("no vocabulary was asked")


_DEFINED = ("found", "ambiguous")


def _merged(lists: Sequence[Sequence[Suggestion]], limit: int) -> list[Suggestion]:
    unique = {suggestion.id: suggestion for found in reversed(lists) for suggestion in found}
    best_first = sorted(unique.values(), key=lambda item: (-(item.score or 0), item.label, item.id))
    return best_first[:limit]
