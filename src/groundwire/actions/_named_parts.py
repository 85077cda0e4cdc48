"""A named part of a file: the function, class, key or constant of that name, with what it holds."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from groundwire._patterns import lazy_pattern
from groundwire.actions._replay import Change

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


def is_defined(text: str, name: str) -> bool:
    return _pattern(name.removesuffix("()")).search(text) is not None


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


def lines_naming(text: str, name: str) -> Counter[str]:
    """The lines that have a name as a word of its own, without their indentation."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return Counter(line.strip() for line in text.splitlines() if word.search(line))


def is_nowhere_in(text: str, name: str) -> bool:
    """Whether a text has a name in no spelling: "`dry_run`" may be "dry-run" or "DryRun"."""
    return _spelled(name) not in _spelled(text)


def _spelled(text: str) -> str:
    return text.replace("_", "").replace("-", "").lower()


def was_put(changes: Sequence[Change], name: str) -> bool:
    """Whether some change wrote a name, even if a later one took it out again."""
    return any(not is_nowhere_in(text, name) for one in changes for text in _written(one))


def was_taken(changes: Sequence[Change], name: str) -> bool:
    """Whether some change may have taken a name out, even if a later one put it back."""
    return any(_takes(change, name) for change in changes)


def is_named(changes: Sequence[Change], name: str) -> bool:
    """Whether something that was written, or replaced, has a name or piece of code in it."""
    replaced = (one.old for change in changes for one in change.effect.replacements)
    written = (text for change in changes for text in _written(change))
    return any(name in text for text in (*replaced, *written))


def _takes(change: Change, name: str) -> bool:
    effect = change.effect
    if effect.action != "edit" or not effect.replacements:
        return effect.content is None or not lines_naming(effect.content, name)
    return any(
        lines_naming(one.old, name) - lines_naming(one.new, name) for one in effect.replacements
    )


def _written(change: Change) -> list[str]:
    effect = change.effect
    return [effect.content or "", *(one.new for one in effect.replacements)]
