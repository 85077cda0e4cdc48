"""The three levels, one after the other: structure, tool outputs, claims."""

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from groundwire.actions._claims import (
    AnyClaim,
    PartChanged,
    ReportCoverage,
    TestsChanged,
    path_of,
    said_apart,
)
from groundwire.actions._directory import Directory, FileTree
from groundwire.actions._evidence import Evidence, Ruling
from groundwire.actions._git import git_ignored
from groundwire.actions._history import History, path_key
from groundwire.actions._judge import judge
from groundwire.actions._observed import Observed
from groundwire.actions._output import (
    ReadReport,
    SpecialistOutput,
    check_structure,
    warnings_of,
)
from groundwire.actions._resolve_paths import claims_from_text
from groundwire.actions._result import (
    ClaimCounts,
    ClaimVerdict,
    ErrorCategory,
    Level,
    MetricsCollector,
    VerificationError,
    VerificationMetrics,
    VerificationResult,
)
from groundwire.actions._scan import state_hash
from groundwire.actions._schemas import SchemaRegistry
from groundwire.actions._snapshot import Snapshot, hold_to
from groundwire.config import ActionsSection
from groundwire.errors import InputError
from groundwire.observe import Log, current_request
from groundwire.traces import Events, ToolTrace, TraceEvent, outcome_of

MAX_SCHEMA_ERRORS = 100
_OUT_OF_TIME = Ruling("unverified", "not looked at: the time limit was reached", "not_looked_at")
_log = Log("verify.actions")

Traces = ToolTrace | Sequence[ToolTrace] | Events | Mapping[str, Any]


class TaskVerifier:
    """Verifies what a specialist hands in [S2].

    Files are read beneath `base_path` only. Without registered schemas Level 2 does not run.
    """

    def __init__(
        self, *, schemas: SchemaRegistry | None = None, settings: ActionsSection | None = None
    ) -> None:
        self.schemas = SchemaRegistry() if schemas is None else schemas
        self.settings = settings or ActionsSection()
        self._metrics = MetricsCollector()

    async def verify(
        self,
        output: Any,
        tool_trace: Traces | None = None,
        base_path: str | Path | FileTree | None = None,
        specialist_id: str = "unknown",
        subtask_id: str | None = None,
        *,
        before: Snapshot | None = None,
        after: Snapshot | None = None,
        observed: Observed | None = None,
        assume_current: bool | None = None,
    ) -> VerificationResult:
        """Check an output against the trace of the work, the files, and snapshots around it."""
        import anyio.to_thread  # hooks call `verify_sync`, and should not wait for this

        return await anyio.to_thread.run_sync(
            lambda: self.verify_sync(
                output,
                tool_trace,
                base_path,
                specialist_id,
                subtask_id,
                before=before,
                after=after,
                observed=observed,
                assume_current=assume_current,
            )
        )

    def verify_sync(
        self,
        output: Any,
        tool_trace: Traces | None = None,
        base_path: str | Path | FileTree | None = None,
        specialist_id: str = "unknown",
        subtask_id: str | None = None,
        *,
        before: Snapshot | None = None,
        after: Snapshot | None = None,
        observed: Observed | None = None,
        assume_current: bool | None = None,
    ) -> VerificationResult:
        assume = self.settings.assume_current if assume_current is None else assume_current
        if observed is not None:
            before = observed.before
        for snapshot in (before, after):
            _hold_to(snapshot, base_path)
        evidence = Evidence(before=before, after=after, observed=observed, assume_current=assume)
        check = _Check(self.schemas, evidence, self.settings.time_limit.total_seconds())
        parsed = check.structure(output, self.settings.max_claims)
        if parsed is not None:
            with _opened(base_path, self.settings) as evidence.tree:
                check.trace(parsed, _listed(tool_trace))
                check.claims(check.read_summary(parsed))
        result = check.result()
        self._metrics.add(result, specialist_id)
        _log.info(
            "output_verified",
            specialist_id=specialist_id,
            subtask_id=subtask_id,
            valid=result.valid,
            level=result.level,
            **result.summary.model_dump(),
        )
        return result

    def get_metrics(self) -> VerificationMetrics:
        return self._metrics.read()

    def clear_metrics(self) -> None:
        self._metrics.clear()


class _Check:
    """One verification under way."""

    def __init__(self, schemas: SchemaRegistry, evidence: Evidence, time_limit_s: float) -> None:
        self._schemas = schemas
        self._time_limit_s = time_limit_s
        self._evidence = evidence
        self._errors: list[VerificationError] = []
        self._verdicts: list[ClaimVerdict] = []
        self._durations_ms: dict[int, float] = {}
        self._claims: Sequence[AnyClaim] = ()
        self._coverage = ReportCoverage()

    def structure(self, output: Any, max_claims: int) -> SpecialistOutput | None:
        started = perf_counter()
        parsed = check_structure(output, max_claims=max_claims)
        self._spent(1, started)
        if isinstance(parsed, SpecialistOutput):
            return parsed
        self._errors += parsed
        return None

    def trace(self, output: SpecialistOutput, traces: list[ToolTrace] | None) -> None:
        """Read the traces once: Level 2 for tools with a schema, and the history for Level 3."""
        if traces is None:
            return
        names = frozenset(posixpath.basename(path) for c in output.claims if (path := path_of(c)))
        observed = self._evidence.observed
        # prose alone: which files it names is known once there is a history to read it with; and a
        # part of the code may be in any file
        is_open = not output.claims or any(
            isinstance(c, PartChanged | TestsChanged) for c in output.claims
        )
        history = History(keep_content_of=None if is_open else names, observed=observed)
        for number, trace in enumerate(traces):
            for event in trace:
                self._tool_output(event)
                key = path_key(trace.cwd, self._evidence.tree, event.cwd)
                is_known = trace.cwd is not None
                history.add(event, key=key, trace=number, folder_is_known=is_known)
            history.complete = history.complete and trace.complete
        if observed is not None:
            history.add_outside(observed, None, path_key(str(observed.root), self._evidence.tree))
        own = [n for n, t in enumerate(traces) if t.trace_id in {None, output.trace_id}]
        history.own_traces = frozenset(own)
        if not own:
            known = ", ".join(sorted(str(trace.trace_id) for trace in traces)[:5]) or "none"
            message = f"trace_ref {output.trace_ref!r} names no known trace (known: {known})"
            self._errors.append(VerificationError(level=1, category="unknown", message=message))
        self._evidence.history = history

    def _tool_output(self, event: TraceEvent) -> None:
        if self._schemas.covers(event.tool) is None or outcome_of(event) == "error":
            return
        started = perf_counter()
        for problem in self._schemas.problems(event):
            if len(self._errors) < MAX_SCHEMA_ERRORS:
                message = f"{event.tool} (event {event.id}) {problem}"
                error = VerificationError(level=2, category="schema_mismatch", message=message)
                self._errors.append(error)
        self._spent(2, started)

    def read_summary(self, output: SpecialistOutput) -> tuple[AnyClaim, ...]:
        """The claims handed in, and those the summary makes in words: both are checked."""
        if isinstance(output, ReadReport):
            self._coverage = output.coverage
            return output.claims
        evidence = self._evidence
        read = claims_from_text(
            output.summary,
            tree=evidence.tree,
            history=evidence.history,
            before=evidence.before,
            evidence=evidence,
        )
        self._coverage = read.coverage
        kinds = {claim.type for claim in read.claims}
        known = {said_apart(claim) for claim in output.claims if claim.type in kinds}
        return *output.claims, *(one for one in read.claims if said_apart(one) not in known)

    def claims(self, claims: tuple[AnyClaim, ...]) -> None:
        if not claims:
            return
        started = perf_counter()
        self._claims = claims
        self._evidence.ignored = _ignored(self._evidence, claims)
        for number, claim in enumerate(claims):
            is_late = perf_counter() - started > self._time_limit_s
            ruling = _OUT_OF_TIME if is_late else judge(claim, self._evidence)
            verdict = ClaimVerdict(
                type=claim.type,
                file_path=path_of(claim),
                command=getattr(claim, "command", None),
                status=ruling.status,
                category=ruling.category,
                detail=ruling.detail,
                said=claim.said,
            )
            self._verdicts.append(verdict)
            if ruling.status == "failed":
                message = f"claims[{number}] {verdict.named}: {ruling.detail}"
                category = cast("ErrorCategory", ruling.category or "unknown")
                self._errors.append(VerificationError(level=3, category=category, message=message))
        self._spent(3, started)

    def _spent(self, level: Level, started: float) -> None:
        spent_ms = (perf_counter() - started) * 1000
        self._durations_ms[level] = self._durations_ms.get(level, 0.0) + spent_ms

    def result(self) -> VerificationResult:
        errors = sorted(self._errors, key=lambda error: error.level)
        ran = tuple(cast("Level", level) for level in sorted(self._durations_ms))
        seen = self._evidence.seen
        counts = _counted(self._verdicts, self._coverage)
        request = current_request()
        return VerificationResult(
            valid=not errors and not counts.not_looked_at,
            level=errors[0].level if errors else ran[-1],
            claims=tuple(self._verdicts),
            errors=tuple(errors),
            warnings=warnings_of(self._claims, self._verdicts, self._evidence),
            summary=counts,
            coverage=self._coverage,
            levels_run=ran,
            durations_ms={level: round(ms, 4) for level, ms in self._durations_ms.items()},
            state_hash=state_hash(seen.items()) if seen else None,
            request_id=request.request_id if request else None,
        )


def _hold_to(snapshot: Snapshot | None, base_path: str | Path | FileTree | None) -> None:
    if snapshot is not None and isinstance(base_path, str | Path):
        hold_to(snapshot, Path(base_path))


def _opened(
    base_path: str | Path | FileTree | None, settings: ActionsSection
) -> AbstractContextManager[FileTree | None]:
    """A folder of our own to read in; a `FileTree` someone else made is used as it is."""
    if not isinstance(base_path, str | Path):
        return nullcontext(base_path)
    return Directory(base_path, max_text_mb=settings.max_text_mb, max_hash_mb=settings.max_hash_mb)


def _listed(given: Traces | None) -> list[ToolTrace] | None:
    if given is None:
        return None
    if isinstance(given, ToolTrace):
        return [given]
    if isinstance(given, Mapping):
        return [ToolTrace.of(given)]
    if isinstance(given, str | bytes | Path):
        raise InputError(
            "A trace is given as its events, not as a path or a text.",
            hint="Read a file with groundwire.traces.open_trace.",
        )
    if isinstance(given, Sequence) and given and all(isinstance(one, ToolTrace) for one in given):
        return [cast("ToolTrace", one) for one in given]
    return [ToolTrace(cast("Events", given))]


def _ignored(evidence: Evidence, claims: Sequence[AnyClaim]) -> frozenset[str] | None:
    if not isinstance(evidence.tree, Directory) or evidence.before is None:
        return None
    if not evidence.before.ignore_rules:
        return None
    paths = {evidence.tree.relative(path) for c in claims if (path := path_of(c))} - {None, "."}
    ignored = git_ignored(evidence.tree.path, [str(path) for path in paths])
    return None if ignored is None else frozenset(ignored)


def _counted(verdicts: list[ClaimVerdict], coverage: ReportCoverage) -> ClaimCounts:
    counts = Counter[str](verdict.status for verdict in verdicts)
    commands = sum(
        verdict.status == "unverified" and verdict.type == "command-executed"
        for verdict in verdicts
    )
    late = sum(verdict.category == "not_looked_at" for verdict in verdicts)
    late += sum(one.reason == "too_long" for one in coverage.left_out)
    return ClaimCounts(**counts, unverified_commands=commands, not_looked_at=late)
