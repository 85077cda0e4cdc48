"""JSON read record by record: a file of any size costs the memory of its largest record.

Understood are JSON Lines, one array, and one object whose records stand in a list of a known name.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, BinaryIO, NamedTuple

from groundwire.errors import InputError

CHUNK_CHARS = 1 << 16
LIST_NAMES = frozenset({"events", "messages", "trajectory", "history", "steps", "input", "output"})
# white space between two values of JSON
_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class Record(NamedTuple):
    """One value, where it stood, and under which name of the enclosing object.

    `is_field` marks what is not one of many records but a field of the object around them.
    """

    value: Any
    where: str
    name: str | None = None
    is_field: bool = False


def read_records(file: BinaryIO, *, where: str, max_record_chars: int) -> Iterator[Record]:
    """The records of a JSON file; `where` names it in messages."""
    text = TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
    try:
        first = _first_line(text, where)
        value = None
        with suppress(ValueError, RecursionError):
            value = json.loads(first)
        if isinstance(value, dict) and not _lists(value):
            yield from _lines(text, first, where, max_record_chars)
        else:
            yield from _Document(text, first, where, max_record_chars).records()
    finally:
        with suppress(ValueError):  # the file may be closed before the last record is asked for
            text.detach()


def _lists(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(name), list) for name in LIST_NAMES)


def _first_line(text: TextIOWrapper, where: str) -> str:
    """The first line that is not blank, or as much of it as a chunk holds."""
    while line := text.readline(CHUNK_CHARS):
        if line.strip():
            return line
    raise InputError(f"{where} is empty.")


def _lines(text: TextIOWrapper, first: str, where: str, limit: int) -> Iterator[Record]:
    line, number = first, 1
    while line:
        place = f"{where}, line {number}"
        if len(line) > limit:
            raise InputError(f"{place} has more than {limit} characters.")
        if line.strip():
            yield Record(_loads(line, place), place)
        line = text.readline(limit + 1)
        number += 1


def _loads(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{place}, is not valid JSON: {error.msg}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}, cannot be read as JSON: {error}.") from error


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
