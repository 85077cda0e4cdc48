"""The incidents of the examples: their truth is what their words say."""

import json
from pathlib import Path
from typing import Any

import pytest

INCIDENTS = Path(__file__).parents[2] / "examples" / "incidents"


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((INCIDENTS / "truth.json").read_text("utf-8"))
    return read


def _names(truth: dict[str, Any], variable_id: str) -> list[str]:
    (found,) = [one for one in truth["variables"] if one["id"] == variable_id]
    return [found["label"], *found["aliases"]]


def _reached_from(truth: dict[str, Any], start: str) -> set[str]:
    reached: set[str] = set()
    todo = [start]
    while todo:
        here = todo.pop()
        further = {one["to"] for one in truth["edges"] if one["from"] == here} - reached
        reached |= further
        todo += further
    return reached


def test_every_sentence_of_the_truth_stands_in_its_report(truth: dict[str, Any]) -> None:
    stated = [one for edge in truth["edges"] for one in edge["stated"]] + truth["planted"]
    assert len(stated) > 100
    for one in stated:
        assert one["sentence"] in (INCIDENTS / one["report"]).read_text("utf-8")


def test_every_sentence_names_both_ends_of_its_edge(truth: dict[str, Any]) -> None:
    """[RULINGS S1] an edge can be grounded only where both variables or their aliases stand."""
    for edge in truth["edges"]:
        for one in edge["stated"]:
            for end in (edge["from"], edge["to"]):
                names = _names(truth, end)
                said = one["sentence"].casefold()
                assert any(name.casefold() in said for name in names), (end, one["sentence"])


def test_no_planted_edge_is_true_not_even_by_way_of_others(truth: dict[str, Any]) -> None:
    for one in truth["planted"]:
        assert one["to"] not in _reached_from(truth, one["from"]), one


def test_the_true_edges_form_no_cycle(truth: dict[str, Any]) -> None:
    for one in truth["variables"]:
        assert one["id"] not in _reached_from(truth, one["id"])


def test_there_are_reports_of_every_kind(truth: dict[str, Any]) -> None:
    kinds = {one["kind"] for one in truth["planted"]}
    assert kinds == {"correlation_only", "hypothetical", "negated", "reversed"}
    listed = {*truth["reports"], *(one["report"] for one in truth["held_out"] + truth["unseen"])}
    there = {str(path.relative_to(INCIDENTS)) for path in INCIDENTS.rglob("*.md")} - {"README.md"}
    assert listed == there
    assert len(truth["reports"]) == 30
