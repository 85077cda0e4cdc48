"""Questions over three corpora, written without sight of the code: right, wrong, abstained.

    python benchmarks/questions.py CORPORA [--half open|sealed] [--json FILE] [--misses]
                                           [--keep FOLDER]

CORPORA is a folder with `uk-gov.tar.xz`, `alliander-esa.tar.xz` and `peps.tar.xz`; the questions
stand in `questions/unseen-open.jsonl` and `questions/unseen-sealed.jsonl`, their hashes in
`questions/unseen.sha256`. The first half was looked at while the code was made, the second was
scored once. Three questions about what a named person wrote are not kept here.
`--keep` leaves the indexes in a folder, to use them again.

An answer is right when one of the given alternatives stands in it in whole tokens; a comparison
when every part has one; a list when the documents listed are exactly those given. A question
without an answer is rightly not answered. Asking back counts as not answering.
"""

import argparse
import asyncio
import json
import re
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine

from groundwire.answer import Answerer, open_answerer
from groundwire.config import load_config
from groundwire.evidence import index_documents, make_embedder
from groundwire.model import Answer

HERE = Path(__file__).parent / "questions"
FOLDERS = {
    "uk-gov": "uk-gov",
    "alliander-esa": "alliander-esa/data",
    "peps": "peps",
}
GROUPS = {"list": "lists", "paraphrase": "paraphrases", "unanswerable": "unanswerable"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--half", choices=("open", "sealed"), default="open")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--misses", action="store_true", help="show every outcome that is not right"
    )
    options = parser.parse_args()
    lines = (HERE / f"unseen-{options.half}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    outcomes: list[tuple[dict[str, Any], str]] = []
    seconds: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, place in FOLDERS.items():
            with tarfile.open(options.corpora / f"{name}.tar.xz") as archive:
                archive.extractall(folder, filter="data")
            answerer = opened(name, Path(folder) / place, options.keep or Path(folder))
            for row in rows:
                if row["corpus"] == name:
                    started_s = time.perf_counter()
                    answer = asyncio.run(answerer.ask(row["question"]))
                    seconds.append(time.perf_counter() - started_s)
                    outcomes.append((row, judged(row, answer)))
                    if options.misses and not outcomes[-1][1].startswith("right"):
                        show(row, outcomes[-1][1], answer)
            answerer.close()
    found = figures(outcomes) | {"machine": describe_machine(), "half": options.half}
    found["median_ms"] = round(sorted(seconds)[len(seconds) // 2] * 1000)
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def opened(name: str, documents: Path, folder: Path) -> Answerer:
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / f"{name}.sqlite"
    config = load_config(overrides={"evidence.index": str(index)}).config
    index_documents(config, [documents], embedder=make_embedder(config.evidence))
    return open_answerer(config)


def judged(row: dict[str, Any], answer: Answer) -> str:
    said = answer.mode == "ANSWER"
    if not row["answerable"]:
        return "wrong" if said else "rightly silent"
    if not said:
        return "abstained"
    if row["items"]:
        return "right" if lists_exactly(row, answer) else "wrong"
    wanted = all if row["category"] == "compare" else any
    return "right" if has_any(row["answer"], answer.answer or "", wanted) else "wrong"


def lists_exactly(row: dict[str, Any], answer: Answer) -> bool:
    """The documents that are cited are the documents that are given."""
    cited = {source.doc_id for source in answer.sources}
    found = {one for one in row["documents"] if any(doc.endswith(one) for doc in cited)}
    return len(found) == len(row["documents"]) == len(cited)


def has_any(alternatives: list[str], text: str, wanted: Callable[[list[bool]], bool] = any) -> bool:
    bare = " ".join(text.replace("`", "").replace("*", "").split()).lower()
    return wanted(
        [
            re.search(rf"(?<!\w){re.escape(' '.join(one.split()).lower())}(?!\w)", bare) is not None
            for one in alternatives
        ]
    )


def figures(outcomes: list[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    by_category: dict[str, Counter[str]] = defaultdict(Counter)
    for row, outcome in outcomes:
        by_category[row["category"]][outcome] += 1
    total = sum(by_category.values(), Counter[str]())
    answerable = total - by_category["unanswerable"]
    lists = by_category["list"] + by_category["count"]
    return {
        "questions": total.total(),
        "wrong shown": share(total["wrong"], total.total()),
        "unanswerable answered": share(
            by_category["unanswerable"]["wrong"], by_category["unanswerable"].total()
        ),
        "right of answerable": share(answerable["right"], answerable.total()),
        "paraphrases right": share(
            by_category["paraphrase"]["right"], by_category["paraphrase"].total()
        ),
        "lists and counts exact": share(lists["right"], lists.total()),
        "by category": {name: dict(found) for name, found in sorted(by_category.items())},
    }


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / max(whole, 1):.1f} %)"


def show(row: dict[str, Any], outcome: str, answer: Answer) -> None:
    said = (answer.answer or answer.message or "")[:300].replace("\n", " ")
    confidence = answer.retrieval_quality.confidence_score
    print(f"{outcome}: {row['id']} [{row['category']}] {row['question']}")
    print(f"    wanted {row['answer'] or row['items']}; {answer.reason} {confidence:.2f}: {said}")


if __name__ == "__main__":
    main()
