from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from groundwire.terms._fold import Text
from groundwire.terms._jsonld import Graph

URI = "https://v.example/a"


def definitions(value: Any, *nodes: Any) -> list[Text]:
    record = Graph({"graph": [{"uri": URI, "skos:definition": value}, *nodes]}).record(URI)
    assert record is not None
    return record.definitions


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("Bare.", [Text("Bare.")]),
        ({"lang": "en", "value": "Said."}, [Text("Said.", "en")]),
        ({"@language": "en", "@value": "Said."}, [Text("Said.", "en")]),
        ([{"lang": "nl", "value": "Ja."}, "Yes."], [Text("Ja.", "nl"), Text("Yes.")]),
        ("  ", []),
        (None, []),
        (7, []),
        ({"value": ["nested"]}, []),
    ],
)
def test_a_definition_in_any_shape(value: Any, texts: list[Text]) -> None:
    assert definitions(value) == texts


@pytest.mark.parametrize("key", ["rdf:value", "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"])
def test_a_definition_on_a_node_of_its_own(key: str) -> None:
    held = {"uri": "_:b0", key: {"lang": "en", "value": "Held."}}
    assert definitions({"uri": "_:b0"}, held) == [Text("Held.", "en")]
    assert definitions({"uri": "_:gone"}) == []


def test_a_single_node_may_stand_without_a_list() -> None:
    record = Graph({"uri": URI, "prefLabel": "a", "broader": {"uri": "https://v.example/b"}})
    found = record.record(URI)
    assert found is not None
    assert found.labels == [("preferred", Text("a"))]
    assert found.broader == ["https://v.example/b"]


@pytest.mark.parametrize("value", [True, "true", {"type": "xsd:boolean", "value": "true"}])
def test_deprecation_in_any_shape(value: Any) -> None:
    record = Graph({"uri": URI, "owl:deprecated": value}).record(URI)
    assert record is not None
    assert record.deprecated


def test_a_concept_that_is_not_described_is_none() -> None:
    assert Graph({"graph": []}).record(URI) is None
    assert Graph({}).record(URI) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "value", "lang", "graph", "skos:definition", "prefLabel", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(["graph", "uri", "prefLabel", "broader"]), json_values))
def test_no_json_breaks_the_reader(document: dict[str, Any]) -> None:
    graph = Graph(document)
    for uri in graph.names():
        assert graph.record(uri) is not None
