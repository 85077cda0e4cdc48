"""How far two files of scores for the same claims are apart.

    python benchmarks/deep_agree.py DATA ONE OTHER [--threshold 0.5]

Scores are arrays in the order of the rows, or lines with `id` and `p`; claims that one of them
lacks are left out.
"""

import argparse
from pathlib import Path

import numpy as np
from _claims import read_rows, read_scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("scores", type=Path, nargs=2)
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--context-words", type=int, default=180)
    arguments = parser.parse_args()
    rows = read_rows(arguments.data, arguments.context_words)
    one, other = (read_scores(path, rows) for path in arguments.scores)
    pairs = np.array(
        [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    )
    apart = np.abs(pairs[:, 0] - pairs[:, 1])
    sides = pairs >= arguments.threshold
    print(
        f"{len(pairs)} claims: mean difference {apart.mean():.4f}, "
        f"95th percentile {np.percentile(apart, 95):.4f}, largest {apart.max():.4f}; "
        f"{int((sides[:, 0] != sides[:, 1]).sum())} on other sides of {arguments.threshold}; "
        f"correlation {np.corrcoef(pairs.T)[0, 1]:.4f}"
    )


if __name__ == "__main__":
    main()
