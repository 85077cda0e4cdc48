"""Just enough of the shell's grammar to tell which programs a command line runs on which files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from groundwire.text import word_set

MAX_CHARS = 50_000
_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t]|\\\n)+)
    |(?P<comment>(?<![^\s;&|()])\#[^\n]*)
    |(?P<redirect>(?:\d+|&)?(?:>>|>\||>&|<<-|<<<|<<|<&|<>|>|<))
    |(?P<operator>\|\||&&|;;|\|&|[;|&\n()])
    |(?P<word>(?:[^\s\\'"|&;()<>]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+)""",
    re.VERBOSE | re.DOTALL,
)
# one piece of a word: "\\ ", "'a b'", '"a b"', "a"
_PIECE = re.compile(
    r"""\\(?P<escaped>.)|'(?P<single>[^']*)'|"(?P<double>(?:[^"\\]|\\.)*)"|(?P<bare>.)""", re.DOTALL
)
# such as "<<EOF", "<<-'END'"
_HEREDOC = re.compile(r"<<-?\s*(?P<quote>['\"]?)(?P<mark>\w+)(?P=quote)")
# such as "PATH=", "flags+="
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")

_WRAPPERS = {  # how many words follow before the program itself
    **dict.fromkeys(word_set("sudo time nice nohup command exec env stdbuf xvfb-run npx bunx"), 0),
    **dict.fromkeys(word_set("then do else if while ! {"), 0),
    "timeout": 1,
}
_TWO_WORD_WRAPPERS = {
    ("poetry", "run"), ("uv", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"),
    ("bundle", "exec"), ("pnpm", "exec"), ("npm", "exec"), ("yarn", "exec"), ("rye", "run"),
}  # fmt: skip
_SHELLS = {"bash", "sh", "zsh", "dash", "ksh"}


class NotUnderstood(Exception):
    """The line uses more of the shell than is read here."""


@dataclass
class SimpleCommand:
    """One program with its words.

    `operator` is what stands before it, `redirects` are the files its output goes to.
    """

    operator: str
    words: list[str] = field(default_factory=list)
    redirects: list[str] = field(default_factory=list)
    appends: bool = False
    document: str | None = None

    @property
    def program(self) -> str:
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


@lru_cache(maxsize=1024)
def parse(line: str) -> tuple[SimpleCommand, ...]:
    """The simple commands of a line, wrappers taken off, in the order they would run."""
    if len(line) > MAX_CHARS:
        raise NotUnderstood(f"more than {MAX_CHARS} characters")
    line, documents = _cut_documents(line)
    commands = [command for command in _split(line) if command.words or command.redirects]
    waiting = iter(documents)
    for command in commands:
        if command.document is not None:
            command.document = next(waiting, "")
    return tuple(inner for command in commands for inner in _unwrapped(command))


def _cut_documents(line: str) -> tuple[str, list[str]]:
    """Here-documents are data: their lines are taken out before the rest is read."""
    kept, documents = [], []
    lines = iter(line.split("\n"))
    for text in lines:
        kept.append(text)
        for match in _HEREDOC.finditer(text) if "<<<" not in text else ():
            body = []
            for inner in lines:
                if inner.strip() == match["mark"]:
                    break
                body.append(inner)
            documents.append("".join(f"{inner}\n" for inner in body))
    return "\n".join(kept), documents


def _split(line: str) -> Iterator[SimpleCommand]:
    command = SimpleCommand("")
    redirect = None
    for kind, text in _tokens(line):
        if kind == "operator":
            yield command
            command = SimpleCommand(text)
        elif kind == "redirect":
            redirect = text
        elif redirect is not None:
            _redirect(command, redirect, _unquote(text))
            redirect = None
        else:
            command.words.append(_unquote(text))
    yield command


def _tokens(line: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None or match.lastgroup is None:
            raise NotUnderstood(f"at character {at}")
        at = match.end()
        if match.lastgroup not in {"space", "comment"}:
            yield match.lastgroup, match[0]


def _redirect(command: SimpleCommand, symbol: str, target: str) -> None:
    if "<<<" in symbol:
        return
    if "<<" in symbol:
        command.document = ""
    elif ">" in symbol and not _is_stream(symbol, target):
        command.redirects.append(target)
        command.appends = command.appends or ">>" in symbol


def _is_stream(symbol: str, target: str) -> bool:
    return (
        (symbol.endswith("&") and target.isdigit()) or target.startswith("/dev/") or target == "-"
    )


def _unquote(word: str) -> str:
    parts = []
    for match in _PIECE.finditer(word):
        if match["double"] is not None:
            parts.append(re.sub(r'\\(["\\$`])', r"\1", match["double"]))
        else:
            parts.append(match["escaped"] or match["single"] or match["bare"] or "")
    return "".join(parts)


def _unwrapped(command: SimpleCommand) -> list[SimpleCommand]:
    """Without assignments, `sudo`, `timeout 60`, `poetry run`; `bash -c` gives what it runs."""
    words = command.words
    while words:
        if _ASSIGNMENT.match(words[0]):
            words = words[1:]
        elif words[0] in _WRAPPERS:
            words = _after_options(words[1:])[_WRAPPERS[words[0]] :]
        elif tuple(words[:2]) in _TWO_WORD_WRAPPERS:
            words = _after_options(words[2:])
        else:
            break
    command.words = words
    script = _shell_script(words)
    if script is None:
        return [command]
    inner = [replace(one, redirects=list(one.redirects)) for one in parse(script)]
    if inner:
        inner[0].operator = command.operator
        inner[-1].redirects += command.redirects
    return inner


def _after_options(words: list[str]) -> list[str]:
    while words and words[0].startswith("-"):
        words = words[1:]
    return words


def _shell_script(words: list[str]) -> str | None:
    if len(words) < 3 or words[0].rsplit("/", 1)[-1] not in _SHELLS:  # noqa: PLR2004
        return None
    flag = words[1]
    return words[2] if flag.startswith("-") and flag.endswith("c") else None
