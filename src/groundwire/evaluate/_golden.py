"""Golden sets: questions with what is expected of each, in lines of JSON or a table [S3 Gap B]."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import yaml
from pydantic import Field, ValidationError, model_validator

from groundwire.errors import InputError, UnreadableSource
from groundwire.model import Mode, Model

Row = TypeVar("Row", bound=Model)

CORPUS_NAME = "corpus.yaml"
"""Beside a golden set: the documents and vocabularies it is asked of."""
LISTS = ("doc_types", "doc_ids", "contains")
"""Columns of a table that hold several values, divided by semicolons."""


class Expected(Model):
    """What should come of a question.

    `doc_ids` are the documents that answer it, as `ADR.12`, as the end of a path or as a concept's
    address: one of them must be cited, or, where `match` is `all`, every one. `contains` are words
    the answer must have.
    """

    abstain: bool = False
    mode: Mode | None = None
    reason: str | None = None
    route: str | None = None
    doc_types: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    match: Literal["any", "all"] = "any"
    contains: tuple[str, ...] = ()
    source: str | None = None

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.mode is not None and (self.mode == "ABSTAIN") != self.abstain:
            raise ValueError(f"mode {self.mode} and abstain {self.abstain} contradict each other")
        return self

    @property
    def outcome(self) -> Mode:
        return self.mode or ("ABSTAIN" if self.abstain else "ANSWER")


class GoldenQuery(Model):
    """One line of a golden set. `version` is that of the set in which it came or last changed;
    `without` are documents that are taken out of the corpus before it is asked."""

    id: str = Field(min_length=1)
    query: str = Field(min_length=1)
    category: str = "question"
    expected: Expected = Expected()
    collection: str = "any"
    split: Literal["open", "held"] = "open"
    version: str = Field(default="0.1.0", pattern=r"^[0-9]+(\.[0-9]+){2}$")
    without: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    why: str = ""


class GoldenSet(Model):
    """`hash` is git's hash of the file, `version` the highest of its lines."""

    path: Path
    hash: str
    version: str
    queries: tuple[GoldenQuery, ...]

    def split(self, name: str | None) -> Self:
        if name is None:
            return self
        chosen = tuple(one for one in self.queries if one.split == name)
        if not chosen:
            raise InputError(f"{self.path} has no questions in the split {name!r}.")
        return self.model_copy(update={"queries": chosen})


class Corpus(Model):
    """What a golden set is asked of, by paths from its own file."""

    documents: tuple[Path, ...] = ()
    vocabulary: tuple[Path, ...] = ()


def read_golden(path: Path) -> GoldenSet:
    """All lines, or an error that names the line and the field: nothing is half-read."""
    content = read_bytes(path)
    queries: dict[str, GoldenQuery] = {}
    for number, fields in records(content, path):
        query = validated(GoldenQuery, _nested(fields), path, number)
        if query.id in queries:
            raise InputError(f"{path}, line {number}, field id: {query.id!r} was used before.")
        queries[query.id] = query
    if not queries:
        raise InputError(f"{path} holds no questions.", hint="Write one with: gw eval init")
    return GoldenSet(
        path=path,
        hash=blob_hash(content),
        version="v" + max((one.version for one in queries.values()), key=_by_number),
        queries=tuple(queries.values()),
    )


def corpus_of(path: Path) -> Corpus | None:
    """The corpus that stands beside a golden set; without one the user's own index is asked."""
    file = path.parent / CORPUS_NAME
    if not file.is_file():
        return None
    try:
        named = Corpus.model_validate(yaml.safe_load(read_bytes(file)) or {})
    except (ValidationError, yaml.YAMLError, RecursionError) as error:
        raise InputError(
            f"{file} is no description of a corpus.",
            hint="It has `documents` and `vocabulary`, each a list of paths.",
        ) from error
    below = [tuple(file.parent / one for one in paths) for _, paths in named]
    return Corpus(documents=below[0], vocabulary=below[1])


def is_questions(path: Path) -> bool:
    """Whether a file holds questions; otherwise its rows are claims."""
    return any("query" in fields for _, fields in records(read_bytes(path), path))


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error


def blob_hash(content: bytes) -> str:
    """The name git gives to a file with this content."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def records(content: bytes, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of JSON lines or of a table (.csv), each with its line."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"{path} is no UTF-8.") from error
    if path.suffix.lower() == ".csv":
        table = csv.DictReader(io.StringIO(text))
        yield from ((table.line_num, _without_empty(row, path, table.line_num)) for row in table)
        return
    # other marks that end a line in some texts may stand in a string of JSON
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _object(line, path, number)


def validated(kind: type[Row], fields: dict[str, Any], path: Path, number: int) -> Row:
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "as a whole"
        raise InputError(
            f"{path}, line {number}, field {field}: {first['msg']}.",
            hint="Nothing was run. docs/guides/evaluate.md lists the fields.",
        ) from error


def _object(line: str, path: Path, number: int) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path}, line {number}, is no JSON: {error}.", hint="Nothing was run."
        ) from error
    if not isinstance(fields, dict):
        raise InputError(f"{path}, line {number}, is no JSON object.", hint="Nothing was run.")
    return fields


def _without_empty(row: dict[Any, Any], path: Path, number: int) -> dict[str, Any]:
    if None in row:
        raise InputError(f"{path}, line {number}, has more cells than the first line has names.")
    return {name: value for name, value in row.items() if value not in (None, "")}


def _nested(fields: dict[str, Any]) -> dict[str, Any]:
    """A table has no nested fields: what belongs to `expected` stands beside the rest there."""
    inner = {name: fields.pop(name) for name in list(fields) if name in Expected.model_fields}
    for name in LISTS:
        if isinstance(inner.get(name), str):
            inner[name] = [one.strip() for one in inner[name].split(";") if one.strip()]
    if not inner:
        return fields
    return {**fields, "expected": {**fields.get("expected", {}), **inner}}


def _by_number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def write_lines(rows: Iterable[Model]) -> str:
    """Rows as a golden set holds them: what is as usual is left out."""
    dumped = (row.model_dump(mode="json", exclude_defaults=True) for row in rows)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in dumped)
