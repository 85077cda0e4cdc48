"""The guides that show how to add a part work as written: their files and commands are run."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

GUIDES = Path(__file__).parents[1] / "docs" / "guides"
PAGES = sorted(GUIDES.glob("add-a-*.md"))
# a block that is a file: ```python title=step_log.py
_FILE = re.compile(r"^```\w+ title=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# a block of commands, each after "$ ", with what it prints under it
_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def install(folder: Path) -> None:
    """Register the package of a page as pip would: by the metadata of an installed distribution."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = []
    for group, names in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in names.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_that_adds_a_part_can_be_followed(page: Path, tmp_path: Path) -> None:
    """Its files are written, its package is registered, its commands print what it says."""
    text = page.read_text(encoding="utf-8")
    for name, content in _FILE.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    install(tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, arguments in {"gw": "-m groundwire", "python": ""}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    environ = os.environ | {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    }
    commands = 0
    for block in _CONSOLE.findall(text):
        for part in filter(None, block.split("$ ")):
            command, _, printed = part.partition("\n")
            done = subprocess.run(  # noqa: S602 - the commands are the pages
                command, shell=True, cwd=tmp_path, env=environ, capture_output=True, text=True,
                check=False,
            )  # fmt: skip
            assert done.stdout == printed, done.stderr
            commands += 1
    assert commands > 0
