"""How often questions are answered, rightly answered and rightly not, and how fast.

    python benchmarks/ask.py [CORPORA] [--fit [--write]] [--json FILE] [--misses] [--keep FOLDER]

Without CORPORA the documents of the examples are asked the questions in
`questions/halden.jsonl`. CORPORA is a folder with `uk-gov.tar.xz` and `alliander-esa.tar.xz`;
these are asked `questions/uk-gov.jsonl` and the questions that come with the second one, whose
expected answers name a document. Curves were fitted to the first set, weights chosen with the first
two in view; see docs/concepts/answers.md. `--keep` leaves the indexes in a folder, to use them
again. `--fit` prints the curve of each corpus; `--write` puts that of the first set, by meaning and
words, into `reader.calibration.json`. The curve by words alone is chosen between those printed.

Every question is asked of an open engine, by meaning and words and by words alone. An answer is
right when it quotes the passage that answers, or, where only the document is known, that document.
"""

import argparse
import asyncio
import json
import math
import re
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine, quantiles
from training.files import calibrate

from groundwire.answer import Answerer, _semantic as semantic, open_answerer
from groundwire.config import Config, load_config
from groundwire.encoder._weights import FOLDER
from groundwire.evidence import Index, Indexer, embed_pending, make_embedder
from groundwire.model import Answer

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
GOLD = "GOLD_STANDARD_TEST_QUESTIONS.md"
WAYS = {"meaning and words": "embedded", "words alone": "off"}


@dataclass(frozen=True)
class Question:
    text: str
    documents: tuple[str, ...]
    says: str | None = None

    def is_right(self, answer: Answer) -> bool:
        return any(
            self._names(f"{source.doc_type} {source.number}", source.doc_id)
            and (self.says is None or self.says.lower() in source.quote.lower())
            for source in answer.sources
        )

    def _names(self, key: str, doc_id: str) -> bool:
        return any(key == one or doc_id.endswith(one) for one in self.documents)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="?", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--misses", action="store_true", help="show every wrong outcome")
    options = parser.parse_args()
    if options.write and not options.fit:
        parser.error("--write needs --fit")
    figures: dict[str, Any] = {"machine": describe_machine(), "corpora": {}}
    with tempfile.TemporaryDirectory() as folder:
        for name, documents, questions in corpora(options.corpora, Path(folder)):
            index = indexed(documents, (options.keep or Path(folder)) / f"{name}.sqlite")
            figures["corpora"][name] = {
                way: measured(index, questions, embedder, options) for way, embedder in WAYS.items()
            }
    show(figures)
    if options.write:
        curve = figures["corpora"]["examples"]["meaning and words"]["curve"]
        values = {f"meaning_{name}": value for name, value in curve.items()}
        calibrate(FOLDER / "reader.calibration.json", "answers", values)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def corpora(data: Path | None, folder: Path) -> Iterator[tuple[str, Path, list[Question]]]:
    yield "examples", EXAMPLES / "documents", read_questions(HERE / "questions/halden.jsonl")
    if data is None:
        return
    for name in ("uk-gov", "alliander-esa"):
        with tarfile.open(data / f"{name}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
    yield "uk-gov", folder / "uk-gov", read_questions(HERE / "questions/uk-gov.jsonl")
    gold = folder / "alliander-esa" / GOLD
    questions = read_gold(gold.read_text(encoding="utf-8"))
    gold.unlink()  # the questions must not be found among the documents
    yield "alliander-esa", folder / "alliander-esa", questions


def read_questions(path: Path) -> list[Question]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Question(
            row["question"],
            tuple(filter(None, (row["document"] or "").split(";"))),
            row.get("says"),
        )
        for row in rows
    ]


def read_gold(text: str) -> list[Question]:
    """Those whose expected answer names an ADR or a principle, and those that have none."""
    found = []
    for part in text.split("\n### ")[1:]:
        asked = re.search(r"\*\*Question:\*\* (.+)", part)
        expected = re.search(r"\*\*Expected:\*\* (.+)", part)
        if not asked or not expected:
            continue
        named = re.findall(r"(ADR|Principle)[- ](\d{2,4})", expected[1])
        keys = tuple(f"{kind.lower()} {int(number)}" for kind, number in named)
        nothing = part.startswith("N")
        if nothing or keys:
            found.append(Question(asked[1].strip(), () if nothing else keys))
    return found


def indexed(documents: Path, path: Path) -> Path:
    config = Config()
    if path.exists():
        return path
    with Index(path) as index:
        Indexer(index, config.evidence, config.limits).run([documents])
        embedder = make_embedder(config.evidence)
        if embedder is not None:
            embed_pending(index, embedder)
    return path


def measured(
    index: Path, questions: list[Question], embedder: str, options: argparse.Namespace
) -> dict[str, Any]:
    settings = {"evidence.index": str(index), "evidence.embedder": embedder}
    config = load_config(overrides=settings, environ={}).config
    scores = listened()
    answerer = open_answerer(config)
    try:
        asked(answerer, questions[0].text)
        outcomes = []
        best: list[tuple[float, bool]] = []
        for question in questions:
            scores.clear()
            outcomes.append((question, *asked(answerer, question.text)))
            if scores:  # further ones are of a wider search, or of a successor
                best.append((scores[0], bool(question.documents)))
    finally:
        answerer.close()
    if options.misses:
        show_misses(outcomes)
    answerable = [(question, answer) for question, answer, _ in outcomes if question.documents]
    others = [answer for question, answer, _ in outcomes if not question.documents]
    result: dict[str, Any] = {
        "answerable": len(answerable),
        "answered": share([answer.mode == "ANSWER" for _, answer in answerable]),
        "rightly": share([question.is_right(answer) for question, answer in answerable]),
        "unanswerable": len(others),
        "answered_anyway": share([answer.mode == "ANSWER" for answer in others]),
        "latency_ms": quantiles([times.wall_ms for *_, times in outcomes]),
        "processor_ms": quantiles([times.processor_ms for *_, times in outcomes]),
    }
    if options.fit:
        result["curve"] = fitted([score for score, _ in best], [wanted for _, wanted in best])
    return result


def listened() -> list[float]:
    """The score of the best sentence for each question, as the answerer saw it."""
    scores: list[float] = []
    choose = getattr(semantic.choose, "__wrapped__", semantic.choose)

    def spy(*given: Any, **named: Any) -> Any:
        chosen = choose(*given, **named)
        scores.append(chosen.best[0].score if chosen.best else 0.0)
        return chosen

    spy.__wrapped__ = choose  # type: ignore[attr-defined]
    semantic.choose = spy  # type: ignore[assignment]
    return scores


class Times(NamedTuple):
    """The processor's time is that of all threads together: more than the wall's when idle."""

    wall_ms: float
    processor_ms: float


def asked(answerer: Answerer, question: str) -> tuple[Answer, Times]:
    started_s, worked_s = time.perf_counter(), time.process_time()
    answer = asyncio.run(answerer.ask(question))
    wall_s, processor_s = time.perf_counter() - started_s, time.process_time() - worked_s
    return answer, Times(wall_s * 1000, processor_s * 1000)


def fitted(scores: list[float], answerable: list[bool]) -> dict[str, float]:
    """Logistic regression on one number, by gradient descent: small, slow, and ours."""
    slope, middle = 1.0, sum(scores) / len(scores)
    for _ in range(20_000):
        errors = [
            1 / (1 + math.exp(-slope * (score - middle))) - wanted
            for score, wanted in zip(scores, answerable, strict=True)
        ]
        count = len(scores)
        by_slope = sum(e * (s - middle) for e, s in zip(errors, scores, strict=True)) / count
        slope -= 2.0 * by_slope
        middle += 0.02 * slope * sum(errors) / count
    return {"slope": round(slope, 2), "middle": round(middle, 3)}


def share(held: list[bool]) -> float | None:
    return round(sum(held) / len(held), 3) if held else None


def show_misses(outcomes: list[tuple[Question, Answer, Times]]) -> None:
    for question, answer, _ in outcomes:
        if question.documents and answer.mode != "ANSWER":
            print(f"  not answered  {question.text} ({answer.retrieval_quality.confidence_score})")
        elif question.documents and not question.is_right(answer):
            print(f"  other quote   {question.text} -> {answer.message}")
        elif not question.documents and answer.mode == "ANSWER":
            print(f"  answered      {question.text} -> {(answer.answer or '')[:100]!r}")


def show(figures: dict[str, Any]) -> None:
    print(figures["machine"])
    names = ("questions", "answered", "rightly", "no answer", "answered")
    names += ("p50 ms", "p95 ms", "cpu p95 ms")
    print(f"{'':<34}" + "".join(f"{name:>11}" for name in names))
    for corpus, ways in figures["corpora"].items():
        for way, found in ways.items():
            cells = (
                found["answerable"],
                found["answered"],
                found["rightly"],
                found["unanswerable"],
                found["answered_anyway"],
                found["latency_ms"]["p50"],
                found["latency_ms"]["p95"],
                found["processor_ms"]["p95"],
            )
            print(f"{corpus + ', ' + way:<34}" + "".join(f"{cell!s:>11}" for cell in cells))
            if "curve" in found:
                print(f"    curve {found['curve']}")


if __name__ == "__main__":
    main()
