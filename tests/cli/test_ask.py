import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from groundwire.evidence import Index
from tests.cli.conftest import Run
from tests.vocabularies import HALDEN

DESIGN_KEYS = {
    "mode",
    "answer",
    "sources",
    "retrieval_quality",
    "transparency",
    "reason",
    "suggestions",
    "request_id",
}
SOURCE_KEYS = {"doc_type", "doc_id", "title", "quote", "start", "end"}
ABSTENTION_KEYS = {
    "mode",
    "reason",
    "message",
    "observations",
    "missing_knowledge",
    "coverage",
    "suggestions",
    "action",
}


@pytest.fixture
def ask(gw_here: Run, halden_index: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return gw_here("ask", "--index", str(halden_index), "--vocabulary", str(HALDEN), *arguments)

    return run


def test_the_json_has_the_keys_of_the_design(ask: Run) -> None:
    done = ask("Which TLS version is allowed?", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found.keys() >= DESIGN_KEYS | ABSTENTION_KEYS
    assert found["mode"] == "ANSWER"
    assert found["reason"] is None
    assert all(source.keys() >= SOURCE_KEYS for source in found["sources"])
    assert found["retrieval_quality"]["fallback_mode"] is False


def test_an_abstention_is_exit_code_3_and_the_one_type(ask: Run) -> None:
    done = ask("What is our policy on pets in the office?", "--json")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert found["mode"] == "ABSTAIN"
    assert found["answer"] is None
    assert found.keys() >= ABSTENTION_KEYS
    assert found["action"]["next_step"] == "PICK_A_SUGGESTION_OR_REPHRASE"


def test_an_answer_is_shown_with_its_sources_and_notes(ask: Run) -> None:
    done = ask("What", "does", "ADR.4", "decide?")
    assert done.returncode == 0
    shown = " ".join(done.stdout.split())
    assert "IEC 60870-5-104" in shown
    assert "Note: ADR 4 is superseded by ADR 24" in shown
    assert "[1] 4. Connect substations with IEC 104 (documents/adr/0004" in shown
    assert "confidence 1.00 (high)" in done.stdout


def test_a_choice_is_taken_by_its_number(ask: Run) -> None:
    asked = ask("What is CIM?")
    assert asked.returncode == 3
    assert "  2. customer interruption minutes" in asked.stdout
    picked = ask("What is CIM?", "--choose", "2", "--json")
    assert picked.returncode == 0
    assert json.loads(picked.stdout)["answer"].startswith("The minutes without power")


def test_a_piped_session_fails_where_nothing_was_answered(gw: Run, halden_index: Path) -> None:
    """A script sees by the exit code whether any of its questions had an answer."""
    ask = ("ask", "--index", str(halden_index))
    silent = "What does ADR 9998 decide?\nWhat does ADR 9999 decide?\n"
    assert gw(*ask, stdin=silent).returncode == 3
    assert gw(*ask, stdin=f"{silent}What is the status of ADR 4?\n").returncode == 0


def test_a_suggested_document_is_taken_by_its_number(ask: Run) -> None:
    picked = ask("What does ADR-9999 decide?", "--choose", "1", "--json")
    assert picked.returncode == 0
    assert json.loads(picked.stdout)["sources"][0]["number"] == 31


def test_a_choice_that_is_not_offered_is_bad_input(ask: Run) -> None:
    done = ask("What is CIM?", "--choose", "9")
    assert done.returncode == 2
    assert "There is no choice 9: 2 are offered." in done.stderr


def test_on_a_terminal_the_choice_is_asked_for(halden_index: Path) -> None:
    ours, theirs = pty.openpty()
    arguments = ["ask", "--index", str(halden_index), "--vocabulary", str(HALDEN), "What is CIM?"]
    process = subprocess.Popen(
        [sys.executable, "-m", "groundwire", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, b"1\n")
    shown = b""
    with suppress(OSError):
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert process.wait() == 0
    assert b"Which one?" in shown
    assert b"The shared way in which power companies" in shown


def test_a_missing_index_is_bad_input_and_makes_no_file(gw_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "nowhere.sqlite"
    done = gw_here("ask", "Which TLS version is allowed?", "--index", str(path))
    assert done.returncode == 2
    assert f"There is no index at {path}." in done.stderr
    assert "gw index PATH" in done.stderr
    assert not path.exists()


def test_a_damaged_index_is_named_and_left_as_it_is(gw_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    Index(path).close()
    damaged = bytearray(path.read_bytes())
    damaged[100:4000] = b"\xff" * 3900
    path.write_bytes(damaged)
    done = gw_here("ask", "Which TLS version is allowed?", "--index", str(path), "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == "store_corrupt"
    assert "gw index --rebuild" in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == bytes(damaged)


def test_an_empty_corpus_is_said_to_be_empty(gw_here: Run, tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    Index(path).close()
    done = gw_here("ask", "Which TLS version is allowed?", "--index", str(path))
    assert done.returncode == 3
    assert "holds no documents" in " ".join(done.stdout.split())


def test_no_question_is_bad_input(ask: Run) -> None:
    assert ask(" ").returncode == 2
    assert "There is no question." in ask(" ").stderr


def test_what_was_asked_is_counted_for_later(ask: Run, gw_here: Run) -> None:
    ask("What does ADR-9999 decide?")
    counted = gw_here("metrics", "--dump").stdout
    assert 'rag_abstention_total{reason="entity_not_found"} 1.0' in counted


def test_a_broken_vocabulary_is_named_and_defines_nothing(
    gw_here: Run, halden_index: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.ttl"
    broken.write_text("<a> <b> <<‹ .")
    given = ["--index", str(halden_index), "--vocabulary", str(broken), "--json"]
    done = gw_here("ask", "What is CIMXML?", *given)
    assert done.returncode == 2
    assert "broken.ttl:1 cannot be read as SKOS" in json.loads(done.stdout)["error"]["message"]
    assert gw_here("ask", "Which TLS version is allowed?", *given).returncode == 0


def test_what_a_document_says_cannot_steer_the_terminal(gw_here: Run, tmp_path: Path) -> None:
    document = tmp_path / "docs" / "adr" / "0001-colours.md"
    document.parent.mkdir(parents=True)
    document.write_text(
        "# Colours\n\n## Decision\n\nThe lamp is \x1b[31mred\x1b[0m and \x07 loud.\n"
    )
    index = str(tmp_path / "index.sqlite")
    indexed = gw_here("index", str(tmp_path / "docs"), "--index", index, "--no-embed")
    assert indexed.returncode == 0
    shown = gw_here("ask", "ADR 1", "--index", index).stdout
    assert "red" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown
