"""Fits the heads that tag cause and effect again after weights were averaged.

An average of two states keeps what both know; a head that only one of them has reads features it
has not seen. The encoder stays as it is, so a processor is enough:

    python -m training.refit --judge AVERAGED.npz --data DATA --out FILE.npz
"""

import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from tokenizers import Tokenizer
from torch import Tensor

from training import distil, heads
from training.bases import State, load_base
from training.running import report

ROWS_OF_A_SET = 1_100
LONGEST_TOKENS = 90
STEPS = 1_500
HEADS = {"tags": 2e-2, "causal": 1e-2}
"""What is fitted, and how fast."""


@torch.no_grad()
def features(judge: distil.Judge, pairs: distil.Pairs, rows: list[int]) -> dict[int, Tensor]:
    """What the last layer says of each token of each row."""
    found: dict[int, Tensor] = {}
    ordered = sorted(rows, key=lambda row: len(pairs.ids[row]))
    for start in range(0, len(ordered), 32):
        batch = np.array(ordered[start : start + 32])
        hidden = judge.encoder(*distil.collate(pairs, batch, torch.device("cpu")))
        for place, row in enumerate(batch):
            found[int(row)] = hidden[place, : len(pairs.ids[row])].clone()
    return found


def chosen(read: heads.Spans) -> list[int]:
    """As many of each set, so that no wording rules."""
    rng = np.random.default_rng(0)
    short = [row for row, ids in enumerate(read.pairs.ids) if len(ids) < LONGEST_TOKENS]
    names = np.array([read.sets[row] for row in short])
    return [
        short[place]
        for name in sorted(set(names))
        for place in rng.permutation(np.flatnonzero(names == name))[:ROWS_OF_A_SET]
    ]


def fitted(state: State, name: str, x: Tensor, y: Tensor) -> None:
    """From where it was; small batches for many tokens, all at once for few texts."""
    weight = torch.from_numpy(state[f"{name}.weight"]).float().requires_grad_()
    bias = torch.from_numpy(state[f"{name}.bias"]).float().requires_grad_()
    optimiser = torch.optim.AdamW([weight, bias], weight_decay=1e-4)
    torch.manual_seed(0)
    for step in range(STEPS):
        for settings in optimiser.param_groups:
            settings["lr"] = HEADS[name] * (1 - step / STEPS)
        rows = torch.randint(0, len(x), (8192,))
        logits = x[rows] @ weight.T + bias
        loss = (
            F.cross_entropy(logits, y[rows])
            if name == "tags"
            else F.binary_cross_entropy_with_logits(logits[:, 0], y[rows].float())
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    report(f"{name}: loss {float(loss):.3f}")
    state[f"{name}.weight"], state[f"{name}.bias"] = weight.detach().numpy(), bias.detach().numpy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--judge", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(arguments.data / "tokenizer.json"))
    state = load_base(arguments.judge.with_suffix(""))
    judge = distil.make_judge(dict(state), 12, tokenizer.get_vocab_size()).eval()
    read = heads.read_spans(arguments.data / "spans_train.jsonl.xz", tokenizer, part=False)
    rows = chosen(read)
    found = features(judge, read.pairs, rows)
    tags = torch.from_numpy(np.concatenate([read.tags[row] for row in rows]))
    known = tags != heads.IGNORED
    tokens = torch.cat([found[row] for row in rows])
    fitted(state, "tags", tokens[known], tags[known])
    told = [row for row in rows if read.causal[row] >= 0]
    first = torch.stack([found[row][0] for row in told])
    fitted(state, "causal", first, torch.from_numpy(read.causal[told]))
    np.savez(arguments.out, allow_pickle=False, **state)


if __name__ == "__main__":
    main()
