"""Nothing that a document, a claim or a name holds gives orders to the terminal it is shown on."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.panel import Panel
from rich.text import Text

import groundwire.cli
from groundwire.cli._console import PlainConsole
from groundwire.cli._output import say
from tests.cli.conftest import Run
from tests.vocabularies import HALDEN

HOSTILE = "\x1b]52;c;cHduZWQ=\x1b\\ \x9b31m \u202e\u2066 \x1b[2J"
ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def drawn(*what: object) -> str:
    out = PlainConsole(file=io.StringIO(), width=60, highlight=False)
    out.print(*what)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize(
    "what",
    [HOSTILE, Text(HOSTILE), Panel(Text(HOSTILE), title=HOSTILE), Text.assemble((HOSTILE, "red"))],
)
def test_the_console_shows_orders_and_does_not_give_them(what: object) -> None:
    """In a string, a text, a box and the title of a box."""
    assert not ORDERS.search(drawn(what))


def test_a_box_keeps_its_width() -> None:
    """What is shown in place of an order counts as a character before lines are laid out."""
    lines = drawn(Panel(Text(f"The mast {HOSTILE} is 40 m high. " * 4))).splitlines()
    assert {len(line) for line in lines} == {60}


def test_a_line_for_people_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nothing is laid out."""
    say(f"a {HOSTILE} b")
    assert not ORDERS.search(capsys.readouterr().out)


def test_no_command_prints_past_the_one_place() -> None:
    """`console`, `say`, `warn` and `write_document` are the ways out of a command."""
    folder = Path(groundwire.cli.__file__).parent
    past = re.compile(r"typer\.s?echo\(|(?<!Plain)\bConsole\(|(?<![.\w])print\(|stdout\.write\(")
    found = {
        path.name: match[0]
        for path in folder.glob("*.py")
        if path.name not in ("_output.py", "_console.py")
        and (match := past.search(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_check_and_its_record_show_no_orders(gw_here: Run, tmp_path: Path) -> None:
    """A quote, a claim and a file's name, in the table, in JSON and later in the audit log."""
    evidence = tmp_path / "osc\x1b[31m.md"
    evidence.write_text(f"X {HOSTILE} The mast is 40 m high.\n", encoding="utf-8")
    claim = "The mast\x1b[31m\u202e is 40 m high."
    for more in ((), ("--json",)):
        shown = gw_here("check", "--text", claim, "--against", str(evidence), *more)
        assert not ORDERS.search(shown.stdout + shown.stderr)
        assert "40 m high" in shown.stdout
    assert json.loads(shown.stdout)["claims"]
    assert not ORDERS.search(gw_here("audit-log").stdout)


def test_a_term_that_is_not_known_is_shown_without_orders(gw_here: Run) -> None:
    """The sentence that says so names it."""
    shown = gw_here("term", "x\x1b[31my\u202e", "--vocabulary", str(HALDEN))
    assert "31my" in shown.stdout + shown.stderr
    assert not ORDERS.search(shown.stdout + shown.stderr)


def test_a_diagnosis_shows_no_orders(gw_here: Run, tmp_path: Path) -> None:
    """The names and the quotes of a graph are as foreign as any document."""
    incidents = Path(__file__).parents[2] / "examples" / "incidents"
    graph = tmp_path / "graph.json"
    written = (incidents / "graph.json").read_text(encoding="utf-8")
    graph.write_text(
        written.replace('"CM voting"', '"CM voting\\u001b[31m\\u202e"'), encoding="utf-8"
    )
    report = incidents / "held-out" / "h13-vcore-high-on-node-14.md"
    shown = gw_here("diagnose", str(report), "--graph", str(graph))
    assert "CM voting\ufffd" in shown.stdout
    assert not ORDERS.search(shown.stdout + shown.stderr)
