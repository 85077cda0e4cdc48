import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.observe import Log, configure_logs, current_request, request


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    logger = logging.getLogger("groundwire")
    before = (list(logger.handlers), logger.level, logger.propagate)
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    yield stream
    logger.handlers, logger.propagate = before[0], before[2]
    logger.setLevel(before[1])


def entries(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_entries_of_one_request_share_its_id(stream: io.StringIO) -> None:
    """[OBS-01] and `fallback_flags` is empty when nothing fell back."""
    with request("tree") as context:
        Log("router").info("request_start", query="What is CIMXML?")
        Log("skosmos").info("lookup_complete", hit=True)
    written = entries(stream)
    assert [entry["request_id"] for entry in written] == [context.request_id] * 2
    assert [entry["component"] for entry in written] == ["router", "skosmos"]
    assert written[0]["route"] == "tree"
    assert written[0]["fallback_flags"] == []
    assert written[0]["level"] == "INFO"
    assert written[0]["query"] == "What is CIMXML?"
    assert written[0]["timestamp"].endswith("Z")
    assert len(written[0]["timestamp"]) == len("2026-02-09T10:30:00.000Z")


def test_every_active_fallback_is_in_the_entry_once(stream: io.StringIO) -> None:
    """[OBS-05]"""
    with request() as context:
        for flag in ("bm25_only", "circuit_open", "bm25_only"):
            context.add_fallback(flag)
        Log("router").warn("request_complete")
    assert entries(stream)[0]["fallback_flags"] == ["bm25_only", "circuit_open"]
    assert entries(stream)[0]["level"] == "WARN"


def test_a_request_inside_a_request_joins_it() -> None:
    with request() as outer, request() as inner:
        assert inner is outer
    assert current_request() is None


def test_secrets_are_masked_in_entries(stream: io.StringIO) -> None:
    Log("llm").error(
        "refused", header="Authorization: Bearer abcdef123456", nested=[{"a": "password=hunter22"}]
    )
    assert "abcdef123456" not in stream.getvalue()
    assert "hunter22" not in stream.getvalue()


def test_entries_below_the_level_are_not_written(stream: io.StringIO) -> None:
    Log("x").debug("quiet")
    assert stream.getvalue() == ""


def test_text_lines_for_people() -> None:
    stream = io.StringIO()
    configure_logs("info", "text", stream)
    Log("judge").info("scored", pairs=3)
    assert "INFO judge scored pairs=3" in stream.getvalue()
