"""A settings file found in a project may tighten, never loosen.

`./groundwire.yaml` is read because it lies in the working directory, which may be a stranger's
repository. Each setting declares which way it loosens (`loosens`); one that declares nothing, as a
key, an address, a path or a model, is the user's alone. What the user says by the home directory's
file, a file named with `--config`, the environment or the command line stands.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pydantic.fields import FieldInfo

Loosens = Literal["lower", "higher", "off", "on", "longer", "never"] | tuple[str, ...]
"""Which change accepts more: a lower or higher value, switching off or on, a longer list; `never`:
no value does; the values from the strictest to the loosest."""


class Refused(NamedTuple):
    """A line of a project's file that does not count, and why."""

    key: str
    why: str


def refused_lines(
    fields: Iterable[tuple[str, FieldInfo]],
    keys: Iterable[str],
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> Iterator[Refused]:
    """Those of the keys whose value loosens what would hold without the file."""
    known = dict(fields)
    for key in keys:
        loosens = loosening(known[key])
        old, new = before[key], after[key]
        if old == new or loosens == "never":
            continue
        if loosens is None:
            yield Refused(key, "only you may set it")
        elif is_looser(loosens, old, new):
            yield Refused(key, _why(loosens, old))


def loosening(field: FieldInfo) -> Loosens | None:
    """What the setting declares; None where it is the user's alone."""
    extra = field.json_schema_extra
    declared: Any = extra.get("loosens") if isinstance(extra, dict) else None
    return tuple(declared) if isinstance(declared, list) else declared


def is_looser(loosens: Loosens, old: Any, new: Any) -> bool:
    if isinstance(loosens, tuple):
        return loosens.index(new) > loosens.index(old)
    if loosens in ("off", "on"):
        return bool(new is (loosens == "on"))
    if loosens == "longer":
        return not set(new) <= set(old)
    if loosens == "higher":
        # unset is no bound at all
        return new is None or (old is not None and new > old)
    # of a calibrated threshold nobody here knows whether another one is lower
    return new is None or old is None or new < old


def _why(loosens: Loosens, old: Any) -> str:
    if loosens in ("lower", "higher") and old is not None:
        return f"a {loosens} value than {old} loosens"
    if loosens in ("off", "on"):
        return f"switching it {loosens} loosens"
    return "it may loosen what is calibrated" if old is None else f"it loosens {old}"
