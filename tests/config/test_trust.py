from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from pydantic.fields import FieldInfo

from groundwire.config import (
    Config,
    format_duration,
    is_loopback,
    leaves,
    load_config,
)
from groundwire.config._load import is_address
from groundwire.config._trust import loosening
from groundwire.errors import ConfigError

ELSEWHERE = "llm: {base_url: 'https://models.example/v1'}\n"
HERE = "llm: {base_url: 'http://127.0.0.1:8080/v1'}\n"
KEY = {"OPENAI_API_KEY": "key-of-the-user"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a-strangers-project"
    folder.mkdir()
    return folder


def test_a_project_file_may_not_choose_where_data_is_sent(project: Path) -> None:
    (project / "groundwire.yaml").write_text(ELSEWHERE)
    with pytest.raises(ConfigError) as caught:
        load_config(environ={}, directory=project)
    assert "llm.base_url" in str(caught.value)
    assert f"--config {project / 'groundwire.yaml'}" in str(caught.value)


def test_the_same_holds_for_an_external_judge(project: Path) -> None:
    (project / "groundwire.yaml").write_text("external: {url: 'https://judge.example'}\n")
    with pytest.raises(ConfigError, match=r"external\.url"):
        load_config(environ={}, directory=project)


def test_a_file_the_user_named_may(project: Path) -> None:
    file = project / "groundwire.yaml"
    file.write_text(ELSEWHERE)
    for loaded in (
        load_config(file=file, environ=KEY, directory=project),
        load_config(environ={**KEY, "GROUNDWIRE_CONFIG": str(file)}, directory=project),
    ):
        assert loaded.config.llm.base_url == "https://models.example/v1"
        assert loaded.config.llm.keys.openai is not None


def test_not_even_this_machine_is_a_projects_to_choose(project: Path) -> None:
    """A server here may pass on what it gets."""
    (project / "groundwire.yaml").write_text(HERE)
    with pytest.raises(ConfigError, match=r"llm\.base_url \(only you may set it\)"):
        load_config(environ=KEY, directory=project)


def test_every_line_that_loosens_is_named_at_once(project: Path) -> None:
    """So that a file is mended in one go."""
    (project / "groundwire.yaml").write_text(
        "home: /tmp/x\nllm: {api_key: k, provider: openai}\njudge: {threshold: 0.011, threads: 1}\n"
        "evidence: {abstain_below: 0.1}\nanswer: {drafting: llm}\n"
    )
    with pytest.raises(ConfigError) as caught:
        load_config(environ={}, directory=project)
    refused = str(caught.value)
    for key in ("home", "llm.api_key", "judge.threshold", "evidence.abstain_below"):
        assert f"{key} (" in refused
    assert "a lower value than 0.6 loosens" in refused
    assert "answer.drafting" in refused
    assert "judge.threads" not in refused
    assert "llm.provider" not in refused  # what holds anyway


def test_a_project_may_tighten_what_the_home_file_sets_and_no_more(
    project: Path, tmp_path: Path
) -> None:
    """Its lines are held against what would hold without it, not against the defaults."""
    home = tmp_path / "h"
    home.mkdir()
    (home / "config.yaml").write_text("evidence: {abstain_below: 0.8}\njudge: {threads: 3}\n")
    environ = {"GROUNDWIRE_HOME": str(home)}
    (project / "groundwire.yaml").write_text("evidence: {abstain_below: 0.9}\n")
    config = load_config(environ=environ, directory=project).config
    assert (config.evidence.abstain_below, config.judge.threads) == (0.9, 3)
    (project / "groundwire.yaml").write_text("evidence: {abstain_below: 0.7}\n")
    with pytest.raises(ConfigError, match=r"a lower value than 0\.8"):
        load_config(environ=environ, directory=project)


def changed(key: str, field: FieldInfo, *, looser: bool) -> object:
    """Another value than the default of a setting, that accepts more or that accepts less."""
    value, loosens = field.default, loosening(field)
    if isinstance(loosens, tuple):
        places = loosens[loosens.index(value) + 1 :] if looser else loosens[: loosens.index(value)]
        return next(iter(places), None)
    if loosens in ("off", "on"):
        return (loosens == "on") if looser else (loosens == "off")
    if loosens == "longer":
        return value[:1] if not looser else [*value, "nl"] if "languages" in key else None
    up = (loosens == "higher") == looser
    if isinstance(value, timedelta):
        return format_duration(value * 2 if up else value / 2)
    if value is None:
        return None if looser else 1
    step = 1 if isinstance(value, int) else min(0.05, value / 2) or 0.05
    return value + step if up else value - step


DECLARED = [
    (key, field) for key, field in leaves(Config) if loosening(field) not in (None, "never")
]
SAMPLES: dict[str, object] = {
    "home": "/tmp/elsewhere",  # noqa: S108
    "hallucination.backend.type": "self",
    "hallucination.backend.default": "haiku",
    "hallucination.backend.operations": {"edge": "haiku"},
    "evidence.thresholds.collections": {},
    "llm.provider": "anthropic",
    "llm.prices": {"m": {"input": 0, "output": 0}},
    "evidence.service.model": "other",
    "llm.haiku_model": "other",
    "verification.judge_model": "other",
    "serve.cors_origins": ["https://a.example"],
}
"""Values of settings that are the user's alone, where no number, path or word would do."""


def refusal(project: Path, key: str, value: object) -> str:
    """What is said when a project's file sets this; nothing where it is taken."""
    (project / "groundwire.yaml").write_text(yaml.safe_dump(nested(key, value)))
    try:
        load_config(environ={}, directory=project)
    except ConfigError as refused:
        return str(refused)
    return ""


def test_each_way_of_loosening_is_refused_and_of_tightening_taken(project: Path) -> None:
    """For every key that declares a direction, with the value next to its default."""
    for key, field in DECLARED:
        loose, tight = (changed(key, field, looser=looser) for looser in (True, False))
        if loose is not None and loose != field.default:
            assert f"{key} " in refusal(project, key, loose), (key, loose)
        if tight is not None and field.default is not None:
            assert "may tighten" not in refusal(project, key, tight), (key, tight)


def test_what_declares_nothing_is_the_users_alone(project: Path) -> None:
    """Keys, addresses, paths, models: refused from a project, taken from the environment."""
    file = project / "groundwire.yaml"
    alone = [(key, field) for key, field in leaves(Config) if loosening(field) is None]
    assert {"home", "llm.api_key", "llm.base_url", "llm.model"} <= {key for key, _ in alone}
    for key, field in alone:
        value = SAMPLES.get(key, "http://127.0.0.1:9" if is_address(field) else "0.5")
        file.write_text(yaml.safe_dump(nested(key, value)))
        with pytest.raises(ConfigError) as refused:
            load_config(environ={}, directory=project)
        assert key in str(refused.value)
        load_config(file=file, environ={}, directory=project)
        load_config(environ={}, directory=project, overrides={key: value})


def nested(key: str, value: object) -> dict[str, object]:
    for part in reversed(key.split(".")):
        value = {part: value}
    assert isinstance(value, dict)
    return value


def test_an_address_given_by_the_user_overrides_the_projects_and_gets_the_key(
    project: Path,
) -> None:
    (project / "groundwire.yaml").write_text(ELSEWHERE)
    environ = {**KEY, "GROUNDWIRE_LLM__BASE_URL": "http://127.0.0.1:9/v1"}
    loaded = load_config(environ=environ, directory=project)
    assert loaded.config.llm.keys.openai is not None
    assert loaded.config.llm.base_url == "http://127.0.0.1:9/v1"


def test_the_home_directorys_file_is_the_users_own(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "h"
    home.mkdir()
    (home / "config.yaml").write_text(ELSEWHERE)
    loaded = load_config(environ={**KEY, "GROUNDWIRE_HOME": str(home)}, directory=project)
    assert loaded.config.llm.keys.openai is not None


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost.example/v1", False),
        ("http://127.0.0.1.example/v1", False),
        ("http://127.0.0.1@models.example/v1", False),
        ("https://10.0.0.1/v1", False),
        ("http://0x7f000001/v1", False),
        ("http://[::1", False),
        ("", False),
        (None, False),
    ],
)
def test_only_this_machine_is_this_machine(address: str | None, here: bool) -> None:  # noqa: FBT001
    assert is_loopback(address) is here


@pytest.mark.parametrize("bad", ["models.example/v1", "ftp://models.example", "http://"])
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(ConfigError, match=r"write an address as in"):
        load_config(environ={}, overrides={"llm.base_url": bad})


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(environ={}, overrides={"llm.base_url": "https://me:hunter22@models.example"})
    assert "hunter22" not in str(caught.value)


def test_customary_variables_set_the_keys_and_ours_win() -> None:
    environ = {"GOOGLE_API_KEY": "google", "GROUNDWIRE_LLM__KEYS__OPENAI": "ours", **KEY}
    keys = load_config(environ=environ).config.llm.keys
    assert keys.gemini is not None
    assert keys.gemini.get_secret_value() == "google"
    assert keys.openai is not None
    assert keys.openai.get_secret_value() == "ours"
