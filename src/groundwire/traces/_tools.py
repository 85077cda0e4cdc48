"""How a tool's call ended: what it answered, whether it refused, its exit code."""

import json
import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._commands import parse
from groundwire.traces._effects import (
    Effects,
    FileEffect,
    Replacement,
    effects_of_command,
    patch_in,
)
from groundwire.traces._shell_words import NotUnderstood
from groundwire.traces._trace import Outcome, TraceEvent

MAX_STATUS_CHARS = 80

# A refusal must be said in so many words: a text that merely begins with "Error" is no proof.
_REFUSAL = lazy_pattern(
    r"""\s*(?:<tool_use_error>
    |(?:\w+\s)?(?:error|exception|fatal|failure|failed)\s?[:!]
    |failed\sto\s|cannot\s|could\snot\s|unable\sto\s|no\sreplacement|no\ssuch\sfile
    |file\s(?:not\sfound|has\snot\sbeen\sread)|string\sto\sreplace\snot\sfound
    |old_str(?:ing)?\s(?:not\sfound|did\snot)|permission\sdenied
    |found\s\d+\smatches\sof\sthe\sstring\sto\sreplace,\sbut
    |the\suser\s(?:doesn't|does\snot|rejected|denied)|operation\s(?:was\s)?cancel+ed
    |your\sproposed\sedit\shas\sintroduced|patch\s(?:failed|does\snot\sapply))""",
    re.IGNORECASE | re.VERBOSE,
)
# such as "No replacement was performed", "error: patch failed: a.py:3"
_REFUSAL_LINE = lazy_pattern(
    r"^(?:your changes have not been applied|no replacement was performed"
    r"|error: patch failed|the edit was not applied|edit rejected)",
    re.IGNORECASE | re.MULTILINE,
)
# such as "The user doesn't want to proceed", "Command rejected by user", "Permission denied by"
_NOT_RUN = lazy_pattern(
    r"""\s*(?:<tool_use_error>|(?:the\s)?user\s(?:has\s)?(?:doesn't|does\snot|did\snot|didn't
    |rejected|denied|refused|declined|cancel+ed|blocked|disallowed|interrupted|skipped)
    |(?:the\s|this\s)?(?:tool\suse|tool\scall|command|operation|request|call)\s(?:was\s|is\s)?
    (?:rejected|denied|declined|blocked|refused|cancel+ed|not\sallowed|not\srun|not\sexecuted)
    |[^\n]{0,80}\b(?:rejected|denied|aborted|declined|refused|cancel+ed|blocked)\sby\s
    (?:the\s|a\s|your\s)?(?:user|policy|sandbox|operator|hook)
    |permission\sto\suse|this\scommand\srequires\sapproval)""",
    re.IGNORECASE | re.VERBOSE,
)
# a line of nothing else, such as "exit code: 1", "[Process exited with code 2]", "<returncode>0"
_EXIT_CODE = lazy_pattern(
    r"\W*(?:(?:the )?(?:process|command) )?(?:(?:finished with )?exit(?:ed)?(?: with)?"
    r"(?: status| code)?|return ?code)\W{0,3}(-?\d{1,5})\W*(?:/returncode>)?",
    re.IGNORECASE,
)


def result_text(event: TraceEvent) -> str:
    """What the tool answered, as text."""
    result = event.result
    if isinstance(result, Mapping):
        parts = [result.get(name) for name in ("stdout", "output", "text", "content", "stderr")]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if texts else json.dumps(result, default=str)
    if isinstance(result, list):
        return "\n".join(_block_text(block) for block in result)
    return result if isinstance(result, str) else "" if result is None else str(result)


def _block_text(block: Any) -> str:
    if isinstance(block, Mapping):
        return str(block.get("text", ""))
    return block if isinstance(block, str) else ""


def outcome_of(event: TraceEvent) -> Outcome:
    """Whether the tool did what it was asked. A plain answer without a word of error is `ok`."""
    if event.outcome is not None:
        return event.outcome
    if event.exit_code is not None:
        return "ok" if event.exit_code == 0 else "error"
    text = result_text(event)
    return "error" if _REFUSAL.match(text) or _REFUSAL_LINE.search(text) else "ok"


def was_not_run(event: TraceEvent) -> bool:
    """Whether a command was refused before it began: its record says so, or flag and words do."""
    if event.refused_by is not None:
        return True
    is_flagged = event.outcome == "error" and event.exit_code is None
    return is_flagged and bool(_NOT_RUN.match(result_text(event)))


def exit_code_of(event: TraceEvent) -> int | None:
    """The recorded exit code: a field, a key of the answer, or the runner's own line about it."""
    if event.exit_code is not None:
        return event.exit_code
    result = event.result
    if isinstance(result, Mapping):
        for name in ("exit_code", "exitCode", "returncode", "return_code", "code", "status"):
            if type(result.get(name)) is int:
                return int(result[name])
        return None
    text = result_text(event).strip()
    for line in (text.partition("\n")[0], text.rpartition("\n")[2]):
        match = _EXIT_CODE.fullmatch(line.strip()[:MAX_STATUS_CHARS])
        if match is not None:
            return int(match[1])
    return None


# such as "Command running in background with ID: b0db39a."
_STARTED = lazy_pattern(r"\brunning in (?:the )?background with ID: (\w+)")
# such as "<exit_code>1</exit_code>"
_ENDED = lazy_pattern(r"<exit_code>(\d+)</exit_code>")
# such as "<output>4 passed</output>"
_PRINTED = lazy_pattern(r"<(?:output|stdout)>\n?(.*?)\n?</(?:output|stdout)>", re.DOTALL)


def task_started(event: TraceEvent) -> str | None:
    """The name of the task that a command goes on as, where it was sent to the background."""
    match = _STARTED.search(result_text(event)[:MAX_STATUS_CHARS])
    return match[1] if match else None


def task_ended(event: TraceEvent) -> tuple[str, int, str] | None:
    """A task that is told to have ended: its name, its exit status, what it printed."""
    name = event.arguments.get("task_id") or event.arguments.get("bash_id")
    text = result_text(event)
    ended = _ENDED.search(text) if isinstance(name, str) else None
    if ended is None:
        return None
    return str(name), int(ended[1]), "\n".join(_PRINTED.findall(text))


def with_exit_code(event: TraceEvent) -> TraceEvent:
    code = exit_code_of(event)
    return event if code == event.exit_code else event.model_copy(update={"exit_code": code})


# such as "*** Update File: src/app.py"
_ENVELOPE = lazy_pattern(r"^\*\*\* (?P<verb>Add|Update|Delete) File: (?P<path>.+)$")
# such as "*** Move to: src/main.py"
_MOVE = lazy_pattern(r"^\*\*\* Move to: (?P<path>.+)$")
# such as "--- a/src/app.py", "+++ b/src/app.py"
_DIFF = lazy_pattern(r"^(?:---|\+\+\+) (?P<path>[^\t\n]+)")
_END = "*** End Patch"
NO_FILE = "/dev/null"


def patch_effects(text: str) -> Effects:
    lines = text.replace("\r\n", "\n").split("\n")
    files = _envelope_files(lines) if "*** Begin Patch" in text else _diff_files(lines)
    return Effects(files=files, unknown=not files)


def _envelope_files(lines: list[str]) -> list[FileEffect]:
    starts = [at for at, line in enumerate(lines) if _ENVELOPE.match(line) or line == _END]
    files: list[FileEffect] = []
    for start, end in pairwise([*starts, len(lines)]):
        match = _ENVELOPE.match(lines[start])
        if match is not None:
            path = match["path"].strip()
            files += _envelope_file(match["verb"], path, lines[start + 1 : end])
    return files


def _envelope_file(verb: str, path: str, body: list[str]) -> list[FileEffect]:
    if verb == "Delete":
        return [FileEffect(path, "delete")]
    if verb == "Add":
        return [FileEffect(path, "write", _added(body))]
    moved = next((match["path"].strip() for line in body if (match := _MOVE.match(line))), None)
    if moved is None:
        return [FileEffect(path, "edit", replacements=_patch_replacements(body))]
    return [FileEffect(path, "delete"), FileEffect(moved, "write")]


def _added(body: list[str]) -> str:
    return "".join(f"{line[1:]}\n" for line in body if line.startswith("+"))


def _diff_files(lines: list[str]) -> list[FileEffect]:
    files: list[FileEffect] = []
    starts = [
        i
        for i, line in enumerate(lines[:-1])
        if line.startswith("--- ") and lines[i + 1].startswith("+++ ")
    ]
    for start, end in pairwise([*starts, len(lines)]):
        old, new = (_diff_path(lines[start + offset]) for offset in (0, 1))
        body = lines[start + 2 : end]
        if new == NO_FILE:
            files.append(FileEffect(old, "delete"))
        elif old == NO_FILE:
            files.append(FileEffect(new, "write", _added(body)))
        else:
            files.append(FileEffect(new, "edit", replacements=_patch_replacements(body)))
    return files


def _diff_path(line: str) -> str:
    match = _DIFF.match(line)
    path = match["path"].strip() if match else ""
    return path if path == NO_FILE else re.sub(r"^[ab]/", "", path)


def _patch_replacements(body: list[str]) -> tuple[Replacement, ...]:
    """Each hunk replaces its context and removed lines by its context and added lines."""
    hunks: list[list[str]] = [[]]
    for line in body:
        if line.startswith("@@"):
            hunks.append([])
        elif line[:1] in {" ", "-", "+"}:
            hunks[-1].append(line)
    return tuple(_hunk(hunk) for hunk in hunks if any(line[0] != " " for line in hunk))


def _hunk(lines: list[str]) -> Replacement:
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] != "-")
    return Replacement(old, new)


_PATH_NAMES = (
    "file_path", "path", "filepath", "filePath", "target_file", "filename", "file_name", "file",
    "notebook_path", "relative_path", "absolute_path", "uri", "source",
)  # fmt: skip
_CONTENT_NAMES = ("content", "file_text", "contents", "text", "new_content", "code_edit", "data")
_OLD_NAMES = ("old_string", "old_str", "oldText", "old_text", "oldString", "search", "find", "old")
_NEW_NAMES = (
    "new_string", "new_str", "newText", "new_text", "newString", "replace", "replacement", "new",
    "insert_text",
)  # fmt: skip
_COMMAND_NAMES = ("command", "cmd", "script", "commands", "shell_command", "input")

_WRITE_TOOLS = word_set(
    """write writefile createfile create filewrite fswrite savefile writetofile putfile newfile
    overwritefile"""
)
_EDIT_TOOLS = word_set(
    """edit editfile multiedit strreplace replace insert fileedit replaceinfile searchreplace
    notebookedit insertedit updatefile modifyfile applydiff inserttext insertline editblock
    edittool"""
)
_EDITORS = word_set("strreplaceeditor strreplacebasededittool texteditor editor")
_DELETE_TOOLS = word_set("delete deletefile removefile rm unlink remove filedelete")
_MOVE_TOOLS = word_set("move movefile rename renamefile mv")
_PATCH_TOOLS = word_set("applypatch patch gitapply")
_COMMAND_TOOLS = word_set(
    """bash shell sh terminal exec execute run runcommand executecommand runterminalcmd localshell
    command runshellcommand executebash runinterminal bashcommand cmd powershell containerexec
    shellcommand"""
)
_READ_TOOLS = word_set(
    """read readfile view open cat ls list listdir listdirectory listfiles glob grep search
    searchfiles findfile searchdir searchfile findfiles codebasesearch filesearch grepsearch
    readmanyfiles tree directorytree getfileinfo readmultiplefiles webfetch websearch fetch
    todowrite todoread think submit scrolldown scrollup goto setcursors getdiagnostics mkdir
    createdirectory notebookread toolsearch askuser readtextfile readmediafile finish
    listdirectorywithsizes listalloweddirectories taskoutput bashoutput"""
)


def effects_of(event: TraceEvent) -> Effects:
    """The files an event changed. An event that failed changed none, as far as is known."""
    if event.writes is not None:
        files = [
            FileEffect(write.path, write.action, write.content, write.content_hash)
            for write in event.writes
        ]
        return Effects(files=files)
    command = command_of(event)
    if command is not None:
        effects = effects_of_command(command, event.exit_code)
        return _with_patches(effects, command, event.exit_code)
    return _tool_effects(tool_name(event.tool), event.arguments)


def _with_patches(effects: Effects, line: str, exit_code: int | None) -> Effects:
    """With the files of the patches that a command line applies."""
    if "patch" not in line:
        return effects
    try:
        script = parse(line)
    except NotUnderstood:
        return effects
    for command, code in zip(script.commands, script.exit_codes(exit_code), strict=True):
        patch = patch_in(command)
        found = patch_effects(patch) if patch else Effects()
        effects.unknown |= found.unknown or (bool(patch) and command.folder is None)
        for file in found.files:
            path = posixpath.join(command.folder or "", file.path)
            effects.files.append(replace(file, path=path, sure=file.sure and code == 0))
    return effects


@kept(1_024)
def tool_name(tool: str) -> str:
    """`mcp__files__write_file`, `functions.Write` and `write-file` by one spelling."""
    return re.sub(r"[^a-z0-9]", "", re.split(r"__|[.:/]", tool)[-1].lower())


def command_of(event: TraceEvent) -> str | None:
    """The command line an event ran, None if it ran none."""
    name = tool_name(event.tool)
    if name in _READ_TOOLS or (
        event.tool and name not in _COMMAND_TOOLS and _path(event.arguments)
    ):
        return None
    given = next((event.arguments[key] for key in _COMMAND_NAMES if key in event.arguments), None)
    if isinstance(given, list):
        given = shlex.join(str(word) for word in given)
    is_command = name in _COMMAND_TOOLS or not event.tool or event.exit_code is not None
    return given if isinstance(given, str) and given.strip() and is_command else None


_SHOW_TOOLS = word_set("read readfile view cat readtextfile open")
_RANGES = word_set("offset limit view_range start_line end_line head tail line_start line_end")
# such as "  12\tdef run():", "12: def run():"
_NUMBERED = lazy_pattern(r"^ *(\d+)(?:\t|\u2192|: ?)(.*)$")


def text_shown(event: TraceEvent) -> tuple[str, str] | None:
    """The path and the text of a file that an event showed, as if it had shown all of it."""
    name = tool_name(event.tool)
    if name in _EDITORS and event.arguments.get("command") == "view":
        name = "view"
    path = _path(event.arguments)
    ranged = any(event.arguments.get(one) is not None for one in _RANGES)
    if name not in _SHOW_TOOLS or path is None or ranged or outcome_of(event) != "ok":
        return None
    lines = result_text(event).split("\n")
    matches = [_NUMBERED.match(line) for line in lines]
    numbered = [match for match in matches if match is not None]
    if [int(match[1]) for match in numbered] != list(range(1, len(numbered) + 1)) or not numbered:
        return path, "\n".join(lines)
    return path, "".join(f"{match[2]}\n" for match in numbered)


def _tool_effects(name: str, arguments: Mapping[str, Any]) -> Effects:
    if name in _PATCH_TOOLS:
        names = ("patch", "input", "diff", "patchText", "command", "content")
        return patch_effects(_first(arguments, names) or "")
    verb = arguments.get("command")
    if name in _EDITORS:
        name = {"view": "view", "create": "create"}.get(str(verb), "edit")
    is_trial = arguments.get("dryRun") is True or arguments.get("dry_run") is True
    if name in _READ_TOOLS or is_trial:
        return Effects()
    path = _path(arguments)
    if path is None:
        return Effects(unknown=True)
    is_known = name in _WRITE_TOOLS | _EDIT_TOOLS | _DELETE_TOOLS | _MOVE_TOOLS
    return Effects(files=_file_effects(name, path, arguments), unknown=not is_known)


def _file_effects(name: str, path: str, arguments: Mapping[str, Any]) -> list[FileEffect]:
    if name in _DELETE_TOOLS:
        return [FileEffect(path, "delete")]
    if name in _MOVE_TOOLS:
        target = _first(arguments, ("destination", "target", "new_path", "newPath", "to"))
        return [FileEffect(path, "delete"), *([FileEffect(target, "write")] if target else [])]
    if name in _WRITE_TOOLS:
        return [FileEffect(path, "write", _first(arguments, _CONTENT_NAMES))]
    if name in _EDIT_TOOLS:
        return [FileEffect(path, "edit", replacements=_replacements(arguments))]
    return [FileEffect(path, "edit", sure=False)]


def _replacements(arguments: Mapping[str, Any]) -> tuple[Replacement, ...]:
    several = arguments.get("edits") or arguments.get("replacements")
    given = several if isinstance(several, list) else [arguments]
    found = [_replacement(one) for one in given if isinstance(one, Mapping)]
    return tuple(one for one in found if one is not None)


def _replacement(given: Mapping[str, Any]) -> Replacement | None:
    new = _first(given, _NEW_NAMES)
    line = given.get("insert_line")
    if isinstance(line, int) and new is not None:
        return Replacement("", new, line=line)
    old = _first(given, _OLD_NAMES)
    if old is None or new is None:
        return None
    everywhere = given.get("replace_all") is True or given.get("replaceAll") is True
    return Replacement(old, new, everywhere=everywhere)


def _path(arguments: Mapping[str, Any]) -> str | None:
    path = _first(arguments, _PATH_NAMES)
    return path.removeprefix("file://") if path else None


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((given[name] for name in names if isinstance(given.get(name), str)), None)
