"""Labelled rows from a file or a folder: what a benchmark runs on."""

import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TextIO, TypeVar

from pydantic import Field

from groundwire.errors import InputError, UnreadableSource
from groundwire.model import Model

_ENDINGS = (".jsonl", ".jsonl.xz")
Row = TypeVar("Row", bound=Model)


class LabelledClaim(Model):
    """`label` is 1 where the evidence supports the claim and 0 where it does not."""

    id: str
    set: str
    evidence: str
    claim: str
    label: int = Field(ge=0, le=1)


def read_claims(path: Path, limit: int | None = None) -> list[LabelledClaim]:
    """Every row of a file, or of all such files of a folder.

    `limit` keeps that many of each set and label, chosen by their ids, so that the same ones are
    kept wherever they stand.
    """
    rows = read_rows(path, LabelledClaim)
    return rows if limit is None else limited(rows, limit, lambda row: (row.set, row.label))


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """Every row of a file or folder; fields that `kind` does not have stay unread."""
    rows = [row for file in _files(path) for row in _read(file, kind)]
    if not rows:
        raise InputError(f"{path} holds no rows.", hint="Give lines of JSON, one row each.")
    return rows


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.exists():
        raise UnreadableSource(f"{path} does not exist.", hint="Name a file or a folder of rows.")
    found = sorted(one for one in path.glob("*") if one.name.endswith(_ENDINGS))
    if not found:
        raise UnreadableSource(
            f"{path} has no labelled rows.",
            hint=f"Name a file or a folder of files that end in {' or '.join(_ENDINGS)}.",
        )
    return found


def _read(file: Path, kind: type[Row]) -> Iterator[Row]:
    # a pipe in a folder would keep us waiting for ever
    if not file.is_file():
        raise UnreadableSource(f"{file} is not a plain file.", hint="Take it out of the folder.")
    try:
        with _opened(file) as lines:
            yield from _parsed(lines, file, kind)
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"{file} is no UTF-8.", hint="Save it as UTF-8.") from error
    except (OSError, lzma.LZMAError, EOFError) as error:
        raise UnreadableSource(f"{file} cannot be read: {error}.") from error


def _opened(file: Path) -> TextIO:
    if file.suffix == ".xz":
        return lzma.open(file, "rt", encoding="utf-8")
    return file.open(encoding="utf-8")


def _parsed(lines: Iterable[str], file: Path, kind: type[Row]) -> Iterator[Row]:
    wanted = ", ".join(
        name for name, field in kind.model_fields.items() if field.is_required() and name != "id"
    )
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            known = {name: fields[name] for name in kind.model_fields if name in fields}
            yield kind.model_validate({"id": f"{file.name}:{number}", **known})
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(
                f"{file}, line {number}, is no labelled row.",
                hint=f"Each line needs {wanted}.",
            ) from error


def limited(rows: Sequence[Row], limit: int, group: Callable[[Row], Hashable]) -> list[Row]:
    """So many of each group, chosen by their ids: the same ones wherever they stand."""
    kept: dict[Hashable, int] = defaultdict(int)
    chosen: set[int] = set()
    ids = [getattr(row, "id", "") for row in rows]
    for place in sorted(range(len(rows)), key=lambda one: sha256(ids[one].encode()).digest()):
        key = group(rows[place])
        if kept[key] < limit:
            kept[key] += 1
            chosen.add(place)
    return [row for place, row in enumerate(rows) if place in chosen]
