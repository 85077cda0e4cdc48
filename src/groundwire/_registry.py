"""What is plugged in by name: parts of our own, and entry points of other installed packages.

Another package registers a part in its `pyproject.toml`:

    [project.entry-points."groundwire.judges"]
    strict = "their_package:build_judge"
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from groundwire.errors import ConfigError, GroundwireError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Part = TypeVar("Part")
_OURS = "groundwire"


@dataclass(frozen=True)
class _Own:
    """A part of ours, as an entry point is one of another package."""

    name: str
    value: str
    dist: None = None

    def load(self) -> Any:
        module, _, attribute = self.value.partition(":")
        return getattr(import_module(module), attribute)


@cache
def installed(group: str) -> tuple[EntryPoint, ...]:
    """What other packages registered, in the order of names."""
    if not _may_be_registered(group):
        return ()
    from importlib.metadata import entry_points

    return tuple(sorted(entry_points(group=group), key=lambda one: (one.name, _package(one))))


def _may_be_registered(group: str) -> bool:
    """Whether a package on the path names the group. `importlib.metadata` takes 30 ms to load,
    and is asked where this cannot tell: of archives, and of packages that are found otherwise.
    """
    if any(
        hasattr(finder, "find_distributions") and finder.__module__ != "_frozen_importlib_external"
        for finder in map(_class_of, sys.meta_path)
    ):
        return True
    return any(_names_group(Path(entry), f"[{group}]") for entry in sys.path)


def _class_of(finder: object) -> type:
    return finder if isinstance(finder, type) else type(finder)


def _names_group(folder: Path, heading: str) -> bool:
    if not folder.is_dir():
        return folder.exists()
    lists = (*folder.glob("*.*-info/entry_points.txt"), *folder.glob("EGG-INFO/entry_points.txt"))
    return any(heading in one.read_text(encoding="utf-8", errors="replace") for one in lists)


def known_names(group: str, built_in: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*built_in, *(one.name for one in installed(group))]))


class Registry(Generic[Part]):
    """The parts of one kind. A part is loaded when its name is first used, so that a package
    that is broken, or claims a name that is taken, costs only those who ask for that name.

    `built_in` says where ours are, as an entry point does: `{"pdf": "groundwire.evidence:PDF"}`;
    `expects` is the type a part must have.
    """

    def __init__(self, group: str, kind: str, built_in: Mapping[str, str], expects: object) -> None:
        self.group = group
        self.kind = kind
        self._built_in = dict(built_in)
        self._expects = cast("type[Part]", expects)
        self._loaded: dict[str, Part] = {}

    def names(self) -> list[str]:
        """Every name there is: ours first."""
        return known_names(self.group, self._built_in)

    def own_names(self) -> list[str]:
        return list(self._built_in)

    def added_names(self) -> list[str]:
        """The names that other packages brought."""
        return [name for name in self.names() if name not in self._built_in]

    def claimed_names(self) -> list[str]:
        """The names that other packages want, also those that are taken."""
        return list(dict.fromkeys(one.name for one in installed(self.group)))

    def __contains__(self, name: str) -> bool:
        return name in self._built_in or name in self._claims

    def get(self, name: str) -> Part:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def problems(self) -> dict[str, str]:
        """What is wrong with the parts of other packages, by name."""
        found: dict[str, str] = {}
        for name in self.claimed_names():
            try:
                self.get(name)
            except GroundwireError as error:
                found[name] = str(error)
        return found

    @cached_property
    def _claims(self) -> Mapping[str, list[EntryPoint | _Own]]:
        claims: defaultdict[str, list[EntryPoint | _Own]] = defaultdict(list)
        for name, place in self._built_in.items():
            claims[name].append(_Own(name, place))
        for one in installed(self.group):
            claims[one.name].append(one)
        return dict(claims)

    def _load(self, name: str) -> Part:
        claims = self._claims.get(name, [])
        if not claims:
            known = ", ".join(self.names())
            raise ConfigError(f"There is no {self.kind} {name!r}.", hint=f"Known are: {known}.")
        packages = [_package(one) for one in claims]
        if len(claims) > 1:
            others = [package for package in packages if package != _OURS]
            raise ConfigError(
                f"The {self.kind} {name!r} is registered by {' and by '.join(packages)}.",
                hint=f"Uninstall one of them, as in: pip uninstall {others[-1]}",
            )
        try:
            part = claims[0].load()
        except GroundwireError:
            raise
        except Exception as error:
            raise self._unusable(
                name, packages[0], f"cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(part, self._expects):
            wanted = getattr(self._expects, "__name__", str(self._expects))
            raise self._unusable(name, packages[0], f"is no {wanted}")
        return part

    def _unusable(self, name: str, package: str, problem: str) -> ConfigError:
        return ConfigError(
            f"The {self.kind} {name!r} of the package {package} {problem}.",
            hint=f"Upgrade it, or remove it with: pip uninstall {package}",
        )


def _package(entry_point: EntryPoint | _Own) -> str:
    return entry_point.dist.name if entry_point.dist is not None else _OURS
