"""The one reader of command lines: a tree of simple commands, and whose status the line's is.

What is not understood raises `NotUnderstood`; a line is never read as an empty one instead.
"""

import re
from dataclasses import replace

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._shell_words import (
    MAX_CHARS,
    MAX_DEPTH,
    Joined,
    Node,
    NotUnderstood,
    Redirect,
    Scanner,
    SimpleCommand,
)

_OPENERS = word_set("if while until for select case function { [[ !") | {"time", "coproc"}
_CLOSERS = word_set("then do done fi elif else esac } ;;")
# such as "PATH=", "flags+=", "names[2]="
_ASSIGNMENT = lazy_pattern(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")


def parse_tree(line: str, depth: int = 0, options: tuple[str, ...] = ()) -> Node:
    """The whole line as a tree, wrappers still on; `options` are those the shell began with."""
    if len(line) > MAX_CHARS:
        raise NotUnderstood(f"more than {MAX_CHARS} characters")
    parser = _Parser(line, depth)
    parser.note_options(SimpleCommand(("set", *options)))
    return parser.whole()


class _Parser(Scanner):
    """Recursive descent over the characters, each looked at once a level of nesting."""

    def __init__(self, text: str, depth: int) -> None:
        super().__init__(text, depth)
        self.errexit = False
        self.pipefail = False

    def nested(self, text: str) -> Node:
        return parse_tree(text, self.depth + 1)

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

    def note_options(self, command: SimpleCommand) -> None:
        if command.words[:1] == ("set",):
            options = command.words[1:]
            letters = "".join(one for one in options if re.fullmatch(r"-[a-zA-Z]+", one))
            self.errexit = ("e" in letters or "errexit" in options) and "+e" not in options
            self.pipefail = "pipefail" in options and "+o" not in options


def _joined(operator: str, parts: list[Node]) -> Node:
    return Joined("and" if operator == "&&" else "or", tuple(parts)) if operator else parts[0]
