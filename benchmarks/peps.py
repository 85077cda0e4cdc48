"""What documents state of themselves, asked for by the hundred: lists and single facts.

    python benchmarks/peps.py CORPORA [--json FILE] [--misses] [--step N]

CORPORA is a folder with `peps.tar.xz`, 273 proposals whose headers are the truth. That truth is
read here by a few lines of its own, not by the product. Every status, author, year and succession
is asked for as a list and as a count, and every status, date, author and succession singly, in
turns of several wordings. Then all is asked again of the same files with their headers cut off:
there nothing may be said of a document that its header denies. No embedder, no model: this is
reading.
"""

import argparse
import json
import re
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine

from groundwire.answer import Documents
from groundwire.config import Config, load_config, thresholds_of
from groundwire.evidence import Index, Indexer, Searcher
from groundwire.model import AnswerSource

MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True)
class Header:
    number: int
    status: str
    created: str
    authors: tuple[str, ...]
    superseded_by: tuple[int, ...]
    replaces: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    kind: str
    text: str
    numbers: frozenset[int] = frozenset()
    """Of a list: exactly these documents."""
    about: int | None = None
    says: tuple[str, ...] = ()
    """Of a fact: all of these stand in the answer."""
    none: bool = False
    """Whether nothing is stated, so that nothing may be said."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--misses", action="store_true", help="show every wrong outcome")
    parser.add_argument("--step", type=int, default=1, help="ask every N-th question only")
    options = parser.parse_args()
    figures: dict[str, Any] = {"machine": describe_machine()}
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(options.corpora / "peps.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        files = sorted(Path(folder).rglob("*.rst"))
        headers = [read_header(file.read_text(encoding="utf-8")) for file in files]
        questions = list(asked(headers))[:: options.step]
        with_headers = opened(files[0].parent, Path(folder) / "whole.sqlite")
        figures["with headers"] = measured(with_headers, questions, show=options.misses)
        for file in files:
            file.write_text(cut_off(file.read_text(encoding="utf-8")), encoding="utf-8")
        without = opened(files[0].parent, Path(folder) / "cut.sqlite")
        figures["headers cut off"] = said_without(without, questions, show=options.misses)
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


def read_header(text: str) -> Header:
    """RFC 822 lines up to the first blank one, unfolded."""
    fields: dict[str, str] = {}
    name = ""
    for line in text.split("\n\n", 1)[0].splitlines():
        if line[:1].isspace():
            fields[name] += " " + line.strip()
        else:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
    day, month, year = fields["Created"].split("-")
    bare = re.sub(r"<[^>]*>|\([^)]*\)", "", fields["Author"])
    return Header(
        number=int(fields["PEP"]),
        status=fields["Status"],
        created=f"{year}-{MONTHS.index(month[:3]) + 1:02}-{int(day):02}",
        authors=tuple(filter(None, (" ".join(one.split()) for one in bare.split(",")))),
        superseded_by=numbers(fields.get("Superseded-By", "")),
        replaces=numbers(fields.get("Replaces", "")),
    )


def numbers(value: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", value)))


def cut_off(text: str) -> str:
    return text.split("\n\n", 1)[1]


def asked(headers: list[Header]) -> Iterator[Question]:
    yield from lists(headers)
    replaced, replaces = successions(headers)
    for turn, one in enumerate(headers):
        name = f"PEP {one.number}"
        form = ("What is the status of {}?", "Which status does {} have?")[turn % 2]
        yield Question("status", form.format(name), about=one.number, says=(one.status,))
        form = ("When was {} created?", "On which date was {} created?")[turn % 2]
        yield Question("date", form.format(name), about=one.number, says=(one.created,))
        form = ("Who wrote {}?", "Who are the authors of {}?", "Who is the author of {}?")[turn % 3]
        yield Question("author", form.format(name), about=one.number, says=one.authors)
        later = tuple(str(number) for number in sorted(replaced[one.number]))
        form = ("Which PEP supersedes {}?", "What replaced {}?", "What is {} superseded by?")
        yield Question(
            "successor", form[turn % 3].format(name), about=one.number, says=later, none=not later
        )
        earlier = tuple(str(number) for number in sorted(replaces[one.number]))
        form = ("Which PEP does {} replace?", "Which PEPs were superseded by {}?")
        yield Question(
            "predecessor",
            form[turn % 2].format(name),
            about=one.number,
            says=earlier,
            none=not earlier,
        )


def successions(headers: list[Header]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    later: dict[int, set[int]] = defaultdict(set)
    earlier: dict[int, set[int]] = defaultdict(set)
    for one in headers:
        for other in one.superseded_by:
            later[one.number].add(other)
            earlier[other].add(one.number)
        for other in one.replaces:
            earlier[one.number].add(other)
            later[other].add(one.number)
    return later, earlier


def lists(headers: list[Header]) -> Iterator[Question]:
    groups: dict[tuple[str, str], set[int]] = defaultdict(set)
    for one in headers:
        groups["status", one.status].add(one.number)
        groups["year", one.created[:4]].add(one.number)
        groups["before", one.created[:4]].update(
            other.number for other in headers if other.created[:4] < one.created[:4]
        )
        for author in one.authors:
            groups["author", author].add(one.number)
            groups["author and status", f"{author}|{one.status}"].add(one.number)
    forms = {
        "status": ("Which PEPs have the status {}?", "List all {} PEPs", "How many PEPs are {}?"),
        "year": ("List the PEPs created in {}.", "Which PEPs were created in {}?"),
        "before": ("Which PEPs were created before {}?", "How many PEPs are older than {}?"),
        "author": (
            "Which PEPs were written by {}?",
            "List the PEPs by {}",
            "How many PEPs did {} write?",
        ),
        "author and status": ("Which PEPs by {} are {}?", "How many PEPs by {} are {}?"),
    }
    for turn, ((kind, value), members) in enumerate(sorted(groups.items())):
        form = forms[kind][turn % len(forms[kind])]
        if members:
            yield Question(f"list by {kind}", form.format(*value.split("|")), frozenset(members))


def opened(folder: Path, index_file: Path) -> Documents:
    config: Config = load_config(overrides={"evidence.embedder": "off"}).config
    index = Index(index_file)
    Indexer(index, config.evidence, config.limits).run([folder])
    return Documents(index, Searcher(index, thresholds=thresholds_of(config.evidence)), config)


def measured(documents: Documents, questions: list[Question], *, show: bool) -> dict[str, Any]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        finding = documents.answer(documents.plan(question.text))
        outcome = judged(question, finding.mode, finding.text or "", finding.sources)
        counts[question.kind][outcome] += 1
        if show and outcome not in ("right", "rightly silent"):
            print(
                outcome, question.text, "|", finding.mode, (finding.text or finding.message)[:160]
            )
    total: Counter[str] = Counter()
    listed: Counter[str] = Counter()
    for kind, found in counts.items():
        (listed if kind.startswith("list") else total).update(found)
    return {
        "questions": len(questions),
        "lists exact": share(listed),
        "facts right": share(total),
        "wrong": total["wrong"] + listed["wrong"],
        "by kind": {kind: dict(found) for kind, found in counts.items()},
    }


def share(found: Counter[str]) -> float:
    return round((found["right"] + found["rightly silent"]) / max(found.total(), 1), 4)


def judged(question: Question, mode: str, text: str, sources: tuple[AnswerSource, ...]) -> str:
    if mode != "ANSWER":
        return "rightly silent" if question.none else "abstained"
    if question.about is None:
        found = [source.number for source in sources]
        is_right = set(found) == question.numbers and len(found) == len(set(found))
        return "right" if is_right else "wrong"
    said = text.split("\n", 1)[0].split(" ", 2)[-1]
    is_right = not question.none and all(has_token(said, one) for one in question.says)
    return "right" if is_right else "wrong"


def has_token(text: str, token: str) -> bool:
    pattern = rf"(?<!\w){re.escape(token.lower())}(?!\w)"
    return re.search(pattern, text.lower()) is not None


def said_without(documents: Documents, questions: list[Question], *, show: bool) -> dict[str, Any]:
    """Whatever is answered must be so by the header that is not there."""
    counts: Counter[str] = Counter()
    for question in questions:
        finding = documents.answer(documents.plan(question.text))
        if finding.mode != "ANSWER":
            counts["silent"] += 1
            continue
        if question.about is None:
            found = {source.number for source in finding.sources}
            is_true = found <= question.numbers
        else:
            is_true = judged(question, "ANSWER", finding.text or "", finding.sources) == "right"
        counts["true" if is_true else "false"] += 1
        if show and not is_true:
            print("false", question.text, "|", (finding.text or "")[:200])
    return dict(counts)


if __name__ == "__main__":
    main()
