"""The scenarios of S3 Gap A, over a real socket."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from groundwire.model import TermReport
from groundwire.observe import Metrics
from groundwire.terms import SKOSMOSClient, Terminology, is_terminology_query
from groundwire.testing import SkosmosStandIn
from tests.vocabularies import HALDEN, concept, turtle

scenarios("features/terminology.feature")

TWO_MEANINGS = concept("a", "CIM", "A model.") + concept("b", "CIM", "Minutes.")


@dataclass
class Scene:
    server: SkosmosStandIn
    counted: Metrics
    query: str = ""
    timeout_ms: int = 5000
    report: TermReport | None = None

    @property
    def outcome(self) -> TermReport:
        assert self.report is not None
        return self.report

    def count(self, name: str) -> float:
        return self.counted.value(name, backend="skosmos")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with SkosmosStandIn([HALDEN], vocabulary="halden") as server:
        yield Scene(server, Metrics())


@given(parsers.parse('a terminology query "{query}"'))
def a_query(scene: Scene, query: str) -> None:
    assert is_terminology_query(query)[0]
    scene.query = query


@given(parsers.parse('SKOSMOS contains the concept "{label}"'))
def contains(scene: Scene, label: str) -> None:
    assert scene.server.answer(f"/rest/v1/halden/lookup?label={label}").status == 200


@given(parsers.parse('SKOSMOS does not contain "{label}"'))
def does_not_contain(scene: Scene, label: str) -> None:
    assert scene.server.answer(f"/rest/v1/halden/lookup?label={label}").status == 404


@given("SKOSMOS is slow (>500ms)")
def slow(scene: Scene) -> None:
    scene.server.delay_ms = 550
    scene.timeout_ms = 300


@given("SKOSMOS contains multiple CIM concepts")
def several_meanings(scene: Scene, tmp_path: Path) -> None:
    scene.server.close()
    file = turtle(tmp_path / "cim.ttl", TWO_MEANINGS)
    scene.server = SkosmosStandIn([file], vocabulary="halden")


@when("the system processes the query")
def process(scene: Scene) -> None:
    client = SKOSMOSClient(
        scene.server.url, scene.timeout_ms, vocabulary="halden", counted=scene.counted
    )
    terminology = Terminology(client, counted=scene.counted)
    term = terminology.recognise(scene.query)
    assert term is not None
    scene.report = terminology.define(term)
    terminology.close()
    scene.server.close()


@then("the response MUST use the SKOSMOS definition")
def uses_the_definition(scene: Scene) -> None:
    assert scene.outcome.mode == "ANSWER"
    assert scene.outcome.definition is not None
    assert f'skos:definition "{scene.outcome.definition}"@en' in HALDEN.read_text(encoding="utf-8")


@then("the response MUST cite SKOSMOS in sources")
def cites(scene: Scene) -> None:
    assert [source.name for source in scene.outcome.sources] == ["SKOSMOS"]
    assert scene.outcome.sources[0].quote == scene.outcome.definition


@then("the system MUST abstain OR ask clarifying question")
def abstains(scene: Scene) -> None:
    assert scene.outcome.mode in ("ABSTAIN", "CLARIFY")


@then("the system MUST NOT invent a definition")
def invents_nothing(scene: Scene) -> None:
    assert scene.outcome.definition is None
    assert scene.outcome.sources == ()


@then("the response MUST indicate inability to verify")
def cannot_verify(scene: Scene) -> None:
    assert "Unable to verify" in scene.outcome.message
    assert scene.outcome.reason == "terminology_timeout"


@then(parsers.re(r"(?P<name>skosmos_\w+_total) MUST increment"))
def increments(scene: Scene, name: str) -> None:
    assert scene.count(name) == 1
    assert scene.count("skosmos_lookup_total") == 1


@then(parsers.parse('rag_abstention_total with reason "{reason}" MUST increment'))
def abstention_is_counted(scene: Scene, reason: str) -> None:
    assert scene.counted.value("rag_abstention_total", reason=reason) == 1


@then("the system SHOULD ask for clarification")
def asks(scene: Scene) -> None:
    assert scene.outcome.mode == "CLARIFY"
    assert scene.outcome.message.endswith("?")


@then("the system SHOULD list all matching concepts")
def lists(scene: Scene) -> None:
    assert [choice.detail for choice in scene.outcome.suggestions] == ["A model.", "Minutes."]
