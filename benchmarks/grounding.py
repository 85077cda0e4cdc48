"""How well causal edges are told from false ones, on planted truth and on real reports.

    python benchmarks/grounding.py DATA [--sentences FILE] [--json FILE] [--seeds 2]
                                        [--only PART ...]

DATA is a folder with `bayesnets.tar.xz`, `incidents-moj.tar.xz` and `incidents-k8s.tar.xz`. Parts:
`examples` (this repository's incident reports), `networks` (each network as prose in varied
wording), `incidents` (real reports: what was drafted, grounded and rejected, and why), `speed`
(100 documents, 500 drafted edges, two passages a side) and `sentences`: pairs `X causes Y` with a
sentence and a label from FILE, one JSON object a line, read by their wording alone. Of those every
second one is counted; the others were looked at while the wording was written down.
"""

import argparse
import asyncio
import json
import lzma
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from _causal_text import Pair, render
from _machine import describe_machine

from groundwire.config import Config, load_config, thresholds_of
from groundwire.evidence import Index, Indexer, Searcher, embed_pending, make_embedder
from groundwire.ground import (
    EdgeOutcome,
    EdgeReader,
    EmbeddedEdgeJudge,
    GroundingRetriever,
    GroundingSession,
    Hypothesis,
    Passage,
    VariableNames,
    VerificationAgent,
    draft_edges,
    roots,
    spelled_apart,
)
from groundwire.judge import build_judge
from groundwire.model import CausalEdge, CausalGraphFile, EvidenceBundle, Variable, edge_id
from groundwire.text import find_quote

EXAMPLES = Path(__file__).parent.parent / "examples" / "incidents"
PARTS = ("examples", "networks", "incidents", "speed", "sentences")
SENTENCE_SET = "causal_semeval2010t8"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sentences", type=Path, default=None, metavar="FILE")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=PARTS, choices=PARTS)
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        data = unpack(options.data, Path(folder) / "data")
        for part in options.only:
            if part == "sentences" and options.sentences is None:
                continue
            if part == "sentences":
                figures[part] = sentences(options.sentences)
            else:
                figures[part] = measure(part, data, Path(folder), options.seeds)
            show(part, figures[part])
    if options.json:
        options.json.write_text(
            json.dumps({"machine": describe_machine(), "figures": figures}, indent=2) + "\n"
        )


def unpack(data: Path, folder: Path) -> Path:
    for archive in sorted(data.glob("*.tar.xz")):
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
    return folder


def measure(part: str, data: Path, folder: Path, seeds: int) -> dict[str, Any]:
    if part == "examples":
        return asyncio.run(examples(folder))
    if part == "networks":
        return asyncio.run(networks(data, folder, seeds))
    if part == "incidents":
        return asyncio.run(incidents(data, folder))
    return asyncio.run(speed(data, folder))


def settings(folder: Path, **overrides: Any) -> Config:
    return load_config(overrides={"home": folder / "home", **overrides}).config


async def judged(
    documents: Path, variables: Sequence[Variable], pairs: Sequence[tuple[str, str]], config: Config
) -> list[EdgeOutcome]:
    """Outcomes of given drafts, in order, with the documents as evidence."""
    known = {variable.id: variable for variable in variables}
    hypotheses = [
        Hypothesis(
            CausalEdge(id=f"{number}:{edge_id(a, b)}", from_var=a, to_var=b), known[a], known[b]
        )
        for number, (a, b) in enumerate(pairs)
    ]
    embedder = make_embedder(config.evidence)
    with Index(documents.parent / f"{documents.name}.index.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([documents])
        if embedder is not None:
            embed_pending(index, embedder)
        searcher = Searcher(index, thresholds=thresholds_of(config.evidence), embedder=embedder)
        reader = EdgeReader(VariableNames(variables))
        agent = VerificationAgent(
            GroundingRetriever(searcher, passages_per_side=config.verification.passages_per_side),
            EmbeddedEdgeJudge(build_judge("embedded", config), reader),
            reader,
            config.verification,
        )
        outcomes = await agent.verify_all_edges(hypotheses)
        check_quotes(index, outcomes)
    return outcomes


def check_quotes(index: Index, outcomes: Iterable[EdgeOutcome]) -> None:
    """No quote may stand anywhere but in its source, at the place that is given."""
    for outcome in outcomes:
        for one in (*outcome.edge.evidence, *outcome.edge.refutations):
            document = index.document(one.quote.doc_id)
            assert document is not None  # noqa: S101
            assert document.text[one.quote.start : one.quote.end] == one.quote.quote  # noqa: S101


async def examples(folder: Path) -> dict[str, Any]:
    truth = json.loads((EXAMPLES / "truth.json").read_text(encoding="utf-8"))
    reports = folder / "reports"
    reports.mkdir()
    for name in truth["reports"]:
        (reports / name).write_text((EXAMPLES / name).read_text(encoding="utf-8"), encoding="utf-8")
    variables = [Variable.model_validate(one) for one in truth["variables"]]
    true = [(edge["from"], edge["to"]) for edge in truth["edges"]]
    pairs = [Pair("true", *edge) for edge in true]
    pairs += [Pair("reversed", b, a) for a, b in true]
    pairs += [Pair(one["kind"], one["from"], one["to"]) for one in truth["planted"]]
    shifted = true[7:] + true[:7]
    joined = {*true, *((b, a) for a, b in true)}
    pairs += [
        Pair("invented", a, d)
        for (a, _), (_, d) in zip(true, shifted, strict=True)
        if a != d and (a, d) not in joined
    ]
    outcomes = await judged(
        reports, variables, [(one.cause, one.effect) for one in pairs], settings(folder)
    )
    return rates(pairs, outcomes)


async def networks(data: Path, folder: Path, seeds: int) -> dict[str, Any]:
    pairs: list[Pair] = []
    outcomes: list[EdgeOutcome] = []
    drafted = stated = 0
    for path in sorted((data / "bayesnets").glob("*.bif")):
        for seed in range(seeds):
            rendered = render(path, seed)
            place = folder / f"{path.stem}-{seed}"
            place.mkdir()
            for number, text in enumerate(rendered.documents):
                (place / f"notes-{number:03}.md").write_text(text, encoding="utf-8")
            variables = [Variable(id=name, label=name) for name in rendered.variables]
            pairs += rendered.pairs
            asked = [(one.cause, one.effect) for one in rendered.pairs]
            outcomes += await judged(place, variables, asked, settings(folder))
            found, of = extraction(rendered.documents, rendered.pairs)
            drafted, stated = drafted + found, stated + of
    figures = rates(pairs, outcomes)
    figures["drafted by the extractor"] = {"edges": stated, "found": drafted}
    figures["wordings not read"] = missed_templates(pairs, outcomes)
    return figures


def extraction(documents: Sequence[str], pairs: Sequence[Pair]) -> tuple[int, int]:
    """How many of the stated edges the deterministic extractor drafts by itself."""
    drafts = {
        (roots(spelled_apart(edge.from_var)), roots(spelled_apart(edge.to_var)))
        for text in documents
        for edge in draft_edges(text).edges
    }
    true = [
        (roots(spelled_apart(one.cause)), roots(spelled_apart(one.effect)))
        for one in pairs
        if one.kind == "true"
    ]
    found = sum(any(cause <= a and effect <= b for a, b in drafts) for cause, effect in true)
    return found, len(true)


def rates(pairs: Sequence[Pair], outcomes: Sequence[EdgeOutcome]) -> dict[str, Any]:
    by_kind: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair, outcome in zip(pairs, outcomes, strict=True):
        by_kind[pair.kind][outcome.edge.edge_status] += 1
    return {
        kind: {
            "edges": counted.total(),
            "grounded": counted["grounded"],
            "share": round(counted["grounded"] / counted.total(), 4),
        }
        for kind, counted in by_kind.items()
    }


def missed_templates(
    pairs: Sequence[Pair], outcomes: Sequence[EdgeOutcome]
) -> dict[str, dict[str, int]]:
    missed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair, outcome in zip(pairs, outcomes, strict=True):
        is_right = (outcome.edge.edge_status == "grounded") == (pair.kind == "true")
        missed[f"{pair.kind}: {pair.template or 'not stated'}"][
            "wrong" if not is_right else "right"
        ] += 1
    return {name: dict(counted) for name, counted in missed.items() if counted["wrong"]}


def sentences(file: Path) -> dict[str, Any]:
    """Natural sentences that nobody here wrote: is the stated direction read, and no other?"""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["set"].startswith(SENTENCE_SET)]
    counted: Counter[tuple[int, bool]] = Counter()
    for row in rows[1::2]:
        cause, _, effect = row["claim"].partition(" causes ")
        ends = Variable(id="cause", label=cause), Variable(id="effect", label=effect)
        edge = CausalEdge(id="cause->effect", from_var="cause", to_var="effect")
        passage = Passage(EvidenceBundle.of(row["evidence"], "sentence"), "support")
        found = EdgeReader(VariableNames(ends)).findings(Hypothesis(edge, *ends), [passage])
        counted[row["label"], any(one.kind == "direct" for one in found)] += 1
    return {
        name: {
            "edges": counted[label, True] + counted[label, False],
            "grounded": counted[label, True],
            "share": round(
                counted[label, True] / (counted[label, True] + counted[label, False]), 4
            ),
        }
        for label, name in ((1, "true"), (0, "false"))
    }


def copied_reports(data: Path, reports: Path) -> None:
    reports.mkdir()
    for path in sorted([*data.glob("incidents-moj/20*.erb"), *data.glob("incidents-k8s/20*.md")]):
        name = path.name.removesuffix(".erb").replace(".html", "")
        (reports / name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")


async def incidents(data: Path, folder: Path) -> dict[str, Any]:
    reports = folder / "incidents"
    copied_reports(data, reports)
    started_s = time.perf_counter()
    async with GroundingSession(settings(folder), [reports]) as session:
        report = await session.run()
        session.finish()
    run = report.graph.run
    quotes_found(report.graph, reports)
    return run.model_dump(exclude={"duration_s"}) | {
        "set aside": report.set_aside,
        "variables": len(report.graph.variables),
        "seconds": round(time.perf_counter() - started_s, 1),
    }


def quotes_found(graph: CausalGraphFile, folder: Path) -> None:
    for edge in graph.edges:
        for one in edge.evidence:
            text = (folder.parent / one.quote.doc_id).read_text(encoding="utf-8")
            assert find_quote(one.quote.quote, text) is not None  # noqa: S101


async def speed(data: Path, folder: Path) -> dict[str, Any]:
    """All networks as 100 documents; 500 drafts of every kind."""
    place = folder / "speed"
    place.mkdir()
    pairs: list[Pair] = []
    names: dict[str, None] = {}
    texts: list[str] = []
    for path in sorted((data / "bayesnets").glob("*.bif")):
        rendered = render(path, seed=99)
        pairs += rendered.pairs
        texts += rendered.documents
        names |= dict.fromkeys(rendered.variables)
    for number, text in enumerate(texts[:100]):
        (place / f"notes-{number:03}.md").write_text(text, encoding="utf-8")
    chosen = pairs[:: max(1, len(pairs) // 500)][:500]
    variables = [Variable(id=name, label=name) for name in names]
    config = settings(folder, **{"verification.passages_per_side": 2})
    started_s = time.perf_counter()
    cpu_s = time.process_time()
    outcomes = await judged(place, variables, [(one.cause, one.effect) for one in chosen], config)
    return {
        "documents": min(100, len(texts)),
        "edges": len(outcomes),
        "iterations": sum(one.iterations for one in outcomes),
        "seconds": round(time.perf_counter() - started_s, 1),
        "cpu_seconds": round(time.process_time() - cpu_s, 1),
    }


def show(part: str, figures: dict[str, Any]) -> None:
    print(f"\n{part}")
    for name, value in figures.items():
        if isinstance(value, dict) and "share" in value:
            print(f"  {name:18} {value['grounded']:5} of {value['edges']:5} {value['share']:8.1%}")
        elif name == "wordings not read":
            for template, counted in sorted(value.items()):
                print(f"    {template:70} {counted}")
        else:
            print(f"  {name:18} {value}")


if __name__ == "__main__":
    main()
