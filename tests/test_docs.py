"""The documentation says what the code does."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from groundwire.config import Config

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"])
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


@pytest.mark.parametrize(
    ("page", "maker"),
    [
        ("cli", "command_reference"),
        ("config", "config_reference"),
        ("calibration", "calibration_reference"),
    ],
)
def test_the_reference_is_up_to_date(generator: ModuleType, page: str, maker: str) -> None:
    """Where this fails: python docs/generate.py"""
    written = (ROOT / "docs" / "reference" / f"{page}.md").read_text(encoding="utf-8")
    assert written == getattr(generator, maker)()


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
