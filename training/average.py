"""The average of several trainings that began at the same weights: steadier than any of them.

    python -m training.average --out FILE.npz 0.35=judge_r2.npz 0.35=judge_r3.npz 0.3=DIR

`DIR` is a folder of shipped weights (`training.bases.load_shipped`).
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from training.bases import State, load_shipped


def read(path: Path) -> State:
    if path.is_dir():
        return load_shipped(path)
    return {name: array.astype(np.float32) for name, array in np.load(path).items()}


def average(shares: Iterable[tuple[float, State]]) -> State:
    """What only some of them have, a new head, is averaged over those."""
    found: State = {}
    weight: dict[str, float] = defaultdict(float)
    for share, state in shares:
        for name, array in state.items():
            found[name] = found.get(name, np.float32(0)) + np.float32(share) * array
            weight[name] += share
    return {name: array / np.float32(weight[name]) for name, array in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("shares", nargs="+", metavar="SHARE=PATH")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    split = [one.partition("=") for one in arguments.shares]
    if abs(sum(float(share) for share, _, _ in split) - 1) > 1e-6:
        parser.error("the shares must add up to 1")
    states = ((float(share), read(Path(path))) for share, _, path in split)
    np.savez(arguments.out, allow_pickle=False, **average(states))


if __name__ == "__main__":
    main()
