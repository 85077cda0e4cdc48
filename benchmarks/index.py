"""How long it takes to index a corpus, to embed it, and to search it.

    python benchmarks/index.py CORPUS... [--embedder MODULE:FACTORY] [--json FILE]

A corpus is a folder or a tar archive. `MODULE:FACTORY` names a function without arguments that
returns an embedder; `hashing` is one that needs no model. The questions are the titles of the
documents, so it is known which document each should find.
"""

import argparse
import importlib
import json
import os
import platform
import sqlite3
import sys
import tarfile
import tempfile
import time
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

from groundwire.config import Config
from groundwire.evidence import Embedder, Index, Indexer, Searcher, embed_pending
from groundwire.testing import HashingEmbedder

COUNTED_DOCUMENTS = 200
QUESTIONS = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--embedder", default=None, metavar="MODULE:FACTORY")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        roots = [unpacked(corpus, Path(folder)) for corpus in options.corpora]
        figures = measure(roots, Path(folder), embedder_named(options.embedder))
    show(figures)
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=2))


def unpacked(corpus: Path, folder: Path) -> Path:
    if corpus.is_dir():
        return corpus
    place = folder / corpus.name.split(".")[0]
    with tarfile.open(corpus) as archive:
        archive.extractall(place, filter="data")
    return place


def embedder_named(name: str | None) -> Embedder | None:
    if name is None or name == "hashing":
        return HashingEmbedder(384) if name else None
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 the factory may stand beside the caller
    module, _, factory = name.partition(":")
    made: Embedder = getattr(importlib.import_module(module), factory)()
    return made


def measure(roots: list[Path], folder: Path, embedder: Embedder | None) -> dict[str, Any]:
    config = Config()
    figures: dict[str, Any] = {}
    with Index(folder / "index.sqlite") as index:
        indexer = Indexer(index, config.evidence, config.limits)
        reached_s: list[float] = []
        started_s = time.perf_counter()
        report = indexer.run(roots, lambda *_: reached_s.append(time.perf_counter() - started_s))
        figures |= {
            "documents": report.documents,
            "passages": report.passages,
            "refused": len(report.refused),
            "searchable_s": reached_s[-1],
            f"first_{COUNTED_DOCUMENTS}_searchable_s": reached_s[:COUNTED_DOCUMENTS][-1],
        }
        again_s = time.perf_counter()
        indexer.run(roots)
        figures["nothing_changed_s"] = time.perf_counter() - again_s
        figures["index_mb"] = index.path.stat().st_size / 1e6
        figures["words"] = searched(index, None)
        if embedder is not None:
            figures |= embedded(index, embedder)
            figures["hybrid"] = searched(index, embedder)
    return figures


def embedded(index: Index, embedder: Embedder) -> dict[str, Any]:
    """Embedding in one thread while another one searches."""
    done_s: list[float] = []

    def embed() -> None:
        started_s = time.perf_counter()
        embed_pending(index, embedder)
        done_s.append(time.perf_counter() - started_s)

    thread = Thread(target=embed)
    thread.start()
    searcher = Searcher(index, thresholds=Config().evidence.thresholds)
    latencies_ms = []
    for title in titles(index):
        latencies_ms.append(timed(searcher, title)[0])
        if not thread.is_alive():
            break
        time.sleep(0.05)
    thread.join()
    return {
        "embedder": embedder.name,
        "embedded_s": done_s[0],
        "words_while_embedding": percentiles(latencies_ms),
    }


def searched(index: Index, embedder: Embedder | None) -> dict[str, float]:
    searcher = Searcher(index, thresholds=Config().evidence.thresholds, embedder=embedder)
    documents = {one.title: one.doc_id for one in index.documents()}
    latencies_ms, first = [], 0
    asked = titles(index)
    timed(searcher, asked[0])
    for title in asked:
        latency_ms, found = timed(searcher, title)
        latencies_ms.append(latency_ms)
        first += bool(found) and found[0] == documents[title]
    return percentiles(latencies_ms) | {"title_found_first": first / len(asked)}


def titles(index: Index) -> list[str]:
    """Of documents that bear them alone, spread over the corpus."""
    named = [one.title for one in index.documents() if one.identity.doc_type != "template"]
    counts = Counter(named)
    unique = [title for title in counts if counts[title] == 1] or list(counts)
    step = max(1, len(unique) // QUESTIONS)
    return unique[::step][:QUESTIONS]


def timed(searcher: Searcher, question: str) -> tuple[float, list[str]]:
    started_s = time.perf_counter()
    result = searcher.search_sync(question)
    latency_ms = (time.perf_counter() - started_s) * 1000
    return latency_ms, [hit.source.doc_id for hit in result.hits]


def percentiles(latencies_ms: list[float]) -> dict[str, float]:
    ordered = sorted(latencies_ms)
    return {
        "p50_ms": ordered[len(ordered) // 2],
        "p95_ms": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))],
        "questions": len(ordered),
    }


def machine() -> dict[str, Any]:
    return {
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "load_1_min": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def show(figures: dict[str, Any], indent: str = "") -> None:
    for name, value in figures.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            show(value, indent + "  ")
        else:
            shown = f"{value:.3f}" if isinstance(value, float) else value
            print(f"{indent}{name:<28}{shown:>12}")
    if not indent:
        print("machine", json.dumps(machine()))


if __name__ == "__main__":
    main()
