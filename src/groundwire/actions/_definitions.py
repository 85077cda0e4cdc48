"""What a text defines: functions, classes, constants, keys and tests, by the shape of their lines.

No language is parsed. A definition opens with a line of one of a few shapes, takes along the
decorators and comments right above it, and ends where a line stands no deeper than its own.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set

_WORDS_BEFORE = r"(?:[\w@\[\]<>*&:.,]+[ \t]+){0,4}?"
# such as "def add(", "pub fn area", "func (q *Queue) Pop(", "export const low =", "class Queue2"
_KEYWORD = lazy_pattern(
    rf"^[ \t]*{_WORDS_BEFORE}"
    r"(?:def|defp|fn|func|function|fun|sub|proc|class|struct|enum|trait|interface|type|const|let|var"
    r"|val|mod|module|record|protocol|namespace|object|union|macro)"
    r"[ \t]*\*?[ \t]+(?:\([^)\n]*\)[ \t]*)?(?:\w+(?:\.|::))*(?P<name>[^\W\d][\w$]*)",
    re.MULTILINE,
)
# such as "int twice(int x) {", "public static int add(", with the bracket here or on the next line
_TYPED = lazy_pattern(
    r"^[ \t]*(?:[\w:<>\[\],.?~&*@]+[ \t]+[*&]*)+(?:\w+::)*(?P<name>~?[^\W\d]\w*)[ \t]*"
    r"\([^;{}()]*(?:\([^;{}()]*\)[^;{}()]*)*\)[^;={}\n]*(?:\{|\n[ \t]*\{)",
    re.MULTILINE,
)
# such as "  push(x) {" in a class, "greet() {" in a shell
_SHORT = lazy_pattern(
    r"^[ \t]*(?:(?:async|static|get|set|public|private|protected|override)[ \t]+|[*#])*"
    r"(?P<name>[^\W\d][\w$-]*)[ \t]*\([^;{}\n]*\)[ \t]*(?::[^;{}\n]*)?\{",
    re.MULTILINE,
)
# such as "DEBUG = True", "private int size = 3", "version: 2", '"port": 80', "all: app", "X ?= 1"
_SET = lazy_pattern(
    r"^[ \t]*(?:-[ \t]+)?(?:(?:[\w<>\[\],]+[ \t]+){0,4}?(?:\w+\.)*(?P<name>[^\W\d][\w$-]*)"
    r"(?:[ \t]*:[ \t]*[\w\[\], .|]+)?[ \t]*(?::|\?|\+)?=(?![=~>])"
    r"|[\"']?(?P<key>[^\W\d][\w$./-]*)[\"']?[ \t]*:(?![:=/]))",
    re.MULTILINE,
)
# such as "it('knows high', ", '@test "default" {', "add_test(NAME twice ", "#define MAX"
_TITLE = lazy_pattern(
    r"^[ \t]*(?:await[ \t]+)?(?:(?:it|x?test|x?describe|context|specify|example|scenario|suite"
    r"|bench|t\.(?:Run|test)|subtest|Deno\.test|@test|feature|xit|fit)(?:\.\w+)*[ \t]*\(?[ \t]*"
    r"(?P<quote>[\"'`])(?P<name>(?:(?!(?P=quote))[^\n])+)(?P=quote)"
    r"|(?:TEST|TEST_F|TEST_P)\([ \t]*\w+[ \t]*,[ \t]*(?P<macro>\w+)"
    r"|add_test\((?:NAME[ \t]+)?(?P<listed>\w+)|\#[ \t]*define[ \t]+(?P<defined>\w+))",
    re.MULTILINE,
)
_NO_NAMES = word_set(
    """if else elif for while until switch case catch with return do try finally except default when
    then new await throw yield raise assert print not and or in is public private protected unless
    foreach match loop http https"""
)
"""What stands where a name would, and is none."""
_NO_TYPES = lazy_pattern(
    r"[ \t]*\}?[ \t]*(?:return|else|await|new|throw|yield|raise|assert|print|case|not|in)\b"
)
"""What opens a line that calls rather than defines: "return add(x) {"."""
# what belongs to the definition below it: "@cached", "#[test]", "// why", "/** …", "[Fact]"
_ABOVE = lazy_pattern(r"[ \t]*(?:@|\#|//|/\*|\*|--|\[|;|%|\"\"\"|''')")
_CLOSES = (")", "}", "]")
MAX_DEFINED = 5_000
"""Of a text that defines more, the rest is not looked at."""


@dataclass(frozen=True, slots=True)
class Definition:
    """`text` is all of it; `own` leaves out the functions and classes that are defined inside."""

    name: str
    text: str
    own: str
    is_block: bool
    """A function, a class or a test, no value."""
    is_top: bool
    """Whether it stands at the left edge."""


@lru_cache(maxsize=512)
def definitions_in(text: str) -> tuple[Definition, ...]:
    lines = text.split("\n")
    found = [
        (_first(lines, row), row, _last(lines, row), name, is_block)
        for row, name, is_block in sorted(_openings(text))[:MAX_DEFINED]
    ]
    blocks = [(first, last) for first, _, last, _, is_block in found if is_block]
    made = []
    for first, row, last, name, is_block in found:
        inner = [span for span in blocks if first < span[0] and span[1] <= last]
        own = _without(lines, first, last, inner) if is_block else lines[first:last]
        whole = "\n".join(lines[first:last])
        made.append(Definition(name, whole, "\n".join(own), is_block, _indent(lines[row]) == 0))
    return tuple(made)


def loose_lines(text: str) -> Counter[str]:
    """The lines outside all functions, classes and values: imports, calls, prose."""
    lines = text.split("\n")
    taken: set[int] = set()
    for row, *_ in _openings(text):
        taken.update(range(_first(lines, row), _last(lines, row)))
    return Counter(
        line.strip() for row, line in enumerate(lines) if row not in taken and line.strip()
    )


def part_of(text: str, name: str) -> str | None:
    """The lines of the one definition of a name; None if there is none, or more than one."""
    wanted = name.removesuffix("()")
    if wanted not in text:
        return None
    found = [one.text for one in definitions_in(text) if one.name == wanted]
    return found[0].rstrip() if len(found) == 1 else None


def names_in(text: str) -> frozenset[str]:
    return frozenset(one.name for one in definitions_in(text))


def lines_naming(text: str, name: str) -> Counter[str]:
    """The lines that have a name as a word of its own, without their indentation."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return Counter(line.strip() for line in text.split("\n") if word.search(line))


def _openings(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines that open definitions, each once: its number, the name, whether it is a block."""
    rows = _line_starts(text)
    seen: set[int] = set()
    for pattern in (_TITLE, _KEYWORD, _TYPED, _SHORT, _SET):
        for match in pattern.finditer(text):
            told = match.groupdict()
            name = next(value for key, value in told.items() if value and key != "quote")
            at = text.rfind("\n", 0, match.start(match.lastgroup or 0)) + 1
            is_call = pattern in (_TYPED, _SHORT) and _NO_TYPES.match(text, at) is not None
            is_no_name = pattern is not _TITLE and name in _NO_NAMES
            if at in seen or is_call or is_no_name:
                continue
            seen.add(at)
            is_value = pattern is _SET or _VALUE.match(text, at) is not None
            yield rows[at], name, not is_value


# what a keyword opens that is a value: "const LIMIT = 3"; "const low = (h) =>" is a function
_VALUE = lazy_pattern(
    rf"[ \t]*{_WORDS_BEFORE}(?:const|let|var|val)[ \t](?![^\n]*(?:=>|\bfunction\b))|[ \t]*\#"
)


def _line_starts(text: str) -> dict[int, int]:
    """The number of the line that opens at a place."""
    starts, at = {}, 0
    for row, line in enumerate(text.split("\n")):
        starts[at] = row
        at += len(line) + 1
    return starts


def _first(lines: list[str], row: int) -> int:
    while row and _ABOVE.match(lines[row - 1]):
        row -= 1
    return row


def _last(lines: list[str], row: int) -> int:
    """The line after its last: one that stands no deeper ends it, unless it is a bracket."""
    depth = _indent(lines[row])
    end = row + 1
    for at in range(row + 1, len(lines)):
        line = lines[at].strip()
        if not line:
            continue
        opens = at == row + 1 and line.startswith("{")
        if _indent(lines[at]) <= depth and not line.startswith(_CLOSES) and not opens:
            break
        end = at + 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without(lines: list[str], first: int, last: int, inner: list[tuple[int, int]]) -> list[str]:
    hidden = {row for start, end in inner for row in range(start, end)}
    return [lines[row] for row in range(first, last) if row not in hidden]
