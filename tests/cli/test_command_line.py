"""What holds for every command: settings anywhere, completion, logs beside the output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.cli._main import _settings_first
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["check", "a", "--set", "x.y=1"], ["--set", "x.y=1", "check", "a"]),
        (["check", "--set=x.y=1", "a"], ["--set=x.y=1", "check", "a"]),
        (["--set", "a.b=1", "ask", "q", "--config", "f"], "--set a.b=1 --config f ask q".split()),
        (["check", "--", "--set", "x=1"], ["check", "--", "--set", "x=1"]),
        (["check", "--set"], ["--set", "check"]),
    ],
)
def test_settings_are_found_wherever_they_stand(given: list[str], read: list[str]) -> None:
    """Before the command, after it, at the end; what follows `--` is never an option."""
    assert _settings_first(given) == read


def test_a_setting_after_a_subcommand_is_in_effect(gw_here: Run) -> None:
    """Also behind the second word of a command."""
    shown = gw_here("config", "show", "--json", "--set", "judge.threads=7")
    assert json.loads(shown.stdout)["judge.threads"] == {"value": 7, "source": "command line"}


def test_config_show_is_lines_in_a_pipe(gw_here: Run) -> None:
    """One setting a line, its value in full, so that grep and cut can read it."""
    lines = gw_here("config", "show", "--set", "judge.threads=7").stdout.splitlines()
    assert "judge.threads = 7  # command line" in lines
    assert "llm.model = null  # default" in lines
    assert all(" = " in line and "  # " in line for line in lines)


def test_a_shell_completes_commands_and_options() -> None:
    """Through the script that --show-completion prints."""
    for words, expected in (("gw chec", "check"), ("gw check --forma", "--format")):
        done = subprocess.run(
            [sys.executable, "-m", "groundwire"],
            env={
                **os.environ,
                "_GW_COMPLETE": "complete_bash",
                "COMP_WORDS": words,
                "COMP_CWORD": str(len(words.split()) - 1),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.split() == [expected]


@pytest.mark.parametrize(("flags", "is_json"), [([], False), (["--json"], True)])
def test_logs_are_json_only_beside_json(
    gw: Run, tmp_path: Path, flags: list[str], *, is_json: bool
) -> None:
    """A person who reads a table reads no JSON in between."""
    evidence = tmp_path / "evidence.md"
    evidence.write_text("The mast is 40 m high.")
    unwritable = tmp_path / "file"
    unwritable.write_text("no folder")
    done = gw(
        *("check", "-", "--against", str(evidence), "--set", f"home={unwritable}", *flags),
        stdin="The mast is 40 m high.",
    )
    logged = [line for line in done.stderr.splitlines() if "audit_not_written" in line]
    assert logged
    assert all(line.startswith("{") == is_json for line in logged)


@pytest.mark.parametrize(
    "given",
    [
        ("check", "--nope", "--json"),
        ("nope", "--json"),
        ("check", "--format", "nope", "--json"),
        ("check", "--format", "json", "--against"),
        ("bench", "claims", "nope.jsonl", "--json"),
    ],
)
def test_a_wrong_command_line_is_one_document_too(gw_here: Run, given: tuple[str, ...]) -> None:
    """A program that asked for JSON reads what was wrong, and people read it beside."""
    done = gw_here(*given)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["message"].rstrip(".") in done.stderr


def test_a_wrong_command_line_without_json_prints_nothing_to_read(gw_here: Run) -> None:
    """As before: what was wrong, and where help is; nothing of it gives the terminal orders."""
    done = gw_here("check", "--no\x1b[31mpe")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No such option" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_value_that_is_none_of_the_choices_is_answered_with_the_choices(gw_here: Run) -> None:
    """In our own words: how the program reads its values is nobody's concern."""
    for given in (
        ("check", "--format", "nope"),
        ("check", "--rewrite", "nope"),
        ("check", "--fail-on", "nope"),
        ("graph", "show", "graph.json", "--status", "nope"),
        ("graph", "export", "graph.json", "--format", "nope"),
        ("memory", "search", "pump", "--status", "nope"),
        ("memory", "add", "It is so.", "--kind", "nope"),
    ):
        told = gw_here(*given)
        assert told.returncode == 2
        assert f"Error: Invalid value for '{given[-2]}': 'nope' is not one of '" in told.stderr


def test_a_missing_file_is_said_to_be_missing(gw_here: Run, tmp_path: Path) -> None:
    """Not to be without rows; and what cannot be read is told all that can."""
    assert "does not exist" in gw_here("bench", "claims", str(tmp_path / "no.jsonl")).stderr
    (tmp_path / "a.md").write_bytes(b"a\0b")
    told = gw_here("check", "--text", "It is so.", "--against", str(tmp_path / "a.md")).stderr
    assert "is binary" in told
    assert "XLSX" in told


def test_it_is_said_which_of_both_is_in_another_language(gw_here: Run, tmp_path: Path) -> None:
    """The text or its evidence."""
    french, english = tmp_path / "fr.md", tmp_path / "en.md"
    french.write_text(
        "Le pont a été construit en 1932 par la ville. Il mesure 503 mètres de long et il est "
        "ouvert à la circulation tous les jours de la semaine.\n",
        encoding="utf-8",
    )
    english.write_text(
        "The bridge was built in 1932 by the city. It is 503 m long and it is open to traffic "
        "every day of the week.\n",
        encoding="utf-8",
    )
    for text, against, part in ((english, french, "evidence"), (french, english, "text")):
        told = gw_here("check", str(text), "--against", str(against), "--json").stdout
        message = json.loads(told)["claims"][0]["message"]
        assert message.startswith(f"The {part} is in French")
