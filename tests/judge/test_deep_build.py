"""From the settings to a deep judge, and what is said where something is missing."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from groundwire.config import Config, load_config
from groundwire.errors import ConfigError, MissingExtra
from groundwire.judge import CascadeBackend, EmbeddedBackend, build_backend


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
    assert (backend.name, backend.threshold, backend.context_words) == (depth, 0.6, 400)
    assert backend.languages == frozenset({"en"})


@pytest.mark.usefixtures("has_llama_cpp")
def test_a_model_in_the_home_directory_is_found(own_home: Path) -> None:
    (own_home / "models").mkdir(parents=True)
    (own_home / "models" / "deep.gguf").write_bytes(b"GGUF")
    assert build_backend(settings(depth="cascade")).name == "cascade"


def test_without_llama_cpp_the_extra_is_named(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra, match="gguf"):
        build_backend(settings(depth="cascade", deep_model=model))


@pytest.mark.usefixtures("has_llama_cpp")
def test_without_a_model_it_is_said_how_to_get_one() -> None:
    with pytest.raises(ConfigError, match="not there") as caught:
        build_backend(settings(depth="deep"))
    assert "gw deep-model install" in (caught.value.hint or "")


@pytest.mark.usefixtures("has_llama_cpp")
def test_another_file_is_not_a_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a model")
    with pytest.raises(ConfigError, match="not a GGUF file"):
        build_backend(settings(depth="deep", deep_model=tmp_path / "notes.txt"))


@pytest.mark.usefixtures("has_llama_cpp")
def test_a_band_upside_down_is_refused(model: Path) -> None:
    with pytest.raises(ConfigError, match=r"band_low is above"):
        build_backend(settings(depth="cascade", deep_model=model, band_low=0.9, band_high=0.1))
