"""Cases of one claim and its evidence, by kind: how many verdicts are what their writer expects.

    python benchmarks/verdicts.py tests/verify/unseen_open.jsonl [--json FILE] [--wrong] [--values]

A case has `kind`, `evidence` (a list of name and text), `claim` and `label`: supported, refuted or
neutral. The cases were written without sight of the code; intervals are Wilson's, at 95 %. A file
of `training/own/claims` is read too: its passages have many claims each, of one kind here.
`--values` asks the value tier alone, which takes no time: whether it contradicts a claim, carries
it, bars all of the evidence from grounding it, works its value out for the judge, or leaves it.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _claims import lines

from groundwire import Engine
from groundwire.judge import Evidence
from groundwire.model import ClaimResult, EvidenceBundle

Z = 1.96
CONTRAST = frozenset(
    {"role", "modality", "comparative", "attribution", "table_cell", "cause", "order", "quantifier"}
)


def main() -> None:
    arguments = _arguments()
    cases = [case for row in lines(arguments.cases) for case in _cases(row)]
    if arguments.values:
        _show_values(cases)
        return
    with Engine() as engine:
        results = [engine.verify_claim_sync(case["claim"], _evidence(case)) for case in cases]
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for case, result in zip(cases, results, strict=True):
        kinds = [case["kind"], *(["contrast"] if case["kind"] in CONTRAST else [])]
        for kind in kinds:
            table[f"{kind}, {case['label']}"][result.status] += 1
        if arguments.wrong:
            _show(case, result)
    figures = {name: _row(counts) for name, counts in sorted(table.items())}
    for name, row in figures.items():
        print(f"{name:28s} {row}")
    by_values = _decided_by_values(cases, results)
    print(f"siblings decided by the value tier: {by_values}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


def _show_values(cases: Sequence[dict[str, Any]]) -> None:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        table[f"{case['kind']}, {case['label']}"][_by_values(case)] += 1
    for name, counts in sorted(table.items()):
        print(f"{name:28s} {_row(counts)}")


def _by_values(case: dict[str, Any]) -> str:
    evidence, claim = Evidence(_evidence(case)), case["claim"]
    checks, places = evidence.check_values(claim), range(len(evidence.sentences))
    if any(one.relation == "contradicted" for one in checks):
        return "contradicted"
    if any(one.is_whole for one in checks):
        return "carried"
    if evidence.differs(claim, places):
        return "barred"
    return (
        "worked out" if evidence.glossed(claim, places, only_worked_out=True).operands else "left"
    )


def _cases(row: dict[str, Any]) -> list[dict[str, Any]]:
    if "claims" not in row:
        return [row]
    evidence = [{"name": "passage.md", "text": row["evidence"]}]
    return [{**said, "kind": "own", "evidence": evidence} for said in row["claims"]]


def _evidence(case: dict[str, Any]) -> list[EvidenceBundle]:
    return [EvidenceBundle.of(one["text"], one["name"]) for one in case["evidence"]]


def _row(counts: Counter[str]) -> dict[str, str]:
    total = counts.total()
    return {status: _interval(count, total) for status, count in counts.most_common()}


def _interval(count: int, total: int) -> str:
    share = count / total
    middle = (share + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = sqrt(share * (1 - share) / total + Z * Z / (4 * total * total)) * Z / (1 + Z * Z / total)
    return f"{count} of {total} ({middle - half:.2f}-{middle + half:.2f})"


def _decided_by_values(cases: Sequence[dict[str, Any]], results: Sequence[ClaimResult]) -> int:
    return sum(
        any(check.relation == "contradicted" for check in result.checks)
        for case, result in zip(cases, results, strict=True)
        if case["kind"] == "sibling_value"
    )


WANTED = {"supported": "grounded", "refuted": "contradicted", "neutral": "unsupported"}


def _show(case: dict[str, Any], result: ClaimResult) -> None:
    if result.status != WANTED[case["label"]]:
        quotes = [one.quote for one in result.evidence] or [result.nearest and result.nearest.quote]
        print(f"{case['id']} {case['kind']}, {case['label']}: {result.status} ({result.reason})")
        print(f"    {case['claim']}\n    {result.p1} {quotes}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--values", action="store_true", help="the value tier alone")
    parser.add_argument("--wrong", action="store_true", help="show what came out otherwise")
    return parser.parse_args()


if __name__ == "__main__":
    main()
