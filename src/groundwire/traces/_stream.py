"""JSON read record by record: a file of any size costs the memory of its largest record.

Understood are JSON Lines, one array, and one object whose records stand in a list of a known name.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, BinaryIO, NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.errors import InputError

CHUNK_CHARS = 1 << 16
LIST_NAMES = frozenset(
    {"events", "invocations", "messages", "trajectory", "history", "steps", "input", "output"}
)
TEXT = "line of text"
"""The name of records that are lines of a text."""
LIST = object()
"""The value of a field that says that a list of records begins here."""
# white space between two values of JSON
_SPACE = lazy_pattern(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class Record(NamedTuple):
    """One value, where it stood, and under which name of the enclosing object.

    `is_field` marks what is not one of many records but a field of the object around them.
    `broken` says why there is no value.
    """

    value: Any
    where: str
    name: str | None = None
    is_field: bool = False
    broken: str = ""


def read_records(file: BinaryIO, *, where: str, max_record_chars: int) -> Iterator[Record]:
    """The records of a JSON file; `where` names it in messages. What is broken is an error."""
    for record in read_all(file, where=where, max_record_chars=max_record_chars):
        if record.broken:
            raise InputError(f"{record.where}{record.broken}")
        if record.name == TEXT:
            # not a JSON file at all
            raise InputError(f"{where} is not valid JSON: an object or a list was expected.")
        if record.value is not LIST:
            yield record


def read_all(file: BinaryIO, *, where: str, max_record_chars: int) -> Iterator[Record]:
    """The records of a JSON file, or the lines of a text; what is broken is a record that says so.

    In a text, lines that are JSON objects are records of their own.
    """
    text = TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
    try:
        first, number = _first_line(text, where)
        lines = _Lines(text, first, number, where, max_record_chars)
        if first.lstrip()[:1] not in {"{", "["}:
            yield from lines.records(is_text=True)
        elif _is_line_of_many(first) or lines.second_is_an_object():
            yield from lines.records()
        else:
            yield from _Document(text, lines.held(), where, max_record_chars).lenient_records()
    finally:
        with suppress(ValueError):  # the file may be closed before the last record is asked for
            text.detach()


def _is_line_of_many(line: str) -> bool:
    value = _object_in(line)
    return value is not None and not _lists(value)


def _object_in(line: str) -> dict[str, Any] | None:
    with suppress(ValueError, RecursionError):
        value = json.loads(line)
        return value if isinstance(value, dict) else None
    return None


def _lists(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(name), list) for name in LIST_NAMES)


def _first_line(text: TextIOWrapper, where: str) -> tuple[str, int]:
    """The first line that is not blank, or as much of it as a chunk holds; and its number."""
    number = 1
    while line := text.readline(CHUNK_CHARS):
        if line.strip():
            return line, number
        number += line.endswith("\n")
    raise InputError(f"{where} is empty.")


class _Lines:
    def __init__(
        self, text: TextIOWrapper, first: str, number: int, where: str, limit: int
    ) -> None:
        self._text = text
        self._first = first
        self._second = ""
        self._number = number
        self._where = where
        self._limit = limit

    def second_is_an_object(self) -> bool:
        """Whether a first line that is no JSON is followed by lines that are: its head is cut."""
        if not self._first.endswith("\n") or self._first.strip() in {"{", "["}:
            return False
        self._second = self._text.readline(CHUNK_CHARS)
        return _object_in(self._first) is None and _is_line_of_many(self._second)

    def held(self) -> str:
        return self._first + self._second

    def records(self, *, is_text: bool = False) -> Iterator[Record]:
        line, number = self._first, self._number
        while line:
            place = f"{self._where}, line {number}"
            if len(line) > self._limit or (len(line) == CHUNK_CHARS and line[-1] != "\n"):
                line += self._rest_of_line(len(line))
            if len(line) > self._limit:
                yield Record(None, place, broken=f" has more than {self._limit} characters.")
            elif is_text:
                yield Record(line.rstrip("\r\n"), place, TEXT)
            elif line.strip():
                yield _of_line(line, place)
            line, self._second = self._second or self._text.readline(self._limit + 1), ""
            number += 1

    def _rest_of_line(self, held: int) -> str:
        """What follows of a long line, or enough of it to see that it is too long."""
        rest = self._text.readline(max(self._limit + 1 - held, 0)) if held <= self._limit else ""
        if held + len(rest) > self._limit:
            while (skipped := self._text.readline(CHUNK_CHARS)) and skipped[-1] != "\n":
                pass
        return rest


def _of_line(line: str, place: str) -> Record:
    try:
        return Record(json.loads(line), place)
    except json.JSONDecodeError as error:
        return Record(None, place, broken=f", is not valid JSON: {error.msg}.")
    except (ValueError, RecursionError) as error:
        return Record(None, place, broken=f", cannot be read as JSON: {error}.")


def json_line(record: Record) -> Record:
    """A line of a text as the JSON it may be: logs have other lines between their records."""
    text = record.value
    if isinstance(text, str) and text.lstrip().startswith("{"):
        return _of_line(text, record.where)
    return Record(None, record.where, broken=", is not JSON.")


class _Document:
    """One JSON value of any length, of which only a window is held."""

    def __init__(self, text: TextIOWrapper, start: str, where: str, limit: int) -> None:
        self._text = text
        self._where = where
        self._limit = limit
        self._window = start
        self._at = 0
        self._passed = 0
        self._ended = False

    def lenient_records(self) -> Iterator[Record]:
        try:
            yield from self.records()
        except InputError as error:
            told = str(error).removeprefix(self._where)
            yield Record(None, self._where, broken=told)

    def records(self) -> Iterator[Record]:
        """Usually one value; lines too long to be seen as lines come here one after another."""
        while opening := self._next_char():
            if opening == "[":
                yield from self._array(None)
            elif opening == "{":
                yield from self._object()
            else:
                raise self._wrong("an object or a list was expected")

    def _object(self) -> Iterator[Record]:
        """The records of its list and its other fields; or, if it has no list, itself."""
        self._take("{")
        fields: dict[str, Any] = {}
        has_list = False
        while self._next_char() != "}":
            name = self._value()
            if not isinstance(name, str):
                raise self._wrong("a name was expected")
            self._take(":")
            if self._next_char() == "[" and name in LIST_NAMES:
                has_list = True
                yield from self._fields(fields)
                fields.clear()
                yield from self._array(name)
            else:
                fields[name] = self._value()
            self._separator("}")
        self._take("}")
        if has_list:
            yield from self._fields(fields)
        else:
            yield Record(fields, f"{self._where}, up to character {self._passed + self._at}")

    def _fields(self, fields: dict[str, Any]) -> Iterator[Record]:
        for name, value in fields.items():
            yield Record(value, self._where, name, is_field=True)

    def _array(self, name: str | None) -> Iterator[Record]:
        self._take("[")
        yield Record(LIST, self._where, name or "list", is_field=True)
        number = 0
        while self._next_char() != "]":
            number += 1
            yield Record(self._value(), f"{self._where}, record {number}", name)
            self._separator("]")
        self._take("]")

    def _separator(self, end: str) -> None:
        if self._next_char() != end:
            self._take(",")
            if self._next_char() == end:
                raise self._wrong("a value was expected after the comma")

    def _take(self, char: str) -> None:
        if self._next_char() != char:
            raise self._wrong(f"{char!r} was expected")
        self._at += 1

    def _next_char(self) -> str:
        """The next character that is not white space, "" at the end."""
        while True:
            self._at = _SPACE.match(self._window, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._window) or not self._fill(CHUNK_CHARS):
                return self._window[self._at : self._at + 1]

    def _value(self) -> Any:
        self._next_char()
        while True:
            try:
                value, end = _decode(self._window, self._at)
            except RecursionError as error:
                raise self._wrong("it is nested too deeply") from error
            except ValueError as error:
                if not self._grow():
                    raise self._wrong(str(error)) from error
                continue
            # a number that touches the end of the window may go on
            if end == len(self._window) and self._grow():
                continue
            self._at = end
            return value

    def _grow(self) -> bool:
        held = len(self._window) - self._at
        if held > self._limit:
            raise InputError(f"{self._where} holds a record of more than {self._limit} characters.")
        return self._fill(max(CHUNK_CHARS, held))

    def _fill(self, chars: int) -> bool:
        chunk = "" if self._ended else self._text.read(chars)
        self._ended = not chunk
        self._passed += self._at
        self._window = self._window[self._at :] + chunk
        self._at = 0
        return bool(chunk)

    def _wrong(self, problem: str) -> InputError:
        place = self._passed + self._at
        problem = problem.partition(": line ")[0]
        return InputError(f"{self._where}, character {place}, is not valid JSON: {problem}.")
