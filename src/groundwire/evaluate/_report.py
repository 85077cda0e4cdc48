"""Results for people and for build servers: one page of HTML, JUnit, SARIF."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from groundwire.evaluate._results import CaseOutcome, Failure, Metrics, Rates, Results
from groundwire.observe import ReportedCase, ReportedFinding, junit_xml, sarif_json

_SIZE = 260
_EDGE = 34
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .6rem 0 1.4rem; }
th, td { text-align: left; padding: .2rem .9rem .2rem 0; vertical-align: top; }
td { border-top: 1px solid #8884; font-variant-numeric: tabular-nums; }
figure { display: inline-block; margin: 0 2rem 1rem 0; } figcaption { font-size: .85rem; }
svg { width: 260px; height: 260px; } svg * { vector-effect: non-scaling-stroke; }
.axis { stroke: #888; fill: none; } .ideal { stroke: #888; stroke-dasharray: 4; fill: none; }
.line { stroke: #2a6fdb; stroke-width: 2; fill: none; } .dot { fill: #2a6fdb; }
text { font-size: 11px; fill: currentColor; } pre { white-space: pre-wrap; font-size: .8rem; }
details { border-top: 1px solid #8884; padding: .3rem 0; } small { opacity: .7; }
"""


def to_html(results: Results) -> str:
    """One file that needs nothing else: no script, no font, no address is loaded."""
    meta = results.meta
    head = (
        f"<p>{meta.pass_count} of {meta.total_queries} cases passed. Golden set "
        f"{escape(meta.golden_set_version or 'none')} <small>{escape(meta.golden_set_hash or '')}"
        f"</small>, settings <small>{escape(meta.config_hash)}</small>, commit "
        f"<small>{escape(meta.commit or 'unknown')}</small>, {escape(meta.timestamp)}.</p>"
    )
    left_out = [
        f"<p>Left out: {escape(name)}, as {escape(reason)}.</p>"
        for name, reason in meta.left_out.items()
    ]
    body = [part for name, found in results.suites.items() for part in _suite(name, found)]
    failures = [f"<h2>Failures ({len(results.failures)})</h2>", *map(_failure, results.failures)]
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>Groundwire evaluation</title><style>{_STYLE}</style></head><body>",
            "<h1>Groundwire evaluation</h1>",
            head,
            *left_out,
            *body,
            *failures,
            "</body></html>\n",
        ]
    )


def _suite(name: str, found: Metrics) -> Iterable[str]:
    yield f"<h2>{escape(name)}</h2>"
    groups = {"all": found.overall} | {f"split {k}": v for k, v in found.by_split.items()}
    groups |= {f"collection {k}": v for k, v in found.by_collection.items()}
    yield _table(["", "cases", "passed", "precision", "recall", "F1"], map(_row, groups.items()))
    if found.reliability:
        points = [(one.said, one.true) for one in found.reliability]
        yield _figure(
            "Reliability: how often answers of a confidence are right", points, ideal=True
        )
    if found.risk_coverage:
        points = [(one.coverage, one.risk) for one in found.risk_coverage]
        yield _figure("Risk and coverage: how much is wrong of what is answered", points)
    yield "<h3>Expected and actual, by category</h3>"
    ends = sorted({end for counts in found.confusion.values() for end in counts})
    yield _table(
        ["category", *ends],
        (
            [name, *(str(counts.get(end, "")) for end in ends)]
            for name, counts in found.confusion.items()
        ),
    )
    asked = found.abstention
    yield (
        f"<p>Abstained {asked.total_rate:.1%} (expected {asked.expected_rate:.1%}): "
        + ", ".join(f"{escape(k)} {v:.1%}" for k, v in asked.by_reason.items())
        + ".</p>"
    )
    yield _table(list(found.latency), [[f"{value:g}" for value in found.latency.values()]])


def _row(group: tuple[str, Rates]) -> list[str]:
    name, found = group
    cells = []
    for measure in ("precision", "recall", "f1"):
        value = getattr(found, measure)
        low, high = found.intervals.get(measure, (0.0, 0.0))
        cells.append("–" if value is None else f"{value:.3f} ({low:.2f} to {high:.2f})")
    return [name, str(found.count), str(found.passed), *cells]


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _figure(title: str, points: Sequence[tuple[float, float]], *, ideal: bool = False) -> str:
    inner = _SIZE - 2 * _EDGE
    at = [(_EDGE + x * inner, _SIZE - _EDGE - y * inner) for x, y in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    far = _SIZE - _EDGE
    line = f'<line class="ideal" x1="{_EDGE}" y1="{far}" x2="{far}" y2="{_EDGE}"/>' if ideal else ""
    dots = "".join(f'<circle class="dot" r="3" cx="{x:.1f}" cy="{y:.1f}"/>' for x, y in at)
    return (
        f'<figure><svg viewBox="0 0 {_SIZE} {_SIZE}" role="img" aria-label="{escape(title)}">'
        f'<path class="axis" d="M{_EDGE} {_EDGE}V{far}H{far}"/>{line}'
        f'<polyline class="line" points="{path}"/>{dots}'
        f'<text x="{_EDGE - 8}" y="{far + 14}">0</text><text x="{far - 8}" y="{far + 14}">1</text>'
        f'<text x="{_EDGE - 14}" y="{_EDGE + 4}">1</text></svg>'
        f"<figcaption>{escape(title)}</figcaption></figure>"
    )


def _failure(one: Failure) -> str:
    shown = {"expected": one.expected, "actual": one.actual, "trace": one.trace}
    return (
        f"<details><summary>{escape(one.id)} <small>{escape(one.category)}</small> "
        f"{escape(one.reason)}: {escape(one.query)}</summary>"
        f"<pre>{escape(_pretty(shown))}</pre></details>"
    )


def to_junit(results: Results) -> str:
    """One test case for each case, as build servers read them."""
    reasons = {(one.suite, one.id): one for one in results.failures}
    return junit_xml(
        {
            name: [
                _case(one, reasons.get((name, one.id)))
                for one in results.cases
                if one.suite == name
            ]
            for name in results.suites
        }
    )


def _case(one: CaseOutcome, failure: Failure | None) -> ReportedCase:
    if failure is None:
        return ReportedCase(one.id, one.category)
    shown = {"query": failure.query, "expected": failure.expected, "actual": failure.actual}
    return ReportedCase(one.id, one.category, failure=failure.reason, detail=_pretty(shown))


def to_sarif(results: Results) -> str:
    """Failures as a code scanner reports findings: each at its file, under its reason's rule."""
    file = next(iter(results.meta.sources), None)
    found = [
        ReportedFinding(
            rule=one.reason,
            level="warning",
            message=f"{one.id} ({one.category}): {one.reason}: {one.query}",
            file=file,
            case=(one.id, one.suite),
        )
        for one in results.failures
    ]
    return sarif_json(found, version=results.meta.groundwire_version)


def _pretty(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)
