"""The one reader of command lines: a tree of simple commands, and whose status the line's is.

What is not understood raises `NotUnderstood`; a line is never read as an empty one instead.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.text import word_set

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

_OPENERS = word_set("if while until for select case function { [[ !") | {"time", "coproc"}
_CLOSERS = word_set("then do done fi elif else esac } ;;")
# such as "PATH=", "flags+=", "names[2]="
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
# such as ">", "2>>", "&>", "<<-", "{fd}>"
_REDIRECT = re.compile(r"(?:\d+|&|\{\w+\})?(?:>>|>\||>&|<<-|<<<|<<|<&|<>|>|<)")
# such as "&&", ";;", and the end of a line
_OPERATOR = re.compile(r"\|\||&&|;;&|;;|;&|\|&|[;|&\n()]")
# blanks, and a line end that is escaped
_BLANK = re.compile(r"(?:[ \t\r]|\\\r?\n)+")
# what a word is made of where nothing is quoted or expanded
_PLAIN = re.compile(r"[^\s\\'\"`$|&;()<>]+")
# such as "then", "done"
_RESERVED = re.compile(r"[^\s;|&()<>]+")
# what stands in double quotes as it is: "a b"
_IN_QUOTES = re.compile(r'[^"\\$`]+')
# such as "`date`"
_BACKQUOTED = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
# such as "$'a\\nb'"
_ANSI_QUOTED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ANSI_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


def parse_tree(line: str, depth: int = 0) -> Node:
    """The whole line as a tree, wrappers still on."""
    if len(line) > MAX_CHARS:
        raise NotUnderstood(f"more than {MAX_CHARS} characters")
    return _Parser(line, depth).whole()


class _Parser:
    """Recursive descent over the characters, each looked at once a level of nesting."""

    def __init__(self, text: str, depth: int) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.waiting: list[tuple[str, bool, bool]] = []
        self.documents: list[str] = []
        self.errexit = False
        self.pipefail = False
        self.runs_in_document = False

    def whole(self) -> Node:
        node = self.sequence(frozenset())
        if self.at < len(self.text):
            self.fail()
        if self.documents or self.waiting:
            node = self.with_documents(node)
        if self.runs_in_document:  # what it runs is not read
            node = Joined("then", (SimpleCommand(("eval",)), node))
        return node

    def with_documents(self, node: Node) -> Node:
        if isinstance(node, Joined):
            return replace(node, parts=tuple(self.with_documents(part) for part in node.parts))
        if node.document is None:
            return node
        place = int(node.document)
        found = self.documents[place : place + 1]
        return replace(node, document=found[0] if found else "")

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

    def sequence(self, closers: frozenset[str]) -> Node:
        """Commands up to a closing word, a closing bracket or the end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstood("nested too deeply")
        parts: list[Node] = []
        loose = 0  # how many came before `set -e`
        while True:
            self.skip_lines()
            loose = loose if self.errexit else len(parts)
            ends = self.at >= len(self.text) or self.text[self.at] == ")"
            if ends or self.text.startswith(";;", self.at) or self.next_word() in closers:
                break
            if self.next_word() in _CLOSERS:
                self.fail()
            part = self.and_or()
            operator = self.operator()
            if operator in {"&", ";"}:
                self.at += 1
                part = Joined("background", (part,)) if operator == "&" else part
            elif operator not in {"\n", ")", ";;", ";&", ";;&"} and self.at < len(self.text):
                self.fail()
            parts.append(part)
        self.depth -= 1
        if len(parts) > loose:
            parts = [*parts[:loose], Joined("then", tuple(parts[loose:]), strict=True)]
        return parts[0] if len(parts) == 1 else Joined("then", tuple(parts))

    def and_or(self) -> Node:
        """Both bind alike and from the left; a run of one of them is one node."""
        parts = [self.pipeline()]
        joined_by = ""
        levels = 0
        while (operator := self.operator()) in {"&&", "||"}:
            self.at += 2
            self.skip_lines()
            if joined_by not in {"", operator}:
                parts = [_joined(joined_by, parts)]
                levels += 1
            if levels > MAX_DEPTH:
                raise NotUnderstood("nested too deeply")
            joined_by = operator
            parts.append(self.pipeline())
        return _joined(joined_by, parts)

    def pipeline(self) -> Node:
        self.skip_blanks()
        is_denied = False
        while self.next_word() in {"!", "time"}:
            is_denied ^= self.next_word() == "!"
            self.at += len(self.next_word())
            self.skip_blanks()
            if self.next_word() == "-p":
                self.at += 2
                self.skip_blanks()
        parts = [self.command()]
        while (operator := self.operator()) in {"|", "|&"}:
            self.at += len(operator)
            self.skip_lines()
            parts.append(self.command())
        node = parts[0] if len(parts) == 1 else Joined("pipe", tuple(parts), self.pipefail)
        return Joined("not", (node,)) if is_denied else node

    def command(self) -> Node:
        self.skip_blanks()
        word = self.next_word()
        if self.text.startswith("((", self.at):
            self.at = self.closed_by("))", self.at + 2)
            return self.with_redirects(SimpleCommand(("((",)))
        if self.text.startswith("(", self.at):
            self.at += 1
            node = self.sequence(frozenset())
            self.expect(")")
            return self.with_redirects(Joined("subshell", (node,)))
        if word in _OPENERS:
            return self.with_redirects(self.compound(word))
        return self.simple()

    def expect(self, text: str) -> None:
        self.skip_lines()
        if not self.text.startswith(text, self.at):
            self.fail()
        self.at += len(text)

    def block(self, *closers: str) -> Node:
        """The commands up to one of the words, which is taken."""
        node = self.sequence(frozenset(closers))
        word = self.next_word()
        if word not in closers:
            self.fail()
        self.at += len(word)
        return node

    def compound(self, word: str) -> Node:
        self.at += len(word)
        if word == "{":
            return self.block("}")
        if word == "[[":
            self.at = self.closed_by(" ]]", self.at)
            return SimpleCommand(("[[",))
        if word == "case":
            return self.cases()
        if word in {"function", "coproc"}:
            return self.named()
        if word == "if":
            return self.branches()
        inner = self.loop_words() if word in {"for", "select"} else []
        return Joined("hidden", (*inner, self.block("do"), self.block("done")))

    def named(self) -> Node:
        """`function NAME { … }`: what it runs when it is called."""
        self.skip_blanks()
        self.at += len(self.next_word())
        self.skip_blanks()
        if self.text.startswith("()", self.at):
            self.at += 2
        self.skip_lines()
        return Joined("hidden", (self.command(),))

    def branches(self) -> Node:
        parts = [self.block("then")]
        while True:
            parts.append(self.sequence(frozenset({"elif", "else", "fi"})))
            word = self.next_word()
            self.at += len(word)
            if word == "fi":
                return Joined("hidden", tuple(parts))
            if word == "elif":
                parts.append(self.block("then"))
            elif word != "else":
                self.fail()

    def loop_words(self) -> list[Node]:
        """`for NAME in WORDS;` or `for ((…));`, up to `do`: the commands inside the words."""
        inner: list[Node] = []
        self.skip_blanks()
        if self.text.startswith("((", self.at):
            self.at = self.closed_by("))", self.at + 2)
        else:
            while self.operator() not in {";", "\n"}:
                if self.at >= len(self.text):
                    self.fail()
                self.word(inner)
        self.skip_blanks()
        if self.text.startswith(";", self.at):
            self.at += 1
        return inner

    def cases(self) -> Node:
        self.skip_blanks()
        parts: list[Node] = []
        self.word(parts)
        self.skip_lines()
        if self.next_word() != "in":
            self.fail()
        self.at += 2
        while True:
            self.skip_lines()
            if self.next_word() == "esac":
                self.at += len("esac")
                return Joined("hidden", tuple(parts))
            self.at = self.closed_by(")", self.at + self.text.startswith("(", self.at))
            parts.append(self.sequence(frozenset({"esac"})))
            if (operator := self.operator()) in {";;", ";&", ";;&"}:
                self.at += len(operator)
            elif self.next_word() != "esac":
                self.fail()

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

    def with_redirects(self, node: Node) -> Node:
        """What follows a group: its redirections are a command of their own that runs nothing."""
        inner: list[Node] = []
        redirects: list[Redirect] = []
        while self.redirect(redirects, inner):
            pass
        if not redirects and not inner:
            return node
        writes = SimpleCommand(redirects=tuple(redirects))
        return Joined("then", (*inner, writes, node))

    def simple(self) -> Node:
        words: list[str] = []
        assignments: list[str] = []
        redirects: list[Redirect] = []
        inner: list[Node] = []
        before = len(self.waiting)
        start = self.at
        while True:
            self.skip_blanks()
            if self.redirect(redirects, inner):
                continue
            if self.at >= len(self.text) or self.operator():
                break
            is_assignment = not words and _ASSIGNMENT.match(self.text, self.at)
            word = self.word(inner)
            if is_assignment:
                assignments.append(word)
                self.skip_list()
            else:
                words.append(word)
        if len(words) == 1 and self.text.startswith("()", self.at):
            self.at += 2
            self.skip_lines()
            return Joined("hidden", (self.command(),))
        if self.at == start:
            self.fail()
        command = SimpleCommand(tuple(words), tuple(assignments), tuple(redirects))
        self.note_options(command)
        if len(self.waiting) > before:
            command = replace(command, document=str(len(self.documents) + before))
        if not words and len(inner) == 1 and not redirects:
            return inner[0]  # the status of `out=$(make)` is that of make
        if not inner:
            return command
        return Joined("then", (Joined("hidden", tuple(inner)), command))

    def skip_list(self) -> None:
        """What `names=(a b c)` assigns."""
        if self.text.startswith("(", self.at):
            self.at = self.closed_by(")", self.at + 1)

    def note_options(self, command: SimpleCommand) -> None:
        if command.words[:1] == ("set",):
            options = command.words[1:]
            letters = "".join(one for one in options if re.fullmatch(r"-[a-zA-Z]+", one))
            self.errexit = ("e" in letters or "errexit" in options) and "+e" not in options
            self.pipefail = "pipefail" in options and "+o" not in options

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
            inner.append(parse_tree(re.sub(r"\\([`\\$])", r"\1", match[1]), self.depth + 1))
        else:
            self.at += 1
        return self.text[start : self.at]

    def ansi_quoted(self) -> str:
        match = _ANSI_QUOTED.match(self.text, self.at)
        if match is None:
            raise NotUnderstood("a quote is not closed")
        self.at = match.end()
        return re.sub(r"\\(.)", lambda m: _ANSI_ESCAPES.get(m[1], m[1]), match[1], flags=re.DOTALL)


def _joined(operator: str, parts: list[Node]) -> Node:
    return Joined("and" if operator == "&&" else "or", tuple(parts)) if operator else parts[0]


def _unquoted_end(text: str, start: int) -> int:
    match = _IN_QUOTES.match(text, start)
    return match.end() if match else start + 1


def _is_stream(symbol: str, target: str) -> bool:
    is_number = symbol.endswith("&") and (target.isdigit() or target == "-")
    return is_number or target.startswith("/dev/") or target == "-"
