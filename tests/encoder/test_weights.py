import builtins
import json
import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from groundwire.encoder import _weights as weights, card
from groundwire.errors import MissingPackage, StoreCorrupt

MAX_SHIPPED_BYTES = 45_000_000


def test_every_file_is_the_one_its_card_names() -> None:
    for name, digest in card()["files"].items():
        assert sha256((weights.FOLDER / name).read_bytes()).hexdigest() == digest


def test_a_clone_stays_light() -> None:
    assert sum(file.stat().st_size for file in weights.FOLDER.iterdir()) <= MAX_SHIPPED_BYTES


@pytest.mark.parametrize("name", ["judge.onnx", "judge.npz", "vocabulary.txt"])
def test_damaged_weights_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "weights"
    shutil.copytree(weights.FOLDER, folder)
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    monkeypatch.setattr(weights, "FOLDER", folder)
    monkeypatch.setattr(weights, "word_piece", weights.word_piece.__wrapped__)
    monkeypatch.setattr(weights, "tables", weights.tables.__wrapped__)
    with pytest.raises(StoreCorrupt, match=name):
        _open_everything()


def _open_everything() -> None:
    weights.word_piece()
    weights.tables("judge")
    weights.open_session("judge")


def test_without_its_runtime_the_judge_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real_import = builtins.__import__

    def without_runtime(
        name: str,
        globals_: Mapping[str, Any] | None = None,
        locals_: Mapping[str, Any] | None = None,
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> Any:
        if name == "onnxruntime":
            raise ImportError(name)
        return real_import(name, globals_, locals_, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", without_runtime)
    with pytest.raises(MissingPackage, match=r"onnxruntime.*force-reinstall"):
        weights.open_session("judge")


def test_the_card_is_json_that_names_its_version() -> None:
    assert json.loads((weights.FOLDER / "card.json").read_text())["version"]
