"""A project's own file may not send your data or your keys away.

`./groundwire.yaml` is found because it lies in the working directory, which may be a stranger's
repository. It may point at a server on this machine, which then gets no key from the environment;
any other address has to be chosen by the user: in a file named with `--config`, in the home
directory's file, in the environment or on the command line. Decision 0022 says why.
"""

from collections.abc import Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from pydantic.fields import FieldInfo

from groundwire.errors import ConfigError

PROJECT_SOURCE = "project file"


def is_loopback(address: object) -> bool:
    """Whether an address means this machine and no other."""
    try:
        host = urlsplit(str(address)).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_address(field: FieldInfo) -> bool:
    return bool(_extra(field, "address"))


def hold_project_file_back(
    fields: Iterable[tuple[str, FieldInfo]],
    values: MutableMapping[str, Any],
    sources: MutableMapping[str, str],
) -> None:
    """Refuse addresses that only a project's file chose; withhold the environment's keys."""
    known = list(fields)
    chosen = {
        key
        for key, field in known
        if is_address(field)
        and values.get(key) is not None
        and sources.get(key, "").startswith(PROJECT_SOURCE)
    }
    for key in chosen:
        if not is_loopback(values[key]):
            where = sources[key].removeprefix(PROJECT_SOURCE).strip()
            raise ConfigError(
                f"{key} is set by {where}, which lies in the working directory and was not named "
                "by you: it may not choose where data and keys are sent.",
                hint=f"If you trust it, name it: --config {where}",
            )
    for key, field in known:
        target = _extra(field, "sent_to")
        if target in chosen and sources.get(key, "").startswith("environment"):
            del values[key]
            sources[key] = f"withheld, as {target} comes from a {PROJECT_SOURCE}"


def _extra(field: FieldInfo, name: str) -> Any:
    extra = field.json_schema_extra
    return extra.get(name) if isinstance(extra, dict) else None
