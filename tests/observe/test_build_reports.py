"""JUnit and SARIF, as their readers want them."""

import json
from xml.etree import ElementTree as ET

from groundwire.observe import ReportedCase, ReportedFinding, junit_xml, sarif_json


def test_junit_counts_and_escapes() -> None:
    """A reader of XML gets back what was given, and control characters as marks."""
    cases = [
        ReportedCase("holds"),
        ReportedCase('says "a < b"', failure="no & never", detail="]]> \x1b[31m\x00"),
        ReportedCase("open", skipped="not judged"),
    ]
    suite = ET.fromstring(junit_xml({"answer.md": cases}))[0]  # noqa: S314
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert suite[1].get("name") == 'says "a < b"'
    assert suite[1][0].get("message") == "no & never"
    assert suite[1][0].text == "]]> \ufffd[31m\ufffd"
    assert suite[2][0].tag == "skipped"


def test_sarif_names_rule_level_and_place() -> None:
    """Lines and columns count from one, in characters."""
    text = "One.\nÄ😀 two.\n"
    found = ReportedFinding("refuted", "error", "no", "a b.md", 8, 12, text, [("e.md", "Two.")])
    (run,) = json.loads(sarif_json([found], version="1"))["runs"]
    assert run["tool"]["driver"]["rules"] == [{"id": "refuted"}]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "a%20b.md"}
    assert text[8:12] == "two."
    assert place["region"] == {
        "charOffset": 8,
        "charLength": 4,
        "startLine": 2,
        "startColumn": 4,
        "endLine": 2,
        "endColumn": 8,
    }
    assert result["relatedLocations"][0]["message"] == {"text": "Two."}


def test_a_finding_without_a_place_has_no_region() -> None:
    """Nothing is made up."""
    found = ReportedFinding("uncertain", "note", "no", "text")
    (run,) = json.loads(sarif_json([found], version="1"))["runs"]
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]
