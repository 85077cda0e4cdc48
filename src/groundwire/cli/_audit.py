"""`gw audit`: each step of a reasoning, and whether the answer follows."""

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, print_outcome
from groundwire.cli._shared import (
    NOT_DETERMINED,
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    judge_settings,
    open_engine,
    refuse_special,
)

if TYPE_CHECKING:
    from groundwire.model import AnswerAudit, Quote, StepAudit, StepStatus, TraceAudit

FAILED = 1
_STYLES: "dict[StepStatus, str]" = {
    "ENTAILED": "green",
    "CONTRADICTED": "bold red",
    "NOT_IN_CONTEXT": "yellow",
    "UNVERIFIABLE": "magenta",
}


def audit(
    context: typer.Context,
    trace: Annotated[
        str,
        typer.Argument(
            metavar="TRACE",
            help='{"context", "steps", "answer"}, or a transcript with reasoning; - is stdin.',
            callback=refuse_special,
        ),
    ],
    html: Annotated[
        Path | None, typer.Option(help="Write the result as a page.", metavar="FILE")
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Audit a reasoning: each step against its context, and whether the answer follows."""
    from groundwire.cli._verify_output import read_input

    with open_engine(context, judge_settings(backend, provider, base_url, model)) as engine:
        data = read_input(trace, engine.config)
        where = "the trace on standard input" if trace == "-" else trace
        found = engine.read_reasoning(data, where)
        given = {f"context {n}": text for n, text in enumerate(found.context, start=1)}
        if len(given) == 1:
            given = {"context": found.context[0]}
        report = engine.audit_trace_sync(found.steps, given, found.answer)
    if html is not None:
        from groundwire.store import write_whole

        write_whole(html, page(report))
    print_outcome(report, _show, as_json=as_json)
    raise typer.Exit(_exit_code(report))


def _exit_code(report: "TraceAudit") -> int:
    if report.failed or report.status == "INVALID":
        return FAILED
    return 0 if report.status == "VALID" else NOT_DETERMINED


def _show(report: "TraceAudit") -> None:
    from rich.text import Text

    out = console()
    for step in report.steps:
        style = _STYLES[step.status]
        out.print(Text.assemble((f"{step.index:>3} ", "dim"), step.text))
        out.print(Text.assemble("    ", (step.status, style), f": {step.message}"))
        for line in _grounds(step.evidence, step.rests_on):
            out.print(Text(f"    {line}", "dim"))
    if report.answer is not None:
        out.print(Text.assemble(("  = ", "dim"), report.answer.text))
        out.print(Text(f"    {_follows(report.answer)}: {report.answer.message}"))
    out.print(Text(f"{report.status}: {report.message}", "bold"))
    for advice in report.recommendations:
        out.print(Text(f"- {advice}"))


def _grounds(quotes: "tuple[Quote, ...]", rests_on: tuple[int, ...]) -> list[str]:
    told = [f"\u201c{' '.join(quote.quote.split())}\u201d {quote.doc_id}" for quote in quotes[:2]]
    if rests_on:
        told.append(f"rests on step {', '.join(map(str, rests_on))}")
    return told


def _follows(answer: "AnswerAudit") -> str:
    return {True: "follows", False: "does not follow", None: "not determined"}[answer.derivable]


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
ol { list-style: none; padding: 0; }
li, .answer { border-left: 4px solid; padding: .3rem 1rem; margin: 0; }
li + li, .answer { margin-top: .2rem; }
li:not(:last-child)::after { content: "\\2193"; display: block; opacity: .5; }
.ENTAILED, .follows { border-color: #2a9d4a; background: #2a9d4a18; }
.NOT_IN_CONTEXT { border-color: #d19a00; background: #d19a0022; }
.CONTRADICTED, .does-not-follow { border-color: #d0302f; background: #d0302f22; }
.UNVERIFIABLE, .not-determined { border-color: #8250c8; background: #8250c818; }
li:target { outline: 2px solid; }
p { margin: .2rem 0; }
blockquote { margin: .3rem 0; padding-left: .8rem; border-left: 2px solid #8888; }
small { opacity: .75; }
"""


def page(report: "TraceAudit") -> str:
    """The chain as a page of its own: each verdict, and what it rests on."""
    steps = "\n".join(map(_item, report.steps))
    advice = "".join(f"<li>{escape(one)}</li>" for one in report.recommendations)
    return (
        "<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>Groundwire audit</title><style>{_STYLE}</style></head>\n<body>\n"
        f"<h1>{report.status}</h1>\n<p>{escape(report.message)}</p>\n"
        f"<ol>\n{steps}\n</ol>\n{_answer(report)}"
        + (f"<h2>What to do</h2><ul>{advice}</ul>\n" if advice else "")
        + f"<p><small>Request {escape(report.request_id)}</small></p>\n</body>\n</html>\n"
    )


def _item(step: "StepAudit") -> str:
    return (
        f"<li id='s{step.index}' class='{step.status}'>"
        f"<p>{step.index}. {escape(step.text)}</p>"
        f"<p><b>{step.status}</b>: {escape(step.message)}</p>"
        f"{_quotes(step.evidence)}{_links(step.rests_on)}</li>"
    )


def _answer(report: "TraceAudit") -> str:
    answer = report.answer
    if answer is None:
        return ""
    follows = _follows(answer)
    return (
        f"<div class='answer {follows.replace(' ', '-')}'><p>{escape(answer.text)}</p>"
        f"<p><b>{follows}</b>: {escape(answer.message)}</p>"
        f"{_quotes(answer.evidence)}{_links(answer.rests_on)}</div>\n"
    )


def _quotes(quotes: "tuple[Quote, ...]") -> str:
    return "".join(
        f"<blockquote>{escape(quote.quote)}<br><small>{escape(quote.doc_id)}, "
        f"characters {quote.start}\u2013{quote.end}</small></blockquote>"
        for quote in quotes
    )


def _links(rests_on: tuple[int, ...]) -> str:
    if not rests_on:
        return ""
    steps = ", ".join(f"<a href='#s{one}'>step {one}</a>" for one in rests_on)
    return f"<p><small>Rests on {steps}.</small></p>"
