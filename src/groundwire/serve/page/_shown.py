"""What is worked out for showing: a text in pieces, a quote in its place, part of a graph."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from groundwire.model import CausalEdge, CausalGraphFile, CheckReport
from groundwire.observe import AuditRow

_AROUND_CHARS = 240
_BAR_PX, _BAR_MS = 120.0, 5_000.0


class Piece(NamedTuple):
    """Some of a text: of a claim its number and status, of what was left out the reason."""

    text: str
    claim: int = 0
    kind: str = ""


def pieces_of(text: str, report: CheckReport) -> list[Piece]:
    """The whole text, in order; of spans that overlap the first counts."""
    marks = [
        (claim.span.start, claim.span.end, number, claim.status)
        for number, claim in enumerate(report.claims, start=1)
        if claim.span is not None
    ]
    marks += [(one.source.start, one.source.end, 0, one.reason) for one in report.excluded]  # type: ignore[misc]
    pieces: list[Piece] = []
    end = 0
    for start, stop, number, kind in sorted(marks, key=lambda one: (one[0], one[1], one[2])):
        if start < end:
            continue
        pieces += [Piece(text[end:start]), Piece(text[start:stop], number, kind)]
        end = stop
    return [piece for piece in [*pieces, Piece(text[end:])] if piece.text]


class Excerpt(NamedTuple):
    before: str
    quote: str
    after: str


def excerpt(quote: Any, sources: Mapping[str, str]) -> Excerpt | None:
    """A quote with what stands around it, where its source is at hand."""
    text = sources.get(quote.doc_id)
    if text is None or text[quote.start : quote.end] != quote.quote:
        return None
    start, end = max(0, quote.start - _AROUND_CHARS), quote.end + _AROUND_CHARS
    before = ("…" if start else "") + text[start : quote.start]
    after = text[quote.end : end] + ("…" if end < len(text) else "")
    return Excerpt(before, quote.quote, after)


def tag_of(status: Any) -> str:
    """A status as the name of a class: "NEEDS REWRITE" becomes "needs-rewrite"."""
    return "-".join(str(status).casefold().split())


def bar_width(milliseconds: float | None) -> float:
    shown = _BAR_MS if milliseconds is None else min(milliseconds, _BAR_MS)
    return round(_BAR_PX * math.sqrt(shown / _BAR_MS), 1)


class Earlier(NamedTuple):
    request_id: str
    moment: str
    claims: int
    wrong: int
    first: str


def history_of(rows: Sequence[AuditRow], most: int) -> list[Earlier]:
    """The last checks, put together from their verdicts."""
    requests: dict[str, list[AuditRow]] = defaultdict(list)
    for row in rows:
        requests[row.request_id].append(row)
    return [
        Earlier(
            request_id=request_id,
            moment=found[0].moment[:19].replace("T", " "),
            claims=len(found),
            wrong=sum(row.status != "grounded" for row in found),
            first=found[-1].claim[:100],
        )
        for request_id, found in list(requests.items())[:most]
    ]


def edges_near(graph: CausalGraphFile, *, focus: str, query: str, every: bool) -> list[CausalEdge]:
    """Edges by status, by words of their ends, and within two steps of what is focused on."""
    edges = [one for one in graph.edges if every or one.edge_status == "grounded"]
    labels = {one.id: one.label.casefold() for one in graph.variables}
    if query:
        words = query.casefold()
        edges = [
            one
            for one in edges
            if words in labels.get(one.from_var, "") or words in labels.get(one.to_var, "")
        ]
    if focus:
        near = {focus}
        for _ in range(2):
            near |= {
                end
                for one in edges
                if near & {one.from_var, one.to_var}
                for end in (one.from_var, one.to_var)
            }
        edges = [one for one in edges if {one.from_var, one.to_var} <= near]
    return sorted(edges, key=lambda one: one.id)
