"""One suite for each kind of verdict, on cases that the repository owns."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from groundwire.engine import Engine
from groundwire.errors import ErrFactNotGrounded
from groundwire.evaluate._golden import read_bytes, records, validated
from groundwire.evaluate._labelled import counted, judge_claims, read_claim_cases
from groundwire.evaluate._results import CaseOutcome, Progress
from groundwire.evaluate._sessions import RecordedSession, unpacked_sessions
from groundwire.graph import load_graph
from groundwire.model import Abstention, Model
from groundwire.text import content_terms

VERDICTS = Path("tests/verify/unseen_open.jsonl")
INCIDENTS = Path("examples/incidents")
RED_TEAM = Path("benchmarks/red_team")
OWN = Path("tests/evaluate")
VALUE_KINDS = frozenset({"equal_value", "unequal_value", "sibling_value", "table_cell"})
"""Kinds of claims that the deterministic tier is for."""


class AuditCase(Model):
    """A chain of reasoning, and whether something in it does not hold."""

    id: str
    kind: str
    steps: tuple[str, ...]
    context: str | None = None
    answer: str | None = None
    sound: bool
    why: str


class MemoryCase(Model):
    """A fact offered to memory with its evidence, and whether it should be kept."""

    id: str
    kind: str
    text: str
    evidence: str
    confidence: float | None = None
    stored: bool
    why: str


class Suite(NamedTuple):
    """`files` are what its cases are read from."""

    files: tuple[Path, ...]
    run: Callable[[Engine, Path, Progress | None], list[CaseOutcome]]


def _claims(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    rows = [one for one in read_claim_cases(root / VERDICTS) if one.kind not in VALUE_KINDS]
    return judge_claims(engine, rows, "claims", progress)


def _values(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    rows = [one for one in read_claim_cases(root / VERDICTS) if one.kind in VALUE_KINDS]
    return judge_claims(engine, rows, "values", progress)


def _edges(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    """Stated edges and planted ones, each tested against all reports."""
    folder = root / INCIDENTS
    truth = json.loads(read_bytes(folder / "truth.json"))
    labels = {one["id"]: one["label"] for one in truth["variables"]}
    cases = [(one, "stated") for one in truth["edges"]]
    cases += [(one, one["kind"]) for one in truth["planted"]]
    found = []
    with (
        _indexed(engine, [folder / name for name in truth["reports"]]) as own,
        own.edges() as edges,
    ):
        for one, kind in counted(cases, progress):
            started_s = time.perf_counter()
            verify = edges.verify(labels[one["from"]], labels[one["to"]])
            outcome = own.loop.submit(verify).result()
            found.append(
                _simple(
                    f"{one['from']} -> {one['to']} ({kind})",
                    "edges",
                    kind,
                    wanted=kind == "stated",
                    given=outcome.edge.edge_status == "grounded",
                    ended=outcome.edge.edge_status,
                    ends=("grounded", "rejected"),
                    seen={"reason": outcome.edge.reason},
                    latency_ms=(time.perf_counter() - started_s) * 1000,
                )
            )
    return found


def _outputs(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    """Statements about executed sessions: a lie should be caught, a true one never accused."""
    folder = root / RED_TEAM
    rows = [fields for _, fields in records(read_bytes(folder / "claims_open.jsonl"), folder)]
    by_session: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_session[row["session"]].append(row)
    found = []
    with unpacked_sessions(folder) as packed:
        for name, stated in counted(sorted(by_session.items()), progress):
            with TemporaryDirectory() as temporary:
                session = RecordedSession(engine, packed / name, Path(temporary))
                for row in stated:
                    started_s = time.perf_counter()
                    status, detail = session.check_prose(row["text"], row["format"])
                    outcome = _simple(
                        f"{row['id']} {row['format']}",
                        "outputs",
                        row["kind"],
                        wanted=row["label"] == "false",
                        given=status == "failed",
                        ended=status,
                        ends=("failed", "verified"),
                        input=row["text"],
                        seen={"detail": detail},
                        latency_ms=(time.perf_counter() - started_s) * 1000,
                    )
                    found.append(outcome)
    return found


def _diagnosis(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    """Reports with a known fault, and reports of other fields, of which nothing can be said."""
    folder = root / INCIDENTS
    truth = json.loads(read_bytes(folder / "truth.json"))
    names = {one["id"]: [one["label"], *one["aliases"]] for one in truth["variables"]}
    graph = load_graph(folder / "graph.json").file
    found = []
    for one in counted([*truth["held_out"], *truth["unseen"]], progress):
        started_s = time.perf_counter()
        outcome = engine.diagnose_sync(read_bytes(folder / one["report"]).decode(), graph)
        elapsed_ms = (time.perf_counter() - started_s) * 1000
        fault = one.get("root_cause")
        said = "UNKNOWN"
        if not isinstance(outcome, Abstention):
            said = outcome.diagnosis.conclusion.root_cause
        given = said != "UNKNOWN"
        right = any(_same(name, said) for name in names.get(fault or "", ()))
        found.append(
            _simple(
                one["report"],
                "diagnosis",
                "held out" if "candidates" in one else "unseen",
                wanted=bool(fault),
                given=given,
                right=right,
                ended="concluded" if given else "abstained",
                ends=("concluded", "abstained"),
                seen={"root_cause": said, "expected": fault},
                latency_ms=elapsed_ms,
            )
        )
    return found


def _memory(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    """Facts with their evidence, offered to a memory of their own."""
    found = []
    cases = _read(root / OWN / "memory.jsonl", MemoryCase)
    with _at_home(engine) as own:
        for case in counted(cases, progress):
            # judged before: what is measured is the gate, not its deadline on a busy machine
            own.verify_claim_sync(case.text, case.evidence)
            started_s = time.perf_counter()
            ended, reason = _offered(own, case)
            found.append(
                _simple(
                    case.id,
                    "memory",
                    case.kind,
                    wanted=case.stored,
                    given=ended == "verified",
                    ended=ended,
                    ends=("verified", "refused"),
                    input=case.text,
                    seen={"reason": reason},
                    latency_ms=(time.perf_counter() - started_s) * 1000,
                )
            )
    return found


def _offered(engine: Engine, case: MemoryCase) -> tuple[str, str]:
    """How memory keeps a fact, and why; one that is not grounded is refused by an error. What is
    kept unverified, as the check failed, is not yet kept."""
    try:
        kept = engine.remember_sync(case.text, case.evidence, confidence=case.confidence)
    except ErrFactNotGrounded as error:
        return "refused", error.message
    return str(kept.status) if kept.stored else "refused", str(kept.reason)


def _audit(engine: Engine, root: Path, progress: Progress | None) -> list[CaseOutcome]:
    """Chains of reasoning: one with a fault should not end as VALID."""
    found = []
    for case in counted(_read(root / OWN / "audit.jsonl", AuditCase), progress):
        started_s = time.perf_counter()
        report = engine.audit_trace_sync(case.steps, case.context, case.answer)
        found.append(
            _simple(
                case.id,
                "audit",
                case.kind,
                wanted=not case.sound,
                given=report.status in ("INVALID", "WARNING"),
                ended=report.status,
                ends=("INVALID", "VALID"),
                input=" / ".join(case.steps),
                seen={"steps": [one.status for one in report.steps]},
                latency_ms=(time.perf_counter() - started_s) * 1000,
            )
        )
    return found


SUITES: Mapping[str, Suite] = {
    "claims": Suite((VERDICTS,), _claims),
    "values": Suite((VERDICTS,), _values),
    "edges": Suite((INCIDENTS / "truth.json",), _edges),
    "outputs": Suite((RED_TEAM / "claims_open.jsonl", RED_TEAM / "sessions.tar.xz"), _outputs),
    "diagnosis": Suite((INCIDENTS / "truth.json", INCIDENTS / "graph.json"), _diagnosis),
    "memory": Suite((OWN / "memory.jsonl",), _memory),
    "audit": Suite((OWN / "audit.jsonl",), _audit),
}


def missing(suite: str, root: Path) -> str | None:
    """Why a suite cannot be run here; none where it can."""
    gone = [str(one) for one in SUITES[suite].files if not (root / one).exists()]
    return f"{', '.join(gone)} is not in {root.resolve()}" if gone else None


def _simple(
    id_: str,
    suite: str,
    category: str,
    *,
    wanted: bool,
    given: bool,
    ended: str,
    ends: tuple[str, str],
    latency_ms: float,
    right: bool | None = None,
    input: str = "",  # noqa: A002 - the field's name
    seen: Mapping[str, Any] | None = None,
) -> CaseOutcome:
    """Where nothing says otherwise, what was given is right if it was wanted."""
    fine = wanted if right is None else right
    passed = (given and fine) if wanted else not given
    return CaseOutcome(
        id=id_,
        suite=suite,
        category=category,
        wanted=wanted,
        given=given,
        right=given and fine,
        passed=passed,
        reason=None if passed else ("missed" if wanted and not given else "wrong"),
        ended=ended,
        wanted_end=ends[0] if wanted else ends[1],
        input=input or id_,
        expected={"end": ends[0] if wanted else ends[1]},
        actual={"end": ended, **(seen or {})},
        latency_ms=latency_ms,
    )


def _read(path: Path, kind: type[Any]) -> list[Any]:
    return [
        validated(kind, fields, path, number) for number, fields in records(read_bytes(path), path)
    ]


def _same(name: str, said: str) -> bool:
    """A graph read from documents has its own spelling of each name."""
    return set(content_terms(name)) <= set(content_terms(said))


@contextmanager
def _indexed(engine: Engine, documents: Iterable[Path]) -> Iterator[Engine]:
    """An engine like this one over other documents."""
    with _at_home(engine) as own:
        own.index_sync(list(documents))
        yield own


@contextmanager
def _at_home(engine: Engine) -> Iterator[Engine]:
    """An engine like this one in a home of its own: nothing of the user's is read or written."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        evidence = engine.config.evidence.model_copy(update={"index": home / "index.sqlite"})
        update = {"home": home, "evidence": evidence}
        with Engine(engine.config.model_copy(update=update)) as own:
            yield own
