"""`gw check`: several answers, what they are given by, and every format of the result."""

import json
import os
import pty
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from groundwire.cli._check_inputs import each_with_its_option
from tests.cli.conftest import Run

TRUE = "The mast is 40 m high."
FALSE = "The mast is 50 m high."


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two answers and two documents."""
    (tmp_path / "true.md").write_text(TRUE)
    (tmp_path / "false.md").write_text(f"---\ntitle: x\n---\nA heading follows.\n\n{FALSE}")
    (tmp_path / "mast.md").write_text("The mast is 40 m high. It stands in Vik.")
    (tmp_path / "vik.md").write_text("# Vik\n\nVik is a village with 300 inhabitants.")
    return tmp_path


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("a --against b c", "a --against b --against c"),
        ("a b --against c", "a b --against c"),
        ("a --against b c --json d", "a --against b --against c --json d"),
        ("a --against=b c --format json", "a --against=b --against c --format json"),
        ("a --against b --against c", "a --against b --against c"),
        ("- --against b -- c", "- --against b -- c"),
        ("--text x --against - b", "--text x --against - --against b"),
    ],
)
def test_what_follows_against_is_evidence_and_nothing_else(given: str, read: str) -> None:
    """Up to the next option; answers stay answers wherever they stand."""
    assert each_with_its_option(given.split(), "--against") == read.split()


def test_several_answers_are_answers_never_evidence(gw_here: Run, files: Path) -> None:
    """Each has its report; there is one score over all, and one exit code."""
    done = gw_here("check", "true.md", "false.md", "--against", "mast.md", "vik.md", "--json")
    document = json.loads(done.stdout)
    assert [one["answer"] for one in document["answers"]] == ["true.md", "false.md"]
    first, second = document["answers"]
    assert (first["summary"]["score"], second["claims"][-1]["status"]) == (1.0, "contradicted")
    assert {quote["doc_id"] for claim in second["claims"] for quote in claim["evidence"]} <= {
        "mast.md",
        "vik.md",
    }
    assert 0 < document["summary"]["score"] < 1
    assert done.returncode == 1


def test_the_score_is_absent_where_nothing_was_checked(gw_here: Run, files: Path) -> None:
    """Never 1.0 for a text that asserts nothing, nor for one that could not be judged."""
    (files / "asks.md").write_text("How high is it?")
    (files / "dutch.md").write_text(
        "De mast is veertig meter hoog en staat in Vik, aan de rand van het dorp."
    )
    for name in ("asks.md", "dutch.md"):
        done = gw_here("check", name, "--against", "mast.md", "--json")
        assert json.loads(done.stdout)["summary"]["score"] is None
        assert done.returncode == 3
        assert "core" not in gw_here("check", name, "--against", "mast.md").stdout


def test_problems_come_first_and_the_score_last(gw_here: Run, files: Path) -> None:
    """What is wrong stands above what holds."""
    done = gw_here("check", "--text", f"{TRUE} {FALSE}", "--against", "mast.md")
    told = done.stdout[done.stdout.index("p0") :]
    assert told.index("✗") < told.index("✓")
    assert told.rstrip().endswith("1 of 2 claims grounded, 1 contradicted. Score 0.50.")


def test_a_text_and_its_question_come_from_the_command_line(gw_here: Run, files: Path) -> None:
    """A terse answer is judged with what it answers."""
    asked = ("--question", "How high is the mast?", "--against", "mast.md", "--json")
    for text, status in (("40 m.", "grounded"), ("50 m.", "contradicted")):
        (claim,) = json.loads(gw_here("check", "--text", text, *asked).stdout)["claims"]
        assert (claim["claim"], claim["status"]) == (f"The mast is {text[:4]} high.", status)


def test_answers_may_be_lines_of_json(gw_here: Run, files: Path) -> None:
    """With ids and questions of their own; a line that holds no answer is named."""
    rows = [{"id": "a", "answer": TRUE}, {"text": "50 m", "question": "How high is the mast?"}]
    lines = "\n".join(json.dumps(row) for row in [*rows, FALSE])
    (files / "answers.jsonl").write_text(lines + "\n")
    done = gw_here("check", "answers.jsonl", "--against", "mast.md", "--json")
    found = [
        (one["answer"], one["claims"][0]["status"]) for one in json.loads(done.stdout)["answers"]
    ]
    assert found == [
        ("answers.jsonl:a", "grounded"),
        ("answers.jsonl:2", "contradicted"),
        ("answers.jsonl:3", "contradicted"),
    ]
    for broken in ("{", "[1]", '{"answer": 3}', '{"response": "x"}', "[" * 100_000):
        (files / "answers.jsonl").write_text(f'{{"answer": "x."}}\n{broken}\n')
        refused = gw_here("check", "answers.jsonl", "--against", "mast.md")
        assert refused.returncode == 2
        assert "answers.jsonl, line 2" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["https://a.example/x", "--against", "mast.md"], "curl -L -o page.html https://a.example"),
        (["true.md", "--against", "HTTP://a.example"], "nothing is fetched"),
        (["--against", "mast.md", "true.md"], "what follows --against is evidence"),
        (["The mast is high.", "--against", "mast.md"], "--text"),
        (["--text", " ", "--against", "mast.md"], "text is empty"),
        ([".", "--against", "mast.md"], "is a folder"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_what_to_do(
    gw_here: Run, files: Path, arguments: list[str], said: str
) -> None:
    """Nothing is fetched, guessed or skipped."""
    done = gw_here("check", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_jsonl_has_a_line_for_each_claim_and_each_answer(gw_here: Run, files: Path) -> None:
    """In the order they were decided."""
    done = gw_here("check", "true.md", "false.md", "--against", "mast.md", "--format", "jsonl")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [(line["type"], line["answer"]) for line in lines]
    assert kinds[:2] == [("claim", "true.md"), ("answer", "true.md")]
    assert kinds[-1] == ("answer", "false.md")
    assert lines[1]["summary"]["score"] == 1.0


def test_junit_fails_what_the_exit_code_fails(gw_here: Run, files: Path) -> None:
    """`--fail-on` decides both."""
    arguments = ("check", "true.md", "false.md", "--against", "mast.md", "--format", "junit")
    failures = [
        suite.get("failures")
        for suite in ET.fromstring(gw_here(*arguments).stdout)  # noqa: S314
    ]
    assert failures[0] == "0"
    assert failures[1] != "0"
    lenient = gw_here(*arguments, "--fail-on", "nothing").stdout
    assert 'failures="1"' not in lenient


def test_sarif_points_into_the_file(gw_here: Run, files: Path) -> None:
    """Front matter counts: the line is the line of the file."""
    done = gw_here("check", "false.md", "--against", "mast.md", "--format", "sarif")
    results = json.loads(done.stdout)["runs"][0]["results"]
    place = results[-1]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], results[-1]["level"]) == ("false.md", "error")
    assert place["region"]["startLine"] == 6
    region = place["region"]
    whole = (files / "false.md").read_text()
    assert whole[region["charOffset"] :][: region["charLength"]] == FALSE


@pytest.mark.parametrize("written", ["html", "svg"])
def test_pages_and_pictures_hold_every_answer(gw_here: Run, files: Path, written: str) -> None:
    """Several answers stand on one page, each link leading to its own claim."""
    done = gw_here("check", "true.md", "false.md", "--against", "mast.md", "--format", written)
    for words in ("40", "50", "true.md", "false.md"):
        assert words in done.stdout
    if written == "svg":
        assert done.stdout.startswith("<svg")
        return
    ids: list[str] = []
    links: list[str] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            ids.extend(value or "" for name, value in attrs if name == "id")
            links.extend((value or "")[1:] for name, value in attrs if name == "href")

    Collector().feed(done.stdout)
    assert len(ids) == len(set(ids))
    assert set(links) <= set(ids)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_sees_verdicts_before_the_end(files: Path) -> None:
    """They are shown while the rest is still judged, and the result stands alone at the end."""
    here, there = pty.openpty()
    command = [sys.executable, "-m", "groundwire", "check", "--text", f"{TRUE} {FALSE}"]
    with subprocess.Popen(
        [*command, "--against", "mast.md"],
        stdout=subprocess.PIPE,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        text=True,
    ) as process:
        os.close(there)
        seen = b""
        try:
            while part := os.read(here, 65536):
                seen += part
        except OSError:  # the other end was closed
            pass
        assert process.stdout is not None
        result = process.stdout.read()
    os.close(here)
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    assert "Reading the evidence" in shown
    assert "✓ The mast is 40 m high." in shown
    assert "claims checked" in shown
    assert "1 of 2 claims grounded" in result
    assert "claims checked" not in result
