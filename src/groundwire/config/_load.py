"""The settings from defaults, files, environment and command line, each with where it is from."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from groundwire.config._tree import Config
from groundwire.config._trust import refused_lines
from groundwire.errors import ConfigError

PROJECT_SOURCE = "project file"
_Layer = tuple[dict[str, Any], dict[str, str]]
"""Values by their dotted keys, and where each is from."""


def is_loopback(address: object) -> bool:
    """Whether an address means this machine and no other."""
    try:
        host = urlsplit(str(address)).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(field: FieldInfo) -> bool:
    return bool(_extra(field, "address"))


def _extra(field: FieldInfo, name: str) -> Any:
    extra = field.json_schema_extra
    return extra.get(name) if isinstance(extra, dict) else None


ENV_PREFIX = "GROUNDWIRE_"
CONFIG_FILE_VARIABLE = "GROUNDWIRE_CONFIG"
PROJECT_FILE = "groundwire.yaml"
MAX_FILE_BYTES = 1_000_000
MASK = "********"

_WITHDRAWN = {
    "hallucination.output_verification.on_failure": "Take it out: responses are not gated yet.",
}
"""Settings of earlier versions that no code ever read, and what to do about them."""


@dataclass(frozen=True)
class Setting:
    """One value of the tree and the layer that set it."""

    key: str
    value: Any
    source: str


@dataclass(frozen=True)
class LoadedConfig:
    config: Config
    sources: Mapping[str, str]

    def settings(self) -> Iterator[Setting]:
        """Every leaf with its value as a file would write it, secrets masked."""
        dumped = self.config.model_dump(mode="json")
        for key, field in leaves(Config):
            value: Any = dumped
            for part in key.split("."):
                value = value[part]
            if is_secret(field) and value is not None:
                value = MASK
            yield Setting(key, value, self.sources.get(key, "default"))


def load_config(
    *,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
    directory: Path | None = None,
) -> LoadedConfig:
    """Build the configuration: defaults < YAML file < environment < `overrides` (dotted keys)."""
    environ = os.environ if environ is None else environ
    directory = directory or Path.cwd()
    own = [_file_layer(file, environ)]
    given = [_environment_layer(environ), _override_layer(overrides or {})]
    project: _Layer = ({}, {})
    if file is None and CONFIG_FILE_VARIABLE not in environ:
        project = _project_layer(directory / PROJECT_FILE, own, given)
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for layer, source_of in (*own, project, *given):
        values.update(layer)
        sources.update(source_of)
    return LoadedConfig(_validated(values, sources), sources)


def _project_layer(path: Path, own: Sequence[_Layer], given: Sequence[_Layer]) -> _Layer:
    """What a project's file sets and the user does not; lines that loosen are refused."""
    if not path.is_file():
        return {}, {}
    theirs = dict(_flatten(Config, read_yaml(path), "", str(path)))
    for values, _ in given:
        theirs = {key: value for key, value in theirs.items() if key not in values}
    sources = dict.fromkeys(theirs, f"{PROJECT_SOURCE} {path}")
    before = {key: value for values, _ in own for key, value in values.items()}
    own_sources = {key: source for _, layer in own for key, source in layer.items()}
    without, with_it = (
        dict(_leaf_values(_validated(tree, own_sources | sources)))
        for tree in (before, before | theirs)
    )
    refused = list(refused_lines(leaves(Config), theirs, without, with_it))
    if refused:
        lines = "; ".join(f"{one.key} ({one.why})" for one in refused)
        raise ConfigError(
            f"{path} lies in the working directory and was not named by you: it may tighten "
            f"settings, not loosen them. Refused: {lines}.",
            hint=f"Take the lines out; or, if you trust the file, name it: --config {path}",
        )
    return theirs, sources


def _leaf_values(config: Config) -> Iterator[tuple[str, Any]]:
    for key, _ in leaves(Config):
        value: Any = config
        for part in key.split("."):
            value = getattr(value, part)
        yield key, value


def leaves(section: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every setting of the tree with its dotted key, in the order it is declared."""
    for name, field in section.model_fields.items():
        nested = _nested_section(field)
        if nested is None:
            yield prefix + name, field
        else:
            yield from leaves(nested, f"{prefix}{name}.")


def is_secret(field: FieldInfo) -> bool:
    return SecretStr in (field.annotation, *get_args(field.annotation))


def environment_variables(key: str, field: FieldInfo) -> list[str]:
    """The variables that set a key, weakest first: customary ones the field names, then ours."""
    return [*(_extra(field, "env") or ()), ENV_PREFIX + key.upper().replace(".", "__")]


def _file_layer(file: Path | None, environ: Mapping[str, str]) -> _Layer:
    """The user's own file: the one that is named, else that of the home directory."""
    named = file or (
        Path(environ[CONFIG_FILE_VARIABLE]) if CONFIG_FILE_VARIABLE in environ else None
    )
    if named is not None and not named.is_file():
        raise ConfigError(f"There is no configuration file {named}.")
    home = Path(environ.get(ENV_PREFIX + "HOME", "~/.groundwire")).expanduser()
    path = named or home / "config.yaml"
    if not path.is_file():
        return {}, {}
    values = dict(_flatten(Config, read_yaml(path), "", str(path)))
    return values, dict.fromkeys(values, f"file {path}")


def read_yaml(path: Path) -> Mapping[str, Any]:
    import yaml  # 20 ms that only a file should cost

    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES} bytes: not a configuration.")
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text.", hint="Save it as UTF-8.") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise ConfigError(f"{where} is not valid YAML: {problem}.") from error
    if tree is None:
        return {}
    if not isinstance(tree, Mapping):
        raise ConfigError(f"{path} must hold sections and keys, not a {type(tree).__name__}.")
    return tree


def _flatten(
    section: type[BaseModel], tree: Mapping[Any, Any], prefix: str, where: str
) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        field = section.model_fields.get(str(name))
        if field is None:
            raise _unknown(f"{prefix}{name}", where)
        nested = _nested_section(field)
        if nested is None:
            yield f"{prefix}{name}", value
        elif isinstance(value, Mapping):
            yield from _flatten(nested, value, f"{prefix}{name}.", where)
        elif value is not None:
            raise ConfigError(
                f"{prefix}{name} in {where} is a section with keys of its own, not a value."
            )


def _environment_layer(environ: Mapping[str, str]) -> _Layer:
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    known = [CONFIG_FILE_VARIABLE]
    for key, field in leaves(Config):
        for variable in environment_variables(key, field):
            known.append(variable)
            if variable in environ:
                values[key] = _from_text(environ[variable], field)
                sources[key] = f"environment {variable}"
    for variable in environ:
        if variable.startswith(ENV_PREFIX) and variable not in known:
            key = variable.removeprefix(ENV_PREFIX).lower().replace("__", ".")
            _refuse_withdrawn(key, variable)
            near = get_close_matches(variable, known, n=1, cutoff=0.5)
            raise ConfigError(
                f"The environment variable {variable} sets nothing.",
                hint=f"Did you mean {near[0]}?" if near else "See `gw config show`.",
            )
    return values, sources


def _override_layer(overrides: Mapping[str, Any]) -> _Layer:
    known = dict(leaves(Config))
    for key in overrides:
        if key not in known:
            raise _unknown(key, "the command line")
    values = {
        key: _from_text(value, known[key]) if isinstance(value, str) else value
        for key, value in overrides.items()
    }
    return values, dict.fromkeys(values, "command line")


def _from_text(raw: str, field: FieldInfo) -> Any:
    """Lists and mappings are written in the environment as YAML; the rest pydantic reads."""
    if get_origin(field.annotation) not in (list, dict):
        return raw
    import yaml

    try:
        return yaml.safe_load(raw)
    except (yaml.YAMLError, RecursionError):
        return raw


def _validated(values: Mapping[str, Any], sources: Mapping[str, str]) -> Config:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *sections, name = key.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[name] = value
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise _bad_value(error, sources) from error


def _bad_value(error: ValidationError, sources: Mapping[str, str]) -> ConfigError:
    first = error.errors()[0]
    path = ".".join(str(part) for part in first["loc"])
    key = next((name for name in sources if path == name or path.startswith(name + ".")), path)
    field = dict(leaves(Config)).get(key)
    hidden = field is not None and (is_secret(field) or is_address(field))
    shown = "the given value" if hidden else repr(first["input"])
    problem = first["msg"].removeprefix("Value error, ")
    allowed = [str(choice) for choice in get_args(field.annotation)] if field else []
    near = get_close_matches(str(first["input"]), allowed, n=1, cutoff=0.4)
    return ConfigError(
        f"{key} = {shown} (from {sources.get(key, 'default')}) is refused: {problem}.",
        hint=f"Did you mean {near[0]!r}?" if near else None,
    )


def _refuse_withdrawn(key: str, where: str) -> None:
    if key in _WITHDRAWN:
        raise ConfigError(
            f"The setting {key!r} ({where}) is read by nothing, and would do nothing.",
            hint=_WITHDRAWN[key],
        )


def _unknown(key: str, where: str) -> ConfigError:
    _refuse_withdrawn(key, where)
    known = [name for name, _ in leaves(Config)]
    known += sorted({name.rsplit(".", 1)[0] for name in known if "." in name})
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    return ConfigError(
        f"There is no setting {key!r} ({where}).",
        hint=f"Did you mean {near[0]!r}?" if near else "See `gw config show` for all of them.",
    )


def _nested_section(field: FieldInfo) -> type[BaseModel] | None:
    annotation = field.annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None
