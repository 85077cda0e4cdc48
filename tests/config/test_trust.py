from pathlib import Path

import pytest

from groundwire.config import is_loopback, load_config
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


def test_a_server_on_this_machine_is_allowed_but_gets_no_key_of_the_environment(
    project: Path,
) -> None:
    (project / "groundwire.yaml").write_text(HERE)
    loaded = load_config(environ=KEY, directory=project)
    assert loaded.config.llm.keys.openai is None
    shown = {item.key: item for item in loaded.settings()}
    assert shown["llm.keys.openai"].value is None
    assert shown["llm.keys.openai"].source.startswith("withheld")


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
