"""Writes cli.md, config.md, calibration.md and api.md of docs/reference from what they describe.

python docs/generate.py
"""

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields as dataclass_fields, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.fields import ComputedFieldInfo
from typer.main import get_command

import groundwire
import groundwire.errors
from groundwire.cli._main import app
from groundwire.config import Config
from groundwire.config._section import Section
from groundwire.encoder._weights import FOLDER

REFERENCE = Path(__file__).parent / "reference"
_MADE_BY = "<!-- Written by docs/generate.py; change the code instead. -->\n"
_ORDER = """Defaults, then a YAML file (`--config FILE`, or `config.yaml` in the home directory and
`groundwire.yaml` in the working directory, which may only tighten), then the environment
(`GROUNDWIRE_JUDGE__THREADS=1`), then the command line (`--set judge.threads=1`). `gw config
show` prints every value and where it came from."""

_CALIBRATION = """Numbers that were tuned are data. They stand beside the weights they were tuned
with, in `src/groundwire/encoder/weights`, one file for each model: each number's value, where it is
from and the command that fits it again. The code reads them through `groundwire.encoder`
(`judge_calibration()`, `reader_calibration()`, `adapter_calibration()`) and refuses a file that
lacks a number or has one that nothing reads. A number that is tuned again goes into its file; one
that moves the judge's probabilities also needs `python -m training.card`, and this page
`python docs/generate.py`.

Settings named after a number (`judge.threshold`, `judge.refute_threshold`, `judge.band_low`,
`judge.band_high`, `diagnosis.similarity_floor`, `diagnosis.lexical_link`) replace it where they are
set. "Hand-set" means that nobody has fitted it; the command beside it says what a change does.
What is not here was not tuned: limits, sizes, and what the specification states."""


def command_reference() -> str:
    root = get_command(app)
    lines = [f"# Commands\n\n{_MADE_BY}\n{root.help}\n\n{root.epilog}"]
    lines.append("\nOptions of all commands; `--config` and `--set` may also follow the command:\n")
    lines.append(_parameters(root))
    lines += [_command(name, command) for name, command in sorted(_commands(root, "gw"))]
    return "\n".join(lines) + "\n"


def _commands(group: Any, prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, command in group.commands.items():
        path = f"{prefix} {name}"
        found += _commands(command, path) if hasattr(command, "commands") else [(path, command)]
    return found


def _command(path: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    names = " ".join(_name(one) for one in arguments if not one.hidden)
    usage = f"{path} {names}".rstrip()
    return f"\n## {path}\n\n{command.help}\n\n    {usage} [OPTIONS]\n\n{_parameters(command)}"


def _parameters(command: Any) -> str:
    rows = []
    for one in command.params:
        if one.hidden or one.name == "help":
            continue
        name = _name(one)
        rows.append(f"| `{name}` | {_cell(one.help)} |")
    return "| | |\n|---|---|\n" + "\n".join(rows)


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        more = "..." if parameter.nargs != 1 else ""
        return f"{parameter.metavar or parameter.name.upper()}{more}"
    return ", ".join([*parameter.opts, *parameter.secondary_opts])


def config_reference() -> str:
    lines = [f"# Settings\n\n{_MADE_BY}\n{_ORDER}\n", "| setting | default | |\n|---|---|---|"]
    lines += [f"| `{key}` | {default} | {text} |" for key, default, text in settings(Config, "")]
    return "\n".join(lines) + "\n"


def settings(section: type[Section], prefix: str) -> list[tuple[str, str, str]]:
    """Every setting of a section: its key, its default and its description."""
    rows: list[tuple[str, str, str]] = []
    for name, field in section.model_fields.items():
        key = f"{prefix}{name}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            rows += settings(field.annotation, f"{key}.")
        else:
            text = _cell(field.description)
            rows.append((key, _default(field.default), text))
    return rows


def calibration_reference() -> str:
    lines = [f"# Calibration\n\n{_MADE_BY}\n{_CALIBRATION}"]
    for model in ("judge", "memory", "reader", "adapter"):
        name = f"{model}.calibration.json"
        stored = json.loads((FOLDER / name).read_text(encoding="utf-8"))
        lines.append(f"\n## {name}\n\n| number | value | where it is from | fit it again |")
        lines.append("|---|---|---|---|")
        lines += [
            f"| `{section}.{number}` | {entry['value']:g} | {_cell(entry['origin'])} "
            f"| {_cell(entry['refit'])} |"
            for section, numbers in stored.items()
            for number, entry in numbers.items()
        ]
    return "\n".join(lines) + "\n"


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def _default(value: Any) -> str:
    if value is None:
        return "unset"
    if hasattr(value, "total_seconds"):
        return f"`{value.total_seconds():g}s`"
    return f"`{value}`".replace("|", "\\|")


_API = """What a program imports. Everything takes and returns frozen, typed models;
`model_dump(mode="json")` of a result is the JSON that the command of the same name prints. Most
methods of `Engine` are coroutines, and `NAME_sync` is the twin of `NAME` that waits."""
_TYPE_NAME = re.compile(r"\b[A-Z]\w+")  # as in "tuple[ClaimResult, ...] | None"
_SUFFIX = "_sync"


def api_reference() -> str:
    """The public names, what they take, and every type that comes back from them."""
    lines = [f"# Python\n\n{_MADE_BY}\n{_API}\n\n    from groundwire import ..."]
    mentioned: list[str] = []
    for name in (one for one in groundwire.__all__ if not one.startswith("_")):
        public = getattr(groundwire, name)
        if isinstance(public, FunctionType):
            lines.append(f"\n## {name}\n\n{_call(public)}")
            mentioned += _types_of(public)
        elif public is groundwire.GroundwireError:
            tree = inspect.cleandoc(groundwire.errors.__doc__ or "")
            lines.append(f"\n## {name}\n\n```text\n{tree}\n```")
        elif public is not groundwire.Engine:  # a type of what goes in or comes out, or an error
            is_error = isinstance(public, type) and issubclass(public, Exception)
            mentioned += [] if is_error else [name]
        else:
            lines.append(f"\n## {name}\n\n{_call(public.__init__, name)}\n\n{_text(public)}")
            lines += _members(public)
            calls = [public.__init__, *_methods(public).values()]
            mentioned += [one for call in calls for one in _types_of(call)]
    lines.append("\n## What goes in and comes out")
    lines += [_type_section(name, found) for name, found in _reachable(mentioned).items()]
    return "\n".join(lines) + "\n"


def _members(owner: type) -> Iterator[str]:
    methods = _methods(owner)
    for name, method in methods.items():
        if name.endswith(_SUFFIX) and name.removesuffix(_SUFFIX) in methods:
            continue
        twin = f" · {name}{_SUFFIX}" if name + _SUFFIX in methods else ""
        yield f"\n### {owner.__name__}.{name}{twin}\n\n{_call(method)}"
    for name, value in _attributes(owner).items():
        if isinstance(value, cached_property | property):
            yield f"\n### {owner.__name__}.{name}\n\n{_text(value)}"


def _attributes(owner: type) -> dict[str, Any]:
    """What is public of a class and of those it is made of, as they are written down."""
    bases = [one for one in reversed(owner.__mro__) if one is not object]
    everything = {name: value for one in bases for name, value in vars(one).items()}
    return {name: value for name, value in everything.items() if not name.startswith("_")}


def _methods(owner: type) -> dict[str, FunctionType]:
    found = _attributes(owner).items()
    return {name: value for name, value in found if isinstance(value, FunctionType)}


@cache
def _definition(function: Callable[..., Any]) -> ast.FunctionDef | ast.AsyncFunctionDef:
    """As it is written, so that names of types stay names."""
    node: Any = ast.parse(dedent(inspect.getsource(inspect.unwrap(function)))).body[0]
    if node.args.args and node.args.args[0].arg == "self":
        del node.args.args[0]
    for argument in [*node.args.args, *node.args.kwonlyargs]:
        argument.annotation = _unquote(argument.annotation)
    node.returns = _unquote(node.returns)
    return cast("ast.FunctionDef | ast.AsyncFunctionDef", node)


def _call(function: Callable[..., Any], name: str | None = None) -> str:
    node = _definition(function)
    returns = f" -> {_written(node.returns)}" if node.returns and name is None else ""
    start = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    called = f"{start}{name or node.name}({_written(node.args)}){returns}"
    text = _text(function) if name is None else ""
    return f"```python\n{called}\n```\n\n{text}".rstrip()


def _written(node: ast.AST) -> str:
    return re.sub(r"(?<=\S)=(?=\S)", " = ", ast.unparse(node))


def _unquote(annotation: Any) -> Any:
    """Names that are loaded later are written in quotes: "Progress | None"."""
    is_quoted = isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)
    return ast.parse(annotation.value, mode="eval").body if is_quoted else annotation


def _types_of(function: Callable[..., Any]) -> list[str]:
    node = _definition(function)
    annotations = [one.annotation for one in [*node.args.args, *node.args.kwonlyargs]]
    written = [_written(one) for one in [*annotations, node.returns] if one is not None]
    return [name for text in written for name in _TYPE_NAME.findall(text)]


def _text(documented: Any) -> str:
    return inspect.cleandoc(documented.__doc__ or "")


@cache
def _folders() -> list[Any]:
    root = Path(groundwire.__file__).parent
    names = sorted(path.parent.name for path in root.glob("*/__init__.py"))
    return [import_module(f"groundwire.{name}") for name in names if name != "cli"]


def _reachable(names: list[str]) -> dict[str, Any]:
    """The types of ours that these names lead to, and those that their fields lead to."""
    found: dict[str, Any] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        folder = next((one for one in _folders() if name in one.__all__), None)
        if name in found or folder is None:
            continue
        found[name] = getattr(folder, name)
        waiting += _TYPE_NAME.findall(_leads_to(found[name]))
    return dict(sorted(found.items()))


def _leads_to(found: Any) -> str:
    if found is Config:
        return ""
    if not isinstance(found, type):
        return _shown(found)
    return " ".join(shown for _, shown, _ in _fields(found))


def _type_section(name: str, found: Any) -> str:
    if found is Config:
        return f"\n### {name}\n\nOne tree of settings; see [Settings](config.md)."
    if not isinstance(found, type):
        return f"\n### {name}\n\n    {name} = {_shown(found)}"
    # a protocol or a plain class is told by its docstring; a generated one says nothing
    text = _text(found) if not _text(found).startswith(f"{name}(") else ""
    rows = [f"| `{field}` | {_code(shown)} | {note} |" for field, shown, note in _fields(found)]
    table = "| field | type | |\n|---|---|---|\n" + "\n".join(rows) if rows else ""
    return "\n\n".join(part for part in (f"\n### {name}", text, table) if part)


def _fields(owner: Any) -> list[tuple[str, str, str]]:
    """Name, type and description of each field of a model or a dataclass."""
    if isinstance(owner, type) and issubclass(owner, BaseModel):
        fields, computed = owner.model_fields.items(), owner.model_computed_fields.items()
        return [
            *((n, _shown(f.annotation), _cell(f.description)) for n, f in fields),
            *((n, _shown(_returned(f)), _cell(f.description)) for n, f in computed),
        ]
    if is_dataclass(owner):
        return [(field.name, _shown(field.type), "") for field in dataclass_fields(owner)]
    return []


def _returned(computed: ComputedFieldInfo) -> Any:
    """From the property itself: the model knows it only once its validator was built."""
    return get_type_hints(computed.wrapped_property.fget)["return"]


def _shown(annotation: Any) -> str:
    """A type as a person would write it."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in (None, NoneType, Ellipsis):
        return "..." if annotation is Ellipsis else "None"
    if hasattr(annotation, "__metadata__"):
        return _shown(arguments[0])
    if origin is Literal:
        return " | ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in arguments)
    if origin in (Union, UnionType):
        return " | ".join(map(_shown, arguments))
    name = str(getattr(origin or annotation, "__name__", annotation))
    if isinstance(annotation, list):  # what a callable takes
        return f"[{', '.join(map(_shown, annotation))}]"
    return f"{name}[{', '.join(map(_shown, arguments))}]" if arguments else name


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


PAGES = {
    "cli": command_reference,
    "config": config_reference,
    "calibration": calibration_reference,
    "api": api_reference,
}

if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    for page, made in PAGES.items():
        (REFERENCE / f"{page}.md").write_text(made(), encoding="utf-8")
