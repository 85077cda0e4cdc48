import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json, progress_bar, warn

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.evidence import (
        EmbeddingReport,
        IdentityReport,
        Index,
        IndexReport,
    )

INCOMPLETE = 3
_SHOWN = 10


def index(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files and folders.", show_default=False)
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="The collection they belong to, whatever they say.")
    ] = None,
    index_file: Annotated[
        Path | None, typer.Option("--index", help="The index file.", metavar="FILE")
    ] = None,
    embed: Annotated[
        bool, typer.Option("--embed/--no-embed", help="Make vectors, once words are indexed.")
    ] = True,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Move the index aside and build a new one.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every document's type and number.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Build a corpus from documents, or bring it up to date."""
    from groundwire.evidence import Index, index_path

    loaded = load_settings(context, {"evidence.index": index_file})
    path = index_path(loaded.config)
    given = paths or []
    _check_usage(given, path, verify=verify, rebuild=rebuild)
    if rebuild:
        _move_aside(path)
    outcome: dict[str, Any] = {"index": str(path)}
    exit_code = 0
    with observed(loaded), Index(path) as opened:
        if given:
            outcome |= _first_pass(opened, loaded.config, given, collection, quiet=as_json)
        if given and embed:
            embedding = _second_pass(opened, loaded.config)
            outcome["embedding"] = embedding.model_dump() if embedding else None
            exit_code = _say_embedded(embedding, quiet=as_json)
        if verify:
            identity = _verified(opened, quiet=as_json)
            outcome["identity"] = identity.model_dump(mode="json")
            exit_code = exit_code if identity.holds else 1
    if as_json:
        print_json(outcome)
    raise typer.Exit(exit_code)


def _check_usage(paths: list[Path], index: Path, *, verify: bool, rebuild: bool) -> None:
    from groundwire.errors import InputError

    if not paths and (rebuild or not verify):
        raise InputError("There is nothing to index.", hint="Name files or folders.")
    if not paths and not index.exists():
        raise InputError(f"There is no index at {index}.", hint="Build it with: gw index PATH")
    missing = [str(one) for one in paths if not one.exists()]
    if missing:
        raise InputError(f"{', '.join(missing)} does not exist.", hint="Nothing was changed.")


def _first_pass(
    opened: "Index", config: "Config", paths: list[Path], collection: str | None, *, quiet: bool
) -> dict[str, Any]:
    from groundwire.errors import InputError
    from groundwire.evidence import Indexer

    started_s = time.perf_counter()
    indexer = Indexer(opened, config.evidence, config.limits, collection=collection)
    with progress_bar("Reading") as progress:
        report = indexer.run(paths, progress)
    seconds = time.perf_counter() - started_s
    for refused in report.refused:
        warn(f"left out: {refused.message} {refused.hint or ''}".rstrip())
    if not report.added + report.updated + report.unchanged + report.removed:
        raise InputError(
            f"No document was found in {', '.join(map(str, paths))}.",
            hint="Groundwire reads Markdown, text, HTML, PDF and DOCX.",
        )
    if not quiet:
        _say_indexed(report, opened.path, seconds)
    return report.model_dump(mode="json") | {"seconds": round(seconds, 3)}


def _second_pass(opened: "Index", config: "Config") -> "EmbeddingReport | None":
    from groundwire.evidence import (
        UnavailableEmbedder,
        embed_pending,
        make_breaker,
        make_embedder,
    )

    embedder = make_embedder(config.evidence)
    if embedder is None:
        return None
    if isinstance(embedder, UnavailableEmbedder):
        warn(f"No vectors were made: {embedder.reason} Documents are found by their words.")
        return None
    with progress_bar("Embedding") as progress:
        breaker = make_breaker(config)
        return embed_pending(opened, embedder, breaker=breaker, progress=progress)


def _verified(opened: "Index", *, quiet: bool) -> "IdentityReport":
    from groundwire.evidence import verify_identity

    report = verify_identity(opened)
    if not quiet:
        _say_identity(report)
    return report


def _move_aside(path: Path) -> None:
    """The old file stays until the next rebuild, in case it held something."""
    for suffix in ("", "-wal", "-shm"):
        old = Path(f"{path}{suffix}")
        if old.exists():
            old.replace(f"{path}.old{suffix}")


def _say_indexed(report: "IndexReport", path: Path, seconds: float) -> None:
    names = ", ".join(f"{count} {name}" for name, count in report.collections.items())
    typer.echo(
        f"{report.documents} documents in {path} ({names}): {report.added} new, "
        f"{report.updated} changed, {report.unchanged} unchanged, {report.removed} removed."
    )
    typer.echo(f"{report.passages} passages can be searched by their words ({seconds:.1f} s).")


def _say_embedded(report: "EmbeddingReport | None", *, quiet: bool) -> int:
    if report is None:
        return 0
    if report.error is not None:
        warn(f"{report.error} {report.pending} documents have no vectors yet; run it again.")
        return INCOMPLETE
    if not quiet:
        typer.echo(f"{report.embedded} documents were embedded with {report.embedder}.")
    return 0


def _say_identity(report: "IdentityReport") -> None:
    findings: list[tuple[str, list[str]]] = [
        ("without a type", list(report.untyped)),
        ("share a number", [f"{one.key}: {', '.join(one.doc_ids)}" for one in report.shared]),
        ("without a number", list(report.unnumbered)),
        (
            "with another number in the heading",
            [f"{one.doc_id}: heading says {one.heading_number}" for one in report.other_numbers],
        ),
        ("with hardly any text", list(report.stubs)),
        (
            "with more than one status",
            [
                f"{one.key}: " + ", ".join(f"{said.status} ({said.doc_id})" for said in one.stated)
                for one in report.status_conflicts
            ],
        ),
        (
            "listed, but not there",
            [f"{one.key}: {one.target} ({one.registry})" for one in report.dangling],
        ),
    ]
    typer.echo(f"Identity {'holds' if report.holds else 'does not hold'} ({report.documents}).")
    for title, lines in findings:
        if lines:
            typer.echo(f"  {title}: {len(lines)}")
        for line in lines[:_SHOWN]:
            typer.echo(f"    {line}")
        if len(lines) > _SHOWN:
            typer.echo(f"    … and {len(lines) - _SHOWN} more (--json shows all)")
