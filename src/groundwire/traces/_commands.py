"""What a command line runs in the end: wrappers off, folders followed, statuses shared out."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from groundwire._kept import kept
from groundwire.text import word_set
from groundwire.traces._shell import parse_tree
from groundwire.traces._shell_words import MAX_DEPTH, Joined, Node, NotUnderstood, SimpleCommand

Status = int | Literal["failed", "perhaps"] | None
"""A code; `failed`: some code but 0; `perhaps`: it or another command failed; None: hidden."""

# for each program that runs another: its options that take a value, then how many words come first
_WRAPPERS: dict[str, tuple[str, int]] = {
    "sudo": ("-u -g -h -p -C -T -r -t -D -R --user --group --host --chdir", 0),
    "doas": ("-u -C", 0),
    "env": ("-u --unset -C --chdir", 0),
    "timeout": ("-k -s --kill-after --signal", 1),
    "gtimeout": ("-k -s --kill-after --signal", 1),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n --class --classdata", 0),
    "stdbuf": ("-i -o -e", 0),
    "time": ("-f -o --format --output", 0),
    "watch": ("-n -q --interval --equexit", 0),
    "xargs": ("-n -P -I -L -d -a -s -E --max-args --max-procs --replace --delimiter", 0),
    "xvfb-run": ("-e -f -n -p -s -w --server-args", 0),
    "flock": ("-w -E --timeout", 1),
    "npx": ("-p --package", 0),
    "bunx": ("-p --package", 0),
    "dotenv": ("-f -e --file", 0),
    "cross-env": ("", 0),
    **dict.fromkeys(word_set("nohup command exec builtin setsid unbuffer chronic"), ("", 0)),
    "poetry run": ("-C --directory -P --project", 0),
    "pipenv run": ("", 0),
    "pdm run": ("-p --project", 0),
    "hatch run": ("", 0),
    "rye run": ("", 0),
    "uv run": (
        """--with --with-editable --with-requirements --python -p --project --directory --extra
        --group --only-group --no-group --package --env-file --index --default-index --index-url
        --extra-index-url --find-links -f --upgrade-package -P --cache-dir --color --config-file
        --no-extra --refresh-package --resolution --prerelease --exclude-newer --link-mode""",
        0,
    ),
    "uv tool run": ("--from --with --python -p", 0),
    "uvx": ("--from --with --python -p", 0),
    "pipx run": ("--spec --python", 0),
    "conda run": ("-n --name -p --prefix --cwd", 0),
    "mamba run": ("-n --name -p --prefix --cwd", 0),
    "micromamba run": ("-n --name -p --prefix --cwd", 0),
    "bundle exec": ("--gemfile", 0),
    **dict.fromkeys(("pnpm exec", "pnpm dlx", "yarn exec", "yarn dlx"), ("--package", 0)),
    "npm exec": ("-p --package", 0),
    "coverage run": ("--source --omit --include --rcfile --data-file --context", 0),
    "direnv exec": ("", 1),
    "mise exec": ("", 0),
    "docker exec": ("-e -u -w --env --env-file --user --workdir --detach-keys", 1),
    "podman exec": ("-e -u -w --env --env-file --user --workdir --detach-keys", 1),
    **dict.fromkeys(
        ("docker compose exec", "docker-compose exec", "docker compose run", "docker-compose run"),
        ("-e -u -w -T -v -p --env --user --workdir --index --name --volume --entrypoint", 1),
    ),
    "kubectl exec": ("-c -n --container --namespace", 1),
    "ssh": ("-p -i -l -o -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w", 1),
}
_PLACES = word_set("docker podman docker-compose kubectl ssh")
_SHELLS = word_set("bash sh zsh dash ksh ash")
# commands that fail only with a word about it, or never
_SETTING_UP = word_set("cd export unset set echo printf true : pwd sleep date source . mkdir local")
# what a pipe may end in without changing whether its first part failed
_FILTERS = word_set("cat tail head tee")


@dataclass(frozen=True, slots=True)
class Script:
    """The simple commands of a line in their order, and the tree they stand in."""

    commands: tuple[SimpleCommand, ...]
    _tree: Node

    def statuses(self, exit_code: Status) -> tuple[Status, ...]:
        """How each command ended, as far as the status of the whole line tells."""
        ended: list[Status] = []
        _share_out(self._tree, exit_code, ended)
        return tuple(ended)

    def did_not_succeed(self, exit_code: int | None) -> tuple[bool, ...]:
        """Which commands surely did not end with 0: of `a && b` that failed, b, run or not."""
        ended: list[bool] = []
        _share_failure(self._tree, exit_code not in {None, 0}, ended)
        return tuple(ended)

    def exit_codes(self, exit_code: int | None) -> tuple[int | None, ...]:
        statuses = self.statuses(exit_code)
        return tuple(status if isinstance(status, int) else None for status in statuses)


@kept(1_024)
def parse(line: str) -> Script:
    tree = _located(_unwrapped(parse_tree(line), 0), [""])
    return Script(tuple(_leaves(tree)), tree)


def _leaves(node: Node) -> Iterator[SimpleCommand]:
    if isinstance(node, SimpleCommand):
        yield node
    else:
        for part in node.parts:
            yield from _leaves(part)


def _share_out(node: Node, status: Status, ended: list[Status]) -> None:
    """Append a status for each leaf, in order."""
    if isinstance(node, SimpleCommand):
        ended.append(status)
        return
    for part, own in zip(node.parts, _shares(node, status), strict=True):
        _share_out(part, own, ended)


def _share_failure(node: Node, failed: bool, ended: list[bool]) -> None:  # noqa: FBT001
    if isinstance(node, SimpleCommand):
        ended.append(failed)
        return
    for place, part in enumerate(node.parts):
        is_last = place == len(node.parts) - 1
        speaks = node.kind == "or" or (
            is_last
            and node.kind in {"and", "then", "pipe", "subshell"}
            and not (node.kind == "pipe" and node.strict)
        )
        _share_failure(part, failed and speaks, ended)


def _shares(node: Joined, status: Status) -> list[Status]:
    hidden: list[Status] = [None] * len(node.parts)
    if status is None or node.kind in {"hidden", "background"} or not node.parts:
        return hidden
    if node.kind == "not":
        return ["failed"] if status == 0 else [0 if status != "perhaps" else None]
    if node.kind == "or":
        before: list[Status] = ["failed" for _ in hidden[1:]]
        return hidden if status == 0 else [*before, status]
    if node.kind == "and" or (node.strict and node.kind in {"pipe", "then"}):
        return _all_or_one(node, status)
    return [*hidden[1:], status]


def _all_or_one(node: Joined, status: Status) -> list[Status]:
    """All succeeded, or one that can have failed did."""
    if status == 0:
        return [0] * len(node.parts)
    safe = _FILTERS if node.kind == "pipe" else _SETTING_UP
    risky = [not (isinstance(p, SimpleCommand) and p.program in safe) for p in node.parts]
    if not any(risky):
        risky[-1] = True
    shared: Status = status if sum(risky) == 1 else "perhaps"
    return [shared if is_risky else None for is_risky in risky]


def _located(node: Node, folder: list[str | None]) -> Node:
    """Each command with the folder it runs in; `folder` holds where the shell is."""
    if isinstance(node, Joined):
        if node.kind == "pipe":  # each part has a shell of its own
            return replace(node, parts=tuple(_located(part, [*folder]) for part in node.parts))
        inside = [*folder] if node.kind in {"subshell", "background"} else folder
        parts = tuple(_located(part, inside) for part in node.parts)
        if node.kind == "background":
            parts = tuple(_marked(part, SimpleCommand(background=True)) for part in parts)
        return replace(node, parts=parts)
    own = folder[0] if not node.elsewhere else None
    if node.program in {"cd", "pushd", "popd"}:
        plain = [word for word in node.words[1:] if not word.startswith("-")]
        is_known = node.program == "cd" and len(plain) == 1 and not re.search(r"[$`*?~]", plain[0])
        is_known = is_known and own is not None
        folder[0] = posixpath.join(own or "", plain[0]) if is_known else None
    return replace(node, folder=_joined_folder(own, node.folder))


def _joined_folder(shell: str | None, own: str | None) -> str | None:
    """`own` is what a wrapper said (`env -C`), from where the shell is."""
    return shell if shell is None or not own else posixpath.join(shell, own)


def _unwrapped(node: Node, depth: int) -> Node:
    """Without assignments, `sudo`, `timeout 60`, `poetry run`; `bash -c` gives what it runs."""
    if depth > MAX_DEPTH:
        raise NotUnderstood("nested too deeply")
    if isinstance(node, Joined):
        return replace(node, parts=tuple(_unwrapped(part, depth + 1) for part in node.parts))
    return _plain_command(node, depth)


def _plain_command(command: SimpleCommand, depth: int) -> Node:
    while command.words and (inner := _wrapped(command)) is not None:
        command = inner
    if command.program in _SHELLS:
        return _shell_script(command, depth)
    if command.program == "find":
        return _found(command, depth)
    return command


def _wrapped(command: SimpleCommand) -> SimpleCommand | None:
    """The command that this one runs, None if it is no wrapper."""
    if re.match(r"[A-Za-z_]\w*=", command.words[0]):  # such as env's "A=1"
        return replace(command, words=command.words[1:])
    words = (command.program, *command.words[1:])
    size = next((n for n in (3, 2, 1) if " ".join(words[:n]) in _WRAPPERS), 0)
    if not size:
        return None
    name = " ".join(words[:size])
    values, skipped = _WRAPPERS[name]
    rest, given = _after_options(words[size:], word_set(values))
    rest = rest[skipped:]
    if rest[:1] == ("--",):
        rest = rest[1:]
    if name in {"coverage run", "uv run"} and given.get("-m", given.get("--module")) is not None:
        rest = ("python", "-m", *rest)
    if not rest:
        return None
    chdir = next((given[o] for o in ("-C", "--chdir", "--directory", "-w") if given.get(o)), None)
    return replace(
        command,
        words=rest,
        folder=posixpath.join(command.folder or "", chdir) if chdir else command.folder,
        watched=command.watched or name == "watch",
        repeated=command.repeated or name == "xargs",
        elsewhere=command.elsewhere or words[0] in _PLACES,
    )


def _after_options(
    words: tuple[str, ...], values: frozenset[str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """What follows a wrapper's options, and the options with what they were given."""
    given: dict[str, str] = {}
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        option, _, value = words[at].partition("=")
        if option in values and "=" not in words[at]:
            at += 1
            value = words[at] if at < len(words) else ""
        given[option] = value
        at += 1
    return words[at:], given


def _shell_script(command: SimpleCommand, depth: int) -> Node:
    """`bash -ec '…'`, or `bash <<'EOF'`: what it runs, in a shell of its own."""
    flags = [word for word in command.words[1:] if word.startswith(("-", "+"))]
    at = next((n for n, word in enumerate(command.words) if re.fullmatch(r"-\w*c", word)), None)
    if at is not None and len(command.words) > at + 1:
        script = next((w for w in command.words[at + 1 :] if not w.startswith("-")), "")
    elif command.document and len(command.words) == len(flags) + 1:
        script = command.document
    else:
        return command
    options = (*flags, *(word for word in command.words if word == "pipefail"))
    inner = _unwrapped(parse_tree(script, depth + 1, options), depth + 1)
    inner = _marked(inner, command)
    outer = [replace(command, words=(), document=None)] if command.redirects else []
    return Joined("subshell", (Joined("then", (*outer, inner)),))


def _marked(node: Node, outer: SimpleCommand) -> Node:
    """What is true of the shell is true of the commands it runs."""
    if isinstance(node, Joined):
        return replace(node, parts=tuple(_marked(part, outer) for part in node.parts))
    return replace(
        node,
        background=node.background or outer.background,
        watched=node.watched or outer.watched,
        repeated=node.repeated or outer.repeated,
        elsewhere=node.elsewhere or outer.elsewhere,
    )


def _found(command: SimpleCommand, depth: int) -> Node:
    """`find … -exec PROGRAM … ;`: find itself, and what it runs, whose status it keeps."""
    parts: list[Node] = []
    words = list(command.words)
    while (at := next((n for n, w in enumerate(words) if w in _EXECS), None)) is not None:
        end = next((n for n in range(at, len(words)) if words[n] in {";", "+"}), len(words))
        inner = SimpleCommand(tuple(words[at + 1 : end]), repeated=True)
        if inner.words:
            parts.append(_unwrapped(inner, depth + 1))
        del words[at : end + 1]
    itself = replace(command, words=tuple(words))
    return Joined("then", (Joined("hidden", tuple(parts)), itself)) if parts else itself


_EXECS = word_set("-exec -execdir -ok -okdir")
