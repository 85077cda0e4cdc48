from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from groundwire.cli._output import warn, write_document
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
    from collections.abc import Sequence

    from groundwire.engine import Engine
    from groundwire.model import CheckReport, ClaimResult, Message, Unread

FAILED = 1


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
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="Evidence: every file and folder that follows, up to the next option.",
            callback=refuse_special,
            metavar="FILE",
        ),
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ANSWER",
            help="Files with texts to check, .jsonl with one answer a line, or - for stdin.",
            callback=refuse_special,
        ),
    ] = None,
    text: Annotated[
        list[str] | None, typer.Option(help="A text to check, as it stands.", metavar="TEXT")
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(help="What the answers answer: then 42 days is a claim.", metavar="TEXT"),
    ] = None,
    conversation: Annotated[
        Path | None,
        typer.Option(
            help="Evidence: the conversation that ANSWER belongs to.",
            callback=refuse_special,
            metavar="FILE",
        ),
    ] = None,
    rewrite: Annotated[
        Literal["cut", "correct"] | None,
        typer.Option(help="With --conversation: also give it rewritten."),
    ] = None,
    output_format: Annotated[
        Literal["table", "json", "jsonl", "junit", "sarif", "html", "svg"],
        typer.Option(
            "--format", help="How it is written: table, json, jsonl, junit, sarif, html or svg."
        ),
    ] = "table",
    fail_on: Annotated[
        list[FailOn] | None,
        typer.Option(
            help="End with 1 if a claim is one of these. "
            "Default: contradicted, unsupported, phantom_citation."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Also write the result as a page.", metavar="FILE")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option(help="Also write the result as a picture.", metavar="FILE")
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Find what texts assert, and test each assertion against evidence."""
    from groundwire.cli._check_formats import Checked, answer_line, claim_line, write
    from groundwire.cli._check_inputs import read_answers, read_sources
    from groundwire.cli._check_live import live_verdicts

    chosen = "json" if as_json else output_format
    checked: list[Checked] = []
    settings = judge_settings(backend, provider, base_url, model)
    with live_verdicts() as live, open_engine(context, settings) as engine:
        given = read_answers(answers or [], text or [], question, engine.config)
        messages = _messages(conversation, against, engine)
        documents, unread = (
            read_sources(against, engine.config, live.reading) if against else ([], [])
        )
        for answer in given:
            live.answer(answer.name)

            def told(result: "ClaimResult", done: int, of: int, name: str = answer.name) -> None:
                live.claim(result, done, of)
                if chosen == "jsonl":
                    write_document(claim_line(name, result) + "\n")

            report: CheckReport
            if messages is None:
                report = engine.verify_claims_sync(
                    answer.text, documents, question=answer.question, on_claim=told
                )
            else:
                report = engine.verify_response_sync(answer.text, messages, rewrite=rewrite)
            checked.append(Checked(answer, _with_unread(report, unread)))
            if chosen == "jsonl":
                write_document(answer_line(checked[-1]) + "\n")
    limited = sum(claim.reason == "backend_rate_limited" for one in checked for claim in one.report)
    if limited:
        warn(f"{limited} claims met the rate limit and wait; verify them with: gw queue --run")
    failing = fail_on or list(DEFAULT_FAIL_ON)
    for other, file in (("html", html), ("svg", svg)):
        if file is not None:
            write(checked, other, file, fails=lambda claim: _fails(claim, failing))
    write(checked, chosen, None, fails=lambda claim: _fails(claim, failing))
    raise typer.Exit(exit_code([one.report for one in checked], failing))


def _messages(
    conversation: Path | None, against: "Sequence[str] | None", engine: "Engine"
) -> "list[Message] | None":
    """Of the conversation, where that is the evidence; one of the two must be there."""
    from groundwire.cli._verify_output import read_input
    from groundwire.errors import InputError

    if conversation is None:
        if not against:
            raise InputError(
                "There is no evidence to check against.",
                hint="Give --against FILE, or --conversation FILE.",
            )
        return None
    if against:
        raise InputError(
            "--conversation and --against name two kinds of evidence.",
            hint="Give one of them; a document can be a message with the role retrieved.",
        )
    data = read_input(str(conversation), engine.config)
    return engine.read_conversation(data, str(conversation))


def _with_unread(report: "CheckReport", unread: "list[Unread]") -> "CheckReport":
    coverage = report.coverage.model_copy(update={"unread": tuple(unread)})
    return report.model_copy(update={"coverage": coverage})


def _fails(claim: "ClaimResult", fail_on: "Sequence[FailOn]") -> bool:
    kinds: set[str] = {claim.status}
    if claim.has_phantom_citation:
        kinds.add("phantom_citation")
    if claim.flagged:
        kinds.add("flagged")
    return any(one.value in kinds for one in fail_on)


def exit_code(reports: "Sequence[CheckReport]", fail_on: "Sequence[FailOn]") -> int:
    """1 where a claim fails, 3 where something could not be determined; 1 beats 3."""
    if any(_fails(claim, fail_on) for report in reports for claim in report):
        return FAILED
    # what was not read might have opposed what the rest supports
    is_open = any(
        report.mode == "ABSTAIN" or report.summary.unverifiable or report.coverage.unread
        for report in reports
    )
    return NOT_DETERMINED if is_open else 0
