"""Seconds per claim: the fast tier, the deep tier on new evidence, and on evidence it has read.

    python benchmarks/deep_speed.py --model FILE.gguf [--documents 6] [--threads 2] [--json FILE]

Evidence is 180 words of a document in `examples/documents`; claims are its own sentences. For each
document the first claim pays for reading the evidence, the others do not. Time on the clock tells
what a user waits on a quiet machine; processor time is less disturbed by what else runs.
"""

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

from groundwire.config import load_config
from groundwire.judge import (
    EmbeddedBackend,
    Estimate,
    Evidence,
    Question,
    VerifierBackend,
    build_deep,
)
from groundwire.model import EvidenceBundle
from groundwire.text import sentence_ranges

DOCUMENTS = Path(__file__).parents[1] / "examples" / "documents" / "adr"
CLAIMS_EACH = 4
Timing = tuple[float, float]


def questions(count: int, words: int) -> list[list[Question]]:
    """For each document, claims about the same context."""
    made = []
    for path in sorted(DOCUMENTS.glob("*.md"))[:count]:
        text = path.read_text(encoding="utf-8")
        evidence = Evidence([EvidenceBundle.of(text, path.stem)])
        claims = [text[start:end] for start, end in sentence_ranges(text)]
        usable = [one for one in claims if 6 <= len(one.split()) <= 30][:CLAIMS_EACH]
        context = evidence.text(evidence.narrow(usable[0], words))
        made.append([Question(claim=claim, context=context) for claim in usable])
    return made


async def timed(backend: VerifierBackend, question: Question) -> Timing:
    clock, processor = time.perf_counter(), time.process_time()
    (answer,) = await backend.estimate([question])
    if not isinstance(answer, Estimate):
        raise SystemExit(str(answer))
    return time.perf_counter() - clock, time.process_time() - processor


async def measure(arguments: argparse.Namespace) -> dict[str, list[Timing]]:
    overrides = {
        "judge.depth": "deep",
        "judge.threads": str(arguments.threads),
        "judge.deep_model": str(arguments.model),
        "hallucination.timeout": "600s",
    }
    deep = build_deep(load_config(overrides=overrides).config)
    fast = EmbeddedBackend(threads=arguments.threads)
    documents = questions(arguments.documents, deep.context_words)
    warm_up = Question(claim="It is raining.", context="The sun is out.")
    started = time.perf_counter()
    await deep.estimate([warm_up])
    print(f"model loaded and first claim judged in {time.perf_counter() - started:.1f} s")
    await fast.estimate([warm_up])
    found: dict[str, list[Timing]] = {"fast": [], "deep, new evidence": [], "deep, read before": []}
    for group in documents:
        for number, question in enumerate(group):
            found["fast"].append(await timed(fast, question))
            kind = "deep, read before" if number else "deep, new evidence"
            found[kind].append(await timed(deep, question))
    await deep.aclose()
    return found


def summary(timings: Sequence[Timing]) -> dict[str, float]:
    return {
        "claims": len(timings),
        "clock_s": round(statistics.median(clock for clock, _ in timings), 4),
        "processor_s": round(statistics.median(processor for _, processor in timings), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    table = {kind: summary(found) for kind, found in asyncio.run(measure(arguments)).items()}
    for kind, row in table.items():
        print(
            f"{kind:20s} {row['claims']:3.0f} claims  median {row['clock_s']:7.3f} s on the clock  "
            f"{row['processor_s']:7.3f} s of processor"
        )
    machine = describe_machine()
    print(machine)
    if arguments.json:
        result = {"machine": machine, "threads": arguments.threads, "tiers": table}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
