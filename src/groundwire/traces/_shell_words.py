"""The characters of a command line: words without their quotes, redirections, here-documents."""

import re
from dataclasses import dataclass
from typing import Literal

from groundwire._patterns import lazy_pattern

MAX_CHARS = 50_000
MAX_DEPTH = 40


class NotUnderstood(Exception):
    """The line uses more of the shell than is read here, or is no line of a shell at all."""


@dataclass(frozen=True, slots=True)
class Redirect:
    target: str
    appends: bool = False


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One program with its words; quotes are taken off, `$NAME` and patterns left as written."""

    words: tuple[str, ...] = ()
    assignments: tuple[str, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    document: str | None = None
    """The here-document it reads; "" if what it holds depends on the shell."""
    folder: str | None = ""
    """Where it runs, from where the line began; None if that cannot be told."""
    background: bool = False
    watched: bool = False
    elsewhere: bool = False
    """In a container or on another machine."""
    repeated: bool = False
    """With words that only `xargs` or `find` knew."""

    @property
    def program(self) -> str:
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


@dataclass(frozen=True, slots=True)
class Joined:
    """Commands and how their statuses make one.

    `pipe`: the last one's, or with `strict` (pipefail) that of any that failed. `then`: the last
    one's, or with `strict` (errexit) that of the first that failed. `hidden`: nobody's.
    """

    kind: Literal["pipe", "and", "or", "then", "not", "hidden", "subshell", "background"]
    parts: tuple["Node", ...]
    strict: bool = False


Node = SimpleCommand | Joined

# such as ">", "2>>", "&>", "<<-", "{fd}>"
_REDIRECT = lazy_pattern(r"(?:\d+|&|\{\w+\})?(?:>>|>\||>&|<<-|<<<|<<|<&|<>|>|<)")
# such as "&&", ";;", and the end of a line
_OPERATOR = lazy_pattern(r"\|\||&&|;;&|;;|;&|\|&|[;|&\n()]")
# blanks, and a line end that is escaped
_BLANK = lazy_pattern(r"(?:[ \t\r]|\\\r?\n)+")
# what a word is made of where nothing is quoted or expanded
_PLAIN = lazy_pattern(r"[^\s\\'\"`$|&;()<>]+")
# such as "then", "done"
_RESERVED = lazy_pattern(r"[^\s;|&()<>]+")
# what stands in double quotes as it is: "a b"
_IN_QUOTES = lazy_pattern(r'[^"\\$`]+')
# such as "`date`"
_BACKQUOTED = lazy_pattern(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
# such as "$'a\\nb'"
_ANSI_QUOTED = lazy_pattern(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ANSI_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


class Scanner:
    """Reads a line from left to right. The commands inside words are read by the grammar."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.waiting: list[tuple[str, bool, bool]] = []
        self.documents: list[str] = []
        self.runs_in_document = False

    def sequence(self, closers: frozenset[str]) -> Node:
        raise NotImplementedError

    def nested(self, text: str) -> Node:
        raise NotImplementedError

    def fail(self) -> None:
        raise NotUnderstood(f"at character {self.at}")

    def skip_blanks(self) -> None:
        if match := _BLANK.match(self.text, self.at):
            self.at = match.end()
        if self.text.startswith("#", self.at):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def skip_lines(self) -> None:
        self.skip_blanks()
        while self.text.startswith("\n", self.at):
            self.take_line_end()
            self.skip_blanks()

    def take_line_end(self) -> None:
        """After a line end come the here-documents that were announced on the line."""
        self.at += 1
        waiting, self.waiting = self.waiting, []
        for mark, is_indented, is_literal in waiting:
            body: list[str] = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                line = line.lstrip("\t") if is_indented else line
                if line.rstrip("\r") == mark:
                    break
                body.append(f"{line}\n")
            text = "".join(body)
            self.documents.append(text if is_literal or not re.search(r"[$`\\]", text) else "")
            self.runs_in_document |= not is_literal and ("$(" in text or "`" in text)

    def operator(self) -> str:
        self.skip_blanks()
        match = _OPERATOR.match(self.text, self.at)
        if match is None or _REDIRECT.match(self.text, self.at):
            return ""
        return match[0]

    def next_word(self) -> str:
        """A reserved word, if one stands here."""
        match = _RESERVED.match(self.text, self.at)
        return match[0] if match else ""

    def expect(self, text: str) -> None:
        self.skip_lines()
        if not self.text.startswith(text, self.at):
            self.fail()
        self.at += len(text)

    def closed_by(self, closer: str, start: int) -> int:
        """Where a part that holds no commands ends: quotes are jumped over."""
        at = start
        while at < len(self.text):
            char = self.text[at]
            if self.text.startswith(closer, at):
                return at + len(closer)
            if char == "\\":
                at += 1
            elif char in "'\"":
                end = self.text.find(char, at + 1)
                if end < 0:
                    break
                at = end
            at += 1
        raise NotUnderstood(f"nothing closes what opens at character {start}")

    def skip_list(self) -> None:
        """What `names=(a b c)` assigns."""
        if self.text.startswith("(", self.at):
            self.at = self.closed_by(")", self.at + 1)

    def redirect(self, redirects: list[Redirect], inner: list[Node]) -> bool:
        self.skip_blanks()
        match = _REDIRECT.match(self.text, self.at)
        if match is None or self.text.startswith(("<(", ">("), self.at):
            return False
        symbol = match[0].lstrip("0123456789&") if not match[0].startswith("{") else ">"
        self.at = match.end()
        self.skip_blanks()
        start = self.at
        if self.at >= len(self.text) or self.text[self.at] in "\n;|&":
            self.fail()
        target = self.word(inner)
        if symbol in {"<<", "<<-"}:
            is_literal = any(sign in self.text[start : self.at] for sign in "'\"\\")
            self.waiting.append((target, symbol == "<<-", is_literal))
        elif ">" in symbol and not _is_stream(match[0], target):
            redirects.append(Redirect(target, ">>" in symbol))
        return True

    def word(self, inner: list[Node]) -> str:
        """One word without its quotes; commands inside it are added to `inner`."""
        parts: list[str] = []
        start = self.at
        while self.at < len(self.text):
            if match := _PLAIN.match(self.text, self.at):
                parts.append(match[0])
                self.at = match.end()
                continue
            char = self.text[self.at]
            if char == "\\":
                if self.at + 1 >= len(self.text):
                    self.fail()
                parts.append(self.text[self.at + 1].replace("\n", ""))
                self.at += 2
            elif char == "'":
                parts.append(self.single_quoted())
            elif char == '"':
                parts.append(self.double_quoted(inner))
            elif char in "$`" or self.text.startswith(("<(", ">("), self.at):
                parts.append(self.expansion(inner))
            else:
                break
        if self.at == start:
            self.fail()
        return "".join(parts)

    def single_quoted(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            self.fail()
        text = self.text[self.at + 1 : end]
        self.at = end + 1
        return text

    def double_quoted(self, inner: list[Node]) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                return "".join(parts)
            if char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                parts.append(escaped if escaped in '"\\$`' else f"\\{escaped}")
                self.at += 2
            elif char in "$`":
                parts.append(self.expansion(inner))
            else:
                end = _unquoted_end(self.text, self.at)
                parts.append(self.text[self.at : end])
                self.at = end
        raise NotUnderstood("a quote is not closed")

    def expansion(self, inner: list[Node]) -> str:
        """`$(…)`, `<(…)` and backquotes are read as commands; `${…}` and `$((…))` left alone."""
        start = self.at
        if self.text.startswith("$((", start):
            self.at = self.closed_by("))", start + 3)
        elif self.text.startswith(("$(", "<(", ">("), start):
            self.at += 2
            inner.append(self.sequence(frozenset()))
            self.expect(")")
        elif self.text.startswith("${", start):
            self.at = self.closed_by("}", start + 2)
        elif self.text.startswith("$'", start):
            return self.ansi_quoted()
        elif self.text[start] == "`":
            match = _BACKQUOTED.match(self.text, start)
            if match is None:
                raise NotUnderstood("a backquote is not closed")
            self.at = match.end()
            inner.append(self.nested(re.sub(r"\\([`\\$])", r"\1", match[1])))
        else:
            self.at += 1
        return self.text[start : self.at]

    def ansi_quoted(self) -> str:
        match = _ANSI_QUOTED.match(self.text, self.at)
        if match is None:
            raise NotUnderstood("a quote is not closed")
        self.at = match.end()
        return re.sub(r"\\(.)", lambda m: _ANSI_ESCAPES.get(m[1], m[1]), match[1], flags=re.DOTALL)


def _unquoted_end(text: str, start: int) -> int:
    match = _IN_QUOTES.match(text, start)
    return match.end() if match else start + 1


def _is_stream(symbol: str, target: str) -> bool:
    is_number = symbol.endswith("&") and (target.isdigit() or target == "-")
    return is_number or target.startswith("/dev/") or target == "-"
