"""How long an answer takes over many documents, with reranking, on a warm engine.

    python benchmarks/ask_speed.py [--documents 5000] [--questions 60] [--json FILE]
                                   [--keep FOLDER]

Documents of two pages are made from a list of words, the same every time. Their vectors are
random: what a search costs does not depend on what they mean, and embedding them would take
minutes. Besides the times stands what reading one question with one passage costs at the same
moment, since the machine may be busy: `pairs` is a question's processor time in such readings.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
import numpy as np
from _machine import describe_machine, quantiles

from groundwire.answer import Answerer, open_answerer
from groundwire.config import Config, load_config
from groundwire.encoder import QuestionReader
from groundwire.evidence import Index, Indexer, make_embedder
from groundwire.evidence._candidates import Vectors

WORDS = (
    "valve pump meter grid station cable relay feeder sensor operator supplier customer contract"
    " invoice schedule outage storm repair inspection permit safety training backup server network"
    " firewall certificate password token archive report review budget tender audit policy rule"
    " exception deadline owner team board director branch depot vehicle route map region district"
    " pressure voltage current frequency load forecast demand reserve battery panel turbine"
).split()
SENTENCES_A_DOCUMENT, WORDS_A_SENTENCE = 64, 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        config = load_config(overrides={"evidence.index": str(folder / "index.sqlite")}).config
        found: dict[str, Any] = {"machine": describe_machine()}
        found |= indexed(config, folder / "documents", options.documents)
        answerer = open_answerer(config)
        found |= asked(answerer, options.questions)
        answerer.close()
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def indexed(config: Config, folder: Path, count: int) -> dict[str, Any]:
    if not folder.exists():
        folder.mkdir(parents=True)
        for number in range(count):
            (folder / f"{number:05}.md").write_text(document(number), encoding="utf-8")
    assert config.evidence.index is not None  # noqa: S101 - it was set above
    with Index(config.evidence.index) as index:
        started_s = time.perf_counter()
        report = Indexer(index, config.evidence, config.limits).run([folder])
        searchable_s = time.perf_counter() - started_s
        embedder = make_embedder(config.evidence)
        assert embedder is not None  # noqa: S101 - the default has one
        vectors = Vectors(index, embedder.name)
        chance = np.random.default_rng(7)
        for row_id in vectors.pending_ids():
            waiting = vectors.pending(row_id)
            rows = chance.normal(size=(len(waiting.texts) if waiting else 0, embedder.dimension))
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            vectors.put(row_id, rows.astype(np.float32))
        return {
            "documents": report.documents,
            "passages": report.passages,
            "words_searchable_s": round(searchable_s, 1),
        }


def document(number: int) -> str:
    chance = random.Random(number)
    title = " ".join(chance.sample(WORDS, 3)).capitalize()
    parts = [f"# {title}\n\nStatus: accepted\n"]
    for place in range(SENTENCES_A_DOCUMENT):
        if place % 16 == 0:
            parts.append(f"\n## {chance.choice(WORDS).capitalize()}\n")
        said = " ".join(chance.choices(WORDS, k=WORDS_A_SENTENCE))
        parts.append(f"The {said} is {chance.randint(2, 900)} days.")
    return "\n".join(parts) + "\n"


def asked(answerer: Answerer, count: int) -> dict[str, Any]:
    chance = random.Random(1)
    reader = QuestionReader()
    questions = [
        f"How long does the {' '.join(chance.sample(WORDS, 3))} last at the {chance.choice(WORDS)}?"
        for _ in range(count + 1)
    ]
    passage = " ".join(document(1).split()[:150])
    asyncio.run(answerer.ask(questions[0]))
    walls, works, pairs = [], [], []
    for question in questions[1:]:
        wall_s, worked_s = time.perf_counter(), time.process_time()
        asyncio.run(answerer.ask(question))
        walls.append((time.perf_counter() - wall_s) * 1000)
        works.append((time.process_time() - worked_s) * 1000)
        worked_s = time.process_time()
        reader.read([(question, passage)])
        pairs.append((time.process_time() - worked_s) * 1000)
    pair_ms = sorted(pairs)[len(pairs) // 2]
    return {
        "wall_ms": quantiles(walls),
        "processor_ms": quantiles(works),
        "one_pair_ms": round(pair_ms, 1),
        "pairs": quantiles([one / pair_ms for one in works]),
    }


if __name__ == "__main__":
    main()
