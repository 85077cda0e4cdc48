from datetime import timedelta
from pathlib import Path

import pytest

from groundwire.config import Config, leaves, load_config, parse_duration
from groundwire.errors import ConfigError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_the_specification() -> None:
    """[SPEC-08.34, SPEC-08.35] the tree as written, and detection off until asked for."""
    config = load_config(environ={}).config
    assert config.hallucination.enabled is False
    assert config.hallucination.backend.type == "embedded"
    assert config.hallucination.memory_gate.max_budget_gap_bits == 2.0
    assert config.hallucination.output_verification.flag_threshold_bits == 0.0
    assert config.hallucination.trace_auditing.check_post_hoc is True
    assert config.hallucination.target_confidence == 0.75


def test_later_layers_win_and_every_value_knows_its_layer(tmp_path: Path) -> None:
    file = write(
        tmp_path / "settings.yaml",
        "hallucination:\n  batch_size: 4\n  timeout: 2s\njudge:\n  threads: 3\n",
    )
    loaded = load_config(
        file=file,
        environ={"GROUNDWIRE_JUDGE__THREADS": "5", "GROUNDWIRE_HALLUCINATION__BATCH_SIZE": "6"},
        overrides={"judge.threads": "7"},
    )
    assert loaded.config.hallucination.timeout == timedelta(seconds=2)
    assert loaded.config.hallucination.batch_size == 6
    assert loaded.config.judge.threads == 7
    shown = {item.key: item for item in loaded.settings()}
    assert shown["hallucination.timeout"].source == f"file {file}"
    assert shown["hallucination.timeout"].value == "2s"
    assert shown["hallucination.batch_size"].source.startswith("environment")
    assert shown["judge.threads"].source == "command line"
    assert shown["audit.max_rows"].source == "default"


def test_show_lists_every_setting() -> None:
    shown = [item.key for item in load_config(environ={}).settings()]
    assert shown == [key for key, _ in leaves(Config)]


def test_every_setting_is_described() -> None:
    assert [key for key, field in leaves(Config) if not field.description] == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hallucination:\n  bakend:\n    type: self\n", ["'hallucination.bakend'", "backend"]),
        ("halucination: {}\n", ["'halucination'", "'hallucination'"]),
        ("hallucination:\n  backend:\n    type: selfish\n", ["'selfish'", "'self'"]),
        ("hallucination:\n  timeout: 2\n", ["hallucination.timeout", "number with its unit"]),
        ("hallucination:\n  target_confidence: 7\n", ["target_confidence", "less than or equal"]),
        ("hallucination: yes\n", ["hallucination", "section"]),
        ("- a\n- b\n", ["must hold sections"]),
        ("judge: [\n", [":2", "not valid YAML"]),
        ("[" * 20_000, ["not valid YAML"]),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, text: str, parts: list[str]) -> None:
    file = write(tmp_path / "settings.yaml", text)
    with pytest.raises(ConfigError) as caught:
        load_config(file=file, environ={})
    for part in [*parts, "settings.yaml"]:
        assert part in str(caught.value)


@pytest.mark.parametrize("content", [b"\xff\xfej\0u\0", b"\x80", "dir: Größe".encode("latin-1")])
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.yaml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"settings\.yaml is not UTF-8 text\. Save it as UTF-8"):
        load_config(file=tmp_path / "settings.yaml", environ={})


def test_an_unknown_variable_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="Did you mean GROUNDWIRE_JUDGE__THREADS"):
        load_config(environ={"GROUNDWIRE_JUDGE__THREAD": "2"})


def test_an_unknown_override_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"Did you mean 'judge\.threads'"):
        load_config(environ={}, overrides={"judge.thread": 1})


@pytest.mark.parametrize("name", ["nowhere.yaml", "."])
def test_a_missing_file_is_refused(name: str) -> None:
    """And a folder is no file."""
    with pytest.raises(ConfigError, match=f"There is no configuration file {name}"):
        load_config(file=Path(name), environ={})


def test_a_project_file_is_found_before_the_one_in_home(tmp_path: Path) -> None:
    home = tmp_path / "h"
    home.mkdir()
    write(home / "config.yaml", "judge: {threads: 3}\n")
    environ = {"GROUNDWIRE_HOME": str(home)}
    assert load_config(environ=environ, directory=tmp_path).config.judge.threads == 3
    write(tmp_path / "groundwire.yaml", "judge: {threads: 4}\n")
    assert load_config(environ=environ, directory=tmp_path).config.judge.threads == 4


def test_lists_are_written_as_yaml_in_the_environment() -> None:
    loaded = load_config(environ={"GROUNDWIRE_JUDGE__LANGUAGES": "[en, nl]"})
    assert loaded.config.judge.languages == ["en", "nl"]


@pytest.mark.parametrize(
    ("text", "seconds"), [("300ms", 0.3), ("2s", 2), ("10m", 600), ("1.5h", 5400), ("90d", 7776000)]
)
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text).total_seconds() == seconds
