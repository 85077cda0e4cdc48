import json
from pathlib import Path

import pytest
import rdflib

from groundwire.errors import UnreadableSource
from groundwire.terms._fold import Text
from groundwire.terms._rdf import ConceptRecord, read_concepts
from tests.vocabularies import HALDEN, concept, turtle

SKOS = rdflib.Namespace("http://www.w3.org/2004/02/skos/core#")


def read(path: Path) -> list[ConceptRecord]:
    return read_concepts(path.read_bytes(), path)


def only(path: Path) -> ConceptRecord:
    (record,) = read(path)
    return record


def test_rdflib_reads_the_same_concepts_labels_and_definitions() -> None:
    graph = rdflib.Graph().parse(HALDEN)
    records = {record.uri: record for record in read(HALDEN)}
    subjects = set(graph.subjects(rdflib.RDF.type, SKOS.Concept))
    assert records.keys() == {str(subject) for subject in subjects}
    for subject in subjects:
        record = records[str(subject)]
        assert set(record.definitions) == {
            Text(str(value), value.language or "")
            for value in graph.objects(subject, SKOS.definition)
            if isinstance(value, rdflib.Literal)
        }
        assert {text.text for kind, text in record.labels if kind == "preferred"} == {
            str(value) for value in graph.objects(subject, SKOS.prefLabel)
        }
        above = {str(o) for o in graph.objects(subject, SKOS.broader)}
        assert set(record.broader) == above | {
            str(s) for s in graph.subjects(SKOS.narrower, subject)
        }


@pytest.mark.parametrize(
    ("suffix", "rdflib_format"),
    [(".rdf", "xml"), (".xml", "xml"), (".jsonld", "json-ld"), (".nt", "nt"), (".skos", "turtle")],
)
def test_the_same_vocabulary_in_every_format(
    tmp_path: Path, suffix: str, rdflib_format: str
) -> None:
    path = tmp_path / f"halden{suffix}"
    rdflib.Graph().parse(HALDEN).serialize(path, format=rdflib_format, encoding="utf-8")
    assert read(path) == read(HALDEN)


def test_a_file_without_a_telling_suffix_is_recognised(tmp_path: Path) -> None:
    graph = rdflib.Graph().parse(HALDEN)
    for name, rdflib_format in (("a", "xml"), ("b", "turtle")):
        graph.serialize(tmp_path / name, format=rdflib_format)
        assert len(read(tmp_path / name)) == 80


def test_labels_and_definitions_may_stand_on_nodes_of_their_own(tmp_path: Path) -> None:
    path = turtle(
        tmp_path / "v.ttl",
        """:a a skos:Concept ;
            skosxl:prefLabel [ skosxl:literalForm "busbar"@en ] ;
            skosxl:altLabel [ skosxl:literalForm "bus bar"@en ] ;
            skos:definition [ rdf:value "A bar."@en ; dct:source "a book" ] .""",
    )
    record = only(path)
    assert record.labels == [
        ("preferred", Text("busbar", "en")),
        ("alternative", Text("bus bar", "en")),
    ]
    assert record.definitions == [Text("A bar.", "en")]


def test_kinds_of_concept_that_the_file_declares_are_concepts(tmp_path: Path) -> None:
    path = turtle(
        tmp_path / "v.ttl",
        ':Term rdfs:subClassOf skos:Concept . :a a :Term ; skos:prefLabel "a"@en .',
    )
    assert only(path).uri == "https://v.example/a"


def test_neighbours_are_read_from_both_ends_and_never_lead_to_oneself(tmp_path: Path) -> None:
    path = turtle(
        tmp_path / "v.ttl",
        concept("a", "a") + concept("b", "b") + ":a skos:broader :b, :a ; skos:related :b .",
    )
    a, b = read(path)
    assert (a.broader, b.narrower) == (["https://v.example/b"], ["https://v.example/a"])
    assert b.related == ["https://v.example/a"]
    assert a.narrower == []


def test_an_empty_definition_is_none(tmp_path: Path) -> None:
    path = turtle(tmp_path / "v.ttl", ':a a skos:Concept ; skos:definition "", "  "@nl .')
    assert only(path).definitions == []


def test_a_replaced_concept_is_deprecated(tmp_path: Path) -> None:
    path = turtle(tmp_path / "v.ttl", ":a a skos:Concept ; dct:isReplacedBy :b .")
    record = only(path)
    assert (record.deprecated, record.successor) == (True, "https://v.example/b")


def test_control_characters_do_not_reach_a_terminal(tmp_path: Path) -> None:
    path = turtle(
        tmp_path / "v.ttl",
        ':a a skos:Concept ; skos:prefLabel "x\\u001B[31my" ; skos:definition "a\\nb\\u0007" .',
    )
    record = only(path)
    assert record.labels[0][1].text == "x[31my"
    assert record.definitions[0].text == "a\nb"


def test_language_tags_and_addresses_that_the_standard_forbids_are_survived(
    tmp_path: Path,
) -> None:
    path = turtle(
        tmp_path / "v.ttl",
        ':a a skos:Concept ; skos:prefLabel "a"@n ; dct:source <https://x.example/a b|c> .',
    )
    assert only(path).labels == [("preferred", Text("a", "n"))]


def test_titles_come_from_the_scheme_or_the_file(tmp_path: Path) -> None:
    body = ':s a skos:ConceptScheme ; dct:title "Titel"@nl, "Title"@en .'
    titled = turtle(tmp_path / "v.ttl", body + concept("a", "a") + ":a skos:inScheme :s .")
    assert only(titled).vocabulary == "Title"
    assert only(turtle(tmp_path / "w.ttl", concept("a", "a"))).vocabulary == "w"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("broken.ttl", b"\n\n@prefix a: <https://a.example/> .\na:b a:c <<d> .\n", "broken.ttl:4"),
        ("prefix.ttl", b":a a :b .", "prefix.ttl:1 cannot be read as SKOS: The prefix : has not"),
        ("broken.rdf", b"<?xml version='1.0'?>\n<rdf:RDF>", "broken.rdf"),
        ("broken.jsonld", b'{"@context": ', "broken.jsonld"),
        ("remote.jsonld", b'{"@context": "https://context.example/"}', "remote.jsonld"),
        ("latin.ttl", b"# caf\xe9", "latin.ttl:1 is not UTF-8"),
        ("zeros.ttl", bytes(1000), "zeros.ttl"),
        ("empty.ttl", b"", "empty.ttl holds no concept"),
        ("none.ttl", b"<https://a.example/> <https://b.example/> 1 .", "none.ttl holds no concept"),
        ("image.ttl", b"\x89PNG\r\n\x1a\n\xff\xd8", "image.ttl:1 is not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UnreadableSource) as caught:
        read(path)
    assert said in str(caught.value)


def test_byte_order_marks_are_read(tmp_path: Path) -> None:
    text = HALDEN.read_text(encoding="utf-8")
    for encoding in ("utf-8-sig", "utf-16"):
        path = tmp_path / "v.ttl"
        path.write_bytes(text.encode(encoding))
        assert len(read(path)) == 80


def test_entities_that_multiply_in_xml_do_not_fill_the_memory(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    path = tmp_path / "bomb.rdf"
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "x">{levels}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="https://a.example/"><rdf:value>&l11;</rdf:value>'
        "</rdf:Description></rdf:RDF>"
    )
    with pytest.raises(UnreadableSource, match="nested"):
        read(path)
    flat = f'<!ENTITY l "{"x" * 100_000}">'
    path.write_text(
        f'<?xml version="1.0"?><!DOCTYPE r [{flat}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="https://a.example/"><rdf:value>{"&l;" * 10_000}</rdf:value>'
        "</rdf:Description></rdf:RDF>"
    )
    with pytest.raises(UnreadableSource, match="expand too far"):
        read(path)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"@graph": ', '["a \\" [", '])
@pytest.mark.parametrize("name", ["v.jsonld", "v.json"])
def test_json_that_nests_without_end_does_not_end_the_process(
    tmp_path: Path, opening: str, name: str
) -> None:
    """The parser has no limit of its own; brackets within words are words."""
    path = tmp_path / name
    path.write_text(opening * 20_000)
    with pytest.raises(UnreadableSource, match="cannot be read: it nests too deeply"):
        read(path)
    told = {
        "@id": "https://v.example/a",
        "http://www.w3.org/2004/02/skos/core#prefLabel": "[" * 500,
    }
    path.write_text(json.dumps({"@type": "http://www.w3.org/2004/02/skos/core#Concept", **told}))
    assert [concept.uri for concept in read(path)] == ["https://v.example/a"]


def test_entities_that_only_abbreviate_are_read(tmp_path: Path) -> None:
    path = tmp_path / "v.rdf"
    path.write_text(
        """<?xml version="1.0"?>
        <!DOCTYPE rdf:RDF [<!ENTITY skos "http://www.w3.org/2004/02/skos/core#">]>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;">
        <rdf:Description rdf:about="https://v.example/a">
        <rdf:type rdf:resource="&skos;Concept"/><skos:prefLabel>a</skos:prefLabel>
        </rdf:Description></rdf:RDF>"""
    )
    assert only(path).labels == [("preferred", Text("a"))]


def test_json_ld_of_another_kind_is_no_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonld"
    path.write_text(json.dumps([{"@id": "https://a.example/", "https://b.example/": [1]}]))
    with pytest.raises(UnreadableSource, match="no concept"):
        read(path)
