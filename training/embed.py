"""The embedder: a few layers over the judge's own word vectors, taught by two others.

The teachers' vectors are joined and reduced to the student's width by their principal components;
the student learns the vectors and how near texts are to others, of their batch and of all lengths.
"""

import random
import time
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training.encoder import Encoder


class Embedder(nn.Module):
    """The mean of the last layer's vectors, normalised."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: Tensor, mask: Tensor, dropout: float = 0.0) -> Tensor:
        hidden = self.encoder(ids, torch.zeros_like(ids), mask, dropout)
        summed = (hidden * mask[..., None]).sum(1)
        return F.normalize(summed.float() / mask.sum(1, keepdim=True), dim=-1)


@torch.no_grad()
def vectors(
    encoder: Encoder, ids: list[np.ndarray], device: torch.device, *, first_token: bool
) -> Tensor:
    """Unit vectors of a teacher: its first token's, or the mean over all of them."""
    order = np.argsort([len(item) for item in ids], kind="stable")
    made = torch.empty(len(ids), encoder.words.embedding_dim, dtype=torch.float16, device=device)
    for start in range(0, len(order), 1024):
        rows = order[start : start + 1024]
        table, mask = pad(ids, rows, device)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
            hidden = encoder(table, torch.zeros_like(table), mask).float()
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        vector = hidden[:, 0] if first_token else mean
        made[torch.from_numpy(rows).to(device)] = F.normalize(vector, dim=-1).half()
    return made


def joined(one: Tensor, other: Tensor, *, width: int) -> Tensor:
    """Both teachers in one vector; the second's vectors lie in a narrow cone, which is opened.

    What comes out is turned towards the first, from which the student begins.
    """
    opened = F.normalize(other.float() - other.float().mean(0), dim=-1)
    both = torch.cat((one.float(), opened), -1)
    reduced = both @ _principal(both, width)
    left, _, right = torch.linalg.svd(reduced.T @ one.float())
    return F.normalize(reduced @ (left @ right), dim=-1).half()


def _principal(vectors: Tensor, width: int) -> Tensor:
    """The directions that keep most of what tells the vectors apart."""
    covariance = vectors.T @ vectors / len(vectors)
    _, directions = torch.linalg.eigh(covariance)
    return directions[:, -width:]


def pad(ids: list[np.ndarray], rows: np.ndarray, device: torch.device) -> tuple[Tensor, Tensor]:
    longest = 8 * -(-max(len(ids[row]) for row in rows) // 8)
    table = np.zeros((len(rows), longest), dtype=np.int64)
    lengths = np.array([len(ids[row]) for row in rows])
    for place, row in enumerate(rows):
        table[place, : lengths[place]] = ids[row]
    columns = torch.arange(longest, device=device)[None]
    mask = columns < torch.from_numpy(lengths).to(device)[:, None]
    return torch.from_numpy(table).to(device), mask


def train(
    embedder: Embedder,
    ids: list[np.ndarray],
    targets: Tensor,
    *,
    rate: float,
    seconds: float,
    device: torch.device,
    report: Callable[[str], None],
    batch: int = 1024,
) -> None:
    """`targets` are unit vectors of the student's width; the word vectors stay as they are."""
    embedder.encoder.words.weight.requires_grad_(requires_grad=False)
    parameters = [p for p in embedder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=0.01)
    rng = random.Random(0)
    lengths = np.array([len(item) for item in ids])
    started = time.monotonic()
    step = 0
    embedder.train()
    while True:
        jitter = np.array([rng.random() for _ in range(len(ids))])
        order = np.argsort(lengths * (0.6 + 0.8 * jitter))
        starts = list(range(0, len(order), batch))
        rng.shuffle(starts)
        for start in starts:
            progress = (time.monotonic() - started) / seconds
            if progress >= 1:
                embedder.eval()
                report(f"embedder done after {step} steps of {batch}")
                return
            for settings in optimiser.param_groups:
                settings["lr"] = rate * min(1.0, (step + 1) / 100) * max(0.005, 1 - progress)
            rows = order[start : start + batch]
            target = targets[torch.from_numpy(rows).to(device)].float()
            with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
                made = embedder(*pad(ids, rows, device), dropout=0.0)
            others = targets[torch.randint(len(targets), (batch,), device=device)].float()
            loss = likeness_loss(made.float(), target, others)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            if step % 200 == 0:
                report(f"embedder step {step} loss {float(loss.detach()):.4f} {progress:.2f}")


def likeness_loss(
    made: Tensor, target: Tensor, others: Tensor, temperature: float = 0.05
) -> Tensor:
    """`others` are vectors to be learnt too: a batch holds texts of one length."""
    near = 1 - (made * target).sum(-1).mean()
    off = ~torch.eye(len(made), dtype=torch.bool, device=made.device)
    ours = (made @ made.T / temperature).masked_fill(~off, -1e4)
    theirs = (target @ target.T / temperature).masked_fill(~off, -1e4)
    within = _divergence(ours, theirs)
    return (
        near
        + 0.5 * within
        + 0.5 * _divergence(made @ others.T / temperature, target @ others.T / temperature)
    )


def _divergence(ours: Tensor, theirs: Tensor) -> Tensor:
    return F.kl_div(ours.log_softmax(-1), theirs.softmax(-1), reduction="batchmean")
