"""What coding agents run at each of their hooks: `python -P -m groundwire.agents.hook AGENT`.

Before and after a call it looks at the files and loads almost nothing; when the agent wants to stop
it checks the report. A hook that cannot do its work says so and never holds the agent back.
"""

import gc
import json
import os
import sys
from typing import Any

MAX_INPUT_BYTES = 20_000_000
FINE, BROKEN = 0, 1
_PHASES = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt", "BeforeAgent": "prompt",
    "PreToolUse": "before", "BeforeTool": "before",
    "PostToolUse": "after", "PostToolUseFailure": "after", "AfterTool": "after",
    "Stop": "stop", "AfterAgent": "stop",
}  # fmt: skip
"""The names agents give the moments of a session."""


def main() -> int:
    arguments = sys.argv[1:]
    home = os.environ.get("GROUNDWIRE_HOME") or "~/.groundwire"
    while "--home" in arguments[:-1]:
        at = arguments.index("--home")
        home = arguments[at + 1]
        del arguments[at : at + 2]
    if arguments == ["git"]:
        from groundwire.agents.stop_hook import refuse_push

        return refuse_push(os.path.expanduser(home))
    if len(arguments) != 1:
        return _broken("usage: python -P -m groundwire.agents.hook AGENT [--home FOLDER]")
    try:
        event = read_event(sys.stdin.buffer.read(MAX_INPUT_BYTES + 1))
        answer = handle(arguments[0], event, os.path.expanduser(home))
    except HookError as error:
        return _broken(str(error))
    if answer:
        sys.stdout.write(json.dumps(answer) + "\n")
    return FINE


class HookError(Exception):
    """The hook could not do its work; the message says why."""


def read_event(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_INPUT_BYTES:
        raise HookError(f"the agent sent more than {MAX_INPUT_BYTES // 1_000_000} MB; not read")
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise HookError(f"what the agent sent is not JSON: {error}") from error
    if not isinstance(event, dict):
        raise HookError("what the agent sent is not a JSON object")
    return event


def handle(agent: str, event: dict[str, Any], home: str) -> dict[str, Any] | None:
    """Do what the moment asks for; what to answer, None for nothing."""
    name = event.get("hook_event_name")
    phase = _PHASES.get(name) if isinstance(name, str) else None
    session = event.get("session_id")
    if phase is None or not isinstance(session, str) or not session:
        return None
    session = f"{agent}:{session}"[:300]
    told = _watch(agent, phase, event, home, session)
    if phase == "stop":
        # looking for plugins of pydantic reads the metadata of every installed package
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        gc.disable()  # what loading makes is kept: there is nothing to collect
        from groundwire.agents.stop_hook import answer_to

        gc.freeze()
        gc.set_threshold(200_000)
        gc.enable()
        return answer_to(agent, {**event, "session_id": session}, home, told)
    if phase == "start" and told:
        return {
            "systemMessage": plain(f"groundwire: {told}; claims are checked with less evidence")
        }
    return None


def _watch(agent: str, phase: str, event: dict[str, Any], home: str, session: str) -> str | None:
    """Look at the files; what could not be seen, in words."""
    from groundwire.actions._watch import Watch, WatchError, session_root

    root = session_root(home, session)
    is_late = root is None and phase != "start"
    root = root or project_root(event)
    if root is None:
        return "the agent did not say where it works"
    try:
        watch = Watch(home, root)
        try:
            gap = watch.start_session(session, agent)
            if is_late and phase != "prompt":
                gap = "the session began before the hook was installed"
                watch.note_gap(session, gap)
            _note(watch, phase, event, session)
        finally:
            watch.close()
    except WatchError as error:
        if phase == "stop":
            return str(error)
        raise HookError(str(error)) from error
    return gap


def _note(watch: Any, phase: str, event: dict[str, Any], session: str) -> None:
    tool, given = str(event.get("tool_name") or ""), event.get("tool_input")
    call_id = event.get("tool_use_id")
    call_id = call_id if isinstance(call_id, str) else None
    if phase == "before":
        watch.begin_call(session, call_id, tool, given)
    elif phase == "after":
        result = event.get("tool_response", event.get("error"))
        failed = event.get("hook_event_name") == "PostToolUseFailure" or (
            isinstance(result, dict) and bool(result.get("error"))
        )
        watch.end_call(session, call_id, tool, given, result, failed=failed)
    elif phase in {"stop", "prompt"}:
        watch.end_turn(session)


def project_root(event: dict[str, Any]) -> str | None:
    """Where the session began: an agent's shell may wander, its project does not."""
    for given in (os.environ.get("CLAUDE_PROJECT_DIR"), event.get("cwd")):
        if isinstance(given, str) and "\0" not in given and os.path.isdir(given):
            return os.path.realpath(given)
    return None


def plain(text: str) -> str:
    """For a terminal: what could move its cursor or change its colours is shown as a mark."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)


def _broken(message: str) -> int:
    sys.stderr.write(f"groundwire: {plain(message)}\n")
    return BROKEN


if __name__ == "__main__":
    ended = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(ended)  # all is closed: taking the modules apart would only keep the agent waiting
