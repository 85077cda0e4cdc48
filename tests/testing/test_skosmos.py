import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pyoxigraph
import pytest

from groundwire.testing import SkosmosStandIn
from tests.vocabularies import HALDEN, HALDEN_ID, turtle

SHAPES = """
:plain a skos:Concept ; skos:prefLabel "plain" ; skos:definition "No language." .
:tagged a skos:Concept ; skos:prefLabel "tagged"@en ; skos:definition "English."@en .
:several a skos:Concept ; skos:prefLabel "several"@en ;
    skos:definition "One."@en, "Eén."@nl, "Bare." .
:reified a skos:Concept ; skos:prefLabel "reified"@en ;
    skos:definition [ rdf:value "On a node."@en ] .
:named a skos:Concept ; skos:prefLabel "named"@en ; skos:definition :note .
:note rdf:value "On a named node."@en .
:old a skos:Concept ; skos:prefLabel "old"@en ; owl:deprecated true ; dct:isReplacedBy :plain .
:strom a skos:Concept ; skos:prefLabel "Überspannung"@de, "overvoltage"@en ;
    skos:altLabel "surge"@en ; skos:hiddenLabel "surje"@en .
:a a skos:Concept ; skos:prefLabel "child"@en ; skos:broader :plain .
"""


@pytest.fixture
def shapes(tmp_path: Path) -> Iterator[SkosmosStandIn]:
    with SkosmosStandIn([turtle(tmp_path / "v.ttl", SHAPES)], vocabulary="v") as server:
        yield server


def get(server: SkosmosStandIn, path: str, **parameters: str) -> httpx2.Response:
    return httpx2.get(f"{server.url}/{path}", params=parameters, trust_env=False)


def node(server: SkosmosStandIn, name: str) -> dict[str, Any]:
    graph = get(server, "v/data", uri=f"https://v.example/{name}").json()["graph"]
    found: dict[str, Any] = next(n for n in graph if n["uri"] == f"https://v.example/{name}")
    return found


def test_a_hit_has_the_fields_of_skosmos(shapes: SkosmosStandIn) -> None:
    answer = get(shapes, "v/lookup", label="TAGGED")
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert answer.json()["result"] == [
        {
            "uri": "https://v.example/tagged",
            "type": ["skos:Concept"],
            "prefLabel": "tagged",
            "lang": "en",
            "vocab": "v",
        }
    ]


def test_a_miss_is_404_in_plain_text(shapes: SkosmosStandIn) -> None:
    answer = get(shapes, "v/lookup", label="nothing")
    assert (answer.status_code, answer.text) == (
        404,
        "404 Not Found : Could not find label 'nothing'",
    )
    assert answer.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("path", "parameters", "status"),
    [
        ("v/lookup", {}, 400),
        ("v/lookup", {"label": ""}, 400),
        ("v/search", {"query": " "}, 400),
        ("v/search", {"query": "a", "maxhits": "none"}, 400),
        ("v/data", {}, 400),
        ("v/data", {"uri": "https://v.example/plain", "format": "text/html"}, 406),
        ("v/data", {"uri": "https://v.example/unknown"}, 404),
        ("other/lookup", {"label": "a"}, 404),
        ("lookup", {"label": "a"}, 404),
        ("v/invented", {}, 404),
    ],
)
def test_errors_are_plain_text(
    shapes: SkosmosStandIn, path: str, parameters: dict[str, str], status: int
) -> None:
    answer = get(shapes, path, **parameters)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.startswith(f"{status} ")


def test_case_is_folded_for_ascii_only(shapes: SkosmosStandIn) -> None:
    assert get(shapes, "v/lookup", label="Überspannung").status_code == 200
    assert get(shapes, "v/lookup", label="überspannung").status_code == 404


def test_preferred_labels_come_before_alternative_ones(shapes: SkosmosStandIn) -> None:
    hit = get(shapes, "v/lookup", label="surge").json()["result"][0]
    assert (hit["prefLabel"], hit["altLabel"]) == ("overvoltage", "surge")
    assert get(shapes, "v/lookup", label="surje").status_code == 404
    assert get(shapes, "v/lookup", label="surge", lang="de").status_code == 404


def test_a_search_without_a_match_is_an_empty_list(shapes: SkosmosStandIn) -> None:
    assert get(shapes, "v/search", query="nothing").json()["results"] == []


def test_a_search_finds_what_a_star_stands_for(shapes: SkosmosStandIn) -> None:
    found = get(shapes, "search", query="s*", maxhits="2").json()["results"]
    assert [hit["prefLabel"] for hit in found] == ["several", "overvoltage"]
    assert get(shapes, "search", query="se").json()["results"] == []


def test_definitions_have_every_shape_of_json_ld(shapes: SkosmosStandIn) -> None:
    assert node(shapes, "plain")["skos:definition"] == "No language."
    assert node(shapes, "tagged")["skos:definition"] == {"lang": "en", "value": "English."}
    assert len(node(shapes, "several")["skos:definition"]) == 3
    assert node(shapes, "named")["skos:definition"] == {"uri": "https://v.example/note"}
    reified = get(shapes, "v/data", uri="https://v.example/reified").json()["graph"]
    pointed = next(n for n in reified if "skos:definition" in n)["skos:definition"]["uri"]
    held = next(n for n in reified if n["uri"] == pointed)
    assert held["http://www.w3.org/1999/02/22-rdf-syntax-ns#value"]["value"] == "On a node."


def test_neighbours_come_with_their_names(shapes: SkosmosStandIn) -> None:
    graph = get(shapes, "v/data", uri="https://v.example/a").json()["graph"]
    assert {"uri": "https://v.example/plain", "type": "skos:Concept", "prefLabel": "plain"} in graph


def test_what_it_sends_is_json_ld_of_the_same_statements(shapes: SkosmosStandIn) -> None:
    """A JSON-LD parser written by others reads back what stands in the file."""
    uri = "https://v.example/several"
    body = get(shapes, "v/data", uri=uri).content
    sent = {
        (quad.subject, quad.predicate, quad.object)
        for quad in pyoxigraph.parse(input=body, format=pyoxigraph.RdfFormat.JSON_LD)
    }
    store = pyoxigraph.Store()
    store.bulk_load(input=json.dumps(json.loads(body)), format=pyoxigraph.RdfFormat.JSON_LD)
    texts = {o.value for _, p, o in sent if p.value.endswith("#definition")}
    assert texts == {"One.", "Eén.", "Bare."}
    assert len(sent) == 5


def test_a_known_date_is_answered_304(tmp_path: Path) -> None:
    date = "Mon, 02 Mar 2026 10:00:00 GMT"
    file = turtle(tmp_path / "v.ttl", SHAPES)
    with SkosmosStandIn([file], vocabulary="v", last_modified=date) as server:
        url = f"{server.url}/v/data?uri=https://v.example/plain"
        first = httpx2.get(url, trust_env=False)
        assert first.headers["last-modified"] == date
        again = httpx2.get(url, headers={"If-Modified-Since": date}, trust_env=False)
        assert (again.status_code, again.content) == (304, b"")


def test_it_misbehaves_on_request_and_remembers_what_was_asked(shapes: SkosmosStandIn) -> None:
    shapes.misbehave = "fail"
    assert get(shapes, "v/lookup", label="plain").status_code == 500
    shapes.misbehave = "hang_up"
    with pytest.raises(httpx2.RemoteProtocolError):
        get(shapes, "v/lookup", label="plain")
    shapes.misbehave = None
    assert get(shapes, "v/lookup", label="plain").status_code == 200
    assert shapes.requests == ["/rest/v1/v/lookup?label=plain"] * 3


def test_the_example_vocabulary_can_be_served() -> None:
    with SkosmosStandIn([HALDEN], vocabulary="halden") as server:
        hits = get(server, "halden/lookup", label="CIMXML").json()["result"]
        assert [hit["uri"] for hit in hits] == [HALDEN_ID + "cimxml"]
