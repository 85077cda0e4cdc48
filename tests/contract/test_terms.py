"""INTENT, SKOS, SKOS-CLIENT and OBS of S3, by their ids."""

from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import CircuitOpen, SKOSMOSError, SKOSMOSTimeout
from groundwire.guard import CircuitBreaker
from groundwire.observe import METRICS, Metrics, request
from groundwire.terms import SKOSMOSClient, Terminology, is_terminology_query
from groundwire.testing import SkosmosStandIn
from tests.vocabularies import HALDEN, HALDEN_ID

Logs = Callable[[], list[dict[str, Any]]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("What is CIMXML?", (True, "cimxml"), id="INTENT-01"),
        pytest.param("Define voltage regulation", (True, "voltage regulation"), id="INTENT-02"),
        pytest.param("ADR-0031", (False, None), id="INTENT-03"),
        pytest.param("List ADRs about security", (False, None), id="INTENT-04"),
        pytest.param("What is the TLS decision in ADRs?", (False, None), id="INTENT-05"),
        pytest.param("What should I use for encryption?", (False, None), id="INTENT-06"),
        pytest.param("CIM term transformer", (True, "transformer"), id="INTENT-07"),
    ],
)
def test_intent(query: str, expected: tuple[bool, str | None]) -> None:
    assert is_terminology_query(query) == expected


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("What is CIM?", "cim"),
        ("Meaning of asset management", "asset management"),
        ("Explain the term CGMES", "cgmes"),
        ("What does IEC 61970 mean?", "iec 61970"),
        ("What is FooBarBaz?", "foobarbaz"),
        ("Define TEST_TIMEOUT_TRIGGER", "test_timeout_trigger"),
        ("Define __TEST_SKOSMOS_TIMEOUT__", "__test_skosmos_timeout__"),
        ("what's CIMXML", "cimxml"),
        ("Wat is een aansluiting?", "aansluiting"),
        ("Wat betekent congestie?", "congestie"),
    ],
)
def test_every_example_of_a_terminology_query(query: str, term: str) -> None:
    """The pattern table, the golden categories and the rulings."""
    assert is_terminology_query(query) == (True, term)


@pytest.mark.parametrize(
    "query",
    [
        "What does ADR.0031 decide?",
        "List ADRs",
        "Show all principles",
        "What is decided about TLS?",
        "What is in the CIM policy?",
        "Define the TLS requirements in ADRs",
        "Define the encryption requirements in ADR-0015",
        "What is decided about TLS versions?",
        "List all ADRs about authentication",
        "List all principles about security",
        "What does ADR-0012 decide?",
        "What does ADR-9999 decide?",
        "What are the interoperability principles?",
        "What is the data retention policy?",
        "How do we ensure grid stability?",
        "Security decisions and principles",
    ],
)
def test_every_example_of_another_query(query: str) -> None:
    """The exclusion table, the golden categories and the negative cases."""
    assert is_terminology_query(query) == (False, None)


class Client:
    """A client with its counters and its clock; patient, for machines that are busy."""

    def __init__(self, server: SkosmosStandIn) -> None:
        self.counted = Metrics()
        self.now_s = 0.0
        self.skosmos = SKOSMOSClient(
            server.url,
            timeout_ms=5000,
            vocabulary="halden",
            counted=self.counted,
            timer=lambda: self.now_s,
        )

    def count(self, name: str, backend: str = "skosmos") -> float:
        return self.counted.value(f"skosmos_{name}_total", backend=backend)


@pytest.fixture
def server() -> Iterator[SkosmosStandIn]:
    with SkosmosStandIn([HALDEN], vocabulary="halden") as stand_in:
        yield stand_in


@pytest.fixture
def client(server: SkosmosStandIn) -> Iterator[Client]:
    client = Client(server)
    yield client
    client.skosmos.close()


def test_the_client_is_made_as_the_contract_says() -> None:
    parameters = list(signature(SKOSMOSClient).parameters.values())[:4]
    assert [(parameter.name, parameter.default) for parameter in parameters] == [
        ("base_url", Parameter.empty),
        ("timeout_ms", 300),
        ("cache_ttl_seconds", 600),
        ("cache_max_size", 5000),
    ]


def test_skos_client_01_a_term_that_exists(client: Client) -> None:
    """[SKOS-CLIENT-01]"""
    result = client.skosmos.lookup("CIMXML")
    assert result.found is True
    assert isinstance(result.definition, str)
    assert result.source_uri == HALDEN_ID + "cimxml"
    assert result.cached is False
    assert isinstance(result.latency_ms, int)
    assert (client.count("hit"), client.count("lookup")) == (1, 1)


def test_skos_client_02_a_term_that_does_not(client: Client) -> None:
    """[SKOS-CLIENT-02]"""
    result = client.skosmos.lookup("FooBarBaz")
    assert (result.found, result.definition, result.source_uri) == (False, None, None)
    assert (client.count("miss"), client.count("lookup")) == (1, 1)


def test_skos_client_03_a_lookup_that_takes_too_long(
    client: Client, server: SkosmosStandIn
) -> None:
    """[SKOS-CLIENT-03] with the deadline nobody has changed."""
    server.delay_ms = 600
    in_a_hurry = SKOSMOSClient(server.url, vocabulary="halden", counted=client.counted)
    with pytest.raises(SKOSMOSTimeout, match="within 300 ms"):
        in_a_hurry.lookup("CIMXML")
    in_a_hurry.close()
    assert (client.count("timeout"), client.count("lookup")) == (1, 1)


def test_skos_client_04_a_server_error(client: Client, server: SkosmosStandIn) -> None:
    """[SKOS-CLIENT-04]"""
    server.misbehave = "fail"
    with pytest.raises(SKOSMOSError):
        client.skosmos.lookup("CIMXML")
    assert (client.count("error"), client.count("lookup")) == (1, 1)


def test_skos_client_05_the_same_term_again(client: Client) -> None:
    """[SKOS-CLIENT-05]"""
    client.skosmos.lookup("CIMXML")
    assert client.skosmos.lookup("CIMXML").cached is True
    assert client.count("cache_hit", backend="cache") == 1
    assert client.count("lookup") == 1


def test_skos_client_06_an_expired_cache(client: Client) -> None:
    """[SKOS-CLIENT-06]"""
    client.skosmos.lookup("CIMXML")
    client.now_s = 601
    assert client.skosmos.lookup("CIMXML").cached is False
    assert client.count("lookup") == 2


def test_skos_01_to_05_as_a_person_sees_them(client: Client, server: SkosmosStandIn) -> None:
    """[SKOS-01, SKOS-02, SKOS-03, SKOS-04, SKOS-05]"""
    terminology = Terminology(client.skosmos, counted=client.counted)
    known = terminology.define("CIMXML")
    assert (known.mode, known.sources[0].name) == ("ANSWER", "SKOSMOS")
    unknown = terminology.define("FooBar")
    assert (unknown.mode, unknown.definition) == ("ABSTAIN", None)
    ambiguous = terminology.define("CIM")
    assert (ambiguous.mode, len(ambiguous.suggestions)) == ("CLARIFY", 2)
    assert terminology.define("CIMXML").cached is True
    server.delay_ms = 600
    slow = Terminology(SKOSMOSClient(server.url, vocabulary="halden"), counted=client.counted)
    assert "Unable to verify" in slow.define("SAIDI").message
    slow.close()


def test_obs_01_all_entries_of_a_request_share_its_id(client: Client, captured_logs: Logs) -> None:
    """[OBS-01]"""
    with request("tree") as context:
        client.skosmos.lookup("CIMXML")
        client.skosmos.lookup("FooBarBaz")
    # a request that an earlier test left running may write beside it
    entries = [entry for entry in captured_logs() if entry["component"] == "skosmos"]
    assert [entry["request_id"] for entry in entries] == [context.request_id] * 2
    assert all(entry["fallback_flags"] == [] for entry in entries)
    assert all(entry["route"] == "tree" for entry in entries)


def test_obs_02_and_05_timeouts_and_open_circuits_are_flagged(
    client: Client, server: SkosmosStandIn
) -> None:
    """[OBS-02, OBS-03, OBS-05]"""
    server.delay_ms = 600
    slow = SKOSMOSClient(server.url, vocabulary="halden", counted=client.counted)
    breaker = CircuitBreaker("embeddings", failure_threshold=1, counted=client.counted)
    with pytest.raises(ConnectionError), breaker.attempt():
        raise ConnectionError
    with request() as context:
        with pytest.raises(SKOSMOSTimeout):
            slow.lookup("CIMXML")
        with pytest.raises(CircuitOpen), breaker.attempt():
            pass
    slow.close()
    assert context.fallback_flags == ["skosmos_timeout", "circuit_open"]


def test_obs_06_counters_add_up(client: Client) -> None:
    """[OBS-06]"""
    terms = ("CIMXML", "SAIDI", "CIM", "ride-along inspection", "FooBarBaz", "CIMXML")
    for term in terms:
        client.skosmos.lookup(term)
    assert client.count("lookup") == 5
    assert client.count("hit") + client.count("miss") == client.count("lookup")
    assert client.count("hit") == 4
    assert client.count("cache_hit", backend="cache") == 1
    text = client.counted.exposition()
    assert 'skosmos_lookup_total{backend="skosmos"} 5.0' in text


@pytest.mark.parametrize(
    ("name", "label", "kind"),
    [
        ("rag_abstention_total", "reason", "counter"),
        ("skosmos_lookup_total", "backend", "counter"),
        ("skosmos_hit_total", "backend", "counter"),
        ("skosmos_miss_total", "backend", "counter"),
        ("skosmos_timeout_total", "backend", "counter"),
        ("skosmos_error_total", "backend", "counter"),
        ("skosmos_cache_hit_total", "backend", "counter"),
        ("circuit_breaker_state", "service", "gauge"),
        ("circuit_breaker_trip_total", "service", "counter"),
    ],
)
def test_the_metrics_of_gap_f_are_declared(name: str, label: str, kind: str) -> None:
    assert (METRICS[name].kind, METRICS[name].labels) == (kind, (label,))


def test_the_examples_of_the_specification_stand_as_it_says() -> None:
    """The company's vocabulary has CIMXML, two meanings of CIM, and no FooBarBaz."""
    text = Path(HALDEN).read_text(encoding="utf-8")
    assert text.count('"CIM"@en') == 2
    assert '"CIMXML"@en' in text
    assert "foobarbaz" not in text.lower()
