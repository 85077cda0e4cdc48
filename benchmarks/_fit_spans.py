"""How the learned reader's tags are best decoded, and how much its check asks: found on train."""

from collections.abc import Sequence
from typing import Any

from groundwire.encoder import SpanReader, SpansCalibration, judge_calibration
from groundwire.ground import CausalReader, Pair, SecondReader, decoded, head_of, read_causal

MACRO = ("cnc", "scite", "semeval2010t8", "ade", "fincausal")
ZERO = ("cnc", "pubmed_causal_language")
Range = tuple[int, int]
Rows = list[dict[str, Any]]
GRID: dict[str, tuple[float, ...]] = {
    "clauses_words": (6, 7, 8, 9, 10, 12),
    "things_lean": (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5),
    "things_cost": (0.2, 0.4, 0.6, 0.8, 1.0, 1.2),
    "clauses_lean": (-2.0, -1.0, 0.0, 1.0, 2.0),
    "clauses_cost": (2.0, 3.0, 4.0, 6.0),
}
ROUNDS = 2
BARS = (0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
MOST_FALSE = 0.045
LEAST_WORDED = 0.03
LEAST_OPEN = 0.3
"""No lower than that: of the texts it was taught with the reader is surer than of others."""


def fitted(by_set: dict[str, Rows]) -> dict[str, Any]:
    tuned, score = _decoding(by_set)
    bars, shares = _bars(by_set)
    values = {name: getattr(tuned, name) for name in GRID} | bars
    return {"values": values, "macro": score, **shares}


def _decoding(by_set: dict[str, Rows]) -> tuple[SpansCalibration, float]:
    """One number after the other, twice over."""
    reader = CausalReader()
    rows = {name: by_set[name] for name in MACRO}
    tags = {name: reader.tags([row["text"] for row in one]) for name, one in rows.items()}

    def macro(tuned: SpansCalibration) -> float:
        scores = [
            scored(
                one,
                [
                    decoded(row["text"], tag, tuned)
                    for row, tag in zip(one, tags[name], strict=True)
                ],
            )["f1"]
            for name, one in rows.items()
        ]
        return sum(scores) / len(scores)

    best = judge_calibration().spans
    reached = macro(best)
    for _ in range(ROUNDS):
        for name, values in GRID.items():
            for value in values:
                score = macro(best._replace(**{name: value}))
                if score > reached:
                    best, reached = best._replace(**{name: value}), score
    return best, round(reached, 4)


def _bars(by_set: dict[str, Rows]) -> tuple[dict[str, float], dict[str, Any]]:
    """The lowest with which few texts pass that state nothing causal: that for listed words first,
    since reports tell most of their causes with them."""
    check = SecondReader(SpanReader())
    passing = {
        name: [_readings(row["text"], check) for row in by_set[name]]
        for name in ("cnc", *(f"zero:{one}" for one in ZERO))
    }

    def share(name: str, worded: float, opened: float) -> float:
        texts = passing[name]
        taken = [any(p >= (opened if is_open else worded) for is_open, p in one) for one in texts]
        return round(sum(taken) / max(1, len(taken)), 4)

    worded, opened = min(
        (worded, opened)
        for worded in BARS
        for opened in BARS
        if worded >= LEAST_WORDED
        and opened >= max(worded, LEAST_OPEN)
        and all(share(f"zero:{one}", worded, opened) <= MOST_FALSE for one in ZERO)
    )
    shares = {name: share(name, worded, opened) for name in passing}
    return {"least_if_worded": worded, "least_if_open": opened}, {"passing": shares}


def _readings(text: str, check: SecondReader) -> list[tuple[bool, float]]:
    readings = [one for one in read_causal(text) if one.is_asserted_cause]
    return [(one.is_open, check.likely(one, text)) for one in readings]


def scored(rows: Rows, found: Sequence[Sequence[Pair]]) -> dict[str, float]:
    right = said = wanted = 0
    for row, pairs in zip(rows, found, strict=True):
        told = [(tuple(one["cause"]), tuple(one["effect"])) for one in row["relations"]]
        right += _hits(row["text"], told, pairs)
        said += len(pairs)
        wanted += len(told)
    return {
        "f1": round(2 * right / max(1, said + wanted), 3),
        "precision": round(right / max(1, said), 3),
        "recall": round(right / max(1, wanted), 3),
        "relations": wanted,
    }


def _hits(text: str, wanted: list[tuple[Any, Any]], pairs: Sequence[Pair]) -> int:
    """Each annotated relation is found at most once, and each pair finds at most one."""
    left = list(pairs)
    right = 0
    for cause, effect in wanted:
        for pair in left:
            if _same(text, cause, pair.cause) and _same(text, effect, pair.effect):
                left.remove(pair)
                right += 1
                break
    return right


def _same(text: str, wanted: Range, said: Range) -> bool:
    return wanted == said or head_of(text, wanted) == head_of(text, said)
