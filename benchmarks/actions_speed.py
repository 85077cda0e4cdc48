"""How long the levels take, and what large inputs cost.

    python benchmarks/actions_speed.py [--calls N] [--json FILE]

Files are read over and over, so they are warm; every call opens and reads them anew. Memory is the
peak of a process of its own, less that of one that only imports.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

from groundwire.actions import TaskVerifier, claims_for_change
from groundwire.traces import open_trace

Json = dict[str, Any]


def lines(count: int) -> str:
    return "".join(
        f"value_{number} = compute(step={number}, mode='plain')\n" for number in range(count)
    )


def output(claims: list[Json]) -> Json:
    return {"summary": "Changed what was asked for.", "traceRef": "trace:run", "claims": claims}


def write_claim(path: str, text: str) -> Json:
    digest = sha256(text.encode()).hexdigest()
    return {"type": "file-write", "filePath": path, "contentHash": digest}


def edit_claim(path: str, text: str, *, is_true: bool) -> Json:
    changed = text.replace("value_7 =", "other_7 =", 1)
    old, new = (changed, text) if is_true else (text, changed)
    return claims_for_change(path, old, new)[0].model_dump(mode="json")


def timed(claims: list[Json], base: Path, calls: int) -> dict[int, list[float]]:
    """Milliseconds of each level, per call."""
    verifier = TaskVerifier()
    spent: dict[int, list[float]] = {1: [], 3: [], 0: []}
    for _ in range(calls):
        started = time.perf_counter()
        result = verifier.verify_sync(output(claims), None, base)
        spent[0].append((time.perf_counter() - started) * 1000)
        for level in (1, 3):
            spent[level].append(result.durations_ms[level])
    return spent


def quantiles(values: list[float]) -> Json:
    ordered = sorted(values)
    return {
        "p50_ms": round(statistics.median(ordered), 4),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)], 4),
    }


def level_times(base: Path, calls: int) -> list[Json]:
    rows = []
    for size in (40, 400, 4_000):
        text = lines(size)
        name = f"file_{size}.py"
        (base / name).write_text(text)
        kb = len(text) / 1000
        for kind, claim in (
            ("file-write, true", write_claim(name, text)),
            ("file-write, false", write_claim(name, text + "x")),
            ("file-edit, true", edit_claim(name, text, is_true=True)),
            ("file-edit, false", edit_claim(name, text, is_true=False)),
        ):
            spent = timed([claim], base, calls)
            rows.append({"claim": kind, "file_kb": round(kb), **quantiles(spent[3])})
    return rows


def level_1_times(base: Path, calls: int) -> Json:
    text = lines(40)
    (base / "a.py").write_text(text)
    claims = [write_claim("a.py", text), edit_claim("a.py", text, is_true=True)] * 2
    claims.append({"type": "command-executed", "command": "pytest -q", "exitCode": 0})
    return quantiles(timed(claims, base, calls)[1])


# What is measured in a process of its own.


def many_claims(base: Path) -> None:
    texts = {f"file_{number}.py": lines(20 + number % 200) for number in range(500)}
    for name, text in texts.items():
        (base / name).write_text(text)
    claims = []
    for name, text in texts.items():
        claims += [write_claim(name, text)] * 10 + [edit_claim(name, text, is_true=True)] * 10
    started = time.perf_counter()
    result = TaskVerifier().verify_sync(output(claims), None, base)
    told = {"claims": len(result.claims), "verified": result.summary.verified}
    finish(started, told)


def large_trace(base: Path) -> None:
    path = base / "trace.jsonl"
    with path.open("w") as file:
        file.write('{"groundwire_trace": 1, "trace_id": "run"}\n')
        number = 0
        while file.tell() < 50_000_000:
            number += 1
            arguments = {"file_path": f"src/file_{number % 300}.py", "content": lines(20)}
            write = {"id": str(number), "tool": "Write", "arguments": arguments, "result": "ok"}
            run = {"id": f"r{number}", "tool": "Bash", "arguments": {"command": "pytest -q"}}
            for event in (write, {**run, "exit_code": 0, "result": "12 passed " * 40}):
                file.write(json.dumps(event) + "\n")
    claims = [write_claim("src/file_1.py", lines(20)), {"type": "tests-pass"}]
    started = time.perf_counter()
    trace = open_trace(path)
    result = TaskVerifier().verify_sync(output(claims), trace, base)
    finish(started, {"trace_mb": round(path.stat().st_size / 1e6), "valid": result.valid})


def finish(started: float, told: Json) -> None:
    seconds = time.perf_counter() - started
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": round(seconds, 3), "peak_mb": round(peak_mb), **told}))


def nothing(_: Path) -> None:
    TaskVerifier().verify_sync(output([]))
    finish(time.perf_counter(), {})


CHILDREN = {"nothing": nothing, "many-claims": many_claims, "large-trace": large_trace}


def in_a_process(name: str) -> Json:
    done = subprocess.run(
        [sys.executable, __file__, "--child", name], capture_output=True, text=True, check=True
    )
    read: Json = json.loads(done.stdout)
    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", choices=CHILDREN)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.child:
            CHILDREN[arguments.child](Path(folder))
            return
        first = level_1_times(Path(folder), arguments.calls)
        rows = level_times(Path(folder), arguments.calls)
    idle = in_a_process("nothing")["peak_mb"]
    large = {name: in_a_process(name) for name in ("many-claims", "large-trace")}
    print(f"Level 1, output with 5 claims: p50 {first['p50_ms']} ms, p95 {first['p95_ms']} ms\n")
    print(f"{'Level 3, one claim':24} {'file':>8} {'p50':>10} {'p95':>10}")
    for row in rows:
        shown = f"{row['p50_ms']:7.3f} ms {row['p95_ms']:7.3f} ms"
        print(f"{row['claim']:24} {row['file_kb']:5} KB {shown}")
    print()
    for name, told in large.items():
        extra = told["peak_mb"] - idle
        print(f"{name}: {told['seconds']} s, {extra} MB more than an idle process; {told}")
    if arguments.json:
        document = {"machine": describe_machine(), "level_1": first, "level_3": rows, **large}
        arguments.json.write_text(json.dumps({**document, "idle_mb": idle}, indent=1) + "\n")


if __name__ == "__main__":
    main()
