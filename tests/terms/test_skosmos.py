import asyncio
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import SKOSMOSError, SKOSMOSTimeout
from groundwire.observe import Metrics, request
from groundwire.terms._skosmos import other_forms
from groundwire.testing import Misbehaviour, SkosmosStandIn
from tests.terms.conftest import OpenClient
from tests.testing.test_skosmos import SHAPES
from tests.vocabularies import HALDEN_ID, concept, turtle

Logs = Callable[[], list[dict[str, Any]]]


def counts(counted: Metrics) -> dict[str, float]:
    names = ("lookup", "hit", "miss", "timeout", "error")
    found = {name: counted.value(f"skosmos_{name}_total", backend="skosmos") for name in names}
    found["cache_hit"] = counted.value("skosmos_cache_hit_total", backend="cache")
    return {name: value for name, value in found.items() if value}


def test_one_term_costs_two_calls(open_client: OpenClient, server: SkosmosStandIn) -> None:
    result = open_client().lookup("CIMXML")
    assert result.source_uri == HALDEN_ID + "cimxml"
    assert [path.split("?")[0] for path in server.requests] == [
        "/rest/v1/halden/lookup",
        "/rest/v1/halden/data",
    ]


def test_the_server_is_enough_of_an_address(
    open_client: OpenClient, server: SkosmosStandIn
) -> None:
    assert open_client(server.url.removesuffix("/rest/v1")).lookup("CIMXML").found
    assert open_client(server.url + "/").lookup("CIMXML").found


def test_without_a_vocabulary_all_of_them_are_searched(
    open_client: OpenClient, server: SkosmosStandIn
) -> None:
    client = open_client(vocabulary=None)
    assert client.lookup("cimxml").source_uri == HALDEN_ID + "cimxml"
    assert not client.lookup("FooBarBaz").found
    assert server.requests[0].startswith("/rest/v1/search?")


def test_a_star_is_no_wildcard(open_client: OpenClient) -> None:
    assert not open_client(vocabulary=None).lookup("CIM*L").found


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("plain", "No language."),
        ("tagged", "English."),
        ("several", "One."),
        ("reified", "On a node."),
        ("named", "On a named node."),
        ("old", "No language."),
        ("surge", None),
        ("überspannung", None),
    ],
)
def test_definitions_of_every_shape_arrive(
    open_client: OpenClient, tmp_path: Path, name: str, definition: str | None
) -> None:
    with SkosmosStandIn([turtle(tmp_path / "v.ttl", SHAPES)], vocabulary="v") as shapes:
        result = open_client(shapes.url, vocabulary="v").lookup(name)
        assert result.found
        assert result.definition == definition


def test_several_meanings_are_all_read(open_client: OpenClient, tmp_path: Path) -> None:
    body = "".join(concept(f"c{n}", "meter", f"Meaning {n}.") for n in range(4))
    with SkosmosStandIn([turtle(tmp_path / "v.ttl", body)], vocabulary="v") as many:
        result = open_client(many.url, vocabulary="v").lookup("meter")
        assert (result.outcome, len(result.concepts)) == ("ambiguous", 4)


def test_singulars_are_tried_when_the_server_has_no_plural(open_client: OpenClient) -> None:
    result = open_client().lookup("smart meters")
    assert result.concepts[0].matched_label == "smart meter"
    assert other_forms("überspannungen")[0] == "Überspannungen"


def test_a_miss_counts_once_whatever_was_tried(open_client: OpenClient, counted: Metrics) -> None:
    assert not open_client().lookup("flux capacitors").found
    assert counts(counted) == {"lookup": 1, "miss": 1}


@pytest.mark.parametrize(
    ("misbehaviour", "said"),
    [
        ("fail", "500 Internal Server Error : the triple store is down"),
        ("hang_up", "cannot be reached"),
        ("html", "answered 404"),
        ("nonsense", "no JSON"),
        ("flood", "more than 5000000 bytes"),
        ("not_modified", "answered 304"),
    ],
)
def test_a_server_that_misbehaves_is_an_error(
    open_client: OpenClient,
    server: SkosmosStandIn,
    counted: Metrics,
    misbehaviour: Misbehaviour,
    said: str,
) -> None:
    server.misbehave = misbehaviour
    with request() as context, pytest.raises(SKOSMOSError, match=said):
        open_client().lookup("CIMXML")
    assert counts(counted) == {"lookup": 1, "error": 1}
    assert context.fallback_flags == ["skosmos_error"]


def test_a_server_that_is_not_there_is_an_error(open_client: OpenClient) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(SKOSMOSError, match="cannot be reached"):
        open_client(f"http://127.0.0.1:{port}").lookup("CIMXML")


def test_a_password_in_the_address_is_not_shown(
    open_client: OpenClient, server: SkosmosStandIn, captured_logs: Logs
) -> None:
    server.misbehave = "fail"
    address = server.url.replace("http://", "http://user:hunter2@")
    with pytest.raises(SKOSMOSError) as caught:
        open_client(address).lookup("CIMXML")
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in str(captured_logs())


@pytest.mark.parametrize("address", ["ftp://x.example", "nonsense", "http://127.0.0.1:99999"])
def test_an_address_that_is_none_is_an_error(open_client: OpenClient, address: str) -> None:
    with pytest.raises(SKOSMOSError):
        open_client(address).lookup("CIMXML")


def test_a_wrong_vocabulary_id_is_no_miss(open_client: OpenClient, counted: Metrics) -> None:
    with pytest.raises(SKOSMOSError, match="Vocabulary id 'wrong' not found"):
        open_client(vocabulary="wrong").lookup("CIMXML")
    assert counts(counted) == {"lookup": 1, "error": 1}


def test_the_deadline_covers_both_calls(
    open_client: OpenClient, server: SkosmosStandIn, counted: Metrics
) -> None:
    """Each call alone would be in time."""
    server.delay_ms = 250
    with request() as context, pytest.raises(SKOSMOSTimeout, match="within 400 ms"):
        open_client(timeout_ms=400).lookup("CIMXML")
    assert counts(counted) == {"lookup": 1, "timeout": 1}
    assert context.fallback_flags == ["skosmos_timeout"]


def test_a_server_that_sends_a_byte_at_a_time_is_a_timeout(
    open_client: OpenClient, server: SkosmosStandIn
) -> None:
    server.misbehave = "drip"
    with pytest.raises(SKOSMOSTimeout):
        open_client(timeout_ms=200).lookup("CIMXML")


def test_failures_are_not_cached(open_client: OpenClient, server: SkosmosStandIn) -> None:
    client = open_client()
    server.misbehave = "fail"
    with pytest.raises(SKOSMOSError):
        client.lookup("CIMXML")
    server.misbehave = None
    assert client.lookup("CIMXML").found


def test_misses_are_forgotten_ten_times_sooner(
    open_client: OpenClient, counted: Metrics, server: SkosmosStandIn
) -> None:
    now_s = [0.0]
    client = open_client(timer=lambda: now_s[0])
    for at_s, requests in ((0, 1), (59, 1), (61, 2)):
        now_s[0] = at_s
        assert not client.lookup("FooBarBaz").found
        assert len([path for path in server.requests if "FooBarBaz" in path]) == requests
    assert counts(counted) == {"lookup": 2, "miss": 2, "cache_hit": 1}


def test_the_cache_knows_a_term_in_any_case_and_spacing(
    open_client: OpenClient, counted: Metrics
) -> None:
    client = open_client()
    assert not client.lookup("Smart  Meter").cached
    again = client.lookup("  smart meter ")
    assert (again.cached, again.latency_ms) == (True, 0)
    assert counts(counted) == {"lookup": 1, "hit": 1, "cache_hit": 1}


def test_test_triggers_work_only_where_they_are_enabled(
    open_client: OpenClient, counted: Metrics
) -> None:
    for trigger in ("__TEST_SKOSMOS_TIMEOUT__", "test_timeout_trigger"):
        with pytest.raises(SKOSMOSTimeout):
            open_client(test_triggers=True).lookup(trigger)
        assert not open_client().lookup(trigger).found
    assert counts(counted) == {"lookup": 4, "timeout": 2, "miss": 2}


def test_near_labels_come_from_the_server(open_client: OpenClient, server: SkosmosStandIn) -> None:
    client = open_client()
    assert client.suggest("voltage regulations", 2)[0].label == "voltage regulation"
    assert client.suggest("*", 3) == []
    server.misbehave = "fail"
    assert client.suggest("voltage regulations", 2) == []


def test_labels_that_cannot_be_checked_are_none(
    open_client: OpenClient, server: SkosmosStandIn
) -> None:
    client = open_client()
    assert client.has_label("SAIDI")
    server.misbehave = "fail"
    assert not client.has_label("SAIFI")


def test_a_closed_client_can_be_used_again(open_client: OpenClient) -> None:
    client = open_client()
    client.close()
    assert client.lookup("SAIDI").found
    client.close()
    client.close()
    assert client.lookup("SAIFI").found


def test_many_first_callers_make_one_client(open_client: OpenClient) -> None:
    rest = open_client()._rest
    together = threading.Barrier(8)
    made: list[object] = []

    def prepare() -> None:
        together.wait()
        made.append(rest.prepare())

    threads = [threading.Thread(target=prepare) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len({id(client) for client in made}) == 1


def test_threads_and_coroutines_share_one_client(open_client: OpenClient) -> None:
    client = open_client()
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(client.lookup(f"x{n}").found))
        for n in range(4)
    ]

    async def ask() -> list[bool]:
        terms = ("SAIDI", "SAIFI", "feeder", "nothing")
        results = await asyncio.gather(*(client.alookup(term) for term in terms))
        assert client.has_label("SAIDI")
        assert client.lookup_uri(HALDEN_ID + "saidi").found
        assert not client.lookup_uri(HALDEN_ID + "nothing").found
        assert client.suggest("feederz", 1)[0].label == "feeder"
        return [result.found for result in results]

    for thread in threads:
        thread.start()
    assert asyncio.run(ask()) == [True, True, True, False]
    assert asyncio.run(ask()) == [True, True, True, False]
    for thread in threads:
        thread.join()
    assert found == [False] * 4


def test_lookups_are_logged_as_the_specification_shows(
    open_client: OpenClient, server: SkosmosStandIn, captured_logs: Logs
) -> None:
    client = open_client(timeout_ms=2000)
    with request("tree") as context:
        client.lookup("CIMXML")
        client.lookup("CIMXML")
    first, second = captured_logs()
    assert (first["component"], first["event"]) == ("skosmos", "lookup_complete")
    assert (first["term"], first["hit"], first["cached"]) == ("CIMXML", True, False)
    assert isinstance(first["latency_ms"], int)
    assert first["request_id"] == second["request_id"] == context.request_id
    assert second["cached"] is True
    server.misbehave = "drip"
    with pytest.raises(SKOSMOSTimeout):
        open_client(timeout_ms=50).lookup("CIMXML")
    assert (captured_logs()[-1]["event"], captured_logs()[-1]["level"]) == ("timeout", "WARN")
