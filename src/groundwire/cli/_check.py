from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._shared import (
    NOT_DETERMINED,
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    judge_settings,
    open_engine,
    print_json,
    read_body,
    warn,
)

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import CheckReport, Document, ResponseReport, Unread
    from groundwire.verify import Rewrite

FAILED = 1
_FORMATS = (
    "Markdown, text, reStructuredText, AsciiDoc, Org, HTML, PDF, DOCX, XLSX, PPTX, CSV, TSV, JSON, "
    "notebooks and e-mail"
)


class RewriteHow(StrEnum):
    """What becomes of claims that do not stand."""

    cut = "cut"
    correct = "correct"


class FailOn(StrEnum):
    """What makes the command end with 1."""

    contradicted = "contradicted"
    unsupported = "unsupported"
    phantom_citation = "phantom_citation"
    flagged = "flagged"
    unverifiable = "unverifiable"
    nothing = "nothing"


DEFAULT_FAIL_ON = (FailOn.contradicted, FailOn.unsupported, FailOn.phantom_citation)


def check(
    context: typer.Context,
    answer: Annotated[
        str,
        typer.Argument(metavar="ANSWER", help="A file with the text to check, or - for stdin."),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(help="Evidence: a file or a folder. Several may follow.", metavar="FILE"),
    ] = None,
    conversation: Annotated[
        Path | None,
        typer.Option(help="Evidence: the conversation that ANSWER belongs to.", metavar="FILE"),
    ] = None,
    rewrite: Annotated[
        RewriteHow | None, typer.Option(help="With --conversation: also give it rewritten.")
    ] = None,
    more: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="More evidence.")
    ] = None,
    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(
            help="End with 1 if a claim is one of these. "
            "Default: contradicted, unsupported, phantom_citation."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the result as a page.", metavar="FILE")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Write the result as a picture.", metavar="FILE")
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Find what a text asserts, and test each assertion against evidence."""
    from groundwire.cli._verify_output import read_input

    with open_engine(context, judge_settings(backend, provider, base_url, model)) as engine:
        text = _answer(answer, engine.config)
        paths = [*(against or []), *(more or [])]
        if conversation is not None:
            _refuse_both(paths)
            data = read_input(str(conversation), engine.config)
            messages = engine.read_conversation(data, str(conversation))
            response = engine.verify_response_sync(text, messages, rewrite=_how(rewrite))
            _show_response(text, response, html, svg, as_json=as_json)
            raise typer.Exit(_exit_code(response, fail_on or list(DEFAULT_FAIL_ON)))
        documents, unread = _evidence(paths, engine.config)
        report = engine.verify_claims_sync(text, documents)
    report = _with_unread(report, unread)
    limited = sum(claim.reason == "backend_rate_limited" for claim in report.claims)
    if limited:
        warn(f"{limited} claims met the rate limit and wait; verify them with: gw queue --run")
    _write_files(text, report, html, svg)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        from groundwire.cli._check_report import show

        show(text, report)
    raise typer.Exit(_exit_code(report, fail_on or list(DEFAULT_FAIL_ON)))


def _how(rewrite: RewriteHow | None) -> "Rewrite | None":
    if rewrite is None:
        return None
    return "cut" if rewrite is RewriteHow.cut else "correct"


def _refuse_both(paths: list[Path]) -> None:
    from groundwire.errors import InputError

    if paths:
        raise InputError(
            "--conversation and --against name two kinds of evidence.",
            hint="Give one of them; a document can be a message with the role retrieved.",
        )


def _show_response(
    text: str, report: "ResponseReport", html: Path | None, svg: Path | None, *, as_json: bool
) -> None:
    _write_files(text, report, html, svg)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    from groundwire.cli._check_report import show, show_notes

    show(text, report)
    show_notes(report)


def _answer(answer: str, config: "Config") -> str:
    from groundwire.errors import UnreadableSource

    if answer != "-" and " " in answer and not Path(answer).exists():
        raise UnreadableSource(
            "There is no such file: the first argument names a file, not a text.",
            hint='To check a text, pipe it: echo "TEXT" | gw check - --against FILE',
        )
    return read_body(answer, config)


def _evidence(paths: list[Path], config: "Config") -> "tuple[list[Document], list[Unread]]":
    """Every named file, and in named folders every file that can be read; and what could not."""
    from groundwire.errors import InputError, UnreadableSource
    from groundwire.evidence import find_files, find_unread, read_document
    from groundwire.model import Unread

    documents: list[Document] = []
    unread: list[Unread] = []
    for path in paths:
        if not path.is_dir():
            documents.append(read_document(path, config.limits))
            continue
        for found in find_files([path]):
            try:
                document = read_document(found.path, config.limits)
                documents.append(document.model_copy(update={"doc_id": found.place}))
            except UnreadableSource as error:
                unread.append(Unread(path=found.place, reason=str(error)))
        unread += [
            Unread(path=found.place, reason=f"files of type {found.path.suffix} cannot be read")
            for found in find_unread([path])
        ]
    unread += [
        Unread(path=document.doc_id, reason=f"{document.metadata['unread']} is not read")
        for document in documents
        if "unread" in document.metadata
    ]
    for one in unread:
        warn(f"left out: {one.path}: {one.reason}")
    if not paths:
        raise InputError(
            "There is no evidence to check against.",
            hint="Give --against FILE, or --conversation FILE.",
        )
    if not documents:
        raise InputError(
            f"There is no document in {', '.join(map(str, paths))}.",
            hint=f"Groundwire reads {_FORMATS}.",
        )
    return documents, unread


def _with_unread(report: "CheckReport", unread: "list[Unread]") -> "CheckReport":
    coverage = report.coverage.model_copy(update={"unread": tuple(unread)})
    return report.model_copy(update={"coverage": coverage})


def _write_files(text: str, report: "CheckReport", html: Path | None, svg: Path | None) -> None:
    from groundwire.store import write_whole

    if html is not None:
        from groundwire.cli._check_report import page

        write_whole(html, page(text, report))
    if svg is not None:
        from groundwire.cli._check_report import picture

        write_whole(svg, picture(text, report))


def _exit_code(report: "CheckReport", fail_on: list[FailOn]) -> int:
    summary = report.summary
    counts = {
        FailOn.contradicted: summary.contradicted,
        FailOn.unsupported: summary.unsupported,
        FailOn.phantom_citation: summary.phantom_citations,
        FailOn.flagged: summary.flagged,
        FailOn.unverifiable: summary.unverifiable,
        FailOn.nothing: 0,
    }
    if any(counts[one] for one in fail_on):
        return FAILED
    # what was not read might have opposed what the rest supports
    if report.mode == "ABSTAIN" or summary.unverifiable or report.coverage.unread:
        return NOT_DETERMINED
    return 0
