"""What a command line does to files, as far as its words tell."""

import posixpath
import re
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._checks import check_of, plain_runner
from groundwire.traces._commands import parse
from groundwire.traces._shell_words import NotUnderstood, SimpleCommand

Action = Literal["write", "edit", "delete"]


@dataclass(frozen=True, slots=True)
class Replacement:
    """One replacement inside a file; with `line`, `new` is inserted after that line instead."""

    old: str
    new: str
    everywhere: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FileEffect:
    """A change to one file. `content` is all of it, where that is known.

    What is not `sure` may have happened: the command failed, or its words leave it open.
    """

    path: str
    action: Action
    content: str | None = None
    content_hash: str | None = None
    replacements: tuple[Replacement, ...] = ()
    sure: bool = True


@dataclass
class Effects:
    """The changes something made, and how much more it may have done.

    `anywhere`: it may have written any file (a formatter, a checkout). `unknown`: it ran a program
    nobody knows. `ran_project`: it ran the project's own code (tests, a build), which as a rule
    writes beside the sources, and may write anything.
    """

    files: list[FileEffect] = field(default_factory=list)
    anywhere: bool = False
    unknown: bool = False
    ran_project: bool = False


# only these are known to write nothing; what is in no list here may have written anything
_READERS = word_set(
    """ls cat head tail grep egrep fgrep rg wc cut tr echo printf pwd cd pushd popd which type
    whoami id date true false : test [ [[ (( stat file du df diff cmp md5sum sha1sum sha256sum jq
    basename dirname realpath readlink sleep uname nproc ps export unset set nl tac rev comm seq
    expr hostname uptime free printenv mkdir chmod chown pgrep wait exit return shift local declare
    readonly alias read break continue kill jobs trap ulimit umask command"""
)
# readers, unless one of these options names a file to write
_READERS_WITH: dict[str, frozenset[str]] = {
    "sort": word_set("-o --output"),
    "tree": word_set("-o"),
    "env": frozenset(),
    **dict.fromkeys(("less", "more"), word_set("-o -O --log-file --LOG-FILE")),
    **dict.fromkeys(("fd", "fdfind"), word_set("-x -X --exec --exec-batch")),
}
_WRITERS = word_set(
    """patch truncate dd tar unzip gunzip gzip zip rsync install ln wget black isort autopep8 yapf
    gofmt goimports rustfmt prettier clang-format shfmt stylua ktlint swiftformat terraform
    pre-commit lint-staged sponge perl ed ex vim vi nano emacs csplit split 2to3 pyupgrade
    autoflake djlint taplo dprint biome standard rubocop eval source ."""
)
_GIT_READS = word_set(
    """status diff log show branch rev-parse ls-files ls-tree blame remote describe grep fetch add
    push tag config cat-file shortlog reflog rev-list merge-base diff-tree name-rev
    whatchanged check-ignore version help"""
)
# checkers that read the project and run none of it
_CHECKERS = word_set(
    """ruff flake8 pylint shellcheck golint mypy pyright basedpyright pyre eslint stylelint"""
)
# what the shell replaces before a program sees it: "*.py", "$HOME", "~"
_UNCLEAR = lazy_pattern(r"[*?\[\]{}$`~]")


def effects_of_command(line: str, exit_code: int | None) -> Effects:
    effects = Effects()
    try:
        script = parse(line)
    except NotUnderstood:
        return Effects(anywhere=True)
    for command, own in zip(script.commands, script.exit_codes(exit_code), strict=True):
        done = Effects()
        _redirected(command, done)
        _program_effects(command, done)
        # paths in a folder nobody knows, or given by xargs
        is_open = bool(done.files) and command.folder is None
        if is_open or (command.repeated and not only_reads_words(command)):
            done = Effects(anywhere=True)
        effects.files += [replace(file, sure=file.sure and own == 0) for file in done.files]
        effects.anywhere |= done.anywhere
        effects.unknown |= done.unknown or (command.elsewhere and not only_reads_words(command))
        effects.ran_project |= done.ran_project
    return effects


def changes_folder(line: str) -> bool:
    try:
        commands = parse(line).commands
    except NotUnderstood:
        return True
    return any(command.program in {"cd", "pushd", "popd"} for command in commands)


def only_reads(line: str) -> bool:
    """Whether a command line looks at things and does nothing else."""
    try:
        commands = parse(line).commands
    except NotUnderstood:
        return False
    return all(only_reads_words(command) and not command.redirects for command in commands)


_SYNTAX_CHECKS = {
    "php": word_set("-l --syntax-check"), "ruby": word_set("-c -wc"), "perl": word_set("-c"),
    "node": word_set("--check -c"), "bash": word_set("-n"), "sh": word_set("-n"),
    "zsh": word_set("-n"), "gofmt": word_set("-l -d"), "luac": word_set("-p"),
    "black": word_set("--check --diff"), "isort": word_set("--check --check-only --diff"),
    "prettier": word_set("--check -c --list-different -l"), "rustfmt": word_set("--check"),
}  # fmt: skip
"""Options with which a program only looks at the sources it names."""


def only_reads_words(command: SimpleCommand) -> bool:
    looking = _SYNTAX_CHECKS.get(command.program)
    if looking is not None and looking & set(command.words[1:]) and not _rewrites([*command.words]):
        return True
    writing = _READERS_WITH.get(command.program)
    if writing is None:
        return not command.words or command.program in _READERS
    return not any(word.partition("=")[0] in writing for word in command.words[1:])


def patch_in(command: SimpleCommand) -> str:
    """The patch in `apply_patch <<'EOF'` or `apply_patch '*** Begin Patch…'`."""
    if command.program not in {"apply_patch", "applypatch"}:
        return ""
    return command.document or " ".join(command.words[1:2])


def _redirected(command: SimpleCommand, effects: Effects) -> None:
    for redirect in command.redirects:
        if _UNCLEAR.search(redirect.target):
            effects.anywhere = True
            continue
        content = _document(command) if len(command.redirects) == 1 else None
        action: Action = "edit" if redirect.appends else "write"
        path = posixpath.join(command.folder or "", redirect.target)
        effects.files.append(FileEffect(path, action, content))


def _document(command: SimpleCommand) -> str | None:
    """The text of `cat > file <<EOF`, unless the shell would have changed it on the way."""
    appends = any(redirect.appends for redirect in command.redirects)
    return command.document or None if command.words == ("cat",) and not appends else None


def _program_effects(command: SimpleCommand, effects: Effects) -> None:
    program, words, folder = command.program, list(command.words[1:]), command.folder or ""
    if program in _SPECIAL:
        _SPECIAL[program](words, folder, effects)
    elif only_reads_words(command) or patch_in(command):
        return  # the files of a patch are read by whoever reads patches
    elif (check := check_of(list(command.words))) is not None:
        effects.anywhere = effects.anywhere or _rewrites(words)
        effects.ran_project = plain_runner(list(command.words))[0] not in _CHECKERS
        # a build makes files, and a script called "lint" may repair some
        is_plain = check == "tests" or (check == "types" and "--noEmit" in words)
        effects.unknown = effects.ran_project and not is_plain
    elif program in _WRITERS:
        effects.anywhere = True
    else:
        effects.unknown = True


def _rewrites(words: list[str]) -> bool:
    """Checkers told to repair what they find, and runners told to record what they see."""
    return any(
        word in {"-u", "-w", "-i", "format"}
        or word.startswith(("--fix", "--write", "--update", "--snapshot-update", "--in-place"))
        for word in words
    )


def _targets(words: list[str], folder: str, effects: Effects) -> list[str]:
    """The plain words, as paths; a pattern or a variable may stand for any file."""
    plain = [word for word in words if not word.startswith("-")]
    if any(_UNCLEAR.search(word) for word in plain):
        effects.anywhere = True
    return [posixpath.join(folder, word) for word in plain if not _UNCLEAR.search(word)]


def _remove(words: list[str], folder: str, effects: Effects) -> None:
    effects.files += [FileEffect(path, "delete") for path in _targets(words, folder, effects)]


def _move(words: list[str], folder: str, effects: Effects) -> None:
    *sources, target = _targets(words, folder, effects) or [""]
    effects.files += [FileEffect(path, "delete") for path in sources]
    _into(sources, target, effects)


def _copy(words: list[str], folder: str, effects: Effects) -> None:
    *sources, target = _targets(words, folder, effects) or [""]
    _into(sources, target, effects)


def _into(sources: list[str], target: str, effects: Effects) -> None:
    """The target may be a file, or a folder that receives the sources under their own names."""
    if not target:
        return
    is_folder = target.endswith("/") or len(sources) > 1
    is_file = not is_folder and "." in posixpath.basename(target).lstrip(".")
    if not is_folder:
        effects.files.append(FileEffect(target, "write", sure=is_file))
    for source in sources if not is_file else ():
        inside = posixpath.join(target, posixpath.basename(source.rstrip("/")))
        effects.files.append(FileEffect(inside, "write", sure=is_folder))


def _touch(words: list[str], folder: str, effects: Effects) -> None:
    effects.files += [FileEffect(path, "edit") for path in _targets(words, folder, effects)]


def _stream_edit(words: list[str], folder: str, effects: Effects) -> None:
    if not any(word.startswith(("-i", "--in-place")) for word in words):
        return
    # the first plain word is the script, unless -e gave it; either way it is no file of ours
    is_given = any(re.match(r"-[a-zA-Z]*e$|--expression", word) for word in words)
    files = [word for word in words if not word.startswith("-")][1:]
    effects.anywhere = effects.anywhere or is_given  # which of the words are files is not told
    effects.anywhere = effects.anywhere or not files
    _touch(files, folder, effects)


def _find(words: list[str], _folder: str, effects: Effects) -> None:
    if any(word.startswith(("-delete", "-fprint", "-fls")) for word in words):
        effects.anywhere = True


def _git(words: list[str], folder: str, effects: Effects) -> None:
    verb = next((word for word in words if not word.startswith("-")), "status")
    rest = words[words.index(verb) + 1 :] if verb in words else []
    if verb == "rm":
        _remove(rest, folder, effects)
    elif verb == "mv":
        _move(rest, folder, effects)
    elif verb == "commit":
        effects.unknown = True  # hooks may reformat what is committed
    elif verb not in _GIT_READS:
        effects.anywhere = True


def _script(words: list[str], _folder: str, effects: Effects) -> None:
    """awk and its like: readers, unless the script itself redirects."""
    effects.anywhere = effects.anywhere or any(">" in word or "inplace" in word for word in words)


def _download(words: list[str], _folder: str, effects: Effects) -> None:
    if any(word in {"-o", "-O", "--output", "--remote-name"} for word in words):
        effects.anywhere = True


def _sort(words: list[str], folder: str, effects: Effects) -> None:
    options = dict(pairwise([*words, ""]))
    target = options.get("-o") or options.get("--output")
    target = target or next((w[9:] for w in words if w.startswith("--output=")), None)
    target = target or next((w[2:] for w in words if re.match(r"-o.", w)), None)
    if target:
        effects.files.append(FileEffect(posixpath.join(folder, target), "write"))


_SPECIAL = {
    **dict.fromkeys(("rm", "rmdir", "unlink"), _remove),
    "mv": _move,
    "cp": _copy,
    **dict.fromkeys(("touch", "tee"), _touch),
    **dict.fromkeys(("sed", "gsed"), _stream_edit),
    "find": _find,
    "sort": _sort,
    "git": _git,
    **dict.fromkeys(("awk", "gawk"), _script),
    "curl": _download,
}
