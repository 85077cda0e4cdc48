from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.errors import ConfigError
from groundwire.model import Abstention
from groundwire.observe import Metrics, request
from groundwire.terms import LocalVocabulary, Terminology, open_terminology
from groundwire.testing import SkosmosStandIn
from tests.terms.conftest import OpenClient, OpenLocal
from tests.vocabularies import HALDEN, HALDEN_ID, concept, turtle


@pytest.fixture
def terminology(halden: LocalVocabulary, counted: Metrics) -> Terminology:
    return Terminology(halden, counted=counted)


def abstentions(counted: Metrics, reason: str) -> float:
    return counted.value("rag_abstention_total", reason=f"terminology_{reason}")


def test_a_definition_comes_with_its_source(terminology: Terminology) -> None:
    report = terminology.define("CIMXML")
    assert (report.mode, report.outcome, report.reason) == ("ANSWER", "found", None)
    (source,) = report.sources
    assert source.doc_id == HALDEN_ID + "cimxml"
    assert source.quote == report.definition
    assert source.quote[source.start : source.end] == report.definition
    assert source.title == "CIMXML (Halden Grid vocabulary)"
    assert report.abstention() is None


def test_a_miss_abstains_with_what_may_have_been_meant(
    terminology: Terminology, counted: Metrics
) -> None:
    report = terminology.define("cimxlm")
    assert (report.mode, report.reason) == ("ABSTAIN", "terminology_not_found")
    assert report.definition is None
    assert report.suggestions[0].label == "CIMXML"
    assert report.suggestions[0].id == HALDEN_ID + "cimxml"
    assert abstentions(counted, "not_found") == 1
    abstention = report.abstention()
    assert isinstance(abstention, Abstention)
    assert abstention.missing_knowledge == ("a definition of “cimxlm”",)
    assert abstention.action.next_step == "PICK_A_SUGGESTION_OR_ADD_THE_TERM"


def test_several_meanings_are_asked_about_and_picked_by_id(
    terminology: Terminology, counted: Metrics
) -> None:
    report = terminology.define("CIM")
    assert (report.mode, report.reason) == ("CLARIFY", "terminology_ambiguous")
    assert [choice.label for choice in report.suggestions] == [
        "Common Information Model",
        "customer interruption minutes",
    ]
    picked = terminology.pick(report.suggestions[1].id)
    assert picked.definition is not None
    assert picked.definition.startswith("The minutes without power added up over all customers")
    assert counted.value("rag_clarification_total", reason="terminology_ambiguous") == 1
    assert abstentions(counted, "ambiguous") == 0
    assert report.abstention() is None


def test_one_choice_is_offered_for_each_meaning(tmp_path: Path) -> None:
    body = concept("a", "meter", "One.") + concept("b", "meter", "one") + concept("c", "meter")
    file = turtle(tmp_path / "v.ttl", body + concept("d", "Meter", "Two."))
    terminology = Terminology(LocalVocabulary([file], tmp_path / "v.sqlite"))
    report = terminology.define("meter")
    assert [choice.detail for choice in report.suggestions] == ["Two.", "One.", None]
    assert report.message.startswith("“meter” has 3 meanings")
    terminology.close()


def test_what_is_said_of_an_undefined_concept_is_labelled(
    terminology: Terminology, counted: Metrics
) -> None:
    report = terminology.define("ride-along inspection")
    assert (report.mode, report.reason) == ("ABSTAIN", "terminology_no_definition")
    assert report.definition is None
    note, broader = report.observations
    assert note.startswith("Scope note of “ride-along inspection”: Used in crew planning")
    assert broader == "Broader terms of “ride-along inspection”: asset management"
    assert abstentions(counted, "no_definition") == 1


def test_a_deprecated_term_names_its_successor(terminology: Terminology) -> None:
    message = terminology.define("telemetry cabinet").message
    assert message.endswith(
        "“telemetry cabinet” is deprecated: use “remote terminal unit” instead."
    )


def test_a_term_found_under_another_spelling_says_so(terminology: Terminology) -> None:
    assert terminology.define("transformers").message.endswith("under “transformer”.")
    assert terminology.define("ring mian unit").message.endswith("under “ring main unit”.")


def test_a_failing_server_is_an_abstention_of_its_own(
    open_client: OpenClient, server: SkosmosStandIn, counted: Metrics
) -> None:
    terminology = Terminology(open_client(timeout_ms=50), counted=counted)
    server.misbehave = "drip"
    slow = terminology.define("CIMXML")
    assert (slow.mode, slow.reason) == ("ABSTAIN", "terminology_timeout")
    assert slow.message.startswith("Unable to verify “CIMXML”")
    assert slow.fallback_flags == ("skosmos_timeout",)
    server.misbehave = "html"
    terminology = Terminology(open_client(), counted=counted)
    failed = terminology.define("SAIDI")
    assert (failed.mode, failed.reason) == ("ABSTAIN", "terminology_error")
    assert failed.action is not None
    assert failed.action.model_dump()["hint"].startswith("Check terms.skosmos.base_url")
    assert (abstentions(counted, "timeout"), abstentions(counted, "error")) == (1, 1)
    picked = terminology.pick(HALDEN_ID + "saidi")
    assert picked.reason == "terminology_error"


def test_a_file_that_cannot_be_read_is_part_of_what_is_missing(
    tmp_path: Path, counted: Metrics
) -> None:
    broken = turtle(tmp_path / "broken.ttl", ":a a <<b> .")
    vocabulary = LocalVocabulary([HALDEN, broken], tmp_path / "v.sqlite", counted=counted)
    terminology = Terminology(vocabulary, counted=counted)
    assert "broken.ttl:" in terminology.define("FooBarBaz").missing_knowledge[1]
    assert terminology.define("SAIDI").missing_knowledge == ()
    terminology.close()


def test_the_report_belongs_to_the_request(terminology: Terminology) -> None:
    with request() as context:
        assert terminology.define("SAIDI").request_id == context.request_id
    assert terminology.define("SAIDI").request_id != context.request_id


def test_a_label_is_recognised_as_a_term_whatever_its_words(tmp_path: Path) -> None:
    file = turtle(tmp_path / "v.ttl", concept("a", "data retention policy", "How long."))
    vocabulary = LocalVocabulary([file], tmp_path / "v.sqlite")
    terminology = Terminology(vocabulary)
    assert terminology.recognise("What is the data retention policy?") == "data retention policy"
    assert terminology.recognise("What is the password policy?") is None
    assert terminology.recognise("What are data retention policies?") == "data retention policies"
    assert terminology.recognise("What are the policies?") is None
    assert terminology.recognise("What is CIMXML?") == "CIMXML"
    assert terminology.recognise("List all ADRs") is None
    terminology.close()


def test_settings_choose_the_vocabularies_and_their_order(
    tmp_path: Path, server: SkosmosStandIn
) -> None:
    other = turtle(tmp_path / "v.ttl", concept("a", "SAIDI", "A local meaning."))
    base = {
        "terms.vocabulary": [other],
        "terms.skosmos.base_url": server.url,
        "terms.skosmos.vocabulary": "halden",
        "terms.skosmos.timeout": "5s",
    }
    orders = {"[local, skosmos]": "local vocabulary", "[skosmos, local]": "SKOSMOS"}
    for sources, name in orders.items():
        config = load_config(overrides=base | {"terms.sources": sources}).config
        terminology = open_terminology(config)
        assert terminology.define("SAIDI").sources[0].name == name
        terminology.close()


def test_without_a_vocabulary_there_is_a_way_out() -> None:
    with pytest.raises(ConfigError, match="gw vocabulary add FILE"):
        open_terminology(load_config().config)


def test_a_term_among_more_words_is_recognised_when_it_is_a_label(tmp_path: Path) -> None:
    vocabulary = LocalVocabulary([HALDEN], tmp_path / "index.sqlite")
    terminology = Terminology(vocabulary)
    assert terminology.recognise('What is "CIMXML" in grid models?') == "CIMXML"
    assert terminology.recognise("What is a feeder according to the regulator?") == "feeder"
    assert terminology.recognise("What is a blorp in grid models?") == "blorp in grid models"
    terminology.close()


def test_a_label_with_an_article_is_matched_as_written(
    tmp_path: Path, open_local: OpenLocal, counted: Metrics
) -> None:
    """[RULINGS, second edition, S3] "The Galaxy" is not "galaxy", and is looked up first."""
    path = turtle(
        tmp_path / "space.ttl",
        concept("galaxy", "galaxy", "A system of stars.")
        + concept("milky-way", "The Galaxy", "The galaxy that holds the sun."),
    )
    terminology = Terminology(open_local(path), counted=counted)
    assert terminology.recognise("What is The Galaxy?") == "The Galaxy"
    assert terminology.recognise("What is a galaxy?") == "galaxy"
