"""Side effects an agent's prose asserts: what it says it changed, removed, ran, or left alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from groundwire.actions import _grammar as grammar
from groundwire.text import word_set
from groundwire.traces import CheckName

MAX_TEXT_CHARS = 500_000

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?^[ \t]*\1[^\n]*$", re.MULTILINE | re.DOTALL)
_SKIPPED_LINE = re.compile(r"\s*(?:#|>|\||(?:[-*+]|\d+[.)])\s*\[ \])")
_BULLET = re.compile(
    r"\s*(?:(?:[-*+\u2022\u2013]|\d{1,3}[.)])\s+)?(?:\[[xX]\]\s*)?"
    r"(?:[\u2705\u2714\u2611\u2713\ufe0f]\s*)*"
)
_SENTENCE_END = re.compile(r"[.!?:;](?=[\s\"')*_]|$)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$", re.IGNORECASE)
_JOINT = re.compile(
    r"(?:\s*,\s*(?:(?:and|then|and then|but|so)\s+)?|\s+(?:and|then|and then|but|so)\s+"
    r"|\s+[\u2013\u2014-]{1,2}\s+)"
    r"(?=(?:I\s|I've\s|we\s|also\s|then\s|now\s|\*\*)*"
    r"(?:(?:re-?)?\w+(?:ed|te|an|ran|ote)\b|ran\b|all\s|tests?\s|no\s|everything\s|without\s|did\s"
    r"|the\s(?:full\s|whole\s|entire\s)?tests?\b|didn't\s|left\s|there\s))",
    re.IGNORECASE,
)


# underscores are left alone: `__init__.py` is not bold
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
    plain = report[:MAX_TEXT_CHARS].replace("\u2019", "'")
    prose = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), plain)
    at = 0
    for line in prose.split("\n"):
        if line.strip() and not _SKIPPED_LINE.match(line):
            bullet = _BULLET.match(line)
            yield from _sentences(line, bullet.end() if bullet else 0, at)
        at += len(line) + 1


def _sentences(line: str, start: int, offset: int) -> Iterator[Clause]:
    for end in [*_sentence_ends(line, start), len(line)]:
        sentence = line[start:end]
        if sentence.strip() and not sentence.rstrip().endswith("?"):
            yield from _split(sentence, offset + start)
        start = end


def _sentence_ends(line: str, start: int) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(line, start):
        is_quoted = line.count("`", 0, match.start()) % 2 == 1
        if not is_quoted and not _ABBREVIATION.search(line[: match.end()]):
            yield match.end()


def _split(sentence: str, offset: int) -> Iterator[Clause]:
    start = 0
    for match in _JOINT.finditer(sentence):
        if sentence.count("`", 0, match.start()) % 2 == 0 and match.start() > start:
            yield _clause(sentence, start, match.start(), offset)
            start = match.end()
    yield _clause(sentence, start, len(sentence), offset)


def _clause(sentence: str, start: int, end: int, offset: int) -> Clause:
    raw = sentence[start:end]
    lead = len(raw) - len(raw.lstrip())
    text = _EMPHASIS.sub(lambda match: match[1] or "", raw).strip()
    place = offset + start + lead
    return Clause(text.rstrip(" .!:;"), place, place + len(raw.strip()), sentence.strip())


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
_TOKEN = re.compile(r"`(?P<code>[^`\n]+)`|(?P<bare>[\w@./~-]*\w[\w@./~+-]*)")
_PLACES = word_set("to in into inside within from on")
_ASIDES = word_set(
    """for of with like using via by than per about as at against see matching under next beside
    behind between without after before during since because that which when where while"""
)
_FOLLOWERS = re.compile(
    r"\s*(?:$|[,.;:()+&\u2013\u2014-]|(?:and|or|to|from|in|with|for|so|as|since|because|which|that"
    r"|files?|module|script|folder|directory|entirely|completely|accordingly|too|again|using|by)\b)",
    re.IGNORECASE,
)
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
    words = [word.lower() for word in re.findall(r"[A-Za-z]+", before)]
    for word in reversed(words):
        if word in _PLACES:
            return "place"
        if word in _ASIDES:
            return "aside"
    return "object"


def _as_path(token: str, *, in_code: bool = False) -> str | None:
    token = token.strip().rstrip(".,:;") if not in_code else token.strip()
    if (
        not token
        or re.search(r"[\s()=<>*?|\"'{}$]|::|->|://", token)
        or token.startswith(("-", "@"))
    ):
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


_BARE_COMMAND = re.compile(
    r"""\s*(?:(?:the|a|full)\s+)*(?P<command>
    (?:npm|yarn|pnpm|bun)\s+(?:run\s+)?[\w:-]+ | npx\s+[\w@/-]+
    | (?:python3?\s+-m\s+)?pytest\b(?:\s+--?[\w-]+|\s+[\w./:-]+\.py\S*|\s+tests?\b/?)*
    | python3?\s+-m\s+\w+ | (?:make|cargo|mvn|gradle|\./gradlew)\s+[\w-]+
    | go\s+(?:test|build|vet)\b(?:\s+\./\.\.\.)? | docker\s+build | ruff\s+check
    | (?:tox|nox|ruff|mypy|eslint|tsc|jest|vitest)\b)""",
    re.IGNORECASE | re.VERBOSE,
)
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
    active = grammar.ACTIVE.match(clause.text)
    if active is not None:
        yield from _done(clause, active["verb"].lower(), active["rest"])
        return
    passive = grammar.PASSIVE.match(clause.text)
    things = tuple(mentions(passive["thing"])) if passive else ()
    if passive and things:
        # "was removed" may tell an old story
        kind = _kind(passive["verb"].lower())
        yield Statement(kind, clause, things[:1], certain=passive["past"] is None)


def _kind(verb: str) -> _FileKind:
    if re.fullmatch(grammar.CREATED, verb):
        return "created"
    return "deleted" if re.fullmatch(grammar.DELETED, verb) else "changed"


def _done(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    """What a plain past statement says was done."""
    if grammar.NOT_MEANT.match(rest):
        return
    if verb in {"committed", "pushed"}:
        yield Statement("ran", clause, command="git commit" if verb == "committed" else "git push")
    elif re.fullmatch(grammar.RAN, verb):
        yield from _ran(clause, rest)
    elif verb in {"moved", "renamed"}:
        yield from _moved(clause, rest)
    elif not re.match(r"\s+(?:by|to)\s", rest):
        yield from _files(clause, verb, rest)


def _files(clause: Clause, verb: str, rest: str) -> Iterator[Statement]:
    kind = _kind(verb)
    found = [one for one in mentions(rest) if one.role != "aside"]
    direct = [one for one in found if one.role == "object" and one.stands_alone]
    inside = [one for one in found if one.role == "place" or not one.stands_alone]
    is_sure = re.fullmatch(grammar.FIXED, verb) is None
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
        named = grammar.MODULE.match(rest)
        things = (Mention(named["name"]),) if named else ()
        yield Statement(kind, clause, things, certain=False)


def _moved(clause: Clause, rest: str) -> Iterator[Statement]:
    source, _, target = rest.partition(" to ")
    old, new = list(mentions(source)), list(mentions(target))
    if len(old) == 1 and len(new) == 1 and old[0].stands_alone:
        yield Statement("moved", clause, (old[0], new[0]))


def _ran(clause: Clause, rest: str) -> Iterator[Statement]:
    told = clause.sentence
    succeeded = bool(grammar.SUCCESS.search(told)) and not grammar.FAILURE.search(told)
    command = command_in(rest)
    if command is not None:
        yield Statement("ran", clause, command=command, succeeded=succeeded)
    elif grammar.THE_TESTS.match(rest):
        whole = bool(grammar.WHOLE.search(clause.text))
        yield Statement("tests_run", clause, succeeded=succeeded, is_whole=whole)


def _passes(clause: Clause) -> Iterator[Statement]:
    for check, pattern in grammar.PASSES.items():
        match = pattern.search(clause.text)
        if match is None:
            continue
        around = clause.text[: match.start()] + " " + clause.text[match.end() :]
        if not grammar.NOT_DONE.search(around) and not grammar.FAILURE.search(around):
            whole = bool(grammar.WHOLE.search(clause.text))
            yield Statement("passes", clause, check=check, is_whole=whole)


def _left_alone(clause: Clause) -> Statement | None:
    for pattern in grammar.UNTOUCHED:
        match = pattern.search(clause.text)
        if match is None or grammar.HEDGED.search(clause.text[: match.start()]):
            continue
        if grammar.TESTS.match(match["thing"]):
            return Statement("unchanged", clause, about_tests=True)
        return Statement("unchanged", clause, tuple(mentions(match["thing"])))
    return None


def _existence(clause: Clause) -> Statement | None:
    kinds: tuple[tuple[StatementKind, tuple[re.Pattern[str], ...]], ...] = (
        ("absent", grammar.ABSENT),
        ("exists", grammar.EXISTS),
    )
    for kind, patterns in kinds:
        for pattern in patterns:
            match = pattern.match(clause.text)
            things = tuple(mentions(match["thing"])) if match else ()
            if things:
                return Statement(kind, clause, things[:1])
    return None
