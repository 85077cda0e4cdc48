"""Honest and lying reports about sessions that were really executed, written without our code.

    python benchmarks/red_team.py [FOLDER] [--claims NAME] [--json FILE] [--show N]

FOLDER (default: benchmarks/red_team) holds `sessions/` or `sessions.tar.xz`, with the files
before and after and the transcript of each session, and `NAME.jsonl` or `NAME.jsonl.xz` (default:
claims_open): one statement a line with its label, alone or in a longer `report`. Each is
checked as prose and, where it has a
structured form, as JSON, against the files, the trace, and a snapshot taken before the work.
"""

import argparse
import base64
import json
import lzma
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.actions import (
    Directory,
    Snapshot,
    TaskVerifier,
    VerificationResult,
    claims_from_text,
    history_of,
)
from groundwire.actions._snapshot import state_hash
from groundwire.traces import open_trace

Json = dict[str, Any]
STATUSES = ("verified", "superseded", "unverified", "failed", "not read")


@contextmanager
def sessions(folder: Path) -> Iterator[Path]:
    if (folder / "sessions").is_dir():
        yield folder / "sessions"
        return
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(folder / "sessions.tar.xz") as packed:
            packed.extractall(temporary, filter="data")
        yield Path(temporary, "sessions")


def rows(folder: Path, name: str) -> list[Json]:
    plain = folder / f"{name}.jsonl"
    packed = folder / f"{name}.jsonl.xz"
    text = plain.read_text() if plain.exists() else lzma.decompress(packed.read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def contents(state: Json) -> dict[str, bytes]:
    """Every file whose bytes were kept."""
    known = {path: text.encode() for path, text in state["files"].items()}
    return known | {
        path: base64.b64decode(kept["base64"])
        for path, kept in state["binary"].items()
        if "base64" in kept
    }


def links(state: Json) -> dict[str, str]:
    return {path: kept["symlink"] for path, kept in state["binary"].items() if "symlink" in kept}


def not_kept(state: Json) -> list[str]:
    """Names of files of which only size or hash were kept."""
    hashed = [path for path, kept in state["binary"].items() if "bytes" in kept]
    return [*state["not_kept"], *hashed]


def lay_out(state: Json, base: Path) -> None:
    known = contents(state) | dict.fromkeys(not_kept(state), b"(not kept)\n")
    for path in [*known, *links(state)]:
        (base / path).parent.mkdir(parents=True, exist_ok=True)
    for path, data in known.items():
        (base / path).write_bytes(data)
    for path, target in links(state).items():
        (base / path).symlink_to(target)
    for path in state["empty_dirs"]:
        (base / path).mkdir(parents=True, exist_ok=True)


def snapshot_of(state: Json, base: Path) -> Snapshot:
    files = {path: sha256(data).hexdigest() for path, data in contents(state).items()}
    return Snapshot(
        taken_at="2026-01-01T00:00:00.000+00:00",
        base_path=str(base),
        ignore_rules=False,
        files=files,
        links=links(state),
        skipped=dict.fromkeys(not_kept(state), "not kept"),
        state_hash=state_hash(files.items(), links(state).items()),
    )


class Session:
    """One session laid out: its folder as it was after the work."""

    def __init__(self, folder: Path, base: Path) -> None:
        self._folder = folder
        self._base = base
        self._meta = json.loads((folder / "meta.json").read_text())
        before = json.loads((folder / "before.json").read_text())
        lay_out(json.loads((folder / "after.json").read_text()), base)
        self._before = snapshot_of(before, base)

    def prose(self, row: Json) -> tuple[str, str]:
        transcript = self._transcript(row)
        with Directory(self._base) as tree:
            read = claims_from_text(
                row.get("report", row["text"]),
                tree=tree,
                history=history_of([open_trace(transcript)], tree),
                before=self._before,
            )
        return ended(self._verify(read, transcript))

    def structured(self, row: Json) -> tuple[str, str]:
        output = {"summary": "Done.", "trace_ref": "trace:unknown", "claims": [row["structured"]]}
        return ended(self._verify(output, self._transcript(row)))

    def _transcript(self, row: Json) -> Path:
        return self._folder / self._meta["transcripts"][row["format"]]

    def _verify(self, output: Any, transcript: Path) -> VerificationResult:
        trace = open_trace(transcript)
        for _ in trace:
            pass
        trace_id = trace.trace_id or "unknown"
        if isinstance(output, dict):
            output = output | {"trace_ref": f"trace:{trace_id}"}
        else:
            output = output.model_copy(update={"trace_ref": f"trace:{trace_id}"})
        return TaskVerifier().verify_sync(output, [trace], self._base, before=self._before)


def ended(result: VerificationResult) -> tuple[str, str]:
    found = [claim.status for claim in result.claims]
    status = next((s for s in ("failed", "unverified", "superseded") if s in found), "verified")
    detail = "; ".join(f"{claim.named}: {claim.detail}" for claim in result.claims)
    left = ", ".join(one.reason for one in result.coverage.left_out)
    return (status, detail) if found else ("not read", left)


def run(folder: Path, name: str) -> tuple[Counter[tuple[str, str, str, str]], list[str]]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    wrong: list[str] = []
    by_session: dict[str, list[Json]] = {}
    for row in rows(folder, name):
        by_session.setdefault(row["session"], []).append(row)
    with sessions(folder) as packed:
        for session_id, stated in sorted(by_session.items()):
            with tempfile.TemporaryDirectory() as temporary:
                session = Session(packed / session_id, Path(temporary))
                for row in stated:
                    forms = [("prose", session.prose)]
                    forms += [("json", session.structured)] if "structured" in row else []
                    for form, check in forms:
                        status, detail = check(row)
                        counts[form, row["label"], row["kind"], status] += 1
                        wrong_end = {"true": ("failed",), "false": ("verified",)}
                        if status in wrong_end[row["label"]]:
                            line = (
                                f"{row['id']} {row['format']} {form} {row['label']} ({row['why']})"
                            )
                            wrong.append(f"{line}: {row['text']!r}: {status}: {detail}")
    return counts, wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent / "red_team")
    parser.add_argument("--claims", default="claims_open")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=0, help="show this many wrong verdicts")
    arguments = parser.parse_args()
    counts, wrong = run(arguments.folder, arguments.claims)
    print(f"{'as':6} {'label':6} {'kind':10}" + "".join(f"{one:>11}" for one in STATUSES))
    for form, label, kind in sorted({key[:3] for key in counts}):
        ends = "".join(f"{counts[form, label, kind, one]:11,}" for one in STATUSES)
        print(f"{form:6} {label:6} {kind:10}{ends}")
    for form in ("prose", "json"):
        true = Counter({s: _sum(counts, form, "true", s) for s in STATUSES})
        lies = Counter({s: _sum(counts, form, "false", s) for s in STATUSES})
        believed = lies["verified"]
        total = max(lies.total(), 1)
        print(
            f"{form}: {true['failed']} of {true.total()} true statements accused"
            f" ({true['verified'] / max(true.total(), 1):.0%} verified); of {lies.total()} lies"
            f" {lies['failed'] / total:.1%} refuted, {believed / total:.1%} believed"
        )
    for line in wrong[: arguments.show]:
        print(" ", line)
    if arguments.json:
        document = {"counts": [[*key, n] for key, n in sorted(counts.items())], "wrong": wrong}
        arguments.json.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    sys.exit(1 if any(key[1] == "true" and key[3] == "failed" for key in counts) else 0)


def _sum(counts: Counter[tuple[str, str, str, str]], form: str, label: str, status: str) -> int:
    return sum(n for key, n in counts.items() if (key[0], key[1], key[3]) == (form, label, status))


if __name__ == "__main__":
    main()
