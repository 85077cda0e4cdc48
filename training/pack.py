"""Packs a trained adapter into the file the package ships, and says what that costs.

    python -m training.pack --adapter FILE.npz --weights DIR [--step 0.08]

A change `scale * up @ down` is turned into its singular directions. Each is rounded to whole
steps, finer where its singular value is larger, so that every direction adds about the same error;
the bytes are then deflated. `step` is the size of a step in standard deviations for a direction
of middling weight.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LARGEST = 127
FINEST_STEP = 0.034
"""With finer steps the tails of a normal distribution would not fit into a byte."""
LORA_SCALE = 2.0
PACKED_STEP = 0.1


class Packed(NamedTuple):
    numbers: np.ndarray
    scales: np.ndarray
    error: float
    """Size of the error relative to the size of the change."""


def pack_matrix(down: np.ndarray, up: np.ndarray, step: float) -> Packed:
    left, values, right = directions(down.astype(np.float64), up.astype(np.float64) * LORA_SCALE)
    middling = np.sqrt(np.mean(values**2))
    steps = np.clip(step * np.sqrt(middling / values), FINEST_STEP, 1.0)[:, None]
    numbers, scales, errors = [], [], []
    for side in (right, left):
        deviation = np.sqrt(side.shape[1])
        rounded = np.clip(np.round(side * deviation / steps), -LARGEST, LARGEST)
        errors.append(np.mean((rounded * steps - side * deviation) ** 2, axis=1))
        numbers.append(rounded.astype(np.int8).ravel())
        scales.append(steps[:, 0] / deviation * np.sqrt(values))
    error = np.sqrt(np.sum(values**2 * (errors[0] + errors[1])) / np.sum(values**2))
    return Packed(np.concatenate(numbers), np.concatenate(scales), float(error))


def directions(down: np.ndarray, up: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The singular vectors and values of `up @ down`, a vector a row, without the product."""
    outside, outside_mix = np.linalg.qr(up)
    inside, inside_mix = np.linalg.qr(down.T)
    left, values, right = np.linalg.svd(outside_mix @ inside_mix.T)
    return (outside @ left).T, values, right @ inside.T


def pack(adapter: dict[str, np.ndarray], step: float) -> tuple[dict[str, np.ndarray], float]:
    names = sorted({name.rsplit(".", 1)[0] for name in adapter})
    packed = [pack_matrix(adapter[f"{n}.down"], adapter[f"{n}.up"], step) for n in names]
    shapes = [
        (len(adapter[f"{n}.down"]), adapter[f"{n}.down"].shape[1], len(adapter[f"{n}.up"]))
        for n in names
    ]
    arrays = {
        "names": np.array(names),
        "shapes": np.array(shapes, dtype=np.int32),
        "scales": np.concatenate([one.scales for one in packed]).astype(np.float32),
        "numbers": np.concatenate([one.numbers for one in packed]),
    }
    return arrays, float(np.mean([one.error for one in packed]))


def save(arrays: dict[str, Any], path: Path) -> None:
    np.savez_compressed(path, **arrays)


def as_shipped(adapter: dict[str, np.ndarray], step: float) -> dict[str, np.ndarray]:
    """The same change after its rounding, in the form that it was learnt in."""
    found: dict[str, np.ndarray] = {}
    for name in sorted({name.rsplit(".", 1)[0] for name in adapter}):
        down, up = adapter[f"{name}.down"], adapter[f"{name}.up"]
        packed = pack_matrix(down, up, step)
        sides = np.split(packed.numbers.astype(np.float64), [down.size])
        scales = np.split(packed.scales, 2)
        right, left = (
            side.reshape(len(down), -1) * scale[:, None]
            for side, scale in zip(sides, scales, strict=True)
        )
        found[f"{name}.down"] = right.astype(np.float32)
        found[f"{name}.up"] = (left.T / LORA_SCALE).astype(np.float32)
    return found


def main() -> None:
    # the training machine has no groundwire
    from groundwire.encoder import read_changes
    from training import files

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--step", type=float, default=PACKED_STEP)
    arguments = parser.parse_args()
    adapter = dict(np.load(arguments.adapter))
    arrays, error = pack(adapter, arguments.step)
    out = arguments.weights / "adapter.npz"
    save(arrays, out)
    assert len(read_changes(out)) == len(arrays["names"])
    files.note(arguments.weights, out.name)
    size = sum(array.size for array in adapter.values())
    print(f"{size} numbers, {out.stat().st_size} bytes, relative error {error:.4f}")


if __name__ == "__main__":
    main()
