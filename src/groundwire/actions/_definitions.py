"""What a text defines: functions, classes, constants, keys and tests, by the shape of their lines.

No language is parsed. A definition opens with a line of one of a few shapes, takes along the
decorators and comments right above it, and ends where a line stands no deeper than its own.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

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


class _Place(NamedTuple):
    """The lines of a definition, with what stands right above, and which of them opens it."""

    first: int
    row: int
    last: int
    name: str
    is_block: bool


@lru_cache(maxsize=512)
def definitions_in(text: str) -> tuple[Definition, ...]:
    lines = text.split("\n")
    found = _places(lines, text)
    blocks = [(one.first, one.last) for one in found if one.is_block]
    made = []
    for one in found:
        below = bisect_right(blocks, (one.first, len(lines)))
        inner = blocks[below : bisect_left(blocks, (one.last,))]
        own = _without(lines, one, inner if one.is_block else ())
        whole = "\n".join(lines[one.first : one.last])
        is_top = _indent(lines[one.row]) == 0
        made.append(Definition(one.name, whole, "\n".join(own), one.is_block, is_top))
    return tuple(made)


def loose_lines(text: str) -> Counter[str]:
    """The lines outside all functions, classes and values: imports, calls, prose."""
    lines = text.split("\n")
    left: list[str] = []
    end = 0
    for one in _places(lines, text):
        left += lines[end : one.first]
        end = max(end, one.last)
    return Counter(line.strip() for line in (*left, *lines[end:]) if line.strip())


def part_of(text: str, name: str) -> str | None:
    """The lines of the one definition of a name; None if there is none, or more than one."""
    wanted = name.removesuffix("()")
    if wanted not in text:
        return None
    found = [one.text for one in definitions_in(text) if one.name == wanted]
    return found[0].rstrip() if len(found) == 1 else None


# such as "x = 3", "const x: int = 3;", "'x': 'y',", "#define X 3"
_LITERAL = lazy_pattern(
    r"[^=:#]*?(?:#define \w+|[=:])\s*(?:[\w\[\]]+ = )?"
    r"(?P<value>\"[^\"]*\"|'[^']*'|-?\d[\w.]*|true|false|none|null)\s*[,;]?\s*(?:(?:#|//).*)?",
    re.IGNORECASE,
)
_WORDS_OF_VALUES: dict[str, bool | None] = {
    "true": True, "on": True, "false": False, "off": False, "none": None, "null": None,
}  # fmt: skip


def value_in(text: str) -> object:
    """The value one line gives, where it is written out; None where it is not."""
    lines = [line for line in text.split("\n") if line.strip(" \t\r)]},;")]
    lines = [line for line in lines if not _REMARK.match(line)]
    match = _LITERAL.fullmatch(lines[0]) if len(lines) == 1 else None
    return plain_value(match["value"].strip("\"'")) if match else None


def plain_value(value: str) -> object:
    """A value as it is compared: `1_000` is 1000, "on" is true; None where it is no literal."""
    low = value.lower()
    if low in _WORDS_OF_VALUES:
        return str(_WORDS_OF_VALUES[low])
    if re.fullmatch(r"-?[\d_]+(?:\.\d+)?", value):
        return float(value.replace("_", ""))
    return value if re.fullmatch(r"[\w .@^~/-]*", value) else None


# such as "# why", "// why"
_REMARK = lazy_pattern(r"\s*(?:#|//|/\*|\*|--|;)")


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


def _places(lines: list[str], text: str) -> list[_Place]:
    """All that is defined, in order; each line is looked at once, however deep they are nested."""
    opened = sorted(_openings(text))[:MAX_DEFINED]
    rows = {row for row, *_ in opened}
    ends = _ends(lines)
    places = []
    for row, name, is_block in opened:
        first = row
        while first and first - 1 not in rows and _ABOVE.match(lines[first - 1]):
            first -= 1
        end = ends[row]
        if end == row + 1 < len(lines) and lines[end].lstrip().startswith("{"):
            end = ends[end]
        while end > row + 1 and not lines[end - 1].strip():
            end -= 1
        places.append(_Place(first, row, end, name, is_block))
    return places


def _ends(lines: list[str]) -> list[int]:
    """For each line the first below that stands no deeper, unless that is a bracket."""
    ends = [len(lines)] * len(lines)
    still_open: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        said = line.strip()
        if not said or said.startswith(_CLOSES):
            continue
        depth = _indent(line)
        while still_open and still_open[-1][0] >= depth:
            ends[still_open.pop()[1]] = at
        still_open.append((depth, at))
    return ends


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without(lines: list[str], one: _Place, inner: Sequence[tuple[int, int]]) -> list[str]:
    kept: list[str] = []
    at = one.first
    for first, last in inner:
        if first >= at and last <= one.last:
            kept += lines[at:first]
            at = last
    return kept + lines[at : one.last]
