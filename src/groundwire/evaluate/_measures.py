"""The figures of a suite: rates with their intervals, calibration, risk against coverage, ranks."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, log2, sqrt

from groundwire.evaluate._results import (
    Abstention,
    CaseOutcome,
    Failure,
    Interval,
    Meta,
    Metrics,
    Point,
    Rates,
    Results,
    Step,
    Terminology,
)

Z = 1.959963984540054
"""Of a 95 % interval."""
PLACES = 4
"""Figures are rounded, so that the same run gives the same bytes."""
TOP = 3
"""Sources that are looked at where an answer's documents are ranked."""


def results_of(
    outcomes: Mapping[str, Sequence[CaseOutcome]], describe: Callable[[int, int], Meta]
) -> Results:
    """`describe` makes the head of the document of how many cases there are and passed."""
    cases = tuple(one for found in outcomes.values() for one in found)
    passed = sum(one.passed for one in cases)
    suites = {name: measured(found) for name, found in outcomes.items()}
    return Results(
        meta=describe(len(cases), passed),
        metrics=next(iter(suites.values())),
        suites=suites,
        failures=tuple(_failure(one) for one in cases if not one.passed),
        cases=cases,
    )


def _failure(one: CaseOutcome) -> Failure:
    return Failure(
        **{name: getattr(one, name) for name in ("id", "suite", "category", "expected", "actual")},
        query=one.input,
        reason=one.reason or "failed",
        trace=one.trace,
    )


def measured(cases: Sequence[CaseOutcome]) -> Metrics:
    return Metrics(
        overall=rates(cases),
        by_collection=_by(cases, lambda one: one.collection),
        by_category=_by(cases, lambda one: one.category),
        by_split=_by(cases, lambda one: one.split),
        confusion=_confusion(cases),
        abstention=_abstention(cases),
        latency=latency_ms([one.latency_ms for one in cases]),
        terminology=_terminology(cases),
        documents=document_measures([(one.cited, one.relevant) for one in cases if one.relevant]),
        reliability=tuple(_reliability(cases)),
        risk_coverage=tuple(risk_coverage(cases)),
    )


def rates(cases: Sequence[CaseOutcome]) -> Rates:
    right = sum(one.given and one.right for one in cases)
    given = sum(one.given for one in cases)
    wanted = sum(one.wanted for one in cases)
    either = given + wanted - right
    shares = {"precision": (right, given), "recall": (right, wanted)}
    found = {name: (_share(*pair), wilson(*pair)) for name, pair in shares.items() if pair[1]}
    if either:  # F1 is 2J / (1 + J) of Jaccard's share J, and so are the ends of its interval
        low, high = wilson(right, either)
        found["f1"] = (_f1(right / either), (_f1(low), _f1(high)))
    return Rates(
        **{
            name: found[name][0] if name in found else None
            for name in ("precision", "recall", "f1")
        },
        intervals={name: ends for name, (_, ends) in found.items()},
        count=len(cases),
        passed=sum(one.passed for one in cases),
    )


def wilson(count: int, total: int) -> Interval:
    """Wilson's score interval of a share, at 95 %; honest for few cases, also at 0 and 1."""
    share, spread = count / total, Z * Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return _rounded(max(0.0, middle - half)), _rounded(min(1.0, middle + half))


def latency_ms(times_ms: Iterable[float]) -> dict[str, float]:
    """The time within which that share of the cases was done: a time that was measured."""
    ordered = sorted(times_ms)
    shares = {"p50_ms": 50, "p95_ms": 95, "p99_ms": 99, "max_ms": 100}
    places = {name: max(ceil(part * len(ordered) / 100) - 1, 0) for name, part in shares.items()}
    return {name: round(ordered[place], 1) for name, place in places.items()} if ordered else {}


def document_measures(
    rankings: Sequence[tuple[Sequence[str], Sequence[str]]],
) -> dict[str, float | None]:
    """Means over questions of (documents in the order they are cited, those that answer)."""
    measures: dict[str, Callable[[list[bool], int], float]] = {
        "P@1": lambda hits, _: float(any(hits[:1])),
        f"R@{TOP}": lambda hits, wanted: sum(hits[:TOP]) / wanted,
        "RR": lambda hits, _: next((1 / at for at, hit in enumerate(hits, 1) if hit), 0.0),
        "AP": _average_precision,
        f"nDCG@{TOP}": lambda hits, wanted: _gain(hits[:TOP]) / _gain([True] * min(wanted, TOP)),
    }
    pairs = [([one in wanted for one in cited], len(wanted)) for cited, wanted in rankings]
    return {
        name: _rounded(sum(measure(*pair) for pair in pairs) / len(pairs)) if pairs else None
        for name, measure in measures.items()
    }


def _average_precision(hits: list[bool], wanted: int) -> float:
    found = [at for at, hit in enumerate(hits, 1) if hit]
    return sum(number / at for number, at in enumerate(found, 1)) / wanted


def _gain(hits: Sequence[bool]) -> float:
    return sum(hit / log2(at + 1) for at, hit in enumerate(hits, 1))


def risk_coverage(cases: Sequence[CaseOutcome]) -> list[Point]:
    """What holding back unsure answers would cost and gain, by falling confidence."""
    answers = [one for one in cases if one.given and one.confidence is not None]
    points = []
    for confidence in sorted({one.confidence or 0.0 for one in answers}, reverse=True):
        kept = [one for one in answers if (one.confidence or 0.0) >= confidence]
        wrong = sum(not one.right for one in kept)
        points.append(Point(confidence, _share(len(kept), len(cases)), _share(wrong, len(kept))))
    return points


def _reliability(cases: Sequence[CaseOutcome]) -> list[Step]:
    steps: dict[int, list[CaseOutcome]] = defaultdict(list)
    for one in cases:
        if one.given and one.confidence is not None:
            steps[min(int(one.confidence * 10), 9)].append(one)
    return [
        Step(
            _rounded(sum(one.confidence or 0.0 for one in inside) / len(inside)),
            _share(sum(one.right for one in inside), len(inside)),
            len(inside),
        )
        for _, inside in sorted(steps.items())
    ]


def _by(cases: Sequence[CaseOutcome], key: Callable[[CaseOutcome], str]) -> dict[str, Rates]:
    groups: dict[str, list[CaseOutcome]] = defaultdict(list)
    for one in cases:
        groups[key(one)].append(one)
    return {name: rates(groups[name]) for name in sorted(groups)}


def _confusion(cases: Sequence[CaseOutcome]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in cases:
        counts[one.category][f"{one.wanted_end} -> {one.ended}"] += 1
    return {name: dict(sorted(counts[name].items())) for name in sorted(counts)}


def _abstention(cases: Sequence[CaseOutcome]) -> Abstention:
    reasons = Counter(one.abstained_for for one in cases if one.ended == "ABSTAIN")
    return Abstention(
        total_rate=_share(reasons.total(), len(cases)),
        expected_rate=_share(sum(one.wanted_end == "ABSTAIN" for one in cases), len(cases)),
        by_reason={
            str(name): _share(count, len(cases))
            for name, count in sorted(reasons.items(), key=lambda pair: str(pair[0]))
        },
    )


def _terminology(cases: Sequence[CaseOutcome]) -> Terminology:
    asked = [one for one in cases if one.category.startswith("terminology")]
    invented = sum(one.invented_term for one in asked)
    rate = _share(invented, len(asked)) if asked else None
    return Terminology(queries=len(asked), hallucinated=invented, rate=rate)


def _f1(jaccard: float) -> float:
    return _rounded(2 * jaccard / (1 + jaccard))


def _share(part: int, whole: int) -> float:
    return _rounded(part / whole) if whole else 0.0


def _rounded(value: float) -> float:
    return round(value, PLACES)
