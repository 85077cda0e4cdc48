"""Whether evidence that has nothing to do with a claim changes what is said of it.

    python benchmarks/evidence.py DATA/claims/dev.jsonl.xz [--limit N] [--json FILE]

DATA has labelled rows (set, evidence, claim, label). Every row is verified by its own evidence, and
again with evidence of rows of other sets before or after it: a status that changes is drift. Every
supported claim is also verified by evidence of another set alone: it should come out unsupported.
"""

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _claims import lines
from _machine import describe_machine

from groundwire import Engine
from groundwire.judge import Evidence
from groundwire.model import Claim, ClaimResult, EvidenceBundle, Span

SEED = 12
AT_ONCE = 32
ADDED = 2


async def main() -> None:
    arguments = _arguments()
    lot = random.Random(SEED)
    rows = list(lines(arguments.data))
    chosen = lot.sample(rows, arguments.limit) if arguments.limit else rows
    engine = Engine()
    alone, added, elsewhere = [], [], []
    for start in range(0, len(chosen), AT_ONCE):
        part = chosen[start : start + AT_ONCE]
        tasks = [_row(engine, row, rows, lot) for row in part]
        for own, more, other in await asyncio.gather(*tasks):
            alone.append(own)
            added.append(more)
            elsewhere.append(other)
        print(f"\r{len(alone)} of {len(chosen)}", end="", file=sys.stderr, flush=True)
    figures = _figures(chosen, alone, added, elsewhere)
    print("\n" + json.dumps(figures, indent=2))
    if arguments.json:
        document = {"figures": figures, "machine": describe_machine()}
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")


async def _row(
    engine: Engine, row: dict[str, Any], rows: Sequence[dict[str, Any]], lot: random.Random
) -> tuple[ClaimResult, ClaimResult, ClaimResult]:
    others = [_other(row, rows, lot)["evidence"] for _ in range(ADDED)]
    own = row["evidence"]
    mixed = [own, *others] if lot.random() < 1 / 2 else [*others, own]
    return (
        await _verified(engine, row["claim"], [own]),
        await _verified(engine, row["claim"], mixed),
        await _verified(engine, row["claim"], others[:1]),
    )


async def _verified(engine: Engine, claim: str, texts: Sequence[str]) -> ClaimResult:
    bundles = [EvidenceBundle.of(text, f"document {number}") for number, text in enumerate(texts)]
    stated = Claim(content=claim, source=Span(start=0, end=len(claim)))
    [result] = await engine.parts.verifier.verify([stated], Evidence(bundles))
    return result


def _other(
    row: dict[str, Any], rows: Sequence[dict[str, Any]], lot: random.Random
) -> dict[str, Any]:
    """A row of another family of sets: `nli_snli` and `nli_mnli` share none, `x.dev` and `x` do."""
    while True:
        other = lot.choice(rows)
        if other["set"].split(".")[0] != row["set"].split(".")[0]:
            return other


def _figures(
    rows: Sequence[dict[str, Any]],
    alone: Sequence[ClaimResult],
    added: Sequence[ClaimResult],
    elsewhere: Sequence[ClaimResult],
) -> dict[str, Any]:
    supported = [one for one, row in zip(elsewhere, rows, strict=True) if row["label"] == 1]
    moves = Counter(
        f"{before.status} to {after.status}"
        for before, after in zip(alone, added, strict=True)
        if before.status != after.status
    )
    decided = [one for one in (*alone, *added) if one.status in ("grounded", "contradicted")]
    return {
        "rows": len(rows),
        "drift": round(moves.total() / len(rows), 4),
        "drift_moves": dict(moves.most_common()),
        "supported_elsewhere": len(supported),
        "elsewhere_contradicted": _share(supported, "contradicted"),
        "elsewhere_grounded": _share(supported, "grounded"),
        "decided_without_quote": sum(not one.evidence for one in decided),
        "own": dict(
            Counter(f"{row['label']} {one.status}" for row, one in zip(rows, alone, strict=True))
        ),
    }


def _share(results: Sequence[ClaimResult], status: str) -> float:
    return round(sum(one.status == status for one in results) / max(1, len(results)), 4)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
