"""Packing an adapter loses little and keeps what it is made of."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.pack import LORA_SCALE, pack, save

from groundwire.encoder import read_changes

Matrix = np.ndarray[Any, Any]


def adapter(seed: int, rank: int) -> dict[str, Matrix]:
    generator = np.random.default_rng(seed)
    return {
        f"blk.{layer}.attn_q.{side}": generator.normal(size=shape).astype(np.float16)
        for layer in range(2)
        for side, shape in (("down", (rank, 96)), ("up", (64, rank)))
    }


@pytest.mark.parametrize("rank", [1, 4, 8])
def test_a_packed_change_is_the_change_that_was_trained(tmp_path: Path, rank: int) -> None:
    trained = adapter(rank, rank)
    arrays, error = pack(trained, 0.08)
    save(arrays, tmp_path / "adapter.npz")
    changes = read_changes(tmp_path / "adapter.npz")
    assert list(changes) == ["blk.0.attn_q", "blk.1.attn_q"]
    for name, change in changes.items():
        down, up = (trained[f"{name}.{side}"].astype(float) for side in ("down", "up"))
        whole = LORA_SCALE * up @ down
        lost = np.linalg.norm(change.up @ change.down - whole) / np.linalg.norm(whole)
        assert lost < 0.06
        assert lost == pytest.approx(error, rel=0.5)


def test_coarser_steps_make_a_smaller_file_that_loses_more(tmp_path: Path) -> None:
    sizes, errors = [], []
    for step in (0.05, 0.4):
        arrays, error = pack(adapter(0, 6), step)
        save(arrays, tmp_path / "adapter.npz")
        sizes.append((tmp_path / "adapter.npz").stat().st_size)
        errors.append(error)
    assert sizes[0] > sizes[1]
    assert errors[0] < errors[1]
