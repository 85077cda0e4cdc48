"""The shipped adapter, and the GGUF file that is made of it."""

import struct
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.encoder import Change, _adapter, adapter_file, adapter_gguf, card, read_changes
from groundwire.errors import StoreCorrupt, UnreadableSource

Tensor = np.ndarray[Any, Any]
_FORMATS = {6: "<f", 4: "<I"}


class Parsed:
    """A GGUF file read by the book, with nothing of ours."""

    def __init__(self, content: bytes) -> None:
        self._file = BytesIO(content)
        assert self._file.read(4) == b"GGUF"
        version, tensors, values = self._number("<IQQ")
        assert version == 3
        self.values = {self._string(): self._value() for _ in range(values)}
        described = [self._description() for _ in range(tensors)]
        start = -(-self._file.tell() // 32) * 32
        self.tensors: dict[str, Tensor] = {}
        for name, shape, offset in described:
            assert offset % 32 == 0
            size = int(np.prod(shape))
            flat = np.frombuffer(content, "<f2", size, start + offset)
            self.tensors[name] = flat.reshape(shape)

    def _number(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(form, self._file.read(struct.calcsize(form)))

    def _string(self) -> str:
        (length,) = self._number("<Q")
        return self._file.read(length).decode()

    def _value(self) -> Any:
        (kind,) = self._number("<I")
        return self._string() if kind == 8 else self._number(_FORMATS[kind])[0]

    def _description(self) -> tuple[str, tuple[int, ...], int]:
        name = self._string()
        (dimensions,) = self._number("<I")
        shape = self._number(f"<{dimensions}Q")
        kind, offset = self._number("<IQ")
        assert kind == 1
        return name, tuple(reversed(shape)), offset


def test_the_shipped_adapter_changes_every_matrix_of_every_layer() -> None:
    changes = read_changes(_adapter.ADAPTER)
    assert len(changes) == 28 * 7
    shapes = {name: (change.up.shape[0], change.down.shape[1]) for name, change in changes.items()}
    assert shapes["blk.27.ffn_down"] == (1536, 8960)
    assert shapes["blk.0.attn_k"] == (256, 1536)
    assert all(np.isfinite(change.up).all() for change in changes.values())


def test_all_weights_together_stay_within_what_a_clone_should_carry() -> None:
    assert sum(file.stat().st_size for file in _adapter.ADAPTER.parent.iterdir()) <= 45_000_000


def test_the_file_for_llama_cpp_holds_the_changes() -> None:
    generator = np.random.default_rng(1)
    down, up = generator.normal(size=(3, 40)), generator.normal(size=(17, 3))
    parsed = Parsed(adapter_gguf({"blk.0.attn_q": Change(down, up)}, architecture="qwen2"))
    assert parsed.values == {
        "general.type": "adapter",
        "general.architecture": "qwen2",
        "adapter.type": "lora",
        "adapter.lora.alpha": 0.0,
    }
    assert np.allclose(parsed.tensors["blk.0.attn_q.weight.lora_a"], down, atol=2e-3)
    assert np.allclose(parsed.tensors["blk.0.attn_q.weight.lora_b"], up, atol=2e-3)


def test_it_is_written_once_under_the_name_of_its_content(tmp_path: Path) -> None:
    path = adapter_file(tmp_path / "models")
    written = path.stat().st_mtime_ns
    assert path.stem == card()["files"]["adapter.npz"][:32]
    assert adapter_file(tmp_path / "models") == path
    assert path.stat().st_mtime_ns == written
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_home_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where a folder should be")
    with pytest.raises(UnreadableSource, match="cannot be written"):
        adapter_file(tmp_path / "models")


def test_a_damaged_adapter_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "adapter.npz"
    damaged.write_bytes(_adapter.ADAPTER.read_bytes()[:-100] + bytes(100))
    monkeypatch.setattr(_adapter, "ADAPTER", damaged)
    with pytest.raises(StoreCorrupt, match="not the file that was shipped"):
        adapter_file(tmp_path / "models")
