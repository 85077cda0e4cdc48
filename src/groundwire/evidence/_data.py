"""CSV, TSV and JSON as Markdown: rows of tables, and `path: value` lines."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, Unparsable
from groundwire.evidence._source import decode

_MAX_COLUMNS = 1_000
_DELIMITERS = ",;\t|"
_SNIFFED_CHARS = 20_000


class Table:
    """Rows written one by one as a Markdown table; the first names the columns."""

    def __init__(self, pieces: Pieces, places: list[tuple[int, str]]) -> None:
        self._pieces = pieces
        self._places = places
        self._columns = 0

    def add(self, cells: Sequence[str], place: str) -> None:
        if len(cells) > _MAX_COLUMNS:
            raise Unparsable(f"has more than {_MAX_COLUMNS:,} columns", "Split it.")
        shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
        shown += [""] * (self._columns - len(shown))
        self._places.append((self._pieces.length, place))
        self._pieces.add(f"| {' | '.join(shown)} |\n")
        if not self._columns:
            self._columns = len(shown)
            self._pieces.add(f"|{'---|' * len(shown)}\n")


def parse_csv(data: bytes, bounds: Bounds) -> Parsed:
    text = decode(data)
    try:
        sample = text[:_SNIFFED_CHARS]
        delimiter = csv.Sniffer().sniff(sample, delimiters=_DELIMITERS).delimiter
    except csv.Error:
        delimiter = ","
    return _parse_rows(text, delimiter, bounds)


def parse_tsv(data: bytes, bounds: Bounds) -> Parsed:
    return _parse_rows(decode(data), "\t", bounds)


def _parse_rows(text: str, delimiter: str, bounds: Bounds) -> Parsed:
    pieces, places = Pieces(bounds), list[tuple[int, str]]()
    csv.field_size_limit(bounds.max_chars)
    table = Table(pieces, places)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        for number, cells in enumerate(rows, start=1):
            if any(cell.strip() for cell in cells):
                table.add(cells, f"row {number}")
    except csv.Error as error:
        raise Unparsable(f"is no table that can be read: {error}", "Export it again.") from error
    return Parsed(pieces.text(), places=tuple(places))


class Pairs(list[tuple[str, Any]]):
    """The members of an object; a name given twice is kept twice."""


def parse_json(data: bytes, bounds: Bounds) -> Parsed:
    tree = load_json(data)
    pieces, places = Pieces(bounds), list[tuple[int, str]]()
    if _is_table(tree):
        _write_records(tree, Table(pieces, places))
    else:
        for path, value in _leaves(tree, ""):
            places.append((pieces.length, path or "the value"))
            pieces.add(f"- {path}: {value}\n" if path else f"{value}\n")
    return Parsed(pieces.text(), places=tuple(places))


def load_json(data: bytes) -> Any:
    try:
        return json.loads(decode(data), object_pairs_hook=Pairs, parse_float=str, parse_int=str)
    except RecursionError as error:
        raise Unparsable("nests too deeply", "Check where it comes from.") from error
    except ValueError as error:
        raise Unparsable(f"is no JSON: {error}", "Check where it comes from.") from error


def _is_table(tree: Any) -> bool:
    """A list of objects without objects in them."""
    return (
        isinstance(tree, list)
        and not isinstance(tree, Pairs)
        and len(tree) > 1
        and all(isinstance(one, Pairs) for one in tree)
        and not any(isinstance(value, list) for one in tree for _, value in one)
    )


def _write_records(records: Sequence[Pairs], table: Table) -> None:
    columns = list(dict.fromkeys(name for record in records for name, _ in record))
    table.add(columns, "the names of the columns")
    for number, record in enumerate(records, start=1):
        values = dict(record)
        table.add([_shown(values.get(name, "")) for name in columns], f"record {number}")


def _leaves(tree: Any, path: str) -> Iterator[tuple[str, str]]:
    """Depth first, in order, without recursion."""
    waiting = [(tree, path)]
    while waiting:
        node, at = waiting.pop()
        if isinstance(node, Pairs):
            waiting += [(value, f"{at}.{name}" if at else name) for name, value in reversed(node)]
        elif isinstance(node, list):
            waiting += [
                (value, f"{at}[{place}]") for place, value in reversed(list(enumerate(node)))
            ]
        else:
            yield at, _shown(node)


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return " ".join(str(value).split())


CSV = DocumentReader("csv", parse_csv)
TSV = DocumentReader("tsv", parse_tsv)
JSON = DocumentReader("json", parse_json)
