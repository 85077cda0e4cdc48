"""Accepted edges of real incident reports, drawn by a seed to be read by a person.

    python benchmarks/incident_edges.py DATA [--count 80] [--seed 15] [--show FILE]
                                             [--judged benchmarks/causes/incident_edges.jsonl]

DATA is a folder with `incidents-*.tar.xz`. `--show` writes what was drawn, with the words of the
document, for whoever judges it; it is not kept. A judgement is one line of `--judged`: document,
number, hash of the edge and `right`, `cut` (a name lacks what it needs to be understood) or
`wrong`, decided from the document alone. Printed are the shares, and how many of the edges that
are drawn now have been judged: another model or reading draws others.
"""

import argparse
import asyncio
import json
import random
import tarfile
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.config import load_config
from groundwire.ground import GroundingSession
from groundwire.model import CausalEdge, CausalGraphFile

JUDGED = Path(__file__).parent / "causes" / "incident_edges.jsonl"
ENDINGS = (".html.md.erb", ".md")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--show", type=Path, default=None, metavar="FILE")
    parser.add_argument("--judged", type=Path, default=JUDGED, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        documents = unpacked(options.data, Path(folder))
        graph = asyncio.run(grounded(documents, Path(folder)))
    drawn = draw(graph, options.count, options.seed)
    if options.show:
        options.show.write_text("\n".join(json.dumps(one) for one in drawn) + "\n")
    print(json.dumps({"accepted": len(accepted(graph)), "drawn": len(drawn)}))
    if options.judged.exists():
        print(json.dumps(counted(options.judged, drawn)))


def unpacked(data: Path, folder: Path) -> Path:
    """Every report as Markdown under its own name; pictures and readme files stay out."""
    reports = folder / "reports"
    reports.mkdir()
    for archive in sorted(data.glob("incidents-*.tar.xz")):
        with tarfile.open(archive) as opened:
            for member in sorted(opened.getmembers(), key=lambda one: one.name):
                name = Path(member.name).name
                ending = next((one for one in ENDINGS if name.endswith(one)), None)
                file = opened.extractfile(member) if member.isfile() and ending else None
                if file is not None and name.lower() != "readme.md":
                    (reports / f"{name.removesuffix(str(ending))}.md").write_bytes(file.read())
    return reports


async def grounded(documents: Path, folder: Path) -> CausalGraphFile:
    config = load_config(overrides={"home": folder / "home"}).config
    async with GroundingSession(config, [documents]) as session:
        report = await session.run()
        session.finish()
    return report.graph


def accepted(graph: CausalGraphFile) -> list[CausalEdge]:
    return sorted(
        (one for one in graph.edges if one.edge_status == "grounded"), key=lambda one: one.id
    )


def draw(graph: CausalGraphFile, count: int, seed: int) -> list[dict[str, Any]]:
    edges = accepted(graph)
    chosen = random.Random(seed).sample(edges, min(count, len(edges)))
    labels = {one.id: one.label for one in graph.variables}
    return [
        {
            "document": edge.evidence[0].quote.doc_id,
            "number": number,
            "hash": sha256(edge.id.encode()).hexdigest()[:16],
            "cause": labels[edge.from_var],
            "sign": edge.sign,
            "effect": labels[edge.to_var],
            "quote": " ".join(edge.evidence[0].quote.quote.split()),
            "around": graph.evidence[edge.evidence[0].evidence_id].content,
        }
        for number, edge in enumerate(chosen)
    ]


def counted(path: Path, drawn: list[dict[str, Any]]) -> dict[str, Any]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    verdicts = Counter(row["verdict"] for row in rows)
    shares = {name: round(count / len(rows), 3) for name, count in sorted(verdicts.items())}
    known = {row["hash"] for row in rows}
    return {
        "judged": len(rows),
        **shares,
        "of_these_drawn_now": sum(one["hash"] in known for one in drawn),
    }


if __name__ == "__main__":
    main()
