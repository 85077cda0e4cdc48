"""A hook for coding agents: the last report is checked before the agent may stop.

It does what the engine does, without its loop and without loading its other parts: an agent waits.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.actions import (
    GivenSnapshot,
    Observed,
    SpecialistOutput,
    VerificationResult,
    audit_entries,
    parse_output,
    read_observed,
    verify_work,
)
from groundwire.agents.hook import plain
from groundwire.config import ActionsSection, Config, load_config
from groundwire.engine import Records
from groundwire.errors import GroundwireError, InputError
from groundwire.observe import request
from groundwire.store import Database, Migration
from groundwire.text import read
from groundwire.traces import Record, ToolTrace, open_trace, read_records

_FIELDS = {"trace_ref", "traceRef"}


def final_message(records: Iterable[Record]) -> str | None:
    """The text of the last assistant message that has any."""
    last = None
    for record in records:
        message = record.value
        while isinstance(message, Mapping) and isinstance(message.get("message"), Mapping):
            message = message["message"]
        if isinstance(message, Mapping) and message.get("role") == "assistant":
            last = _text(message.get("content")) or last
    return last


def _text(content: Any) -> str | None:
    if isinstance(content, str):
        return content.strip() or None
    if not isinstance(content, list):
        return None
    texts = [
        str(block.get("text", ""))
        for block in content
        if isinstance(block, Mapping) and block.get("type") in {"text", "output_text"}
    ]
    return "\n".join(texts).strip() or None


def output_in(text: str) -> dict[str, Any] | None:
    """The structured output a message is, or carries in a JSON block.

    What stands around the block is said, too: it goes into the summary, which is read as prose.
    """
    blocks = (block.pieces for block in read(text).blocks if block.kind == "code")
    places = [(pieces[0][0], pieces[-1][1]) for pieces in blocks if pieces]
    for start, end in ((0, len(text)), *places):
        try:
            value = json.loads(text[start:end])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and "summary" in value and value.keys() & _FIELDS:
            around = (text[:start] + text[end:]).strip()
            said = [value["summary"], around] if isinstance(value["summary"], str) else []
            return {**value, "summary": "\n\n".join(said)} if around and said else value
    return None


MAX_INPUT_BYTES = 20_000_000
MAX_TOLD = 3
ALLOW, BROKEN, BLOCK = 0, 1, 2
_BLOCKS: Migration = (
    """CREATE TABLE held_back (
        session_id TEXT PRIMARY KEY,
        times INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
)
_FALSE: Migration = (
    """CREATE TABLE still_false (
        session_id TEXT PRIMARY KEY,
        folder TEXT NOT NULL,
        told TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
)


def answer_to(
    agent: str, event: Mapping[str, Any], home: str, unseen: str | None
) -> dict[str, Any] | None:
    """The answer in the agent's own format: hold it back, tell the user, or nothing.

    `unseen` says what the hooks before this one could not see.
    """
    config = load_config(overrides={"home": home}).config
    given = {**event, "message": event.get("prompt_response") or event.get("message")}
    try:
        observed = read_observed(config.home.expanduser(), str(event.get("session_id")))
        result = _verified(given, config, observed)
        folder = str(observed.root) if observed else ""
        reason = _decided(result, str(event.get("session_id")), config, folder)
    except GroundwireError as error:
        return _shown(f"the report was not checked: {error}")
    if reason is not None:
        decision = "deny" if agent == "gemini" else "block"
        return {"decision": decision, "reason": plain(reason)}
    doubts = [] if result is None else _doubts(result)
    if not doubts and unseen is None:
        return None
    return _shown("; ".join([*doubts, *([unseen] if unseen else [])]))


def _doubts(result: VerificationResult) -> list[str]:
    """What could not be told, for the user to see."""
    open_ = [verdict for verdict in result.claims if verdict.status == "unverified"]
    if not open_:
        return []
    total = f"{len(open_)} of {len(result.claims)} statements could not be checked"
    return [total, *(f"{verdict.named}: {verdict.detail}" for verdict in open_[:MAX_TOLD])]


def _shown(message: str) -> dict[str, Any]:
    return {"systemMessage": plain(f"groundwire: {message}")}


def main() -> int:
    as_json = sys.argv[1:] == ["--json"]
    try:
        if sys.argv[1:] not in ([], ["--json"]):
            raise InputError("usage: python -m groundwire.agents.stop_hook [--json] < event.json")
        event = parse_output(sys.stdin.buffer.read(MAX_INPUT_BYTES), where="standard input")
        reason = decide(event, load_config().config)
    except GroundwireError as error:
        sys.stderr.write(plain(f"groundwire: {error}\n"))
        return BROKEN
    if reason is None:
        return ALLOW
    if as_json:
        sys.stdout.write(json.dumps({"decision": "block", "reason": reason}) + "\n")
        return ALLOW
    sys.stderr.write(plain(reason + "\n"))
    return BLOCK


def decide(event: Mapping[str, Any], config: Config) -> str | None:
    """What the agent must be told before it may stop; None lets it stop."""
    return _decided(_verified(event, config), str(event.get("session_id") or ""), config)


def refuse_push(home: str) -> int:
    """For git's pre-push: 1 while the last report of an agent in this folder is false."""
    try:
        with _HeldBack(Path(home)) as held_back:
            told = held_back.false_in(str(Path.cwd()))
    except GroundwireError as error:
        sys.stderr.write(plain(f"groundwire: not checked before this push: {error}\n"))
        return ALLOW
    for one in told:
        sys.stderr.write(plain(f"groundwire: an agent's report is false.\n{one}\n"))
    return BROKEN if told else ALLOW


def _decided(
    result: VerificationResult | None, session: str, config: Config, folder: str = ""
) -> str | None:
    with _HeldBack(config.home.expanduser()) as held_back:
        if result is None or result.valid:
            held_back.forget(session)
            return None
        from groundwire.agents._feedback import feedback_text

        told = feedback_text(result)
        held_back.note(session, folder, told)
        if held_back.times(session) >= config.actions.stop_hook_max_blocks:
            sys.stderr.write("groundwire: statements are still false; not held back again\n")
            return None
        held_back.add(session)
        return told


def _verified(
    event: Mapping[str, Any], config: Config, observed: Observed | None = None
) -> VerificationResult | None:
    base_path = Path(str(event.get("cwd") or ".")) if observed is None else observed.root
    traces = _traces(event, config.actions, observed)
    before: GivenSnapshot = Path(str(event["snapshot"])) if event.get("snapshot") else None
    if observed is not None:
        before = observed.before
    output = _output(event, config, traces)
    if output is None:
        return None
    with request() as context:
        result = verify_work(
            config,
            output,
            traces,
            base_path,
            before=before,
            observed=observed,
            specialist_id="stop-hook",
        )
        records = Records(config)
        records.write_down("verify-output", context.request_id, audit_entries(result))
        records.close()
    return result


def _traces(
    event: Mapping[str, Any], settings: ActionsSection, observed: Observed | None
) -> list[ToolTrace]:
    """The agent's own transcript; where it cannot be read, the calls as its hooks told them."""
    path = event.get("transcript_path")
    if observed is None:
        return [open_trace(str(path), settings=settings)] if path else []
    try:
        trace = _held(str(path), settings) if path else ToolTrace()
        known = {read.id for read in trace}
    except GroundwireError:
        known = set()
    if any(call.id in known for call in observed.calls) or (known and not observed.calls):
        return [trace]
    return [observed.trace()]


def _held(path: str, settings: ActionsSection) -> ToolTrace:
    """A trace that is gone through several times is read once, unless it is large."""
    trace = open_trace(path, settings=settings)
    if path == "-" or Path(path).stat().st_size > MAX_INPUT_BYTES:
        return trace
    events = list(trace)
    return ToolTrace(events, trace_id=trace.trace_id, cwd=trace.cwd, complete=trace.complete)


def _output(
    event: Mapping[str, Any], config: Config, traces: Sequence[ToolTrace]
) -> Mapping[str, Any] | SpecialistOutput | None:
    if isinstance(event.get("output"), dict):
        return dict(event["output"])
    text = event.get("message") or event.get("last_assistant_message")
    if not isinstance(text, str) and event.get("transcript_path"):
        text = _last_message(Path(str(event["transcript_path"])), config)
    if not isinstance(text, str):
        return None
    structured = output_in(text)
    if structured is not None:
        return structured
    return SpecialistOutput.of_report(text, traces[0].trace_id if traces else None)


def _last_message(path: Path, config: Config) -> str | None:
    limit = int(config.actions.max_event_mb * 1_000_000)
    with path.open("rb") as file:
        return final_message(read_records(file, where=str(path), max_record_chars=limit))


class _HeldBack(Database):
    """How often in a row each session was held back: an agent that cannot comply may still end."""

    def __init__(self, home: Path) -> None:
        super().__init__(home / "stop_hook.sqlite", [_BLOCKS, _FALSE])

    def times(self, session: str) -> int:
        query = "SELECT times FROM held_back WHERE session_id = ?"
        return sum(int(row["times"]) for row in self.read(query, (session,)))

    def add(self, session: str) -> None:
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO held_back VALUES (?, 1)"
                " ON CONFLICT DO UPDATE SET times = held_back.times + 1",
                (session,),
            )

    def forget(self, session: str) -> None:
        with self.transaction() as connection:
            connection.execute("DELETE FROM held_back WHERE session_id = ?", (session,))
            connection.execute("DELETE FROM still_false WHERE session_id = ?", (session,))

    def note(self, session: str, folder: str, told: str) -> None:
        with self.transaction() as connection:
            row = (session, folder, told)
            connection.execute("INSERT OR REPLACE INTO still_false VALUES (?, ?, ?)", row)

    def false_in(self, folder: str) -> list[str]:
        query = "SELECT told FROM still_false WHERE folder = ?"
        return [str(row["told"]) for row in self.read(query, (folder,))]


if __name__ == "__main__":
    sys.exit(main())
