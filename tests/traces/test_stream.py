import json
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import InputError
from groundwire.traces import read_records


def records(data: str | bytes, limit: int = 1_000_000) -> list[Any]:
    raw = data.encode() if isinstance(data, str) else data
    found = read_records(BytesIO(raw), where="trace.json", max_record_chars=limit)
    return [record.value for record in found if not record.is_field]


EVENTS = [{"id": 1, "text": "ä\n"}, {"id": 2, "list": [1, {"x": None}]}, {"id": 3}]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(event) for event in EVENTS),
        "\r\n\r\n".join(json.dumps(event) for event in EVENTS) + "\n",
        "\ufeff" + "\n".join(json.dumps(event, ensure_ascii=False) for event in EVENTS),
        json.dumps(EVENTS),
        json.dumps(EVENTS, indent=3),
        json.dumps({"id": "x", "events": EVENTS, "after": 1}),
        json.dumps({"events": EVENTS}, indent=1),
    ],
)
def test_every_layout_gives_the_same_records(text: str) -> None:
    assert records(text) == EVENTS


def test_fields_around_the_records_are_told() -> None:
    text = json.dumps({"trace_id": "t", "events": EVENTS, "cwd": "/x"})
    found = read_records(BytesIO(text.encode()), where="f", max_record_chars=1000)
    assert [(one.name, one.value) for one in found if one.is_field] == [
        ("trace_id", "t"),
        ("cwd", "/x"),
    ]


def test_a_first_line_too_long_to_be_seen_as_one_is_still_a_line() -> None:
    lines = [{"id": 1, "text": "x" * 200_000}, {"id": 2}]
    assert records("\n".join(json.dumps(line) for line in lines)) == lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "trace.json is empty"),
        (" \n ", "trace.json is empty"),
        ('{"id": 1}\n{"id": ', "line 2, is not valid JSON"),
        ("[{}, {]", "character 5"),
        ("[{}", "',' was expected"),
        ("[{},]", "after the comma"),
        ("hello", "an object or a list was expected"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":1}\n' + "[" * 100_000, "cannot be read"),
    ],
)
def test_what_is_wrong_is_placed(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        records(text)
    assert words in str(caught.value)
    assert "trace.json" in str(caught.value)


@pytest.mark.parametrize("layout", ["lines", "array"])
def test_a_record_over_the_limit_is_refused(layout: str) -> None:
    huge = {"id": 2, "text": "x" * 300_000}
    text = '{"id": 1}\n' + json.dumps(huge) if layout == "lines" else json.dumps([{}, huge])
    with pytest.raises(InputError, match="more than 100000 characters"):
        records(text, limit=100_000)


def test_a_large_file_costs_the_memory_of_its_largest_record(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    event = json.dumps({"id": "x", "result": "y" * 1_000})
    path.write_text('{"events": [' + ",".join([event] * 20_000) + "]}")
    tracemalloc.start()
    with path.open("rb") as file:
        count = sum(1 for _ in read_records(file, where="f", max_record_chars=10_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert path.stat().st_size > 20_000_000
    assert peak < 2_000_000


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), _values), min_size=2, max_size=6))
def test_what_was_written_is_what_is_read(events: list[dict[str, Any]]) -> None:
    for text in (json.dumps(events), "\n".join(json.dumps(event) for event in events)):
        assert records(text) == events


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    try:
        records(data)
    except InputError as error:
        assert "trace.json" in str(error)  # noqa: PT017
