"""An agent's work from its files: traces, folder and snapshots in, claims and verdicts out.

Signing and deriving claims are loaded where they are done: a hook does neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.actions._directory import Directory
from groundwire.actions._history import history_of
from groundwire.actions._observed import Observed
from groundwire.actions._output import SpecialistOutput
from groundwire.actions._resolve_paths import claims_from_text
from groundwire.actions._result import VerificationResult
from groundwire.actions._schemas import SchemaRegistry
from groundwire.actions._snapshot import (
    FileChange,
    Snapshot,
    compare,
    hold_to,
    read_snapshot,
    take_snapshot,
)
from groundwire.actions._verifier import TaskVerifier
from groundwire.config import ActionsSection, Config
from groundwire.errors import InputError
from groundwire.observe import AuditEntry
from groundwire.traces import ToolTrace

if TYPE_CHECKING:
    from groundwire.actions._attest import Attestation

GivenSnapshot = Snapshot | Path | None


def snapshot_of(given: GivenSnapshot, key_file: Path | None = None) -> Snapshot | None:
    """A snapshot as it is or from its file; with a key, one from a file must be signed with it."""
    if not isinstance(given, Path):
        return given
    snapshot = read_snapshot(given)
    if key_file is not None:
        from groundwire.actions._attest import read_key

        key = read_key(key_file.expanduser())
        if not key.fits(snapshot.to_sign(), snapshot.signature or ""):
            raise InputError(
                f"{given} is not signed with {key_file}.",
                hint="Take the snapshot with the same actions.snapshot_key.",
            )
    return snapshot


def sign_snapshot(snapshot: Snapshot, key_file: Path) -> Snapshot:
    from groundwire.actions._attest import read_key

    signature = read_key(key_file.expanduser()).sign(snapshot.to_sign())
    return snapshot.model_copy(update={"signature": signature})


def read_schemas(manifests: Sequence[Path], allowed_modules: Sequence[str]) -> SchemaRegistry:
    registry = SchemaRegistry(allowed_modules=allowed_modules)
    for path in manifests:
        registry.load_manifest(path)
    return registry


def verify_work(
    config: Config,
    output: Mapping[str, Any] | SpecialistOutput,
    traces: Sequence[ToolTrace],
    base_path: Path | None,
    *,
    before: GivenSnapshot = None,
    after: GivenSnapshot = None,
    observed: Observed | None = None,
    schemas: Sequence[Path] = (),
    allowed_modules: Sequence[str] = (),
    specialist_id: str = "unknown",
    subtask_id: str | None = None,
) -> VerificationResult:
    """Check what an agent says it did against files, traces and snapshots."""
    settings = config.actions
    verifier = TaskVerifier(schemas=read_schemas(schemas, allowed_modules), settings=settings)
    return verifier.verify_sync(
        output,
        list(traces) or None,
        base_path,
        specialist_id,
        subtask_id,
        before=snapshot_of(before, settings.snapshot_key),
        after=snapshot_of(after, settings.snapshot_key),
        observed=observed,
    )


def derive_claims(trace: ToolTrace, base_path: Path | None) -> SpecialistOutput:
    """The claims an honest agent would make after a trace."""
    from groundwire.actions._derive import claims_from_trace, compress

    with nullcontext() if base_path is None else Directory(base_path) as tree:

        def text_of(path: str) -> str | None:
            content = tree.look(path).content if tree else None
            return content.texts[0] if content and content.texts else None

        history = history_of([trace], tree)
        output = claims_from_trace(history, trace_id=trace.trace_id, text_of=text_of)
    return output.model_copy(update={"claims": tuple(compress(output.claims))})


def find_claims(
    text: str, traces: Sequence[ToolTrace], base_path: Path | None, before: Snapshot | None
) -> SpecialistOutput:
    """What prose says was done, tied to files and commands."""
    with nullcontext() if base_path is None else Directory(base_path) as tree:
        return claims_from_text(
            text,
            tree=tree,
            history=history_of(traces, tree) if traces else None,
            before=before,
            trace_id=traces[0].trace_id if traces else None,
        )


def changes_since(
    earlier: Snapshot,
    folder: Path,
    traces: Sequence[ToolTrace],
    settings: ActionsSection,
) -> tuple[FileChange, ...]:
    """What changed in a folder; what one snapshot left out by git's rules the other does too."""
    hold_to(earlier, folder)
    now = record_folder(folder, settings, use_git=earlier.ignore_rules)
    if not traces:
        return compare(earlier, now)
    with Directory(now.base_path) as tree:
        return compare(earlier, now, history_of(traces, tree))


def record_folder(
    folder: Path, settings: ActionsSection, *, use_git: bool, now: datetime | None = None
) -> Snapshot:
    return take_snapshot(
        folder,
        use_git=use_git,
        max_files=settings.max_snapshot_files,
        max_hash_mb=settings.max_hash_mb,
        now=now,
    )


def sign_verdict(
    result: VerificationResult,
    key_file: Path,
    *,
    output: Mapping[str, Any],
    nonce: str | None,
    trace_files: Sequence[Path],
    now: datetime,
) -> Attestation:
    from groundwire.actions._attest import attest, hash_of_files, read_key

    trace_hash = hash_of_files(trace_files)
    key = read_key(key_file)
    return attest(result, key, output=output, nonce=nonce, trace_hash=trace_hash, now=now)


def check_signed(
    document: bytes,
    key_file: Path,
    config: Config,
    *,
    where: str,
    nonce: str | None,
    output: Mapping[str, Any] | None,
    now: datetime,
) -> VerificationResult:
    """The verdict inside a signed document, if it can be believed; none is accepted twice."""
    from groundwire.actions._attest import (
        NonceLog,
        check_attestation,
        parse_attestation,
        read_key,
    )

    signed = parse_attestation(document, where=where)
    with closing(NonceLog(config.home.expanduser() / "nonces.sqlite")) as nonces:
        return check_attestation(
            signed,
            read_key(key_file),
            max_age=config.actions.signature_max_age,
            nonces=nonces,
            output=output,
            expected_nonce=nonce,
            now=now,
        )


def audit_entries(result: VerificationResult) -> list[AuditEntry]:
    """One row of the audit trail for each claim."""
    return [
        AuditEntry(
            claim=verdict.named,
            status=verdict.status,
            reason=verdict.category or "",
            backend="actions",
            detail=verdict.model_dump(mode="json"),
            flagged=verdict.status == "failed",
            doc_ids=(verdict.file_path,) if verdict.file_path else (),
        )
        for verdict in result.claims
    ]
