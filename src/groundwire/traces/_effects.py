"""What a command line does to files, as far as its words tell."""

import posixpath
import re
from dataclasses import dataclass, field, replace
from typing import Literal

from groundwire.text import word_set
from groundwire.traces._checks import check_of, own_exit_code
from groundwire.traces._shell import NotUnderstood, SimpleCommand, parse

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
    nobody knows, which probably wrote elsewhere.
    """

    files: list[FileEffect] = field(default_factory=list)
    anywhere: bool = False
    unknown: bool = False


_READERS = word_set(
    """ls cat head tail less more grep egrep fgrep rg ag wc sort uniq cut tr echo printf pwd cd
    which type whoami id date printenv true false test [ [[ stat file du df diff cmp md5sum sha1sum
    sha256sum tree jq basename dirname realpath readlink sleep uname nproc ps export unset set
    history column nl tac rev fold comm seq expr let hostname uptime free lsof env help man
    mkdir chmod chown pgrep ping nslookup dig wait exit return shift local declare readonly alias
    fi done esac } fd fdfind bat strings hexdump xxd od"""
)
_WRITERS = word_set(
    """patch truncate dd tar unzip gunzip gzip zip rsync install ln wget black isort autopep8 yapf
    gofmt goimports rustfmt prettier clang-format shfmt stylua ktlint swiftformat terraform
    pre-commit lint-staged sponge perl ed ex vim vi nano emacs csplit split 2to3 pyupgrade
    autoflake djlint taplo dprint biome standard rubocop xargs eval source ."""
)
_GIT_READS = word_set(
    """status diff log show branch rev-parse ls-files ls-tree blame remote describe grep fetch add
    push tag config cat-file shortlog reflog rev-list merge-base diff-tree name-rev
    whatchanged check-ignore version help"""
)
_SCRIPT_RUNNERS = word_set("npm yarn pnpm bun deno make gmake just task rake invoke ninja docker")
# what the shell replaces before a program sees it: "*.py", "$HOME", "~"
_UNCLEAR = re.compile(r"[*?\[\]{}$`~]")


def effects_of_command(line: str, exit_code: int | None) -> Effects:
    effects = Effects()
    try:
        commands = parse(line)
    except NotUnderstood:
        return Effects(anywhere=True)
    folder = ""
    for index, command in enumerate(commands):
        if command.program == "cd" and len(command.words) == 2:  # noqa: PLR2004
            folder = posixpath.join(folder, command.words[1])
            continue
        done = Effects()
        _redirected(command, folder, done)
        _program_effects(command, folder, done)
        succeeded = own_exit_code(commands, index, exit_code) == 0
        effects.files += [replace(file, sure=file.sure and succeeded) for file in done.files]
        effects.anywhere |= done.anywhere
        effects.unknown |= done.unknown
    return effects


def changes_folder(line: str) -> bool:
    try:
        return any(command.program in {"cd", "pushd", "popd"} for command in parse(line))
    except NotUnderstood:
        return True


def only_reads(line: str) -> bool:
    """Whether a command line looks at things and does nothing else."""
    try:
        commands = parse(line)
    except NotUnderstood:
        return False
    return all(c.program in _READERS and not c.redirects for c in commands if c.words)


def _redirected(command: SimpleCommand, folder: str, effects: Effects) -> None:
    for target in command.redirects:
        if _UNCLEAR.search(target):
            effects.anywhere = True
            continue
        content = _document(command) if len(command.redirects) == 1 else None
        action: Action = "edit" if command.appends else "write"
        effects.files.append(FileEffect(posixpath.join(folder, target), action, content))


def _document(command: SimpleCommand) -> str | None:
    """The text of `cat > file <<EOF`, unless the shell would have changed it on the way."""
    text = command.document
    if text is None or command.words != ["cat"] or command.appends:
        return None
    return None if re.search(r"[$`\\]|^\t", text, re.MULTILINE) else text


def _program_effects(command: SimpleCommand, folder: str, effects: Effects) -> None:
    program, words = command.program, command.words[1:]
    if not program or program in _READERS or command.program.startswith("#"):
        return
    if program in _SPECIAL:
        _SPECIAL[program](words, folder, effects)
    elif (check := check_of(command.words)) is not None:
        effects.anywhere = effects.anywhere or _rewrites(words)
        # a script called "lint" or "build" may repair or make files
        effects.unknown = program in _SCRIPT_RUNNERS and check in {"lint", "build"}
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
    files = [word for word in words if not word.startswith("-")][1:]
    effects.anywhere = effects.anywhere or not files
    _touch(files, folder, effects)


def _find(words: list[str], _folder: str, effects: Effects) -> None:
    if any(word.startswith(("-delete", "-exec", "-ok", "-fprint", "-fls")) for word in words):
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


_SPECIAL = {
    **dict.fromkeys(("rm", "rmdir", "unlink"), _remove),
    "mv": _move,
    "cp": _copy,
    **dict.fromkeys(("touch", "tee"), _touch),
    **dict.fromkeys(("sed", "gsed"), _stream_edit),
    "find": _find,
    "git": _git,
    **dict.fromkeys(("awk", "gawk"), _script),
    "curl": _download,
}
