from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._output import print_json, say, stage_progress, warn
from groundwire.cli._shared import NOT_DETERMINED, JsonFlag, open_engine, refuse_special

if TYPE_CHECKING:
    from groundwire.evidence import EmbeddingReport, IdentityReport, IndexOutcome, IndexReport

_SHOWN = 10


def index(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files and folders.", callback=refuse_special, show_default=False),
    ] = None,
    collection: Annotated[
        str | None, typer.Option(help="The collection they belong to, whatever they say.")
    ] = None,
    index_file: Annotated[
        Path | None,
        typer.Option("--index", help="The index file.", callback=refuse_special, metavar="FILE"),
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
    from groundwire.errors import InputError

    if not paths and (rebuild or not verify):
        raise InputError("There is nothing to index.", hint="Name files or folders.")
    printed: dict[str, Any] = {}
    exit_code = 0
    with open_engine(context, {"evidence.index": index_file}) as engine:
        if paths:
            with stage_progress() as progress:
                outcome = engine.index_sync(
                    paths, collection=collection, embed=embed, rebuild=rebuild, progress=progress
                )
            printed |= _told(outcome, paths, embed=embed, quiet=as_json)
            exit_code = NOT_DETERMINED if outcome.embedding and outcome.embedding.error else 0
        if verify:
            identity = engine.verify_identity_sync()
            printed["identity"] = identity.model_dump(mode="json")
            exit_code = exit_code if identity.holds else 1
            if not as_json:
                _say_identity(identity)
    if as_json:
        print_json({"index": str(engine.index_path), **printed})
    raise typer.Exit(exit_code)


def _told(
    outcome: "IndexOutcome", paths: list[Path], *, embed: bool, quiet: bool
) -> dict[str, Any]:
    """Say what became of the documents; the same for JSON."""
    from groundwire.errors import InputError

    words = outcome.words
    for refused in words.refused:
        warn(f"left out: {refused.message} {refused.hint or ''}".rstrip())
    if not words.added + words.updated + words.unchanged + words.removed:
        raise InputError(
            f"No document was found in {', '.join(map(str, paths))}.",
            hint="Groundwire reads Markdown, text, HTML, PDF and DOCX.",
        )
    if outcome.no_embedder is not None:
        warn(f"No vectors were made: {outcome.no_embedder} Documents are found by their words.")
    if not quiet:
        _say_indexed(words, outcome.index, outcome.words_s)
    _say_embedded(outcome.embedding, quiet=quiet)
    printed = words.model_dump(mode="json") | {"seconds": outcome.words_s}
    if embed:
        printed["embedding"] = outcome.embedding.model_dump() if outcome.embedding else None
    return printed


def _say_indexed(report: "IndexReport", path: str, seconds: float) -> None:
    names = ", ".join(f"{count} {name}" for name, count in report.collections.items())
    say(
        f"{report.documents} documents in {path} ({names}): {report.added} new, "
        f"{report.updated} changed, {report.unchanged} unchanged, {report.removed} removed."
    )
    say(f"{report.passages} passages can be searched by their words ({seconds:.1f} s).")


def _say_embedded(report: "EmbeddingReport | None", *, quiet: bool) -> None:
    if report is not None and report.error is not None:
        warn(f"{report.error} {report.pending} documents have no vectors yet; run it again.")
    elif report is not None and not quiet:
        say(f"{report.embedded} documents were embedded with {report.embedder}.")


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
            "with statements that disagree",
            [
                f"{one.key}, {one.about}: "
                + ", ".join(f"{said.status} ({said.doc_id})" for said in one.stated)
                for one in report.disagreements
            ],
        ),
        (
            "with several records in one file, which are not read apart",
            [f"{one.doc_id}: {'; '.join(one.records)}" for one in report.several],
        ),
        ("left out by the registry of their folder", list(report.unlisted)),
        (
            "listed, but not there",
            [f"{one.key}: {one.target} ({one.registry})" for one in report.dangling],
        ),
    ]
    say(f"Identity {'holds' if report.holds else 'does not hold'} ({report.documents}).")
    for title, lines in findings:
        if lines:
            say(f"  {title}: {len(lines)}")
        for line in lines[:_SHOWN]:
            say(f"    {line}")
        if len(lines) > _SHOWN:
            say(f"    … and {len(lines) - _SHOWN} more (--json shows all)")
