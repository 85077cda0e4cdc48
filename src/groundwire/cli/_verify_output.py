from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._actions import (
    FormatOption,
    TraceOption,
    named,
    open_traces,
    print_result,
    read_input,
)
from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json, warn

if TYPE_CHECKING:
    from groundwire.actions import SchemaRegistry, Snapshot, VerificationResult
    from groundwire.config import Config
    from groundwire.traces import ToolTrace

BaseOption = Annotated[
    Path, typer.Option("--base-path", help="The folder the claims are about; nothing else is read.")
]


def verify_output(
    context: typer.Context,
    output: Annotated[
        str, typer.Argument(help="The agent's output, a JSON file; - for standard input.")
    ],
    trace: TraceOption = None,
    base_path: BaseOption = Path(),
    before: Annotated[
        Path | None, typer.Option(help="A snapshot taken before the work (gw snapshot).")
    ] = None,
    after: Annotated[
        Path | None, typer.Option(help="A snapshot taken when the work ended.")
    ] = None,
    trace_format: FormatOption = "auto",
    schemas: Annotated[
        list[Path] | None,
        typer.Option(help="A manifest of tools and their output schemas; may be repeated."),
    ] = None,
    allow_module: Annotated[
        list[str] | None,
        typer.Option(help="A Python package whose models a manifest may name; may be repeated."),
    ] = None,
    assume_current: Annotated[
        bool | None,
        typer.Option(help="Whether this runs right after the work, so that a mismatch refutes."),
    ] = None,
    specialist: Annotated[str, typer.Option(help="Who did the work, for the metrics.")] = "unknown",
    subtask: Annotated[str | None, typer.Option(help="Which part of the work it was.")] = None,
    sign_with: Annotated[
        Path | None, typer.Option(help="Print the verdict signed with this key.", metavar="KEYFILE")
    ] = None,
    check_signature: Annotated[
        Path | None,
        typer.Option(help="OUTPUT is a signed verdict: check it with this key.", metavar="KEYFILE"),
    ] = None,
    nonce: Annotated[
        str | None, typer.Option(help="The asker's nonce, to sign or to expect.")
    ] = None,
    for_output: Annotated[
        Path | None, typer.Option(help="With --check-signature: the output it must be about.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check what an agent says it did against the files and the trace of its tools."""
    loaded = load_settings(context, {"actions.assume_current": assume_current})
    with observed(loaded):
        if check_signature is not None:
            result = _checked(output, check_signature, nonce, for_output, loaded.config)
        else:
            result, given = _verified(
                loaded.config,
                output,
                open_traces(trace, trace_format, loaded.config) or None,
                base_path,
                _registry(schemas, allow_module),
                (_snapshot(before), _snapshot(after)),
                (specialist, subtask),
            )
            if sign_with is not None:
                print_json(_signed(result, given, sign_with, nonce, trace))
                raise typer.Exit(result.exit_code)
        if as_json:
            print_json(result.model_dump(mode="json"))
        else:
            print_result(result)
    raise typer.Exit(result.exit_code)


def _verified(
    config: "Config",
    output: str,
    traces: "list[ToolTrace] | None",
    base_path: Path,
    registry: "SchemaRegistry",
    around: "tuple[Snapshot | None, Snapshot | None]",
    who: tuple[str, str | None],
) -> "tuple[VerificationResult, dict[str, Any]]":
    from groundwire.actions import TaskVerifier, parse_output
    from groundwire.observe import request

    given = dict(parse_output(read_input(output, config), where=named(output)))
    with request() as asked:
        verifier = TaskVerifier(schemas=registry, settings=config.actions)
        result = verifier.verify_sync(
            given, traces, base_path, *who, before=around[0], after=around[1]
        )
        _write_audit(config, result, asked.request_id)
    return result, given


def _registry(manifests: list[Path] | None, modules: list[str] | None) -> "SchemaRegistry":
    from groundwire.actions import SchemaRegistry

    registry = SchemaRegistry(allowed_modules=modules or ())
    for path in manifests or ():
        registry.load_manifest(path)
    return registry


def _snapshot(path: Path | None) -> "Snapshot | None":
    from groundwire.actions import read_snapshot

    return None if path is None else read_snapshot(path)


def _signed(
    result: "VerificationResult",
    given: dict[str, Any],
    key_file: Path,
    nonce: str | None,
    traces: list[str] | None,
) -> dict[str, Any]:
    from groundwire.actions import attest, hash_of_files, is_readable_by_others, read_key

    key = read_key(key_file)
    if is_readable_by_others(key_file):
        warn(f"{key_file} can be read by others. Make it private: chmod 600 {key_file}")
    trace_hash = hash_of_files([Path(path) for path in traces or () if path != "-"])
    signed = attest(result, key, output=given, nonce=nonce, trace_hash=trace_hash)
    return signed.model_dump(mode="json")


def _checked(
    document: str, key_file: Path, nonce: str | None, for_output: Path | None, config: "Config"
) -> "VerificationResult":
    from groundwire.actions import (
        NonceLog,
        check_attestation,
        parse_attestation,
        parse_output,
        read_key,
    )

    signed = parse_attestation(read_input(document, config), where=named(document))
    expected = None
    if for_output is not None:
        expected = parse_output(read_input(str(for_output), config), where=str(for_output))
    nonces = NonceLog(config.home.expanduser() / "nonces.sqlite")
    try:
        return check_attestation(
            signed,
            read_key(key_file),
            max_age=config.actions.signature_max_age,
            nonces=nonces,
            output=expected,
            expected_nonce=nonce,
        )
    finally:
        nonces.close()


def _write_audit(config: "Config", result: "VerificationResult", request_id: str) -> None:
    from groundwire.errors import StoreError
    from groundwire.observe import AuditEntry, AuditTrail

    if not config.audit.enabled or not result.claims:
        return
    entries = [
        AuditEntry(
            claim=f"{verdict.type} {verdict.file_path or verdict.command or ''}".strip(),
            status=verdict.status,
            reason=verdict.category or "",
            backend="actions",
            detail=verdict.model_dump(mode="json"),
            flagged=verdict.status == "failed",
            doc_ids=(verdict.file_path,) if verdict.file_path else (),
        )
        for verdict in result.claims
    ]
    try:
        trail = AuditTrail(
            config.home.expanduser() / "audit.sqlite",
            retention=config.audit.retention,
            max_rows=config.audit.max_rows,
        )
        trail.write("verify-output", request_id, entries)
        trail.close()
    except StoreError as error:
        warn(f"The verdicts were not kept: {error}")
