"""The calls about an agent's work: its traces, what it says it did, snapshots, signed verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync

from groundwire.engine._calls import Calls
from groundwire.guard import on_own_loop, sync_twin
from groundwire.observe import request

if TYPE_CHECKING:
    from groundwire.actions import (
        Attestation,
        FileChange,
        GivenSnapshot,
        Observed,
        Snapshot,
        SpecialistOutput,
        VerificationResult,
    )
    from groundwire.model import Message
    from groundwire.traces import Reasoning, ToolTrace


class WorkCalls(Calls):
    """Part of `Engine`."""

    def open_trace(
        self, path: Path | str, *, trace_format: str = "auto", shown_as: str | None = None
    ) -> ToolTrace:
        """The trace in a file, which is read as it is used; `-` is standard input.

        Messages call it `shown_as`.
        """
        from groundwire.traces import open_trace

        settings = self.config.actions
        return open_trace(path, trace_format=trace_format, settings=settings, shown_as=shown_as)

    def read_reasoning(self, data: bytes, where: str) -> Reasoning:
        """The steps in a trace, with their context and answer; `where` names it in messages."""
        from groundwire.traces import read_reasoning

        return read_reasoning(BytesIO(data), where, self.config.actions)

    def read_conversation(self, data: bytes, where: str) -> list[Message]:
        """The messages in a transcript of any known product."""
        from groundwire.traces import read_conversation

        return read_conversation(BytesIO(data), where, self.config.actions)

    @on_own_loop
    async def verify_output(
        self,
        output: Mapping[str, Any] | SpecialistOutput,
        traces: Sequence[ToolTrace] = (),
        base_path: Path | None = None,
        *,
        before: GivenSnapshot = None,
        after: GivenSnapshot = None,
        observed: Observed | None = None,
        schemas: Sequence[Path] = (),
        allowed_modules: Sequence[str] = (),
        specialist_id: str = "unknown",
        subtask_id: str | None = None,
    ) -> VerificationResult:
        """Check what an agent says it did against files, traces and snapshots [S2].

        `schemas` are manifests of tools and their output schemas; models that they name are
        taken from `allowed_modules` only. `observed` is what hooks saw while the agent worked.
        """
        from groundwire.actions import audit_entries, verify_work

        verify = partial(
            verify_work,
            before=before,
            after=after,
            observed=observed,
            schemas=schemas,
            allowed_modules=allowed_modules,
            specialist_id=specialist_id,
            subtask_id=subtask_id,
        )
        with request() as context:
            result = await run_sync(verify, self.config, output, traces, base_path)
            self.parts.records.write_down(
                "verify-output", context.request_id, audit_entries(result)
            )
        return result

    verify_output_sync = sync_twin(verify_output)

    @on_own_loop
    async def claims_from_trace(
        self, trace: ToolTrace, base_path: Path | None = None
    ) -> SpecialistOutput:
        """The claims an honest agent would make after a trace."""
        from groundwire.actions import derive_claims

        return await run_sync(derive_claims, trace, base_path)

    claims_from_trace_sync = sync_twin(claims_from_trace)

    @on_own_loop
    async def claims_from_text(
        self,
        text: str,
        traces: Sequence[ToolTrace] = (),
        base_path: Path | None = None,
        *,
        before: GivenSnapshot = None,
    ) -> SpecialistOutput:
        """What an agent's prose says was done, tied to files and commands."""
        from groundwire.actions import find_claims, snapshot_of

        known = snapshot_of(before, self.config.actions.snapshot_key)
        return await run_sync(find_claims, text, traces, base_path, known)

    claims_from_text_sync = sync_twin(claims_from_text)

    @on_own_loop
    async def snapshot(
        self, folder: Path, *, out: Path | None = None, use_git: bool = True
    ) -> tuple[Snapshot, Path]:
        """Record the hashes of a folder's files; also where that was written."""
        from groundwire.actions import (
            record_folder,
            sign_snapshot,
            snapshot_path,
            write_snapshot,
        )

        record = partial(record_folder, use_git=use_git, now=self.parts.records.now())
        taken = await run_sync(record, folder, self.config.actions)
        if self.config.actions.snapshot_key is not None:
            taken = sign_snapshot(taken, self.config.actions.snapshot_key)
        path = out or snapshot_path(self.config.home.expanduser(), taken)
        write_snapshot(taken, path)
        return taken, path

    snapshot_sync = sync_twin(snapshot)

    @on_own_loop
    async def changes(
        self, folder: Path, since: Snapshot | Path, traces: Sequence[ToolTrace] = ()
    ) -> tuple[FileChange, ...]:
        """What changed in a folder since a snapshot; with traces, by which events."""
        from groundwire.actions import changes_since, snapshot_of

        earlier = snapshot_of(since, self.config.actions.snapshot_key)
        assert earlier is not None  # noqa: S101
        return await run_sync(changes_since, earlier, folder, traces, self.config.actions)

    changes_sync = sync_twin(changes)

    @on_own_loop
    async def sign_verdict(
        self,
        result: VerificationResult,
        key_file: Path,
        *,
        output: Mapping[str, Any],
        nonce: str | None = None,
        trace_files: Sequence[Path] = (),
    ) -> Attestation:
        """A verdict that others can believe without the files, signed with a shared key."""
        from groundwire.actions import sign_verdict

        return sign_verdict(
            result,
            key_file,
            output=output,
            nonce=nonce,
            trace_files=trace_files,
            now=self.parts.records.now(),
        )

    sign_verdict_sync = sync_twin(sign_verdict)

    @on_own_loop
    async def check_signature(
        self,
        document: bytes,
        key_file: Path,
        *,
        where: str = "the document",
        nonce: str | None = None,
        output: Mapping[str, Any] | None = None,
    ) -> VerificationResult:
        """The verdict in a signed document, if it is genuine, fresh and not seen before."""
        from groundwire.actions import check_signed

        return check_signed(
            document,
            key_file,
            self.config,
            where=where,
            nonce=nonce,
            output=output,
            now=self.parts.records.now(),
        )

    check_signature_sync = sync_twin(check_signature)
