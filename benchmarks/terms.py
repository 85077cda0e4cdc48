"""How fast terms are found, and that no definition is invented.

    python benchmarks/terms.py VOCABULARY… [--json FILE]

A VOCABULARY is a SKOS file, a folder of them, or either as .xz or .tar.xz. Measured for each:
the time to index it, the time a fresh process needs from opening the index to its first answer,
and the time of further lookups. Then a Skosmos stand-in that serves the first of them and takes
30 ms for each of its two calls, over a real socket with a cold cache. Then every vocabulary is
asked for the labels of all others and for misspelt ones of its own: a definition that does not
stand in the file under the label that was found counts as invented.
"""

import argparse
import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyoxigraph
from _machine import describe_machine, quantiles

from groundwire.errors import SKOSMOSTimeout
from groundwire.terms import RDF_SUFFIXES, LocalVocabulary, SKOSMOSClient
from groundwire.testing import SkosmosStandIn

SKOS = "http://www.w3.org/2004/02/skos/core#"
COLD_RUNS = 15
WARM_LOOKUPS = 2000
SERVER_LOOKUPS = 200
SERVER_DELAY_MS = 30
MAX_ASKED = 20_000
MAX_LABEL_CHARS = 300

COLD = """
import sys, time
from pathlib import Path
from groundwire.terms import LocalVocabulary
started, worked = time.perf_counter(), time.process_time()
vocabulary = LocalVocabulary([Path(sys.argv[1])], Path(sys.argv[2]), max_file_mb=500)
vocabulary.lookup(sys.argv[3])
print((time.perf_counter() - started) * 1000, (time.process_time() - worked) * 1000)
"""


@dataclass
class Source:
    """What a vocabulary says, read with nothing of ours but the file format."""

    name: str
    path: Path
    labels: dict[str, set[str]]
    definitions: dict[str, set[str]]

    def defined_under(self, label: str) -> set[str]:
        found: set[str] = set()
        for concept in self.labels.get(folded(label), ()):
            found |= self.definitions.get(concept, set())
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vocabulary", nargs="+", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sources = [read(unpacked(path, Path(folder))) for path in options.vocabulary]
        figures = {"machine": describe_machine(), "vocabularies": {}}
        for source in sources:
            home = Path(folder) / f"{source.name}.home"
            figures["vocabularies"][source.name] = measured(source, home, sources)
        figures["server"] = served(sources[0])
    show(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def measured(source: Source, home: Path, sources: Sequence[Source]) -> dict[str, Any]:
    index = home / "vocabulary.sqlite"
    vocabulary = LocalVocabulary([source.path], index, max_file_mb=500)
    started_s = time.perf_counter()
    files = vocabulary.files()
    index_s = time.perf_counter() - started_s
    for file in files_of(source.path):  # old enough for their time stamps to be trusted
        os.utime(file, ns=(0, 0))
    vocabulary.close()
    vocabulary = LocalVocabulary([source.path], index, max_file_mb=500)
    vocabulary.files()
    chosen = sample(list(source.labels), WARM_LOOKUPS)
    cold = [cold_ms(source, index, term) for term in chosen[:COLD_RUNS]]
    result = {
        "concepts": sum(file.concepts for file in files),
        "defined": sum(file.definitions for file in files),
        "labels": len(source.labels),
        "unreadable": vocabulary.problems(),
        "index_s": round(index_s, 2),
        "index_mb": round(index.stat().st_size / 1e6, 1),
        "cold_ms": quantiles([wall for wall, _ in cold]),
        "cold_processor_ms": quantiles([processor for _, processor in cold]),
        "warm_ms": quantiles([timed_ms(lambda t=term: vocabulary.lookup(t)) for term in chosen]),
        "miss_with_suggestions_ms": quantiles(
            [timed_ms(lambda t=term: vocabulary.suggest(t[1:] + "q", 3)) for term in chosen[:100]]
        ),
        "asked": asdict(interrogated(vocabulary, source, sources)),
    }
    vocabulary.close()
    return result


@dataclass
class Tally:
    asked: int = 0
    not_there: int = 0
    not_found: int = 0
    defined: int = 0
    defined_in_another_form: int = 0
    ambiguous: int = 0
    no_definition: int = 0
    invented: int = 0
    missed: int = 0


def interrogated(vocabulary: LocalVocabulary, source: Source, sources: Sequence[Source]) -> Tally:
    """Ask for own labels, foreign labels and misspelt ones, and check every definition."""
    foreign = sorted({label for other in sources for label in other.labels} - source.labels.keys())
    own = sorted(source.labels)
    misspelt = [swapped(label) for label in sample(own, MAX_ASKED // 4)]
    tally = Tally()
    for term in sample(foreign, MAX_ASKED // 2) + sample(own, MAX_ASKED // 4) + misspelt:
        if term.strip(" *"):
            check(vocabulary, source, term, tally)
    return tally


def check(vocabulary: LocalVocabulary, source: Source, term: str, tally: Tally) -> None:
    result = vocabulary.lookup(term[:MAX_LABEL_CHARS])
    there = folded(term) in source.labels
    tally.asked += 1
    tally.not_there += not there
    tally.not_found += result.outcome == "not_found"
    tally.ambiguous += result.outcome == "ambiguous"
    tally.no_definition += result.outcome == "no_definition"
    tally.missed += there and not result.found
    if result.definition is not None:
        matched = {concept.matched_label or "" for concept in result.concepts}
        allowed = set().union(*(source.defined_under(label) for label in {term, *matched}))
        tally.invented += not set(result.definition.split("\n")) <= lines(allowed)
        tally.defined += 1
        tally.defined_in_another_form += not there


def served(source: Source) -> dict[str, Any]:
    """The latency a lookup on a server adds when each of its calls takes 30 ms."""
    defined = [label for label in source.labels if source.defined_under(label)]
    terms = sample(defined, SERVER_LOOKUPS)
    files = [file for file in files_of(source.path) if readable(file)]
    with SkosmosStandIn(files, vocabulary="v", delay_ms=SERVER_DELAY_MS) as server:
        client = SKOSMOSClient(server.url, vocabulary="v")
        client.suggest("warm up the connection", 1)
        hits = [timed_ms(lambda t=term: attempted(client, t)) for term in terms]
        misses = [timed_ms(lambda n=n: client.lookup(f"qqqq{n}")) for n in range(50)]
        cached = [timed_ms(lambda t=term: client.lookup(t)) for term in terms]
        client.close()
    return {
        "vocabulary": source.name,
        "delay_ms_per_call": SERVER_DELAY_MS,
        "hit_ms": quantiles(hits),
        "miss_ms": quantiles(misses),
        "cached_ms": quantiles(cached),
    }


def attempted(client: SKOSMOSClient, term: str) -> None:
    """A timeout is a lookup that took the whole deadline."""
    with suppress(SKOSMOSTimeout):
        client.lookup(term)


def cold_ms(source: Source, index: Path, term: str) -> tuple[float, float]:
    """Wall and processor time from opening the index to the answer, in a process of its own."""
    command = [sys.executable, "-c", COLD, str(source.path), str(index), term]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    wall, processor = printed.split()
    return float(wall), float(processor)


def timed_ms(call: Any) -> float:
    started_s = time.perf_counter()
    call()
    return (time.perf_counter() - started_s) * 1000


def read(path: Path) -> Source:
    labels: dict[str, set[str]] = {}
    definitions: dict[str, set[str]] = {}
    concepts: set[str] = set()
    for file in files_of(path):
        try:
            statements = list(parsed(file))
        except SyntaxError:
            continue
        for subject, predicate, value in statements:
            if predicate.endswith("#type") and value.value == SKOS + "Concept":
                concepts.add(subject)
        held = {s: o.value for s, p, o in statements if p.endswith(("#value", "#literalForm"))}
        for subject, predicate, value in statements:
            text = value.value if hasattr(value, "language") else held.get(value.value, "")
            if predicate.endswith(("#prefLabel", "#altLabel", "#hiddenLabel")):
                labels.setdefault(folded(text), set()).add(subject)
            elif predicate == SKOS + "definition" and text.strip():
                definitions.setdefault(subject, set()).add(text)
    kept = {label: owners & concepts for label, owners in labels.items() if owners & concepts}
    kept = {
        label: owners for label, owners in kept.items() if label and len(label) <= MAX_LABEL_CHARS
    }
    return Source(path.name.split(".")[0], path, kept, definitions)


def parsed(file: Path) -> Iterator[tuple[str, str, Any]]:
    for statement in pyoxigraph.parse(path=file, base_iri=file.as_uri(), lenient=True):
        yield str(statement.subject.value), statement.predicate.value, statement.object


def readable(file: Path) -> bool:
    try:
        return any(True for _ in list(parsed(file)))
    except SyntaxError:
        return False


def unpacked(path: Path, folder: Path) -> Path:
    """A copy of our own, so that its time stamps can be changed."""
    target = folder / path.name.removesuffix(".xz").removesuffix(".tar")
    if path.name.endswith(".tar.xz"):
        with tarfile.open(path) as archive:
            archive.extractall(target, filter="data")
        return flattened(target)
    if path.is_dir():
        return Path(shutil.copytree(path, target))
    data = path.read_bytes()
    target.write_bytes(lzma.decompress(data) if path.suffix == ".xz" else data)
    return target


def flattened(folder: Path) -> Path:
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.parent != folder:
            file.replace(folder / file.name)
    return folder


def files_of(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.iterdir() if file.suffix.lower() in RDF_SUFFIXES)


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def lines(texts: set[str]) -> set[str]:
    return {line for text in texts for line in text.strip().replace("\r", "").split("\n")}


def swapped(label: str) -> str:
    """Two letters in the middle change places."""
    at = max(len(label) // 2, 1)
    return label[: at - 1] + label[at : at + 1] + label[at - 1 : at] + label[at + 1 :]


def sample(values: list[str], size: int) -> list[str]:
    return random.Random(5).sample(values, min(size, len(values)))


def show(figures: dict[str, Any]) -> None:
    print(figures["machine"])
    print(row("vocabulary", "concepts", "index s", "MB", "cold ms", "cpu ms", "max ms", "warm p95"))
    for name, found in figures["vocabularies"].items():
        cold, warm = found["cold_ms"], found["warm_ms"]
        sizes = (found["concepts"], found["index_s"], found["index_mb"])
        worked = found["cold_processor_ms"]["p50"]
        print(row(name, *sizes, cold["p50"], worked, cold["max"], warm["p95"]))
        for problem in found["unreadable"]:
            print(f"    not read: {problem[:150]}")
    print(row("\nasked of", "terms", "not there", "not found", "other form", "missed", "invented"))
    for name, found in figures["vocabularies"].items():
        asked = found["asked"]
        keys = ("asked", "not_there", "not_found", "defined_in_another_form", "missed", "invented")
        print(row(name, *(asked[key] for key in keys)))
    server = figures["server"]
    print(f"\nserver, {server['delay_ms_per_call']} ms a call, two calls a term, in ms:")
    for kind in ("hit_ms", "miss_ms", "cached_ms"):
        print(f"  {kind.removesuffix('_ms'):<8}{server[kind]}")


def row(name: object, *cells: object) -> str:
    return f"{name:<26}" + "".join(f"{cell:>11}" for cell in cells)


if __name__ == "__main__":
    main()
