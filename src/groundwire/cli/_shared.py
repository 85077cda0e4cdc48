"""What all commands share: options, configuration, output."""

import json
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from groundwire._patterns import lazy_pattern

if TYPE_CHECKING:
    from datetime import datetime

    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from groundwire.config import Config, LoadedConfig
    from groundwire.engine import Engine
    from groundwire.errors import GroundwireError
    from groundwire.model import Suggestion


Model = TypeVar("Model", bound="BaseModel")
Given = TypeVar("Given")


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, nothing in a pipe."""
    with stage_progress() as show:
        if show is not None:
            show(doing, 0, None)  # it moves before anything is done
        yield None if show is None else partial(show, doing)


@contextmanager
def stage_progress() -> Iterator[Callable[[str, int, int | None], None] | None]:
    """A bar for each stage on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress as Bar, TaskID

    with Bar(console=error_console(), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(doing: str, done: int, of: int | None) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(doing, total=of)
            bar.update(tasks[doing], completed=done, total=of)

        yield show


BAD_INPUT = 2
NOT_DETERMINED = 3
"""The exit code of a command that could not find out."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

BackendOption = Annotated[
    str | None,
    typer.Option(help="The judge: embedded, self, haiku, external, configurable, or an added one."),
]
ProviderOption = Annotated[
    str | None, typer.Option(help="The provider of the model behind `self`.")
]
BaseUrlOption = Annotated[str | None, typer.Option(help="The address of that model.")]
ModelOption = Annotated[str | None, typer.Option(help="The name of that model.")]


@dataclass(frozen=True)
class Options:
    """What stands before the subcommand."""

    config_file: Path | None = None
    settings: tuple[str, ...] = ()


def load_settings(
    context: typer.Context, overrides: Mapping[str, Any] | None = None
) -> "LoadedConfig":
    """The configuration this command runs under; `overrides` are its own flags."""
    from groundwire.config import load_config

    options: Options = context.obj
    given = dict(_parse_setting(text) for text in options.settings)
    given |= {key: value for key, value in (overrides or {}).items() if value is not None}
    return load_config(file=options.config_file, overrides=given)


def judge_settings(
    backend: str | None, provider: str | None, base_url: str | None, model: str | None
) -> dict[str, str | None]:
    """Settings by the flags that choose a judge; a provider or an address means `self`."""
    return {
        "hallucination.backend.type": backend or ("self" if provider or base_url else None),
        "llm.provider": provider,
        "llm.base_url": base_url,
        "llm.model": model,
    }


def vocabulary_settings(files: Sequence[Path] | None) -> dict[str, Any]:
    """Settings by `--vocabulary`: these files, and none that were added before."""
    from groundwire.errors import InputError

    for file in files or ():
        if not file.expanduser().exists():
            raise InputError(f"There is no vocabulary {file}.", hint="Name a SKOS file that is.")
    return {"terms.vocabulary": list(files), "terms.added": False} if files else {}


def _parse_setting(text: str) -> tuple[str, str]:
    from groundwire.errors import ConfigError

    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set {text!r} has no value.", hint="Write --set KEY=VALUE.")
    return key.strip(), value.strip()


@contextmanager
def observed(loaded: "LoadedConfig") -> Iterator[None]:
    """Logs as configured while the command runs; what it counted is kept afterwards."""
    from groundwire.errors import StoreError
    from groundwire.observe import MetricsStore, configure_logs, export_spans, metrics

    log_format = loaded.config.log.format
    if log_format == "auto":
        log_format = "json" if prints_json() else "text"
    configure_logs(loaded.config.log.level, log_format)
    endpoint = loaded.config.telemetry.endpoint
    stop_spans = None if endpoint is None else export_spans(endpoint)
    try:
        yield
    finally:
        if stop_spans is not None:
            stop_spans()
        try:
            with MetricsStore(loaded.config.home.expanduser() / "metrics.sqlite") as store:
                store.add(metrics())
        except StoreError as error:
            warn(f"Metrics were not kept: {error}")


@contextmanager
def open_engine(
    context: typer.Context,
    overrides: Mapping[str, Any] | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> "Iterator[Engine]":
    """The engine of a command, observed while it works; `tell` is told what takes long."""
    from groundwire.engine import Engine

    loaded = load_settings(context, overrides)
    with observed(loaded), Engine(loaded.config) as engine:
        engine.parts.tell = tell
        yield engine


def read_body(path: str, config: "Config") -> str:
    """The text of a document without its front matter; `-` is standard input."""
    from groundwire.evidence import read_document

    document = read_document(path if path == "-" else Path(path), config.limits)
    return document.text[document.body_start :]


def require_extra(extra: str, *packages: str, needed_for: str) -> None:
    """Told before any of them is imported, which would end in a traceback."""
    from importlib.util import find_spec

    from groundwire.errors import MissingExtra

    if not all(find_spec(name) for name in packages):
        raise MissingExtra(extra, needed_for=needed_for)


def refuse_special(given: Given) -> Given:
    """The callback of every parameter that names input: opening a pipe or a device may wait for
    ever, whoever opens it. What is not there at all is told by who reads it."""
    from groundwire.errors import UnreadableSource

    for name in given if isinstance(given, list | tuple) else [given]:
        # `<(command)` of a shell is /dev/fd/63: its writer is there
        is_ours = str(name) == "-" or str(name).startswith(_OPENED)
        if isinstance(name, str | Path) and not is_ours and _is_special(Path(name)):
            raise UnreadableSource(
                f"{name} is not a file but a pipe or a device.", hint="Save it to a file first."
            )
    return given


_OPENED = ("/dev/fd/", "/proc/self/fd/", "/dev/stdin")


def _is_special(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


# such as U+009B, which some terminals take for the start of an order, and U+202E, which turns the
# reading direction; JSON escapes the others
_CONTROLS = lazy_pattern("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


# such as the line break of a file name, which would begin a line that looks like one of ours
_BREAKS = lazy_pattern("[\t-\r\x1c-\x1e\x85\u2028\u2029]")


def prints_json() -> bool:
    """Whether this command line asks for output that a program reads."""
    given = sys.argv[1:]
    formats = ("--format=json", "--format=jsonl")
    named = (f"{one}={value}" for one, value in pairwise(given))
    return "--json" in given or any(one in formats for one in (*given, *named))


def json_text(document: Any, indent: int | None = 2) -> str:
    """JSON that a terminal may show."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def print_json(document: Any) -> None:
    write_document(json_text(document) + "\n")


def print_outcome(outcome: Model, show: "Callable[[Model], None]", *, as_json: bool) -> None:
    if as_json:
        print_json(outcome.model_dump(mode="json"))
    else:
        show(outcome)


def chosen_id(
    choices: "Sequence[Suggestion]", number: int | None, show: Callable[[], None], *, ask: bool
) -> str | None:
    """Of the choices that are offered the one with this number, or that a person names."""
    from groundwire.errors import InputError

    if number is None and ask and sys.stdin.isatty() and sys.stdout.isatty():
        show()
        number = typer.prompt("Which one? (0 for none)", default=0, type=int)
    if not number:
        return None
    if number > len(choices):
        raise InputError(f"There is no choice {number}: {len(choices)} are offered.")
    return choices[number - 1].id


def age_option(age: str | None, now: "datetime") -> "datetime | None":
    """The moment that `--since 2h` means."""
    from groundwire.config import parse_duration
    from groundwire.errors import InputError

    if age is None:
        return None
    try:
        return now - parse_duration(age)
    except ValueError as error:
        raise InputError(f"--since {age!r}: {error}.") from error


def console() -> "Console":
    """Where a command lays out what people read; nothing foreign gives the terminal orders."""
    from groundwire.cli._console import PlainConsole

    return PlainConsole(soft_wrap=False, highlight=False)


def error_console() -> "Console":
    """The same beside the output, for what moves while a command works."""
    from groundwire.cli._console import PlainConsole

    return PlainConsole(stderr=True)


def plain_table(*headings: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def plain(text: str) -> str:
    """Foreign text for a terminal: what could move its cursor, change its colours or turn its
    reading direction is shown. `console`, `say` and `warn` call it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf") else "\ufffd"
        for char in text
    )


def one_line(text: str) -> str:
    """A name or other foreign text within a line of ours: a break in it cannot begin another."""
    return plain(_BREAKS.sub("\ufffd", text))


def shortened(text: str, most_chars: int) -> str:
    """The beginning of foreign text, in one line."""
    flat = " ".join(text.split())
    return one_line(flat if len(flat) <= most_chars else f"{flat[: most_chars - 1]}…")


def say(text: str = "", *, beside: bool = False) -> None:
    """A line for people; `beside` the output where another program reads that."""
    typer.echo(one_line(text), err=beside)


def say_lines(text: str, *, beside: bool = False) -> None:
    """Lines for people, each with its end; names in them went through `one_line`."""
    typer.echo(plain(text), nl=False, err=beside)


def write_document(text: str) -> None:
    """What a program reads, as it stands: its own format says how it is escaped."""
    sys.stdout.write(text)
    sys.stdout.flush()  # a verdict is read as it falls


def warn(message: str) -> None:
    """One line: what other packages tell in several is joined, as in an error of YAML."""
    sys.stderr.write(f"groundwire: {plain(_BREAKS.sub(' ', message))}\n")


def report_error(error: "GroundwireError", *, as_json: bool) -> None:
    if as_json:
        print_json({"error": {"code": error.code, "message": error.message, "hint": error.hint}})
    warn(str(error))
