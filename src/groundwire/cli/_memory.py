"""`gw memory`: facts through the memory gate, found again with their evidence and status."""

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from groundwire.cli._output import console, print_json, print_outcome, say
from groundwire.cli._records import STATUS_STYLES
from groundwire.cli._shared import (
    NOT_DETERMINED,
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    age_option,
    judge_settings,
    open_engine,
    refuse_special,
)

if TYPE_CHECKING:
    from groundwire.model import MemoryOutcome, Recollection, StoredFact

app = typer.Typer(help="Facts that passed the memory gate.", no_args_is_help=True)

Kind = Literal["fact", "experience", "decision", "snippet"]
Tier = Literal["task", "session", "longterm"]


class AnyKind(StrEnum):
    fact = "fact"
    experience = "experience"
    decision = "decision"
    snippet = "snippet"
    entity = "entity"


class AnyTier(StrEnum):
    task = "task"
    session = "session"
    longterm = "longterm"
    archive = "archive"


class Status(StrEnum):
    verified = "verified"
    contested = "contested"
    unsupported = "unsupported"
    unverified = "unverified"


LimitOption = Annotated[int, typer.Option(min=1, max=10_000, help="At most this many.")]
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The id of a fact.")]
FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="A JSON Lines file.", callback=refuse_special)
]


@app.command("add")
def add(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is to be remembered.")],
    evidence: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file that says so. Several may follow.", callback=refuse_special, metavar="FILE"
        ),
    ] = None,
    more: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="More evidence.", callback=refuse_special),
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(help="How surely it is stated, from 0 to 1.")
    ] = None,
    kind: Annotated[Kind, typer.Option(help="What it is.")] = "fact",
    tier: Annotated[Tier, typer.Option(help="Where it belongs once verified.")] = "longterm",
    about: Annotated[
        list[str] | None, typer.Option(help="A thing it is about.", metavar="NAME")
    ] = None,
    said_by: Annotated[str, typer.Option(help="Who says so.")] = "",
    session: Annotated[str, typer.Option(help="The session it belongs to.")] = "",
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Verify a fact against its evidence and store it, or say why not."""
    from groundwire.errors import ErrFactNotGrounded

    with open_engine(context, judge_settings(backend, provider, base_url, model)) as engine:
        engine.load_sync()
        try:
            outcome = engine.remember_sync(
                text,
                [*(evidence or []), *(more or [])],
                confidence=confidence,
                kind=kind,
                tier=tier,
                about=about or (),
                said_by=said_by,
                session=session,
            )
        except ErrFactNotGrounded as refused:
            outcome = refused.outcome
    print_outcome(outcome, _show_outcome, as_json=as_json)
    raise typer.Exit(_exit_code(outcome))


def _exit_code(outcome: "MemoryOutcome") -> int:
    if outcome.status == "rejected":
        return 1
    return 0 if outcome.status == "verified" else NOT_DETERMINED


@app.command("search")
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What is looked for.")],
    tier: Annotated[
        list[AnyTier] | None, typer.Option(help="Only these tiers; the archive only if named.")
    ] = None,
    kind: Annotated[list[AnyKind] | None, typer.Option(help="Only these kinds.")] = None,
    status: Annotated[list[Status] | None, typer.Option(help="Only these statuses.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Only what was said in this time, as in 2h or 7d.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    limit: LimitOption = 10,
    as_json: JsonFlag = False,
) -> None:
    """Find facts by words and by meaning, each with its evidence and status."""
    from groundwire.memory import FactFilter

    given = {"tiers": tier, "kinds": kind, "statuses": status}
    wanted = FactFilter.model_validate(
        {name: [one.value for one in chosen] for name, chosen in given.items() if chosen}
        | {"session": session, "since": age_option(since, datetime.now(UTC))}
    )
    with open_engine(context) as engine:
        engine.load_sync()
        found = engine.recall_sync(query, wanted, limit=limit)
    _print(found, as_json=as_json, nothing="Memory has nothing about this.")
    raise typer.Exit(0 if found.facts else NOT_DETERMINED)


@app.command("show")
def show(context: typer.Context, identity: IdArgument, as_json: JsonFlag = False) -> None:
    """One fact with its evidence, its verdict, its links and what contradicts it."""
    with open_engine(context) as engine:
        fact = engine.memory.show_sync(identity)
    print_outcome(fact, _show_fact, as_json=as_json)


@app.command("pending")
def pending(context: typer.Context, limit: LimitOption = 100, as_json: JsonFlag = False) -> None:
    """Facts that are stored and not verified yet; `gw queue --run` verifies those that wait."""
    with open_engine(context) as engine:
        found = engine.memory.pending_sync(limit=limit)
    _print(found, as_json=as_json, nothing="Nothing waits.")


@app.command("rejected")
def rejected(context: typer.Context, limit: LimitOption = 100, as_json: JsonFlag = False) -> None:
    """Facts that were refused, or removed after a later look: never stored, only logged."""
    with open_engine(context) as engine:
        found = engine.memory.rejected_sync(limit=limit)
    _print(found, as_json=as_json, nothing="Nothing was refused.")


@app.command("forget")
def forget(
    context: typer.Context,
    identity: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a fact.")] = None,
    source: Annotated[
        str | None, typer.Option(help="Forget every fact that rests on this source.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Remove a fact, from the log of refused ones too, or all that rest on a source."""
    from groundwire.errors import InputError

    if (identity is None) == (source is None):
        raise InputError("Name one fact, or one source with --source.")
    with open_engine(context) as engine:
        if source is not None:
            forgotten = engine.memory.forget_source_sync(source)
        else:
            forgotten = int(engine.memory.forget_sync(identity or ""))
    if as_json:
        print_json({"forgotten": forgotten})
    else:
        say(f"Forgot {forgotten} {'fact' if forgotten == 1 else 'facts'}.")
    raise typer.Exit(0 if forgotten else NOT_DETERMINED)


@app.command("export")
def export(context: typer.Context, file: FileArgument, as_json: JsonFlag = False) -> None:
    """Write all facts with their sources and links."""
    from groundwire.errors import InputError

    if str(file) == "-":
        raise InputError(
            "Memory is not exported to the terminal.", hint="Name a file: memory.jsonl."
        )
    with open_engine(context) as engine:
        count = engine.memory.export_sync(file)
    _told(as_json=as_json, exported=count)


@app.command("import")
def import_(
    context: typer.Context,
    file: FileArgument,
    trust: Annotated[
        bool, typer.Option("--trust", help="Believe what the file calls verified: your backup.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Take over an exported file; its facts are verified again by `gw queue --run`."""
    with open_engine(context) as engine:
        count = engine.memory.import_from_sync(file, trust=trust)
    _told(as_json=as_json, imported=count)


def _told(*, as_json: bool, **counts: int) -> None:
    if as_json:
        print_json(counts)
        return
    for done, count in counts.items():
        say(f"{done.capitalize()} {count} {'fact' if count == 1 else 'facts'}.")


def _print(found: "Recollection", *, as_json: bool, nothing: str) -> None:
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    if not found.facts:
        say(nothing)
    for fact in found.facts:
        _show_fact(fact)
    if found.fallbacks:
        say("(by words alone: no vectors could be had)")


def _show_outcome(outcome: "MemoryOutcome") -> None:
    from rich.text import Text

    out = console()
    style = STATUS_STYLES.get(outcome.status, "red")
    head = f" {outcome.id} ({outcome.tier})" if outcome.stored else " not stored"
    out.print(Text.assemble((outcome.status, style), head))
    out.print(Text(f"  {outcome.message}"))
    for quote in outcome.result.evidence if outcome.result else ():
        out.print(Text(f'  "{quote.quote}" {quote.doc_id}', style="dim"))
    for other in outcome.contradicts:
        out.print(Text(f"  against {other.id}: {other.content}"))
        for quote in other.evidence:
            out.print(Text(f'    "{quote.quote}" {quote.doc_id}', style="dim"))


def _show_fact(fact: "StoredFact") -> None:
    from rich.text import Text

    out = console()
    style = STATUS_STYLES.get(fact.status, "red")
    out.print(Text.assemble((fact.status, style), f" {fact.id} {fact.content}"))
    told = [fact.tier or "", fact.reason or "", "queued" if fact.queued else ""]
    told += [f"confidence {fact.confidence:.2f}" if fact.confidence is not None else ""]
    told += [f"said by {fact.said_by}" if fact.said_by else "", f"{fact.said_at:%Y-%m-%d}"]
    out.print(Text(f"  {', '.join(one for one in told if one)}", style="dim"))
    for quote in fact.evidence:
        place = f", {quote.place}" if quote.place else ""
        out.print(Text(f'  "{quote.quote}" {quote.doc_id}{place}', style="dim"))
    for source in fact.sources:
        if source.changed:
            out.print(Text(f"  {source.path or source.doc_id} has changed since"))
    for other in fact.contradicts:
        out.print(Text(f"  against {other.id} ({other.status}): {other.content}"))
