"""`gw memory` as a user meets it, with the judge that ships."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SOURCE = "The mast is 40 m high. It stands in Vik and was painted red in 1998.\n"


Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def gw(gw_here: Callable[..., subprocess.CompletedProcess[str]]) -> Run:
    def run(*arguments: str) -> tuple[int, Any]:
        ran = gw_here(*arguments, "--json")
        return ran.returncode, json.loads(ran.stdout)

    return run


def settled(gw: Run, added: Any) -> Any:
    """What a busy machine could not judge in two seconds is verified now."""
    if added["reason"] != "backend_timeout":
        return added
    gw("queue", "--run")
    return gw("memory", "show", added["id"])[1] | {"stored": True}


@pytest.fixture
def source(tmp_path: Path) -> str:
    file = tmp_path / "mast.md"
    file.write_text(SOURCE)
    return str(file)


def test_a_fact_goes_in_is_found_and_is_forgotten(gw: Run, source: str) -> None:
    """The shapes of the JSON are those that are promised; the gate's posture is in `gw doctor`."""
    code, added = gw("memory", "add", "The mast is 40 m high.", "--evidence", source)
    assert code in (0, 3)
    assert {"stored", "id", "tier", "status", "confidence", "reason", "result"} <= added.keys()
    added = settled(gw, added)
    assert (added["stored"], added["status"]) == (True, "verified")
    code, found = gw("memory", "search", "how high is the mast")
    assert code == 0
    (fact,) = found["facts"]
    assert {"id", "content", "tier", "status", "confidence", "evidence", "reason"} <= fact.keys()
    assert [one["quote"] for one in fact["evidence"]] == ["The mast is 40 m high."]
    _, shown = gw("memory", "show", added["id"])
    assert shown["result"]["status"] == "grounded"
    assert gw("memory", "forget", added["id"]) == (0, {"forgotten": 1})
    assert gw("memory", "search", "how high is the mast")[0] == 3


def test_a_refused_fact_ends_with_one_and_is_in_the_log(gw: Run, source: str) -> None:
    """Its verdict is printed; nothing is stored."""
    code, refused = gw("memory", "add", "The mast is 50 m high.", "--evidence", source)
    if refused["reason"] == "backend_timeout":
        gw("queue", "--run")
    else:
        assert (code, refused["stored"], refused["id"]) == (1, False, None)
        assert refused["result"]["reason"] == "number_mismatch"
    _, log = gw("memory", "rejected")
    assert [one["content"] for one in log["facts"]] == ["The mast is 50 m high."]
    assert gw("memory", "search", "mast")[1]["facts"] == []


def test_a_fact_without_evidence_is_pending(gw: Run) -> None:
    """It could not be determined: 3."""
    code, added = gw("memory", "add", "The mast is 40 m high.")
    assert code == 3
    assert (added["stored"], added["status"], added["reason"]) == (
        True,
        "unverified",
        "no_evidence",
    )
    _, waiting = gw("memory", "pending")
    assert [one["id"] for one in waiting["facts"]] == [added["id"]]
    _, doctor = gw("doctor")
    (gate,) = [one for one in doctor["gates"] if one["gate"] == "memory"]
    assert (gate["on_failure"], gate["runs"], gate["errors"]) == ("queue", 1, 1)
    assert any(one["part"] == "memory" and one["state"] == "ok" for one in doctor["findings"])


def test_an_export_names_a_file(
    gw_here: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """A dash is no name of one, and none is written under it."""
    ran = gw_here("memory", "export", "-")
    assert ran.returncode == 2
    assert "Name a file" in ran.stderr
    assert not (tmp_path / "-").exists()
    assert not Path("-").exists()
