"""Questions that other people wrote for their own documents, asked as a golden set.

    python benchmarks/golden.py ALLIANDER_ESA [--json FILE] [--misses]

ALLIANDER_ESA is `alliander-esa.tar.xz`: decisions and principles of an energy company, with the
questions its architects test their own system by. Of an expected answer the named decisions and
principles must be cited, any one of them. Some questions name none: they ask for vocabularies and
policies that are not in the archive, so nothing can be said of their answers, and they are counted
apart. Nothing in Groundwire was fitted to this set.
"""

import argparse
import json
import re
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.evaluate import (
    Expected,
    GoldenQuery,
    GoldenSet,
    ask_questions,
    blob_hash,
    measured,
)

GOLD = "GOLD_STANDARD_TEST_QUESTIONS.md"
PREFIXES = {"ADR": "ADR", "Principle": "PCP"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--misses", action="store_true", help="show every wrong outcome")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(options.archive) as packed:
            packed.extractall(folder, filter="data")
        root = Path(folder) / "alliander-esa"
        content = (root / GOLD).read_bytes()
        config = load_config(overrides={"home": str(Path(folder) / "home")}, environ={}).config
        golden = GoldenSet(
            path=Path(GOLD), hash=blob_hash(content), version="v0", queries=read_gold(content)
        )
        with Engine(config) as engine:
            engine.index_sync([root / "data"])
            outcomes = ask_questions(engine, golden)
    known = [one for one in outcomes if one.category != "not in the archive"]
    others = [one for one in outcomes if one.category == "not in the archive"]
    found = measured(known)
    print(describe_machine())
    print(f"{len(outcomes)} questions; {len(known)} whose answer is known: {found.overall}")
    for name, rates in found.by_category.items():
        print(f"  {name:16} {rates.passed} of {rates.count}")
    print(f"of the {len(others)} others {sum(one.given for one in others)} were answered")
    print(f"latency {found.latency}")
    if options.misses:
        for one in known:
            if not one.passed:
                print(f"  {one.id} {one.reason}: {one.input} -> {one.actual['doc_ids']}")
    if options.json:
        document = {"machine": describe_machine(), "metrics": found.model_dump(mode="json")}
        document["others"] = {"asked": len(others), "answered": sum(one.given for one in others)}
        options.json.write_text(json.dumps(document, indent=1) + "\n")


def read_gold(content: bytes) -> tuple[GoldenQuery, ...]:
    found = []
    for part in content.decode().split("\n### ")[1:]:
        asked = re.search(r"\*\*Question:\*\* (.+)", part)
        expected = re.search(r"\*\*Expected:\*\* (.+)", part)
        if asked and expected:
            named = re.findall(r"(ADR|Principle)[- ](\d{2,4})", f"{expected[1]} {asked[1]}")
            keys = tuple(dict.fromkeys(f"{PREFIXES[kind]}.{int(n)}" for kind, n in named))
            nothing = part.startswith("N")
            kind = "no answer" if nothing else "answer" if keys else "not in the archive"
            found.append(
                GoldenQuery(
                    id=part.split(".")[0],
                    query=asked[1].strip(),
                    category=kind,
                    expected=Expected(abstain=nothing, doc_ids=() if nothing else keys),
                )
            )
    return tuple(found)


if __name__ == "__main__":
    main()
