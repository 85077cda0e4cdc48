"""What the graph knows about a report: no model is asked here [S0]."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from groundwire._patterns import lazy_pattern
from groundwire.config import DiagnosisSection
from groundwire.diagnose._danger import without_danger
from groundwire.diagnose._statements import Statement, statements_of
from groundwire.graph import (
    Bears,
    CausalKnowledgeGraph,
    Embedder,
    Match,
    Matcher,
    Refutes,
    Tells,
    causal_chains,
)
from groundwire.model import (
    CausalChain,
    DiagnosisContext,
    HistoricalFix,
    MatchedEntity,
    Metric,
    RootCause,
    RuledOut,
    SimilarIncident,
    Span,
    Subgraph,
    Symptom,
)
from groundwire.observe import span as traced
from groundwire.text import denial_before, does_not_work, is_negation, marks_in, words_of

MAX_FIXES = 5
MAX_INCIDENTS = 3
_MAX_MEANT_CHARS = 1_000
# such as "as usual", "within its limits", "was renewed": so there is nothing wrong with it
_SOUND = lazy_pattern(
    r"\b(?:normal|as usual|as expected|as it should|within (?:its |the )?limits?|healthy"
    r"|fine|ok|okay|in (?:good )?order|intact|still valid|unaffected|untrue|false alarm|renewed"
    r"|repaired|already (?:fixed|replaced|cleared)|plenty|works?|working|unlikely|doubtful"
    r"|improbable)\b",
    re.IGNORECASE,
)
# such as "No." after a question
_NO = lazy_pattern(r"^no\b[.,!;]?", re.IGNORECASE)


class Retriever:
    """Finds in a graph what a report speaks of, what may have caused it, and what helped then."""

    def __init__(
        self,
        graph: CausalKnowledgeGraph,
        embedder: Embedder | None = None,
        settings: DiagnosisSection | None = None,
        tells: Tells | None = None,
        refutes: Refutes | None = None,
        *,
        bears: Bears | None = None,
    ) -> None:
        self.graph = graph
        self._settings = settings or DiagnosisSection()
        self._matcher = Matcher(
            list(graph.variables.values()),
            embedder,
            similarity_floor=self._settings.similarity_floor,
            lexical_link=self._settings.lexical_link,
            tells=tells,
            refutes=refutes,
            bears=bears,
        )

    def retrieve(self, input_text: str) -> DiagnosisContext:
        with traced("diagnose.retrieve", input_chars=len(input_text)):
            statements = list(statements_of(input_text))
            read = [self._read(one) for one in statements if not one.is_hedged]
            entities = tuple(entity for one in read for entity in one.entities)
            present = {one.id for one in entities if not one.is_absent}
            why_denied = self._denied(statements)
            why_denied |= {one.id: one.statement for one in entities if one.is_absent}
            denied = why_denied.keys()
            chains = self._chains(present, denied - present)
            # the words lead to no cause; what they mean may, if it is known what else is told
            if not chains and self.graph.beside and (meant := self._meant(input_text)) is not None:
                found = {one.id for one in meant.entities} - denied
                if more := self._chains(found, denied - found) if found else ():
                    read, entities, present, chains = [meant], meant.entities, found, more
            absent = denied - present
            roots = self._root_causes(chains, present, absent)
            return DiagnosisContext(
                input_text=input_text,
                metrics=tuple(metric for one in read for metric in one.metrics),
                symptoms=tuple(one.symptom for one in read if one.symptom is not None),
                matched_entities=_best_of_each(entities),
                root_causes=roots,
                causal_chains=chains,
                subgraph=self._subgraph(chains, present | absent),
                relevant_fixes=self._fixes(chains, roots),
                similar_incidents=self._incidents(input_text),
                ruled_out=self._ruled_out(present, chains, why_denied),
                similarity="vectors" if self._matcher.uses_vectors else "words",
            )

    def _chains(self, present: set[str], absent: set[str]) -> tuple[CausalChain, ...]:
        return causal_chains(
            self.graph,
            present,
            blocked=absent,
            max_length=self._settings.max_chain_length,
            max_chains=self._settings.max_chains,
        )

    def _denied(self, statements: Sequence[Statement]) -> dict[str, str]:
        """Everything a denial may be about, with the denial: whoever says that the disk "hasn't
        filled up" need not say "full" to rule out a full disk. What is denied is no diagnosis
        [RULINGS, S0]."""
        denied: dict[str, str] = {}
        before: Statement | None = None
        for one in statements:
            touched: set[str] = set()
            if _says_no(one.text):
                touched = self._matcher.touched(one.text)
            elif _NO.match(one.text) and before is not None:
                touched = self._matcher.touched(before.text)
            if not one.is_hedged:
                touched |= self._matcher.opposed(one.text)
            for name in touched:
                denied.setdefault(name, one.text)
            before = one
        return denied

    def _ruled_out(
        self, present: set[str], chains: Sequence[CausalChain], why_denied: Mapping[str, str]
    ) -> tuple[RuledOut, ...]:
        """Of what is left without a cause, the nearest denied one on each way to it."""
        explained = {node for chain in chains for node in chain.nodes}
        found: dict[tuple[str, str], RuledOut] = {}
        for chain in self._chains(present - explained, set()):
            effect = chain.nodes[-1]
            for cause in reversed(chain.nodes[:-1]):
                if cause in why_denied and cause not in present:
                    names = self.graph.variables
                    found[cause, effect] = RuledOut(
                        cause=names[cause].label,
                        effect=names[effect].label,
                        statement=why_denied[cause],
                    )
                    break
        return tuple(found.values())

    def _meant(self, report: str) -> "_Read | None":
        """Where its words lead nowhere: what the report means, if that is clear enough."""
        said = report[:_MAX_MEANT_CHARS].strip()
        span = Span(start=report.index(said), end=report.index(said) + len(said))
        found = self._matcher.meant(said, self.graph)
        entities = tuple(
            MatchedEntity(
                id=one.variable.id,
                label=one.variable.label,
                score=one.score,
                mention=said,
                statement=said,
                span=span,
                is_by_meaning=True,
            )
            for one in found
        )
        if not entities:
            return None
        bound = tuple(one.id for one in entities)
        return _Read(entities, (), Symptom(statement=said, span=span, bound_to=bound))

    def _incidents(self, report: str) -> tuple[SimilarIncident, ...]:
        """The documents nearest to a report, with what was done then; nothing is concluded."""
        fixes = {
            one.quote.doc_id: without_danger(one.fix)
            for one in self.graph.fixes
            if one.quote is not None
        }
        near = self._matcher.nearest(report[:_MAX_MEANT_CHARS], self.graph.bundles)
        return tuple(
            SimilarIncident(
                doc_id=bundle.source.doc_id,
                title=bundle.source.title or bundle.source.doc_id,
                likeness=round(min(1.0, max(0.0, likeness)), 4),
                fix=fixes.get(bundle.source.doc_id),
            )
            for bundle, likeness in near[:MAX_INCIDENTS]
        )

    def _read(self, statement: Statement) -> "_Read":
        matches = self._matcher.match(statement.text, has_metric=bool(statement.quantities))
        entities = tuple(_entity(statement, match) for match in matches)
        present = tuple(one.id for one in entities if not one.is_absent)
        symptom = None
        if present or (statement.observes and not entities):
            symptom = Symptom(statement=statement.text, span=statement.span, bound_to=present)
        return _Read(entities, _metrics(statement, matches), symptom)

    def _root_causes(
        self, chains: Sequence[CausalChain], present: set[str], absent: set[str]
    ) -> tuple[RootCause, ...]:
        beliefs: dict[str, float] = {}
        for chain in chains:
            root = chain.nodes[0]
            beliefs[root] = max(beliefs.get(root, 0.0), chain.belief)
        roots = [
            RootCause(
                id=root,
                label=self.graph.variables[root].label,
                explains=tuple(sorted(present & (self.graph.effects_of(root, absent) | {root}))),
                belief=belief,
            )
            for root, belief in beliefs.items()
        ]
        return tuple(sorted(roots, key=lambda one: (-len(one.explains), -one.belief, one.id)))

    def _subgraph(self, chains: Sequence[CausalChain], spoken_of: set[str]) -> Subgraph:
        nodes = spoken_of | {node for chain in chains for node in chain.nodes}
        edges = {edge for chain in chains for edge in chain.edges}
        return Subgraph(
            variables=tuple(self.graph.variables[node] for node in sorted(nodes)),
            edges=tuple(edge for edge in self.graph.edges if edge.id in edges),
        )

    def _fixes(
        self, chains: Sequence[CausalChain], roots: Sequence[RootCause]
    ) -> tuple[HistoricalFix, ...]:
        """Those that speak of the likeliest root causes; failing that, of what they lead to."""
        if not roots:
            return ()
        likeliest = {root.id for root in roots if len(root.explains) == len(roots[0].explains)}
        nodes = {node for chain in chains if chain.nodes[0] in likeliest for node in chain.nodes}
        about_root = [fix for fix in self.graph.fixes if likeliest & set(fix.variables)]
        about_way = [fix for fix in self.graph.fixes if nodes & set(fix.variables)]
        found = about_root or about_way
        found.sort(key=lambda fix: (-len(nodes & set(fix.variables)), fix.case_id))
        safe = (one.model_copy(update={"fix": without_danger(one.fix)}) for one in found)
        return tuple(islice(safe, MAX_FIXES))


@dataclass(frozen=True)
class _Read:
    entities: tuple[MatchedEntity, ...]
    metrics: tuple[Metric, ...]
    symptom: Symptom | None


def _entity(statement: Statement, match: Match) -> MatchedEntity:
    start = statement.span.start
    return MatchedEntity(
        id=match.variable.id,
        label=match.variable.label,
        score=match.score,
        mention=match.span.of(statement.text),
        statement=statement.text,
        span=Span(start=start + match.span.start, end=start + match.span.end),
        is_absent=_is_denied(statement.text, match),
    )


def _is_denied(text: str, match: Match) -> bool:
    """ "no leak", "a leak was not seen", "pressure is normal"; of "data not written" the name says
    no itself. An opposite state decides: "is enabled" denies "disabled", "is not enabled" tells it.
    """
    if match.tells is not None:
        return not match.tells
    if any(map(is_negation, words_of(match.variable.label))):
        return False
    if _is_sound(text):
        return True
    over = (
        mark.scope[0] < match.span.end and match.span.start < mark.scope[1]
        for mark in marks_in(text)
        if mark.label == "negated"
    )
    return any(over) and not does_not_work(text)


def _says_no(text: str) -> bool:
    is_negated = any(mark.label == "negated" for mark in marks_in(text))
    return _is_sound(text) or (is_negated and not does_not_work(text))


def _is_sound(text: str) -> bool:
    """ "is healthy"; "is not working" says the opposite."""
    found = _SOUND.search(text)
    if found is None:
        return False
    denial = denial_before(text, found.start())
    return denial is None or len(text[denial[1] : found.start()].split()) > 1


def _metrics(statement: Statement, matches: Sequence[Match]) -> tuple[Metric, ...]:
    """A number belongs to the variable that is named nearest to it in the same statement."""
    return tuple(
        Metric(
            text=quantity.text,
            value=float(quantity.value),
            dimension=quantity.dimension,
            statement=statement.text,
            span=Span(start=quantity.start, end=quantity.end),
            bound_to=_nearest(quantity.start - statement.span.start, matches),
        )
        for quantity in statement.quantities
    )


def _nearest(place: int, matches: Sequence[Match]) -> str | None:
    if not matches:
        return None
    nearest = min(
        matches, key=lambda one: min(abs(one.span.start - place), abs(one.span.end - place))
    )
    return nearest.variable.id


def _best_of_each(entities: Sequence[MatchedEntity]) -> tuple[MatchedEntity, ...]:
    """One entity a variable. What one sentence denies and another reports is there."""
    best: dict[str, MatchedEntity] = {}
    for one in entities:
        kept = best.get(one.id)
        if kept is None or (kept.is_absent, -kept.score) > (one.is_absent, -one.score):
            best[one.id] = one
    return tuple(sorted(best.values(), key=lambda one: (one.is_absent, -one.score, one.id)))
