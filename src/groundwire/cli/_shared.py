"""What all commands share: options, settings, the engine, and which input is refused."""

import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from groundwire.cli._output import prints_json, warn

if TYPE_CHECKING:
    from datetime import datetime

    from groundwire.config import Config, LoadedConfig
    from groundwire.engine import Engine
    from groundwire.model import Suggestion

Given = TypeVar("Given")

BAD_INPUT = 2
NOT_DETERMINED = 3
"""The exit code of a command that could not find out."""


def refuse_special(given: Given) -> Given:
    """The callback of every parameter that names input: opening a pipe or a device may wait for
    ever. A file that is not there is no matter of this: who reads it says so."""
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

IndexOption = Annotated[
    Path | None,
    typer.Option(
        "--index", help="The index of documents.", callback=refuse_special, metavar="FILE"
    ),
]
VocabularyOption = Annotated[
    list[Path] | None,
    typer.Option(
        help="A SKOS file to look terms up in, instead of those in the settings.",
        callback=refuse_special,
    ),
]


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
