"""A check as people read it in a terminal: the text with its spans coloured, then the reasons."""

import re
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from groundwire.cli._shared import console

if TYPE_CHECKING:
    from groundwire.model import CheckReport, ClaimResult, Status

STYLES: "dict[Status, str]" = {
    "grounded": "green",
    "unsupported": "yellow",
    "contradicted": "bold red",
    "unverifiable": "magenta",
}
MARKS: "dict[Status, str]" = {
    "grounded": "✓",
    "unsupported": "?",
    "contradicted": "✗",
    "unverifiable": "–",
}
PICTURE_COLUMNS = 100
_QUOTE_CHARS = 160
_FONT_FACE = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def show(text: str, report: "CheckReport") -> None:
    console().print(_layout(text, report))


def picture(text: str, report: "CheckReport") -> str:
    """The same as SVG, for a README or a report."""
    recorder = Console(record=True, width=PICTURE_COLUMNS, file=StringIO(), highlight=False)
    recorder.print(_layout(text, report))
    # the reader's own fonts do: a picture must not load anything from elsewhere
    return _FONT_FACE.sub("", recorder.export_svg(title="gw check"))


def _layout(text: str, report: "CheckReport") -> Group:
    if not report.claims:
        return Group(Text(report.message))
    return Group(
        Panel(_coloured(text, report), border_style="dim"),
        _table(report),
        Text(report.message, "bold"),
    )


def _coloured(text: str, report: "CheckReport") -> Text:
    shown = Text(text.strip("\n"))
    offset = len(text) - len(text.lstrip("\n"))
    for excluded in report.excluded:
        shown.stylize("dim", excluded.source.start - offset, excluded.source.end - offset)
    for claim in report.claims:
        if claim.span is not None:
            start, end = claim.span.start - offset, claim.span.end - offset
            shown.stylize(STYLES[claim.status], start, end)
    return shown


def _table(report: "CheckReport") -> Table:
    table = Table(box=None, padding=(0, 1), expand=True)
    table.add_column("")
    table.add_column("claim", ratio=1)
    table.add_column("p0 → p1", no_wrap=True)
    table.add_column("bits", justify="right", no_wrap=True)
    for claim in report.claims:
        table.add_row(
            Text(MARKS[claim.status], STYLES[claim.status]),
            Group(Text(claim.claim), _why(claim)),
            _probabilities(claim),
            _bits(claim),
        )
    return table


def _probabilities(claim: "ClaimResult") -> str:
    if claim.p0 is None or claim.p1 is None:
        return "–"
    return f"{claim.p0:.2f} → {claim.p1:.2f}"


def _bits(claim: "ClaimResult") -> str:
    """What the evidence gave of what the stated confidence needs."""
    if claim.observed_bits is None or claim.required_bits is None:
        return "–"
    return f"{claim.observed_bits:z.1f} of {claim.required_bits:.1f}"


def _why(claim: "ClaimResult") -> Text:
    style = STYLES[claim.status]
    why = Text.assemble((claim.status, style), f": {claim.message}")
    if claim.flagged and claim.status == "grounded":
        why = Text.assemble((claim.status, style), (" flagged", "yellow"), f": {claim.message}")
    for quote in claim.evidence[:1]:
        why.append(f"\n“{_shortened(quote.quote)}”", "italic")
        why.append(f" {quote.doc_id}", "dim")
    return why


def _shortened(quote: str) -> str:
    flat = " ".join(quote.split())
    return flat if len(flat) <= _QUOTE_CHARS else f"{flat[:_QUOTE_CHARS]}…"
