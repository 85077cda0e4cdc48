"""Every route is a command: its body the arguments, its answer the JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import VerificationResult
from groundwire.model import CheckReport
from groundwire.serve._verbs import VERBS
from tests.serve.running import Running, service

EXAMPLES = Path(__file__).parents[2] / "examples"
MAST = {"doc_id": "mast.md", "content": "The mast is 42 m high. It was built in 1974."}


def test_check_answers_as_the_engine_does(open_service: Running) -> None:
    """The answer is the JSON of `gw check`, and the request id is the caller's."""
    body = {"text": "The mast is 40 m high. It was built in 1974.", "evidence": [MAST]}
    answered = open_service.post("/v1/check", body, **{"X-Request-ID": "order-17"})
    assert answered.status_code == 200
    assert answered.headers["x-request-id"] == "order-17"
    report = CheckReport.model_validate(answered.json())
    assert [claim.status for claim in report.claims] == ["contradicted", "grounded"]
    assert report.claims[0].evidence[0].doc_id == "mast.md"
    assert report.request_id == "order-17"
    direct = open_service.engine.verify_claims_sync(body["text"], {"mast.md": MAST["content"]})  # type: ignore[arg-type]
    told = [(claim.status, claim.p1, claim.message) for claim in direct.claims]
    assert told == [(claim.status, claim.p1, claim.message) for claim in report.claims]


def test_a_terse_answer_is_checked_with_its_question(open_service: Running) -> None:
    """As with `--question`."""
    body = {"text": "40 m.", "question": "How high is the mast?", "evidence": [MAST]}
    [claim] = open_service.post("/v1/check", body).json()["claims"]
    assert claim["status"] == "contradicted"


def test_evidence_may_be_bare_texts_and_two_may_share_a_name(open_service: Running) -> None:
    """Nothing that was given is lost under another's name."""
    given = [MAST, {**MAST, "content": "The pump is blue."}, "The door is green."]
    body = {"text": "The door is green. The pump is blue.", "evidence": given}
    claims = open_service.post("/v1/check", body).json()["claims"]
    assert [one["evidence"][0]["doc_id"] for one in claims] == ["3", "mast.md (2)"]


def test_a_request_id_that_is_none_is_replaced(open_service: Running) -> None:
    """What comes from outside does not get into logs and headers as it is."""
    answered = open_service.call("GET", "/healthz", headers={"X-Request-ID": "a b<script>"})
    assert answered.headers["x-request-id"].startswith("req-")


def test_what_the_command_refuses_is_a_problem_with_its_code_and_hint(
    open_service: Running,
) -> None:
    """RFC 9457, and the same words as in the terminal."""
    asked = open_service.post("/v1/ask", {"question": "Which TLS version is allowed?"})
    assert asked.status_code == 400
    assert asked.headers["content-type"] == "application/problem+json"
    problem = asked.json()
    assert problem["code"] == "input"
    assert "gw index" in problem["hint"]
    assert problem["request_id"] == asked.headers["x-request-id"]
    assert {"type", "title", "status", "detail"} <= problem.keys()


def test_an_agents_output_is_checked_against_its_trace(open_service: Running) -> None:
    """A command that a complete trace does not have is refuted."""
    lines = (EXAMPLES / "agent-run/trace.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    output = json.loads((EXAMPLES / "agent-run/output.json").read_text())
    answered = open_service.post("/v1/verify-output", {"output": output, "trace": [events]})
    assert answered.status_code == 200, answered.text
    result = VerificationResult.model_validate(answered.json())
    assert len(result.claims) == len(output["claims"])


def test_files_are_opened_only_where_the_owner_allows_it(
    open_service: Running, tmp_path: Path
) -> None:
    """A base path leads nowhere without `serve.files`, and never out of it."""
    body = {"output": {"summary": "s", "trace_ref": "trace:t"}, "base_path": "project"}
    refused = open_service.post("/v1/verify-output", body)
    assert (refused.status_code, refused.json()["hint"]) == (
        400,
        "Its owner may allow a folder: serve.files.",
    )
    with service(tmp_path / "home", serve__files=EXAMPLES / "agent-run") as run:
        assert run.post("/v1/verify-output", body).status_code == 200
        for path in ("..", "../documents", "/etc", "project/../..", "no\0where", "README.md"):
            answer = run.post("/v1/verify-output", {**body, "base_path": path})
            assert answer.status_code == 400, path
            assert str(EXAMPLES) not in answer.text


def test_a_graph_is_drawn_as_a_job_and_then_used(open_service: Running) -> None:
    """Ground keeps it under its name; diagnose and edges find it there."""
    names = ("001-historian-out-of-space.md", "002-gaps-in-quarter-hour-readings.md")
    documents = [
        {"doc_id": name, "content": (EXAMPLES / "incidents" / name).read_text()} for name in names
    ]
    accepted = open_service.post("/v1/ground", {"documents": documents, "name": "incidents"})
    assert accepted.status_code == 202
    job = followed(open_service, accepted.headers["location"])
    assert job["state"] == "done", job
    assert job["result"]["graph"]["edges"]
    assert open_service.call("GET", "/v1/graphs").json() == ["incidents"]
    graph = open_service.call("GET", "/v1/graphs/incidents").json()
    assert graph["variables"]
    report = "The historian ran out of space."
    for given in ("incidents", graph):
        found = open_service.post("/v1/diagnose", {"report": report, "graph": given})
        assert found.json()["mode"] in ("ANSWER", "ABSTAIN"), found.text
    edge = {"cause": "disk full", "effect": "readings missing", "graph": "incidents"}
    assert "edge" in open_service.post("/v1/edges", edge).json()


def test_labelled_claims_are_measured_as_a_job(open_service: Running) -> None:
    """The answer of `gw eval run`, and where nothing can be run what is wrong with the rows."""
    rows = [
        {"id": str(number), "set": "masts", "evidence": f"It is {number} m high.", "label": label}
        | {"claim": f"It is {number + 3 * (1 - label)} m high.\u2028", "split": split}
        for number, (label, split) in enumerate([(1, "open"), (0, "held")] * 6, start=20)
    ]
    job = measured(open_service, {"rows": rows})
    assert job["state"] == "done", job
    assert job["result"]["meta"]["total_queries"] == 12
    assert job["result"]["meta"]["sources"].keys() == {"rows"}
    assert job["result"]["metrics"]["overall"]["f1"] == 1.0
    held = measured(open_service, {"rows": rows, "split": "held"})
    assert held["result"]["meta"]["total_queries"] == 6
    questions = [{"id": "1", "query": "Why?"}]
    none = measured(open_service, {"rows": questions, "split": "held"})
    assert (none["state"], none["result"]["detail"]) == (
        "failed",
        "rows has no questions in the split 'held'.",
    )
    mixed = open_service.post("/v1/evaluate", {"rows": [*rows, *questions]})
    assert mixed.status_code == 422


def test_questions_and_golden_questions_are_asked_of_the_index(
    tmp_path: Path, halden_index: Path
) -> None:
    """One with its sources, and a golden set with what each expects."""
    expected = {"contains": ["TLS 1.3"], "doc_ids": ["0027-require-tls-1-3.md"]}
    rows = [
        {"id": "tls", "query": "Which TLS version is allowed?", "expected": expected},
        {"id": "none", "query": "What does ADR-9999 decide?", "expected": {"abstain": True}},
    ]
    with service(tmp_path / "home", evidence__index=halden_index) as run:
        found = run.post("/v1/ask", {"question": rows[0]["query"]}).json()
        job = measured(run, {"rows": rows})
    assert found["mode"] == "ANSWER"
    assert "TLS 1.3" in found["answer"]
    assert found["sources"][0]["doc_id"].endswith("0027-require-tls-1-3.md")
    assert job["state"] == "done", job
    assert job["result"]["meta"]["pass_count"] == 2, job["result"]["failures"]


def measured(run: Running, body: dict[str, Any]) -> dict[str, Any]:
    accepted = run.post("/v1/evaluate", body)
    assert accepted.status_code == 202, accepted.text
    return followed(run, accepted.headers["location"])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/audit", {"steps": ["One is one."], "context": "One is one."}),
        ("POST", "/v1/memory", {"text": "It is so.", "evidence": ["It is so."]}),
        ("GET", "/v1/memory?query=x", None),
        ("GET", "/v1/memory/pending", None),
        ("GET", "/v1/memory/rejected", None),
        ("DELETE", "/v1/memory/f1", None),
    ],
)
def test_memory_and_audit_answer_or_say_what_is_wrong(
    open_service: Running, method: str, path: str, body: Any
) -> None:
    """Nothing of it is a failure of the service."""
    headers = {"Content-Type": "application/json"}
    answered = open_service.call(method, path, json=body, headers=headers)
    assert answered.status_code in (200, 400, 404)


def test_every_verb_has_an_example_that_fits_and_is_in_the_schema(open_service: Running) -> None:
    """Whoever reads the schema can send what it shows."""
    schema = open_service.call("GET", "/openapi.json").json()
    for verb in VERBS.values():
        extra: Any = verb.body.model_config["json_schema_extra"]
        [example] = extra["examples"]
        verb.body.model_validate(example)
        operation = schema["paths"][f"/v1/{verb.name}"]["post"]
        assert operation["summary"] == verb.summary
        name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        assert schema["components"]["schemas"][name.rpartition("/")[2]]["examples"] == [example]


def test_probes_and_metrics_tell_how_it_is(open_service: Running) -> None:
    """Prometheus reads what was counted; the probes need no token."""
    assert open_service.call("GET", "/healthz").json() == {"alive": True}
    assert open_service.call("GET", "/readyz").json() == {"ready": True}
    text = open_service.call("GET", "/metrics").text
    assert 'http_requests_total{method="GET",route="/healthz",status="200"}' in text
    health = open_service.call("GET", "/v1/health").json()
    assert {one["gate"] for one in health["gates"]} >= {"coverage", "confidence"}


def followed(run: Running, location: str) -> dict[str, Any]:
    """The job at its end, by its stream of events."""
    name = data = ""
    for line in run.call("GET", f"{location}/events").text.splitlines():
        kind, _, value = line.partition(": ")
        name, data = (value, data) if kind == "event" else (name, value or data)
    assert name == "end"
    job: dict[str, Any] = json.loads(data)
    return job
