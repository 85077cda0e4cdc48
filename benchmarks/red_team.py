"""Honest and lying reports about sessions that were really executed, written without our code.

    python benchmarks/red_team.py [FOLDER] [--claims NAME|FILE] [--json FILE] [--show N]

FOLDER (default: benchmarks/red_team) holds `sessions/` or `sessions.tar.xz`, with the files
before and after and the transcript of each session, and `NAME.jsonl` or `NAME.jsonl.xz` (default:
claims_open): one statement a line with its label, alone or in a longer `report`. Any file in that
format will do. Each is checked as prose and, where it has a
structured form, as JSON, against the files, the trace, and a snapshot taken before the work.
"""

import argparse
import json
import lzma
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from groundwire import Engine
from groundwire.evaluate import RecordedSession, unpacked_sessions

Json = dict[str, Any]
STATUSES = ("verified", "superseded", "unverified", "failed", "not read")


def rows(folder: Path, name: str) -> list[Json]:
    own = (folder / f"{name}.jsonl", folder / f"{name}.jsonl.xz")
    data = next(path for path in (Path(name), *own) if path.is_file()).read_bytes()
    text = (lzma.decompress(data) if data.startswith(b"\xfd7zXZ") else data).decode()
    found = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [{**row, "label": _LABELS[row["label"]]} for row in found]


_LABELS = {"true": "true", "false": "false", "lie": "false"}


def run(folder: Path, name: str) -> tuple[Counter[tuple[str, str, str, str]], list[str]]:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    wrong: list[str] = []
    by_session: dict[str, list[Json]] = {}
    for row in rows(folder, name):
        by_session.setdefault(row["session"], []).append(row)
    with unpacked_sessions(folder) as packed, Engine() as engine:
        for session_id, stated in sorted(by_session.items()):
            with tempfile.TemporaryDirectory() as temporary:
                session = RecordedSession(engine, packed / session_id, Path(temporary))
                for row in stated:
                    ended = {
                        "prose": session.check_prose(row.get("report", row["text"]), row["format"])
                    }
                    if "structured" in row:
                        ended["json"] = session.check_claim(row["structured"], row["format"])
                    for form, (status, detail) in ended.items():
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
