"""What several readers need."""

import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.traces._stream import Record

_SHELL_WORDS = 3
MAX_OPEN = 10_000
"""Calls a reader remembers until they are answered."""
MAX_LINE_CHARS = 100_000
"""Longer command lines are not taken apart."""
# such as "bash", "/bin/bash", "zsh"
_SHELL = lazy_pattern(r"(?:.*/)?(?:ba|z|da|k)?sh")
# such as "-lc", "-c"
_SCRIPT_OPTION = lazy_pattern(r"-[a-z]*c")


def fields(record: Record) -> Mapping[str, Any]:
    """The record as an object, an empty one if it is something else."""
    return record.value if isinstance(record.value, Mapping) and not record.is_field else {}


def mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def objects(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def whole_number(value: Any) -> int | None:
    return value if type(value) is int else None


def text_of(content: Any) -> str:
    """The text of a content that is a text, a block or a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        return text_of(content.get("text") or content.get("content"))
    if isinstance(content, list):
        return "\n".join(text_of(block) for block in content)
    return ""


def plain_command(command: Any) -> Any:
    """A command line without the shell around it: `bash -lc 'ls'` is `ls`."""
    words = command
    if isinstance(command, str):
        program = command.split(" ", 1)[0]
        if len(command) > MAX_LINE_CHARS or not _SHELL.fullmatch(program):
            return command
        try:
            words = shlex.split(command)
        except ValueError:
            return command
    if isinstance(words, list) and len(words) == _SHELL_WORDS:
        program, option, script = (str(word) for word in words)
        if _SHELL.fullmatch(program) and _SCRIPT_OPTION.fullmatch(option):
            return script
    return command


def elements(text: str, opening: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Name and inside of XML elements, one after another, in time that grows with the text alone.

    The first group of `opening` is the name.
    """
    unclosed: set[str] = set()
    at = 0
    while match := opening.search(text, at):
        name, at = match[1], match.end()
        end = -1 if name in unclosed else text.find(f"</{name}>", at)
        if end < 0:
            unclosed.add(name)
            continue
        yield name, text[at:end]
        at = end


def between(text: str, start: str, end: str) -> str | None:
    """From the first `start` to the next `end`, both included."""
    at = text.find(start)
    to = text.find(end, at) if at >= 0 else -1
    return text[at : to + len(end)] if to >= 0 else None
