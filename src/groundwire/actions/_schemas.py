"""Level 2: does what a tool answered follow the schema it declares? Off until one is registered."""

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from groundwire.errors import InputError, MissingExtra, UnreadableSource
from groundwire.traces import TraceEvent, result_text

MAX_MANIFEST_BYTES = 5_000_000
MAX_PROBLEMS = 5
MAX_PROBLEM_CHARS = 200

Validator = Callable[[Any], list[str]]
"""Gives what is wrong with a value, nothing if nothing is."""


class SchemaRegistry:
    """Which tool's output follows which schema.

    A schema is a JSON Schema, a file that holds one (`results.json#/$defs/Result`), or a Python
    model by its import reference (`package.module:Result`). Only modules of `allowed_modules` are
    ever imported.
    """

    def __init__(self, *, allowed_modules: Iterable[str] = ()) -> None:
        self._allowed = tuple(allowed_modules)
        self._schemas: dict[str, tuple[Any, Path | None]] = {}
        self._validators: dict[str, Validator] = {}

    def __len__(self) -> int:
        return len(self._schemas)

    def register(self, tool: str, schema: Any, *, folder: Path | None = None) -> None:
        """`schema` is a mapping, a reference, or a Python type; files are sought in `folder`."""
        self._schemas[tool] = (schema, folder)
        self._validators.pop(tool, None)

    def load_manifest(self, path: Path) -> None:
        """Register every tool of a manifest: `tools`, a list or a mapping, each with a schema."""
        tools = _read_mapping(path).get("tools")
        if isinstance(tools, Mapping):
            tools = [{"name": name, **_as_mapping(tool)} for name, tool in tools.items()]
        if not isinstance(tools, list):
            raise InputError(f"{path}: field tools must list the tools and their output schemas.")
        for number, tool in enumerate(tools):
            name, schema = _declared(tool)
            if not isinstance(name, str) or schema is None:
                raise InputError(f"{path}: tools[{number}] needs a name and an output_schema.")
            self.register(name, schema, folder=path.parent)

    def register_mcp_tools(self, listing: Mapping[str, Any]) -> None:
        """Register what an MCP server declares in its answer to `tools/list`."""
        for tool in listing.get("tools", ()):
            name, schema = _declared(tool)
            if isinstance(name, str) and schema is not None:
                self.register(name, schema)

    def covers(self, tool: str) -> str | None:
        """The registered name of a tool, also behind the prefix of a server."""
        short = tool.rsplit("__", 1)[-1]
        return tool if tool in self._schemas else short if short in self._schemas else None

    def problems(self, event: TraceEvent) -> list[str]:
        name = self.covers(event.tool)
        if name is None:
            return []
        if name not in self._validators:
            schema, folder = self._schemas[name]
            self._validators[name] = self._compiled(name, schema, folder)
        return self._validators[name](_value(event))

    def _compiled(self, tool: str, schema: Any, folder: Path | None) -> Validator:
        if isinstance(schema, Mapping):
            return _json_schema(tool, schema)
        if isinstance(schema, str):
            return self._referenced(tool, schema, folder)
        return _python_model(schema)

    def _referenced(self, tool: str, reference: str, folder: Path | None) -> Validator:
        file, _, pointer = reference.partition("#")
        if file.endswith((".json", ".yaml", ".yml")):
            return _schema_file(tool, file, pointer, folder or Path.cwd())
        module, _, name = reference.replace("#", ":").partition(":")
        if not any(module == one or module.startswith(f"{one}.") for one in self._allowed):
            raise InputError(
                f"The schema of {tool!r} names the module {module!r}, which is not allowed.",
                hint="Allow it by name: --allow-module, or allowed_modules in Python.",
            )
        return _python_model(_imported(tool, module, name))


def _declared(tool: Any) -> tuple[Any, Any]:
    given = _as_mapping(tool)
    output = given.get("output")
    nested = output.get("schema") if isinstance(output, Mapping) else None
    schema = given.get("output_schema") or given.get("outputSchema") or nested
    return given.get("name") or given.get("id"), schema


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {"output_schema": value}


def _value(event: TraceEvent) -> Any:
    """What the tool answered: text that is JSON is taken for what it says."""
    if isinstance(event.result, list | str):
        try:
            return json.loads(result_text(event))
        except (ValueError, RecursionError):
            return event.result
    return event.result


def _json_schema(tool: str, schema: Mapping[str, Any], *, file: Any = None) -> Validator:
    try:
        import jsonschema
        from referencing import Registry
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import DRAFT202012
    except ImportError as error:
        raise MissingExtra("schemas", needed_for="Checking tool output by JSON Schema") from error
    # a registry of our own never fetches anything
    registry: Registry[Any] = Registry()
    if file is not None:
        registry = registry.with_resource(FILE_URI, DRAFT202012.create_resource(file))
    validator = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    try:
        validator.check_schema(schema)
        validator.check_schema(file if isinstance(file, Mapping) else {})
    except jsonschema.SchemaError as error:
        raise InputError(f"The schema of {tool!r} is not valid: {error.message}.") from error
    checker = validator(schema, registry=registry)

    def problems(value: Any) -> list[str]:
        try:
            errors = list(islice(checker.iter_errors(value), MAX_PROBLEMS))
        except (Unresolvable, RecursionError) as error:
            raise InputError(f"The schema of {tool!r} cannot be resolved: {error}.") from error
        return [f"{error.json_path}: {error.message[:MAX_PROBLEM_CHARS]}" for error in errors]

    return problems


FILE_URI = "urn:groundwire:schema"


def _schema_file(tool: str, file: str, pointer: str, folder: Path) -> Validator:
    path = (folder / file).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise InputError(f"The schema of {tool!r} names {file!r}, which leaves {folder}.")
    return _json_schema(tool, {"$ref": f"{FILE_URI}#{pointer}"}, file=_read_mapping(path))


def _python_model(model: Any) -> Validator:
    adapter: TypeAdapter[Any] = TypeAdapter(model)

    def problems(value: Any) -> list[str]:
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            details = error.errors(include_url=False)[:MAX_PROBLEMS]
            return [f"{'.'.join(map(str, one['loc'])) or '$'}: {one['msg']}" for one in details]
        return []

    return problems


def _imported(tool: str, module: str, name: str) -> Any:
    from importlib import import_module

    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise InputError(f"The schema of {tool!r} cannot be imported: {error}.") from error


def _read_mapping(path: Path) -> Mapping[str, Any]:
    import yaml  # for manifests alone

    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise UnreadableSource(f"{path} is larger than {MAX_MANIFEST_BYTES} bytes.")
        read = yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is neither JSON nor YAML: {error}.") from error
    if not isinstance(read, Mapping):
        raise InputError(f"{path} must hold an object.")
    return read
