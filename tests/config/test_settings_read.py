"""Every setting does something, or says that it does not yet."""

from pathlib import Path

import pytest
from pydantic import Field

import groundwire
from groundwire.config import Config, load_config
from groundwire.config._section import Section
from groundwire.errors import ConfigError
from tests.config.settings_read import unread_keys

PACKAGE = Path(groundwire.__file__).parent
CODE = [path for path in sorted(PACKAGE.rglob("*.py")) if PACKAGE / "config" not in path.parents]
THROUGH = {
    "evidence.thresholds.collections": ("ThresholdsSection", "of"),
    "evidence.thresholds_file": ("", "thresholds_of"),
    "evidence.thresholds.abstain_below": ("", "abstain_below_of"),
    "evidence.abstain_below": ("", "abstain_below_of"),
}


def test_every_setting_is_read() -> None:
    """[SPEC-08.34] One that nothing reads would promise what nobody keeps."""
    assert unread_keys(Config, CODE, THROUGH) == []


class PlantedSection(Section):
    enabled: bool = Field(default=False, description="As other sections have it too.")
    nobody_reads_this: int = 1
    read_here: int = 1
    read_by_a_copy: int = 1
    read_on_self: int = 1
    read_when_returned: int = 1


class PlantedInner(Section):
    chosen_by_name: int = 1


class PlantedConfig(Config):
    planted: PlantedSection = PlantedSection()
    inner: PlantedInner = PlantedInner()


PLANTED_CODE = """
def section() -> PlantedSection: ...

class Part:
    def __init__(self, settings: PlantedSection | None, audit):
        self._settings = settings or PlantedSection()
        print(audit.enabled, other.nobody_reads_this)

    def run(self):
        copy = self._settings.model_copy(update={"enabled": True})
        return self._settings.read_on_self, copy.read_by_a_copy

def use(config: "PlantedConfig", name: str):
    planted = config.planted
    config.planted.nobody_reads_this = 2
    return planted.read_here, section().read_when_returned, getattr(config.inner, name)
"""


def test_a_planted_setting_that_nothing_reads_is_found(tmp_path: Path) -> None:
    """A field of the same name on something else, or one that is only set, is no reading."""
    code = tmp_path / "code.py"
    code.write_text(PLANTED_CODE)
    unread = unread_keys(PlantedConfig, [code], {})
    planted = [key for key in unread if key.startswith(("planted.", "inner."))]
    assert planted == ["planted.enabled", "planted.nobody_reads_this"]
    assert {"planted.read_here", "inner.chosen_by_name"} <= set(unread_keys(PlantedConfig, [], {}))


@pytest.mark.parametrize(("gate", "posture"), [("output_verification", "pass")])
def test_a_setting_that_never_did_anything_is_refused_by_name(
    tmp_path: Path, gate: str, posture: str
) -> None:
    """A file, a variable and the command line are told what to do about it."""
    key = f"hallucination.{gate}.on_failure"
    file = tmp_path / "settings.yaml"
    file.write_text(f"hallucination: {{{gate}: {{on_failure: {posture}}}}}\n")
    told = rf"'{key}' \(.*\) is read by nothing.*Take it out"
    with pytest.raises(ConfigError, match=told):
        load_config(file=file, environ={})
    with pytest.raises(ConfigError, match=told):
        load_config(environ={}, overrides={key: posture})
    variable = f"GROUNDWIRE_{key.upper().replace('.', '__')}"
    with pytest.raises(ConfigError, match=told):
        load_config(environ={variable: posture})
