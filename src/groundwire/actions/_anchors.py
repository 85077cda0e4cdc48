"""The places of a sentence a report can say something about, and what stands around them.

A place is a file, a piece of code, a number, a check ("tests", "the build") or a deed ("commit").
What is said of it is told by the words around it: `features` lists them for the learned reader.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.actions._mentions import LIKE_A_TEST, as_path, is_tool
from groundwire.text import word_set
from groundwire.traces import CheckName
from groundwire.values import whole_number

Kind = Literal["file", "code", "number", "check", "deed", "part", "word", "mark"]

# such as "`a.py`", "3/4", "src/a.py", "npm run lint", "x=1", "test_add", "add()", "12", "did", ","
_TOKEN = lazy_pattern(
    r"`(?P<code>[^`\n]+)`|[\"\u201c\u201e](?P<quote>[^\"\u201c\u201d\n]{1,80})[\"\u201d\u201c]"
    r"|(?P<slash>\d+\s?/\s?\d+)(?![\w/]|\.\d)|(?P<bare>[\w@~.-]*[./][\w@~./+-]*\w/?)"
    r"|(?P<line>\b(?:(?:npm|yarn|pnpm) (?:run [a-z][\w:-]*|test|ci)"
    r"|cargo (?:test|build|check|clippy|fmt)|go (?:test|build|vet)(?: \./\.\.\.)?"
    r"|mvn (?:test|package|verify|validate)|make (?:test|all|clean|build|check|lint))\b(?!/))"
    r"|(?P<set>\b(?!(?:errors|failures|skipped|tests|rc|exit|code|status)=\d)[^\W\d]\w*=[\w.'\"-]*\w)"
    r"|(?P<name>[^\W\d_]\w*_\w+(?:\(\))?|[^\W\d]\w*\(\)|[Tt]est[A-Z]\w*)"
    r"|(?P<digits>\d+(?:\.\d+)*)"
    r"|(?P<word>[^\W\d_]+?(?=n['\u2019]t\b)|n['\u2019]t\b|['\u2019](?:ve|s|m|ll|d|re)\b"
    r"|[^\W\d_][^\W_]*(?:-[^\W_]+)*)"
    r"|(?P<mark>[,;:().!?\u2014\u2013\u2192|%/+=-]|[^\w\s])"
)
# such as "2.1.0", "v1.2"
_VERSION = lazy_pattern(r"v?\d+(?:\.\d+)+")
# such as "folder" behind "`dist`"
_FOLDER = lazy_pattern(r"\s+(?:folder|directory|dir|ordner|verzeichnis)\b", re.IGNORECASE)
# such as "v2"
_NUMBERED = lazy_pattern(r"v\d+")
_ZERO = word_set("no none zero kein keine keinen keiner")
_TWO = word_set("both beide beiden")
_GERMAN_NUMBERS = {
    word: number
    for number, words in enumerate(
        "ein,eine,einen,einer zwei drei vier f\u00fcnf sechs sieben acht neun zehn".split(),
        start=1,
    )
    for word in words.split(",")
}
_CHECK_WORDS: dict[CheckName, str] = {
    "tests": """test tests testing tested testsuite suite suites spec specs example examples
            case cases pytest jest vitest mocha rspec phpunit ctest bats unittest prove nextest
            junit testlauf testsuite run rerun lauf everything alles all checks beispiele tox nox
            minitest playwright cypress jasmine karma scenario scenarios testf\u00e4lle
            pr\u00fcfungen""",
    "build": """build builds built rebuild rebuilt compile compiles compiled compilation
            compiling links linking cmake bundle bundles packaging crate kompiliert baut bau
            gebaut javac gcc binary""",
    "lint": """lint linter linters linting lints ruff eslint flake8 pylint clippy black prettier
            gofmt rustfmt vet shellcheck formatting formatter formatierung style rubocop isort
            biome""",
    "types": "mypy pyright tsc typecheck typechecks type-check type-checks type-checking types",
}
_CHECKS = {word: check for check, words in _CHECK_WORDS.items() for word in words.split()}
_TOOLS = word_set(
    """pytest jest vitest mocha rspec phpunit ctest bats unittest prove nextest junit ruff eslint
    flake8 pylint clippy black prettier gofmt rustfmt shellcheck rubocop isort biome mypy pyright
    tsc"""
)
_DEEDS = {
    word: deed
    for deed, words in {
        "git commit": "commit commits committed committing committet commiteed uncommitted",
        "git push": "push pushed pushing gepusht unpushed",
        "git merge": "merge merged",
        "git tag": "tagged",
        "git stash": "stash stashed",
        "git rebase": "rebase rebased",
        "install": "install installed installs installing installation installiert reinstalled",
        "pull-request": "pr prs pull-request mr",
        "branch": "branch branched",
    }.items()
    for word in words.split()
}
_BREAKS = word_set(
    """but while although though because since so whereas which aber weil sodass w\u00e4hrend obwohl
    whereupon until bis"""
)
_JOINS = word_set("and und or oder nor then dann sowie plus as")
_ARTICLES = word_set("the a an both all die das der den dem ein eine also of")
_BETWEEN = frozenset(",;:().!?\u2014\u2013|")
_GOOD_MARKS = frozenset("\u2705\u2714\u2713\u2611\U0001f7e2")
_BAD_MARKS = frozenset("\u274c\u2717\u2718\U0001f534")
# such as "a + b", "x=1", "f(x)"
_OPERATION = lazy_pattern(r"[^\s]\s?[-+*/%=<>!&|{}]+\s?[^\s]|\w\(.+\)")


@dataclass(frozen=True, slots=True)
class Token:
    """`shape` is what the learned reader sees of it."""

    text: str
    kind: Kind
    shape: str
    start: int
    end: int
    value: int | None = None
    whole: int | None = None
    """Of how many `value` is a share: 2 of 3."""
    check: CheckName = "tests"
    deed: str = ""
    in_code: bool = False

    @property
    def is_anchor(self) -> bool:
        return self.kind not in ("word", "mark")


IsFile = Callable[[str], bool]
"""Whether there is a file of this name, or one described so: "hello.in", "VERSION", "the log file"
may be anything else."""


def no_file(_: str) -> bool:
    return False


def tokens_of(text: str, is_file: IsFile = no_file) -> list[Token]:
    return list(_with_shares(list(_tokens(text, is_file))))


# such as "the log file", "your version file"
DESCRIBED = lazy_pattern(
    r"(?i)\b(?:the|that|this|our|your) \.?(?P<what>\w[\w-]*)"
    r" (?:file|script|(?P<folder>folder|directory))\b"
)


def _tokens(text: str, is_file: IsFile) -> Iterator[Token]:
    at = 0
    for told in DESCRIBED.finditer(text):
        if is_file(told[0]):
            yield from _plain_tokens(text, is_file, at, told.start())
            at = told.end()
            yield Token(told[0], "file", "<f>", told.start(), at)
    yield from _plain_tokens(text, is_file, at, len(text))


def _plain_tokens(text: str, is_file: IsFile, begin: int, stop: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(text, begin, stop):
        start, end = match.span()
        group = match.lastgroup or "mark"
        name = match[group].rstrip(".")
        is_folder = group == "code" and _FOLDER.match(text, end) is not None
        if group in {"code", "bare"} and is_file(name + "/" * is_folder):
            last = end if group == "code" else start + len(name)
            yield Token(name, "file", "<f>", start, last, in_code=group == "code")
        else:
            yield _READERS[group](match[group], start, end)


def _of_share(text: str, start: int, end: int) -> Token:
    first, _, second = text.partition("/")
    return _share(text, start, end, int(first), int(second))


def _of_name(text: str, start: int, end: int) -> Token:
    return Token(text, "code", "<t>" if LIKE_A_TEST.fullmatch(text) else "<x>", start, end)


def _of_mark(text: str, start: int, end: int) -> Token:
    shape = "<ok>" if text in _GOOD_MARKS else "<bad>" if text in _BAD_MARKS else text
    return Token(text, "mark", shape, start, end)


def _of_code(code: str, start: int, end: int) -> Token:
    if as_path(code, in_code=True) is not None and not code.startswith("./"):
        return Token(code, "file", "<f>", start, end, in_code=True)
    if " " in code.strip() and is_tool(code):
        shape = "<c>"
    elif LIKE_A_TEST.fullmatch(code):
        shape = "<t>"
    elif _OPERATION.search(code):
        shape = "<o>"
    else:
        shape = "<c>" if is_tool(code) and code not in _NOUNS else "<x>"
    return Token(code, "code", shape, start, end, in_code=True)


_NOUNS = word_set(
    """build script compiler formatter linter installer generator bundler command test tests"""
)
"""What does something, and is no command by itself: "`command`" is rather a name in the code."""


def _of_bare(text: str, start: int, end: int) -> Token:
    stripped = text.rstrip(".")
    if as_path(stripped) is not None:
        return Token(stripped, "file", "<f>", start, start + len(stripped))
    if _VERSION.fullmatch(stripped):
        return Token(stripped, "code", "<v>", start, start + len(stripped))
    # "and/or", "e.g."
    return Token(text, "word", text.lower(), start, end)


def _of_digits(text: str, start: int, end: int) -> Token:
    if not text.isdigit():  # a version, a share
        return Token(text, "code", "<v>", start, end)
    if len(text) > 6:  # noqa: PLR2004 # a hash
        return Token(text, "word", "<v>", start, end)
    value = int(text)
    return Token(text, "number", "<0>" if value == 0 else "<n>", start, end, value=value)


def _of_word(text: str, start: int, end: int) -> Token:
    low = text.lower().replace("\u2019", "'")
    if as_path(text) is not None:
        return Token(text, "file", "<f>", start, end)
    if _NUMBERED.fullmatch(text):
        return Token(text, "code", "<v>", start, end)
    last = low.rpartition("-")[2]
    named = low if low in _CHECKS else last
    if named in _CHECKS:  # "tests", "type-checking", "Vitest-Test"
        check = _CHECKS[named]
        return Token(
            text, "check", f"<{check}>" if low in _TOOLS else named, start, end, check=check
        )
    if low in _DEEDS:
        return Token(text, "deed", low, start, end, deed=_DEEDS[low])
    value = number_of(low)
    if value is None:
        return Token(text, "word", "not" if low == "n't" else low, start, end)
    shape = "both" if low in _TWO else low if value == 0 else "one" if value == 1 else "<n>"
    return Token(text, "number", shape, start, end, value=value)


_READERS: dict[str, Callable[[str, int, int], Token]] = {
    "code": _of_code,
    "line": lambda text, start, end: Token(text, "code", "<c>", start, end),
    "set": lambda text, start, end: Token(text, "code", "<o>", start, end),
    "quote": lambda text, start, end: Token(text, "code", "<q>", start, end),
    "name": _of_name,
    "slash": _of_share,
    "bare": _of_bare,
    "digits": _of_digits,
    "word": _of_word,
    "mark": _of_mark,
}


def number_of(low: str) -> int | None:
    if low in _ZERO or low in _TWO:
        return 2 * (low in _TWO)
    return _GERMAN_NUMBERS[low] if low in _GERMAN_NUMBERS else whole_number(low)


def _share(text: str, start: int, end: int, value: int, whole: int) -> Token:
    shape = "<s=>" if value == whole else "<s<>"
    return Token(text, "number", shape, start, end, value=value, whole=whole)


def _with_shares(tokens: list[Token]) -> Iterator[Token]:
    """ "2 of 3", "two out of the three" and "none of the 4" are one place."""
    at = 0
    while at < len(tokens):
        first = tokens[at]
        last = _end_of_share(tokens, at) if first.kind == "number" else None
        if last is None or first.whole is not None:
            yield first
            at += 1
            continue
        second = tokens[last]
        text = f"{first.text} of {second.text}"
        yield _share(text, first.start, second.end, first.value or 0, second.value or 0)
        at = last + 1


def _end_of_share(tokens: list[Token], at: int) -> int | None:
    place = at + 1
    shapes = [token.shape for token in tokens[place : place + 4]]
    if shapes[:1] == ["out"]:
        shapes, place = shapes[1:], place + 1
    if shapes[:1] not in (["of"], ["von"]):
        return None
    shapes, place = shapes[1:], place + 1
    if shapes[:1] and shapes[0] in {"the", "den", "its", "our", "these", "those", "all"}:
        place += 1
    if place >= len(tokens):
        return None
    number = tokens[place]
    is_whole = number.kind == "number" and number.value and number.whole is None
    return place if is_whole and (tokens[at].value or 0) <= (number.value or 0) else None


def segments_of(tokens: Sequence[Token]) -> list[int]:
    """The number of the stretch each token stands in; names in a list stay together."""
    numbers: list[int] = []
    current = 0
    for at, token in enumerate(tokens):
        if _breaks(token):
            is_join = token.shape in _JOINS or token.shape == ","
            is_list = is_join and _joins_names(tokens, at)
            is_second = at > 0 and numbers[-1] > 0 and _breaks(tokens[at - 1])
            current += not (is_list or is_second)
        numbers.append(current)
    return numbers


def _breaks(token: Token) -> bool:
    return token.shape in _BETWEEN or token.shape in _BREAKS or token.shape in _JOINS


def _joins_names(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1] if at else None
    after = at + 1
    while after < len(tokens) and tokens[after].shape in _ARTICLES | _JOINS:
        after += 1
    if before is None or after >= len(tokens):
        return False
    names = ("file", "code")
    is_name = before.kind in names or (before.shape in _JOINS | {","} and at > 1)
    return is_name and tokens[after].kind in names


class PartPlace(NamedTuple):
    """Where a part of the code is named: the names it is listed with, and the file it is in."""

    start: int
    end: int
    file: Token | None


def part_place(tokens: Sequence[Token], at: int) -> PartPlace:
    """ "`add`, `mul` and `div` in `calc.py`" is one place, like "`add`"."""
    start, end = at, at + 1
    while (first := _listed(tokens, start, -1)) is not None:
        start = first
    while (last := _listed(tokens, end - 1, 1)) is not None:
        end = last + 1
    if end < len(tokens) and tokens[end].shape in PLACES:
        for number in range(end + 1, min(end + 4, len(tokens))):
            if tokens[number].kind == "file":
                return PartPlace(start, number + 1, tokens[number])
            if tokens[number].shape not in _ARTICLES | {"file", "datei"}:
                break
    return PartPlace(start, end, None)


def begins_anew(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether something else is spoken of between two places.

    In "`Old` is `New` now, `dump` is in `a.py`" the file is where `dump` is.
    """
    return any(
        tokens[at].shape in _LIST_JOINTS
        and tokens[at + 1].kind == "code"
        and tokens[at + 2].kind == "word"
        and tokens[at + 2].shape not in PLACES | _LIST_JOINTS
        for at in range(start + 1, end - 2)
    )


def _listed(tokens: Sequence[Token], at: int, step: int) -> int | None:
    """The next name of a list, before or after one; None where the list ends."""
    place = at + step
    joints = 0
    while 0 <= place < len(tokens) and tokens[place].shape in _LIST_JOINTS:
        place, joints = place + step, joints + 1
    is_name = 0 <= place < len(tokens) and tokens[place].kind in ("code", "file", "part")
    return place if joints and is_name and tokens[place].shape != "<c>" else None


def as_part(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    """The tokens with one place for a part, and its number."""
    place = part_place(tokens, at)
    part = replace(tokens[at], kind="part", shape="<p>")
    return [*tokens[: place.start], part, *tokens[place.end :]], place.start


_LIST_JOINTS = word_set(", and und & as well sowie plus the both")
PLACES = word_set("in inside within from of at to into aus")
_NEAR = 3
_WEAK = word_set("run rerun lauf everything alles all case cases example examples checks test")
"""What speaks of a check only sometimes."""


class Kin(NamedTuple):
    """What words have in common: the group of kindred words each is in, and its sense."""

    groups: Mapping[str, str]
    senses: Mapping[str, str]


def features(
    tokens: Sequence[Token],
    segments: Sequence[int],
    at: int,
    kin: Kin,
    hidden: Collection[int] = (),
) -> list[str]:
    """What the learned reader goes by: the words around a place, by side and by stretch.

    Each word counts by itself, as one of its group of kindred words, and by its sense (that things
    stay, change, fail), so that one that was never seen counts, too. Training hides some words, of
    which only group and sense are left.
    """
    place = tokens[at]
    shapes = ["?" if number in hidden else token.shape for number, token in enumerate(tokens)]
    groups = [_group(token, kin.groups) for token in tokens]
    found = ["*", f"@{_own(place)}"]
    found += [f"B{'_'.join(shapes[:2])}", f"B{shapes[0]}", f"E{shapes[-1]}"]
    found += _near(shapes, at, "") + _near(groups, at, "#")
    mood = _mood(tokens, segments, at)
    before = shapes[at - 1] if at else "^"
    after = shapes[at + 1] if at + 1 < len(shapes) else "$"
    for number, token in enumerate(tokens):
        if number == at:
            continue
        shape = shapes[number]
        apart = segments[number] - segments[at]
        if apart == 0:
            # "removed … from `a.py`", "`a.py` was … removed"
            beside = before if number < at else after
            found.append(f"&{number < at}{groups[number]}_{beside}")
            found.append(f"{mood}{number < at}{groups[number]}")
        side = "<" if number < at else ">"
        zone = side if apart == 0 else f"{side}{min(abs(apart), 2)}"
        found += [f"{zone}{shape}", f"{zone}#{groups[number]}"]
        is_close = apart in (-1, 0, 1)
        if number + 1 < len(tokens) and number + 1 != at and is_close:
            found.append(f"{zone}{shape}_{shapes[number + 1]}")
            found.append(f"{zone}#{groups[number]}_{groups[number + 1]}")
        if token.kind == "word" and apart == 0 and len(shape) > 4:  # noqa: PLR2004
            found.append(f"{zone}~{shape[-3:]}")
            found.append(f"{zone}~{shape[:4]}")
    return found + _by_sense(tokens, segments, at, kin.senses)


def _by_sense(
    tokens: Sequence[Token], segments: Sequence[int], at: int, senses: Mapping[str, str]
) -> list[str]:
    """The senses around a place in their order, whatever stands between: "I" … "changed" … here."""
    told = [(number, _sense(token, senses)) for number, token in enumerate(tokens) if number != at]
    known = [(number, sense) for number, sense in told if sense]
    near = [(number, sense) for number, sense in known if segments[number] == segments[at]]
    found = [
        f"${'<' if number < at else '>'}{min(abs(segments[number] - segments[at]), 2)}{sense}"
        for number, sense in known
    ]
    left = ["^", "^", *(sense for number, sense in near if number < at)]
    right = [*(sense for number, sense in near if number > at), "^", "^"]
    found += [f"$l{left[-2]}_{left[-1]}", f"$r{right[0]}_{right[1]}", f"$c{left[-1]}_{right[0]}"]
    whole = [*left[-3:], "@", *right[:3]]
    found += [f"$w{'_'.join(whole)}", f"$L{'_'.join(left[-3:])}", f"$R{'_'.join(right[:3])}"]
    return found


def _sense(token: Token, senses: Mapping[str, str]) -> str:
    if token.kind in ("word", "deed", "check"):
        return senses.get(token.shape, f"<{token.kind}>" if token.kind != "word" else "")
    return "" if token.kind == "mark" else token.shape


_MOODS = (
    ("n", word_set("not no never without nothing none neither nor nicht kein keine nichts")),
    ("f", word_set("will should would could can may might must let please if once when to")),
    ("s", word_set("still longer again back yet already noch wieder mehr")),
)


def _mood(tokens: Sequence[Token], segments: Sequence[int], at: int) -> str:
    """Whether its stretch denies, supposes, or speaks of what goes on."""
    mine = segments[at]
    words = {token.shape for token, one in zip(tokens, segments, strict=True) if one == mine}
    return "!" + "".join(mark for mark, cues in _MOODS if words & cues)


def _near(shapes: Sequence[str], at: int, mark: str) -> list[str]:
    padded = ["^"] * _NEAR + list(shapes) + ["$"] * _NEAR
    here = at + _NEAR
    left = padded[here - _NEAR : here]
    right = padded[here + 1 : here + 1 + _NEAR]
    found = []
    for step in range(1, _NEAR + 1):
        found.append(f"{mark}l{step}{'_'.join(left[-step:])}")
        found.append(f"{mark}r{step}{'_'.join(right[:step])}")
    return [*found, f"{mark}c{left[-1]}_{right[0]}", f"{mark}i{left[-2]}", f"{mark}j{right[1]}"]


def _group(token: Token, groups: Mapping[str, str]) -> str:
    """The group of a word; of one that is in none, how it ends."""
    if token.kind != "word" or not token.shape[:1].isalpha():
        return token.shape
    return groups.get(token.shape) or f"~{token.shape[-2:]}"


def _own(place: Token) -> str:
    if place.kind == "check" and place.shape not in _WEAK:
        return place.check
    return place.shape
