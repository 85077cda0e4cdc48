"""What `gw check` shows: in a terminal, on a page, as a picture."""

import math
import re
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from groundwire._patterns import lazy_pattern
from groundwire.cli._console import PlainConsole
from groundwire.cli._output import console, shortened
from groundwire.model import CheckSummary, ResponseReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.cli._check_formats import Checked
    from groundwire.model import CheckReport, ClaimResult, Quote, Status

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
_ORDER: "tuple[Status, ...]" = ("contradicted", "unsupported", "unverifiable", "grounded")
PICTURE_COLUMNS = 100
_QUOTE_CHARS = 161
# a web font, which a picture for a page must not fetch
_FONT_FACE = lazy_pattern(r"@font-face \{.*?\}", re.DOTALL)


def show(checked: "Sequence[Checked]") -> None:
    """Each answer with its problems first; after several, what they come to together."""
    console().print(_layouts(checked))
    for one in checked:
        if isinstance(one.report, ResponseReport):
            _show_notes(one.report)


def _show_notes(report: ResponseReport) -> None:
    """What to correct, and the response with it corrected, where that was asked for."""
    out = console()
    for note in report.notes:
        instead = f": {note.replacement}" if note.replacement else ""
        out.print(Text(f"- {note.change} \u201c{note.claim}\u201d{instead}"))
        for fact in note.facts:
            out.print(Text(f"    {fact}", "dim"))
    if report.rewritten is not None:
        out.print(Panel(Text(report.rewritten), title="rewritten", border_style="dim"))


def picture(checked: "Sequence[Checked]") -> str:
    """The same as SVG, for a README or a report."""
    recorder = PlainConsole(record=True, width=PICTURE_COLUMNS, file=StringIO(), highlight=False)
    recorder.print(_layouts(checked))
    # the reader's own fonts do: a picture must not load anything from elsewhere
    return _FONT_FACE.sub("", recorder.export_svg(title="gw check"))


def _layouts(checked: "Sequence[Checked]") -> Group:
    if len(checked) == 1:
        return _layout(checked[0].text, checked[0].report)
    told = [
        part
        for one in checked
        for part in (Text(one.name, "bold underline"), _layout(one.text, one.report), Text())
    ]
    return Group(*told, Text(f"All {len(checked)} answers: {_overall(checked)}", "bold"))


def _overall(checked: "Sequence[Checked]") -> str:
    claims = [claim for one in checked for claim in one.report]
    summary = CheckSummary.of(claims, excluded=0)
    return f"{summary.grounded} of {summary.claims} claims grounded.{_scored(summary.score)}"


def _scored(score: float | None) -> str:
    """Rounded down: what is not whole is never shown as 1.00."""
    if score is None:
        return ""
    hundredths = math.floor(round(score * 100, 6))  # 0.29 * 100 is 28.999999999999996
    return f" Score {hundredths / 100:.2f}."


def _layout(text: str, report: "CheckReport") -> Group:
    if not report.claims:
        return Group(*_coverage(text, report), Text(report.message))
    return Group(
        Panel(_coloured(text, report), border_style="dim"),
        _table(report),
        *_coverage(text, report),
        Text(headline(report), "bold"),
    )


def headline(report: "CheckReport") -> str:
    """What the claims came to, and the score."""
    return f"{report.message}{_scored(report.score)}"


def problems_first(report: "CheckReport") -> "list[tuple[int, ClaimResult]]":
    """Every claim with its number in the text, the worst first."""
    numbered = list(enumerate(report, start=1))
    return sorted(numbered, key=lambda one: (_ORDER.index(one[1].status), not one[1].flagged))


def _coverage(text: str, report: "CheckReport") -> list[Text]:
    """What was not checked, each with its line; headings are only counted."""
    told = [Text(report.coverage.summary + ".", "dim")]
    told += [
        Text(
            f"  line {text.count(chr(10), 0, one.start) + 1}: "
            f"{shortened(text[one.start : one.end], _QUOTE_CHARS)} "
            f"({one.reason.replace('_', ' ')})",
            "dim",
        )
        for one in report.coverage.left_out
        if one.reason not in ("heading", "code", "hidden")
    ]
    told += [
        Text(f"  not read: {one.path}: {one.reason}", "magenta") for one in report.coverage.unread
    ]
    return told


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
    for _, claim in problems_first(report):
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
    flag = " flagged" if claim.flagged and claim.status == "grounded" else ""
    status = (claim.status, STYLES[claim.status])
    why = Text.assemble(status, (flag, "yellow"), f": {claim.message}")
    for quote in claim.evidence:
        _quoted(why, quote)
    if claim.nearest is not None:
        why.append("\nNearest, and no more than that:", "dim")
        _quoted(why, claim.nearest)
    return why


def _quoted(why: Text, quote: "Quote") -> None:
    where = f", {quote.place}" if quote.place else ""
    why.append(f"\n“{shortened(quote.quote, _QUOTE_CHARS)}”", "italic")
    why.append(f" {quote.doc_id}{where}", "dim")


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
pre { white-space: pre-wrap; font: inherit; padding: 1rem; }
pre { border: 1px solid #8886; border-radius: 6px; }
a.claim { color: inherit; text-decoration: none; border-bottom: 3px solid; }
.grounded { border-color: #2a9d4a; background: #2a9d4a22; }
.unsupported { border-color: #d19a00; background: #d19a0022; }
.contradicted { border-color: #d0302f; background: #d0302f2b; }
.unverifiable { border-color: #8250c8; background: #8250c822; }
.excluded { opacity: .55; }
section { border-left: 4px solid; padding: .2rem 1rem; margin: 1rem 0; background: none; }
section:target { outline: 2px solid; }
h2 { font-size: 1.2rem; } h3 { font-size: 1rem; margin: .3rem 0; }
blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 2px solid #8888; }
small { opacity: .75; }
"""


def page(checked: "Sequence[Checked]") -> str:
    """One file that loads nothing: every answer with its claims marked and explained."""
    is_several = len(checked) > 1
    overall = f"<h1>{len(checked)} answers: {_overall(checked)}</h1>\n" if is_several else ""
    answers = "".join(
        _article(one, f"a{number}-" if is_several else "", is_several=is_several)
        for number, one in enumerate(checked, start=1)
    )
    return (
        "<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>Groundwire check</title><style>{_STYLE}</style></head>\n<body>\n"
        f"{overall}{answers}</body>\n</html>\n"
    )


def _article(one: "Checked", prefix: str, *, is_several: bool) -> str:
    report = one.report
    claims = "\n".join(_section(f"{prefix}c{n}", claim) for n, claim in problems_first(report))
    title = escape(f"{one.name}: {headline(report)}" if is_several else headline(report))
    level = "h2" if is_several else "h1"
    return (
        f"<article>\n<{level}>{title}</{level}>\n<p>{escape(report.coverage.summary)}.</p>\n"
        f"<pre>{_marked(one.text, report, prefix)}</pre>\n{claims}\n"
        f"<p><small>Request {escape(report.request_id)}</small></p>\n</article>\n"
    )


def _marked(text: str, report: "CheckReport", prefix: str) -> str:
    """The text with each claim a link to what was found. Spans never overlap."""
    marks = [
        (claim.span, f"<a class='claim {claim.status}' href='#{prefix}c{number}'>", "</a>")
        for number, claim in enumerate(report.claims, 1)
        if claim.span is not None
    ]
    marks += [
        (one.source, f"<span class='excluded' title='{one.reason}'>", "</span>")
        for one in report.excluded
    ]
    parts: list[str] = []
    end = 0
    for span, opening, closing in sorted(marks, key=lambda one: (one[0].start, one[0].end, one[1])):
        if span.start >= end:
            parts += [escape(text[end : span.start]), opening, escape(span.of(text)), closing]
            end = span.end
    return "".join([*parts, escape(text[end:])])


def _section(anchor: str, claim: "ClaimResult") -> str:
    quotes = "".join(
        f"<blockquote>{escape(quote.quote)}<br><small>{escape(quote.doc_id)}, "
        f"{escape(quote.place + ', ' if quote.place else '')}"
        f"characters {quote.start}–{quote.end}</small></blockquote>"
        for quote in claim.evidence
    )
    flagged = " · flagged" if claim.flagged else ""
    return (
        f"<section id='{anchor}' class='{claim.status}'>"
        f"<h3>{escape(claim.claim)}</h3>"
        f"<p><b>{claim.status}</b>{flagged}: {escape(claim.message)}</p>{quotes}"
        f"<p><small>{_figures(claim)}</small></p></section>"
    )


def _figures(claim: "ClaimResult") -> str:
    judge = escape(claim.verifier.backend)
    if claim.p0 is None or claim.p1 is None:
        return f"Not judged ({judge}, {claim.reason})."
    return (
        f"{claim.p0:.2f} without its evidence, {claim.p1:.2f} with it: "
        f"{claim.observed_bits:.2f} of {claim.required_bits:.2f} bits needed for a confidence of "
        f"{claim.target:.2f}; adjusted confidence {claim.adjusted_confidence:.2f} ({judge})."
    )
