"""What all commands share: options, configuration, output."""

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from groundwire.config import LoadedConfig
    from groundwire.errors import GroundwireError


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def stage_progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar for each stage on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar, TaskID

    with Bar(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(doing: str, done: int, of: int) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(doing, total=of)
            bar.update(tasks[doing], completed=done, total=of)

        yield show


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
    from groundwire.observe import MetricsStore, configure_logs, metrics

    configure_logs(loaded.config.log.level, loaded.config.log.format)
    try:
        yield
    finally:
        try:
            store = MetricsStore(loaded.config.home.expanduser() / "metrics.sqlite")
            store.add(metrics())
            store.close()
        except StoreError as error:
            warn(f"Metrics were not kept: {error}")


def print_json(document: Any) -> None:
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def console() -> "Console":
    from rich.console import Console

    return Console(soft_wrap=False, highlight=False)


def plain(text: str) -> str:
    """Foreign text for a terminal: what could move its cursor or change its colours is shown."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf") else "\ufffd"
        for char in text
    )


def warn(message: str) -> None:
    sys.stderr.write(f"groundwire: {message}\n")


def report_error(error: "GroundwireError", *, as_json: bool) -> None:
    if as_json:
        print_json({"error": {"code": error.code, "message": error.message, "hint": error.hint}})
    warn(str(error))
