"""The documentation says what the code does."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from groundwire.config import Config

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")])
# as at the top of 0032: **Superseded in part by the rulings' second edition: …
_SUPERSEDED = re.compile(r"^> \*\*Superseded( in part)? by ", re.MULTILINE)
# `judge/_bits.py`, `tests/contract/test_ids.py`
_FILE = re.compile(r"`([\w./-]+/[\w-]+\.py)`")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["cli", "config", "calibration", "api"])
def test_the_reference_is_up_to_date(generator: ModuleType, page: str) -> None:
    """Where this fails: python docs/generate.py"""
    written = (ROOT / "docs" / "reference" / f"{page}.md").read_text(encoding="utf-8")
    assert written == generator.PAGES[page]()


def test_every_setting_and_every_option_is_described(generator: ModuleType) -> None:
    undescribed = [key for key, _, text in generator.settings(Config, "") if not text]
    assert undescribed == []
    blank = re.findall(r"^\| `([^`]+)` \|  \|$", generator.command_reference(), re.MULTILINE)
    assert blank == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    broken = [
        target
        for target in _LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_the_index_of_decisions_has_every_page_under_its_title() -> None:
    """A page's title is its first line; one that no longer holds is marked."""
    decisions = ROOT / "docs" / "decisions"
    lines = (decisions / "README.md").read_text(encoding="utf-8").splitlines()
    expected = []
    for page in sorted(decisions.glob("[0-9]*.md")):
        text = page.read_text(encoding="utf-8")
        title = text.partition("\n")[0].removeprefix("# ")
        assert title.startswith(f"{page.name[:4]}. ")
        mark = _SUPERSEDED.search(text)
        part = " in part" if mark and mark[1] else ""
        expected.append(f"- [{title}]({page.name})" + (f" *(superseded{part})*" if mark else ""))
    assert [line for line in lines if line.startswith("- ")] == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_are_there(page: Path) -> None:
    """After a move, a page that still names the old place sends its reader nowhere."""
    places = (ROOT, ROOT / "src" / "groundwire", page.parent)
    named = _FILE.findall(page.read_text(encoding="utf-8"))
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
