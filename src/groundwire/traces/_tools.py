"""How a tool's call ended: what it answered, whether it refused, its exit code."""

import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
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
from groundwire.traces._patches import patch_effects
from groundwire.traces._results import outcome_of, result_text
from groundwire.traces._shell_words import NotUnderstood
from groundwire.traces._trace import TraceEvent

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
