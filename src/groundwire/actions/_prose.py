"""Side effects an agent's prose asserts: what it says it changed, removed, ran, or left alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from groundwire.actions import _action_words as words
from groundwire.text import (
    Joint,
    Sentence,
    coordinations,
    is_auxiliary,
    is_negation,
    marks_in,
    placed_words,
    plain,
    read,
    status_in,
    word_set,
)
from groundwire.traces import CheckName

MAX_TEXT_CHARS = 500_000
_LOWEST_HEADING = 6
"""A line in bold is read as a heading beneath these; here it reports like any other line."""

# such as "[x] ", "✅ ", "• "
_OPENING = re.compile(
    r"(?:[\u2022\u2013]\s+)?(?:\[[xX]\]\s*)?(?:[\u2705\u2714\u2611\u2713\ufe0f]\s*)*"
)
# what opens a statement of its own: "I also ran", "tests", "the full test suite", "there"
_OPENS_STATEMENT = re.compile(
    r"(?:I\s|I've\s|we\s|also\s|then\s|now\s|\*\*)*"
    r"(?:\w+(?:ed|te|an)\b|(?:all|tests?|everything|did|left|there)\s"
    r"|the\s(?:full\s|whole\s|entire\s)?tests?\b|(?P<word>[\w']+)\s)",
    re.IGNORECASE,
)
# such as "**bold**", "*so*"; underscores are left alone: `__init__.py` is not bold
_EMPHASIS = re.compile(r"(`[^`]*`)|\*\*|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text` is the clause without emphasis; `start` and `end` its place in the report."""

    text: str
    start: int
    end: int
    sentence: str


def clauses(report: str) -> Iterator[Clause]:
    """Every clause of a report's prose. Code, quotations, headings and open tasks say nothing."""
    for sentence in read(report[:MAX_TEXT_CHARS]).sentences:
        if _reports(sentence):
            yield from _clauses_of(sentence)


def _reports(sentence: Sentence) -> bool:
    block = sentence.block
    if block.in_quotation or block.kind not in ("paragraph", "item", "heading"):
        return False
    if block.kind == "heading" and block.level <= _LOWEST_HEADING:
        return False
    text = sentence.words.text
    return not status_in(text, 0, 0, block).labels & {"planned", "example"} and "asked" not in {
        mark.label for mark in marks_in(text) if mark.scope == (0, len(text))
    }


def _clauses_of(sentence: Sentence) -> Iterator[Clause]:
    text = plain(sentence.text)
    opening = _OPENING.match(text)
    begin = opening.end() if opening else 0
    for joint in coordinations(text, begin):
        if joint.start > begin and _separates(text, joint):
            yield _clause(sentence, begin, joint.start)
            begin = joint.end
    yield _clause(sentence, begin, len(text))


def _separates(text: str, joint: Joint) -> bool:
    if joint.mark in (":", ";"):
        return True
    opens = _OPENS_STATEMENT.match(text, joint.end)
    return opens is not None and (opens["word"] is None or is_negation(opens["word"]))


def _clause(sentence: Sentence, start: int, end: int) -> Clause:
    raw = plain(sentence.text)[start:end]
    lead = len(raw) - len(raw.lstrip())
    text = _EMPHASIS.sub(lambda match: match[1] or "", raw).strip()
    place = sentence.start + start + lead
    return Clause(
        text.rstrip(" .!:;"), place, place + len(raw.strip()), plain(sentence.text).strip()
    )


Role = Literal["object", "place", "aside"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A file named in prose. `role`: what the verb acts on, where it acts, or neither.

    `stands_alone`: no noun follows that would make it "the a.py imports".
    """

    path: str
    role: Role = "object"
    stands_alone: bool = True
    in_code: bool = False


_EXTENSIONS = word_set(
    """py pyi js jsx ts tsx mjs cjs json jsonl yaml yml toml md mdx rst txt html htm css scss sass
    less go rs java kt kts c h cc cpp hpp cs rb php sh bash zsh fish sql ini cfg conf lock xml svg
    vue svelte swift ipynb proto tf gradle env csv tsv lua r jl scala clj ex exs erl hs ml dart nix
    bat ps1 mk cmake dockerfile properties graphql prisma astro tex bib log patch diff png jpg"""
)
_KNOWN_NAMES = word_set(
    """readme changelog license makefile dockerfile gemfile rakefile procfile justfile notice
    contributing codeowners vagrantfile jenkinsfile"""
)
# such as "`src/app.py`", "src/app.py"
_TOKEN = re.compile(r"`(?P<code>[^`\n]+)`|(?P<bare>[\w@./~-]*\w[\w@./~+-]*)")
_PLACES = word_set("to in into inside within from on")
_ASIDES = word_set(
    """for of with like using via by than per about as at against see matching under next beside
    behind between without after before during since because that which when where while"""
)
# such as "a.py, b.py", "a.py and"; in "the a.py imports" another noun follows
_FOLLOWERS = re.compile(
    r"\s*(?:$|[,.;:()+&\u2013\u2014-]|(?:and|or|to|from|in|with|for|so|as|since|because|which|that"
    r"|files?|module|script|folder|directory|entirely|completely|accordingly|too|again|using|by)\b)",
    re.IGNORECASE,
)
# such as "f(x)", "a::b", "https://x"
_NOT_A_PATH = re.compile(r"[\s()=<>*?|\"'{}$]|::|->|://")


def mentions(text: str) -> Iterator[Mention]:
    """The files a piece of prose names, each with the part it plays."""
    role: Role = "object"
    last_end = 0
    for match in _TOKEN.finditer(text):
        path = _as_path(match["code"], in_code=True) if match["code"] else _as_path(match["bare"])
        if path is None:
            continue
        between = text[last_end : match.start()]
        role = _role(between, role if last_end else "object")
        last_end = match.end()
        alone = bool(_FOLLOWERS.match(text[match.end() :]))
        yield Mention(path, role, alone, in_code=bool(match["code"]))


def _role(before: str, previous: Role) -> Role:
    """The last preposition before a name decides; in a list the role goes on."""
    if re.fullmatch(r"\s*(?:,|and|&|,\s*and|or|plus|/)\s*", before):
        return previous
    for word in reversed(placed_words(before)):
        if word.low in _PLACES:
            return "place"
        if word.low in _ASIDES:
            return "aside"
    return "object"


def _as_path(token: str, *, in_code: bool = False) -> str | None:
    token = token.strip().rstrip(".,:;") if not in_code else token.strip()
    if not token or _NOT_A_PATH.search(token) or token.startswith(("-", "@")):
        return None
    name = token.rstrip("/").rsplit("/", 1)[-1]
    if name.lower() in _KNOWN_NAMES:
        return token
    stem, dot, extension = name.rpartition(".")
    if dot and extension.lower() in _EXTENSIONS and (stem or token.startswith(".")):
        return token if re.search(r"[A-Za-z]", stem or extension) else None
    if in_code and ("/" in token or re.fullmatch(r"\.\w[\w.-]+", token)):
        return token
    return None


# such as "npm run build", "python -m pytest -q tests", "mypy"
_BARE_COMMAND = re.compile(
    r"""\s*(?:(?:the|a|full)\s+)*(?P<command>
    (?:npm|yarn|pnpm|bun)\s+(?:run\s+)?[\w:-]+ | npx\s+[\w@/-]+
    | (?:python3?\s+-m\s+)?pytest\b(?:\s+--?[\w-]+|\s+[\w./:-]+\.py\S*|\s+tests?\b/?)*
    | python3?\s+-m\s+\w+ | (?:make|cargo|mvn|gradle|\./gradlew)\s+[\w-]+
    | go\s+(?:test|build|vet)\b(?:\s+\./\.\.\.)? | docker\s+build | ruff\s+check
    | (?:tox|nox|ruff|mypy|eslint|tsc|jest|vitest)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
# such as "the command `make`", "tests with `pytest -q`"
_CODE_COMMAND = re.compile(
    r"\s*(?:(?:the|a|full)\s+)*(?:command\s+|tests?\s+(?:with|via|using)\s+)?`(?P<command>[^`\n]+)`"
)


def command_in(text: str) -> str | None:
    """The command right after "ran": in backticks, or one everybody writes without."""
    match = _CODE_COMMAND.match(text) or _BARE_COMMAND.match(text)
    return match["command"].strip().lstrip("$ ").strip() or None if match else None


StatementKind = Literal[
    "created", "changed", "deleted", "moved", "ran", "tests_run", "passes", "unchanged",
    "absent", "exists",
]  # fmt: skip
_FileKind = Literal["created", "changed", "deleted"]
_SUPPOSED = frozenset({"conditional", "ordered", "hedged", "planned", "asked", "example"})


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the report says.

    `certain` is false where it may mean another file than the one it names.
    """

    kind: StatementKind
    clause: Clause
    things: tuple[Mention, ...] = ()
    command: str | None = None
    check: CheckName = "tests"
    is_whole: bool = False
    succeeded: bool = False
    about_tests: bool = False
    certain: bool = True


def statements(report: str) -> Iterator[Statement]:
    for clause in clauses(report):
        settled = _left_alone(clause) or _existence(clause)
        if settled is not None:
            yield settled
            continue
        yield from _passes(clause)
        yield from _actions(clause)


def _actions(clause: Clause) -> Iterator[Statement]:
    active = words.ACTIVE.match(clause.text)
    if active is not None:
        yield from _done(clause, active["verb"].lower(), active["rest"])
        return
    passive = words.PASSIVE.match(clause.text)
    things = tuple(mentions(passive["thing"])) if passive else ()
    if passive and things:
        # "was removed" may tell an old story
        kind = _kind(passive["verb"].lower())
        yield Statement(kind, clause, things[:1], certain=passive["past"] is None)


def _kind(verb: str) -> _FileKind:
    if re.fullmatch(words.CREATED, verb):
        return "created"
    return "deleted" if re.fullmatch(words.DELETED, verb) else "changed"


def _done(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    """What a plain past statement says was done."""
    if _only_names(rest):
        return
    if verb in {"committed", "pushed"}:
        yield Statement("ran", clause, command="git commit" if verb == "committed" else "git push")
    elif re.fullmatch(words.RAN, verb):
        yield from _ran(clause, rest)
    elif verb in {"moved", "renamed"}:
        yield from _moved(clause, rest)
    elif not re.match(r"\s+(?:by|to)\s", rest):
        yield from _files(clause, verb, rest)


def _only_names(rest: str) -> bool:
    """ "Updated docs would help": what looks like the verb describes what another speaks of."""
    return any(
        mark.label in _SUPPOSED and is_auxiliary(rest[slice(*mark.cue)].lower())
        for mark in marks_in(rest.partition(",")[0])
    )


def _files(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    kind = _kind(verb)
    found = [one for one in mentions(rest) if one.role != "aside"]
    direct = [one for one in found if one.role == "object" and one.stands_alone]
    inside = [one for one in found if one.role == "place" or not one.stands_alone]
    is_sure = re.fullmatch(words.FIXED, verb) is None
    if kind == "changed":
        for one in found:
            yield Statement("changed", clause, (one,), certain=is_sure)
    elif direct and not (kind == "deleted" and inside):
        for one in direct:
            yield Statement(kind, clause, (one,))
    else:
        for one in inside:
            yield Statement("changed", clause, (one,), certain=one.role == "place")
    if not found:
        named = words.MODULE.match(rest)
        things = (Mention(named["name"]),) if named else ()
        yield Statement(kind, clause, things, certain=False)


def _moved(clause: Clause, rest: str) -> Iterator[Statement]:
    source, _, target = rest.partition(" to ")
    old, new = list(mentions(source)), list(mentions(target))
    if len(old) == 1 and len(new) == 1 and old[0].stands_alone:
        yield Statement("moved", clause, (old[0], new[0]))


def _ran(clause: Clause, rest: str) -> Iterator[Statement]:
    succeeded = _succeeds(clause.sentence)
    command = command_in(rest)
    if command is not None:
        yield Statement("ran", clause, command=command, succeeded=succeeded)
    elif words.THE_TESTS.match(rest):
        whole = bool(words.WHOLE.search(clause.text))
        yield Statement("tests_run", clause, succeeded=succeeded, is_whole=whole)


def _succeeds(told: str) -> bool:
    """ "no errors" succeeds, "did not pass" fails."""
    good = [_is_denied(told, match.start()) for match in words.SUCCESS.finditer(told)]
    bad = [_is_denied(told, match.start()) for match in words.FAILURE.finditer(told)]
    return bool(good or bad) and not any(good) and all(bad)


def _is_denied(text: str, place: int) -> bool:
    """Whether the word right before a place denies what follows."""
    before = placed_words(text[:place])
    return bool(before) and is_negation(before[-1].text)


def _passes(clause: Clause) -> Iterator[Statement]:
    for check, pattern in words.PASSES.items():
        match = pattern.search(clause.text)
        if match is None or _is_suspended(clause.text, *match.span()):
            continue
        around = clause.text[: match.start()] + " " + clause.text[match.end() :]
        fails = [not _is_denied(around, one.start()) for one in words.FAILURE.finditer(around)]
        if not words.NOT_ACHIEVED.search(around) and not any(fails):
            whole = bool(words.WHOLE.search(clause.text))
            yield Statement("passes", clause, check=check, is_whole=whole)


def _is_suspended(text: str, start: int, end: int) -> bool:
    """Supposed, planned, ordered or reported; or denied before its end ("pass with no errors")."""
    return any(
        mark.label != "negated" or mark.cue[0] < end for mark in status_in(text, start, end).marks
    )


def _left_alone(clause: Clause) -> Statement | None:
    for pattern in (*words.UNTOUCHED_IF_DENIED, *words.UNTOUCHED):
        match = _denied_match(pattern, clause.text)
        if match is None or _is_supposed(clause.text[: match.start()]):
            continue
        if words.TESTS.match(match["thing"]):
            return Statement("unchanged", clause, about_tests=True)
        return Statement("unchanged", clause, tuple(mentions(match["thing"])))
    return None


def _denied_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match whose `cue` denies, where the pattern has one."""
    for match in pattern.finditer(text):
        cue = match.groupdict().get("cue")
        if cue is None or is_negation(cue):
            return match
    return None


def _is_supposed(before: str) -> bool:
    supposed = any(mark.label in _SUPPOSED for mark in marks_in(before))
    return supposed or bool(words.IN_GENERAL.search(before))


def _existence(clause: Clause) -> Statement | None:
    for pattern in (*words.ABSENT_IF_DENIED, words.EXISTS):
        match = _denied_match(pattern, clause.text)
        things = tuple(mentions(match["thing"])) if match else ()
        if things:
            kind: StatementKind = "exists" if pattern is words.EXISTS else "absent"
            return Statement(kind, clause, things[:1])
    return None
