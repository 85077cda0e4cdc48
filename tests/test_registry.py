"""Parts by name: ours, and those of packages outside the tree."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire import _registry
from groundwire._registry import Registry
from groundwire.config import load_config
from groundwire.errors import ConfigError
from groundwire.judge import JUDGES
from groundwire.llm import PROVIDERS

ROOT = Path(__file__).parents[1]
Run = Callable[..., subprocess.CompletedProcess[str]]
AddPackage = Callable[[str, str], None]


@pytest.fixture
def add_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddPackage:
    """A package that is installed as far as Python can tell, with these entry points."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(_registry, "installed", _registry.installed.__wrapped__)

    def add(name: str, entry_points: str) -> None:
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(entry_points)

    return add


def numbers() -> Registry[int]:
    return Registry("test.numbers", "number", {"limit": "sys:maxunicode"}, int)


def test_our_own_parts_come_first_and_added_ones_after(add_package: AddPackage) -> None:
    """A registry knows ours and what other packages bring, by name."""
    add_package("more", "[test.numbers]\nbig = sys:maxsize\n")
    known = numbers()
    assert (known.names(), known.added_names()) == (["limit", "big"], ["big"])
    assert (known.get("limit"), known.get("big")) == (sys.maxunicode, sys.maxsize)
    assert "big" in known
    assert known.problems() == {}


def test_an_unknown_name_is_refused_with_those_that_are_known() -> None:
    """Whoever misspells a name is told which there are."""
    with pytest.raises(ConfigError, match=r"There is no number 'x'\. Known are: limit\."):
        numbers().get("x")


@pytest.mark.parametrize(
    ("entry_points", "problem"),
    [
        ("[test.numbers]\nlimit = sys:maxsize\n", "registered by groundwire and by more"),
        ("[test.numbers]\nbad = no_such_module:x\n", "package more cannot be loaded: ModuleNot"),
        ("[test.numbers]\nbad = sys:nothing\n", "package more cannot be loaded: AttributeError"),
        ("[test.numbers]\nbad = sys:platform\n", "package more is no int"),
    ],
)
def test_a_bad_entry_point_costs_only_its_own_name(
    add_package: AddPackage, entry_points: str, problem: str
) -> None:
    """The package is named, with what to do; other names work as before."""
    add_package("more", "[test.numbers]\nbig = sys:maxsize\n" + entry_points.split("\n", 1)[1])
    known = numbers()
    assert known.get("big") == sys.maxsize
    (name,) = known.problems()
    with pytest.raises(ConfigError, match=problem) as refused:
        known.get(name)
    assert "pip uninstall more" in str(refused.value.hint)


def test_two_packages_cannot_have_one_name(add_package: AddPackage) -> None:
    """Which of them is meant nobody can tell, so that neither is used."""
    for package in ("one", "two"):
        add_package(package, "[test.numbers]\nbig = sys:maxsize\n")
    with pytest.raises(ConfigError, match="registered by one and by two"):
        numbers().get("big")


@pytest.mark.parametrize(
    ("setting", "kind"), [("hallucination.backend.type", "judges"), ("llm.provider", "providers")]
)
def test_a_setting_takes_registered_names_and_no_others(
    add_package: AddPackage, setting: str, kind: str
) -> None:
    """A name is good as soon as a package registers it."""
    with pytest.raises(ConfigError, match=r"is refused: known are .*"):
        load_config(overrides={setting: "acme"})
    add_package("more", f"[groundwire.{kind}]\nacme = sys:maxsize\n")
    assert load_config(overrides={setting: "acme"}).sources[setting] == "command line"


def test_every_built_in_name_that_a_setting_takes_is_registered() -> None:
    """The names in the settings and in the registries are the same."""
    for name in JUDGES.own_names():
        load_config(overrides={"hallucination.backend.type": name})
    for name in PROVIDERS.own_names():
        load_config(overrides={"llm.provider": name})
    with pytest.raises(ConfigError) as refused:
        load_config(overrides={"hallucination.backend.default": "?"})
    assert f"known are {', '.join(JUDGES.own_names())}" in str(refused.value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the examples, built and installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("site")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), "."],
        cwd=ROOT / "examples" / "plugin",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def gw_with_it(site: Path) -> Run:
    """The real command, with that package installed."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "groundwire", *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_judge_from_another_package_checks_by_its_name(gw_with_it: Run, tmp_path: Path) -> None:
    """`gw check --backend NAME` asks the judge that an installed package registered."""
    (tmp_path / "answer.md").write_text("The mast stands in Vik. The mast is painted red.")
    (tmp_path / "facts.md").write_text("The mast stands in Vik. Its paint is red.")
    files = ("answer.md", "--against", "facts.md", "--json")
    done = gw_with_it("check", "--backend", "verbatim", *files)
    claims = json.loads(done.stdout)["claims"]
    assert [claim["status"] for claim in claims] == ["grounded", "unsupported"]
    assert {claim["verifier"]["backend"] for claim in claims} == {"verbatim"}
    assert done.returncode == 1


def test_a_document_format_from_another_package_is_indexed_and_asked(
    gw_with_it: Run, tmp_path: Path
) -> None:
    """Files with its suffix are read, in folders too, and answer questions."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "team.notes").write_text("! Harbour\n* The mast is 40 m high.\n")
    (tmp_path / "docs" / "bad.notes").write_text("no title\n")
    done = gw_with_it("--set", "evidence.embedder=off", "index", "docs")
    assert "1 documents" in done.stdout, done.stderr
    assert "bad.notes does not begin with a title" in done.stderr
    done = gw_with_it("--set", "evidence.embedder=off", "ask", "How high is the mast?", "--json")
    answer = json.loads(done.stdout)
    assert answer["mode"] == "ANSWER", answer
    (source,) = answer["sources"]
    assert (source["title"], source["quote"]) == ("Harbour", "The mast is 40 m high.")


@pytest.mark.parametrize("named", [("--trace-format", "acme"), ()])
def test_a_trace_format_from_another_package_is_read(
    gw_with_it: Run, tmp_path: Path, named: tuple[str, ...]
) -> None:
    """By its name, and by itself where the reader recognises its records."""
    (tmp_path / "run.jsonl").write_text('{"acme_step": 7, "ran": "make all", "code": 0}\n')
    claim = {"type": "command-executed", "command": "make all", "exit_code": 0}
    output = {"summary": "Built.", "trace_ref": "trace:run", "claims": [claim]}
    (tmp_path / "out.json").write_text(json.dumps(output))
    done = gw_with_it("verify-output", "out.json", "--trace", "run.jsonl", *named, "--json")
    assert json.loads(done.stdout)["claims"][0]["status"] == "verified"


def test_a_file_that_is_not_of_the_named_trace_format_is_refused(
    gw_with_it: Run, tmp_path: Path
) -> None:
    """What an added reader stumbles over is bad input, not a traceback."""
    (tmp_path / "run.jsonl").write_text('{"role": "assistant", "content": "Done."}\n')
    (tmp_path / "out.json").write_text(json.dumps({"summary": "x", "trace_ref": "trace:run"}))
    done = gw_with_it("verify-output", "out.json", "--trace", "run.jsonl", "--trace-format", "acme")
    assert done.returncode == 2
    assert "run.jsonl, line 1 cannot be read in this trace format: KeyError" in done.stderr


def test_the_doctor_lists_what_other_packages_added(gw_with_it: Run) -> None:
    """`gw doctor` shows every added part and whether it can be used."""
    findings = json.loads(gw_with_it("doctor", "--json").stdout)["findings"]
    added = {one["part"]: one["state"] for one in findings}
    assert added["judge verbatim"] == "ok"
    assert added["document reader notes"] == "ok"
    assert added["trace format acme"] == "ok"
