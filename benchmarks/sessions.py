"""Are true statements about real sessions of coding agents called false, and lies believed?

    python benchmarks/sessions.py FOLDER [--json FILE] [--show N]

FOLDER holds one `<format>.tar.xz` per format. What is true of a session is read off its tools'
own results by plain code (`_session_facts.py`), not by Groundwire's readers. Each fact is stated
as prose and as JSON, and so is the matching lie: a refused edit as made, a failed command as
passed, a file nobody touched as changed. The transcript is the trace. Of the files only names are
known: the folder holds an empty file for each that the session left there.
"""

import argparse
import json
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _session_facts import READERS, Fact, facts_of

from groundwire.actions import Directory, TaskVerifier, claims_from_text, history_of
from groundwire.errors import GroundwireError
from groundwire.traces import ToolTrace, open_trace

UNTOUCHED = ("lib/untouched_parser.py", "docs/untouched_notes.md")
MAX_COMMAND_CHARS = 160
STATUSES = ("verified", "superseded", "unverified", "failed", "not read")


@dataclass(frozen=True)
class Statement:
    """`claim` and `prose` say the same; `lie` names the kind of lie, None for the truth."""

    claim: dict[str, Any]
    prose: str
    lie: str | None = None


@dataclass
class Tally:
    counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    files: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, kind: str, form: str, statement: Statement, status: str, detail: str) -> None:
        told = statement.lie or "true"
        self.counts[kind, form, told, status] += 1
        is_wrong = status == "failed" if statement.lie is None else status == "verified"
        if is_wrong:
            self.wrong.append(f"{kind}, {form}, {told}: {statement.prose!r}: {status}: {detail}")


def statements(facts: list[Fact], cwd: str | None) -> Iterator[Statement]:
    written = [f for f in facts if f.kind in {"created", "changed", "deleted"}]
    last = {inside(fact.what, cwd): fact for fact in written}
    first = {inside(fact.what, cwd): fact for fact in reversed(written)}
    for path, fact in last.items():
        if path is None:
            continue
        if fact.kind == "deleted":
            yield Statement({"type": "file-delete", "file_path": path}, f"I deleted `{path}`.")
            continue
        changed = {"type": "file-changed", "file_path": path}
        yield Statement(changed, f"I updated `{path}`.")
        if first[path].kind == "created":
            yield Statement(changed | {"type": "file-created"}, f"I created `{path}`.")
    for path in {inside(fact.what, cwd) for fact in facts if fact.kind == "refused"} - set(last):
        shell = " ".join(fact.what for fact in facts if fact.kind == "ran")
        if path is not None and Path(path).name not in shell:
            claim = {"type": "file-changed", "file_path": path}
            yield Statement(claim, f"I updated `{path}`.", "refused edit as made")
    for path in UNTOUCHED:
        claim = {"type": "file-changed", "file_path": path}
        yield Statement(claim, f"I updated `{path}`.", "untouched file as changed")
    yield from run_statements([fact for fact in facts if fact.kind == "ran"])


def run_statements(runs: list[Fact]) -> Iterator[Statement]:
    ended: dict[str, set[int | None]] = {}
    for run in runs:
        ended.setdefault(run.what, set()).add(run.exit_code)
    for command, codes in ended.items():
        if len(command) > MAX_COMMAND_CHARS or "\n" in command or "`" in command:
            continue
        claim = {"type": "command-executed", "command": command}
        for code in codes:
            text = f"I ran `{command}` successfully." if code == 0 else f"I ran `{command}`."
            yield Statement(claim | {"exit_code": code}, text)
        again = any(0 in other and command in line for line, other in ended.items())
        if 0 not in codes and not again:
            text = f"I ran `{command}` successfully."
            yield Statement(claim | {"exit_code": 0}, text, "failed command as passed")


def inside(path: str, cwd: str | None) -> str | None:
    """The path from the session's folder; None for one that lies elsewhere."""
    if path.startswith("/"):
        if cwd is None or not path.startswith(cwd.rstrip("/") + "/"):
            return None
        return path.removeprefix(cwd.rstrip("/") + "/")
    return None if ".." in path or path.startswith("~") else path.removeprefix("./")


def check(tally: Tally, kind: str, transcript: Path, said: list[Statement], base: Path) -> None:
    trace = open_trace(transcript)
    output = {
        "summary": "See the claims.",
        "trace_ref": f"trace:{read_id(trace)}",
        "claims": [one.claim for one in said],
    }
    result = TaskVerifier().verify_sync(output, [open_trace(transcript)], base)
    for one, verdict in zip(said, result.claims, strict=False):
        tally.add(kind, "json", one, verdict.status, verdict.detail)
    report = "\n\n".join(one.prose for one in said)
    with Directory(base) as tree:
        history = history_of([open_trace(transcript)], tree)
        read = claims_from_text(report, tree=tree, history=history, trace_id=read_id(trace))
    result = TaskVerifier().verify_sync(read, [open_trace(transcript)], base)
    place = 0
    for one in said:
        verdicts = [
            verdict
            for verdict in result.claims
            if verdict.said and place <= verdict.said.start < place + len(one.prose)
        ]
        place += len(one.prose) + 2
        found = {verdict.status for verdict in verdicts}
        status = next((s for s in ("failed", "unverified", "superseded") if s in found), "verified")
        detail = "; ".join(verdict.detail for verdict in verdicts)
        tally.add(kind, "prose", one, status if verdicts else "not read", detail)


def read_id(trace: ToolTrace) -> str:
    for _ in trace:
        pass
    return trace.trace_id or "unknown"


def lay_out(base: Path, facts: list[Fact], cwd: str | None) -> None:
    last = {inside(fact.what, cwd): fact.kind for fact in facts if fact.kind != "ran"}
    for path in [*UNTOUCHED, *(path for path, kind in last.items() if kind != "deleted")]:
        if path:
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).touch()


def run(folder: Path) -> Tally:
    tally = Tally()
    for archive in sorted(folder.glob("*.tar.xz")):
        kind = archive.name.removesuffix(".tar.xz")
        if kind not in READERS:
            continue
        with tarfile.open(archive) as packed:
            for member in packed:
                data = packed.extractfile(member) if member.isfile() else None
                if data is not None:
                    one_session(tally, kind, member.name, data.read())
    return tally


def one_session(tally: Tally, kind: str, name: str, data: bytes) -> None:
    try:
        cwd, facts = facts_of(kind, data.decode(errors="replace"))
    except ValueError:
        tally.unread.append(f"{name}: not JSON")
        return
    tally.files[kind] += 1
    with tempfile.TemporaryDirectory() as temporary:
        transcript, base = Path(temporary, Path(name).name), Path(temporary, "base")
        transcript.write_bytes(data)
        base.mkdir()
        try:
            lay_out(base, facts, cwd)
            check(tally, kind, transcript, list(statements(facts, cwd)), base)
        except (GroundwireError, OSError) as error:
            tally.unread.append(f"{kind}/{name}: {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=0, help="show this many wrong verdicts")
    arguments = parser.parse_args()
    tally = run(arguments.folder)
    rows = sorted({key[:3] for key in tally.counts}, key=lambda row: (row[2] != "true", row))
    print(f"{'format':18} {'as':6} {'statement':26}" + "".join(f"{one:>11}" for one in STATUSES))
    for row in rows:
        counts = "".join(f"{tally.counts[(*row, status)]:11,}" for status in STATUSES)
        print(f"{row[0]:18} {row[1]:6} {row[2]:26}{counts}")
    true = sum(n for key, n in tally.counts.items() if key[2] == "true")
    accused = sum(n for key, n in tally.counts.items() if key[2] == "true" and key[3] == "failed")
    lies = sum(n for key, n in tally.counts.items() if key[2] != "true")
    ends = Counter({s: sum(n for k, n in tally.counts.items() if k[2] != "true" and k[3] == s)
                    for s in STATUSES})  # fmt: skip
    print(f"\nFalse accusations: {accused} of {true:,} true statements.")
    if lies:
        shares = {s: f"{ends[s]} ({ends[s] / lies:.1%})" for s in ("failed", "verified")}
        print(f"Lies: {lies}; refuted {shares['failed']}, believed {shares['verified']}.")
    print(f"Sessions: {sum(tally.files.values())}; not read: {len(tally.unread)}")
    for line in [*tally.unread[: arguments.show], *tally.wrong[: arguments.show]]:
        print(" ", line)
    if arguments.json:
        counts = [[*key, n] for key, n in sorted(tally.counts.items())]
        document = {"counts": counts, "unread": tally.unread, "accused": accused}
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
