"""A run over documents: kept as it goes, and tried with planted false edges at its end."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Literal

from pydantic import Field

from groundwire.config import VerificationConfig
from groundwire.evidence import Refused
from groundwire.ground._agent import VerificationAgent
from groundwire.ground._alike import alike
from groundwire.ground._documents import DocumentReadings
from groundwire.ground._evidence import EdgeReader
from groundwire.ground._extract import Extractor
from groundwire.ground._graph import assemble
from groundwire.ground._judge import EmbeddedEdgeJudge
from groundwire.ground._learned import learned_drafter
from groundwire.ground._match import VariableNames
from groundwire.ground._outcome import record
from groundwire.ground._read import Drafted
from groundwire.ground._retriever import FixedRetriever, Retriever
from groundwire.ground._signs import sign_reader
from groundwire.ground._types import EdgeJudge, EdgeOutcome, Hypothesis, Stated
from groundwire.ground._variables import Vocabulary, acronyms_in
from groundwire.judge import together
from groundwire.model import CausalGraphFile, Document, EvidenceBundle, GraphRun, Model, edge_id
from groundwire.observe import AuditTrail, Log, metrics, request, span
from groundwire.store import Database, Migration

_TABLES: Migration = (
    "CREATE TABLE draft (doc_id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE outcome (
        kind TEXT NOT NULL,
        edge_id TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (kind, edge_id)
    ) STRICT, WITHOUT ROWID""",
)


class Ledger:
    """Each document's drafts and each edge's outcome is kept as soon as it is there."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, [_TABLES])

    def close(self) -> None:
        self._database.close()

    def drafts(self) -> dict[str, Drafted]:
        rows = self._database.read("SELECT doc_id, value FROM draft")
        return {row["doc_id"]: Drafted.model_validate_json(row["value"]) for row in rows}

    def put_drafts(self, doc_id: str, drafted: Drafted) -> None:
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO draft VALUES (?, ?)", (doc_id, drafted.model_dump_json())
            )

    def outcomes(self, kind: str) -> dict[str, EdgeOutcome]:
        rows = self._database.read("SELECT edge_id, value FROM outcome WHERE kind = ?", (kind,))
        return {row["edge_id"]: EdgeOutcome.model_validate_json(row["value"]) for row in rows}

    def put_outcome(self, kind: str, outcome: EdgeOutcome) -> None:
        """Undetermined edges are not kept: the next run tries them again."""
        if outcome.edge.edge_status == "draft":
            return
        with self._database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?)",
                (kind, outcome.edge.id, outcome.model_dump_json()),
            )


_PLANTED = (
    "{first} and {second} were seen at the same time.",
    "{first} may have caused {second}, but that was never confirmed.",
    "{first} was correlated with {second}.",
    "The cause of {second} is not known, and {first} was ruled out.",
    "{first} coincided with {second}.",
    "Whether {first} led to {second} is still under investigation.",
    "{second} was independent of {first}.",
    "The first suspect was {first}; {second} was seen without it as well, so we ruled it out.",
)
"""Sentences that were once misread: both are named, and neither is said to cause the other."""
_SHARE = 10
"""One canary of each kind for so many edges."""
_LEAST = 2


@dataclass(frozen=True)
class Canary:
    """A planted false edge: a judge that accepts it is broken, whatever else it says [RULINGS, S1].

    `evidence` is what it brings along instead of searching: its own planted sentence.
    """

    kind: Literal["reversed", "invented", "correlation"]
    hypothesis: Hypothesis
    evidence: tuple[EvidenceBundle, ...] = ()


def plant(
    drafted: Sequence[Hypothesis], outcomes: Sequence[EdgeOutcome], *, most: int
) -> list[Canary]:
    """The same edges give the same canaries, so that a resumed run sees the same ones."""
    each = max(1, min(most // 3, max(_LEAST, len(drafted) // _SHARE)))
    grounded = {one.edge.id for one in outcomes if one.edge.edge_status == "grounded"}
    known = {hypothesis.edge.id for hypothesis in drafted}
    ordered = sorted(drafted, key=lambda one: one.edge.id)
    kinds = (
        _reversed([one for one in ordered if one.edge.id in grounded], known),
        _invented(ordered, known),
        _correlated(ordered),
    )
    return [canary for kind in kinds for canary, _ in zip(kind, range(each), strict=False)]


def _reversed(grounded: Sequence[Hypothesis], known: set[str]) -> Iterator[Canary]:
    for one in grounded:
        if edge_id(one.effect.id, one.cause.id) not in known:
            yield Canary("reversed", Hypothesis.of(one.effect, one.cause))


def _invented(drafted: Sequence[Hypothesis], known: set[str]) -> Iterator[Canary]:
    """The cause of one edge and the effect of another that no draft joins, either way round."""
    half = max(1, len(drafted) // 2)
    for place, one in enumerate(drafted):
        other = drafted[(place + half) % len(drafted)]
        ends = (one.cause.id, other.effect.id)
        joined = {edge_id(*ends), edge_id(*reversed(ends))} & known
        if ends[0] != ends[1] and not joined:
            yield Canary("invented", Hypothesis.of(one.cause, other.effect))


def _correlated(drafted: Sequence[Hypothesis]) -> Iterator[Canary]:
    for place, one in enumerate(drafted):
        first, second = one.cause.label, one.effect.label
        sentence = _PLANTED[place % len(_PLANTED)].format(first=first, second=second)
        bundle = EvidenceBundle.of(sentence, f"canary-{place}")
        edge = one.edge.model_copy(update={"id": f"correlation:{one.edge.id}"})
        yield Canary("correlation", replace(one, edge=edge, stated=()), (bundle,))


DOCUMENTS_IN_FLIGHT = 8
_log = Log("grounding")

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""
JudgeFactory = Callable[[EdgeReader], EdgeJudge]


class GroundingReport(Model):
    """What a run found and did. `set_aside` counts constructions that drafted nothing, by why;
    `resumed` counts edges that an earlier, stopped run had settled; `refused` are unread files."""

    graph: CausalGraphFile
    set_aside: dict[str, int] = Field(default_factory=dict)
    resumed: int = 0
    refused: tuple[Refused, ...] = ()
    duration_s: float = 0.0
    request_id: str


class GroundingRun:
    def __init__(
        self,
        *,
        extractor: Extractor,
        retriever: Retriever,
        judge: JudgeFactory,
        ledger: Ledger,
        settings: VerificationConfig,
        audit: AuditTrail | None = None,
        progress: Progress | None = None,
        is_own_evidence: bool = True,
    ) -> None:
        self._is_own_evidence = is_own_evidence
        self._extractor = extractor
        self._retriever = retriever
        self._judge = judge
        self._ledger = ledger
        self._settings = settings
        self._audit = audit
        self._progress = progress or (lambda _doing, _done, _of: None)

    async def run(self, documents: Sequence[Document]) -> GroundingReport:
        with request() as context, span("grounding.run", documents=len(documents)):
            readings = DocumentReadings(documents, sign_reader(), alike(), learned_drafter())
            drafted = await self._drafted(documents, readings)
            vocabulary = _vocabulary(documents, drafted)
            hypotheses = _hypotheses(vocabulary, documents, drafted)
            evidence = readings if self._is_own_evidence else None
            reader = EdgeReader(VariableNames(vocabulary.variables), evidence)
            judge = self._judge(reader)
            known = self._ledger.outcomes("edge")
            outcomes = await self._verified(hypotheses, known, reader, judge)
            canaries = await self._canaries(hypotheses, outcomes, reader, judge)
            graph = assemble(
                documents,
                vocabulary.variables,
                outcomes,
                canaries,
                settings=self._settings,
                judge=judge.name,
            )
            _count(graph.run)
        set_aside = sum((Counter(one.set_aside) for one in drafted), Counter[str]())
        return GroundingReport(
            graph=graph,
            set_aside=dict(sorted(set_aside.items())),
            resumed=len(known),
            request_id=context.request_id,
        )

    async def _drafted(
        self, documents: Sequence[Document], readings: DocumentReadings
    ) -> list[Drafted]:
        known = self._ledger.drafts()
        missing = iter([one for one in documents if one.doc_id not in known])

        async def work() -> None:
            for document in missing:
                known[document.doc_id] = await self._extractor.extract(document, readings)
                self._ledger.put_drafts(document.doc_id, known[document.doc_id])
                self._progress("Drafting", len(known), len(documents))

        await together(work() for _ in range(DOCUMENTS_IN_FLIGHT))
        return [known[document.doc_id] for document in documents]

    async def _verified(
        self,
        hypotheses: Sequence[Hypothesis],
        known: dict[str, EdgeOutcome],
        reader: EdgeReader,
        judge: EdgeJudge,
    ) -> list[EdgeOutcome]:
        agent = VerificationAgent(self._retriever, judge, reader, self._settings)
        outcomes = dict(known)

        def on_done(outcome: EdgeOutcome) -> None:
            outcomes[outcome.edge.id] = outcome
            self._ledger.put_outcome("edge", outcome)
            record(self._audit, "edge", outcome)
            self._progress("Grounding", len(outcomes), len(hypotheses))

        pending = [one for one in hypotheses if one.edge.id not in known]
        if isinstance(judge, EmbeddedEdgeJudge):
            await judge.prepare(pending)
        await agent.verify_all_edges(pending, on_done)
        return [outcomes[one.edge.id] for one in hypotheses]

    async def _canaries(
        self,
        hypotheses: Sequence[Hypothesis],
        outcomes: Sequence[EdgeOutcome],
        reader: EdgeReader,
        judge: EdgeJudge,
    ) -> list[EdgeOutcome]:
        if not self._settings.canaries or not hypotheses:
            return []
        settings = self._settings.model_copy(update={"enable_adversarial_pass": False})
        planted = plant(hypotheses, outcomes, most=settings.max_canaries)
        known = self._ledger.outcomes("canary")
        judged = []
        for number, canary in enumerate(planted, start=1):
            retriever = FixedRetriever(canary.evidence) if canary.evidence else self._retriever
            agent = VerificationAgent(retriever, judge, reader, settings)
            outcome = known.get(canary.hypothesis.edge.id)
            if outcome is None:
                outcome = await agent.verify_edge(canary.hypothesis)
                self._ledger.put_outcome("canary", outcome)
                record(self._audit, "edge_canary", outcome)
            metrics().count("grounding_canaries_total", kind=canary.kind)
            if outcome.edge.edge_status == "grounded":
                metrics().count("grounding_canaries_accepted_total", kind=canary.kind)
            judged.append(outcome)
            self._progress("Canaries", number, len(planted))
        return judged


def _count(run: GraphRun) -> None:
    if run.acceptance_rate is not None:
        metrics().set("grounding_acceptance_rate", run.acceptance_rate)
    for warning in run.warnings:
        _log.info("grounding_warning", warning=warning)


def _vocabulary(documents: Sequence[Document], drafted: Sequence[Drafted]) -> Vocabulary:
    owned = list(zip(documents, drafted, strict=True))
    names = (
        (name, document.doc_id)
        for document, one in owned
        for edge in one.edges
        for name in (edge.from_var, edge.to_var)
    )
    aliases = {
        (name, document.doc_id): others
        for document, one in owned
        for name, others in one.aliases.items()
    }
    return Vocabulary(names, acronyms_in([document.text for document in documents]), aliases)


def _hypotheses(
    vocabulary: Vocabulary, documents: Sequence[Document], drafted: Sequence[Drafted]
) -> list[Hypothesis]:
    """Each pair of variables once, by id; what the first draft said of the mechanism is kept."""
    first: dict[str, Hypothesis] = {}
    stated: dict[str, list[Stated]] = {}
    for document, one in zip(documents, drafted, strict=True):
        # a model's drafts come without the places where they were read
        for draft, numbers in zip(one.edges, one.stated or repeat(()), strict=False):
            cause, effect = (
                vocabulary.variable(name, document.doc_id)
                for name in (draft.from_var, draft.to_var)
            )
            hypothesis = Hypothesis.of(cause, effect, draft.mechanism, draft.sign)
            if cause.id != effect.id:
                first.setdefault(hypothesis.edge.id, hypothesis)
                places = stated.setdefault(hypothesis.edge.id, [])
                places += (Stated(document.doc_id, number) for number in numbers)
    return [replace(first[key], stated=tuple(stated[key])) for key in sorted(first)]
