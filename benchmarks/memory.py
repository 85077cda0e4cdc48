"""What the memory gate costs, what survives a kill, how fast facts are found, which contradict.

    python benchmarks/memory.py kill [--kills 200] [--seed 1]
    python benchmarks/memory.py recall [--facts 100000]
    python benchmarks/memory.py overhead [--facts 2000]
    python benchmarks/memory.py contradictions [--part dev|held|all] [--set KEY=VALUE] [--show]
    python benchmarks/memory.py contradictions --pairs FILE [--set KEY=VALUE] [--show]

Each prints one JSON document. The statements of `contradictions` stand in `benchmarks/memory/`: a
line is a fact, a line that begins with `!` contradicts the fact above it. The weights were fitted
on them; what holds for others is what `python -m training.contradictions` prints for sets left
out, and what `--pairs` measures. A line of its FILE is `{"stored": …, "new": …, "label": …}`, the
label `contradicts` or `consistent`.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

from groundwire.config import Config, load_config
from groundwire.engine import Engine
from groundwire.errors import BackendError, BackendUnavailable, ErrFactNotGrounded
from groundwire.judge import Backend, Estimate, Question
from groundwire.memory import MemoryStore
from groundwire.memory._store import NewFact, fact_id
from groundwire.model import EvidenceBundle
from groundwire.testing import HashingEmbedder

STATEMENTS = Path(__file__).parent / "memory"
PARTS = {"dev": (1, 2), "held": (3, 4), "all": (1, 2, 3, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=("kill", "recall", "overhead", "contradictions"))
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--facts", type=int, default=None)
    parser.add_argument("--home", type=Path, default=None, help="of recall: kept and used again")
    parser.add_argument("--part", choices=tuple(PARTS), default="all")
    parser.add_argument("--pairs", type=Path, help="stored and new facts that nobody tuned on")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--show", action="store_true", help="print what was missed and mistaken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if options.what == "kill":
            figures = kill(home, options.kills, options.seed)
        elif options.what == "recall":
            figures = recall(options.home or home, options.facts or 100_000)
        elif options.what == "overhead":
            figures = overhead(home, options.facts or 2_000)
        else:
            given = dict(one.split("=", 1) for one in options.set)
            if options.pairs:
                figures = paired(home, options.pairs, given, show=options.show)
            else:
                figures = contradictions(home, options.part, given, show=options.show)
    print(json.dumps({"machine": describe_machine(), "figures": figures}, indent=2))


def settings(home: Path, **overrides: Any) -> Config:
    return load_config(
        environ={}, overrides={"home": str(home), "log.level": "off"} | overrides
    ).config


class Scripted(Backend):
    """Believes what is marked good, refutes what is marked bad, and is down for what is marked so
    until it is up."""

    name, context_words, threshold = "scripted", 300, 0.5

    def __init__(self, *, up: bool = False) -> None:
        self.up = up

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [self._answer(one) for one in questions]

    def _answer(self, question: Question) -> Estimate | BackendError:
        if "later" in question.claim and not self.up:
            return BackendUnavailable("The judge is down.")
        if "evidence" in question.context or "REMOVED" in question.context:
            return Estimate(p=0.1, refute=0.0)
        if "bad" in question.claim:
            return Estimate(p=0.02, refute=0.97)
        return Estimate(p=0.97, refute=0.01)


# --- kill


def sentence(number: int) -> str:
    """Good ones hold, bad ones do not; half of each are judged later."""
    worth = "good" if number % 2 else "bad"
    when = "later" if number % 4 > 1 else "now"
    # in letters: a number that stands in the evidence would be believed whatever the judge says
    name = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    return f"The {name} statement is {worth} and judged {when}."


def kill(home: Path, kills: int, seed: int) -> dict[str, Any]:
    """A process that writes, queues and promotes is killed at random moments, again and again."""
    chance = random.Random(seed)
    _load_all(home / "warm")
    acknowledged = home / "acknowledged"
    acknowledged.touch()
    faults: list[str] = []
    done = 0
    for _ in range(kills):
        done = _one_life(home, acknowledged, done, chance.uniform(0.01, 1.0))
        faults += _faults(home, acknowledged)
    waiting_before, report = _finish(home)
    faults += _faults(home, acknowledged, at_the_end=True)
    told = [json.loads(line) for line in acknowledged.read_text().splitlines()]
    return {
        "kills": kills,
        "written": done,
        "acknowledged": len(told),
        "acknowledged_by_status": _counts(one["status"] for one in told),
        "waiting_after_the_last_kill": waiting_before,
        "settled_at_the_end": report,
        "faults": faults,
    }


def _load_all(home: Path) -> None:
    """Here, so that no child dies before it has begun."""
    with Engine(settings(home), judge=Scripted(up=True), embedder=HashingEmbedder(64)) as engine:
        engine.remember_sync("It is good.", "It is good.")
        engine.recall_sync("good")
        engine.verify_queued_sync()


def _one_life(home: Path, acknowledged: Path, start: int, lives_s: float) -> int:
    """A child begins where the last one stopped and is killed after a while."""
    ready, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ready)
        try:
            asyncio.run(_write(home, acknowledged, start, tell))
        finally:
            os._exit(1)
    os.close(tell)
    os.read(ready, 1)
    time.sleep(lives_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ready)
    lines = (home / "tried").read_text().split() if (home / "tried").exists() else []
    return int(lines[-1]) + 1 if lines else start


async def _write(home: Path, acknowledged: Path, start: int, tell: int) -> None:
    judge = Scripted()
    out = os.open(acknowledged, os.O_WRONLY | os.O_APPEND)
    tried = os.open(home / "tried", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    engine = Engine(settings(home), judge=judge, embedder=HashingEmbedder(64))
    os.write(tell, b"r")
    number = start
    while True:
        os.write(tried, f"{number}\n".encode())
        content = sentence(number)
        judge.up = False
        try:
            outcome = await engine.remember(content, f"A source: {content}")
            told = {"number": number, "status": outcome.status, "id": outcome.id}
        except ErrFactNotGrounded as refused:
            told = {"number": number, "status": refused.outcome.status, "id": None}
        os.write(out, (json.dumps(told) + "\n").encode())
        number += 1
        if number % 7 == 0:
            judge.up = True
            await engine.verify_queued()


def _finish(home: Path) -> tuple[int, dict[str, int]]:
    """Somebody comes after the last kill; leases of the dead run out first."""
    later = time.time() + 3_600
    with Engine(
        settings(home), judge=Scripted(up=True), embedder=HashingEmbedder(64), clock=lambda: later
    ) as engine:
        waiting = len(engine.memory._store.waiting())  # noqa: SLF001
        report = engine.verify_queued_sync()
        return waiting, report.model_dump()


def _faults(home: Path, acknowledged: Path, *, at_the_end: bool = False) -> list[str]:
    """What must not be: a lost fact, a refused one, one that nobody judged called verified."""
    path = home / "memory.sqlite"
    if not path.exists():
        return []
    with MemoryStore(path, settings(home).memory) as store:
        stored = {row["id"]: row for row in store.read("SELECT * FROM node")}
        removed = {row["node_id"] for row in store.read("SELECT node_id FROM rejected")}
        (check,) = store.read("PRAGMA integrity_check")
        orphans = store.read(
            "SELECT count(*) AS n FROM node WHERE key NOT IN (SELECT rowid FROM node_words)"
        )[0]["n"]
    faults = [] if check[0] == "ok" and not orphans else [f"damaged: {check[0]}, {orphans}"]
    for line in acknowledged.read_text().splitlines():
        told = json.loads(line)
        if told["id"] is not None and told["id"] not in stored and told["id"] not in removed:
            faults.append(f"lost: {told}")
    for row in stored.values():
        if "bad" in row["content"] and row["status"] == "verified":
            faults.append(f"believed: {row['content']}")
        if row["id"] in removed:
            faults.append(f"refused and present: {row['content']}")
        if at_the_end and (row["status"] != "verified" or "bad" in row["content"]):
            faults.append(f"never settled: {row['content']}")
    return faults


# --- recall


def recall(home: Path, count: int) -> dict[str, Any]:
    """Time to find facts among many, and whether looking at signs finds what exact vectors do."""
    import numpy as np

    from groundwire.encoder import EmbeddedEmbedder
    from groundwire.memory._recall import Embedded
    from groundwire.memory._store import Placed

    chance = np.random.default_rng(1)
    facts, _ = statements("all")
    embedder = EmbeddedEmbedder()
    vectors = embedder.embed(facts)
    started_s = time.perf_counter()
    exact = np.zeros((count, vectors.shape[1]), dtype=np.float32)
    engine = Engine(settings(home))
    store = engine.memory._store  # noqa: SLF001
    is_filled = bool(store.counts().facts)
    for at in range(0, count, 1_000):
        # variants of a statement are spread around it, as other statements would be
        shift = chance.normal(size=(1_000, vectors.shape[1])).astype(np.float32)
        shift *= 0.7 / np.linalg.norm(shift, axis=1, keepdims=True)
        near = vectors[np.arange(at, at + 1_000) % len(facts)] + shift
        exact[at : at + 1_000] = (near / np.linalg.norm(near, axis=1, keepdims=True))[: count - at]
        if is_filled:
            continue
        with store.transaction():
            for number in range(at, min(at + 1_000, count)):
                new = NewFact("fact", f"{facts[number % len(facts)]} (record {number})")
                kept = Embedded.of(embedder.name, exact[number])
                store.put_in_transaction(
                    new, Placed("longterm", "verified", 0.8, "supported", embedded=kept)
                )
    filled_s = time.perf_counter() - started_s
    questions = [facts[one] for one in chance.choice(len(facts), 300)]
    engine.recall_sync(questions[0])
    taken_ms, used_ms = [], []
    for question in questions:
        asked_s, used_s = time.perf_counter(), time.process_time()
        engine.recall_sync(question)
        taken_ms.append((time.perf_counter() - asked_s) * 1000)
        used_ms.append((time.process_time() - used_s) * 1000)
    agree = _agreement(engine, exact, embedder.embed(questions[:100]))
    engine.close()
    size_mb = (home / "memory.sqlite").stat().st_size / 1e6
    return {
        "facts": count,
        "filled_s": round(filled_s, 1),
        "size_mb": round(size_mb),
        "recall_ms": percentiles(taken_ms),
        "recall_cpu_ms": percentiles(used_ms),
        "of_the_exact_ten_nearest_found": agree,
    }


def _agreement(engine: Engine, exact: Any, asked: Any) -> float:
    import numpy as np

    from groundwire.memory._recall import _NEAR_BITS, Embedded

    searcher = engine.memory._searcher  # noqa: SLF001
    (name,) = searcher._sketches  # noqa: SLF001
    sketches = searcher._sketches[name]  # noqa: SLF001
    shares = []
    for vector in asked:
        best = np.argsort(-(exact @ vector))[:10] + 1
        near = set(sketches.nearest(Embedded.of(name, vector).bits, _NEAR_BITS))
        shares.append(sum(int(one) in near for one in best) / 10)
    return round(statistics.mean(shares), 3)


# --- overhead


def overhead(home: Path, count: int) -> dict[str, Any]:
    """What remembering costs besides its judge and its embedder: gate, search, storing."""
    facts, _ = statements("all")
    embedder = Timed(HashingEmbedder(384))
    taken_ms, used_ms, embedding_ms = [], [], []
    with Engine(settings(home), judge=Scripted(up=True), embedder=embedder) as engine:
        check = engine.memory._check  # noqa: SLF001
        verifier = Judging()
        check._verify = verifier.timed(check._verify)  # noqa: SLF001
        check._compare = verifier.timed(check._compare)  # noqa: SLF001
        for number in range(count):
            content = f"{facts[number % len(facts)]} (record {number})"
            verifier.busy_s = embedder.busy_s = 0.0
            verifier.used_s = 0.0
            started_s, used_s = time.perf_counter(), time.process_time()
            engine.remember_sync(content, content)
            whole_s, used_s = time.perf_counter() - started_s, time.process_time() - used_s
            taken_ms.append((whole_s - verifier.busy_s) * 1000)
            used_ms.append((used_s - verifier.used_s) * 1000)
            embedding_ms.append(embedder.busy_s * 1000)
    return {
        "facts": count,
        "besides_the_judge_ms": percentiles(taken_ms[50:]),
        "besides_the_judge_cpu_ms": percentiles(used_ms[50:]),
        "of_which_a_hashing_embedder_ms": percentiles(embedding_ms[50:]),
    }


class Judging:
    """What the engine's judging takes, its reading of evidence and of values included."""

    def __init__(self) -> None:
        self._under_way = 0
        self._since_s = self._cpu_s = 0.0
        self.busy_s = self.used_s = 0.0

    def timed(self, judge: Any) -> Any:
        async def judged(*given: Any) -> Any:
            if not self._under_way:
                self._since_s, self._cpu_s = time.perf_counter(), time.process_time()
            self._under_way += 1
            try:
                return await judge(*given)
            finally:
                self._under_way -= 1
                if not self._under_way:
                    self.busy_s += time.perf_counter() - self._since_s
                    self.used_s += time.process_time() - self._cpu_s

        return judged


class Timed:
    def __init__(self, embedder: HashingEmbedder) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.busy_s = 0.0

    def embed(self, texts: Sequence[str]) -> Any:
        started_s = time.perf_counter()
        rows = self._embedder.embed(texts)
        self.busy_s += time.perf_counter() - started_s
        return rows


# --- contradictions


def statements(part: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The facts, and the planted statements with the fact that each contradicts."""
    facts: list[str] = []
    planted: list[tuple[str, str]] = []
    for number in PARTS[part]:
        for line in (STATEMENTS / f"facts-{number}.txt").read_text().splitlines():
            if line.startswith("!"):
                planted.append((line[1:].strip(), facts[-1]))
            elif line and not line.startswith("#"):
                facts.append(line)
    return facts, planted


def contradictions(home: Path, part: str, given: dict[str, str], *, show: bool) -> dict[str, Any]:
    """Facts enter one after the other; then the planted ones, each by itself."""
    facts, planted = statements(part)
    with patient(home, given) as engine:
        entered = [(fact, against(engine, fact)) for fact in facts]
        tried = []
        for text, contradicted in planted:
            tried.append((contradicted, text, against(engine, text)))
            engine.memory.forget_sync(fact_id("fact", text))
    figures: dict[str, Any] = {
        "part": part,
        "planted": len(planted),
        "found": sum(one in said for one, _, said in tried),
        "consistent": len(facts),
        "mistaken": sum(bool(said) for _, said in entered),
        "settings": given,
    }
    if show:
        figures["missed_ones"] = [(text, one) for one, text, said in tried if one not in said]
        figures["mistaken_ones"] = [(fact, said) for fact, said in entered if said]
    return figures


def paired(home: Path, path: Path, given: dict[str, str], *, show: bool) -> dict[str, Any]:
    """All stored facts enter first; then each new one by itself, and is forgotten again."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    said: list[list[str]] = []
    with patient(home, given) as engine:
        for stored in dict.fromkeys(row["stored"] for row in rows):
            against(engine, stored)
        known = {row["stored"] for row in rows}
        for row in rows:
            said.append(against(engine, row["new"]))
            if row["new"] not in known:
                engine.memory.forget_sync(fact_id("fact", row["new"]))
    marked = [
        (row, row["stored"] in found, bool(found)) for row, found in zip(rows, said, strict=True)
    ]
    wrong = [one for one in marked if one[0]["label"] == "contradicts"]
    right = [one for one in marked if one[0]["label"] != "contradicts"]
    figures: dict[str, Any] = {
        "pairs": str(path),
        "planted": len(wrong),
        "found": sum(is_said for _, is_said, _ in wrong),
        "consistent": len(right),
        "mistaken": sum(is_any for *_, is_any in right),
        "mistaken_with_its_own_fact": sum(is_said for _, is_said, _ in right),
        "settings": given,
    }
    if show:
        figures["missed_ones"] = [row for row, is_said, _ in wrong if not is_said]
        figures["mistaken_ones"] = [row for row, _, is_any in right if is_any]
    return figures


def patient(home: Path, given: dict[str, str]) -> Engine:
    """No ceiling is set, so that a busy machine finds what an idle one does."""
    engine = Engine(settings(home, **given))
    engine.load_sync()
    engine.memory._check.ceiling_s = engine.memory._check.embedding_limit_s = 600.0  # noqa: SLF001
    return engine


def against(engine: Engine, text: str) -> list[str]:
    """The stored facts a new one is said to contradict."""
    outcome = engine.remember_sync(text, EvidenceBundle.of(text, "note"))
    return [one.content for one in outcome.contradicts]


def percentiles(taken: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(taken, n=100)
    return {"p50": round(cuts[49], 2), "p95": round(cuts[94], 2), "p99": round(cuts[98], 2)}


def _counts(values: Any) -> dict[str, int]:
    counted: dict[str, int] = {}
    for value in values:
        counted[value] = counted.get(value, 0) + 1
    return counted


if __name__ == "__main__":
    main()
