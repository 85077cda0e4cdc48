"""The Dockerfile and the compose file, looked at where no engine runs."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from groundwire.config import Config, load_config
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]


@pytest.mark.parametrize(
    "command",
    [
        ["hadolint", "--failure-threshold", "info", "Dockerfile"],
        ["check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"],
    ],
    ids=lambda command: str(command[0]),
)
def test_linters_find_nothing(command: list[str]) -> None:
    """hadolint for the one, the schema of the compose specification for the other."""
    program = shutil.which(command[0], path=Path(sys.executable).parent)
    if program is None:
        pytest.skip(f"{command[0]} is not installed; `make test` installs it")
    found = subprocess.run(
        [program, *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_what_is_copied_and_installed_is_there() -> None:
    """Files and extras by their names; the package needs no file that is not copied."""
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    for name in " ".join(copied).split():
        assert (ROOT / name).exists(), name
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    [extras] = re.findall(r'"\.\[([\w,]+)\]"', DOCKERFILE)
    assert set(extras.split(",")) <= project["project"]["optional-dependencies"].keys()
    wanted = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert set(wanted) <= {*" ".join(copied).split()}


def test_commands_ports_and_settings_are_ours(gw_here: Run) -> None:
    """What the containers run is a command with these options, at the ports that are open."""
    config = Config()
    ports = {"serve": config.serve.port, "proxy": config.proxy.port}
    exposed = re.findall(r"^EXPOSE (.+)$", DOCKERFILE, re.MULTILINE)[0].split()
    assert {int(one) for one in exposed} == set(ports.values())
    assert f"127.0.0.1:{ports['serve']}/healthz" in DOCKERFILE
    for name, service in SERVICES.items():
        command = service["command"]
        assert command[0] == name
        told = gw_here(name, "--help").stdout
        for option in (one for one in command if one.startswith("--")):
            assert option in told or option == "--set", option
        assert service["ports"] == [f"127.0.0.1:{ports[name]}:{ports[name]}"]
        assert {"read_only", "cap_drop", "security_opt"} <= service.keys()
    environ = SERVICES["proxy"]["environment"] | {"GROUNDWIRE_PROXY__ALLOW_OTHERS": "true"}
    upstream = {"GROUNDWIRE_PROXY__UPSTREAM": "https://models.example/v1"}
    loaded = load_config(environ={**environ, **upstream}, directory=ROOT / "tests").config
    assert loaded.proxy.upstream == "https://models.example/v1"


def test_nobody_is_root_and_others_need_a_token() -> None:
    """The last user is none that could do harm, and the address is one that asks for a token."""
    users = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)
    assert users[-1].isdigit()
    assert int(users[-1]) > 0
    assert '"--host", "0.0.0.0"' in DOCKERFILE
