"""The `groundwire` command (short: `gw`): its subcommands, and errors turned into exit codes."""

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from groundwire.cli import (
    _ask,
    _audit,
    _bench,
    _chat,
    _check,
    _config,
    _deep_model,
    _diagnose,
    _doctor,
    _doors,
    _eval,
    _graph,
    _ground,
    _hook,
    _index,
    _memory,
    _records,
    _serve,
    _snapshot,
    _term,
    _verify_output,
)
from groundwire.cli._check_inputs import CheckCommand
from groundwire.cli._output import print_json, prints_json, report_error, say, say_lines, warn
from groundwire.cli._shared import BAD_INPUT, Options


class _Root(TyperGroup):
    """Takes `--set` and `--config` anywhere on the command line."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _settings_first(args))


def _settings_first(arguments: list[str]) -> list[str]:
    """What belongs to all commands stands before the command; after `--` all is left alone."""
    ours: list[str] = []
    others: list[str] = []
    left = iter(arguments)
    for argument in left:
        if argument == "--":
            return [*ours, *others, argument, *left]
        name, has_value, _ = argument.partition("=")
        # the specification calls the thresholds of an evaluation its --config
        if name != "--set" and (name != "--config" or "eval" in others):
            others.append(argument)
            continue
        ours.append(argument)
        if not has_value:
            ours += [value for value in [next(left, None)] if value is not None]
    return [*ours, *others]


app = typer.Typer(
    cls=_Root,
    name="groundwire",
    help="Test every statement a language model makes against evidence.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help comes in half the time
    epilog="Exit codes: 0 fine, 1 something is not grounded, 2 bad input, 3 not determined.",
)
app.command("check", cls=CheckCommand)(_check.check)
app.command("term")(_term.term)
app.add_typer(_term.app, name="vocabulary")
app.add_typer(_config.app, name="config")
app.add_typer(_bench.app, name="bench")
app.add_typer(_eval.app, name="eval")
app.command("index")(_index.index)
app.command("ground")(_ground.ground)
app.command("chat")(_chat.chat)
app.add_typer(_deep_model.app, name="deep-model")
app.command("ask")(_ask.ask)
app.command("doctor")(_doctor.doctor)
app.command("queue")(_records.queue)
app.command("audit")(_audit.audit)
app.command("repl")(_chat.repl)
app.command("diagnose")(_diagnose.diagnose)
app.add_typer(_graph.app, name="graph")
app.add_typer(_memory.app, name="memory")
app.command("metrics")(_records.metrics)
app.command("audit-log")(_records.audit_log)
app.command("serve")(_serve.serve)
app.add_typer(_serve.app, name="token")
app.command("mcp")(_doors.mcp)
app.command("proxy")(_doors.proxy)
app.command("verify-output")(_verify_output.verify_output)
app.add_typer(_hook.app, name="hook")
app.command("snapshot")(_snapshot.snapshot)
app.command("claims-from-trace")(_snapshot.claims_from_trace)
app.command("claims-from-text")(_snapshot.claims_from_text)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(version("groundwire"))
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option("--config", help="A YAML file with settings.", metavar="FILE")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="Set one setting, as in judge.threads=1; anywhere on the command line.",
            metavar="KEY=VALUE",
        ),
    ] = None,
    _version: Annotated[
        bool | None,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = None,
) -> None:
    context.obj = Options(config_file=config, settings=tuple(settings or ()))


def _program_name() -> str | None:
    """`python -m groundwire` is `gw` to its help and to shells."""
    return "gw" if Path(sys.argv[0]).name == "__main__.py" else None


_UsageError: Any = typer.BadParameter.__base__
"""An unknown option, command or value: typer has no public name for all of them together."""


def _report_usage(error: Any) -> None:
    """As typer writes it, and for a program as the one document it waits for."""
    from groundwire.errors import InputError

    # how pydantic, by which typer reads values, begins what a type of ours says
    error.message = error.message.removeprefix("Value error, ")
    shown = io.StringIO()
    error.show(file=shown)
    if prints_json():
        hint = f"See `{error.ctx.command_path} --help`." if error.ctx is not None else None
        told = {"code": InputError.code, "message": error.format_message(), "hint": hint}
        print_json({"error": told})
    say_lines(shown.getvalue(), beside=True)


def main() -> None:
    """The entry point of `gw`: errors become a sentence and an exit code."""
    from groundwire.errors import GroundwireError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # what cannot be encoded is escaped, which in JSON means the same
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(app(prog_name=_program_name(), standalone_mode=False))
    except GroundwireError as error:
        report_error(error, as_json=prints_json())
        sys.exit(error.exit_code)
    except _UsageError as error:
        _report_usage(error)
        sys.exit(BAD_INPUT)
    except typer.Abort:
        warn("Aborted.")
        sys.exit(1)
    except BrokenPipeError:
        # the reader of our output went away; nothing more can be said to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
