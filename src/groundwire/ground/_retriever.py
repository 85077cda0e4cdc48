"""What is searched for: for an edge, against it, and the other way round [S1 step 3]."""

from collections.abc import Collection, Sequence
from typing import Protocol

from groundwire.errors import EvidenceError, StoreError
from groundwire.ground._match import VariableNames, spelled_apart
from groundwire.ground._types import Hypothesis, Passage
from groundwire.model import EvidenceBundle, EvidenceSide, SearchResult, Variable
from groundwire.observe import Log, metrics
from groundwire.text import STOP_WORDS, content_terms, is_negation, words_of


def normal_form(query: str) -> str:
    """Lower case, no punctuation, no stop words: `The effect of X?` is `effect x`."""
    kept = (word for word in words_of(query) if word not in STOP_WORDS or is_negation(word))
    return " ".join(kept)


def side_queries(hypothesis: Hypothesis) -> dict[EvidenceSide, str]:
    cause, effect = _spelled(hypothesis.cause), _spelled(hypothesis.effect)
    return {
        "support": f"{cause} causes {effect}",
        "refute": f"{effect} not caused by {cause}",
        "reversed": f"{effect} causes {cause}",
    }


def refinement(hypothesis: Hypothesis, attempted: Collection[str]) -> str | None:
    """Another way to ask, by rule: the first rewriting that has not been tried."""
    cause, effect = hypothesis.cause, hypothesis.effect
    rewritings = (
        f"{_other_name(effect)} because of {_other_name(cause)}",
        f"{effect.label} due to {cause.label} root cause",
        f"{_heads(cause)} led to {_heads(effect)}",
    )
    return next((query for query in rewritings if normal_form(query) not in attempted), None)


def _spelled(variable: Variable) -> str:
    """An identifier together with its words: texts write either."""
    apart = spelled_apart(variable.label)
    return variable.label if apart == variable.label else f"{variable.label} {apart}"


def _other_name(variable: Variable) -> str:
    return variable.aliases[0] if variable.aliases else variable.label


def _heads(variable: Variable) -> str:
    """The last two words that carry a name: what it is, without what sort of it."""
    return " ".join(content_terms(variable.label)[-2:]) or variable.label


POOL_FACTOR = 5
POOL_PER_DOCUMENT = 6
"""So many times the passages wanted are looked through for those that name both variables."""

_log = Log("grounding")


class EvidenceSearch(Protocol):
    """The part of an index's searcher that is needed here."""

    async def search(
        self, query: str, *, limit: int = 8, per_document: int = 3
    ) -> SearchResult: ...


class Retriever(Protocol):
    async def retrieve(
        self, hypothesis: Hypothesis, refined: str | None = None
    ) -> tuple[list[str], list[Passage]]: ...


class GroundingRetriever:
    """Three searches: for support, for refutation, for the reversed direction [S1].

    A search without vectors is one by words (the searcher falls back by itself); an index that
    cannot be searched at all is an `EvidenceError`, and the edge stays a draft.
    """

    def __init__(self, search: EvidenceSearch, *, passages_per_side: int = 4) -> None:
        self._search = search
        self._passages_per_side = passages_per_side

    async def retrieve(
        self, hypothesis: Hypothesis, refined: str | None = None
    ) -> tuple[list[str], list[Passage]]:
        """The queries that were put and what they found, each passage once, support first.

        A refined query looks for support in other words; what speaks against the edge was looked
        for the first time round.
        """
        queries: dict[EvidenceSide, str] = (
            side_queries(hypothesis) if refined is None else {"support": refined}
        )
        names = VariableNames([hypothesis.cause, hypothesis.effect])
        found: dict[str, Passage] = {}
        by_words: dict[frozenset[str], Sequence[EvidenceBundle]] = {}
        for side, query in queries.items():
            metrics().count("grounding_queries_total", side=side)
            hits = await self._hits(query, by_words)
            for bundle in _most_to_the_point(hits, hypothesis, names)[: self._passages_per_side]:
                passage = Passage(bundle, side)
                found.setdefault(passage.id, passage)
        return list(queries.values()), list(found.values())

    async def _hits(
        self, query: str, by_words: dict[frozenset[str], Sequence[EvidenceBundle]]
    ) -> Sequence[EvidenceBundle]:
        """By words alone `A causes B` and `B causes A` are one search."""
        words = frozenset(content_terms(query))
        if words in by_words:
            return by_words[words]
        try:
            result = await self._search.search(
                query, limit=POOL_FACTOR * self._passages_per_side, per_document=POOL_PER_DOCUMENT
            )
        except StoreError as error:
            _log.warn("evidence_unavailable", error=str(error))
            raise EvidenceError(f"The evidence index cannot be searched: {error}") from error
        if result.method == "bm25":
            by_words[words] = result.hits
        return result.hits


def _most_to_the_point(
    hits: Sequence[EvidenceBundle], hypothesis: Hypothesis, names: VariableNames
) -> list[EvidenceBundle]:
    """Passages that name both variables first, each lot in the order of the search.

    Meaning says little about identifiers, and a fused ranking lets it outweigh the words.
    """

    def named(bundle: EvidenceBundle) -> int:
        text = f"{bundle.source.title or ''}\n{bundle.content}"
        ends = (hypothesis.cause, hypothesis.effect)
        return sum(names.is_mentioned(variable, text) for variable in ends)

    return sorted(hits, key=lambda bundle: -named(bundle))


class FixedRetriever:
    """Always the same passages: how canaries bring their own evidence."""

    def __init__(self, bundles: Sequence[EvidenceBundle]) -> None:
        self._passages = [Passage(bundle, "support") for bundle in bundles]

    async def retrieve(
        self, hypothesis: Hypothesis, refined: str | None = None
    ) -> tuple[list[str], list[Passage]]:
        query = refined or side_queries(hypothesis)["support"]
        return [query], list(self._passages)
