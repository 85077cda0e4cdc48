"""Scores labelled claims with one tier of the judge, however long that takes.

    python benchmarks/deep_scores.py DATA --model FILE.gguf --out SCORES.jsonl
        [--tier deep|fast] [--adapter TRAINED.npz] [--sample 200] [--threads 2] [--minutes 30]

DATA is a file of claims (`*.jsonl.xz`). Each score is written as soon as it is there, and a second
run goes on where the first stopped: kill it when you like. Claims about one context follow each
other, so that the context is read once; `seconds` of the first is the cost of reading it. With
`--adapter` the deep tier runs with an adapter as it was trained, not as it is shipped.
"""

import argparse
import asyncio
import json
import os
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from _claims import Row, read_rows

from groundwire.config import Config, load_config
from groundwire.encoder import Change, adapter_gguf, card
from groundwire.errors import BackendError
from groundwire.judge import (
    DeepBackend,
    EmbeddedBackend,
    Question,
    VerifierBackend,
    build_deep,
)
from groundwire.llm import GGUFReader
from groundwire.store import write_whole

LORA_SCALE = 2.0


def main() -> None:
    arguments = parse()
    backend = open_backend(arguments)
    rows = read_rows(arguments.data, arguments.context_words or backend.context_words)
    chosen = sample(rows, arguments.sample, arguments.seed)
    done = finished(arguments.out)
    waiting = [row for row in by_context(chosen) if row.id not in done]
    print(f"{len(chosen)} claims, {len(chosen) - len(waiting)} scored already", flush=True)
    asyncio.run(score(backend, waiting, arguments.out, arguments.minutes * 60))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--adapter", type=Path)
    parser.add_argument("--tier", choices=["deep", "fast"], default="deep")
    parser.add_argument("--sample", type=int, help="so many claims drawn at random; else all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--context-words", type=int)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    return parser.parse_args()


def open_backend(arguments: argparse.Namespace) -> VerifierBackend:
    os.nice(10)  # it may run for hours beside other work
    if arguments.tier == "fast":
        return EmbeddedBackend(threads=arguments.threads)
    backend = build_deep(settings(arguments.model, arguments.threads))
    if arguments.adapter is None:
        return backend
    written = arguments.out.with_suffix(".adapter.gguf")
    write_whole(written, [trained_gguf(arguments.adapter)])
    return DeepBackend(
        GGUFReader(arguments.model, adapter=lambda: written, threads=arguments.threads),
        context_words=backend.context_words,
        threshold=backend.threshold,
        timeout_s=600,
    )


def trained_gguf(path: Path) -> bytes:
    with np.load(path) as trained:
        names = sorted({name.rsplit(".", 1)[0] for name in trained.files})
        changes = {
            name: Change(trained[f"{name}.down"], LORA_SCALE * trained[f"{name}.up"])
            for name in names
        }
    return adapter_gguf(changes, architecture=card()["deep"]["architecture"])


def settings(model: Path | None, threads: int) -> Config:
    overrides = {
        "judge.depth": "deep",
        "judge.threads": str(threads),
        "hallucination.timeout": "600s",
    }
    if model:
        overrides["judge.deep_model"] = str(model)
    return load_config(overrides=overrides).config


def sample(rows: list[Row], count: int | None, seed: int) -> list[Row]:
    if count is None or count >= len(rows):
        return rows
    return random.Random(seed).sample(rows, count)


def by_context(rows: list[Row]) -> list[Row]:
    groups: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.context].append(row)
    return [row for group in groups.values() for row in group]


def finished(path: Path) -> set[str]:
    """Ids already scored. A line cut short by a crash is taken off, so that it is scored again."""
    if not path.exists():
        return set()
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return {json.loads(line)["id"] for line in whole.splitlines()}


async def score(backend: VerifierBackend, rows: list[Row], out: Path, limit_s: float) -> None:
    started = time.monotonic()
    with out.open("a", encoding="utf-8") as file:
        for number, row in enumerate(rows, start=1):
            before = time.monotonic()
            (answer,) = await backend.estimate([Question(claim=row.claim, context=row.context)])
            took = time.monotonic() - before
            if isinstance(answer, BackendError):
                print(f"{row.id}: {answer}", flush=True)
                continue
            line = {"id": row.id, "p": answer.p, "refute": answer.refute, "seconds": round(took, 3)}
            file.write(json.dumps(line) + "\n")
            file.flush()
            if number % 20 == 0:
                print(f"{number}/{len(rows)} {time.monotonic() - started:.0f} s", flush=True)
            if time.monotonic() - started > limit_s:
                break
    close = getattr(backend, "aclose", None)
    if close is not None:
        await close()


if __name__ == "__main__":
    main()
