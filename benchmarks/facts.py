"""How often the deterministic tier accuses, and whom.

    python benchmarks/facts.py DATA.jsonl.xz... [--json FILE] [--accusations FILE]

Reads labelled pairs (set, evidence, claim, label: 1 supported, 0 not). An accusation is a
contradicted value; against a supported claim it is false, unless the label is.
"""

import argparse
import json
import lzma
import os
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nupunkt

from groundwire.judge import EvidenceValues, Finding

SUPPORTED, UNSUPPORTED = 1, 0
KEPT = 1000


def main() -> None:
    arguments = _arguments()
    tally, accusations, speed = Tally(), [], Speed()
    for row in _rows(arguments.data):
        sentences = _sentences(row["evidence"])
        findings = speed.check(sentences, row["claim"])
        accused = tally.add(row, findings)
        accusations += [_accusation(row, sentences, finding) for finding in accused]
    print(tally.table())
    print(speed.summary())
    if arguments.json:
        figures = {"sets": tally.figures(), "speed": speed.figures(), "machine": _machine()}
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    if arguments.accusations:
        lines = (json.dumps(line, ensure_ascii=False) for line in accusations)
        arguments.accusations.write_text("\n".join(lines) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="+", type=Path, help="labelled pairs, .jsonl.xz")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--accusations", type=Path, help="write every accusation here, to be read")
    return parser.parse_args()


def _rows(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _sentences(text: str) -> tuple[str, ...]:
    spans = (
        (line, start, end)
        for line in text.splitlines()
        if line.strip()
        for start, end in nupunkt.sent_spans(line)
    )
    return tuple(line[start:end].strip() for line, start, end in spans if line[start:end].strip())


class Tally:
    """Rows with an accusation or a confirmation, by set and label."""

    def __init__(self) -> None:
        self._rows: Counter[tuple[str, int]] = Counter()
        self._accused: Counter[tuple[str, int]] = Counter()
        self._confirmed: Counter[tuple[str, int]] = Counter()
        self._kinds: Counter[tuple[str, int]] = Counter()

    def add(self, row: dict[str, Any], findings: Sequence[Finding]) -> list[Finding]:
        key = (row["set"], row["label"])
        accused = [finding for finding in findings if finding.relation == "contradicted"]
        self._rows[key] += 1
        self._accused[key] += bool(accused)
        self._confirmed[key] += len(accused) < len(findings)
        for kind in {finding.kind for finding in accused}:
            self._kinds[kind, row["label"]] += 1
        return accused

    def figures(self) -> dict[str, dict[str, float]]:
        names = sorted({name for name, _ in self._rows})
        return {name: self._line([name]) for name in names} | {"all": self._line(names)}

    def table(self) -> str:
        head = (
            f"{'set':34}{'false accusations':>24}{'caught':>22}{'precision':>11}{'confirmed':>16}"
        )
        lines = [_format(name, line) for name, line in self.figures().items()]
        kinds = ", ".join(
            f"{kind} {self._kinds[kind, UNSUPPORTED]} caught, {self._kinds[kind, SUPPORTED]} false"
            for kind in sorted({kind for kind, _ in self._kinds})
        )
        return "\n".join([head, *lines, kinds])

    def _line(self, names: Sequence[str]) -> dict[str, float]:
        count: dict[str, Counter[int]] = defaultdict(Counter)
        for part, counter in (
            ("rows", self._rows),
            ("accused", self._accused),
            ("confirmed", self._confirmed),
        ):
            for (name, label), number in counter.items():
                if name in names:
                    count[part][label] += number
        return {
            f"{part}_{name}": count[part][label]
            for part in ("rows", "accused", "confirmed")
            for name, label in (("supported", SUPPORTED), ("unsupported", UNSUPPORTED))
        }


def _format(name: str, line: dict[str, float]) -> str:
    false, caught = line["accused_supported"], line["accused_unsupported"]
    ones, zeros = line["rows_supported"], line["rows_unsupported"]
    precision = f"{caught / (false + caught):.3f}" if false + caught else "-"
    share = [
        f"{100 * line['confirmed_' + label] / max(1, line['rows_' + label]):.0f}%"
        for label in ("supported", "unsupported")
    ]
    return (
        f"{name:34}{false:>8} / {ones:<6}{100 * false / max(1, ones):6.2f}%"
        f"{caught:>7} / {zeros:<6}{100 * caught / max(1, zeros):5.2f}%"
        f"{precision:>11}{' / '.join(share):>16}"
    )


class Speed:
    """Time to read evidence once, and to check a claim against it."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, ...], EvidenceValues] = {}
        self._sentences = 0
        self._read_s = 0.0
        self._checks_s: list[float] = []

    def check(self, sentences: tuple[str, ...], claim: str) -> list[Finding]:
        if sentences not in self._read:
            if len(self._read) >= KEPT:
                self._read.clear()
            began = time.perf_counter()
            self._read[sentences] = EvidenceValues.of(sentences)
            self._read_s += time.perf_counter() - began
            self._sentences += len(sentences)
        began = time.perf_counter()
        findings = self._read[sentences].check(claim)
        self._checks_s.append(time.perf_counter() - began)
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
            f"read {figures['sentences_per_s']:,.0f} sentences/s; a claim against its evidence:"
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


def _machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": sys.version.split()[0],
    }


if __name__ == "__main__":
    main()
