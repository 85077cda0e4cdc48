"""Questions over corpora, written without sight of the code: right, wrong, abstained.

    python benchmarks/questions.py QUESTIONS CORPORA… [--json FILE] [--misses] [--keep FOLDER]
                                       [--only CATEGORY]… [--first N] [--set KEY=VALUE]…

QUESTIONS is a file of JSON lines (`id, corpus, category, question, answerable, documents, answer,
items`) or the name of a set that is here: `open` and `sealed` are the halves
`questions/unseen-open.jsonl` and `questions/unseen-sealed.jsonl`, their hashes in
`questions/unseen.sha256`; both have been looked at since. CORPORA are archives (`peps.tar.xz`), or
folders that hold them; a question's `corpus` is the name of its archive. Of an archive with a
folder `data` that folder is read. `--keep` leaves the indexes in a folder, to use them again.

An answer is right when one of the given alternatives stands in it in whole tokens; a comparison
when as many do as documents are compared; a list when exactly the documents given are listed, or
as many as there are items, and every item is named. A question without an answer is rightly not
answered. Asking back counts as not answering. With `--set llm.model=FILE.gguf --set
llm.provider=gguf` a model drafts the answers, and what it drafted is counted.
"""

import argparse
import json
import re
import sys
import tarfile
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.evidence import index_documents, make_embedder
from groundwire.model import Answer

HERE = Path(__file__).parent / "questions"
SETS = ("open", "sealed")
ARCHIVE = ".tar.xz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("questions")
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--only", action="append", default=[], metavar="CATEGORY")
    parser.add_argument("--first", type=int, metavar="N")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--misses", action="store_true", help="show every outcome that is not right"
    )
    options = parser.parse_args()
    rows = [
        row
        for row in read_questions(options.questions)
        if not options.only or row["category"] in options.only
    ][: options.first]
    settings = dict(one.split("=", 1) for one in options.set)
    outcomes: list[tuple[dict[str, Any], str]] = []
    seconds: list[float] = []
    drafted = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        for name, documents in unpacked(options.corpora, rows, folder):
            with opened(name, documents, folder, settings) as ask:
                for row in rows:
                    if row["corpus"] == name:
                        started_s = time.perf_counter()
                        answer = ask(row["question"])
                        seconds.append(time.perf_counter() - started_s)
                        outcomes.append((row, judged(row, answer)))
                        drafted += answer.drafted_by is not None
                        if options.misses and not outcomes[-1][1].startswith("right"):
                            show(row, outcomes[-1][1], answer)
    found = figures(outcomes) | {"machine": describe_machine(), "set": options.questions}
    found |= {"drafted": drafted} if "llm.model" in settings else {}
    found["median_ms"] = round(sorted(seconds)[len(seconds) // 2] * 1000)
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def read_questions(given: str) -> list[dict[str, Any]]:
    path = HERE / f"unseen-{given}.jsonl" if given in SETS else Path(given)
    lines = path.read_text(encoding="utf-8").splitlines()
    nothing = {"documents": [], "answer": [], "items": [], "answerable": True}
    return [nothing | json.loads(line) for line in lines if line.strip()]


def unpacked(
    given: Sequence[Path], rows: Sequence[dict[str, Any]], folder: Path
) -> Iterator[tuple[str, Path]]:
    """The corpora that are asked, each with its folder of documents."""
    archives = [
        one
        for path in given
        for one in (sorted(path.glob(f"*{ARCHIVE}")) if path.is_dir() else [path])
    ]
    known = {path.name.removesuffix(ARCHIVE): path for path in archives}
    asked = {row["corpus"] for row in rows}
    if asked - known.keys():
        raise SystemExit(f"There is no archive of: {', '.join(sorted(asked - known.keys()))}")
    for name in sorted(asked):
        with tarfile.open(known[name]) as archive:
            archive.extractall(folder / "corpora" / name, filter="data")
        top = folder / "corpora" / name / name
        documents = top if top.is_dir() else top.parent
        yield name, documents / "data" if (documents / "data").is_dir() else documents


@contextmanager
def opened(
    name: str, documents: Path, folder: Path, settings: dict[str, str]
) -> Iterator[Callable[[str], Answer]]:
    folder.mkdir(parents=True, exist_ok=True)
    index = folder / f"{name}.sqlite"
    config = load_config(overrides={**settings, "evidence.index": str(index)}).config
    index_documents(config, [documents], embedder=make_embedder(config.evidence))
    with Engine(config) as engine:
        yield engine.ask_sync


def judged(row: dict[str, Any], answer: Answer) -> str:
    said = answer.mode == "ANSWER"
    if not row["answerable"]:
        return "wrong" if said else "rightly silent"
    if not said:
        return "abstained"
    if row["items"]:
        return "right" if lists_exactly(row, answer) else "wrong"
    wanted = min(len(row["documents"]), len(row["answer"])) if row["category"] == "compare" else 1
    held = [one for one in row["answer"] if stands_in(one, answer.answer or "")]
    return "right" if len(held) >= max(wanted, 1) else "wrong"


def lists_exactly(row: dict[str, Any], answer: Answer) -> bool:
    """What is cited is what is given, as documents or as items."""
    cited = {source.doc_id for source in answer.sources}
    found = {one for one in row["documents"] if any(doc.endswith(one) for doc in cited)}
    by_name = all(stands_in(one, answer.answer or "") for one in row["items"])
    return len(cited) in (
        len(found) if len(found) == len(row["documents"]) else None,
        len(row["items"]) if by_name else None,
    )


def stands_in(wanted: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_bare(wanted))}(?!\w)", _bare(text)) is not None


def _bare(text: str) -> str:
    return " ".join(text.replace("`", "").replace("*", "").split()).lower()


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
        "facts of documents wrong": share(
            by_category["document_fact"]["wrong"], by_category["document_fact"].total()
        ),
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
