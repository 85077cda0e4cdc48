"""How often a true claim is called false, and a false one caught.

Sessions of edits are played on real files: those of a repository (default: this one), and the
changes of its own history. Every edit is claimed as it was made, and again with each kind of lie;
the truth of each claim is known from the play, not from the verifier.

    python benchmarks/actions.py [--repo DIR] [--sessions N] [--json FILE]
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine
from _sessions import (
    Claimed,
    Json,
    Session,
    about_tests,
    as_labelled,
    history_changes,
    lies_about,
    random_edit,
    repository_files,
    sentences,
    step,
    write_claim,
)

from groundwire.actions import (
    Directory,
    Snapshot,
    TaskVerifier,
    claims_for_change,
    claims_from_text,
    history_of,
    take_snapshot,
)
from groundwire.traces import ToolTrace

UNDECIDED = {"files only, later", "trace with programs nobody knows"}
"""Settings in which nothing can be told for sure: they accuse nobody and need catch nothing."""
STATUSES = ("verified", "superseded", "failed", "unverified")


@dataclass
class Tally:
    """Claims by setting, kind, truth and status."""

    counts: Counter[tuple[str, str, bool, str]] = field(default_factory=Counter)
    accused: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, setting: str, claimed: Claimed, status: str, detail: str) -> None:
        self.counts[setting, claimed.kind, claimed.truth, status] += 1
        line = f"{setting} / {claimed.kind} / {status}: {claimed.claim} ({detail})"
        if claimed.truth and status == "failed":
            self.accused.append(line)
        elif not claimed.truth and status != "failed" and setting not in UNDECIDED:
            self.missed.append(line)

    def row(self, setting: str, *, truth: bool) -> dict[str, int]:
        return {
            status: sum(
                count
                for (where, _, is_true, ended), count in self.counts.items()
                if where == setting and is_true is truth and ended == status
            )
            for status in STATUSES
        }


class Bench:
    def __init__(self) -> None:
        self.tally = Tally()
        self.verifier = TaskVerifier()

    def verify(self, setting: str, session: Session, claims: list[Claimed], **options: Any) -> None:
        output = {
            "summary": "x",
            "traceRef": "trace:run",
            "claims": [claimed.claim for claimed in claims],
        }
        trace = session.events if options.pop("trace", False) else None
        trace = options.pop("events", trace)
        result = self.verifier.verify_sync(output, trace, session.base, **options)
        if len(result.claims) != len(claims):
            raise SystemExit(f"the output itself was refused: {result.errors[:3]}")
        for claimed, verdict in zip(claims, result.claims, strict=True):
            self.tally.add(setting, claimed, verdict.status, verdict.detail)

    def right_after(self, session: Session, claims: list[Claimed], before: Snapshot) -> None:
        """Verified at once, as the caller promises by default."""
        kinds = {"command", "wrong exit code"}
        files = [c for c in claims if not any(kind in c.kind for kind in kinds)]
        if files:
            self.verify("files only, right after", session, files)
            self.verify("files and snapshot, right after", session, files, before=before)
            self.verify("files only, later", session, files, assume_current=False)


def commit(base: Path) -> None:
    """Most folders agents work in are repositories; a snapshot of one knows more."""
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.invalid"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
        subprocess.run(["git", "-C", str(base), *identity, *arguments], check=True)


def play(bench: Bench, base: Path, texts: dict[str, str], rng: random.Random) -> None:
    """A session of edits, refusals, deletions and commands; then everything is verified again."""
    session = Session(base, rng, texts)
    commit(base)
    before = take_snapshot(base)
    everything: list[Claimed] = []
    for _ in range(rng.randint(4, 10)):
        claims = list(step(session, rng))
        bench.right_after(session, claims, before)
        everything += claims
    everything += about_tests(session, rng)
    at_end = [claimed for claimed in everything if as_labelled(claimed, session)]
    bench.verify("files and trace, at the end", session, at_end, trace=True)
    bench.verify(
        "files, trace and snapshot, at the end", session, at_end, trace=True, before=before
    )
    report(bench, session, at_end)
    unclear = [*session.events]
    for number, command in enumerate(["python tools/generate.py", "black .", "make fmt"]):
        event = {"id": f"u{number}", "tool": "Bash", "arguments": {"command": command}}
        unclear.insert(rng.randint(0, len(unclear)), {**event, "exit_code": 0})
    bench.verify("trace with programs nobody knows", session, at_end, events=unclear)


def report(bench: Bench, session: Session, everything: list[Claimed]) -> None:
    """The same work told in words, honestly and not, one sentence at a time."""
    trace = ToolTrace(session.events)
    for sentence, truth, kind in sentences(session, everything):
        with Directory(session.base) as tree:
            output = claims_from_text(sentence, tree=tree, history=history_of([trace], tree))
        result = bench.verifier.verify_sync(output, trace, session.base)
        ended = {verdict.status for verdict in result.claims} or {"unverified"}
        status = next(s for s in ("failed", "unverified", "superseded", "verified") if s in ended)
        detail = "; ".join(verdict.detail for verdict in result.claims)
        bench.tally.add("prose and trace", Claimed({"said": sentence}, truth, kind), status, detail)


def recreate(bench: Bench, base: Path, texts: dict[str, str], rng: random.Random) -> None:
    """Deleted and made again: "it is deleted" is false, and so is "it is what it was"."""
    session = Session(base, rng, texts)
    before = take_snapshot(base)
    name = rng.choice(sorted(session.texts))
    old = session.texts[name]
    new = random_edit(random_edit(old, rng), rng)
    if new == old:
        return
    session.texts[name] = new
    session._store(name)  # noqa: SLF001
    kind = "deleted and recreated"
    lies = [
        Claimed({"type": "file-delete", "file_path": name}, False, kind),
        Claimed(write_claim(name, old), False, kind),
        Claimed({"type": "file-absent", "file_path": name}, False, kind),
    ]
    bench.verify("files only, right after", session, lies)
    bench.verify("files and snapshot, right after", session, lies, before=before)


def nothing_done(bench: Bench, base: Path, texts: dict[str, str], rng: random.Random) -> None:
    """An edit is claimed that describes the file as it always was."""
    session = Session(base, rng, texts)
    before = take_snapshot(base)
    name = rng.choice(sorted(session.texts))
    text = session.texts[name]
    claims = [
        c.model_dump(mode="json") for c in claims_for_change(name, random_edit(text, rng), text)
    ]
    lies = [
        Claimed(claim, False, "claim against the state before, nothing done")
        for claim in claims
        if claim["type"] in {"file-edit", "code-inserted"}
    ]
    never = {"type": "file-delete", "file_path": f"{name}.bak"}
    lies.append(Claimed(never, False, "deletion of what never was"))
    session.run("ls -la", 0, "fine")
    bench.verify("files, trace and snapshot, at the end", session, lies, trace=True, before=before)


def run(repo: Path, sessions: int, seed: int) -> Bench:
    bench = Bench()
    files = repository_files(repo)
    changes = list(history_changes(repo, 200))
    names = sorted(files)
    for number in range(sessions):
        rng = random.Random(f"{seed}/{number}")
        chosen = {name: files[name] for name in rng.sample(names, min(6, len(names)))}
        for scenario in (play, recreate, nothing_done):
            with tempfile.TemporaryDirectory() as folder:
                scenario(bench, Path(folder), dict(chosen), rng)
    with tempfile.TemporaryDirectory() as folder:
        replay_history(bench, Path(folder), changes, random.Random(seed))
    return bench


def replay_history(
    bench: Bench, folder: Path, changes: list[tuple[str, str, str]], rng: random.Random
) -> None:
    """The changes people really made to these files, one after the other."""
    for number, (name, old, new) in enumerate(changes):
        base = folder / str(number)
        session = Session(base, rng, {name: old, "other.txt": "other\n" * 6})
        before = take_snapshot(base)
        claims = session.edit(name, new)
        claims += list(lies_about(session, name, old, new))
        bench.right_after(session, claims, before)
        bench.verify("files and trace, at the end", session, claims, trace=True)


def show(bench: Bench) -> Json:
    tally = bench.tally
    settings = list(dict.fromkeys(key[0] for key in tally.counts))
    print(f"{'setting':40} {'claims':6} " + " ".join(f"{status:>10}" for status in STATUSES))
    figures: Json = {"settings": {}, "lies": {}}
    for setting in settings:
        for truth in (True, False):
            row = tally.row(setting, truth=truth)
            shown = " ".join(f"{row[status]:10,}" for status in STATUSES)
            print(f"{setting:40} {'true' if truth else 'false':6} {shown}")
            figures["settings"].setdefault(setting, {})["true" if truth else "false"] = row
    print()
    decided = set(settings) - UNDECIDED
    print(f"{'lie (settings in which it can be told)':50} {'claims':>8} {'caught':>8}")
    for kind in sorted({key[1] for key in tally.counts if not key[2]}):
        ended = Counter[str]()
        for (setting, name, truth, status), count in tally.counts.items():
            if setting in decided and name == kind and not truth:
                ended[status] += count
        total = ended.total()
        print(f"{kind:50} {total:8,} {ended['failed'] / total:8.2%}")
        figures["lies"][kind] = dict(ended)
    accused, lies = len(tally.accused), sum(sum(k.values()) for k in figures["lies"].values())
    caught = sum(k.get("failed", 0) for k in figures["lies"].values())
    true = sum(sum(r["true"].values()) for r in figures["settings"].values())
    print(f"\nFalse accusations: {accused} of {true:,} true claims.")
    print(f"False claims caught: {caught:,} of {lies:,} = {caught / lies:.2%}.")
    figures |= {"false_accusations": accused, "true": true, "false": lies, "caught": caught}
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repo", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("--sessions", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=0, help="show this many wrong verdicts")
    arguments = parser.parse_args()
    bench = run(arguments.repo, arguments.sessions, arguments.seed)
    figures = show(bench)
    for line in bench.tally.accused[: arguments.show] + bench.tally.missed[: arguments.show]:
        print(line)
    if arguments.json:
        document = {"machine": describe_machine(), "sessions": arguments.sessions, **figures}
        arguments.json.write_text(json.dumps(document, indent=1) + "\n")
    return 1 if figures["false_accusations"] else 0


if __name__ == "__main__":
    sys.exit(main())
