import json
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from groundwire.evaluate import to_html, to_junit, to_sarif
from tests.evaluate.test_compare import run_of
from tests.evaluate.test_results import outcome

NASTY = "<script>alert('x')</script> & \x1b[31m"
FAILED = outcome("q2", right=False, confidence=0.4, category="adr_retrieval").model_copy(
    update={"input": NASTY, "reason": "wrong_document", "trace": {"quotes": ["<b>quoted</b>"]}}
)
RESULTS = run_of([outcome("q1", confidence=0.9), FAILED])


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    """It can be opened anywhere: no script, no address, and foreign text stays text."""
    page = _Tags()
    page.feed(to_html(RESULTS))
    tags = {tag for tag, _ in page.seen}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    assert not [one for _, one in page.seen if one.keys() & {"src", "href", "onload", "onclick"}]
    assert {"svg", "table", "details"} <= tags


def test_the_page_shows_every_failure_with_its_trace() -> None:
    """Expected, actual and what led there."""
    page = to_html(RESULTS)
    assert "wrong_document" in page
    assert "&lt;b&gt;quoted&lt;/b&gt;" in page
    assert "Reliability" in page
    assert "Risk and coverage" in page


def test_junit_has_one_test_for_each_case() -> None:
    """Build servers count them, each under its suite and category; what XML cannot hold is shown
    as another character."""
    root = ET.fromstring(to_junit(RESULTS))  # noqa: S314 - our own
    [suite] = root
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    [failure] = root.iter("failure")
    assert failure.get("message") == "wrong_document"
    assert [one.get("classname") for one in suite][-1] == "questions.adr_retrieval"
    assert "alert" in (failure.text or "")


def test_sarif_has_one_finding_for_each_failure() -> None:
    """By its reason as the rule."""
    document = json.loads(to_sarif(RESULTS))
    assert document["version"] == "2.1.0"
    [run] = document["runs"]
    [finding] = run["results"]
    assert finding["ruleId"] == "wrong_document"
    [location] = finding["locations"]
    assert location["logicalLocations"] == [{"name": "q2", "kind": "questions"}]
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["wrong_document"]
