"""Results as build servers and code scanners read them: JUnit XML and SARIF 2.1.0."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import category
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr


@dataclass(frozen=True)
class ReportedCase:
    """One case of a suite: it failed for a reason, was skipped for one, or passed.

    `kind` sets it apart within its suite.
    """

    name: str
    kind: str = ""
    failure: str | None = None
    skipped: str | None = None
    detail: str = ""


def junit_xml(suites: Mapping[str, Sequence[ReportedCase]]) -> str:
    """One test suite for each name. Times are left out: the same result gives the same bytes."""
    parts = ['<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n']
    for name, cases in suites.items():
        failed = sum(one.failure is not None for one in cases)
        skipped = sum(one.skipped is not None for one in cases)
        parts.append(
            f'<testsuite name={_attribute(name)} tests="{len(cases)}" failures="{failed}" '
            f'skipped="{skipped}">\n'
        )
        parts += [_junit_case(name, one) for one in cases]
        parts.append("</testsuite>\n")
    return "".join([*parts, "</testsuites>\n"])


def _junit_case(suite: str, case: ReportedCase) -> str:
    group = f"{suite}.{case.kind}" if case.kind else suite
    opened = f"<testcase classname={_attribute(group)} name={_attribute(case.name)}"
    if case.failure is not None:
        said = f"<failure message={_attribute(case.failure)}>{escape(_xml(case.detail))}</failure>"
    elif case.skipped is not None:
        said = f"<skipped message={_attribute(case.skipped)}/>"
    else:
        return f"{opened}/>\n"
    return f"{opened}>{said}</testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))


def _xml(text: str) -> str:
    """What XML cannot hold is shown as U+FFFD: control characters, surrogates, U+FFFE, U+FFFF."""
    return "".join(
        char if char in "\n\t" or category(char) not in ("Cc", "Cs", "Cn") else "\ufffd"
        for char in text
    )


@dataclass(frozen=True)
class ReportedFinding:
    """One finding: under which rule, how bad (error, warning, note), and where it stands.

    `case` names what it was found in, and of what kind that is, where it is part of a file.
    """

    rule: str
    level: str
    message: str
    file: str | None
    start: int | None = None
    end: int | None = None
    """Characters of `text`, where the finding has a place."""
    text: str = ""
    related: Sequence[tuple[str, str]] = ()
    """Files it rests on, each with its words."""
    case: tuple[str, str] | None = None


def sarif_json(findings: Sequence[ReportedFinding], *, version: str) -> str:
    """One run of one tool; columns count characters."""
    driver = {
        "name": "groundwire",
        "version": version,
        "rules": [{"id": rule} for rule in sorted({one.rule for one in findings})],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(one) for one in findings],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _sarif_result(one: ReportedFinding) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if one.file is not None:
        location["physicalLocation"] = {"artifactLocation": {"uri": quote(one.file)}}
    if one.start is not None and one.end is not None:
        location["physicalLocation"]["region"] = _region(one.text, one.start, one.end)
    if one.case is not None:
        location["logicalLocations"] = [dict(zip(("name", "kind"), one.case, strict=True))]
    result: dict[str, Any] = {
        "ruleId": one.rule,
        "level": one.level,
        "message": {"text": one.message},
        "locations": [location],
    }
    if one.related:
        result["relatedLocations"] = [
            {
                "physicalLocation": {"artifactLocation": {"uri": quote(file)}},
                "message": {"text": words},
            }
            for file, words in one.related
        ]
    return result


def _region(text: str, start: int, end: int) -> dict[str, int]:
    region = {"charOffset": start, "charLength": end - start}
    for name, offset in (("start", start), ("end", end)):
        region[f"{name}Line"] = text.count("\n", 0, offset) + 1
        region[f"{name}Column"] = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return region
