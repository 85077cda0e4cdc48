from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.observe import Metrics
from groundwire.terms import LocalVocabulary
from tests.terms.conftest import OpenLocal
from tests.vocabularies import HALDEN_ID, concept, turtle


def test_a_term_is_found_with_its_definition_and_address(halden: LocalVocabulary) -> None:
    result = halden.lookup("CIMXML")
    assert result.found
    assert result.outcome == "found"
    assert result.definition is not None
    assert result.definition.startswith("The file format that writes a grid model")
    assert result.source_uri == HALDEN_ID + "cimxml"
    assert (result.backend, result.cached) == ("local", False)
    evidence = result.evidence()
    assert evidence is not None
    assert (evidence.content, evidence.source.doc_id) == (result.definition, result.source_uri)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("cimxml", "cimxml"),
        ("  CIM/XML ", "cimxml"),
        ("CIM-XML", "cimxml"),
        ("RMU", "ring-main-unit"),
        ("ring mian unit", "ring-main-unit"),
        ("Ring-Main Unit", "ring-main-unit"),
        ("transformers", "power-transformer"),
        ("ACLineSegment", "ac-line-segment"),
        ("ac line segments", "ac-line-segment"),
        ("busbar_section", "busbar-section"),
        ("aansluitingen", "connection"),
        ("SPANNINGSREGELING", "voltage-regulation"),
        ("smart meters", "smart-meter"),
    ],
)
def test_labels_of_every_kind_language_case_and_number(
    halden: LocalVocabulary, asked: str, name: str
) -> None:
    assert halden.lookup(asked).source_uri == HALDEN_ID + name


def test_an_acronym_that_ends_in_s_is_no_plural(open_local: OpenLocal, tmp_path: Path) -> None:
    body = concept("a", "ISMS", "A management system.") + concept("b", "DSO", "An operator.")
    vocabulary = open_local(turtle(tmp_path / "v.ttl", body))
    assert not vocabulary.lookup("ism").found
    assert vocabulary.lookup("isms").found
    assert vocabulary.lookup("DSOs").found


def test_the_language_of_the_label_is_the_language_of_the_answer(halden: LocalVocabulary) -> None:
    dutch = halden.lookup("congestie").concepts[0]
    assert (dutch.label, dutch.definition_lang) == ("congestie", "nl")
    english = halden.lookup("congestion").concepts[0]
    assert (english.label, english.definition_lang) == ("congestion", "en")
    # no Dutch definition there: the preferred language is next
    assert halden.lookup("aftopping").concepts[0].definition_lang == "en"


def test_preferred_languages_are_a_setting(open_local: OpenLocal, tmp_path: Path) -> None:
    body = ':a a skos:Concept ; skos:altLabel "X" ; skos:definition "en"@en, "nl"@nl, "de"@de .'
    file = turtle(tmp_path / "v.ttl", body)
    assert open_local(file, languages=["nl", "en"]).lookup("x").definition == "nl"
    assert open_local(file, languages=["en", "nl"]).lookup("x").definition == "en"
    assert open_local(file, languages=["fi"]).lookup("x").definition == "de"


def test_a_term_with_several_meanings_is_not_decided(halden: LocalVocabulary) -> None:
    result = halden.lookup("CIM")
    assert (result.found, result.outcome, result.definition) == (True, "ambiguous", None)
    assert [concept.label for concept in result.concepts] == [
        "Common Information Model",
        "customer interruption minutes",
    ]


def test_a_concept_without_a_definition_says_so(halden: LocalVocabulary) -> None:
    result = halden.lookup("ride-along inspection")
    assert (result.found, result.outcome, result.definition) == (True, "no_definition", None)
    assert result.concepts[0].scope_note is not None


def test_neighbours_are_named(halden: LocalVocabulary) -> None:
    concept = halden.lookup("switch").concepts[0]
    assert [link.label for link in concept.broader] == ["conducting equipment"]
    assert [link.label for link in concept.narrower] == [
        "breaker",
        "disconnector",
        "load break switch",
        "ring main unit",
    ]


def test_a_deprecated_concept_points_to_its_successor(halden: LocalVocabulary) -> None:
    concept = halden.lookup("telemetry cabinet").concepts[0]
    assert concept.deprecated
    assert concept.successor is not None
    assert concept.successor.label == "remote terminal unit"
    assert concept.successor.definition is not None


def test_without_a_definition_of_its_own_it_has_its_successors(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    body = concept("a", "old") + concept("b", "newer") + concept("c", "newest", "The thing.")
    body += ":a dct:isReplacedBy :b . :b dct:isReplacedBy :c ."
    result = open_local(turtle(tmp_path / "v.ttl", body)).lookup("old")
    assert (result.outcome, result.definition) == ("found", "The thing.")
    assert result.source_uri == "https://v.example/c"


def test_concepts_that_replace_each_other_are_survived(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    body = concept("a", "chicken") + concept("b", "egg")
    body += ":a dct:isReplacedBy :b . :b dct:isReplacedBy :a ."
    assert open_local(turtle(tmp_path / "v.ttl", body)).lookup("egg").outcome == "no_definition"


def test_a_living_concept_beats_a_deprecated_one_of_the_same_name(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    body = (
        concept("a", "meter", "Old.") + concept("b", "meter", "New.") + ":a owl:deprecated true ."
    )
    assert open_local(turtle(tmp_path / "v.ttl", body)).lookup("meter").definition == "New."


def test_the_same_words_twice_are_one_meaning(open_local: OpenLocal, tmp_path: Path) -> None:
    body = (
        concept("a", "meter", "Measures.")
        + concept("b", "meter", "measures")
        + concept("c", "METER")
    )
    result = open_local(turtle(tmp_path / "v.ttl", body)).lookup("meter")
    assert (result.outcome, result.definition, len(result.concepts)) == ("found", "Measures.", 3)


def test_what_several_files_say_of_one_concept_is_put_together(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    one = turtle(tmp_path / "one.ttl", concept("a", "feeder") + ":a skos:broader :b .")
    two = turtle(tmp_path / "two.ttl", concept("a", "circuit", "Feeds.") + concept("b", "grid"))
    result = open_local(one, two).lookup("feeder")
    assert (result.outcome, result.definition) == ("found", "Feeds.")
    assert [link.label for link in result.concepts[0].broader] == ["grid"]


def test_only_the_files_that_are_named_answer(open_local: OpenLocal, tmp_path: Path) -> None:
    """One index serves projects with different vocabularies."""
    one = turtle(tmp_path / "one.ttl", concept("a", "feeder", "A."))
    two = turtle(tmp_path / "two.ttl", concept("b", "busbar", "B."))
    assert open_local(one).lookup("feeder").found
    assert not open_local(two).lookup("feeder").found
    assert open_local(one, two).lookup("feeder").found
    assert not open_local(two).suggest("feeder", 3)


def test_a_folder_stands_for_the_files_in_it(open_local: OpenLocal, tmp_path: Path) -> None:
    turtle(tmp_path / "one.ttl", concept("a", "feeder", "A."))
    (tmp_path / "notes.txt").write_text("not a vocabulary")
    assert open_local(tmp_path).lookup("feeder").found


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("transfromer", "transformer"),
        ("cimxlm", "CIMXML"),
        ("voltage regulations act", "voltage regulation"),
        ("sadi", "SAIDI"),
        ("aansluting", "aansluiting"),
    ],
)
def test_near_labels_are_suggested(halden: LocalVocabulary, asked: str, first: str) -> None:
    suggestions = halden.suggest(asked, 3)
    assert suggestions[0].label == first
    assert len(suggestions) <= 3
    assert suggestions == sorted(suggestions, key=lambda s: -(s.score or 0))


@pytest.mark.parametrize("asked", ['"', "%", "'; --", "a", "NEAR(", "* OR *", "🔌🔌🔌", "x" * 300])
def test_any_text_may_be_looked_up_and_suggested_for(halden: LocalVocabulary, asked: str) -> None:
    if asked.strip("* "):
        assert not halden.lookup(asked).found
    assert halden.suggest(asked, 3) == []


@pytest.mark.parametrize("asked", ["", "  ", "*", "x" * 301])
def test_what_cannot_be_a_term_is_refused(halden: LocalVocabulary, asked: str) -> None:
    with pytest.raises(InputError):
        halden.lookup(asked)


def test_labels_are_told_from_other_phrases(halden: LocalVocabulary) -> None:
    assert halden.has_label("Voltage Regulation")
    assert not halden.has_label("voltage regulations")


def test_a_concept_can_be_had_by_its_address(halden: LocalVocabulary) -> None:
    result = halden.lookup_uri(HALDEN_ID + "saidi")
    assert (result.outcome, result.term) == ("found", "SAIDI")
    assert not halden.lookup_uri(HALDEN_ID + "nothing").found


def test_lookups_are_counted_as_local(halden: LocalVocabulary, counted: Metrics) -> None:
    for term in ("CIMXML", "CIM", "ride-along inspection", "FooBarBaz"):
        halden.lookup(term)
    assert counted.value("skosmos_lookup_total", backend="local") == 4
    assert counted.value("skosmos_hit_total", backend="local") == 3
    assert counted.value("skosmos_miss_total", backend="local") == 1
    assert counted.value("skosmos_lookup_total", backend="skosmos") == 0


def test_the_answer_does_not_depend_on_the_order_of_the_file(
    open_local: OpenLocal, tmp_path: Path
) -> None:
    a, b = concept("a", "meter", "One."), concept("b", "meter", "Two.")
    one = open_local(turtle(tmp_path / "v.ttl", a + b)).lookup("meter").concepts
    two = open_local(turtle(tmp_path / "w.ttl", b + a)).lookup("meter").concepts
    assert [found.uri for found in one] == [found.uri for found in two]
