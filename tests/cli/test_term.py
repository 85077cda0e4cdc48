import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from groundwire.testing import SkosmosStandIn
from tests.cli.conftest import Run
from tests.vocabularies import HALDEN, HALDEN_ID, concept, turtle


@pytest.fixture
def added(gw_here: Run) -> Run:
    assert gw_here("vocabulary", "add", str(HALDEN)).returncode == 0
    return gw_here


def test_the_real_command_answers_in_a_process_of_its_own(gw: Run) -> None:
    done = gw("term", "SAIDI", "--vocabulary", str(HALDEN), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["definition"].startswith("The minutes without power in a year")
    assert gw("term", "SAIDI").returncode == 2


def test_a_term_is_shown_with_its_source_and_neighbours(added: Run) -> None:
    done = added("term", "CIMXML")
    assert done.returncode == 0
    assert "The file format that writes a grid model" in done.stdout
    assert "CIMXML (Halden Grid vocabulary), local vocabulary" in done.stdout
    assert HALDEN_ID + "cimxml" in done.stdout
    assert "broader   Common Information Model" in done.stdout


def test_words_need_no_quotes_and_json_is_one_document(added: Run) -> None:
    done = added("term", "voltage", "regulation", "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["mode"], shown["outcome"]) == (0, "ANSWER", "found")
    assert shown["sources"][0]["doc_type"] == "vocabulary"
    assert shown["request_id"].startswith("req-")


def test_a_miss_is_exit_3_with_numbered_choices(added: Run) -> None:
    done = added("term", "cimxlm")
    assert done.returncode == 3
    assert "no definition to give" in done.stdout
    assert "  1. CIMXML: The file format" in done.stdout
    picked = added("term", "cimxlm", "--pick", "1", "--json")
    assert json.loads(picked.stdout)["mode"] == "ANSWER"
    assert picked.returncode == 0


def test_an_unknown_term_has_the_shape_of_every_abstention(added: Run) -> None:
    done = added("term", "FooBarBaz", "--json")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["mode"]) == (3, "ABSTAIN")
    assert shown["reason"] == "terminology_not_found"
    assert shown["definition"] is None
    assert {"message", "observations", "missing_knowledge", "suggestions", "action"} <= shown.keys()


def test_several_meanings_are_exit_3_and_can_be_picked(added: Run) -> None:
    done = added("term", "CIM")
    assert done.returncode == 3
    assert "2. customer interruption minutes" in done.stdout
    assert "minutes without power" in added("term", "CIM", "--pick", "2").stdout
    wrong = added("term", "CIM", "--pick", "3")
    assert (wrong.returncode, wrong.stderr) == (
        2,
        "groundwire: There is no choice 3: 2 are offered.\n",
    )


def test_a_vocabulary_that_is_named_is_the_only_one(added: Run, tmp_path: Path) -> None:
    """What was added before does not answer for the file that is to be looked in."""
    own = turtle(tmp_path / "w.ttl", concept("berth", "berth", "A place for one ship."))
    found = added("term", "berth", "--vocabulary", str(own))
    assert (found.returncode, "A place for one ship." in found.stdout) == (0, True)
    assert added("term", "CIMXML", "--vocabulary", str(own)).returncode == 3
    assert added("term", "CIMXML").returncode == 0


@pytest.mark.parametrize("command", [("term", "CIMXML"), ("ask", "What is CIMXML?")])
def test_a_vocabulary_that_is_not_there_is_bad_input(
    added: Run, tmp_path: Path, command: tuple[str, str]
) -> None:
    """A mistyped name is said to be one, and nothing else answers in its place."""
    done = added(*command, "--vocabulary", str(tmp_path / "nope.ttl"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"groundwire: There is no vocabulary {tmp_path / 'nope.ttl'}.")


def test_an_address_is_a_term_too(added: Run) -> None:
    assert added("term", HALDEN_ID + "saidi").returncode == 0
    assert added("term", HALDEN_ID + "nothing").returncode == 3


def test_a_file_can_be_named_on_the_command_line(gw_here: Run) -> None:
    assert gw_here("term", "SAIDI", "--vocabulary", str(HALDEN)).returncode == 0
    assert gw_here("--set", f"terms.vocabulary={HALDEN}", "term", "SAIDI").returncode == 0


@pytest.mark.parametrize("arguments", [("CIMXML",), ("CIMXML", "--json"), ("  ",), ("x" * 400,)])
def test_bad_input_is_exit_2_and_one_sentence(gw_here: Run, arguments: tuple[str, ...]) -> None:
    done = gw_here("term", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("groundwire: ")
    assert "Traceback" not in done.stderr


def test_a_server_may_be_asked(gw_here: Run) -> None:
    with SkosmosStandIn([HALDEN], vocabulary="halden") as server:
        asked = (
            *("--set", f"terms.skosmos.base_url={server.url}"),
            *("--set", "terms.skosmos.vocabulary=halden"),
        )
        patient = ("--set", "terms.skosmos.timeout=10s")
        shown = json.loads(gw_here(*asked, *patient, "term", "CIMXML", "--json").stdout)
        assert shown["sources"][0]["name"] == "SKOSMOS"
        server.misbehave = "drip"
        slow = gw_here(*asked, "term", "CIMXML", "--json")
        assert slow.returncode == 3
        assert json.loads(slow.stdout)["reason"] == "terminology_timeout"
        assert json.loads(slow.stdout)["fallback_flags"] == ["skosmos_timeout"]
    counted = {row["name"]: row["value"] for row in json.loads(gw_here("metrics", "--json").stdout)}
    assert counted["skosmos_lookup_total"] == 2
    assert counted["rag_abstention_total"] == 1


def test_a_broken_vocabulary_is_refused_and_nothing_is_lost(added: Run, tmp_path: Path) -> None:
    broken = turtle(tmp_path / "broken.ttl", ":a a <<b> .")
    done = added("vocabulary", "add", str(HALDEN), str(broken), "--json")
    assert done.returncode == 2
    assert f"{broken}:" in json.loads(done.stdout)["error"]["message"]
    assert len(json.loads(added("vocabulary", "list", "--json").stdout)["files"]) == 1
    assert added("term", "SAIDI").returncode == 0


def test_a_vocabulary_is_not_added_where_no_folder_can_be_made(
    gw_here: Run, tmp_path: Path
) -> None:
    """Of a home that is a file, or that lies below one, or in which a file is in the way."""
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "vocabulary").write_text("in the way")
    for home in ("file", "file/below", "home"):
        told = gw_here("--set", f"home={tmp_path / home}", "vocabulary", "add", str(HALDEN))
        assert told.returncode == 3
        assert "vocabulary cannot be created" in told.stderr


def test_a_vocabulary_can_be_removed(added: Run) -> None:
    assert added("vocabulary", "remove", "unknown.ttl").returncode == 2
    assert added("vocabulary", "remove", "halden-grid.ttl").returncode == 0
    assert json.loads(added("vocabulary", "list", "--json").stdout) == {"files": [], "problems": []}
    assert added("term", "SAIDI").returncode == 2


def test_the_list_names_what_cannot_be_read(added: Run, tmp_path: Path) -> None:
    (tmp_path / "groundwire.yaml").write_text("terms: {vocabulary: [nowhere.ttl]}\n")
    done = added("vocabulary", "list")
    assert "80        79" in done.stdout
    assert "nowhere.ttl cannot be read: No such file or directory." in done.stderr


def test_in_a_terminal_the_choice_is_asked_for(added: Run) -> None:
    """A real pseudo-terminal: the number is typed, nothing is retyped."""
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "groundwire", "term", "CIM"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(mine, b"2\n")
    printed = b""
    with suppress(OSError):  # the end of a terminal is an error on Linux
        while chunk := os.read(mine, 4096):
            printed += chunk
    os.close(mine)
    assert process.wait() == 0
    assert b"Which one?" in printed
    assert b"source    customer interruption minutes" in printed
