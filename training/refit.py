"""Fits the head for questions again after its encoder has changed, on a processor.

The judge learnt without its questions in the last round, so that they cost it nothing; what it
knew of them is still there for a head that looks for it. The encoder stays as it is.

    python -m training.refit --judge AVERAGED.npz --data DATA --out FILE.npz [--rows 20000]
"""

import argparse
import random
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training import compare, heads
from training.bases import State
from training.groups import Example, examples
from training.measure import auroc
from training.running import report

EPOCHS = 12
BATCH = 512
RATE = 1e-3
SHIFT = 0.02
"""Labels are taken for so much less than certain."""
SPARED = 0.3
"""Of the numbers that a step does not see."""


def features(state: State, found: list[Example]) -> np.ndarray:
    """What the last layer says of the first token of each pair."""
    pairs = [(example.claim, example.context) for example in found]
    return compare.outputs(state, pairs, "first", first=True)


def chosen(found: list[Example], rows: int) -> list[Example]:
    """All of our own, and so many of the others."""
    own = [example for example in found if example.source.startswith("own.")]
    others = [example for example in found if not example.source.startswith("own.")]
    return own + random.Random(0).sample(others, min(rows, len(others)))


def fitted(state: State, x: Tensor, y: Tensor, weight: Tensor) -> nn.Sequential:
    """From where the head was."""
    head = nn.Sequential(nn.Linear(384, 384), nn.Tanh(), nn.Dropout(SPARED), nn.Linear(384, 1))
    layers = {"0": "answers_pool", "3": "answers"}
    head.load_state_dict(
        {
            f"{place}.{kind}": torch.from_numpy(state[f"{name}.{kind}"])
            for place, name in layers.items()
            for kind in ("weight", "bias")
        }
    )
    optimiser = torch.optim.AdamW(head.parameters(), weight_decay=0.05)
    torch.manual_seed(0)
    steps = EPOCHS * len(x) // BATCH
    for step in range(steps):
        for settings in optimiser.param_groups:
            settings["lr"] = RATE * (1 - step / steps)
        rows = torch.randint(0, len(x), (BATCH,))
        wanted = y[rows] * (1 - 2 * SHIFT) + SHIFT
        each = F.binary_cross_entropy_with_logits(head(x[rows])[:, 0], wanted, reduction="none")
        loss = (weight[rows] * each).sum() / weight[rows].sum()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    head.eval()
    for place, name in layers.items():
        for kind in ("weight", "bias"):
            state[f"{name}.{kind}"] = head.state_dict()[f"{place}.{kind}"].numpy()
    return head


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--judge", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    state = {name: array.astype(np.float32) for name, array in np.load(arguments.judge).items()}
    asked = examples(arguments.data / "answers.jsonl.xz")
    found = chosen([one for one in asked if not heads.is_slice(one.context)], arguments.rows)
    kept = examples(arguments.data / "own_answers_dev.jsonl.xz")
    kept += [one for one in asked if heads.is_slice(one.context)]
    x = torch.from_numpy(features(state, found))
    report(f"{len(found)} pairs read")
    y = torch.tensor([float(one.hard == 0) for one in found])
    held, wanted = torch.from_numpy(features(state, kept)), np.array([o.hard == 0 for o in kept])
    own = np.array([one.source.startswith("own.") for one in kept])
    before = torch.tanh(held @ _t(state, "answers_pool.weight") + _t(state, "answers_pool.bias"))
    before = before @ _t(state, "answers.weight") + _t(state, "answers.bias")
    head = fitted(state, x, y, torch.tensor([one.weight for one in found]))
    with torch.no_grad():
        after = head(held)
    for title, logits in (("before", before), ("after", after)):
        scores = logits.detach().numpy()[:, 0]
        areas = [auroc(scores[part], wanted[part].astype(int)) for part in (own, ~own)]
        report(f"{title}: our own kept questions {areas[0]:.4f}, the others {areas[1]:.4f}")
    np.savez(arguments.out, allow_pickle=False, **state)


def _t(state: State, name: str) -> Tensor:
    return (
        torch.from_numpy(state[name]).T if state[name].ndim > 1 else torch.from_numpy(state[name])
    )


if __name__ == "__main__":
    main()
