"""What `gw check` writes: for people, programs, build servers and code scanners."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.cli._check_inputs import GivenAnswer
from groundwire.cli._output import json_text, write_document

if TYPE_CHECKING:
    from groundwire.model import CheckReport, ClaimResult
    from groundwire.observe import ReportedCase, ReportedFinding

_LEVELS = {"contradicted": "error", "unsupported": "warning", "unverifiable": "note"}

Fails = Callable[["ClaimResult"], bool]


@dataclass(frozen=True)
class Checked:
    """An answer, and what became of it."""

    answer: GivenAnswer
    report: "CheckReport"

    @property
    def name(self) -> str:
        return self.answer.name

    @property
    def text(self) -> str:
        return self.answer.text


def write(checked: Sequence[Checked], chosen: str, file: Path | None, *, fails: Fails) -> None:
    """To a file, or to standard output."""
    from groundwire.cli._check_report import page, picture, show
    from groundwire.store import write_whole

    if chosen == "table":
        show(checked)
        return
    writers: dict[str, Callable[[], str]] = {
        "json": lambda: json_text(_document(checked)) + "\n",
        "jsonl": lambda: "",  # its lines are written as the verdicts fall
        "junit": lambda: _junit(checked, fails),
        "sarif": lambda: _sarif(checked),
        "html": lambda: page(checked),
        "svg": lambda: picture(checked),
    }
    written = writers[chosen]()
    if file is None:
        write_document(written)
    else:
        write_whole(file, written)


def _document(checked: Sequence[Checked]) -> dict[str, Any]:
    """One answer is its report; several are a list with one score over all their claims."""
    from groundwire.model import CheckSummary

    if len(checked) == 1:
        return checked[0].report.model_dump(mode="json")
    claims = [claim for one in checked for claim in one.report]
    excluded = sum(len(one.report.excluded) for one in checked)
    return {
        "summary": CheckSummary.of(claims, excluded=excluded).model_dump(mode="json"),
        "answers": [{"answer": one.name, **one.report.model_dump(mode="json")} for one in checked],
    }


def claim_line(answer: str, claim: "ClaimResult") -> str:
    """One verdict, written as soon as it falls."""
    return _line({"type": "claim", "answer": answer, **claim.model_dump(mode="json")})


def answer_line(one: Checked) -> str:
    """The claims have their own lines; this says what they come to."""
    whole = one.report.model_dump(mode="json", exclude={"claims"})
    return _line({"type": "answer", "answer": one.name, **whole})


def _line(document: dict[str, Any]) -> str:
    return json_text(document, indent=None)


def _junit(checked: Sequence[Checked], fails: Fails) -> str:
    from groundwire.observe import ReportedCase, junit_xml

    nothing = [ReportedCase("claims", skipped="There is nothing to verify.")]
    return junit_xml(
        {one.name: [_case(claim, fails) for claim in one.report] or nothing for one in checked}
    )


def _case(claim: "ClaimResult", fails: Fails) -> "ReportedCase":
    from groundwire.observe import ReportedCase

    said = f"{claim.status} ({claim.reason}): {claim.message}"
    if fails(claim):
        quotes = [f"{quote.doc_id}: {quote.quote}" for quote in claim.evidence]
        return ReportedCase(claim.claim, failure=said, detail="\n".join([said, *quotes]))
    return ReportedCase(claim.claim, skipped=said if claim.status == "unverifiable" else None)


def _sarif(checked: Sequence[Checked]) -> str:
    from importlib.metadata import version

    from groundwire.observe import sarif_json

    found = [
        _finding(one, claim)
        for one in checked
        for claim in one.report
        if claim.status != "grounded" or claim.flagged
    ]
    return sarif_json(found, version=version("groundwire"))


def _finding(one: Checked, claim: "ClaimResult") -> "ReportedFinding":
    from groundwire.observe import ReportedFinding

    head = one.answer.front_matter
    return ReportedFinding(
        rule=claim.reason,
        level=_LEVELS.get(claim.status, "note"),
        message=f"{claim.claim} ({claim.status}) {claim.message}",
        file=one.name,
        start=len(head) + claim.span.start if claim.span else None,
        end=len(head) + claim.span.end if claim.span else None,
        text=head + one.text,
        related=[(quote.doc_id, quote.quote) for quote in claim.evidence],
    )
