"""A named part of a file: the function, class, key or constant of that name, with what it holds."""

import re
from functools import lru_cache

from groundwire._patterns import lazy_pattern

# what a definition opens with, before the name: "def ", "pub fn ", "export const ", "class "
_OPENS = (
    r"(?:[\w@\[\]<>*&:.,]+[ \t]+){0,4}?"
    r"(?:def|fn|func|function|fun|sub|class|struct|enum|trait|interface|type|const|let|var|module)"
    r"[ \t]+(?:\([^)\n]*\)[ \t]*)?"
)


def part_of(text: str, name: str) -> str | None:
    """The lines of the one definition of a name; None if there is none, or more than one."""
    found = list(_pattern(name.removesuffix("()")).finditer(text))
    if len(found) != 1:
        return None
    lines = text[found[0].start() :].splitlines()
    depth = _indent(lines[0])
    end = next(
        (at for at, line in enumerate(lines[1:], start=1) if line.strip() and _ends(line, depth)),
        len(lines),
    )
    return "\n".join(lines[:end]).rstrip()


# such as "def add", "class Queue", "DEBUG =", "timeout:", "add("
_MAY_DEFINE = lazy_pattern(
    r"\b(?:def|fn|func|function|fun|sub|class|struct|enum|trait|interface|type|const|let|var|module)"
    r"[ \t]+(\w+)|(\w+)[ \t]*(?::|=|\()"
)


def may_be_defined(text: str) -> frozenset[str]:
    """Names that a text may define: to look for each of its words would take too long."""
    return frozenset(name for pair in _MAY_DEFINE.findall(text) for name in pair if name)


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    """Such as "def add(", "add() {", "DEBUG = ", "timeout: ", "public int add("."""
    named = re.escape(name)
    return re.compile(
        rf"^[ \t]*(?:{_OPENS}{named}\b|{named}[ \t]*(?:\(\)[ \t]*\{{|:?=(?!=)|:)"
        rf"|(?:(?:public|private|protected|static|final|async|int|void|double|long|string|bool)"
        rf"[ \t]+)+[\w<>\[\]]*[ \t]*{named}[ \t]*\()",
        re.MULTILINE,
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _ends(line: str, depth: int) -> bool:
    """Whether a line is no longer part of it; a closing bracket still is."""
    return _indent(line) <= depth and line.strip()[0] not in ")}]"
