"""The image and its composition say what the program can do: no engine runs where this does."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

from groundwire.config import load_config

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def instructions(name: str) -> list[str]:
    """The arguments of an instruction, its continued lines joined."""
    joined = DOCKERFILE.replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def test_every_instruction_is_one_of_the_language() -> None:
    """And what it copies is there."""
    joined = [line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if line.strip()]
    known = "FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD".split()
    assert {line.split()[0] for line in joined if not line.startswith("#")} <= set(known)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for copied in instructions("COPY"):
        if not copied.startswith("--from"):
            for source in copied.split()[:-1]:
                assert (ROOT / source).exists()
                assert source not in ignored


def test_it_installs_parts_that_there_are() -> None:
    """Each extra of the image is an extra of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (named,) = re.findall(r'"\.\[(.*?)\]"', DOCKERFILE)
    assert set(named.split(",")) <= set(project["optional-dependencies"])


def test_it_runs_as_nobody_special() -> None:
    """A user without rights, a home in a volume, nothing pinned to latest."""
    assert instructions("USER") == ["10001"]
    assert instructions("VOLUME") == ["/data"]
    assert all(":" in image and "latest" not in image for image in instructions("FROM"))
    for service in COMPOSE["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]


def test_ports_are_the_programs_and_this_machines_alone() -> None:
    """Nothing is published to others by default."""
    config = load_config(environ={}).config
    ports = {"serve": config.serve.port, "proxy": config.proxy.port}
    assert instructions("EXPOSE") == [f"{ports['serve']} {ports['proxy']}"]
    for name, service in COMPOSE["services"].items():
        assert service["ports"] == [f"127.0.0.1:{ports[name]}:{ports[name]}"]


def test_its_commands_and_variables_are_known(tmp_path: Path) -> None:
    """The proxy's variables are settings; both commands go as far as their first refusal."""
    proxy = COMPOSE["services"]["proxy"]
    environ = dict.fromkeys(proxy["environment"], "http://127.0.0.1:9")
    assert load_config(environ=environ).config.proxy.upstream == "http://127.0.0.1:9"
    for command, told in ((COMPOSE["services"]["serve"]["command"], "gw token add"),
                          (proxy["command"], "--upstream")):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "groundwire", *command],
            env={**os.environ, "GROUNDWIRE_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert told in done.stderr
