"""What a browser gets, without one: pages, parts of pages, and nothing that runs."""

import json
import re
from pathlib import Path

import pytest

from groundwire.model import Quote
from groundwire.serve.page._page import PAGES
from groundwire.serve.page._shown import excerpt, pieces_of
from tests.serve.running import Running

EXAMPLES = Path(__file__).parents[2] / "examples"
HTML = {"Accept": "text/html"}
PART = {**HTML, "HX-Request": "true"}
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{7*7}}javascript:alert(3)"
# as in `<script>alert`, `<img src=x onerror`: what would have run, had it not been escaped
RUNS = re.compile(r"<script>alert|<img src=x|\b49javascript", re.IGNORECASE)


@pytest.fixture(scope="module")
def checked(open_service: Running) -> str:
    """The page after a check of the example, whose verdicts are then in the trail."""
    form = {
        "text": (EXAMPLES / "check/answer.md").read_text(),
        "evidence": (EXAMPLES / "check/vik-substation.md").read_text(),
    }
    files = {"files": ("storm-report.md", (EXAMPLES / "check/storm-report.md").read_bytes())}
    answered = open_service.call("POST", "/check", data=form, files=files, headers=HTML)
    assert answered.status_code == 200, answered.text
    return answered.text


@pytest.mark.parametrize("path", [path for path, _ in PAGES])
def test_every_page_is_whole_and_in_parts_for_htmx(open_service: Running, path: str) -> None:
    """A page names where one is; a part has no frame."""
    page = open_service.call("GET", path, headers=HTML)
    assert page.status_code == 200
    assert page.text.startswith("<!doctype html>")
    assert 'aria-current="page"' in page.text
    part = open_service.call("GET", path, headers=PART)
    assert "<html" not in part.text
    assert part.headers["vary"] == "HX-Request"


def test_claims_are_marked_in_place_and_lead_to_their_quotes(checked: str) -> None:
    """Each mark is a link to a section with the quote in its source."""
    marks = re.findall(r'class="claim (\w+)" href="#(claim-\d+)"', checked)
    assert {kind for kind, _ in marks} >= {"grounded", "contradicted"}
    for _, target in marks:
        assert f'id="{target}"' in checked
    assert "storm-report.md" in checked
    assert 'role="img" aria-label="Probability' in checked


def test_the_trail_is_filtered_and_a_verdict_opened(open_service: Running, checked: str) -> None:
    """With all it rested on, and the way to review it."""
    assert checked
    listed = open_service.call("GET", "/trail?status=contradicted", headers=PART).text
    verdict = re.findall(r'href="(/trail/\d+)"', listed)[0]
    assert "grounded" not in re.findall(r'class="status (\w+)"', listed)
    opened = open_service.call("GET", verdict, headers=HTML).text
    assert "All it rested on" in opened
    assert "<mark>" in opened
    assert open_service.call("GET", "/trail/999999", headers=HTML).status_code == 404
    assert open_service.call("GET", "/trail/x", headers=HTML).status_code == 404


def test_a_review_becomes_a_labelled_case(open_service: Running) -> None:
    """Confirmed or overturned, with the evidence and p1; the last word counts."""
    told = {"text": "Pump 7 was replaced in 2019.", "evidence": ["Pump 7 was replaced in 2018."]}
    assert open_service.post("/v1/check", told).status_code == 200
    waiting = open_service.call("GET", "/review", headers=PART).text
    newest = max(re.findall(r'name="verdict_id" value="(\d+)"', waiting), key=int)
    form = {"verdict_id": newest, "decision": "confirm", "note": "seen"}
    assert "Confirmed" in open_service.call("POST", "/review", data=form, headers=PART).text
    overturned = {**form, "decision": "overturn", "status": "grounded"}
    assert "Overturned" in open_service.call("POST", "/review", data=overturned, headers=PART).text
    lines = open_service.call("GET", "/v1/reviews/cases").text.splitlines()
    [case] = [one for one in map(json.loads, lines) if one["id"] == f"review-{newest}"]
    assert case["label"] == 1
    assert {"evidence", "claim", "set", "p1", "verdict"} <= case.keys()
    unknown = {"verdict_id": 10**9, "decision": "confirm"}
    assert open_service.post("/v1/reviews", unknown).status_code == 404
    assert open_service.post("/v1/reviews", {**unknown, "status": "grounded"}).status_code == 422


def test_what_is_not_filled_in_is_told_beside_the_form(open_service: Running) -> None:
    """With the status of the problem, as a part or as a page."""
    empty = open_service.call("POST", "/check", data={"text": "It is so."}, headers=PART)
    assert empty.status_code == 400
    assert "Paste some" in empty.text
    asked = open_service.call("POST", "/ask", data={"question": ""}, headers=HTML)
    assert asked.status_code == 422
    assert 'role="alert"' in asked.text


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/check", ("text", "evidence")),
        ("/ask", ("question", "choice")),
        ("/diagnose", ("report", "graph")),
        ("/audit", ("context", "steps", "answer")),
        ("/memory", ("text", "evidence")),
        ("/memory/forget", ("fact_id",)),
        ("/review", ("verdict_id", "decision", "status", "note")),
        ("/sign-in", ("token",)),
    ],
)
def test_markup_in_every_field_is_shown_and_never_runs(
    open_service: Running, path: str, fields: tuple[str, ...]
) -> None:
    """Posted as a page, as a part, in a file's name, and asked for in an address."""
    text = f"{EVIL}\n\nThe mast {EVIL} is 42 m high. {EVIL}"
    for headers in (HTML, PART):
        form = dict.fromkeys(fields, text)
        name = {"files": (f"{EVIL}.md", b"The mast is 42 m high. " + EVIL.encode())}
        files = name if path == "/check" else None
        answered = open_service.call("POST", path, data=form, files=files, headers=headers)
        assert answered.status_code < 500
        assert not RUNS.search(answered.text)
    for field in fields:
        shown = open_service.call("GET", path, params={field: EVIL}, headers=HTML)
        assert not RUNS.search(shown.text)


def test_markup_in_what_is_kept_is_inert_too(open_service: Running) -> None:
    """Claims in the trail, labels and quotes of a graph, ids of requests and addresses."""
    body = {"text": f"The mast {EVIL} is 42 m high.", "evidence": [f"{EVIL} The mast is 40 m."]}
    open_service.post("/v1/check", body)
    graphs = open_service.home / "graphs"
    graphs.mkdir(exist_ok=True)
    graph = {
        "schema_version": 1,
        "variables": [{"id": "a", "label": EVIL}, {"id": "b", "label": f"b {EVIL}"}],
        "edges": [{"id": f"e{EVIL}", "from_var": "a", "to_var": "b", "message": EVIL}],
    }
    (graphs / "evil.json").write_text(json.dumps(graph))
    pages = [
        *("/", "/trail", "/review", "/health", f"/trail?contains={EVIL[:20]}"),
        *("/graph?name=evil&status=all", "/graph?name=evil&focus=a", f"/graph?name={EVIL}"),
    ]
    for path in pages:
        shown = open_service.call("GET", path, headers=HTML)
        assert not RUNS.search(shown.text), path
    drawn = open_service.call("GET", "/graph?name=evil&status=all", headers=HTML).text
    assert "&lt;script&gt;" in drawn
    (graphs / "evil.json").unlink()


def test_no_page_holds_a_script_or_a_style_of_its_own(open_service: Running, checked: str) -> None:
    """The policy forbids them: everything that runs or colours comes from a file of ours."""
    pages = [open_service.call("GET", path, headers=HTML).text for path, _ in PAGES]
    for text in [*pages, checked]:
        assert not re.search(r"<script(?![^>]* src=\"/static/)", text)
        assert not re.search(r"<style|<[^<>]*\s(?:style|on\w+)=|(?:src|href)=.https?:", text)


def test_a_quote_is_shown_in_its_source_or_alone() -> None:
    """Only where the source really has it at that place."""
    text = "a" * 500 + "The mast." + "b" * 500
    quote = Quote(doc_id="d", quote="The mast.", start=500, end=509)
    found = excerpt(quote, {"d": text})
    assert found is not None
    assert found.before.startswith("…a")
    assert found.after.endswith("b…")
    assert excerpt(quote, {"d": "another text"}) is None
    assert excerpt(quote, {}) is None


def test_the_pieces_of_a_text_are_the_text(open_service: Running) -> None:
    """Nothing is lost or shown twice between the marks."""
    text = (EXAMPLES / "check/answer.md").read_text()
    report = open_service.engine.verify_claims_sync(text, ["The station is old."])
    assert "".join(piece.text for piece in pieces_of(text, report)) == text
