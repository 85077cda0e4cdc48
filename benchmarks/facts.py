"""How often the deterministic tier accuses, and whom.

    python benchmarks/facts.py DATA... [--sample N] [--json FILE] [--accusations FILE]

DATA are files of labelled pairs (`.jsonl.xz`: set, evidence, claim, label: 1 supported, 0 not) or
folders of `train`, `dev` and `open` files. An accusation is a contradicted value; against a
supported claim it is false, unless the label is. Into every supported claim of which a number, date
or identifier is confirmed one wrong digit is planted, to see how many of those are named. Claims
are checked sentence by sentence.
"""

import argparse
import json
import lzma
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _machine import describe_machine

from groundwire.judge import Evidence, EvidenceValues, Finding
from groundwire.model import EvidenceBundle
from groundwire.text import sentence_ranges

FILES = ("train.jsonl.xz", "dev.jsonl.xz", "open.jsonl.xz")
SUPPORTED, UNSUPPORTED = 1, 0
KEPT = 1000
SEED = 20
DIGITS = re.compile(r"\d+")


def main() -> None:
    arguments = _arguments()
    figures, accusations, lot = {}, [], random.Random(SEED)
    for path in _files(arguments.data):
        tally, speed = Tally(), Speed()
        for row in _rows(path, arguments.sample):
            sentences = _sentences(row["evidence"])
            findings = speed.check(sentences, row["claim"])
            accused = tally.add(row, findings)
            wrong = _planted(row["claim"], findings, lot) if row["label"] == SUPPORTED else None
            if wrong is not None:
                tally.add_planted(row["set"], speed.check(sentences, wrong))
            accusations += [_accusation(row, sentences, finding) for finding in accused]
        print(f"{path.name}\n{tally.table()}\n{speed.summary()}\n", flush=True)
        figures[path.name] = {"sets": tally.figures(), "speed": speed.figures()}
    if arguments.json:
        document = {"figures": figures, "machine": describe_machine()}
        arguments.json.write_text(json.dumps(document, indent=2) + "\n")
    if arguments.accusations:
        lines = (json.dumps(line, ensure_ascii=False) for line in accusations)
        arguments.accusations.write_text("\n".join(lines) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", nargs="+", type=Path, help="labelled pairs, or folders of them")
    parser.add_argument("--sample", type=int, help="take this many rows of each file, by lot")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--accusations", type=Path, help="write every accusation here, to be read")
    return parser.parse_args()


def _files(paths: Sequence[Path]) -> list[Path]:
    return [
        file for path in paths for file in ([path / n for n in FILES] if path.is_dir() else [path])
    ]


def _rows(path: Path, sample: int | None) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    if sample is not None and sample < len(lines):
        chosen = sorted(random.Random(SEED).sample(range(len(lines)), sample))
        lines = [lines[place] for place in chosen]
    yield from map(json.loads, lines)


def _sentences(text: str) -> tuple[str, ...]:
    """As the product cuts evidence."""
    bundle = EvidenceBundle.of(text, "evidence")
    return tuple(sentence.text for sentence in Evidence([bundle]).sentences)


def _planted(claim: str, findings: Sequence[Finding], lot: random.Random) -> str | None:
    """The claim with one digit of one confirmed value changed: in a number the first."""
    confirmed = [f for f in findings if f.relation == "confirmed" and DIGITS.search(f.claimed)]
    if not confirmed:
        return None
    finding = lot.choice(confirmed)
    run = max(DIGITS.finditer(finding.claimed), key=lambda match: len(match.group()))
    place = run.start() if finding.kind == "number" else run.end() - 1
    digit = lot.choice([other for other in "123456789" if other != finding.claimed[place]])
    wrong = finding.claimed[:place] + digit + finding.claimed[place + 1 :]
    return claim.replace(finding.claimed, wrong, 1)


class Tally:
    """Rows with an accusation or a confirmation, by set and label."""

    def __init__(self) -> None:
        self._rows: Counter[tuple[str, int]] = Counter()
        self._accused: Counter[tuple[str, int]] = Counter()
        self._confirmed: Counter[tuple[str, int]] = Counter()
        self._whole: Counter[tuple[str, int]] = Counter()
        self._planted: Counter[tuple[str, bool]] = Counter()
        self._kinds: Counter[tuple[str, int]] = Counter()

    def add(self, row: dict[str, Any], findings: Sequence[Finding]) -> list[Finding]:
        key = (row["set"], row["label"])
        accused = [finding for finding in findings if finding.relation == "contradicted"]
        self._rows[key] += 1
        self._accused[key] += bool(accused)
        self._confirmed[key] += len(accused) < len(findings)
        self._whole[key] += not accused and any(finding.is_whole for finding in findings)
        for kind in {finding.kind for finding in accused}:
            self._kinds[kind, row["label"]] += 1
        return accused

    def add_planted(self, name: str, findings: Sequence[Finding]) -> None:
        self._planted[name, any(f.relation == "contradicted" for f in findings)] += 1

    def figures(self) -> dict[str, dict[str, int]]:
        names = sorted({name for name, _ in self._rows})
        return {name: self._line([name]) for name in names} | {"all": self._line(names)}

    def table(self) -> str:
        head = (
            f"{'set':40}{'false accusations':>23}{'caught':>21}{'precision':>11}{'confirmed':>13}"
            f"{'whole':>11}{'planted, named':>17}"
        )
        lines = [_format(name, line) for name, line in self.figures().items()]
        kinds = ", ".join(
            f"{kind} {self._kinds[kind, UNSUPPORTED]} caught, {self._kinds[kind, SUPPORTED]} false"
            for kind in sorted({kind for kind, _ in self._kinds})
        )
        return "\n".join([head, *lines, kinds])

    def _line(self, names: Sequence[str]) -> dict[str, int]:
        count: dict[str, Counter[int]] = defaultdict(Counter)
        for part, counter in (
            ("rows", self._rows),
            ("accused", self._accused),
            ("confirmed", self._confirmed),
            ("whole", self._whole),
        ):
            for (name, label), number in counter.items():
                if name in names:
                    count[part][label] += number
        named, missed = (
            sum(self._planted[n, is_named] for n in names) for is_named in (True, False)
        )
        return {"planted": named + missed, "planted_named": named} | {
            f"{part}_{name}": count[part][label]
            for part in ("rows", "accused", "confirmed", "whole")
            for name, label in (("supported", SUPPORTED), ("unsupported", UNSUPPORTED))
        }


def _format(name: str, line: dict[str, int]) -> str:
    false, caught = line["accused_supported"], line["accused_unsupported"]
    ones, zeros = line["rows_supported"], line["rows_unsupported"]
    precision = f"{caught / (false + caught):.3f}" if false + caught else "-"
    share = [
        f"{100 * line['confirmed_' + label] / max(1, line['rows_' + label]):.0f}%"
        for label in ("supported", "unsupported")
    ]
    return (
        f"{name:40}{false:>7} / {ones:<6}{100 * false / max(1, ones):6.2f}%"
        f"{caught:>6} / {zeros:<6}{100 * caught / max(1, zeros):5.2f}%"
        f"{precision:>11}{' / '.join(share):>13}"
        f"{line['whole_supported']:>6} / {line['whole_unsupported']:<3}"
        f"{line['planted_named']:>8} / {line['planted']:<6}"
    )


class Speed:
    """CPU time to read evidence once, and to check a claim against it."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, ...], EvidenceValues] = {}
        self._sentences = 0
        self._read_s = 0.0
        self._checks_s: list[float] = []

    def check(self, sentences: tuple[str, ...], claim: str) -> list[Finding]:
        if sentences not in self._read:
            if len(self._read) >= KEPT:
                self._read.clear()
            began = time.process_time()
            self._read[sentences] = EvidenceValues.of(sentences)
            self._read_s += time.process_time() - began
            self._sentences += len(sentences)
        evidence, findings = self._read[sentences], []
        for start, end in sentence_ranges(claim):
            began = time.process_time()
            findings += evidence.check(claim[start:end])
            self._checks_s.append(time.process_time() - began)
        return findings

    def figures(self) -> dict[str, float]:
        ordered = sorted(self._checks_s)
        return {
            "sentences_per_s": self._sentences / self._read_s,
            "check_p50_ms": 1000 * ordered[len(ordered) // 2],
            "check_p95_ms": 1000 * ordered[int(0.95 * len(ordered))],
        }

    def summary(self) -> str:
        figures = self.figures()
        return (
            f"read {figures['sentences_per_s']:,.0f} sentences/s; a claim takes CPU of"
            f" p50 {figures['check_p50_ms']:.2f} ms, p95 {figures['check_p95_ms']:.2f} ms"
        )


def _accusation(row: dict[str, Any], sentences: Sequence[str], finding: Finding) -> dict[str, Any]:
    return {
        "set": row["set"],
        "label": row["label"],
        "kind": finding.kind,
        "claimed": finding.claimed,
        "found": finding.found,
        "claim": row["claim"],
        "sentence": sentences[finding.sentence],
    }


if __name__ == "__main__":
    main()
